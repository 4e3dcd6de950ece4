"""Reports: a data set with its analyses and pictures as one HTML file that needs nothing else."""

from .chapters import pairs_figure as pairs_figure
from .front import *
from .of_scores import live_view as live_view
from .parts import *
from .report import *
from .settings import *
