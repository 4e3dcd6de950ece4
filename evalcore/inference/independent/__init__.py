"""Independent samples: tests and intervals of differences."""

from .distances import *
from .independent import *
from .unpaired import *
