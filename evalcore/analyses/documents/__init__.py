"""What is made of all analyses: every number, the glossary's values, and formulas."""

from .formulas import *
from .glossary import *
from .numbers import *
from .playground import *
