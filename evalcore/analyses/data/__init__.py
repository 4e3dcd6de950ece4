"""Inputs of analyses: scores, labels, probabilities, estimates and rankings of the open data, and Python."""

from .binned_scores import *
from .estimates import *
from .label_pairs import *
from .measure_table import *
from .rankings import *
from .scores import *
from .script import *
from .shaping import *
from .source import *
