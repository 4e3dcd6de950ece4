"""Two groups of the rows of one table that have patients, or whatever rows belong to, in common."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from evalcore.analyses.compared_sample import Sample
from evalcore.analyses.label_pairs import LabelPairs
from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels
from evalcore.inference import correlation_of_counts, correlation_of_matrices, correlation_of_scores
from evalcore.registry import MetricDef

__all__: list[str] = []

Codes = npt.NDArray[np.intp]


def shared_correlation(
    a: Sample, b: Sample, target: str | None, classes: tuple[str, ...]
) -> Callable[[MetricDef], float]:
    """The correlation of the values of a measure in two samples through the clusters that have rows in both.

    Of a class against the rest, or of all `classes` at once; 0 where the samples share no cluster.
    """
    codes = _joint_codes(a, b) if a.is_of_table(b) and a.shared_clusters(b) else None
    if codes is None:
        return lambda _: 0.0
    sides = list(zip((a, b), codes, strict=True))

    def correlation(measure: MetricDef) -> float:
        if measure.family == "matrix":
            return correlation_of_matrices(measure, *(_matrix(side, of, classes) for side, of in sides))
        if measure.family == "counts":
            return correlation_of_counts(measure, *(_counts(side, of, target) for side, of in sides))
        scored = [state for side, of in sides if (state := _scored(side, of, target)) is not None]
        return correlation_of_scores(measure, scored[0], scored[1])

    return correlation


def _joint_codes(a: Sample, b: Sample) -> tuple[Codes, Codes]:
    """What each row of both tables belongs to, with the same codes in both; a row without a value is on its own."""
    column = a.source.roles.get("cluster")
    (first, known), (second, values) = (one.source.frame[column].factorize() for one in (a, b))
    places = known.get_indexer(values)
    places = np.where(places < 0, len(known) + np.arange(len(values)), places)
    codes = np.concatenate([first, np.where(second < 0, -1, places[second])]).astype(np.intp)
    missing = np.flatnonzero(codes < 0)
    codes[missing] = codes.max(initial=-1) + 1 + np.arange(len(missing))
    return codes[: len(first)], codes[len(first) :]


def _matrix(side: Sample, codes: Codes, classes: tuple[str, ...]) -> ConfusionMatrix:
    return _of_labels(side, codes).matrix_of(classes)


def _of_labels(side: Sample, codes: Codes) -> Sample:
    """The sample of labels with what its rows belong to, also where each cluster has one row in it."""
    return replace(side, matrix=replace(LabelPairs.of(side.source, side.system), clusters=codes).matrix)


def _counts(side: Sample, codes: Codes, target: str | None) -> ConfusionCounts:
    if side.scores is None:
        return _of_labels(side, codes).counts(target)
    pairs = replace(LabelPairs.at(side.scores, side.threshold or 0.0), clusters=codes)
    return pairs.matrix.one_vs_rest()[0]


def _scored(side: Sample, codes: Codes, target: str | None) -> ScoredLabels | None:
    known = side.scored_for(target)
    if known is None:
        return None
    rows = side.source.dataset.scored_arrays(side.scored_column(target))
    options = {"weights": rows.weights, "higher_is_positive": known.higher_is_positive}
    return ScoredLabels.from_arrays(rows.labels, rows.scores, clusters=codes[rows.complete], **options)
