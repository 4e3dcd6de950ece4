"""How numbers and names are written: in sentences, tables and figures alike."""

from .differences import *
from .escaping import *
from .latex import *
from .names import *
from .numbers import *
from .tables import *
