"""Figures of the pages of estimates, distributions and masks."""

from .distributions import *
from .estimates import *
