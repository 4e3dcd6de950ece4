"""Figures: evalcore types in, plotly figures out; no arithmetic, no Streamlit."""

from .colours import *
from .confusion_frame import *
from .costs import *
from .coverage import *
from .curves import *
from .distributions import *
from .error_distribution import *
from .estimates import *
from .forest import *
from .graded import *
from .judgment_reduction import *
from .loss_functions import *
from .losses import *
from .masks import *
from .matrix import *
from .measure_map import *
from .overlays import *
from .people import *
from .query_differences import *
from .ranking import *
from .reliability import *
from .score_axis import *
from .score_curves import *
from .sets import *
from .systems import *
from .theme import *
