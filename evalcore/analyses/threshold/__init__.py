"""Choosing a threshold: goals, costs, limits, certainty, and the record of the decision."""

from .certainty import *
from .choice import *
from .costs import *
from .decision_record import *
from .kept_decision import *
from .pins import *
from .promise import *
