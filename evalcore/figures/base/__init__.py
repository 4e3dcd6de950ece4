"""Colours, themes, systems and descriptions of figures, and the square matrix."""

from .matrix import *
from .systems import *
from .theme import *
