"""Figures: evalcore types in, plotly figures out; no arithmetic, no Streamlit."""

from .certainty import *
from .confusion_frame import *
from .costs import *
from .curves import *
from .detection import *
from .forest import *
from .gains import *
from .graded import *
from .judgment_reduction import *
from .losses import *
from .markup import *
from .matrix import *
from .overlays import *
from .people import *
from .query_differences import *
from .ranking import *
from .referral import *
from .reliability import *
from .sets import *
from .subgroups import *
from .systems import *
from .theme import *
