"""Two systems on the same rows by measures of any family, each with the test that fits it."""

import math
from collections.abc import Sequence
from typing import Any

from evalcore.analyses.paired_comparison import Difference
from evalcore.analyses.paired_rows import PairedRows, paired_scores
from evalcore.analyses.source import Source
from evalcore.classification import ScoredLabels
from evalcore.inference import (
    Comparison,
    CorrelatedAreas,
    Interval,
    bootstrap_score_differences,
    correlated_areas,
    mcnemar_differences,
)
from evalcore.registry import MetricDef

__all__ = ["RESAMPLES", "areas_of", "is_slow", "row_differences"]

RESAMPLES = 1000
"""Of the rows, for measures of scores."""

MOST_CLASSES = 60
"""Classes up to which measures of the whole square table are resampled."""

_RESULT = 100_000
"""Rows that a stored result counts as, so that some hundred of them are kept."""


def is_slow(measure: MetricDef) -> bool:
    """Whether each difference takes a second of resampling."""
    return measure.paired_test == "bootstrap" and measure.family != "counts"


def row_differences(
    source: Source, rows: PairedRows, measures: Sequence[MetricDef], level: float, target: str | None, a: int, b: int
) -> list[Difference]:
    """Two of the systems that have these rows, in the order of the measures.

    Parameters
    ----------
    source : Source
    rows : PairedRows
    measures : sequence of MetricDef
        Of the families "counts", "matrix" and "scores".
    level : float
        Confidence of the intervals.
    target : str or None
        The class that measures of counts set against the rest.
    a, b : int
        Places of the two systems in `rows`.
    """
    results: dict[str, tuple[float, float, Comparison]] = {}
    counts = [measure for measure in measures if measure.family == "counts"]
    if counts:
        paired = rows.counts(target if target in rows.classes else rows.classes[-1], a, b)
        for measure, test in zip(counts, mcnemar_differences(counts, paired, level), strict=True):
            results[measure.key] = float(measure(paired.a)), float(measure(paired.b)), test
    if matrix := [measure for measure in measures if measure.family == "matrix"]:
        results |= _of_matrices(rows, matrix, level, a, b)
    if scores := [measure for measure in measures if measure.family == "scores"]:
        results |= _of_scores(source, rows.systems, scores, level, a, b)
    systems = rows.systems[a], rows.systems[b]
    return [Difference(*systems, measure, *results[measure.key]) for measure in measures]


def areas_of(source: Source, systems: tuple[str, ...]) -> CorrelatedAreas:
    """The areas under the ROC curves of some systems with their covariance, on the rows that all of them have."""

    def build() -> CorrelatedAreas:
        labels, scores, weights, *_ = paired_scores(source, systems)
        return correlated_areas(labels, scores, weights=weights, higher_is_positive=source.higher_is_positive)

    return source.dataset.once(f"areas\n{systems!r}", None, build, rows=_RESULT)


def _of_matrices(
    rows: PairedRows, measures: list[MetricDef], level: float, a: int, b: int
) -> dict[str, tuple[float, float, Comparison]]:
    paired = rows.class_counts(a, b)
    few = len(rows.classes) <= MOST_CLASSES
    tested = [measure for measure in measures if few or measure.paired_test == "share"]
    tests = dict(zip((m.key for m in tested), mcnemar_differences(tested, paired, level), strict=True))
    results = {}
    for measure in measures:
        of_a, of_b = (float(measure(matrix)) for matrix in paired.matrices())
        unknown = Interval(of_b - of_a, math.nan, math.nan)
        untested = Comparison("not tested", of_b - of_a, unknown, math.nan, math.nan, round(paired.n))
        results[measure.key] = of_a, of_b, tests.get(measure.key, untested)
    return results


def _of_scores(
    source: Source, systems: tuple[str, ...], measures: list[MetricDef], level: float, a: int, b: int
) -> dict[str, tuple[float, float, Comparison]]:
    results = {}
    for measure in measures:
        if measure.paired_test == "delong":
            # All areas at once where all have the same rows: each system is then sorted once.
            areas, scale = areas_of(source, systems), measure.highest - measure.lowest
            values = (measure.lowest + scale * areas.estimates[[a, b]]).tolist()
            results[measure.key] = *values, areas.compared(a, b, level).scaled(scale)
    resampled = [measure for measure in measures if measure.key not in results]
    if not resampled:
        return results
    pair = systems[a], systems[b]

    def build() -> dict[str, tuple[float, float, Comparison]]:
        labels, scores, weights, _, complete = paired_scores(source, pair)
        options: dict[str, Any] = {"weights": weights, "higher_is_positive": source.higher_is_positive}
        tests = bootstrap_score_differences(
            resampled, labels, scores[0], scores[1], level=level, resamples=RESAMPLES, **options
        )
        states = [source.dataset.scored(system) for system in pair]
        if not complete:
            states = [ScoredLabels.from_arrays(labels, values, **options) for values in scores]
        values = [[float(measure(state)) for state in states] for measure in resampled]
        return {m.key: (a, b, test) for m, (a, b), test in zip(resampled, values, tests, strict=True)}

    keys = [measure.key for measure in resampled]
    return results | source.dataset.once(f"resampled\n{pair!r}\n{level}\n{keys}", None, build, rows=_RESULT)
