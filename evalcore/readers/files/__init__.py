"""Files of every format become tables."""

from .columnar import *
from .tables import *
