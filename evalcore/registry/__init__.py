"""The registry of measures: their names, meaning, range and source."""

from .measures import *
from .pages import *
