"""TREC runs and judgments, and tables of them."""

from .trec import *
