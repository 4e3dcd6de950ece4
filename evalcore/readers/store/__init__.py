"""Data on disk: uploads, decisions, and CSV output."""

from .csv_output import *
from .kept_decisions import *
from .kept_files import *
from .workspace import *
