"""Differences of two systems with one test each: shares by McNemar, as its 2×2 table says, all else by resampling."""

from collections.abc import Iterable
from dataclasses import replace

from evalcore.inference.bootstrap import RESAMPLES, SEED
from evalcore.inference.comparison import Comparison, mcnemar_of_counts
from evalcore.inference.paired_classes import RESAMPLES as CLASS_RESAMPLES
from evalcore.inference.paired_classes import PairedClasses, paired_matrix_differences
from evalcore.inference.paired_measures import PairedCounts, paired_differences
from evalcore.registry import METRICS, MetricDef

__all__ = ["mcnemar_differences"]

INTERVAL = "interval of Tango"


def mcnemar_differences(
    measures: Iterable[MetricDef],
    paired: PairedCounts | PairedClasses,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = SEED,
) -> list[Comparison]:
    """Differences where shares of the same rows get the p-value of `mcnemar`: exact below 25 rows that differ.

    So that a table of measures and the 2×2 table of disagreements beside it name one p for one question. Near the edge
    the interval of Tango, which knows no correction, can leave out 0 while that p is still above 1 − level.

    Parameters
    ----------
    measures : iterable of MetricDef
        Of the family "counts" or, for several classes, "matrix"; with their parameters set.
    paired : PairedCounts or PairedClasses
        Of one table.
    level : float
    resamples, seed : int
        Of the bootstrap, which all other measures get; by default as many as in `paired_differences` and
        `paired_matrix_differences`.

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
    if isinstance(paired, PairedClasses):
        resampled = [measure for measure in measures if measure.paired_test != "share"]
        draws = (resampled, paired, level, resamples or CLASS_RESAMPLES, seed)
        drawn = iter(paired_matrix_differences(*draws) if resampled else ())
        right = mcnemar_differences([METRICS["accuracy"]], paired.right(), level)[0]
        return [right if measure.paired_test == "share" else next(drawn) for measure in measures]
    found = paired_differences(measures, paired, level, resamples=resamples or RESAMPLES, seed=seed)
    return [_tested(measure, paired, compared) for measure, compared in zip(measures, found, strict=True)]


def _tested(measure: MetricDef, paired: PairedCounts, found: Comparison) -> Comparison:
    if measure.paired_test != "share":
        return found
    test = mcnemar_of_counts(*paired.share(measure))
    return replace(found, method=f"{INTERVAL}, {test.method}", statistic=test.statistic, p_value=test.p_value)
