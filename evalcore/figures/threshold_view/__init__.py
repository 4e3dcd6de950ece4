"""The threshold view as data for the browser, which computes nothing but pixels."""

from .overlays import *
from .programs import *
from .shaking import *
from .view import *
