"""Analyses: the answer to one page's question, made from states and settings; they know no browser."""

from .class_differences import *
from .class_measures import *
from .classes import *
from .confusion import *
from .cost_sensitivity import *
from .decision_record import *
from .forecast import *
from .gain_settings import *
from .goal_text import *
from .graded_list import *
from .graded_systems import *
from .label_pairs import *
from .losses import *
from .measure_table import *
from .net_benefit import *
from .population import *
from .query_sets import *
from .ranked_list import *
from .ranking_summary import *
from .rankings import *
from .referral_band import *
from .retrieved_sets import *
from .scores import *
from .script import *
from .source import *
from .threshold_choice import *
