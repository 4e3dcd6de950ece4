"""Several classes and labels: square tables, probabilities, label sets and their measures."""

from .averages import *
from .calibration import *
from .class_areas import *
from .label_scores import *
from .label_sets import *
from .losses import *
from .matrix import *
from .probabilities import *
