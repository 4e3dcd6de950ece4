"""The threshold view as data for the browser, which computes nothing but pixels."""

from .view import *
