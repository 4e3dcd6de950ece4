"""Shapes of tables and cells that are recognised: columns, square matrices, vectors, long tables."""

from .class_steps import *
from .long_tables import *
from .recognition import *
