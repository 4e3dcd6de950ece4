"""Inference: intervals, tests, resampling and recalibration."""

from .auc import *
from .bands import *
from .bootstrap import *
from .choice_bootstrap import *
from .class_clustering import *
from .comparison import *
from .corrections import *
from .coverage import *
from .disagreements import *
from .forecast import *
from .interval_choice import *
from .intervals import *
from .kernel import *
from .loss_bootstrap import *
from .paired import *
from .paired_classes import *
from .paired_measures import *
from .paired_scores import *
from .percentiles import *
from .platt_scaling import *
from .recalibration import *
from .resampling import *
from .score_bootstrap import *
from .unpaired import *
