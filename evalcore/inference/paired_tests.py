"""Differences of two systems with one test each: shares by McNemar, as its 2×2 table says, all else by resampling."""

from collections.abc import Iterable
from dataclasses import replace

from evalcore.inference.bootstrap import RESAMPLES, SEED
from evalcore.inference.comparison import Comparison, mcnemar_of_counts
from evalcore.inference.paired_measures import PairedCounts, paired_differences
from evalcore.registry import MetricDef

__all__ = ["mcnemar_differences"]

INTERVAL = "interval of Tango"

_AMONG = {"recall": True, "miss_rate": True, "specificity": False, "fall_out": False}
_AMONG |= {"accuracy": None, "error_rate": None}
"""Measures whose difference McNemar tests, and the actual class among whose rows it does; None is all rows."""


def mcnemar_differences(
    measures: Iterable[MetricDef],
    paired: PairedCounts,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Comparison]:
    """`paired_differences`, but shares of the same rows get the p-value of `mcnemar`: exact below 25 rows that differ.

    So that a table of measures and the 2×2 table of disagreements beside it name one p for one question. Near the edge
    the interval of Tango, which knows no correction, can leave out 0 while that p is still above 1 − level.

    Parameters
    ----------
    measures : iterable of MetricDef
        Of the family "counts", with their parameters set.
    paired : PairedCounts
        Of one table.
    level : float
    resamples, seed : int
        Of the bootstrap.

    Examples
    --------
    >>> import numpy as np
    >>> from evalcore import find
    >>> paired = PairedCounts(np.array([[[80, 6], [2, 12]], [[5, 9], [1, 35]]]))
    >>> found = mcnemar_differences([find("recall")], paired)[0]
    >>> found.method, round(found.p_value, 4)
    ('interval of Tango, McNemar, exact binomial', 0.0215)
    """
    measures = list(measures)
    found = paired_differences(measures, paired, level, resamples=resamples, seed=seed)
    return [_tested(measure, paired, compared) for measure, compared in zip(measures, found, strict=True)]


def _tested(measure: MetricDef, paired: PairedCounts, found: Comparison) -> Comparison:
    if measure.key in _AMONG:
        test = mcnemar_of_counts(*paired.right(_AMONG[measure.key]))
    elif measure.key == "predicted_prevalence":
        said = paired.cells.sum(axis=0)
        test = mcnemar_of_counts(*(float(said[a, b]) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))))
    else:
        return found
    return replace(found, method=f"{INTERVAL}, {test.method}", statistic=test.statistic, p_value=test.p_value)
