"""Several classes and several labels: which are confused, and what the errors cost."""

from .classes import *
from .costs import *
from .measures import *
from .multilabel import *
