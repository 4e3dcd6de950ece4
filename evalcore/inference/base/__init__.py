"""Intervals, variances of clusters, resamples and paired tests that everything else here rests on."""

from .clustered import *
from .comparison import *
from .intervals import *
from .paired import *
from .resampling import *
