"""Scored labels: the scores of positives and negatives, sorted once, from which every threshold is read.

The positives and the negatives are sorted apart, because sorting plain numbers uses the vector units of the machine
and sorting pairs does not. After that a threshold costs two binary searches, and two states merge by merging runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.classification.clusters import SortedRows, cluster_codes, clustered_sides
from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.labels import equals, label_array, number_array, positive_label, weight_array
from evalcore.classification.threshold_table import Steps, ThresholdTable, sorted_apart, staircase
from evalcore.numeric import Array, at_once

__all__ = ["ScoredLabels", "pooled"]


@dataclass(frozen=True, eq=False)
class ScoredLabels(SortedRows):
    """Scored rows with a yes/no truth; a row is called positive when its score >= the threshold.

    Where lower scores are positive, a row is called positive when its score <= the threshold; scores and thresholds are
    on the scale of the data in either case. Build it with `from_arrays` or `from_counts`. ``a + b`` is the state of
    both sets of rows together.

    Attributes
    ----------
    positive_scores, negative_scores : Array, ascending
        Scores of the two classes.
    positive_weights, negative_weights : Array or None
        Cumulated weights, one longer than the scores, so that what is called positive is read and not subtracted: entry
        i is the weight of score i and of all after it, or where lower scores are positive, of the first i scores. None:
        each row counts 1.
    positive_clusters, negative_clusters : array of int or None
        What each of these rows belongs to, as a code from 0. None: each row is on its own.
    """

    positive_scores: Array
    negative_scores: Array
    positive_weights: Array | None = None
    negative_weights: Array | None = None
    higher_is_positive: bool = True
    positive_clusters: npt.NDArray[np.intp] | None = None
    negative_clusters: npt.NDArray[np.intp] | None = None

    @classmethod
    def from_arrays(
        cls,
        labels: npt.ArrayLike,
        scores: npt.ArrayLike,
        positive: object = True,
        weights: npt.ArrayLike | None = None,
        higher_is_positive: bool = True,
        clusters: npt.ArrayLike | None = None,
    ) -> "ScoredLabels":
        """Sort rows of labels and scores into a state.

        Parameters
        ----------
        labels : array_like, shape (n,)
            The truth of each row.
        scores : array_like of float, shape (n,)
            Finite; equal scores share one threshold and are never split.
        positive : object
            The label that counts as positive; every other label is negative. True also finds 1, or the usual word for
            it ("yes", "ill", "positive", …).
        weights : array_like of float >= 0, shape (n,), optional
            Weight of each row: 2 counts it twice, 0 leaves it out.
        higher_is_positive : bool
            False where lower scores speak for the positive class.
        clusters : array_like, shape (n,), optional
            What each row belongs to, such as a patient; intervals and tests then take whole clusters.

        Raises
        ------
        ValueError
            When lengths differ, a label is missing, a score is not a finite number or a weight is negative; names the
            first such row. When no label is the positive one, or nothing tells which is; names the labels.

        Examples
        --------
        >>> scored = ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.7, 0.1], positive=1)
        >>> float(scored.counts_at(0.7).tp), float(scored.counts_at(0.7).fp)
        (2.0, 1.0)
        """
        truth = label_array(labels, "labels")
        values = number_array(scores, "scores", len(truth))
        is_positive = equals(truth, positive_label(positive, truth))
        if clusters is not None:
            weight = None if weights is None else weight_array(weights, len(truth))
            scores, held, codes = clustered_sides(values, is_positive, cluster_codes(clusters, len(truth)), weight)
            sums = None if held is None else [_cumulated(side, higher_is_positive) for side in held]
            weighted = (None, None) if sums is None else (sums[0], sums[1])
            return cls(scores[0], scores[1], *weighted, higher_is_positive, codes[0], codes[1])
        if weights is None:
            return cls(*sorted_apart(values, is_positive), higher_is_positive=higher_is_positive)
        weight = weight_array(weights, len(truth))
        of_classes = np.where(is_positive, weight, 0.0), np.where(is_positive, 0.0, weight)
        return cls._weighted(values, *of_classes, weight > 0, higher_is_positive)

    @classmethod
    def from_counts(
        cls, scores: npt.ArrayLike, positives: npt.ArrayLike, negatives: npt.ArrayLike, higher_is_positive: bool = True
    ) -> "ScoredLabels":
        """The state of rows grouped by score, as a database returns them.

        Parameters
        ----------
        scores : array_like of float, shape (g,)
            In any order; a score may occur more than once.
        positives, negatives : array_like of float >= 0, shape (g,)
            Rows, or sums of weights, of each class with that score.
        higher_is_positive : bool
            False where lower scores speak for the positive class.

        Raises
        ------
        ValueError
            When the lengths differ, a score is not finite or a count is negative.

        Examples
        --------
        >>> scored = ScoredLabels.from_counts([0.1, 0.7, 0.9], positives=[0, 1, 1], negatives=[1, 1, 0])
        >>> float(scored.counts_at(0.7).tp)
        2.0
        """
        values = number_array(scores, "scores", np.size(scores))
        positive = weight_array(positives, len(values), "positives")
        negative = weight_array(negatives, len(values), "negatives")
        return cls._weighted(values, positive, negative, positive + negative > 0, higher_is_positive)

    @classmethod
    def _weighted(
        cls, values: Array, positive: Array, negative: Array, counts: np.ndarray, higher: bool
    ) -> "ScoredLabels":
        order = np.argsort(values[counts], kind="stable")
        values, positive, negative = (a[counts][order] for a in (values, positive, negative))
        is_positive, is_negative = positive > 0, negative > 0
        return cls(
            values[is_positive],
            values[is_negative],
            _cumulated(positive[is_positive], higher),
            _cumulated(negative[is_negative], higher),
            higher,
        )

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
        """The four outcomes at each threshold.

        Parameters
        ----------
        thresholds : array_like of float, any shape
            ``-inf`` calls everything positive and ``+inf`` nothing; where lower scores are positive, the opposite.

        Returns
        -------
        ConfusionCounts
            Of the shape of `thresholds`.
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
        return ConfusionCounts(
            *cells, clusters=lambda at: self._cluster_counts(int(i[at]), int(j[at])), moments=moments
        )

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest score; +inf and -inf without rows.

        >>> ScoredLabels.from_arrays([True, False, True], [0.9, 0.5, 0.7]).ends
        (0.5, 0.9)
        """
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
        steps, positives, negatives = self.steps, self.positives, self.negatives
        fn, tn = at_once(lambda: positives - steps.tp, lambda: negatives - steps.fp, len(steps.tp))
        return ThresholdTable(steps.thresholds, ConfusionCounts(steps.tp, steps.fp, fn, tn))

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
    """The rows of several states as one: of classes against the rest, the state of their micro average.

    Parameters
    ----------
    states : sequence of ScoredLabels
        On one scale, such as probabilities. Where each says what its rows belong to, one code is one cluster in all.

    Raises
    ------
    ValueError
        When higher scores are positive in some and lower scores in others.

    Examples
    --------
    >>> one = ScoredLabels.from_arrays([1, 0], [0.8, 0.3], positive=1)
    >>> two = ScoredLabels.from_arrays([0, 1], [0.2, 0.7], positive=1)
    >>> pooled([one, two]).positive_scores.tolist(), pooled([one, two]).negative_scores.tolist()
    ([0.7, 0.8], [0.2, 0.3])
    """
    directions = {state.higher_is_positive for state in states}
    if len(directions) > 1:
        raise ValueError("Scores where higher is positive cannot be merged with scores where lower is positive.")
    higher = all(directions)
    if states and all(state.clusters for state in states):
        return ScoredLabels.from_arrays(**_clustered_rows(states), higher_is_positive=higher)
    if any(state.positive_weights is not None for state in states):
        columns = np.concatenate([_weighted_rows(state) for state in states], axis=1)
        return ScoredLabels.from_counts(*columns, higher_is_positive=higher)
    sides = ([state.positive_scores for state in states], [state.negative_scores for state in states])
    merged = (np.sort(np.concatenate([*side, np.empty(0)]), kind="stable") for side in sides)
    return ScoredLabels(*merged, higher_is_positive=higher)


def _weighted_rows(state: ScoredLabels) -> Array:
    """Scores, weights as a positive and weights as a negative of all rows, shape (3, n)."""
    (scores, weights), (others, their_weights) = state.rows_of(True), state.rows_of(False)
    return np.array(
        [
            np.append(scores, others),
            np.append(weights, np.zeros(len(others))),
            np.append(np.zeros(len(scores)), their_weights),
        ]
    )


def _clustered_rows(states: Sequence[ScoredLabels]) -> dict[str, np.ndarray]:
    """Labels, scores, weights and clusters of all rows, as `ScoredLabels.from_arrays` takes them."""
    rows = [state.rows_of(side) for state in states for side in (True, False)]
    scores, weights = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    sides = [codes for s in states for codes in (s.positive_clusters, s.negative_clusters) if codes is not None]
    labels = np.repeat([True, False] * len(states), [len(codes) for codes in sides])
    return {"labels": labels, "scores": scores, "weights": weights, "clusters": np.concatenate(sides)}


def _cumulated(weights: Array, higher: bool) -> Array:
    return np.append(np.cumsum(weights[::-1])[::-1], 0.0) if higher else np.append(0.0, np.cumsum(weights))
