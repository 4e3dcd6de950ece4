"""Readers: files in any usual format become data sets with roles and findings, or a clear error."""

from .base import *
from .child import *
from .dataset import *
from .files import *
from .join import *
from .kinds import *
from .pictures import *
from .shapes import *
from .steps import *
from .store import *
from .table import *
from .trec import *
