"""Reports: a data set with its analyses and pictures as one HTML file that needs nothing else."""

from .parts import *
from .report import *
