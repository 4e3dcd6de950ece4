"""Reports: a data set with its analyses and pictures as one HTML file that needs nothing else."""

from .card import *
from .of_rankings import pairs_figure as pairs_figure
from .of_scores import live_view as live_view
from .parts import *
from .report import *
