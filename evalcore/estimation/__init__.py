"""Estimates: the measures of numbers, and the distances between two distributions."""

from .bins import *
from .distance_terms import *
from .distances import *
from .distributions import *
from .samples import *
from .transport import *
