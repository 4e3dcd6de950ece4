"""The cockpit of the threshold as data for the browser, which computes nothing but pixels."""

from .columns import *
from .densities import *
from .sheet import *
from .source import *
from .still import *
