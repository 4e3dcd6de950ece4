"""Estimates, prediction intervals, masks and distributions."""

from .decisions import *
from .distances import *
from .distributions import *
from .errors import *
from .overlap import *
from .regression import *
