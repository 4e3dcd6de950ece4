"""Prediction intervals: two numbers per row between which the true number is predicted to lie."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.labels import number_array
from evalcore.estimation.estimates import NO_ROWS, Estimates
from evalcore.numeric import Array, Flags
from evalcore.registry import metric

__all__ = ["PredictionIntervals", "interval_coverage", "interval_score", "interval_scores", "mean_interval_width"]


@dataclass(frozen=True, eq=False)
class PredictionIntervals:
    """True numbers and the ends of an interval for each, both included. Build it with `from_arrays`."""

    middle: Estimates  # the true numbers, the middle of each interval as the estimate, and the weights and clusters
    low: Array  # shape (n,)
    high: Array
    level: float  # the share of true numbers that is to lie inside

    @classmethod
    def from_arrays(
        cls, truth: npt.ArrayLike, low: npt.ArrayLike, high: npt.ArrayLike, level: float = 0.9,
        weights: npt.ArrayLike | None = None, clusters: npt.ArrayLike | None = None,
    ) -> "PredictionIntervals":  # fmt: skip
        """Take rows of true numbers and intervals, with their nominal coverage, between 0 and 1.

        Rows whose ends are crossed (low above high) cover nothing. The rest is as in `Estimates.from_arrays`.
        """
        if not 0 < level < 1:
            raise ValueError(f"The level is {level:g}; an interval covers a share between 0 and 1, such as 0.9.")
        length = np.size(truth)
        ends = number_array(low, "low", length), number_array(high, "high", length)
        return cls(Estimates.from_arrays(truth, (ends[0] + ends[1]) / 2, weights, clusters), *ends, level)

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, rows: Any) -> "PredictionIntervals":
        return PredictionIntervals(self.middle[rows], self.low[rows], self.high[rows], self.level)

    @cached_property
    def covered(self) -> Flags:
        """True numbers inside their interval, as flags, shape (n,)."""
        return (self.middle.truth >= self.low) & (self.middle.truth <= self.high)


@metric(name="Interval coverage", symbol="PICP", family="prediction intervals",
        formula=r"\frac{1}{n} \#\{i : l_i \le y_i \le u_i\}", undefined_when=NO_ROWS,
        aliases=("prediction interval coverage probability", "empirical coverage"), reference="gneiting2007",
        percent=True, interval="share", paired_test="", help="Share of true numbers inside their interval")  # fmt: skip
def interval_coverage(rows: PredictionIntervals) -> float:
    """Share of the true numbers that lie inside their interval, ends included.

    How to read it: it should be the level that the intervals claim: below it they are too narrow, above it too wide.
    Intervals that are wide for easy rows and narrow for hard ones can have the right coverage and be useless.

    >>> interval_coverage(PredictionIntervals.from_arrays([1, 5], [0, 6], [2, 8]))
    0.5
    """
    return rows.middle.mean(rows.covered * 1.0)


@metric(name="Mean interval width", symbol="width", family="prediction intervals",
        formula=r"\frac{1}{n} \sum_i (u_i - l_i)", lowest=-math.inf, highest=math.inf, better="lower",
        undefined_when=NO_ROWS, aliases=("sharpness of intervals",), reference="gneiting2007", interval="mean",
        paired_test="", help="Mean distance between both ends")  # fmt: skip
def mean_interval_width(rows: PredictionIntervals) -> float:
    """Mean distance between both ends of the intervals.

    How to read it: of intervals with the right coverage, the narrower ones say more. Without the coverage it says
    nothing: intervals of width 0 are the narrowest.

    >>> mean_interval_width(PredictionIntervals.from_arrays([1, 5], [0, 6], [2, 10]))
    3.0
    """
    return rows.middle.mean(rows.high - rows.low)


@metric(name="Interval score", symbol="interval score", family="prediction intervals",
        formula=r"\frac{1}{n} \sum_i \left[ u_i - l_i + \frac{2}{\alpha} \max(0, l_i - y_i) + \frac{2}{\alpha} "
        r"\max(0, y_i - u_i) \right]", lowest=-math.inf, highest=math.inf, better="lower", undefined_when=NO_ROWS,
        aliases=("Winkler score", "mean interval score"), reference="gneiting2007", interval="mean", paired_test="",
        help="Width, and a fine of 2/α for each unit that the truth lies outside")  # fmt: skip
def interval_score(rows: PredictionIntervals) -> float:
    """Mean width, with a penalty of 2/α for each unit by which the truth lies outside; α is 1 minus the level.

    How to read it: lower is better; it weighs narrowness against coverage, and only the true quantiles minimise it. It
    is in the unit of the truth and compares intervals of one level on the same rows.

    >>> interval_score(PredictionIntervals.from_arrays([1, 5], [0, 6], [2, 10], level=0.8))
    8.0
    """
    return rows.middle.mean(interval_scores(rows))


def interval_scores(rows: PredictionIntervals) -> Array:
    """The interval score of each row, shape (n,)."""
    outside = np.maximum(rows.low - rows.middle.truth, 0) + np.maximum(rows.middle.truth - rows.high, 0)
    return rows.high - rows.low + 2 / (1 - rows.level) * outside
