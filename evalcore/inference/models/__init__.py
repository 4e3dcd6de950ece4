"""Recalibration, densities and the order of classes."""

from .class_clustering import *
from .kernel import *
from .recalibration import *
