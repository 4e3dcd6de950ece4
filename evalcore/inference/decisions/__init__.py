"""Limits that hold on new rows, and slices that are confirmed."""

from .promise import *
from .slices import *
