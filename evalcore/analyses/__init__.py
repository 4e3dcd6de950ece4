"""Analyses: the answer to one page's question, made from states and settings; they know no browser."""

from .classes import *
from .compare import *
from .confusion import *
from .curves import *
from .data import *
from .documents import *
from .estimate import *
from .groups import *
from .multilabel import *
from .probabilities import *
from .retrieve import *
from .subgroups import *
from .threshold import *
