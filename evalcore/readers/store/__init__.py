"""What is kept on disk: uploads, decisions, and CSV going out."""

from .csv_output import *
from .kept_decisions import *
from .kept_files import *
from .workspace import *
