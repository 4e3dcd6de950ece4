"""Readers: files in any usual format become data sets with roles and findings, or a clear error."""

import sys

from .base import *
from .base.pictures import *
from .child import *
from .dataset import *
from .files import *
from .join import *
from .kinds import *
from .shapes import *
from .steps import *
from .table import *
from .trec import *
from .workspace import *

# Python that was exported before modules stood in rooms reads samples from here.
sys.modules[f"{__name__}.samples"] = sys.modules[f"{__name__}.join.files_together"]
