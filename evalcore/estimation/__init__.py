"""Estimation: true and estimated numbers, their errors and measures; and the distances between two distributions."""

from .agreement import *
from .bins import *
from .deviances import *
from .distance_terms import *
from .distances import *
from .distributions import *
from .errors import *
from .estimates import *
from .loss_functions import *
from .masks import *
from .prediction_intervals import *
from .relative_errors import *
from .row_errors import *
from .samples import *
from .transport import *
