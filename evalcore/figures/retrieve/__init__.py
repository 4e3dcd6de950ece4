"""Figures of the pages of retrieval."""

from .comparison import *
from .ranking import *
from .sets import *
