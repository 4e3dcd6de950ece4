"""Groups and slices of rows: where a system is worse, and what equal rates would cost."""

from .groups import *
from .slices import *
from .subgroups import *
