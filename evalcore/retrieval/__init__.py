"""Retrieval: judgments, runs, and the measures of sets, rankings and graded lists, one value a query."""

from .browsing import *
from .curves import *
from .duplicates import *
from .evaluation import *
from .graded import *
from .graded_table import *
from .hiding import *
from .hits import *
from .incomplete import *
from .judgments import *
from .order_stability import *
from .params import *
from .pooling import *
from .ranked import *
from .recall_levels import *
from .runs import *
from .sets import *
from .trec_output import *
from .uncertain import *
