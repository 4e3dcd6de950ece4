"""Readers: files in any usual format become data sets with roles and findings, or a clear error."""

from .assignment import *
from .csv_output import *
from .datasets import *
from .face_tables import *
from .faces import *
from .finding_codes import *
from .formats import *
from .join_keys import *
from .joining import *
from .kinds import *
from .long_tables import *
from .problems import *
from .profile import *
from .roles import *
from .rows import *
from .run_and_qrels import *
from .samples import *
from .shape import *
from .slice_columns import *
from .steps import *
from .table import *
from .tables import *
from .trec import *
from .values import *
from .weights import *
from .workspace import *
