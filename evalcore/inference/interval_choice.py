"""The interval that fits a measure of counts, given a method for shares and a level."""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.classification.counts import ConfusionCounts
from evalcore.inference.bootstrap import bootstrap
from evalcore.inference.intervals import Interval, clopper_pearson, log_ratio_interval, wilson
from evalcore.numeric import Array
from evalcore.registry import MetricDef

__all__ = ["INTERVAL_METHODS", "IntervalChoice", "share_counts"]

INTERVAL_METHODS = {"wilson": "Wilson", "clopper": "Clopper–Pearson", "bootstrap": "bootstrap"}
_CLOSED = {"wilson": wilson, "clopper": clopper_pearson}


@dataclass(frozen=True)
class IntervalChoice:
    """A method for shares and a level for all.

    Parameters
    ----------
    method : {"wilson", "clopper", "bootstrap"}
    level : float
        Confidence, between 0 and 1.

    Examples
    --------
    >>> from evalcore import METRICS
    >>> interval, n = IntervalChoice("wilson", 0.95).of(METRICS["recall"], ConfusionCounts(tp=8, fp=1, fn=2, tn=9))
    >>> round(float(interval.low), 3), round(float(interval.high), 3), n
    (0.49, 0.943, 10.0)
    """

    method: str = "wilson"
    level: float = 0.95

    @property
    def method_name(self) -> str:
        """The name of the method in words."""
        return INTERVAL_METHODS[self.method]

    def of(self, measure: MetricDef, counts: ConfusionCounts) -> tuple[Interval, float] | None:
        """The interval of a measure and its n; None where the measure is undefined.

        Shares use the chosen method, likelihood ratios the logarithm, and all others the bootstrap.
        """
        if math.isnan(float(measure(counts))):
            return None
        n = float(share_counts(measure, counts)[1]) if measure.denominator else float(counts.total)
        if measure.interval == "share" and self.method in _CLOSED:
            return self.of_shares(measure, counts)[0], n
        if measure.interval == "logarithm" and self.method != "bootstrap":
            interval = log_ratio_interval(measure, counts, self.level)
            if not math.isnan(float(interval.low)):
                return interval, n
        interval = bootstrap(measure, counts, self.level)
        return None if math.isnan(float(interval.low)) else (interval, n)

    def of_shares(self, measure: MetricDef, counts: ConfusionCounts) -> tuple[Interval, Array]:
        """The interval of a share at counts of shape (m,), and the n of each; nan where undefined."""
        hits, n = share_counts(measure, counts)
        if self.method in _CLOSED:
            return _CLOSED[self.method](np.minimum(hits, n), n, self.level), n
        each = [self.of(measure, counts[place]) for place in range(len(n))]
        bounds = [(math.nan, math.nan) if one is None else (float(one[0].low), float(one[0].high)) for one in each]
        return Interval(np.asarray(measure(counts)), *np.reshape(bounds, (-1, 2)).T), n


def share_counts(measure: MetricDef, counts: ConfusionCounts) -> tuple[Array, Array]:
    """The rows above and below the line of a share, in the shape of the counts.

    >>> from evalcore import METRICS
    >>> hits, n = share_counts(METRICS["recall"], ConfusionCounts(tp=[8, 3], fp=[1, 0], fn=[2, 7], tn=[9, 9]))
    >>> hits.tolist(), n.tolist()
    ([8.0, 3.0], [10.0, 10.0])
    """
    above, below = (
        np.sum([getattr(counts, cell) for cell in cells], axis=0) for cells in (measure.numerator, measure.denominator)
    )
    return above, below
