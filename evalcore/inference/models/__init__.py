"""Recalibration, densities and the order of classes."""

from .kernel import *
from .recalibration import *
