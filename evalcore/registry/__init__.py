"""The one list of measures: what each is called, what it means, its range and where it comes from."""

from evalcore.registry.definition import RETRIEVAL, MetricDef, Param
from evalcore.registry.names import METRICS, find
from evalcore.registry.registration import DECISIONS, PARTIAL, measures_of, metric

__all__ = ["DECISIONS", "METRICS", "PARTIAL", "RETRIEVAL", "MetricDef", "Param", "find", "measures_of", "metric"]
