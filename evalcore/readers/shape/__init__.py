"""Shaping a table: rename, merge, exclude, scale, filter and widen, as steps that stand in links and scripts."""

from .cells import *
from .matrix import *
from .rows import *
from .shape import *
from .step import *
from .title import *
