"""Files of every format become tables."""

from .tables import *
