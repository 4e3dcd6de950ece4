"""States from tables that are never loaded: an engine groups the rows and returns a small table."""

from .connections import *
from .datasets import *
from .errors import *
from .frames import *
from .labels import *
from .rankings import *
from .score_bins import *
from .scores import *
from .stored import *
