"""Inference: how far a number found on a sample can be trusted."""

from evalcore.inference.bootstrap import bootstrap, bootstrap_matrix, resampled_counts
from evalcore.inference.clusters import clustered_order
from evalcore.inference.comparison import Comparison, holm, mcnemar
from evalcore.inference.differences import CellDifferences, compare_cells
from evalcore.inference.intervals import Interval, clopper_pearson, delong, log_ratio_interval, wilson

__all__ = [
    "CellDifferences",
    "Comparison",
    "Interval",
    "bootstrap",
    "bootstrap_matrix",
    "clopper_pearson",
    "clustered_order",
    "compare_cells",
    "delong",
    "holm",
    "log_ratio_interval",
    "mcnemar",
    "resampled_counts",
    "wilson",
]
