"""Questions that are asked before the answer is shown, with the misconceptions behind wrong answers."""

from .lectures import *
from .playground import *
from .questions import *
