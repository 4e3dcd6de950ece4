"""Retrieval: sets, rankings, graded lists and judgments, by query and over all queries."""

from .comparison import *
from .graded import *
from .judgments import *
from .paired_rankings import *
from .ranking import *
from .sets import *
