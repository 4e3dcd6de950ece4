"""The rows of one half of a search for slices: which slices stand out in it, and which of them add something."""

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import rel_entr

from evalcore.classification import ClusterCounts
from evalcore.inference.clustered import effective_shares
from evalcore.inference.clustered_contrasts import clustered_greater
from evalcore.inference.unpaired import fisher_greater
from evalcore.numeric import Array, effective_rows, ratio

__all__ = ["LEAST_SLICE", "MOST_PAIRED"]

LEAST_SLICE = 20
"""Rows of the searched half below which a slice is not looked at."""

MOST_PAIRED = 40
"""Columns whose slices are combined; of more, those with the strongest slices of their own."""

_LARGEST = 0.75  # share of the rows above which a slice is no part of them any more
_MOST_TESTED = 10
_MOST_RANKED = 400
_MOST_BY_CLUSTERS = 40  # of those, the first that are put in the order of their tests of whole clusters
_WORTH_TESTING = 2.0  # standard errors

Mask = npt.NDArray[np.bool_]
Parts = tuple[tuple[int, int], ...]


class SliceRows:
    """The rows of one half; weights are None where each counts once, clusters where each is on its own."""

    def __init__(
        self,
        codes: Sequence,
        members: Sequence[Mask],
        bad: Mask,
        part: np.ndarray,
        whole: bool,
        clusters: npt.NDArray[np.intp] | None = None,
    ) -> None:
        rows = np.flatnonzero(part)
        self.codes, self.members, self.is_bad = [each[rows] for each in codes], members, bad[rows]
        self.whole, self.clusters = whole, None if clusters is None else clusters[rows]
        self.weights = None if part.dtype == bool else part[rows]
        if self.weights is not None and not whole and rows.size:
            self.weights *= _worth(self.weights)
        self.bad, self.total = self.sums(np.full(rows.size, True))

    @cached_property
    def marked(self) -> list[npt.NDArray[np.int32]]:
        """The codes of each column doubled, and one more where the row is bad."""
        return [2 * each.astype(np.int32) + self.is_bad for each in self.codes]

    def table(self, *columns: int) -> Array:
        """The weight of the good and of the bad rows by the codes of one or two columns, shape (codes, …, 2)."""
        shape = (*(self.members[column].shape[1] for column in columns), 2)
        *first, last = columns
        places = self.marked[last]
        for column in first:
            places = places + self.codes[column].astype(np.int32) * np.int32(2 * shape[1])
        return np.bincount(places, self.weights, int(np.prod(shape))).reshape(shape).astype(np.float64)

    def mask(self, parts: Parts) -> Mask:
        """Which rows belong to a slice."""
        return np.logical_and.reduce([self.members[column][one][self.codes[column]] for column, one in parts])

    def sums(self, mask: Mask) -> tuple[float, float]:
        """Bad rows and all rows of a part; of weights that count no rows, as many rows as they are worth (Kish)."""
        if self.weights is None:
            return float(np.count_nonzero(mask & self.is_bad)), float(np.count_nonzero(mask))
        own = self.weights[mask]
        total, bad = float(own.sum()), float(own[self.is_bad[mask]].sum())
        scale = 1.0 if self.whole or not total else _worth(own)
        return scale * bad, scale * total

    def p_value(self, parts: Parts) -> float:
        """Of a slice being no worse than all other rows; of two columns, nor than the rest of either of them."""
        mask = self.mask(parts)
        wholes = [np.full(mask.size, True), *(self.mask((part,)) for part in parts if len(parts) > 1)]
        if self.clusters is not None:
            return max(clustered_greater(self._of_clusters(mask, each)) for each in wholes)
        bad, rows = self.sums(mask)
        others = (self.sums(each & ~mask) for each in wholes)
        return max(fisher_greater(bad, rows - bad, some, rest - some) for some, rest in others)

    def effective_sums(self, mask: Mask, level: float) -> tuple[float, float]:
        """The same as `sums`, but of rows that belong together as many as tell as much; 0 of one cluster."""
        bad, rows = self.sums(mask)
        if self.clusters is None:
            return bad, rows
        moments = self._of_clusters(mask, mask).moments
        effective = effective_shares(moments, [1, 0, 0, 0], [1, 1, 0, 0], np.asarray(bad), np.asarray(rows), level)
        return float(np.nan_to_num(effective[0])), float(np.nan_to_num(effective[1]))

    def _of_clusters(self, mask: Mask, whole: Mask) -> ClusterCounts:
        """Bad and good rows of each cluster in a part, and in the rest of a whole."""
        rows = np.flatnonzero(whole)
        cells = np.where(mask[rows], 0, 2) + ~self.is_bad[rows]
        weights = None if self.weights is None else self.weights[rows]
        return ClusterCounts.of(cells, (self.clusters if self.clusters is not None else rows)[rows], 4, weights)


def ranked_slices(half: SliceRows) -> tuple[int, list[Parts]]:
    """How many slices are large enough, and those most worth testing, the best first."""
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
    """The excess of each slice of one or two columns, -inf where it is too small or too large."""
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
    usable = (rows >= LEAST_SLICE) & (rows <= _LARGEST * half.total)
    return np.where(usable, scores, -np.inf)


def _excess(bad: Array | float, rows: Array | float, all_bad: Array | float, all_rows: Array | float) -> Array:
    """How many more rows of a part are bad than of the whole, in standard errors: the signed root of the deviance."""
    expected = rows * ratio(all_bad, all_rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviance = rel_entr(bad, expected) + rel_entr(rows - bad, rows - expected)
        scores = np.sign(bad - expected) * np.sqrt(2 * np.maximum(deviance, 0) / (1 - ratio(rows, all_rows)))
    return np.nan_to_num(scores, nan=0, posinf=0, neginf=0)


def distinct_slices(half: SliceRows, ranked: list[Parts]) -> list[Parts]:
    """The first ranked slices that tell more than those before them."""
    chosen, masks = [], []
    for parts in ranked:
        mask = half.mask(parts)
        if _adds(half, parts, mask, masks):
            chosen.append(parts)
            masks.append(mask)
        if len(chosen) == _MOST_TESTED:
            break
    return chosen


def necessary_slices(half: SliceRows, confirmed: list[Parts]) -> list[Parts]:
    """The slices without those that are worse only by rows of others: the last that adds nothing goes first."""
    masks = {parts: half.mask(parts) for parts in confirmed}
    while True:
        idle = [
            parts
            for parts, mask in reversed(masks.items())
            if not _adds(half, parts, mask, [other for name, other in masks.items() if name != parts])
        ]
        if not idle:
            return [*masks]
        del masks[idle[0]]


def _adds(half: SliceRows, parts: Parts, mask: Mask, others: list[Mask]) -> bool:
    """Whether a slice is worse outside of others; or a worse part of that which it shares most with, by two columns."""
    outside = ~np.logical_or.reduce(others) if others else np.full(mask.size, True)
    if _tells(half, mask & outside, outside):
        return True
    if len(parts) == 1 or not others:
        return False
    nearest = max(others, key=lambda other: np.count_nonzero(mask & other))
    return _tells(half, mask & nearest, nearest)


def _tells(half: SliceRows, part: Mask, whole: Mask) -> bool:
    sums = half.sums(part)
    return sums[1] >= LEAST_SLICE and bool(_excess(*sums, *half.sums(whole)) >= _WORTH_TESTING)


def _worth(weights: Array) -> float:
    """What to multiply weights by, so that they add up to as many rows as they are worth."""
    return effective_rows(weights) / float(weights.sum())
