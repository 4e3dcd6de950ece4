"""Losses of single rows: the logarithm and the square row by row, the worst rows, and the losses of each class."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.probabilities import ProbabilityTable
from evalcore.numeric import Array, over_rows, ratio

__all__ = ["ClassLosses", "WorstRows", "class_losses", "clipped_rows", "surprise", "worst_rows"]

CLIP = 1e-15
"""δ: a probability nearer than this to 0 or 1 is taken as δ or 1 − δ before its logarithm."""


def surprise(probabilities: npt.ArrayLike, clip: float = CLIP) -> Array:
    """Minus the natural logarithm of probabilities, each kept between `clip` and 1 − `clip`.

    Both ends are clipped: with the lower one alone a forecast would gain by predicting 1 where it is almost certain.

    >>> surprise([1, 0.5, 0]).round(3).tolist(), surprise([1, 0.5, 0], clip=0.25).round(3).tolist()
    ([0.0, 0.693, 34.539], [0.288, 0.693, 1.386])
    """
    with np.errstate(divide="ignore"):
        return 0.0 - np.log(np.minimum(np.maximum(probabilities, clip), 1 - clip))


def surprise_over_classes(table: ProbabilityTable, clip: float = CLIP) -> Array:
    """Surprise at whether the row has each class, added up over the classes, shape (n,).

    >>> table = ProbabilityTable.from_event([1, 0], [1, 0.5], positive=1)
    >>> surprise_over_classes(table).round(3).tolist()
    [0.0, 1.386]
    """
    return _added_up(lambda predicted, has: surprise(np.where(has, predicted, 1 - predicted), clip), table)


def squares(table: ProbabilityTable) -> Array:
    """Squared distance of the probabilities from the outcome, added up over the classes, shape (n,).

    >>> squares(ProbabilityTable.from_event([1, 0], [1, 0.5], positive=1)).tolist()
    [0.0, 0.5]
    """
    return _added_up(lambda predicted, has: (predicted - has) ** 2, table)


def clipped_rows(table: ProbabilityTable, clip: float = CLIP) -> int:
    """Rows whose own class has a probability below `clip`, so that their loss is too low.

    Weights that are whole numbers count rows.

    >>> clipped_rows(ProbabilityTable.from_event([1, 0, 1], [0, 0.75, 1], positive=1))
    1
    """
    low, weights = table.of_actual < clip, table.weights
    if weights is None or not np.array_equal(weights, np.rint(weights)):
        return int(np.count_nonzero(low & table.counted))
    return int(weights[low].sum())


@dataclass(frozen=True, eq=False)
class WorstRows:
    """The rows with the highest loss, the worst first; each array of shape (m,)."""

    rows: npt.NDArray[np.intp]  # places in the table; equal losses in its order
    # Loss of each row, and its weighted share of the loss of all rows.
    losses: Array
    shares: Array


def worst_rows(table: ProbabilityTable, most: int = 20, base: float = math.e, clip: float = CLIP) -> WorstRows:
    """The rows with the highest log-loss, and their share of the whole; rows of weight 0 are left out.

    >>> worst = worst_rows(ProbabilityTable.from_event([1, 0, 1], [0.5, 0.75, 1], positive=1), most=2, base=2)
    >>> worst.rows.tolist(), worst.losses.tolist(), worst.shares.round(3).tolist()
    ([1, 0], [2.0, 1.0], [0.667, 0.333])
    """
    own, weights, unit = table.of_actual, table.weights, math.log(base)
    counted = None if weights is None else np.flatnonzero(weights > 0)
    if weights is not None:
        own, weights = own[counted], weights[counted]
    losses = over_rows(lambda rows: surprise(own[rows], clip) / unit, len(own))
    weighted = losses if weights is None else losses * weights
    most = min(most, len(losses))
    if 0 < most < len(losses):
        # Only rows at least as bad as the last one shown take part in the sort.
        candidates = np.flatnonzero(losses >= np.partition(losses, len(losses) - most)[len(losses) - most])
    else:
        candidates = np.arange(len(losses))
    worst = candidates[np.argsort(-losses[candidates], kind="stable")][:most]
    rows = worst if counted is None else counted[worst]
    return WorstRows(rows, losses[worst], ratio(weighted[worst], weighted.sum()))


@dataclass(frozen=True, eq=False)
class ClassLosses:
    """The losses class by class, each array of shape (k,)."""

    # Rows of the class (or their weight) and their share of all.
    rows: Array
    base_rate: Array
    # Mean predicted probability of the class over all rows; equal to the base rate where calibrated in the large.
    mean_probability: Array
    log_loss: Array  # mean −ln q over the rows that have the class; the mean of these by the base rates is the log-loss
    # Of the class against the rest, over all rows; their sums are the log-loss over the classes and the Brier score.
    binary_log_loss: Array
    brier: Array


def class_losses(table: ProbabilityTable, base: float = math.e, clip: float = CLIP) -> ClassLosses:
    """Log-loss and Brier score of each class.

    >>> result = class_losses(ProbabilityTable.from_event([1, 0], [0.5, 0.75], positive=1), base=2)
    >>> result.log_loss.tolist(), result.brier.tolist()
    ([2.0, 1.0], [0.40625, 0.40625])
    """
    if table.weights is not None:
        table = table[table.counted]  # a row of weight 0 costs nothing, though its loss were infinite
    k = len(table.classes)
    has = table.actual[:, None] == np.arange(k)
    weight = np.ones(len(table.actual)) if table.weights is None else table.weights
    own = np.bincount(table.actual, weights=weight * surprise(table.of_actual, clip), minlength=k)
    rows = np.bincount(table.actual, weights=weight, minlength=k).astype(np.float64)
    right = surprise(np.where(has, table.probabilities, 1 - table.probabilities), clip)
    unit = math.log(base)

    def means(columns: Array) -> Array:
        return ratio((weight[:, None] * columns).sum(axis=0), weight.sum())

    return ClassLosses(
        rows,
        table.base_rates,
        means(table.probabilities),
        ratio(own, rows) / unit,
        means(right) / unit,
        means((table.probabilities - has) ** 2),
    )


def _added_up(of_class: Callable[[Array, npt.NDArray[np.bool_]], Array], table: ProbabilityTable) -> Array:
    """Sum over the classes of a function of the probabilities of a class and of which rows have it, shape (n,)."""

    def of_rows(rows: slice) -> Array:
        # Class by class: numpy adds up long columns far faster than many short rows.
        predicted, actual = table.probabilities[rows], table.actual[rows]
        total = np.zeros(len(actual))
        for index in range(len(table.classes)):
            total += of_class(predicted[:, index], actual == index)
        return total

    return over_rows(of_rows, len(table.actual))
