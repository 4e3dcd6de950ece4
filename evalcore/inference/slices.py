"""Slices of rows that are worse than the rest: searched for in one half of the rows and confirmed in the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, rel_entr

from evalcore.classification import ClusterCounts
from evalcore.inference.base import Interval, effective_shares, holm
from evalcore.inference.base.intervals import check_level
from evalcore.inference.independent import clustered_greater, fisher_greater
from evalcore.numeric import Array, Flags, Indices, at_rows, effective_rows, ratio

__all__ = ["LEAST_SLICE", "MOST_PAIRED", "SliceSearch", "WorseSlice", "worse_slices"]

LEAST_SLICE = 20  # rows of the searched half below which a slice is not looked at
MOST_PAIRED = 40  # columns whose slices are combined; of more, those with the strongest slices of their own
_LARGEST = 0.75  # share of the rows above which a slice is no part of them any more
_MOST_TESTED = 10
_MOST_RANKED = 400
_MOST_BY_CLUSTERS = 40  # of those, the first that are put in the order of their tests of whole clusters
_WORTH_TESTING = 2.0  # standard errors
Mask = Flags
Parts = tuple[tuple[int, int], ...]


class SliceRows:
    """Rows of one half; weights are None if each counts once, clusters if rows are independent."""

    def __init__(
        self, codes: Sequence, members: Sequence[Mask], bad: Mask, part: Array, whole: bool, clusters: Indices | None
    ) -> None:
        rows = np.flatnonzero(part)
        self.codes, self.members, self.is_bad = [each[rows] for each in codes], members, bad[rows]
        self.whole, self.clusters = whole, None if clusters is None else clusters[rows]
        self.weights = None if part.dtype == bool else part[rows]
        if self.weights is not None and not whole and rows.size:
            self.weights *= _effective_scale(self.weights)
        self.bad, self.total = self.sums(np.full(rows.size, True))

    @cached_property
    def marked(self) -> list[npt.NDArray[np.int32]]:
        """Code of each column times two, plus one if the row is bad."""
        return [2 * each.astype(np.int32) + self.is_bad for each in self.codes]

    def table(self, *columns: int) -> Array:
        """Weight of good and bad rows by the codes of one or two columns, shape (codes, …, 2)."""
        shape = (*(self.members[column].shape[1] for column in columns), 2)
        *first, last = columns
        places = self.marked[last]
        for column in first:
            places = places + self.codes[column].astype(np.int32) * np.int32(2 * shape[1])
        return np.bincount(places, self.weights, int(np.prod(shape))).reshape(shape).astype(np.float64)

    def mask(self, parts: Parts) -> Mask:
        """Rows of a slice as flags."""
        return np.logical_and.reduce([self.members[column][one][self.codes[column]] for column, one in parts])

    def sums(self, mask: Mask) -> tuple[float, float]:
        """Number of bad rows and of all rows of a part; of weights other than counts, effective numbers (Kish)."""
        if self.weights is None:
            return float(np.count_nonzero(mask & self.is_bad)), float(np.count_nonzero(mask))
        own = self.weights[mask]
        total, bad = float(own.sum()), float(own[self.is_bad[mask]].sum())
        scale = 1.0 if self.whole or not total else _effective_scale(own)
        return scale * bad, scale * total

    def p_value(self, parts: Parts) -> float:
        """p-value of a slice being no worse than all other rows; of two columns, nor than the rest of either."""
        mask = self.mask(parts)
        wholes = [np.full(mask.size, True), *(self.mask((part,)) for part in parts if len(parts) > 1)]
        if self.clusters is not None:
            return max(clustered_greater(self._of_clusters(mask, each)) for each in wholes)
        bad, rows = self.sums(mask)
        others = (self.sums(each & ~mask) for each in wholes)
        return max(fisher_greater(bad, rows - bad, some, rest - some) for some, rest in others)

    def effective_sums(self, mask: Mask, level: float) -> tuple[float, float]:
        """Return bad rows and rows of a slice in effective numbers of independent rows; 0 of one cluster."""
        bad, rows = self.sums(mask)
        if self.clusters is None:
            return bad, rows
        moments = self._of_clusters(mask, mask).moments
        effective = effective_shares(moments, [1, 0, 0, 0], [1, 1, 0, 0], bad, rows, level)
        return float(np.nan_to_num(effective[0])), float(np.nan_to_num(effective[1]))

    def _of_clusters(self, mask: Mask, whole: Mask) -> ClusterCounts:
        """Bad and good rows of each cluster in a part, and in the remainder of a whole."""
        rows = np.flatnonzero(whole)
        cells = np.where(mask[rows], 0, 2) + ~self.is_bad[rows]
        return ClusterCounts.of(cells, at_rows(self.clusters, rows), 4, at_rows(self.weights, rows))


def ranked_slices(half: SliceRows) -> tuple[int, list[Parts]]:
    """Number of slices that are large enough, and those with the highest excess, in this order."""
    count, ranked = 0, []
    columns = range(len(half.codes))
    singles = [half.members[column] @ half.table(column) for column in columns]
    alone = [_scores(half, (column,), singles) for column in columns]
    strongest = np.argsort([-each.max(initial=-np.inf) for each in alone], kind="stable")[:MOST_PAIRED]
    for of in (*((column,) for column in columns), *combinations(sorted(strongest.tolist()), 2)):
        scores = alone[of[0]] if len(of) == 1 else _scores(half, of, singles)
        count += int(np.isfinite(scores).sum())
        best = np.argsort(-scores, axis=None, kind="stable")[: min(_MOST_RANKED, np.sum(scores >= _WORTH_TESTING))]
        for index in zip(*np.unravel_index(best, scores.shape), strict=True):
            ranked.append((-float(scores[index]), tuple((c, int(one)) for c, one in zip(of, index, strict=True))))
    ranked.sort()
    best = [parts for _, parts in ranked[:_MOST_RANKED]]
    if half.clusters is not None:
        # A slice of few clusters can stand out by the rows of one.
        best[:_MOST_BY_CLUSTERS] = sorted(best[:_MOST_BY_CLUSTERS], key=half.p_value)
    return count, best


def _scores(half: SliceRows, of: tuple[int, ...], singles: list[Array]) -> Array:
    """Excess of each slice of one or two columns, -inf if it is too small or too large."""
    counts = singles[of[0]]
    if len(of) > 1:
        a, b = (half.members[column].astype(np.float64) for column in of)
        counts = np.einsum("iv,vwh,jw->ijh", a, half.table(*of), b, optimize=True)
    bad, rows = counts[..., 1], counts.sum(axis=-1)
    scores = _excess(bad, rows, half.bad, half.total)
    if len(of) > 1:
        one, two = singles[of[0]][:, None], singles[of[1]][None]
        for whole in (one, two):
            scores = np.minimum(scores, _excess(bad, rows, whole[..., 1], whole.sum(axis=-1)))
    return np.where((rows >= LEAST_SLICE) & (rows <= _LARGEST * half.total), scores, -np.inf)


def _excess(bad: Array | float, rows: Array | float, all_bad: Array | float, all_rows: Array | float) -> Array:
    """Excess of bad rows of a part over the whole, in standard errors: the signed root of the deviance."""
    expected = rows * ratio(all_bad, all_rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviance = rel_entr(bad, expected) + rel_entr(rows - bad, rows - expected)
        scores = np.sign(bad - expected) * np.sqrt(2 * np.maximum(deviance, 0) / (1 - ratio(rows, all_rows)))
    return np.nan_to_num(scores, nan=0, posinf=0, neginf=0)


def distinct_slices(half: SliceRows, ranked: list[Parts]) -> list[Parts]:
    """First ranked slices that add information to those before them."""
    masks: dict[Parts, Mask] = {}
    for parts in ranked:
        if len(masks) < _MOST_TESTED and _adds(half, parts, mask := half.mask(parts), [*masks.values()]):
            masks[parts] = mask
    return [*masks]


def necessary_slices(half: SliceRows, confirmed: list[Parts]) -> list[Parts]:
    """Drop slices that are worse only because of rows of others, the last one first."""
    masks = {parts: half.mask(parts) for parts in confirmed}

    def is_idle(parts: Parts) -> bool:
        return not _adds(half, parts, masks[parts], [mask for other, mask in masks.items() if other != parts])

    while idle := next(filter(is_idle, reversed(masks)), None):
        del masks[idle]
    return [*masks]


def _adds(half: SliceRows, parts: Parts, mask: Mask, others: list[Mask]) -> bool:
    """Whether a slice is worse outside the others, or (of two columns) worse inside the one it overlaps most."""
    outside = ~np.logical_or.reduce(others) if others else np.full(mask.size, True)
    if _is_worse(half, mask & outside, outside):
        return True
    if len(parts) == 1 or not others:
        return False
    nearest = max(others, key=lambda other: np.count_nonzero(mask & other))
    return _is_worse(half, mask & nearest, nearest)


def _is_worse(half: SliceRows, part: Mask, whole: Mask) -> bool:
    sums = half.sums(part)
    return sums[1] >= LEAST_SLICE and bool(_excess(*sums, *half.sums(whole)) >= _WORTH_TESTING)


def _effective_scale(weights: Array) -> float:
    """Factor that scales weights to add up to their effective number of rows."""
    return effective_rows(weights) / float(weights.sum())


_STRONGEST = 1e9  # rows that a prior is worth at most
_MOST_COUNTED = 2.0**53  # rows that one line can stand for


@dataclass(frozen=True, eq=False)
class WorseSlice:
    """A slice that is worse in both halves."""

    parts: Parts  # its one or two columns, each with the slice of that column
    total: float  # rows of both halves
    # Counts in the held-out half.
    bad: float
    rows: float
    rate: Interval  # share of bad rows, shrunk towards that of all rows
    rest: float  # share of bad rows among all other rows of the held-out half
    p_value: float  # one-sided, corrected by Holm for all slices that were tested


@dataclass(frozen=True, eq=False)
class SliceSearch:
    """Result of a search: the confirmed slices, and how many slices were searched and tested."""

    slices: tuple[WorseSlice, ...]
    searched: int
    tested: int


def worse_slices(
    codes: Sequence[npt.NDArray[np.integer]], members: Sequence[Mask], bad: Mask, counted: Mask,
    weights: Array | None = None, *, whole: bool = True, seed: int = 0, level: float = 0.95,
    clusters: Indices | None = None,
) -> SliceSearch:  # fmt: skip
    """Find the slices of one or two columns in which bad rows are more frequent than elsewhere.

    A random half of the rows is searched: slices are ranked by their excess of bad rows in standard errors; one of two
    columns must exceed the rest of both its columns' slices, and one that adds little to others is left out. The first
    ten are tested in the other half by Fisher's exact test with Holm's correction, so that the chance of listing any
    slice although none is worse is at most 1 − level. The rates are of the other half, shrunk by a beta prior fitted to
    the tested slices. Clusters stay in one half and are tested whole (`clustered_greater`). `members` flags, for each
    column, which codes belong to each of its slices, shape (slices, codes); `counted` the rows that count at all, such
    as the actual positives. `whole` weights are counts of rows, which are divided between the halves; others stay with
    their row.
    """
    check_level(level)
    first, second = _halves(counted, weights, whole, seed, clusters)
    searched, confirming = (SliceRows(codes, members, bad, part, whole, clusters) for part in (first, second))
    if not 0 < searched.bad < searched.total or not 0 < confirming.bad < confirming.total:
        return SliceSearch((), 0, 0)
    count, ranked = ranked_slices(searched)
    chosen = distinct_slices(searched, ranked)
    p_values = holm([confirming.p_value(parts) for parts in chosen])
    sums = np.array([confirming.sums(confirming.mask(parts)) for parts in chosen]).reshape(-1, 2)
    effective = np.array([confirming.effective_sums(confirming.mask(parts), level) for parts in chosen]).reshape(-1, 2)
    rates = _shrunk(effective, confirming.bad / confirming.total, level)
    confirmed = [place for place, p in enumerate(p_values.tolist()) if p <= 1 - level]
    listed = necessary_slices(confirming, [chosen[place] for place in confirmed])
    slices = []
    for place in confirmed:
        parts, (some, rows) = chosen[place], sums[place].tolist()
        if parts in listed:
            total = sum(float(half.sums(half.mask(parts))[1]) for half in (searched, confirming))
            rest = float(ratio(*confirming.sums(~confirming.mask(parts))))
            rate = Interval(*(float(end[place]) for end in (rates.estimate, rates.low, rates.high)))
            slices.append(WorseSlice(parts, total, some, rows, rate, rest, float(p_values[place])))
    return SliceSearch(tuple(slices), count, len(chosen))


def _halves(
    counted: Mask, weights: Array | None, whole: bool, seed: int, clusters: Indices | None
) -> tuple[np.ndarray, np.ndarray]:
    """Weight of each row in either half; bool if each counts once."""
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
    """Shrink shares with a beta prior around that of all rows, as wide as the shares vary beyond chance."""
    bad, rows = sums[:, 0], sums[:, 1]
    rates = ratio(bad, rows)
    beyond = np.maximum((rates - share) ** 2 - ratio(rates * (1 - rates), rows), 0)
    prior = np.clip(ratio(share * (1 - share), float(ratio((rows * beyond).sum(), rows.sum()))) - 1, 1, _STRONGEST)
    a, b = bad + prior * share, rows - bad + prior * (1 - share)
    tail = (1 - level) / 2
    return Interval(a / (a + b), betaincinv(a, b, tail), betaincinv(a, b, 1 - tail))
