"""Questions that are asked before the answer is shown, and what a wrong answer betrays."""

from .answers import *
from .questions import *
