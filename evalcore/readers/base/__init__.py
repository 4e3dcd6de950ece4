"""Problems, values, names and numbers as text: the base of every reader."""

from .problems import *
from .values import *
