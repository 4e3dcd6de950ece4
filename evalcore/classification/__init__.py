"""Classification: counts of outcomes, scores with every threshold, and the measures of both."""

from .binary import *
from .several import *
