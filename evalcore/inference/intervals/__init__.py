"""Intervals of one system's measures."""

from .bands import *
from .estimates import *
from .losses import *
from .measures import *
from .predictive_values import *
from .scores import *
