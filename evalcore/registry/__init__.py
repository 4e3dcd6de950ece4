"""The registry of measures: their names, meaning, range and source."""

from .definition import *
from .pages import *
from .registration import *
