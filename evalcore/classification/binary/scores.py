"""Scored labels: the scores of positives and negatives, sorted once, from which every threshold is read.

The positives and the negatives are sorted apart, because sorting plain numbers uses the vector units of the machine
and sorting pairs does not. After that a threshold costs two binary searches, and two states merge by merging runs.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.clusters import ClusterCounts, SortedRows, cluster_codes
from evalcore.classification.binary.counts import ConfusionCounts, CountsOfRows
from evalcore.classification.binary.labels import equals, label_array, number_array, positive_label, weight_array
from evalcore.numeric import BLOCK, WORTH_A_THREAD, Array, Indices, at_once, at_rows, in_blocks, over_parts, ratio

__all__ = ["GRID", "ScoredLabels", "ThresholdTable", "counts_by_group", "pooled", "rest_of", "scored_by_group"]
__all__ += ["threshold_grid"]

_Sides = tuple[Any, Any]  # one thing for the positives and one for the negatives

GRID = 1000  # thresholds of a grid; tables of up to this many distinct scores keep them all


@dataclass(frozen=True, eq=False)
class Steps:
    """Growth of the counts from the strictest threshold to the laxest: the start, then one entry per distinct score."""

    # Shape (t,): strictly decreasing from +inf; where lower scores are positive, strictly increasing from −inf.
    thresholds: Array
    # Shape (t,): weight of the positives and of the negatives that are called positive at the threshold.
    tp: Array
    fp: Array


def sorted_apart(values: Array, is_positive: np.ndarray) -> tuple[Array, Array]:
    """Scores of the positives and of the negatives, each ascending.

    Large inputs are sorted in two threads of equal work (numpy releases the interpreter lock while it sorts): the
    larger class is partitioned first, which takes a fifth of sorting it, and each thread sorts its part in place.
    """
    positives, negatives = at_once(
        lambda: np.compress(is_positive, values), lambda: np.compress(~is_positive, values), len(values)
    )
    if len(values) < WORTH_A_THREAD:
        positives.sort()
        negatives.sort()
        return positives, negatives
    small, large = sorted([positives, negatives], key=len)
    with ThreadPoolExecutor(1) as other:
        jobs = [other.submit(small.sort)]
        large.partition(split := min(int(1.2 * len(large) - len(small)) // 2, len(large) - 1))
        jobs.append(other.submit(large[:split].sort))
        large[split:].sort()
        for job in jobs:
            job.result()
    return positives, negatives


def staircase(positives: Array, negatives: Array, higher_is_positive: bool = True) -> Steps:
    """Distinct scores from the strictest on, with the number of positives and of negatives called positive at each.

    The two ascending arrays are cut at common values into parts that fit the cache; equal scores stay together. In each
    part the stable sort finds two runs and merges them in one pass.
    """
    n = len(positives) + len(negatives)
    thresholds, tp, fp = np.empty(n + 1), np.empty(n + 1), np.empty(n + 1)
    thresholds[0], tp[0], fp[0] = np.inf if higher_is_positive else -np.inf, 0.0, 0.0

    def fill(part: tuple[int, int, int, int]) -> tuple[int, int]:
        """Write the last row of each score of one part, at its beginning; where that is, and how many they are."""
        i, i_end, j, j_end = part
        scores = np.concatenate([positives[i:i_end], negatives[j:j_end]])
        order = np.argsort(scores, kind="stable")
        before, hits_before = i + j, i
        if higher_is_positive:
            order, before, hits_before = order[::-1], n - i_end - j_end, len(positives) - i_end
        ordered = scores[order]
        # Whole numbers of 32 bits add up five times as fast as those of 64, and count all rows a part can hold.
        hits = np.cumsum(order < i_end - i, dtype=np.int32)
        called = np.arange(before + 1, before + 1 + len(scores))
        is_last = np.ones(len(scores), dtype=bool)
        np.not_equal(ordered[1:], ordered[:-1], out=is_last[:-1])
        if not is_last.all():
            ordered, hits, called = ordered[is_last], hits[is_last], called[is_last]
        rows = slice(before + 1, before + 1 + len(ordered))
        thresholds[rows] = ordered
        np.add(hits, float(hits_before), out=tp[rows])
        np.subtract(called, tp[rows], out=fp[rows])
        return before + 1, len(ordered)

    pivots = (positives if len(positives) > len(negatives) else negatives)[BLOCK::BLOCK]
    i, j = np.unique([positives.searchsorted(pivots), negatives.searchsorted(pivots)], axis=1)
    i, j = (np.concatenate([[0], cuts, [end]]) for cuts, end in ((i, len(positives)), (j, len(negatives))))
    parts = list(zip(i[:-1].tolist(), i[1:].tolist(), j[:-1].tolist(), j[1:].tolist(), strict=True))
    end = 1
    for start, count in sorted(over_parts(fill, parts, n)):
        for column in (thresholds, tp, fp) if start > end else ():
            column[end : end + count] = column[start : start + count]
        end += count
    for column in (thresholds, tp, fp):
        column.resize(end, refcheck=False)  # in place, as a copy would be as large again
    return Steps(thresholds, tp, fp)


@dataclass(frozen=True, eq=False)
class ThresholdTable:
    """The counts at every threshold that makes a difference, from the strictest to the laxest."""

    # Shape (t,): the first is infinite (nothing is positive), the others are the distinct scores. Where higher scores
    # are positive: strictly decreasing from +inf, a row is called positive when its score >= the threshold. Where lower
    # scores are positive: strictly increasing from −inf, positive when its score <= the threshold.
    thresholds: Array
    counts: ConfusionCounts  # shape (t,)

    @property
    def higher_is_positive(self) -> bool:
        """The direction of the scores, as the infinite first threshold tells it."""
        return not len(self) or bool(self.thresholds[0] != -np.inf)

    @cached_property
    def recall(self) -> Array:
        """Share of the actual positives that are called positive, shape (t,), for every curve that shows it."""
        tp, positives = self.counts.tp, float(self.counts[-1].actual_positives)
        return in_blocks(lambda rows: ratio(tp[rows], positives), len(tp))

    def at(self, threshold: float) -> ConfusionCounts:
        """The counts at a threshold.

        >>> from evalcore.classification import ScoredLabels
        >>> table = ScoredLabels.from_arrays([True, False], [0.8, 0.3]).table()
        >>> float(table.at(0.5).tp), float(table.at(0.5).fp)
        (1.0, 0.0)
        """
        return self.counts[self.index(threshold)]

    def index(self, threshold: float) -> int:
        """Row of the table that holds the counts of `threshold`: the laxest listed one that is no laxer."""
        return int(self.rows(threshold))

    def rows(self, thresholds: npt.ArrayLike) -> Indices:
        """`index` of thresholds of any shape."""
        at = np.asarray(thresholds, dtype=np.float64)
        if self.higher_is_positive:
            rows = len(self) - 1 - self.thresholds[::-1].searchsorted(at, side="left")
        else:
            rows = self.thresholds.searchsorted(at, side="right") - 1
        # No score reaches a threshold that is not a number.
        return np.where(np.isnan(at), 0, np.maximum(rows, 0))

    def first_rows(self, scores: npt.ArrayLike) -> Indices:
        """The first row at which each score is called positive; the length of the table where that is none."""
        values = np.asarray(scores, dtype=np.float64)
        if self.higher_is_positive:
            return len(self) - self.thresholds[::-1].searchsorted(values, side="right")
        return self.thresholds.searchsorted(values, side="left")

    def ranges(self, first: Indices, last: Indices) -> Array:
        """(low, high) of the thresholds that give the counts of the rows from `first` to `last`, shape (m, 2).

        A threshold of the table belongs to its range; the other end, a score or an infinity, does not.
        """
        end, beyond = len(self) - 1, -np.inf if self.higher_is_positive else np.inf
        lax = np.where(last < end, self.thresholds[np.minimum(last + 1, end)], beyond)
        strict = self.thresholds[first]
        return np.column_stack([lax, strict] if self.higher_is_positive else [strict, lax])

    def __len__(self) -> int:
        return len(self.thresholds)


def threshold_grid(table: ThresholdTable, most: int = GRID) -> ThresholdTable:
    """Rows of a threshold table that represent all of them, the first and the last always among them.

    Up to `most` distinct scores all rows are kept; of more, those at equal steps of TPR + FPR. From one row to the next
    neither rate changes by more than 2 / `most` plus the weight of one score.
    """
    if len(table) <= most + 1:
        return table
    end = table.counts[-1]
    # If a class is absent, the other one alone tells how far along the curve a row lies.
    positives, negatives = (float(total) or 1.0 for total in (end.actual_positives, end.actual_negatives))
    along = in_blocks(lambda rows: table.counts.tp[rows] / positives + table.counts.fp[rows] / negatives, len(table))
    rows = along[1:].searchsorted(np.linspace(along[1], along[-1], most)) + 1
    rows = np.unique(np.concatenate([[0, 1], np.minimum(rows, len(table) - 1), [len(table) - 1]]))
    return ThresholdTable(table.thresholds[rows], table.counts[rows])


@dataclass(frozen=True, eq=False)
class ScoredLabels(SortedRows):
    """Scored rows with a yes/no truth; a row is called positive when its score >= the threshold.

    Where lower scores are positive, a row is called positive when its score <= the threshold; scores and thresholds are
    on the scale of the data in either case. Build it with `from_arrays` or `from_counts`. ``a + b`` is the state of
    both sets of rows together.
    """

    @classmethod
    def from_arrays(
        cls, labels: npt.ArrayLike, scores: npt.ArrayLike, positive: object = True,
        weights: npt.ArrayLike | None = None, higher_is_positive: bool = True, clusters: npt.ArrayLike | None = None,
    ) -> "ScoredLabels":  # fmt: skip
        """Sort rows of labels and scores into a state.

        All arrays have shape (n,). Scores are finite numbers; equal ones share one threshold and are never split. Every
        label other than the positive one is negative; True also finds 1, or the usual word for it ("yes", "ill",
        "positive", …). A weight, at least 0, of 2 counts a row twice, 0 leaves it out. `higher_is_positive` is False
        where lower scores speak for the positive class. Clusters are what each row belongs to, such as a patient;
        intervals and tests then take whole clusters.

        ValueError when lengths differ, a label is missing, a score is not a finite number or a weight is negative,
        which names the first such row; or when no label is the positive one, or nothing tells which is.

        >>> scored = ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.7, 0.1], positive=1)
        >>> float(scored.counts_at(0.7).tp), float(scored.counts_at(0.7).fp)
        (2.0, 1.0)
        """
        truth = label_array(labels, "labels")
        values = number_array(scores, "scores", len(truth))
        is_positive = equals(truth, positive_label(positive, truth))
        if weights is None and clusters is None:
            return cls(*sorted_apart(values, is_positive), higher_is_positive=higher_is_positive)
        weight = None if weights is None else weight_array(weights, len(truth))
        codes = None if clusters is None else cluster_codes(clusters, len(truth))
        counts = np.ones(len(truth), dtype=bool) if weight is None else weight > 0
        rows = np.flatnonzero(is_positive & counts), np.flatnonzero(~is_positive & counts)
        return cls._of_sides(values, rows, (weight, weight), higher_is_positive, codes)

    @classmethod
    def from_counts(
        cls, scores: npt.ArrayLike, positives: npt.ArrayLike, negatives: npt.ArrayLike, higher_is_positive: bool = True
    ) -> "ScoredLabels":
        """The state of rows grouped by score, as a database returns them.

        All arrays have shape (g,): scores in any order, of which one may occur more than once, and the rows, or sums of
        weights, of each class with that score. ValueError when the lengths differ, a score is not finite or a count is
        negative.

        >>> scored = ScoredLabels.from_counts([0.1, 0.7, 0.9], positives=[0, 1, 1], negatives=[1, 1, 0])
        >>> float(scored.counts_at(0.7).tp)
        2.0
        """
        values = number_array(scores, "scores", np.size(scores))
        positive = weight_array(positives, len(values), "positives")
        negative = weight_array(negatives, len(values), "negatives")
        rows = np.flatnonzero(positive > 0), np.flatnonzero(negative > 0)
        return cls._of_sides(values, rows, (positive, negative), higher_is_positive)

    @classmethod
    def _of_sides(
        cls, values: Array, sides: _Sides, weights: _Sides, higher: bool, codes: np.ndarray | None = None
    ) -> "ScoredLabels":
        """Sort the rows of each class, given with the weights of all rows for that class."""
        one, two = (rows[np.argsort(values[rows], kind="stable")] for rows in sides)
        sums = [w if w is None else _cumulated(w[rows], higher) for w, rows in zip(weights, (one, two), strict=True)]
        clusters = (None, None) if codes is None else (codes[one], codes[two])
        return cls(values[one], values[two], sums[0], sums[1], higher, *clusters)

    @property
    def positives(self) -> float:
        """P, the weight of the actual positives."""
        weights = self.positive_weights
        return float(len(self.positive_scores) if weights is None else max(weights[0], weights[-1]))

    @property
    def negatives(self) -> float:
        """N, the weight of the actual negatives."""
        weights = self.negative_weights
        return float(len(self.negative_scores) if weights is None else max(weights[0], weights[-1]))

    def counts_at(self, thresholds: npt.ArrayLike) -> ConfusionCounts:
        """The four outcomes at each threshold, in the shape of the thresholds.

        ``-inf`` calls everything positive and ``+inf`` nothing; where lower scores are positive, the opposite.
        """
        side = "left"
        if not self.higher_is_positive:
            # A threshold that is not a number is sorted behind all scores, and still calls nothing positive.
            side, thresholds = "right", np.where(np.isnan(thresholds), -np.inf, thresholds)
        i, j = self.positive_scores.searchsorted(thresholds, side), self.negative_scores.searchsorted(thresholds, side)
        if self.positive_weights is None or self.negative_weights is None:
            # Whole numbers as they are: of one threshold, a float less numpy's integer takes as long as the search.
            above, above_too = len(self.positive_scores) - i, len(self.negative_scores) - j
            cells = (above, above_too, i, j) if self.higher_is_positive else (i, j, above, above_too)
        else:
            tp, fp = self.positive_weights[i], self.negative_weights[j]
            cells = tp, fp, self.positives - tp, self.negatives - fp
        if self.positive_clusters is None:
            return ConfusionCounts(*cells)
        moments = (lambda: self._moments_at(np.asarray(thresholds), (i, j))) if np.ndim(thresholds) else None
        return ConfusionCounts(*cells, clusters=lambda at: self._cluster_counts(i[at], j[at]), moments=moments)

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest score; +inf and -inf without rows."""
        classes = [scores for scores in (self.positive_scores, self.negative_scores) if len(scores)]
        lowest = min((float(scores[0]) for scores in classes), default=float("inf"))
        return lowest, max((float(scores[-1]) for scores in classes), default=float("-inf"))

    def thresholds(self) -> Array:
        """Every threshold that makes a difference, from the strictest to the laxest, as those of `table`."""
        return self.steps.thresholds

    def table(self) -> ThresholdTable:
        """The counts at every threshold that makes a difference.

        >>> table = ScoredLabels.from_arrays([True, False, True], [0.9, 0.5, 0.5]).table()
        >>> table.thresholds.tolist(), table.counts.tp.tolist(), table.counts.fp.tolist()
        ([inf, 0.9, 0.5], [0.0, 1.0, 2.0], [0.0, 0.0, 1.0])
        """
        return self._table

    @cached_property
    def _table(self) -> ThresholdTable:
        steps = self.steps
        return ThresholdTable(steps.thresholds, CountsOfRows(steps.tp, steps.fp, self.positives, self.negatives))

    @cached_property
    def steps(self) -> Steps:
        """The two sorted arrays merged into one staircase; cached, because every curve and area reads it."""
        steps = staircase(self.positive_scores, self.negative_scores, self.higher_is_positive)
        if self.positive_weights is None or self.negative_weights is None:
            return steps
        # From the same sums as `counts_at`, so that a table and a single threshold agree to the last bit.
        i, j = steps.tp.astype(np.intp), steps.fp.astype(np.intp)
        if self.higher_is_positive:
            i, j = len(self.positive_scores) - i, len(self.negative_scores) - j
        return Steps(steps.thresholds, self.positive_weights[i], self.negative_weights[j])

    def __add__(self, other: "ScoredLabels") -> "ScoredLabels":
        return pooled([self, other])


def pooled(states: Sequence[ScoredLabels]) -> ScoredLabels:
    """The rows of several states on one scale as one: of classes against the rest, the state of their micro average.

    Where each says what its rows belong to, one code is one cluster in all. Raises a ValueError when higher scores are
    positive in some and lower scores in others.
    """
    directions = {state.higher_is_positive for state in states}
    if len(directions) > 1:
        raise ValueError("Scores where higher is positive cannot be merged with scores where lower is positive.")
    higher = all(directions)
    is_clustered = bool(states) and all(state.clusters for state in states)
    if not is_clustered and all(state.positive_weights is None for state in states):
        sides = ([state.positive_scores for state in states], [state.negative_scores for state in states])
        merged = (np.sort(np.concatenate([*side, np.empty(0)]), kind="stable") for side in sides)
        return ScoredLabels(*merged, higher_is_positive=higher)
    rows = [state.rows_of(side) for state in states for side in (True, False)]
    scores, weights = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    labels = np.repeat([True, False] * len(states), [len(side) for side, _ in rows])
    codes = [codes for s in states for codes in (s.positive_clusters, s.negative_clusters) if codes is not None]
    clusters = np.concatenate(codes) if is_clustered else None
    return ScoredLabels.from_arrays(labels, scores, True, weights, higher, clusters)


def _cumulated(weights: Array, higher: bool) -> Array:
    return np.append(np.cumsum(weights[::-1])[::-1], 0.0) if higher else np.append(0.0, np.cumsum(weights))


def scored_by_group(
    labels: npt.ArrayLike, scores: npt.ArrayLike, groups: npt.ArrayLike, names: Iterable[str] | None = None, *,
    positive: object = True, weights: npt.ArrayLike | None = None, higher_is_positive: bool = True,
    clusters: npt.ArrayLike | None = None,
) -> dict[str, ScoredLabels]:  # fmt: skip
    """The scores of each group with rows, the largest (by rows or weight) first, ties in the order of the names.

    `groups` are names, or indices into `names`; the rest is as `ScoredLabels.from_arrays` takes it. One stable sort of
    small integers orders the rows by group.
    """
    truth = label_array(labels, "labels")
    is_positive = equals(truth, positive_label(positive, truth))
    values = number_array(scores, "scores", len(is_positive))
    weight = None if weights is None else weight_array(weights, len(is_positive))
    units = None if clusters is None else cluster_codes(clusters, len(is_positive))
    codes, known = _coded(groups, names)
    if codes.shape != is_positive.shape:
        raise ValueError(f"groups has the shape {codes.shape} beside {len(is_positive)} rows; give one group per row.")
    sizes = np.bincount(codes, weight, len(known))
    # Integers of 16 bits are sorted by counting, ten times as fast as those of 64.
    order = np.argsort(codes.astype(np.uint16) if len(known) <= 1 << 16 else codes, kind="stable")
    largest_first = [code for code in np.argsort(-sizes, kind="stable").tolist() if sizes[code]]
    rows_of = np.split(order, np.cumsum(np.bincount(codes, minlength=len(known)))[:-1])
    states = {}
    for code in largest_first:
        rows = rows_of[code]
        beside = at_rows(weight, rows), higher_is_positive, at_rows(units, rows)
        states[known[code]] = ScoredLabels.from_arrays(is_positive[rows], values[rows], True, *beside)
    return states


def counts_by_group(states: Iterable[ScoredLabels], thresholds: float | Iterable[float]) -> ConfusionCounts:
    """The four outcomes of each of g groups, shape (g,), at one threshold for all or one per group."""
    states = list(states)
    at = np.broadcast_to(np.asarray(thresholds, dtype=np.float64), len(states))
    each = [state.counts_at(threshold) for state, threshold in zip(states, at, strict=True)]
    cells = ([float(getattr(counts, cell)) for counts in each] for cell in ("tp", "fp", "fn", "tn"))
    if not any(state.clusters for state in states):
        return ConfusionCounts(*cells)
    return ConfusionCounts(*cells, clusters=lambda index: _clusters_of(each[int(index)]))


def rest_of(whole: ConfusionCounts, groups: ConfusionCounts) -> ConfusionCounts:
    """The counts of all rows outside each group, of the shape of the groups."""
    pairs = [(getattr(whole, cell), getattr(groups, cell)) for cell in ("tp", "fp", "fn", "tn")]
    # Differences of sums of weights may be off by rounding, also below 0.
    cells = (np.where(of_all - own > 1e-9 * of_all, of_all - own, 0.0) for of_all, own in pairs)
    if whole.clusters is None:
        return ConfusionCounts(*cells)
    return ConfusionCounts(*cells, clusters=lambda index: _clusters_of(whole).without(_clusters_of(groups[index])))


def _clusters_of(counts: ConfusionCounts) -> ClusterCounts:
    """The clusters of counts of shape () that have them."""
    if (clusters := counts.clusters) is None:
        raise ValueError("Some of these counts say what their rows belong to and others do not.")
    return clusters


def _coded(groups: npt.ArrayLike, names: Iterable[str] | None) -> tuple[np.ndarray, list[str]]:
    if names is not None:
        return np.asarray(groups, dtype=np.intp), list(names)
    known, codes = np.unique(np.asarray(groups).astype(str), return_inverse=True)
    return codes, known.tolist()
