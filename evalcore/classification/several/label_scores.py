"""A score for each of several labels of a row: one threshold per label, and how well each row ranks its own labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.labels import indicator_array, number_array, rows_and_names, weight_array
from evalcore.classification.binary.scores import ScoredLabels
from evalcore.classification.several.label_sets import LabelSets, Pairs, mean_over_rows
from evalcore.numeric import Array, Flags, Indices, over_blocks
from evalcore.registry import metric

__all__ = ["LabelRanks", "LabelScores", "coverage_error", "label_ranking_average_precision", "label_ranking_loss"]


@dataclass(frozen=True, eq=False)
class LabelRanks:
    """Summary of each row's ranks of its true labels among all labels by their scores, shape (n,) each.

    Of labels with equal scores, each has the rank of the last.
    """

    # Mean over the true labels of the share of true labels among those ranked no lower; 1 where none or all are true.
    precision: Array
    coverage: Array  # rank of the true label that is ranked last; 0 where no label is true
    loss: Array  # share of the pairs of a true and another label with no lower a score of the other; 0 without pairs


@dataclass(frozen=True, eq=False)
class LabelScores:
    """The true labels of rows and a score for each label; a label is predicted when its score >= its threshold."""

    classes: tuple[str, ...]
    # One array per label, shape (n,): whether each row has it, and its score.
    actual: tuple[Flags, ...]
    scores: tuple[Array, ...]
    weights: Array | None = None  # shape (n,): what each row counts; None: each counts 1
    clusters: Indices | None = None  # shape (n,): codes of what each row belongs to; None: itself

    @classmethod
    def from_arrays(
        cls, actual: npt.ArrayLike, scores: npt.ArrayLike, classes: Sequence[str] | None = None,
        weights: npt.ArrayLike | None = None,
    ) -> "LabelScores":  # fmt: skip
        """The state of rows of indicators and scores, both of shape (n, k); higher scores speak for the label.

        Labels are by default called by their numbers from 0. Raises a ValueError when the shapes differ, there is not
        one name per label, a score is not finite, or a weight is negative.

        >>> scores = LabelScores.from_arrays([[1, 0], [0, 1]], [[0.9, 0.4], [0.6, 0.7]], "ab")
        >>> scores.at(0.5).one_vs_rest().fp.tolist(), scores.at([0.8, 0.5]).one_vs_rest().fp.tolist()
        ([1.0, 0.0], [0.0, 0.0])
        """
        truth, values = indicator_array(actual, "actual"), np.asarray(scores, dtype=np.float64)
        rows, names = rows_and_names(truth, values, "scores", classes)
        columns = tuple(number_array(column, "scores", rows) for column in values.T)
        return cls(names, tuple(truth.T), columns, None if weights is None else weight_array(weights, rows))

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.actual[0]) if self.actual else 0

    def scored(self, name: str) -> ScoredLabels:
        """The scores of one label, sorted, the rows that have it as the positives."""
        index = self.classes.index(name)
        columns = self.actual[index], self.scores[index]
        return ScoredLabels.from_arrays(*columns, weights=self.weights, clusters=self.clusters)

    def at(self, thresholds: npt.ArrayLike) -> LabelSets:
        """The sets that are predicted at one threshold for all labels, or at one for each."""
        each = np.broadcast_to(np.asarray(thresholds, dtype=np.float64), len(self.classes)).tolist()
        masks = [scores >= threshold for scores, threshold in zip(self.scores, each, strict=True)]
        return LabelSets(self.classes, self.rows, self._true_pairs, _pairs(masks), self.weights, self.clusters)

    @cached_property
    def ranks(self) -> LabelRanks:
        """Rank the true labels of each row."""
        size = np.sum(self.actual, axis=0, dtype=np.int64) if self.actual else np.zeros(0, np.int64)
        parts = [np.zeros((3, 0)), *over_blocks(self._ranks_of, self.rows)]
        precision, coverage, missed = np.concatenate(parts, axis=1)
        pairs = size * (len(self.classes) - size)
        precision = np.divide(precision, size, out=np.ones(self.rows), where=pairs > 0)
        return LabelRanks(precision, coverage, np.divide(missed, pairs, out=np.zeros(self.rows), where=pairs > 0))

    def _ranks_of(self, part: slice) -> Array:
        """Sum of precisions, lowest rank and wrongly ordered pairs of the rows of a block, shape (3, rows)."""
        truth, scores = (np.stack([column[part] for column in columns]) for columns in (self.actual, self.scores))
        sums = np.zeros((3, truth.shape[1]))
        count = np.uint8 if len(truth) < 256 else np.int64  # sums of bytes take a quarter of the time
        for index, has in enumerate(truth):
            rows = np.flatnonzero(has)
            no_lower = np.take(scores, rows, axis=1) >= scores[index, rows]
            rank = no_lower.view(np.uint8).sum(axis=0, dtype=count).astype(np.float64)
            correct = np.logical_and(no_lower, np.take(truth, rows, axis=1)).view(np.uint8).sum(axis=0, dtype=count)
            sums[0, rows] += correct / rank
            sums[1, rows] = np.maximum(sums[1, rows], rank)
            sums[2, rows] += rank - correct
        return sums

    @cached_property
    def _true_pairs(self) -> Pairs:
        return _pairs(self.actual)


def _pairs(masks: Sequence[Flags]) -> Pairs:
    """The pairs of row and label of one mask of rows per label."""
    k = len(masks)
    return np.concatenate([np.flatnonzero(mask) * k + index for index, mask in enumerate(masks)] or [np.empty(0, int)])


@metric(name="Label-ranking average precision", symbol="LRAP", family="label scores",
        formula=r"\frac{1}{n} \sum_i \frac{1}{|Y_i|} \sum_{j \in Y_i} "
        r"\frac{|\{l \in Y_i : s_{il} \ge s_{ij}\}|}{|\{l : s_{il} \ge s_{ij}\}|}", best=1,
        undefined_when="there are no rows", aliases=("label ranking AP",), reference="schapire2000",
        paired_test="")  # fmt: skip
def label_ranking_average_precision(scores: LabelScores) -> float:
    """For each true label, the share of true labels among those ranked at or above it, averaged.

    How to read it: 1 where every row ranks its true labels first, whatever the thresholds. Rows without a true label,
    or with all labels, count 1. Labels with equal scores all get the worst of their ranks.

    >>> label_ranking_average_precision(LabelScores.from_arrays([[1, 0, 0], [0, 0, 1]], [[0.7, 0.5, 1], [1, 0.2, 0.1]]))
    0.41666666666666663
    """
    return mean_over_rows(scores.ranks.precision, scores.weights)


@metric(name="Coverage error", symbol="coverage", family="label scores",
        formula=r"\frac{1}{n} \sum_i \max_{j \in Y_i} |\{l : s_{il} \ge s_{ij}\}|", highest=float("inf"),
        better="lower", undefined_when="there are no rows", aliases=("coverage of labels",), reference="schapire2000",
        paired_test="")  # fmt: skip
def coverage_error(scores: LabelScores) -> float:
    """How many labels of a row, from the highest score down, are needed to cover all its true labels, on average.

    How to read it: its lowest value is the mean number of true labels, not 0. Rows without a true label count 0.

    >>> coverage_error(LabelScores.from_arrays([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]))
    2.5
    """
    return mean_over_rows(scores.ranks.coverage, scores.weights)


@metric(name="Label ranking loss", symbol="ranking loss", family="label scores",
        formula=r"\frac{1}{n} \sum_i \frac{|\{(j, l) : s_{ij} \le s_{il},\, j \in Y_i,\, l \notin Y_i\}|}"
        r"{|Y_i| \, (k - |Y_i|)}", best=0, undefined_when="there are no rows", aliases=("ranking loss of labels",),
        reference="schapire2000", paired_test="")  # fmt: skip
def label_ranking_loss(scores: LabelScores) -> float:
    """Share of the pairs of a true and another label of a row that the scores put in the wrong order, averaged.

    How to read it: 0 where every row ranks its true labels first; equal scores count as wrong. Rows without a true
    label, or with all labels, count 0.

    >>> label_ranking_loss(LabelScores.from_arrays([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]))
    0.75
    """
    return mean_over_rows(scores.ranks.loss, scores.weights)
