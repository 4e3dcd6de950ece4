"""Estimation: true and estimated numbers, their errors and measures; and the distances between two distributions."""

from .agreement import *
from .distributions import *
from .estimates import *
from .masks import *
