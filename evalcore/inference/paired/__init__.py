"""Two or more systems on the same rows or queries: tests and intervals of differences."""

from .areas import *
from .classes import *
from .measures import *
