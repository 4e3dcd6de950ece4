"""Readers: a table in any of the usual formats becomes a data set with roles and findings, or a stated problem."""

from .arrays import *
from .datasets import *
from .judged_files import *
from .judged_tables import *
from .problems import *
from .roles import *
from .samples import *
from .state_cache import *
from .states import *
from .tables import *
from .trec import *
from .values import *
from .workspace import *
