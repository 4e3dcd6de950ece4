"""Slices of rows that are worse than the rest: searched for in one half of the rows and confirmed in the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from evalcore.inference.comparison import holm
from evalcore.inference.intervals import Interval, check_level
from evalcore.inference.slice_rows import Mask, Parts, SliceRows, distinct_slices, necessary_slices, ranked_slices
from evalcore.numeric import Array, ratio

__all__ = ["SliceSearch", "WorseSlice", "worse_slices"]

_STRONGEST = 1e9  # rows that a prior is worth at most
_MOST_COUNTED = 2.0**53  # rows that one line can stand for


@dataclass(frozen=True, eq=False)
class WorseSlice:
    """A slice that is worse in both halves.

    Attributes
    ----------
    parts : tuple of (int, int)
        Its one or two columns, each with the slice of that column.
    total : float
        Rows of both halves.
    bad, rows : float
        Of the held-out half.
    rate : Interval
        Share of bad rows, shrunk towards that of all rows.
    rest : float
        Share of bad rows among all other rows of the held-out half.
    p_value : float
        One-sided, corrected by Holm for all slices that were tested.
    """

    parts: Parts
    total: float
    bad: float
    rows: float
    rate: Interval
    rest: float
    p_value: float


@dataclass(frozen=True, eq=False)
class SliceSearch:
    """What a search found: the confirmed slices, and how many slices were searched and tested."""

    slices: tuple[WorseSlice, ...]
    searched: int
    tested: int


def worse_slices(
    codes: Sequence[npt.NDArray[np.integer]],
    members: Sequence[Mask],
    bad: Mask,
    counted: Mask,
    weights: Array | None = None,
    *,
    whole: bool = True,
    seed: int = 0,
    level: float = 0.95,
    clusters: npt.NDArray[np.intp] | None = None,
) -> SliceSearch:
    """The slices of one or two columns in which bad rows are more frequent than elsewhere.

    Half of the rows, drawn at random, are searched. Slices are ranked by their excess of bad rows in standard errors;
    a slice of two columns must exceed the rest of both its columns' slices, and one that adds little to others is left
    out. The first ten are tested in the other half by Fisher's exact test, with Holm's correction: the
    chance that any slice is listed although none is worse is at most 1 − level, whatever the number of columns. The
    rates are of the other half, which did not choose the slices, and are shrunk as far as they scatter by chance (a
    beta prior around the rate of all rows, fitted to the tested slices). Rows that belong together stay in
    one half, and tests and rates are those of whole clusters (`clustered_greater`).

    Parameters
    ----------
    codes : sequence of int array, each of shape (n,)
        For each column the code of each row.
    members : sequence of bool array, each of shape (slices, codes)
        For each column which codes belong to each of its slices.
    bad, counted : bool array, shape (n,)
        Which rows are bad, and which count at all, such as the actual positives.
    weights : float array, shape (n,), optional
        Of the rows.
    whole : bool
        Whether weights are counts of rows, which are divided between the halves; others stay with their row.
    clusters : int array, shape (n,), optional
        What each row belongs to, as codes from 0.

    Raises
    ------
    ValueError
        When the level is not between 0 and 1.

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> site = random.integers(0, 5, 4000)
    >>> bad = random.random(4000) < np.where(site == 3, 0.3, 0.1)
    >>> search = worse_slices([site], [np.eye(5, dtype=bool)], bad, np.full(4000, True))
    >>> [one.parts for one in search.slices]
    [((0, 3),)]
    """
    check_level(level)
    first, second = _halves(counted, weights, whole, seed, clusters)
    searched, held = (SliceRows(codes, members, bad, part, whole, clusters) for part in (first, second))
    if not 0 < searched.bad < searched.total or not 0 < held.bad < held.total:
        return SliceSearch((), 0, 0)
    count, ranked = ranked_slices(searched)
    chosen = distinct_slices(searched, ranked)
    p_values = holm([held.p_value(parts) for parts in chosen])
    sums = np.array([held.sums(held.mask(parts)) for parts in chosen]).reshape(-1, 2)
    effective = np.array([held.effective_sums(held.mask(parts), level) for parts in chosen]).reshape(-1, 2)
    rates = _shrunk(effective, held.bad / held.total, level)
    confirmed = [place for place, p in enumerate(p_values.tolist()) if p <= 1 - level]
    listed = necessary_slices(held, [chosen[place] for place in confirmed])
    slices = []
    for place in confirmed:
        parts, (some, rows) = chosen[place], sums[place].tolist()
        if parts in listed:
            total = sum(float(half.sums(half.mask(parts))[1]) for half in (searched, held))
            rest = float(ratio(*held.sums(~held.mask(parts))))
            rate = Interval(*(float(end[place]) for end in (rates.estimate, rates.low, rates.high)))
            slices.append(WorseSlice(parts, total, some, rows, rate, rest, float(p_values[place])))
    return SliceSearch(tuple(slices), count, len(chosen))


def _halves(
    counted: Mask, weights: Array | None, whole: bool, seed: int, clusters: npt.NDArray[np.intp] | None
) -> tuple[np.ndarray, np.ndarray]:
    """What each row weighs in either half; bool where each counts once."""
    random = np.random.default_rng(seed)
    if weights is not None and whole and clusters is None:
        counts = np.where(counted, np.minimum(np.rint(weights), _MOST_COUNTED), 0).astype(np.int64)
        first = random.binomial(counts, 0.5)
        return first.astype(np.float64), (counts - first).astype(np.float64)
    if clusters is None:
        coin = random.random(counted.size) < 0.5
    else:
        coin = (random.random(int(clusters.max(initial=-1)) + 1) < 0.5)[clusters]
    first, second = coin & counted, ~coin & counted
    return (first, second) if weights is None else (first * weights, second * weights)


def _shrunk(sums: Array, share: float, level: float) -> Interval:
    """Shares with a beta prior around that of all rows, as wide as the shares scatter beyond chance."""
    bad, rows = sums[:, 0], sums[:, 1]
    rates = ratio(bad, rows)
    beyond = np.maximum((rates - share) ** 2 - ratio(rates * (1 - rates), rows), 0)
    spread = float(ratio((rows * beyond).sum(), rows.sum()))
    prior = np.clip(ratio(share * (1 - share), spread) - 1, 1, _STRONGEST)
    a, b = bad + prior * share, rows - bad + prior * (1 - share)
    tail = (1 - level) / 2
    return Interval(a / (a + b), betaincinv(a, b, tail), betaincinv(a, b, 1 - tail))
