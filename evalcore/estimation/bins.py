"""Bins of two samples, by a rule of the literature or by hand."""

import math
import re
from collections.abc import Callable

import numpy as np

from evalcore.numeric import Array, count_rows

__all__ = ["BIN_RULES", "MOST_BINS", "edges_by", "edges_from_text", "number_of_bins", "quantiles"]

MOST_BINS = 200
"""More bins are not drawn; a rule that asks for more gets so many."""

BIN_RULES = {
    "freedman": "Freedman–Diaconis",
    "sturges": "Sturges",
    "width": "Equal width",
    "quantiles": "Quantiles",
    "values": "Each value",
    "hand": "By hand",
}
"""The ways to bins, by the key in an address."""


def edges_by(rule: str, ordered: Array, bins: int = 10, weights: Array | None = None) -> Array:
    """Edges of the bins of values, shape (k + 1,).

    Parameters
    ----------
    rule : str
        A key of `BIN_RULES` but "hand".
    ordered : Array, shape (n,)
        The values of both samples together, ascending; the first two rules and the quantiles look at all of them.
    bins : int
        How many, where the rule leaves it open (equal width and quantiles); of quantiles those that coincide are one.
    weights : Array of float > 0, shape (n,), optional
        What each value counts; 2 is the value twice.

    Examples
    --------
    >>> edges_by("width", np.array([0.0, 1.0, 1.0, 4.0]), 2).tolist()
    [0.0, 2.0, 4.0]
    >>> edges_by("values", np.array([0.0, 1.0, 1.0, 4.0])).tolist()
    [-0.5, 0.5, 2.5, 5.5]
    """
    low, high = float(ordered[0]), float(ordered[-1])
    if rule == "values":
        values = np.unique(ordered)
        if len(values) > MOST_BINS:
            return edges_by("quantiles", ordered, MOST_BINS, weights)
        inner = (values[:-1] + values[1:]) / 2
        first, last = (np.diff(values)[[0, -1]] / 2) if len(values) > 1 else (0.5, 0.5)
        return np.concatenate([[low - first], inner, [high + last]])
    if low == high:
        return np.array([low - 0.5, high + 0.5])
    if rule == "quantiles":
        return np.unique(quantiles(ordered, np.linspace(0, 1, min(bins, MOST_BINS) + 1), weights))
    return np.linspace(low, high, number_of_bins(rule, ordered, bins, weights) + 1)


def number_of_bins(rule: str, ordered: Array, bins: int = 10, weights: Array | None = None) -> int:
    """How many bins of equal width a rule asks for, from 1 to `MOST_BINS`.

    References
    ----------
    D. Freedman, P. Diaconis (1981). On the histogram as a density estimator: L2 theory. Zeitschrift für
    Wahrscheinlichkeitstheorie 57, 453–476.

    H. Sturges (1926). The choice of a class interval. Journal of the American Statistical Association 21, 65–66.

    Examples
    --------
    >>> number_of_bins("sturges", np.arange(100.0)), number_of_bins("freedman", np.arange(1000.0))
    (8, 10)
    """
    n = len(ordered) if weights is None or not count_rows(weights) else float(weights.sum())
    if rule == "freedman":
        low, high = quantiles(ordered, np.array([0.25, 0.75]), weights)
        width = 2 * (high - low) / n ** (1 / 3)
        if width > 0:
            return _within(math.ceil(min((ordered[-1] - ordered[0]) / width, MOST_BINS)))
    if rule in ("freedman", "sturges"):
        return _within(math.ceil(math.log2(n)) + 1)
    return _within(bins)


def quantiles(ordered: Array, shares: Array, weights: Array | None = None) -> Array:
    """Quantiles of ascending values by straight lines between them: the k-th of n has the share (k − 1)/(n − 1).

    With weights that are counts they are those of the rows; with others, a value has the share of the weight before it.

    >>> quantiles(np.array([1.0, 5.0]), np.array([0.5, 0.75]), np.array([1.0, 2.0])).tolist()
    [5.0, 5.0]
    """
    if weights is not None and not count_rows(weights):
        before = np.append(0.0, np.cumsum(weights[:-1]))
        return np.interp(shares, before / max(before[-1], 1e-300), ordered)
    ends = np.arange(1.0, len(ordered) + 1) if weights is None else np.cumsum(weights)
    place = np.asarray(shares) * (ends[-1] - 1)
    low = np.floor(place)
    one, two = (ordered[ends.searchsorted(np.minimum(at, ends[-1] - 1), "right")] for at in (low, low + 1))
    return one + (two - one) * (place - low)


def edges_from_text(text: str, read: Callable[[str], float] = float) -> Array:
    """Edges that were typed: numbers with blanks or semicolons between them.

    Raises
    ------
    ValueError
        With a sentence for the person who typed them.

    Examples
    --------
    >>> edges_from_text("0 10; 20").tolist()
    [0.0, 10.0, 20.0]
    """
    parts = [part for part in re.split(r"[\s;]+|,(?=\s)", text.strip()) if part]
    try:
        edges = np.array([read(part) for part in parts], dtype=np.float64)
    except ValueError:
        raise ValueError("The edges of the bins must be numbers with blanks between them, such as 0 10 20.") from None
    if len(edges) < 3 or not np.isfinite(edges).all() or not (np.diff(edges) > 0).all():
        raise ValueError("Type at least three edges in ascending order, such as 0 10 20.")
    if len(edges) > MOST_BINS + 1:
        raise ValueError(f"Type at most {MOST_BINS + 1} edges.")
    return edges


def _within(bins: int) -> int:
    return min(max(int(bins), 1), MOST_BINS)
