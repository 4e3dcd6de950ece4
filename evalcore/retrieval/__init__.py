"""Retrieval: judgments, runs, and the measures of sets, rankings and graded lists, one value a query."""

from .evaluation import *
from .graded import *
from .hits import *
from .incomplete import *
from .judgments import *
from .ranked import *
from .runs import *
from .sets import *
from .stability import *
