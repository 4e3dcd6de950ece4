"""The steps that shape a table: rename, merge, exclude, scale, filter, widen."""

from .cells import *
from .classes import *
from .confidence import *
from .days import *
from .limits import *
from .lists import *
from .matrix import *
from .pair import *
from .row_steps import *
from .split import *
from .step import *
from .title import *
