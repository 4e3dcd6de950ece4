"""Inference: how far a number found on a sample can be trusted."""

from .auc import *
from .bands import *
from .bootstrap import *
from .choosing import *
from .clusters import *
from .comparison import *
from .corrections import *
from .coverage import *
from .differences import *
from .disagreements import *
from .forecast import *
from .intervals import *
from .kernel import *
from .loss_bootstrap import *
from .paired import *
from .paired_classes import *
from .paired_measures import *
from .paired_scores import *
from .paired_tests import *
from .platt_scaling import *
from .recalibrated_tables import *
from .recalibration import *
from .resampling import *
from .score_bootstrap import *
from .score_interval import *
from .unpaired import *
