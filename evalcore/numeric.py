"""Arithmetic that every measure shares: what 0/0 is, and how a large table is walked."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

BLOCK = 1 << 15
"""Rows of a block: eight float64 columns of this length stay in the second-level cache."""


def ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Array:
    """Divide, with nan for 0/0 and a signed infinity for x/0.

    Examples
    --------
    >>> ratio([1, 0, 2], [4, 0, 0]).tolist()
    [0.25, nan, inf]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(numerator, denominator)


def blocks(length: int) -> Iterator[slice]:
    """Slices that cover `length` rows, each small enough to stay in the cache."""
    for start in range(0, length, BLOCK):
        yield slice(start, min(start + BLOCK, length))


def in_blocks(function: Callable[[slice], Array], length: int) -> Array:
    """One value a row from a function of a slice of rows, computed block by block."""
    values = np.empty(length)
    for rows in blocks(length):
        values[rows] = function(rows)
    return values


def inner(a: Array, b: Array) -> float:
    """Sum of products, added in pairs.

    Not `np.dot`: over a block in the cache that wakes the threads of the linear algebra library, which cost more than
    the sum and stall when the other cores are busy; and pairs round less.
    """
    return float(np.multiply(a, b).sum())
