"""Limits that hold on new rows, and slices that are confirmed."""

from .limit_tests import *
from .promise import *
from .slices import *
