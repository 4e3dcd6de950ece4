"""Confusion matrix of two classes, and what a test will bring in another population."""

from .confusion import *
from .forecast import *
