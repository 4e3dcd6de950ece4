"""Inference: intervals, tests, resampling and recalibration.

Everywhere `level` is the confidence of intervals, between 0 and 1, and `resamples` the number of resamples, at least 1;
other values raise ValueError. The same `seed` gives the same resamples. Sums of weights are taken as rows, and rounded
where rows are drawn. What is undefined is nan.
"""

from .base import *
from .distances import *
from .independent import *
from .intervals import *
from .models import *
from .paired import *
from .promise import *
from .slices import *
