"""TREC runs and judgments, and tables of them."""

from .ranked_tables import *
from .trec import *
