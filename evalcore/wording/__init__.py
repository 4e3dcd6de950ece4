"""Formats of numbers and names in sentences, tables and figures alike."""

from .escaping import *
from .numbers import *
from .tables import *
