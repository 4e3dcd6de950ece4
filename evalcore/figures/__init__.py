"""Figures: evalcore types in, plotly figures out; no arithmetic, no Streamlit."""

from .classify import *
from .estimate import *
from .retrieve import *
from .systems import *
from .theme import *
