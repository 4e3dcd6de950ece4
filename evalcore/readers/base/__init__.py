"""Problems, values, names and numbers as text: what every reader rests on."""

from .problems import *
from .values import *
