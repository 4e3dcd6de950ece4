"""Figures of the pages of retrieval."""

from .graded import *
from .judgments import *
from .queries import *
from .ranking import *
from .sets import *
