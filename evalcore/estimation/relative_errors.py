"""Errors without a unit: in percent of the numbers, or of what a naive forecast is off."""

import math

import numpy as np

from evalcore.estimation.errors import mean_absolute_error
from evalcore.estimation.estimates import Estimates
from evalcore.estimation.row_errors import percentage_errors, symmetric_percentage_errors
from evalcore.numeric import Array, ratio
from evalcore.registry import Param, metric

__all__ = ["mean_absolute_percentage_error", "mean_absolute_scaled_error", "naive_errors"]
__all__ += ["symmetric_mean_absolute_percentage_error"]

RELATIVE = "Relative to the size of the numbers"
IN_ORDER = "For rows in time order"
_SEASON = Param("season", 1, 1, 10_000, "Rows after which a season starts again: 12 for months.", whole=True)


@metric(
    name="Mean absolute percentage error", symbol="MAPE", family="estimates",
    formula=r"\frac{1}{n} \sum_i \frac{|p_i - y_i|}{|y_i|}", highest=math.inf, best=0,
    undefined_when="a true number is 0, or there are no rows", percent=True, reference="hyndman2006", interval="mean",
    paired_test="influence", group=RELATIVE, help="Mean error in percent of the true number",
)  # fmt: skip
def mean_absolute_percentage_error(state: Estimates) -> float:
    """Mean distance between estimate and truth in percent of the truth.

    How to read it: undefined as soon as one true number is 0, and dominated by the rows with the smallest ones. Where
    all are positive, an estimate that is too low costs at most 100 % and one too high any amount: it favours low ones.

    >>> mean_absolute_percentage_error(Estimates.from_arrays([4, 10], [3, 10]))
    0.125
    """
    return state.mean(percentage_errors(state))


@metric(
    name="Symmetric mean absolute percentage error", symbol="sMAPE", family="estimates",
    formula=r"\frac{1}{n} \sum_i \frac{2\,|p_i - y_i|}{|p_i| + |y_i|}", highest=2, best=0,
    undefined_when="truth and estimate of a row are both 0, or there are no rows", percent=True,
    reference="makridakis1993", interval="mean", paired_test="influence", group=RELATIVE,
    help="Mean error in percent of the mean of truth and estimate, at most 200 %",
)  # fmt: skip
def symmetric_mean_absolute_percentage_error(state: Estimates) -> float:
    """Mean distance between estimate and truth in percent of the mean size of both.

    How to read it: from 0 to 200 %. Despite its name an estimate too low costs more than one too high by as much. Where
    truth or estimate is 0, any other number costs 200 %.

    >>> symmetric_mean_absolute_percentage_error(Estimates.from_arrays([4, 10], [4, 30]))
    0.5
    """
    return state.mean(symmetric_percentage_errors(state))


@metric(
    name="Mean absolute scaled error", symbol="MASE {season}", family="estimates",
    formula=r"\frac{\frac{1}{n} \sum_i |p_i - y_i|}{\frac{1}{n - m} \sum_{i > m} |y_i - y_{i - m}|}",
    highest=math.inf, best=0,
    undefined_when="every true number repeats that of one season before, or no row has a season before it",
    params=(_SEASON,), aliases=("MASE",), reference="hyndman2006", interval="none", paired_test="", group=IN_ORDER,
    help="MAE, divided by that of the naive forecast “as one season before”",
)  # fmt: skip
def mean_absolute_scaled_error(state: Estimates, season: float = 1) -> float:
    """Mean absolute error, divided by that of repeating the true number of one season before.

    How to read it: below 1 the estimates beat the naive forecast. The rows must stand in the order of time. The naive
    forecast is that of these same rows; Hyndman and Koehler take it from the rows that the model was fitted on. With
    weights both errors are weighted means, and a naive forecast has the weight of the row it is for. Rows that belong
    together are a series each: nothing is forecast from another one.

    >>> mean_absolute_scaled_error(Estimates.from_arrays([1, 3, 5], [2, 3, 4]))
    0.3333333333333333
    """
    naive, weights = naive_errors(state, season)
    scale = float(ratio(weights @ naive, weights.sum()))
    return float(ratio(mean_absolute_error(state), scale)) if scale else math.nan


def naive_errors(state: Estimates, season: float = 1) -> tuple[Array, Array]:
    """|truth − truth of one season before| of the rows that have one, within what they belong to, and their weights.

    >>> naive_errors(Estimates.from_arrays([1, 5, 3, 9], [0] * 4, clusters=[0, 1, 0, 1]))[0].tolist()
    [2.0, 4.0]
    """
    lag = int(season)
    rows = np.arange(len(state)) if state.clusters is None else np.argsort(state.clusters, kind="stable")
    before, after = rows[:-lag], rows[lag:]
    if state.clusters is not None:
        alike = state.clusters[before] == state.clusters[after]
        before, after = before[alike], after[alike]
    return np.abs(state.truth[after] - state.truth[before]), state.weight[after]
