"""Several classes and several labels: which are confused, and what the errors cost."""

from .classes import *
from .costs import *
from .multilabel import *
