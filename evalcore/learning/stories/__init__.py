"""Worked examples of the literature as stories: a question first, then what evalcore computes, then the print."""

from . import rankings
from .story import *
