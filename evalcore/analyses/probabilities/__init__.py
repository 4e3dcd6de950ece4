"""Probabilities: reliability, losses, recalibration and class weights."""

from .calibration import *
from .class_weights import *
from .losses import *
from .recalibration import *
