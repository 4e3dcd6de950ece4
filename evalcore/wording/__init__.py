"""How numbers and names are written: in sentences, tables and figures alike."""

from .escaping import *
from .numbers import *
from .tables import *
