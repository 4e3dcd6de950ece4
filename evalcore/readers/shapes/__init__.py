"""Shapes of tables and cells that are recognised: columns, square matrices, vectors, long tables."""

from .label_columns import *
from .matrices import *
from .recognition import *
