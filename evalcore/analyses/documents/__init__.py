"""Documents made from all analyses: every number, the values of the glossary, and formulas."""

from .glossary import *
from .numbers import *
from .playground import *
