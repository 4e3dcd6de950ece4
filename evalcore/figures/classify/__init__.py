"""Figures of the pages of classification."""

from .confusion import *
from .curves import *
from .forest import *
from .probabilities import *
from .scores import *
