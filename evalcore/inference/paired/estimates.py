"""Two systems that estimate the same rows: differences of measures, and forecasts of rows in time order."""

import math
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from evalcore.estimation import Estimates
from evalcore.inference.base.comparison import Comparison
from evalcore.inference.base.influence import influence, standard_error
from evalcore.inference.base.intervals import Interval, check_level, student_interval
from evalcore.inference.intervals.estimates import of_state
from evalcore.numeric import Array
from evalcore.registry import MetricDef

__all__ = ["compare_estimates", "diebold_mariano"]

_NEAR = 1e-12


def compare_estimates(measure: MetricDef, a: Estimates, b: Estimates, level: float = 0.95) -> Comparison:
    """Difference of a measure of two systems on the same rows, B minus A.

    Student's paired t-test of the losses, or of what each row adds to measures that are no mean, such as RMSE and R²;
    clusters are summed. p = 1 where the systems do not differ on any row; nan where the measure is undefined.
    ValueError when the true numbers differ, or the measure has no influence: the median, the maximum and MASE.
    """
    check_level(level)
    if len(a) != len(b) or not np.array_equal(a.truth, b.truth):
        raise ValueError("The two systems have different true numbers; give both the same rows in the same order.")
    moved = influence(measure, b) - influence(measure, a)
    estimate = float(measure(b)) - float(measure(a))
    error, degrees = standard_error(moved, a)
    if error <= _NEAR * abs(estimate):  # equal differences vary by rounding alone
        error = 0.0
    method = "paired t of the losses" if measure.interval == "mean" else "paired t of the rows’ contributions"
    if a.clusters is not None:
        method += ", by clusters"
    compared = _of_error(method, estimate, error, degrees, level, round(a.total))
    return compared.marked(of_state(a).get("few_heavy", False))


def diebold_mariano(
    losses_a: npt.ArrayLike,
    losses_b: npt.ArrayLike,
    horizon: int = 1,
    level: float = 0.95,
    weights: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
) -> Comparison:
    """Diebold–Mariano test: do two forecasts cost the same, where losses of neighbouring rows are alike?

    The variance of the mean difference counts the covariances of rows up to `horizon` − 1 apart, with the correction of
    Harvey, Leybourne and Newbold for short series, and Bartlett's weights where it is not positive. A weighted row
    counts in the variance with its weight. Series are independent of each other. nan with no more rows than steps. See
    F. Diebold, R. Mariano (1995), doi:10.1080/07350015.1995.10524599; D. Harvey, S. Leybourne, P. Newbold (1997),
    doi:10.1016/S0169-2070(96)00719-4.
    """
    check_level(level)
    difference = np.asarray(losses_b, dtype=np.float64) - np.asarray(losses_a, dtype=np.float64)
    weight = np.ones(len(difference)) if weights is None else np.asarray(weights, dtype=np.float64)
    codes = np.zeros(len(difference), np.intp) if series is None else np.unique(series, return_inverse=True)[1]
    rows = np.argsort(codes, kind="stable")
    rows = rows[weight[rows] > 0]
    difference, weight, codes = difference[rows], weight[rows], codes[rows]
    n, mean = len(rows), float(np.average(difference, weights=weight)) if len(rows) else math.nan
    if n <= max(horizon, 1):
        return Comparison("Diebold–Mariano", mean, Interval(mean, math.nan, math.nan), math.nan, math.nan, n)
    apart = weight / weight.mean() * (difference - mean)
    variance = _long_run(apart, codes, horizon, bartlett=False)
    if not variance > 0:
        variance = _long_run(apart, codes, horizon, bartlett=True)
    short = (n + 1 - 2 * horizon + horizon * (horizon - 1) / n) / n
    error = math.sqrt(max(variance, 0.0) / n / short) if short > 0 else math.nan
    return _of_error(f"Diebold–Mariano, horizon {horizon}", mean, error, n - 1.0, level, n)


def _long_run(apart: Array, codes: npt.NDArray[np.intp], horizon: int, bartlett: bool) -> float:
    """Long-run variance of a row: with twice the covariances of rows fewer steps apart than the horizon."""
    n = len(apart)
    total = float(apart @ apart) / n
    for lag in range(1, horizon):
        weight = 1 - lag / horizon if bartlett else 1.0
        alike = codes[lag:] == codes[:-lag]
        total += 2 * weight * float(apart[lag:][alike] @ apart[:-lag][alike]) / n
    return total


def _of_error(method: str, estimate: float, error: float, degrees: float, level: float, n: int) -> Comparison:
    if math.isnan(error) or math.isnan(estimate):
        return Comparison(method, estimate, Interval(estimate, math.nan, math.nan), math.nan, math.nan, n)
    statistic = (
        0.0 if not estimate else float(np.divide(estimate, error)) if error else math.copysign(math.inf, estimate)
    )
    p_value = float(2 * stdtr(degrees, -abs(statistic)))
    at = partial(student_interval, estimate, error, degrees)
    return Comparison(method, estimate, at(level), statistic, p_value, n, interval_at=at)
