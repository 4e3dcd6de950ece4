"""The definitions of the measures of estimates as a textbook writes them: slow, row by row, with whole counts as rows.

A measure is a function of rows (truth, estimate), in which a row of weight 2 stands twice; nan where undefined.
"""

import math
from collections.abc import Callable, Sequence
from statistics import mean, median

Rows = Sequence[tuple[float, float]]
UNDEFINED = math.nan


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else UNDEFINED


def _errors(rows: Rows) -> list[float]:
    return [p - y for y, p in rows]


def mse(rows: Rows) -> float:
    return _mean([e * e for e in _errors(rows)])


def mae(rows: Rows) -> float:
    return _mean([abs(e) for e in _errors(rows)])


def pinball(rows: Rows, tau: float = 0.5) -> float:
    return _mean([tau * max(0.0, y - p) + (1 - tau) * max(0.0, p - y) for y, p in rows])


def _constant(rows: Rows) -> bool:
    return len({y for y, _ in rows}) < 2


def _skill(rows: Rows, loss: Callable[[Rows], float], constant: float) -> float:
    if _constant(rows):
        return UNDEFINED
    return 1 - loss(rows) / loss([(y, constant) for y, _ in rows])


def r_squared(rows: Rows) -> float:
    return _skill(rows, mse, mean(y for y, _ in rows)) if rows else UNDEFINED


def adjusted_r_squared(rows: Rows) -> float:
    n = len(rows)
    return 1 - (1 - r_squared(rows)) * (n - 1) / (n - 2) if n > 2 else UNDEFINED


def explained_variance(rows: Rows) -> float:
    shift = _mean(_errors(rows))
    return r_squared([(y, p - shift) for y, p in rows])


def _covariance(a: Sequence[float], b: Sequence[float]) -> float:
    return _mean([(x - mean(a)) * (y - mean(b)) for x, y in zip(a, b, strict=True)])


def pearson(rows: Rows) -> float:
    y, p = [a for a, _ in rows], [b for _, b in rows]
    if len(set(y)) < 2 or len(set(p)) < 2:
        return UNDEFINED
    return _covariance(y, p) / math.sqrt(_covariance(y, y)) / math.sqrt(_covariance(p, p))


def concordance(rows: Rows) -> float:
    y, p = [a for a, _ in rows], [b for _, b in rows]
    if len({*y, *p}) < 2:
        return UNDEFINED
    return 2 * _covariance(y, p) / (_covariance(y, y) + _covariance(p, p) + (mean(y) - mean(p)) ** 2)


def _ranks(values: Sequence[float]) -> list[float]:
    return [sum(other < value for other in values) + sum(other == value for other in values) / 2 for value in values]


def spearman(rows: Rows) -> float:
    return pearson(list(zip(_ranks([y for y, _ in rows]), _ranks([p for _, p in rows]), strict=True)))


def mape(rows: Rows) -> float:
    return _mean([abs(p - y) / abs(y) if y else UNDEFINED for y, p in rows])


def smape(rows: Rows) -> float:
    return _mean([2 * abs(p - y) / (abs(p) + abs(y)) if p or y else UNDEFINED for y, p in rows])


def mase(rows: Rows) -> float:
    naive = [abs(rows[i][0] - rows[i - 1][0]) for i in range(1, len(rows))]
    return mae(rows) / _mean(naive) if any(naive) else UNDEFINED


def _deviance(y: float, p: float, power: float) -> float:
    if p <= 0 or y < 0 or (power >= 2 and y == 0):
        return UNDEFINED
    if power == 1:
        return 2 * ((y * math.log(y / p) if y else 0.0) - y + p)
    if power == 2:
        return 2 * (math.log(p / y) + y / p - 1)
    first = y ** (2 - power) / (1 - power) / (2 - power)
    return 2 * (first - y * p ** (1 - power) / (1 - power) + p ** (2 - power) / (2 - power))


def deviance(power: float) -> Callable[[Rows], float]:
    return lambda rows: _mean([_deviance(y, p, power) for y, p in rows])


def d2_tweedie(rows: Rows) -> float:
    return _skill(rows, deviance(1.5), mean(y for y, _ in rows)) if rows else UNDEFINED


def d2_absolute(rows: Rows) -> float:
    return _skill(rows, mae, median(y for y, _ in rows)) if rows else UNDEFINED


OF_ESTIMATES: dict[str, Callable[[Rows], float]] = {
    "mean_squared_error": mse,
    "root_mean_squared_error": lambda rows: math.sqrt(mse(rows)),
    "sum_of_squared_errors": lambda rows: math.fsum(e * e for e in _errors(rows)),
    "mean_absolute_error": mae,
    "mean_error": lambda rows: _mean(_errors(rows)),
    "median_absolute_error": lambda rows: median(map(abs, _errors(rows))) if rows else UNDEFINED,
    "max_error": lambda rows: max(map(abs, _errors(rows)), default=UNDEFINED),
    "mean_pinball_loss": pinball,
    "r_squared": r_squared,
    "adjusted_r_squared": adjusted_r_squared,
    "explained_variance": explained_variance,
    "concordance_correlation": concordance,
    "pearson_correlation": pearson,
    "spearman_correlation": spearman,
    "mean_absolute_percentage_error": mape,
    "symmetric_mean_absolute_percentage_error": smape,
    "mean_absolute_scaled_error": mase,
    "mean_poisson_deviance": deviance(1),
    "mean_gamma_deviance": deviance(2),
    "mean_tweedie_deviance": deviance(1.5),
    "d2_absolute_error": d2_absolute,
    "d2_pinball": d2_absolute,
    "d2_tweedie": d2_tweedie,
}

Ends = Sequence[tuple[float, float, float]]

OF_INTERVALS: dict[str, Callable[[Ends, float], float]] = {
    "interval_coverage": lambda rows, level: _mean([float(low <= y <= high) for y, low, high in rows]),
    "mean_interval_width": lambda rows, level: _mean([high - low for _, low, high in rows]),
    "interval_score": lambda rows, level: _mean(
        [high - low + 2 / (1 - level) * (max(0.0, low - y) + max(0.0, y - high)) for y, low, high in rows]
    ),
}
