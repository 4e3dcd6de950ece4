"""The one list of measures: what each is called, what it means, its range and where it comes from."""

from .definition import *
from .pages import *
from .registration import *
