"""Kinds of table: the roles, the findings and the states of each, and the table of all of them."""

from .all_kinds import *
from .counts import *
from .estimates import *
from .label_scores import *
from .label_sets import *
from .labels import *
from .probabilities import *
from .rankings import *
from .scores import *
from .unknown import *
