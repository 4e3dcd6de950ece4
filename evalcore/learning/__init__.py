"""Questions that are asked before the answer is shown, and what a wrong answer betrays."""

from .lectures import *
from .playground import *
from .questions import *
from .traps import *
