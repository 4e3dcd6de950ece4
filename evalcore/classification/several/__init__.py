"""Several classes or labels: the square table, label sets and scores, probabilities, their calibration and losses."""

# Measures are listed in the order in which their files are read.
from .matrix import *

# isort: split
from .class_areas import *
from .label_scores import *
from .label_sets import *
from .losses import *
from .probabilities import *
