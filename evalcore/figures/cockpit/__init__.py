"""The cockpit of the threshold as data for the browser, which computes nothing but pixels."""

from .sheet import *
