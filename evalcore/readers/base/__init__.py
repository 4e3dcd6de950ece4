"""Problems, values, names, numbers as text, images and CSV: what every reader rests on."""

from .encodings import *
from .pictures import *
from .problems import *
from .values import *
