"""Exact measures of predictions: definitions, states and intervals on numpy alone."""

from evalcore import classification as _classification
from evalcore import retrieval as _retrieval
from evalcore.registry import METRICS, MetricDef, Param, find, measures_of, metric

__version__ = "0.1.0"
__all__ = ["METRICS", "MetricDef", "Param", "find", "measures_of", "metric"]
