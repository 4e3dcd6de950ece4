"""Arithmetic that every measure shares: what 0/0 is, and how a large table is walked."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Part = TypeVar("Part")
Result = TypeVar("Result")

BLOCK = 1 << 15
"""Rows of a block: eight float64 columns of this length stay in the second-level cache."""

WORTH_A_THREAD = 200_000
"""Rows from which a second thread saves more than it costs."""


def ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Array:
    """Divide, with nan for 0/0 and a signed infinity for x/0.

    Examples
    --------
    >>> ratio([1, 0, 2], [4, 0, 0]).tolist()
    [0.25, nan, inf]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(numerator, denominator)


def share_of(share: float, whole: float) -> Fraction:
    """Exact product, the share taken as the decimal it is written as.

    Examples
    --------
    >>> share_of(0.29, 100), 0.29 * 100
    (Fraction(29, 1), 28.999999999999996)
    """
    return Fraction(repr(float(share))) * Fraction(whole)


def over_blocks(function: Callable[[slice], Result], length: int) -> list[Result]:
    """What a function of a slice of rows returns for each block of `length` rows, in their order."""
    return over_parts(function, [slice(i, min(i + BLOCK, length)) for i in range(0, length, BLOCK)], length)


def over_parts(function: Callable[[Part], Result], parts: list[Part], length: int) -> list[Result]:
    """What a function returns for each part of a table of `length` rows, in their order.

    The two halves of a long table are walked by two threads: numpy lets go of the interpreter while it computes, and
    fresh memory is had twice as fast.
    """
    if length < WORTH_A_THREAD:
        return [function(part) for part in parts]
    half = len(parts) // 2
    with ThreadPoolExecutor(1) as other:
        rest = other.submit(lambda: [function(part) for part in parts[half:]])
        return [function(part) for part in parts[:half]] + rest.result()


def in_blocks(function: Callable[[slice], Array], length: int) -> Array:
    """One value a row from a function of a slice of rows, computed block by block."""
    values = np.empty(length)

    def fill(rows: slice) -> None:
        values[rows] = function(rows)

    over_blocks(fill, length)
    return values


def inner(a: Array, b: Array) -> float:
    """Sum of products, added in pairs.

    Not `np.dot`: over a block in the cache that wakes the threads of the linear algebra library, which cost more than
    the sum and stall when the other cores are busy; and pairs round less.
    """
    return float(np.multiply(a, b).sum())
