"""Readers: a table in any of the usual formats becomes a data set with roles and findings, or a stated problem."""

from .assignment import *
from .datasets import *
from .formats import *
from .kinds import *
from .problems import *
from .profile import *
from .roles import *
from .rows import *
from .run_and_qrels import *
from .samples import *
from .scored_rows import *
from .state_cache import *
from .tables import *
from .trec import *
from .values import *
from .workspace import *
