"""True and estimated numbers, row by row, the measures read from them, and intervals predicted for each true number."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore import numeric
from evalcore.classification.binary.clusters import cluster_codes
from evalcore.classification.binary.labels import number_array, weight_array
from evalcore.numeric import Array, Flags, Indices, at_rows, effective_rows, inner, over_blocks, over_rows, ratio
from evalcore.registry import Param, metric

__all__ = ["ROW_LOSSES", "Estimates", "Moments", "PredictionIntervals", "absolute_errors", "interval_coverage"]
__all__ += ["interval_score", "interval_scores", "max_error", "mean_absolute_error", "mean_error"]
__all__ += ["mean_interval_width", "mean_pinball_loss", "mean_squared_error", "median_absolute_error"]
__all__ += ["percentage_errors", "pinball_errors", "root_mean_squared_error"]
__all__ += ["sum_of_squared_errors", "symmetric_percentage_errors", "tweedie_deviances", "weighted_quantile"]


@dataclass(frozen=True)
class Moments:
    """Means, variances (divided by n) and the covariance of true and estimated numbers; nan without rows."""

    truth: float
    estimate: float
    truth_variance: float
    estimate_variance: float
    covariance: float


@dataclass(frozen=True, eq=False)
class Estimates:
    """True and estimated numbers of the same rows. Build it with `from_arrays`."""

    # Shape (n,), finite.
    truth: Array
    estimate: Array
    weights: Array | None = None  # shape (n,): what each row counts; None: each counts 1
    clusters: Indices | None = None  # shape (n,): codes of what each row belongs to; None: itself
    importance: bool = False  # whether weights are importances; else they are counts of rows

    @classmethod
    def from_arrays(
        cls, truth: npt.ArrayLike, estimate: npt.ArrayLike, weights: npt.ArrayLike | None = None,
        clusters: npt.ArrayLike | None = None,
    ) -> "Estimates":  # fmt: skip
        """Take rows of true and estimated numbers in one unit, shape (n,), with what each row counts and belongs to.

        Raises a ValueError that names the first row with a number, weight or cluster that cannot be used.
        """
        length = np.size(truth)
        true, estimated = number_array(truth, "truth", length), number_array(estimate, "estimate", length)
        counted = None if weights is None else weight_array(weights, length)
        return cls(true, estimated, counted, None if clusters is None else cluster_codes(clusters, length))

    def __len__(self) -> int:
        return len(self.truth)

    def __getitem__(self, rows: Any) -> "Estimates":
        beside = at_rows(self.weights, rows), at_rows(self.clusters, rows)
        return Estimates(self.truth[rows], self.estimate[rows], *beside, self.importance)

    @cached_property
    def total(self) -> float:
        """n, the rows or the sum of their weights."""
        return float(len(self.truth) if self.weights is None else self.weights.sum())

    @cached_property
    def effective(self) -> float:
        """Rows that intervals and tests rest on: n, or Kish's effective number where weights are importances."""
        return effective_rows(self.weights) if self.importance and self.weights is not None else self.total

    @cached_property
    def error(self) -> Array:
        """Estimate minus truth, shape (n,)."""
        return self.estimate - self.truth

    @cached_property
    def counted(self) -> "Estimates":
        """The rows with a weight above 0."""
        if self.weights is None or not len(self) or self.weights.min() > 0:
            return self
        return self[self.weights > 0]

    @property
    def weight(self) -> Array:
        """Weight of each row, shape (n,)."""
        return np.ones(len(self)) if self.weights is None else self.weights

    @cached_property
    def is_constant(self) -> bool:
        """Test whether all true numbers that count are equal."""
        truth = self.counted.truth
        return not len(truth) or float(truth.min()) == float(truth.max())

    def mean(self, values: Array) -> float:
        """Weighted mean of one value per row; nan where no row counts."""
        if self.weights is None:
            return float(values.mean()) if len(values) else math.nan
        used = self.weights > 0
        return float(ratio(inner(self.weights[used], values[used]), self.total))

    def mean_loss(self, loss: str) -> float:
        """Mean of "error" (estimate − truth), "absolute" or "squared" over the rows that count; nan without any."""
        if loss == "squared" and self.weights is None and len(self):
            return inner(self.error, self.error) / len(self)
        return self.mean({"error": np.asarray, "absolute": np.abs, "squared": np.square}[loss](self.error))

    @property
    def error_variance(self) -> float:
        """Variance of the errors, divided by n; nan without rows."""
        return self.mean(np.square(self.error - self.mean(self.error))) if self.total else math.nan

    @property
    def largest_error(self) -> float:
        """The largest distance of truth and estimate in the rows that count; nan without any. Sums have it, too."""
        error = self.counted.error
        return float(max(error.max(), -error.min())) if len(error) else math.nan

    def quantile(self, values: Array, share: float = 0.5) -> float:
        """See `weighted_quantile`."""
        return weighted_quantile(values, share, self.weights)

    @cached_property
    def moments(self) -> Moments:
        """Means, variances and covariance, from deviations from the means, so that large numbers cost no digits."""
        if not self.total:
            return Moments(*[math.nan] * 5)
        truth, estimate = self.mean(self.truth), self.mean(self.estimate)

        def products(rows: slice) -> tuple[float, float, float]:
            y, p = self.truth[rows] - truth, self.estimate[rows] - estimate
            wy, wp = (y, p) if self.weights is None else (self.weights[rows] * y, self.weights[rows] * p)
            return inner(wy, y), inner(wp, p), inner(wy, p)

        sums = np.sum(over_blocks(products, len(self)), axis=0) / self.total
        return Moments(truth, estimate, 0.0 if self.is_constant else float(sums[0]), float(sums[1]), float(sums[2]))


def weighted_quantile(values: Array, share: float = 0.5, weights: Array | None = None) -> float:
    """The least value up to which at least this share of the weight lies; half way to the next where it is exact.

    Halves are those of the usual median, and so the number that minimises the pinball loss at this share.
    """
    if weights is not None:
        values, weights = values[weights > 0], weights[weights > 0]
    if not len(values):
        return math.nan
    if weights is None:
        # What floats leave of 0.9 · 10 decides nothing.
        place = round(share * len(values), 9)
        low = min(max(math.ceil(place) - 1, 0), len(values) - 1)
        high = min(low + 1, len(values) - 1) if place == low + 1 else low
        parts = np.partition(values, (low, high))
        return float(parts[low] + parts[high]) / 2
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    aim = share * sums[-1]
    low = min(int(np.searchsorted(sums, aim * (1 - 1e-12), side="left")), len(order) - 1)
    exact = math.isclose(float(sums[low]), float(aim), rel_tol=1e-12) and low + 1 < len(order)
    return float(values[order[low]] + values[order[low + 1 if exact else low]]) / 2


def absolute_errors(state: Estimates) -> Array:
    """|estimate − truth| of each row, shape (n,)."""
    return np.abs(state.error)


def percentage_errors(state: Estimates) -> Array:
    """|estimate − truth| as a share of |truth|, shape (n,); nan where the truth is 0."""
    with np.errstate(over="ignore"):
        return np.divide(np.abs(state.error), np.abs(state.truth), np.full(len(state), np.nan), where=state.truth != 0)


def symmetric_percentage_errors(state: Estimates) -> Array:
    """|estimate − truth| as a share of the mean of |estimate| and |truth|, shape (n,); nan where both are 0."""
    size = (np.abs(state.truth) + np.abs(state.estimate)) / 2
    return np.divide(np.abs(state.error), size, np.full(len(state), np.nan), where=size != 0)


def pinball_errors(state: Estimates, tau: float = 0.5) -> Array:
    """Pinball loss of each row, shape (n,): τ per unit too low, 1 − τ per unit too high."""
    return np.maximum(-tau * state.error, (1 - tau) * state.error)


def tweedie_deviances(state: Estimates, power: float = 1.5) -> Array:
    """Unit deviance of each row, shape (n,): 1 is Poisson's, 2 that of the gamma distribution.

    nan where a number is outside its domain: estimates must be above 0, and true numbers too from a power of 2 on;
    below it they may be 0.
    """

    def of_rows(rows: slice) -> Array:
        y, p = state.truth[rows], state.estimate[rows]
        allowed = (p > 0) & (y > 0 if power >= 2 else y >= 0)
        y, p = np.where(allowed, y, np.nan), np.where(allowed, p, np.nan)
        with np.errstate(over="ignore", invalid="ignore"):
            return 2 * np.power(p, 2 - power) * numeric.relative_deviance(y / p, (y - p) / p, power)

    return over_rows(of_rows, len(state))


ROW_LOSSES: dict[str, Callable[..., Array]] = {
    "mean_squared_error": lambda state: np.square(state.error), "mean_absolute_error": absolute_errors,
    "mean_error": lambda state: state.error, "mean_absolute_percentage_error": percentage_errors,
    "symmetric_mean_absolute_percentage_error": symmetric_percentage_errors,
    "mean_pinball_loss": pinball_errors, "mean_poisson_deviance": lambda state: tweedie_deviances(state, 1),
    "mean_gamma_deviance": lambda state: tweedie_deviances(state, 2), "mean_tweedie_deviance": tweedie_deviances,
}  # fmt: skip
"""The loss of each row by the key of the measure that is its mean."""

NO_ROWS = "there are no rows"
ERRORS = "In the unit of the truth"
_TAU = Param("tau", 0.5, 0.001, 0.999, "The quantile that is estimated: 0.9 should lie above nine in ten true numbers.")
_error = partial(
    metric, family="estimates", highest=math.inf, best=0, undefined_when=NO_ROWS, interval="mean",
    paired_test="influence", group=ERRORS,
)  # fmt: skip


@_error(name="Root mean squared error", symbol="RMSE", formula=r"\sqrt{\frac{1}{n} \sum_i (p_i - y_i)^2}",
        aliases=("RMS error", "root mean square error", "RMSD"), reference="willmott2005", interval="root",
        help="Square root of the mean squared error, in the unit of the truth")  # fmt: skip
def root_mean_squared_error(state: Estimates) -> float:
    """Square root of the mean squared error.

    How to read it: in the unit of the truth, and never below the MAE; far above it, a few large errors make most of it.
    Some texts write E_RMS = √(2E/N). There E is half the sum of squared errors, ½Σ(p − y)², and the 2 undoes the half.
    With E = Σ(p − y)², as one of these texts defines it, the factor 2 is an error that makes RMSE 1.41 times too large.

    >>> root_mean_squared_error(Estimates.from_arrays([1, 2, 3, 4], [1, 2, 3, 8]))
    2.0
    """
    return math.sqrt(mean_squared_error(state))


@_error(name="Mean absolute error", symbol="MAE", formula=r"\frac{1}{n} \sum_i |p_i - y_i|", reference="willmott2005",
        help="Mean distance of estimate and truth")  # fmt: skip
def mean_absolute_error(state: Estimates) -> float:
    """Mean distance between estimate and truth.

    How to read it: how far an estimate is off on average, in the unit of the truth. An error twice as large counts
    twice, not four times; the median of the possible outcomes minimises it.

    >>> mean_absolute_error(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    0.5
    """
    return state.mean_loss("absolute")


@_error(name="Mean error", symbol="ME", formula=r"\frac{1}{n} \sum_i (p_i - y_i)", lowest=-math.inf,
        aliases=("bias", "mean signed error", "mean bias error"), reference="willmott2005",
        help="Mean of estimate minus truth")  # fmt: skip
def mean_error(state: Estimates) -> float:
    """Mean of estimate minus truth, with its sign.

    How to read it: above 0 the estimates are too high on average. Errors of opposite sign cancel, so 0 says nothing
    about how far off single estimates are.

    >>> mean_error(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    0.25
    """
    return state.mean_loss("error")


@_error(name="Median absolute error", symbol="MedAE", formula=r"\operatorname{median}_i |p_i - y_i|",
        reference="rousseeuw1993", interval="order", paired_test="",
        help="Half of the estimates are closer to the truth than this")  # fmt: skip
def median_absolute_error(state: Estimates) -> float:
    """Median distance between estimate and truth.

    How to read it: half of the estimates are closer than this. No outlier moves it, and no improvement of the worst
    half shows in it.

    >>> median_absolute_error(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    0.5
    """
    return state.quantile(absolute_errors(state))


@_error(name="Maximum error", symbol="max", formula=r"\max_i |p_i - y_i|", aliases=("largest absolute error",),
        reference="pedregosa2011", interval="none", paired_test="", help="Distance of the worst estimate")  # fmt: skip
def max_error(state: Estimates) -> float:
    """Largest distance between estimate and truth.

    How to read it: a single row decides, and more rows can only raise it, so compare it on equal numbers of rows. It
    has no interval: resamples never hold a row worse than the worst.

    >>> max_error(Estimates.from_arrays([3, 2, 7, 1], [4, 2, 7, 1]))
    1.0
    """
    return state.largest_error


@_error(name="Mean squared error", symbol="MSE", formula=r"\frac{1}{n} \sum_i (p_i - y_i)^2",
        aliases=("mean square error",), reference="willmott2005",
        help="Mean of the squared errors, in the squared unit")  # fmt: skip
def mean_squared_error(state: Estimates) -> float:
    """Mean of the squared errors.

    How to read it: in the square of the unit, so look at its root. One error of 10 costs as much as a hundred errors of
    1; the mean of the possible outcomes minimises it. It is the squared bias plus the variance of the errors.

    >>> mean_squared_error(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    0.375
    """
    return state.mean_loss("squared")


@metric(name="Sum of squared errors", symbol="SSE", family="estimates", formula=r"\sum_i (p_i - y_i)^2",
        highest=math.inf, best=0, aliases=("residual sum of squares", "RSS"), reference="willmott2005", interval="sum",
        paired_test="influence", group=ERRORS, help="n times the mean squared error")  # fmt: skip
def sum_of_squared_errors(state: Estimates) -> float:
    """Sum of the squared errors of all rows.

    How to read it: it grows with the number of rows, so it compares only estimates of the same rows. Half of it is
    what many programs minimise; the half changes no minimum.

    >>> sum_of_squared_errors(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    1.5
    """
    return state.total * mean_squared_error(state) if state.total else 0.0


@_error(name="Pinball loss", symbol="pinball {tau}",
        formula=r"\frac{1}{n} \sum_i \left[ \tau \max(0, y_i - p_i) + (1 - \tau) \max(0, p_i - y_i) \right]",
        params=(_TAU,), aliases=("quantile loss", "check loss"), reference="koenker1978",
        help="Mean loss of estimates of the τ-quantile; half the MAE at ½")  # fmt: skip
def mean_pinball_loss(state: Estimates, tau: float = 0.5) -> float:
    """Mean loss of estimates of a quantile: τ per unit too low and 1 − τ per unit too high.

    How to read it: the τ-quantile of the possible outcomes minimises it. At ½ it is half the mean absolute error. Use
    it for estimates that are meant as quantiles, each with its own τ.

    >>> mean_pinball_loss(Estimates.from_arrays([1, 2, 3], [0, 2, 3]), tau=0.25)
    0.08333333333333333
    """
    return state.mean(pinball_errors(state, tau))


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
