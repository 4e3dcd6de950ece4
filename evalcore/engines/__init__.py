"""The same states from tables that are never loaded: an engine groups the rows, and a small table comes back."""

from .calibration_bounds import *
from .connections import *
from .counting import *
from .datasets import *
from .errors import *
from .estimate_cells import *
from .first_rows import *
from .frames import *
from .labels import *
from .paired_scores import *
from .postgres import *
from .ranked_tables import *
from .ranking_datasets import *
from .rankings import *
from .reopening import *
from .score_bounds import *
from .score_keys import *
from .scores import *
from .stored import *
from .summaries import *
from .threshold_calls import *
