"""Our figures as SVG pictures that need no script: what a report shows and prints.

Only what the figures of this folder use is drawn; a trace of another kind is an error.
"""

from .axis import *
from .picture import *
