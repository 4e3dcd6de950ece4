"""Analyses: the answer to one page's question, made from states and settings; they know no browser."""

from .confusion import *
from .label_pairs import *
from .losses import *
from .measure_table import *
from .population import *
from .ranked_list import *
from .ranking_summary import *
from .rankings import *
from .scores import *
from .script import *
from .source import *
