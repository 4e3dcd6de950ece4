"""Worked examples of the literature as stories: a question first, then what evalcore computes, then the print."""

# ruff: noqa: I001 (imported in the order in which they are offered)
from .story import *
from . import counts, scores, rankings
