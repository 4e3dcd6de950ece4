"""The threshold view as data for the browser, which computes nothing but pixels."""

from .browser import *
from .view import *
