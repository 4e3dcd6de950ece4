"""Tables become data sets: roles are assigned, states built, columns described."""

from .assignment import *
from .datasets import *
from .profile import *
from .shape import *
