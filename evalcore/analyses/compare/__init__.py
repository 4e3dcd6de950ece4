"""Systems compared: on the same rows, on rows of their own, and by group."""

from .group_comparison import *
from .paired_comparison import *
from .paired_systems import *
from .samples import *
from .system_comparison import *
