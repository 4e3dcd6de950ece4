"""Analyses: the answer to one page's question, made from states and settings; they know no browser."""

from .label_pairs import *
from .scores import *
from .script import *
from .source import *
