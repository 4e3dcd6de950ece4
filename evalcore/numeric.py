"""Arithmetic that every measure shares: division by 0, and long tables in blocks."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "in_blocks", "ratio"]

Array = npt.NDArray[np.floating]
Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]
First = TypeVar("First")
Second = TypeVar("Second")
Part = TypeVar("Part")
Result = TypeVar("Result")

BLOCK = 1 << 16  # rows of a block: what is made of them stays in the caches, and few enough blocks make a column
WORTH_A_THREAD = 200_000  # rows from which a second thread saves more than it costs
_TINY = 1e-250  # a largest product below this has small ones beside it that have lost their last digits
_NEAR = 0.25
_GAUSS = [((1 + float(x)) / 2, float(w) / 2) for x, w in zip(*np.polynomial.legendre.leggauss(9), strict=True)]
"""Places and weights of the rule on 0 … 1; up to `_NEAR` it is exact to the last digits of a float."""

_MOST_WRITTEN = 5_000_000  # counted rows that are written out one by one where each of them is drawn, dealt or paired
_MOST_ROWS = 2**62  # rows that whole numbers of 64 bits hold with room to spare


def ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Array:
    """Divide, with nan for 0/0 and a signed infinity for x/0.

    >>> ratio([1, 0, 2], [4, 0, 0]).tolist()
    [0.25, nan, inf]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(numerator, denominator)


def distinct(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The distinct ones among numbers without NaN, ascending.

    Of many different whole numbers, the hash table of NumPy's ``unique`` takes a hundred times as long as a sort.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(numbers)
    return ordered[np.append(np.ones(min(len(ordered), 1), bool), ordered[1:] != ordered[:-1])]


def average_ranks(values: npt.ArrayLike) -> Array:
    """Ranks of values from the smallest, 1; ties share their mean rank."""
    return weighted_ranks(values) + 0.5


def weighted_ranks(values: npt.ArrayLike, weights: Array | None = None) -> Array:
    """Ranks from ½ on, shape (n,): weight of all lower values and half that of equal ones, so ties share a rank."""
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    sizes = sizes if weights is None else np.bincount(group, weights)
    return (np.cumsum(sizes) - sizes / 2)[group]


def effective_rows(weights: Array) -> float:
    """Effective number of weighted rows, (Σw)² / Σw²; nan where all are 0. L. Kish (1965). Survey Sampling, 11.7."""
    # The largest weight in common, so that no square is infinite or 0.
    largest = float(weights.max(initial=0))
    if not 0 < largest < np.inf:
        return float("nan")
    shares = weights / largest
    return float(shares.sum() ** 2 / np.square(shares).sum())


def relative_deviance(r: Array, excess: Array, power: float) -> Array:
    """Half the unit deviance of r where 1 is estimated, ∫₁ʳ (r − u) u⁻ᵠ du, by r and r − 1, of one shape.

    The deviance of y and p is 2 p²⁻ᵠ times that of y/p. The closed form subtracts almost equal numbers where r is
    almost 1; there, the integral is taken by Gauss's rule, all of whose terms are positive.

    >>> relative_deviance(np.array([0.0, 1.0, 2.0]), np.array([-1.0, 1e-9, 1.0]), 1).round(20).tolist()
    [1.0, 5e-19, 0.3862943611198906]
    """
    t = excess
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        logarithm = np.log(r)
        # Two ways to write one thing: the first is exact near Poisson's 1, the second near the gamma distribution's 2.
        if power < 1.5:
            far = (r * _power_integral(logarithm, 1 - power) - t) / (2 - power)
        else:
            far = (_power_integral(logarithm, 2 - power) - t) / (1 - power)
        if power < 2:
            far = np.where(r == 0, 1 / (2 - power), far)
        far = np.asarray(far)
        if (is_near := np.abs(t) <= _NEAR).any():
            t = t[is_near]
            far[is_near] = t * t * sum(weight * (1 - at) * (1 + t * at) ** -power for at, weight in _GAUSS)
        return far


def _power_integral(logarithm: Array, exponent: float) -> Array:
    """(rᵉ − 1)/e by the logarithm of r, and that logarithm for e = 0."""
    return np.expm1(exponent * logarithm) / exponent if exponent else logarithm


def relative_entropies(p: Array, q: Array, gap: Array) -> Array:
    """p ln(p/q) − p + q by p, q and p − q, of one shape: ∞ where only q is 0.

    Over two distributions it adds up to the Kullback–Leibler divergence, and none of it is negative.

    >>> relative_entropies(np.array([0.5, 0.0]), np.array([0.0, 0.0]), np.array([0.5, 0.0])).tolist()
    [inf, 0.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = q * relative_deviance(np.divide(p, q), np.divide(gap, q), 1)
        return np.where(q > 0, terms, np.where(p > 0, np.inf, 0.0 * p * q))


def log_ratio(p: Array, q: Array, gap: Array) -> Array:
    """ln(p/q) by p, q and p − q, to the last digits also where p and q are almost equal.

    >>> float(log_ratio(np.array(1.0), np.array(1.0), np.array(2.0**-60))) == 2.0**-60
    True
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        t = np.divide(gap, q)
        return np.where(np.abs(t) <= _NEAR, np.log1p(np.where(np.abs(t) <= _NEAR, t, 0.0)), np.log(p) - np.log(q))


def root_of_product(a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """√(a·b) of numbers that are not negative, also where the product overflows or underflows.

    >>> float(root_of_product(1e200, 4e200)), float(root_of_product(1e-200, 1e-200))
    (2e+200, 1e-200)
    """
    with np.errstate(over="ignore"):
        product = np.multiply(a, b)
    if _TINY < np.max(product, initial=0.0) < np.inf:
        return np.sqrt(product)
    # In units of a power of two, which moves the point and rounds nothing.
    up, down = (int(np.frexp(np.max(factor, initial=0.0))[1]) for factor in (a, b))
    down += (up + down) % 2
    return np.ldexp(np.sqrt(np.ldexp(a, -up) * np.ldexp(b, -down)), (up + down) // 2)


def share_of(share: float, whole: float) -> Fraction:
    """Product of a number and a share, exact for the share as a decimal.

    >>> share_of(0.29, 100), 0.29 * 100
    (Fraction(29, 1), 28.999999999999996)
    """
    return Fraction(repr(float(share))) * Fraction(whole)


def whole_rows(weight: Array | float) -> int:
    """Round a sum of weights to a number of rows to draw, at most 2⁶²."""
    return min(round(float(weight)), _MOST_ROWS)


def rows_counted(weights: Array | None) -> Indices | None:
    """Entry of each row that weights count, in the order of the entries.

    None where each entry is a row, where weights are no whole numbers, or count more than `_MOST_WRITTEN` rows.

    >>> rows_counted(np.array([2.0, 0.0, 1.0])).tolist(), rows_counted(np.array([0.5, 1.0]))
    ([0, 0, 2], None)
    """
    if weights is None or (weights == 1).all() or not count_rows(weights) or weights.sum() > _MOST_WRITTEN:
        return None
    return np.repeat(np.arange(len(weights)), weights.astype(np.intp))


def count_rows(weights: Array) -> bool:
    """Test whether weights are whole numbers, as counts of rows are."""
    return bool((weights == np.rint(weights)).all())


def at_rows(column: Any, rows: Any) -> Any:
    """Values of a column in some rows, given by number or as a mask; None where there is no column."""
    return None if column is None else column[rows]


def rows_behind(weights: Array | None, entries: int) -> int:
    """Number of rows of weighted entries: the sum of whole weights, else the number of weights above 0.

    >>> rows_behind(None, 3), rows_behind(np.array([2.0, 3.0]), 2), rows_behind(np.array([0.5, 0.0, 0.2]), 3)
    (3, 5, 2)
    """
    if weights is None:
        return entries
    return int(weights.sum()) if count_rows(weights) else int(np.count_nonzero(weights))


def in_blocks(function: Callable[[slice], Array], length: int) -> Array:
    """Compute one value per row with a function of a slice of rows, by blocks, and by two threads if there are many."""
    values = np.empty(length)

    def fill(rows: slice) -> None:
        values[rows] = function(rows)

    over_blocks(fill, length)
    return values


def blocks(length: int) -> list[slice]:
    """Slices that cover `length` rows, each small enough to stay in the cache."""
    return [slice(start, min(start + BLOCK, length)) for start in range(0, length, BLOCK)]


def runs_of(mask: Flags) -> tuple[Indices, Indices]:
    """Places of the first and the last element of each run of True.

    >>> [ends.tolist() for ends in runs_of(np.array([True, True, False, True]))]
    [[0, 3], [1, 3]]
    """
    change = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return change[::2], change[1::2] - 1


def where_next(test: Callable[[slice, slice], Flags], length: int) -> npt.NDArray[np.int64]:
    """Rows that pass a test together with the next one; the test gets a slice of rows and the slice one further."""
    parts = [np.empty(0, np.int64)]
    for rows in blocks(length - 1):
        parts.append(rows.start + np.flatnonzero(test(rows, slice(rows.start + 1, rows.stop + 1))))
    return np.concatenate(parts)


def at_once(one: Callable[[], First], two: Callable[[], Second], length: int) -> tuple[First, Second]:
    """Compute two results for a table of `length` rows, in two threads if it is long."""
    if length < WORTH_A_THREAD:
        return one(), two()
    with ThreadPoolExecutor(1) as other:
        second = other.submit(two)
        return one(), second.result()


def over_parts(function: Callable[[Part], Result], parts: list[Part], length: int) -> list[Result]:
    """Call a function on each part of a table of `length` rows, in order; two threads share those of a long one."""
    if length < WORTH_A_THREAD or not parts:
        return [function(part) for part in parts]
    some = -(-len(parts) // 16)
    turns = [parts[i : i + some] for i in range(0, len(parts), some)]
    with ThreadPoolExecutor(2) as workers:
        each = workers.map(lambda turn: [function(part) for part in turn], turns)
        return [result for results in each for result in results]


def over_blocks(function: Callable[[slice], Result], length: int) -> list[Result]:
    """Call a function on the slice of each block of `length` rows; returns the results in order."""
    return over_parts(function, blocks(length), length)


def over_rows(function: Callable[[slice], np.ndarray], length: int) -> np.ndarray:
    """Compute one value per row as `in_blocks`, by two threads if the table is long."""
    return np.concatenate(over_blocks(function, length)) if length else function(slice(0))


def inner(a: Array, b: Array) -> float:
    """Sum of products, added in pairs.

    Not `np.dot`: over a block in the cache that wakes the threads of the linear algebra library, which cost more than
    the sum and stall when the other cores are busy; and pairs round less.
    """
    return float(np.multiply(a, b).sum())
