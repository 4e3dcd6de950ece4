"""Influence of each row on a measure of estimates, the basis of its intervals and paired tests.

A measure of n rows is, up to terms that vanish with n, its true value plus the mean of one number per row, its
influence. The variance of that mean is the variance of the measure, whatever the rows are weighted by and belong to.
"""

import math
from collections.abc import Callable

import numpy as np

from evalcore.estimation import (
    CONSTANT_LOSSES,
    ROW_LOSSES,
    Estimates,
    absolute_errors,
    pinball_errors,
    squared_errors,
    tweedie_deviances,
)
from evalcore.inference.base.clustered import empirical_degrees, error_of_mean
from evalcore.numeric import Array, Indices, weighted_ranks
from evalcore.registry import MetricDef

__all__ = ["influence", "standard_error"]


def influence(measure: MetricDef, state: Estimates) -> Array:
    """Influence of each row on a measure, shape (n,); the weighted mean over the rows is 0.

    nan where the measure is undefined; ValueError for measures of order (median, maximum) and of time. See F. Hampel
    (1974), doi:10.1080/01621459.1974.10482962.
    """
    if measure.paired_test != "influence":
        raise ValueError(f"{measure.name} has no influence of a row; use a measure that is a mean over the rows.")
    if measure.key in ROW_LOSSES:
        losses = ROW_LOSSES[measure.key](state, **measure.arguments)
        return losses - state.mean(losses)
    if measure.interval == "ratio":
        above, below = ratio_parts(measure, state)
        whole, factor = state.mean(below), _factor(measure, state)
        return (
            -factor * (above - state.mean(above) / whole * below) / whole if whole > 0 else np.full(len(state), np.nan)
        )
    return _OTHERS[measure.key](state)


def ratio_parts(measure: MetricDef, state: Estimates) -> tuple[Array, Array]:
    """Loss of each row, and of the best constant: the measure is 1 minus their ratio, shapes (n,)."""
    arguments = measure.arguments
    if measure.key == "explained_variance":
        above = np.square(state.error - state.mean(state.error))
    elif measure.key in ("r_squared", "adjusted_r_squared"):
        above = squared_errors(state)
    else:
        loss: Callable[..., Array] = _LOSSES[measure.key]
        return loss(state, **arguments), CONSTANT_LOSSES[measure.key](state, **arguments)
    return above, np.square(state.truth - state.moments.truth)


def _factor(measure: MetricDef, state: Estimates) -> float:
    """Factor before the ratio of losses: 1, or (n − 1) / (n − p − 1) for the adjusted R²."""
    if measure.key != "adjusted_r_squared":
        return 1.0
    free = state.effective - float(measure.arguments.get("predictors", 1)) - 1
    return (state.effective - 1) / free if free > 0 else math.nan


_LOSSES = {"d2_absolute_error": absolute_errors, "d2_pinball": pinball_errors, "d2_tweedie": tweedie_deviances}


def _of_root(state: Estimates) -> Array:
    squares = squared_errors(state)
    mean = state.mean(squares)
    return (squares - mean) / (2 * math.sqrt(mean)) if mean > 0 else np.zeros(len(state))


def _of_sum(state: Estimates) -> Array:
    squares = squared_errors(state)
    return state.total * (squares - state.mean(squares))


def _of_pearson(state: Estimates) -> Array:
    m = state.moments
    if not m.truth_variance > 0 or not m.estimate_variance > 0:
        return np.full(len(state), np.nan)
    y = (state.truth - m.truth) / math.sqrt(m.truth_variance)
    p = (state.estimate - m.estimate) / math.sqrt(m.estimate_variance)
    r = m.covariance / math.sqrt(m.truth_variance) / math.sqrt(m.estimate_variance)
    return y * p - r * (y * y + p * p) / 2


def _of_concordance(state: Estimates) -> Array:
    m = state.moments
    gap = m.estimate - m.truth
    whole = m.truth_variance + m.estimate_variance + gap**2
    if not whole > 0:
        return np.full(len(state), np.nan)
    y, p = state.truth - m.truth, state.estimate - m.estimate
    above = 2 * (y * p - m.covariance)
    below = y * y - m.truth_variance + p * p - m.estimate_variance + 2 * gap * (p - y)
    return (above - 2 * m.covariance / whole * below) / whole


def _of_spearman(state: Estimates) -> Array:
    """Influence on Spearman's correlation: by the row's own ranks, and by the ranks of the rows above it."""
    if not state.total:
        return np.full(len(state), np.nan)
    y, p = (weighted_ranks(values, state.weights) / state.total - 0.5 for values in (state.truth, state.estimate))
    of_y, of_p = state.mean(y * y), state.mean(p * p)
    spread = math.sqrt(of_y * of_p)
    if not spread > 0:
        return np.full(len(state), np.nan)
    rho = state.mean(y * p) / spread
    moved = y * p / spread
    moved -= rho / 2 * (y * y / of_y + p * p / of_p)
    moved += _above(state, y, p / spread - rho / of_y * y)
    moved += _above(state, p, y / spread - rho / of_p * p)
    return moved - state.mean(moved)


def _above(state: Estimates, ranks: Array, values: Array) -> Array:
    """Mean over all rows of a value where its rank is higher, and half of it where it is equal, shape (n,)."""
    order: Indices = np.argsort(ranks, kind="stable")
    if state.weights is not None:
        values = values * state.weights
    ascending = ranks[order]
    starts = np.append(False, ascending[1:] != ascending[:-1])
    del ascending  # a million rows take eight megabytes each time
    groups = np.cumsum(starts, dtype=np.int32)
    sums = np.bincount(groups, values[order])
    higher = sums.sum() - np.cumsum(sums)
    higher += sums / 2
    higher /= state.total
    del sums
    result = np.empty(len(ranks))
    result[order] = higher[groups]
    return result


_OTHERS: dict[str, Callable[[Estimates], Array]] = {
    "root_mean_squared_error": _of_root,
    "sum_of_squared_errors": _of_sum,
    "pearson_correlation": _of_pearson,
    "concordance_correlation": _of_concordance,
    "spearman_correlation": _of_spearman,
}


def standard_error(values: Array, state: Estimates, skewed: bool = False) -> tuple[float, float]:
    """Standard error of the mean of one value per row, whose mean is 0, and its degrees of freedom.

    The degrees are one fewer than the rows, or those of `empirical_degrees` for skewed values. Clusters are summed
    first. Of importance weights w the variance is Σw²v² / (Σw)², also where large weights go with large values.
    """
    if state.clusters is None:
        n = state.effective
        weighted = values if state.weights is None else state.weights * values
        squares = float(weighted @ (weighted if state.importance else values))
        scale = state.total**2 / n if state.importance else n
        if not n > 1:
            return math.nan, math.nan
        degrees = min(_degrees(weighted if state.importance else values, state), n - 1) if skewed else n - 1
        return math.sqrt(squares / (n - 1) / scale), degrees
    sums = np.bincount(state.clusters, values * state.weight)
    return error_of_mean(sums, np.bincount(state.clusters, state.weight))


def _degrees(values: Array, state: Estimates) -> float:
    """Degrees of freedom of the variance of the rows' contributions; a count of rows is that many rows."""
    size = float(np.abs(values).max(initial=0.0)) or 1.0
    squares = np.square(values / size)
    if state.weights is None or state.importance:
        return float(empirical_degrees(squares.sum(), squares @ squares, len(values)))
    return float(empirical_degrees(state.weights @ squares, state.weights @ squares**2, state.total))
