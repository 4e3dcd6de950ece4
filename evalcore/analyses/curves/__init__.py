"""ROC and precision–recall curves, step by step and in numbers."""

from .curves import *
from .roc_table import *
