"""Figures of the pages of classification."""

from .confusion import *
from .costs import *
from .curves import *
from .forest import *
from .measure_map import *
from .probabilities import *
from .scores import *
from .small_pictures import *
