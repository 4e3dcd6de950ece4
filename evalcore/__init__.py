"""Exact measures of predictions: definitions, states and intervals on numpy alone."""

from evalcore import classification as _classification
from evalcore import estimation as _estimation
from evalcore import retrieval as _retrieval

from .numeric import *
from .registry.definition import *
from .registry.names import *
from .registry.registration import *

__version__ = "0.1.0"
