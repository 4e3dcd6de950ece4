"""How far off estimates are, in the unit of what is estimated."""

import math

from evalcore.estimation.estimates import Estimates
from evalcore.estimation.row_errors import absolute_errors, pinball_errors
from evalcore.registry import Param, metric

__all__ = ["max_error", "mean_absolute_error", "mean_error", "mean_pinball_loss", "mean_squared_error"]
__all__ += ["median_absolute_error", "root_mean_squared_error", "sum_of_squared_errors"]

NO_ROWS = "there are no rows"
ERRORS = "In the unit of the truth"
_TAU = Param("tau", 0.5, 0.001, 0.999, "The quantile that is estimated: 0.9 should lie above nine in ten true numbers.")


@metric(
    name="Root mean squared error", symbol="RMSE", family="estimates",
    formula=r"\sqrt{\frac{1}{n} \sum_i (p_i - y_i)^2}", highest=math.inf, best=0, undefined_when=NO_ROWS,
    aliases=("RMS error", "root mean square error", "RMSD"), reference="willmott2005", interval="root",
    paired_test="influence", group=ERRORS, help="Square root of the mean squared error, in the unit of the truth",
)  # fmt: skip
def root_mean_squared_error(state: Estimates) -> float:
    """Square root of the mean squared error.

    How to read it: in the unit of the truth, and never below the MAE; far above it, a few large errors make most of it.
    Some texts write E_RMS = √(2E/N). There E is half the sum of squared errors, ½Σ(p − y)², and the 2 undoes the half.
    With E = Σ(p − y)², as one of these texts defines it, the factor 2 is an error that makes RMSE 1.41 times too large.

    >>> root_mean_squared_error(Estimates.from_arrays([1, 2, 3, 4], [1, 2, 3, 8]))
    2.0
    """
    return math.sqrt(mean_squared_error(state))


@metric(
    name="Mean absolute error", symbol="MAE", family="estimates", formula=r"\frac{1}{n} \sum_i |p_i - y_i|",
    highest=math.inf, best=0, undefined_when=NO_ROWS,
    reference="willmott2005", interval="mean", paired_test="influence", group=ERRORS,
    help="Mean distance of estimate and truth",
)  # fmt: skip
def mean_absolute_error(state: Estimates) -> float:
    """Mean distance between estimate and truth.

    How to read it: how far an estimate is off on average, in the unit of the truth. An error twice as large counts
    twice, not four times; the median of the possible outcomes minimises it.

    >>> mean_absolute_error(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    0.5
    """
    return state.mean_loss("absolute")


@metric(
    name="Mean error", symbol="ME", family="estimates", formula=r"\frac{1}{n} \sum_i (p_i - y_i)",
    lowest=-math.inf, highest=math.inf, best=0, undefined_when=NO_ROWS,
    aliases=("bias", "mean signed error", "mean bias error"), reference="willmott2005", interval="mean",
    paired_test="influence", group=ERRORS, help="Mean of estimate minus truth",
)  # fmt: skip
def mean_error(state: Estimates) -> float:
    """Mean of estimate minus truth, with its sign.

    How to read it: above 0 the estimates are too high on average. Errors of opposite sign cancel, so 0 says nothing
    about how far off single estimates are.

    >>> mean_error(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    0.25
    """
    return state.mean_loss("error")


@metric(
    name="Median absolute error", symbol="MedAE", family="estimates",
    formula=r"\operatorname{median}_i |p_i - y_i|", highest=math.inf, best=0, undefined_when=NO_ROWS,
    reference="rousseeuw1993", interval="order", paired_test="", group=ERRORS,
    help="Half of the estimates are closer to the truth than this",
)  # fmt: skip
def median_absolute_error(state: Estimates) -> float:
    """Median distance between estimate and truth.

    How to read it: half of the estimates are closer than this. No outlier moves it, and no improvement of the worst
    half shows in it.

    >>> median_absolute_error(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    0.5
    """
    return state.quantile(absolute_errors(state))


@metric(
    name="Maximum error", symbol="max", family="estimates", formula=r"\max_i |p_i - y_i|", highest=math.inf, best=0,
    undefined_when=NO_ROWS, aliases=("largest absolute error",), reference="pedregosa2011", interval="none",
    paired_test="", group=ERRORS, help="Distance of the worst estimate",
)  # fmt: skip
def max_error(state: Estimates) -> float:
    """Largest distance between estimate and truth.

    How to read it: a single row decides, and more rows can only raise it, so compare it on equal numbers of rows. It
    has no interval: resamples never hold a row worse than the worst.

    >>> max_error(Estimates.from_arrays([3, 2, 7, 1], [4, 2, 7, 1]))
    1.0
    """
    return state.largest_error


@metric(
    name="Mean squared error", symbol="MSE", family="estimates", formula=r"\frac{1}{n} \sum_i (p_i - y_i)^2",
    highest=math.inf, best=0, undefined_when=NO_ROWS, aliases=("mean square error",), reference="willmott2005",
    interval="mean", paired_test="influence", group=ERRORS, help="Mean of the squared errors, in the squared unit",
)  # fmt: skip
def mean_squared_error(state: Estimates) -> float:
    """Mean of the squared errors.

    How to read it: in the square of the unit, so look at its root. One error of 10 costs as much as a hundred errors of
    1; the mean of the possible outcomes minimises it. It is the squared bias plus the variance of the errors.

    >>> mean_squared_error(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    0.375
    """
    return state.mean_loss("squared")


@metric(
    name="Sum of squared errors", symbol="SSE", family="estimates", formula=r"\sum_i (p_i - y_i)^2",
    highest=math.inf, best=0, aliases=("residual sum of squares", "RSS"), reference="willmott2005", interval="sum",
    paired_test="influence", group=ERRORS, help="n times the mean squared error",
)  # fmt: skip
def sum_of_squared_errors(state: Estimates) -> float:
    """Sum of the squared errors of all rows.

    How to read it: it grows with the number of rows, so it compares only estimates of the same rows. Half of it is
    what many programs minimise; the half changes no minimum.

    >>> sum_of_squared_errors(Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8]))
    1.5
    """
    return state.total * mean_squared_error(state) if state.total else 0.0


@metric(
    name="Pinball loss", symbol="pinball {tau}", family="estimates",
    formula=r"\frac{1}{n} \sum_i \left[ \tau \max(0, y_i - p_i) + (1 - \tau) \max(0, p_i - y_i) \right]",
    highest=math.inf, best=0, undefined_when=NO_ROWS, params=(_TAU,), aliases=("quantile loss", "check loss"),
    reference="koenker1978", interval="mean", paired_test="influence", group=ERRORS,
    help="Mean loss of estimates of the τ-quantile; half the MAE at ½",
)  # fmt: skip
def mean_pinball_loss(state: Estimates, tau: float = 0.5) -> float:
    """Mean loss of estimates of a quantile: τ per unit too low and 1 − τ per unit too high.

    How to read it: the τ-quantile of the possible outcomes minimises it. At ½ it is half the mean absolute error. Use
    it for estimates that are meant as quantiles, each with its own τ.

    >>> mean_pinball_loss(Estimates.from_arrays([1, 2, 3], [0, 2, 3]), tau=0.25)
    0.08333333333333333
    """
    return state.mean(pinball_errors(state, tau))
