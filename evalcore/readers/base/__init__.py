"""Problems, values, names, numbers as text, images and CSV: what every reader rests on."""

from .encodings import *
from .pictures import *
from .problems import *
from .problems import Lines, few, listed
from .values import *
from .values import Column, Columns, Value, distinct_of, positive_value, rounding_of
