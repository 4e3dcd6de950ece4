"""How far losses of probabilities can be trusted: resampled rows, and what calibrated forecasts would show."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.calibration import ReliabilityBins
from evalcore.classification.losses import CLIP, surprise
from evalcore.classification.probabilities import ProbabilityTable
from evalcore.inference.bootstrap import SEED
from evalcore.inference.intervals import Interval, check_level
from evalcore.numeric import Array, ratio

RESAMPLES = 1000
CELLS = 4000
"""Rows up to which each is drawn by itself; of more, neighbours of one class with nearly the same loss go together."""


@dataclass(frozen=True)
class LossIntervals:
    """Percentile intervals of the losses over resamples of the rows.

    Attributes
    ----------
    log_loss, log_loss_over_classes, brier, skill : Interval
        As the measures of these names; `brier` is the sum over the classes. An infinite loss has nan bounds.
    """

    log_loss: Interval
    log_loss_over_classes: Interval
    brier: Interval
    skill: Interval


def bootstrap_losses(
    table: ProbabilityTable,
    base: float = math.e,
    clip: float = CLIP,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> LossIntervals:
    """Intervals of log-loss, Brier score and skill, all over the same resamples of the rows.

    Parameters
    ----------
    table : ProbabilityTable
        Sums of weights are taken as rows, rounded.
    base, clip : float
        Of the logarithm, as `log_loss`.
    level : float
    resamples, seed : int

    Examples
    --------
    >>> random = np.random.default_rng(3)
    >>> said = random.random(400)
    >>> found = bootstrap_losses(ProbabilityTable.from_event(random.random(400) < said, said))
    >>> found.brier.low < found.brier.estimate < found.brier.high, found.skill.low > 0
    (True, True)
    """
    check_level(level)
    k = len(table.classes)
    if table.weights is not None:
        table = table[table.counted]  # a row of weight 0 costs nothing, though its loss were infinite
    losses = _losses_of_rows(table, base, clip)
    weight = np.ones(len(losses)) if table.weights is None else table.weights
    sizes, means, actual = _cells(losses, table.actual, weight, losses[:, 0])
    n = round(float(sizes.sum()))
    if not n:
        nothing = Interval(math.nan, math.nan, math.nan)
        return LossIntervals(nothing, nothing, nothing, nothing)
    drawn = np.random.default_rng(seed).multinomial(n, sizes / sizes.sum(), size=resamples).astype(np.float64) / n
    rates = drawn @ (actual[:, None] == np.arange(k)).astype(np.float64)
    with np.errstate(invalid="ignore"):
        found = drawn @ means
    chance = (rates * (1 - rates)).sum(axis=1)
    # A resample of one class alone has no base rate to be better than.
    skill = np.where(chance > 0, 1 - ratio(found[:, 2], chance), np.nan)
    own = table.base_rates
    estimates = [table.mean(column) for column in losses.T]
    uncertainty = float((own * (1 - own)).sum())
    all_skill = 1 - estimates[2] / uncertainty if uncertainty > 0 else math.nan
    values = (*found.T, skill)
    return LossIntervals(
        *(_interval(estimate, draws, level) for estimate, draws in zip((*estimates, all_skill), values, strict=True))
    )


@dataclass(frozen=True)
class LossChange:
    """How much the losses change on the same rows: those after less those before, so below 0 is better.

    Attributes
    ----------
    log_loss, log_loss_over_classes, brier : Interval
        Percentile intervals over resamples of the rows; an infinite loss has nan bounds.
    """

    log_loss: Interval
    log_loss_over_classes: Interval
    brier: Interval


def compare_losses(
    before: ProbabilityTable,
    after: ProbabilityTable,
    base: float = math.e,
    clip: float = CLIP,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> LossChange:
    """What other probabilities of the same rows change in the losses, row by row.

    Parameters
    ----------
    before, after : ProbabilityTable
        Of the same rows, in the same order, with the same weights.
    base, clip, level, resamples, seed
        As `bootstrap_losses`.

    Examples
    --------
    >>> before = ProbabilityTable.from_event([1, 0] * 50, [0.5, 0.75] * 50, positive=1)
    >>> after = ProbabilityTable.from_event([1, 0] * 50, [0.5, 0.5] * 50, positive=1)
    >>> found = compare_losses(before, after, base=2).log_loss
    >>> found.estimate, found.low < -0.5 < found.high
    (-0.5, True)
    """
    check_level(level)
    one, two = _losses_of_rows(before, base, clip), _losses_of_rows(after, base, clip)
    return LossChange(
        *(_mean_change(two[:, place], one[:, place], before.weights, level, resamples, seed) for place in range(3))
    )


def _mean_change(
    after: Array, before: Array, weights: Array | None, level: float, resamples: int, seed: int
) -> Interval:
    if weights is not None:
        after, before, weights = (each[weights > 0] for each in (after, before, weights))
    weight = np.ones(len(after)) if weights is None else weights
    total = float(weight.sum())
    with np.errstate(invalid="ignore"):
        change = after - before
        estimate = float(ratio((weight * change).sum(), total))
    if not round(total) or not math.isfinite(estimate):
        return Interval(estimate, math.nan, math.nan)
    sizes, means, _ = _cells(change[:, None], np.zeros(len(change), dtype=np.intp), weight, change - change.min())
    drawn = np.random.default_rng(seed).multinomial(round(total), sizes / sizes.sum(), size=resamples)
    return _interval(estimate, (drawn @ means)[:, 0] / round(total), level)


@dataclass(frozen=True)
class ChanceError:
    """What the calibration errors would be if every probability were exactly right.

    Attributes
    ----------
    expected, expected_high : float
        Mean of the expected calibration error, and the value it exceeds in a share 1 − level of the trials.
    maximum, maximum_high : float
        The same of the maximum calibration error.
    """

    expected: float
    expected_high: float
    maximum: float
    maximum_high: float


def calibration_error_by_chance(
    bins: ReliabilityBins, level: float = 0.95, trials: int = RESAMPLES, seed: int = SEED
) -> ChanceError:
    """Draw what comes true from what was said, again and again: how far off a calibrated forecast looks by chance.

    An interval around the calibration error would not say it: resampling adds noise to an error that is never below 0,
    and so lies too high.

    Parameters
    ----------
    bins : ReliabilityBins
        Of what was said. In each bin the mean of what was said is drawn for every row; sums of weights are rounded.
    level : float
    trials, seed : int

    References
    ----------
    J. Bröcker, L. Smith (2007). Increasing the reliability of reliability diagrams. Weather and Forecasting 22,
    651–661. doi:10.1175/WAF993.1

    Examples
    --------
    >>> one = np.array([0.5])
    >>> found = calibration_error_by_chance(ReliabilityBins(0 * one, 2 * one, 200 * one, 100 * one, one, one))
    >>> 0.02 < found.expected < 0.04 < found.expected_high
    True
    """
    check_level(level)
    n = np.round(bins.n)
    if not n.sum():
        return ChanceError(math.nan, math.nan, math.nan, math.nan)
    kept = n > 0
    n, said = n[kept], np.clip(bins.mean_probability[kept], 0, 1)
    drawn = np.random.default_rng(seed).binomial(n.astype(np.int64), said, size=(trials, len(n)))
    gaps = np.abs(drawn / n - said)
    expected, largest = gaps @ (n / n.sum()), gaps.max(axis=1)
    ends = (float(np.quantile(values, level)) for values in (expected, largest))
    return ChanceError(float(expected.mean()), next(ends), float(largest.mean()), next(ends))


def _losses_of_rows(table: ProbabilityTable, base: float, clip: float) -> Array:
    """The three losses of each row: logarithm, its sum over the classes, square."""
    has = table.actual[:, None] == np.arange(len(table.classes))
    each = surprise(table.of_actual, clip) / math.log(base)
    over = surprise(np.where(has, table.probabilities, 1 - table.probabilities), clip).sum(axis=1) / math.log(base)
    return np.column_stack([each, over, ((table.probabilities - has) ** 2).sum(axis=1)])


def _cells(
    values: Array, groups: npt.NDArray[np.intp], weight: Array, order_by: Array
) -> tuple[Array, Array, npt.NDArray[np.intp]]:
    """Weight, mean values and group of the cells that are drawn together: each row, or neighbours where they are many.

    Of many rows a cell never holds two groups, nor more than a small part of the rows or of their sum.
    """
    if len(values) <= CELLS:
        return weight, values, groups
    order = np.lexsort((order_by, groups))
    counted = weight[order]
    cost = counted * np.where(np.isfinite(order_by[order]), order_by[order], 0.0)
    steps = np.cumsum(counted) / max(counted.sum(), 1e-300) + np.cumsum(cost) / max(cost.sum(), 1e-300)
    place = np.floor(steps * (CELLS / 4)).astype(np.intp)
    ordered = groups[order]
    starts = np.flatnonzero(np.append(True, (np.diff(place) > 0) | (np.diff(ordered) > 0)))
    sizes = np.add.reduceat(counted, starts)
    with np.errstate(invalid="ignore"):
        means = ratio(np.add.reduceat(values[order] * counted[:, None], starts, axis=0), sizes[:, None])
    means[sizes == 0] = 0.0
    return sizes, means, ordered[starts]


def _interval(estimate: float, draws: Array, level: float) -> Interval:
    defined = draws[np.isfinite(draws)]
    if 2 * len(defined) <= len(draws) or not math.isfinite(estimate):
        return Interval(estimate, math.nan, math.nan)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(estimate, float(low), float(high)) if low < high else Interval(estimate, math.nan, math.nan)
