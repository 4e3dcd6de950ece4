"""Questions that are asked before the answer is shown, and what a wrong answer betrays."""

from .answers import *
from .attempts import *
from .drafts import *
from .lectures import *
from .lessons import *
from .parts import *
from .playground import *
from .questions import *
from .receipts import *
from .rooms import *
from .score_distributions import *
from .score_model import *
from .traps import *
