"""How numbers and names are written: in sentences, tables and figures alike."""

from .copy_menu import *
from .entry_links import *
from .escaping import *
from .names import *
from .numbers import *
from .table_formats import *
from .tables import *
