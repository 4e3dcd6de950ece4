"""Decisions: limits that hold on new rows, and slices confirmed on held-out rows."""

from .promise import *
from .slices import *
