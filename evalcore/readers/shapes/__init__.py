"""Shapes of tables and cells that are recognised: columns, square matrices, vectors, long tables."""

from .class_steps import *
from .recognition import *
from .square_matrices import *
