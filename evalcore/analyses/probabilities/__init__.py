"""Probabilities: reliability, losses, recalibration and class weights."""

from .calibration import *
from .losses import *
