"""Figures: evalcore types in, plotly figures out; no arithmetic, no Streamlit."""

from .base import *
from .classify import *
from .estimate import *
from .retrieve import *
