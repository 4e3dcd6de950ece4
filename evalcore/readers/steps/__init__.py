"""The steps that shape a table: rename, merge, exclude, scale, filter, widen."""

from .rows import *
from .step import *
