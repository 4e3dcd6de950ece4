"""The differences of two systems on the same rows by measures of any family, each with the test that fits it."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from evalcore.analyses.paired_comparison import Difference, exact_if_few_rows
from evalcore.analyses.paired_rows import PairedRows, paired_scores
from evalcore.analyses.source import Source
from evalcore.classification import ScoredLabels
from evalcore.inference import (
    Comparison,
    CorrelatedAreas,
    Interval,
    PairedChoice,
    bootstrap_score_differences,
    correlated_areas,
    mcnemar_differences,
)
from evalcore.readers import clusters_at
from evalcore.registry import MetricDef

__all__ = ["areas_of", "differences_within", "row_differences"]

RESAMPLES, MOST_CLASSES = 1000, 60
"""Resamples of the rows for measures of scores, and classes up to which measures of the square table are resampled."""

Pair = tuple[int, int]
Results = dict[str, tuple[float, float, Comparison]]
"""By measure: its value for A and for B, and the test of their difference."""

_RESULT = 100_000
"""Rows that a stored result counts as, so that some hundred of them are kept."""


def areas_of(source: Source, systems: tuple[str, ...]) -> CorrelatedAreas:
    """The areas under the ROC curves of some systems with their covariance, on the rows that all of them have."""

    def build() -> CorrelatedAreas:
        labels, scores, weights, rows, _ = paired_scores(source, systems)
        beside = {"weights": weights, "clusters": clusters_at(source.dataset, rows)}
        return correlated_areas(labels, scores, **beside, higher_is_positive=source.higher_is_positive)

    return source.dataset.once(f"areas\n{systems!r}", None, build, rows=_RESULT)


def row_differences(
    source: Source,
    rows: PairedRows,
    measures: Sequence[MetricDef],
    choice: PairedChoice,
    target: str | None,
    a: int,
    b: int,
) -> list[Difference]:
    """Two systems, by their places in some rows, by measures of any family, each with the test that fits it."""
    systems, results = (rows.systems[a], rows.systems[b]), {}
    for family, compare in (("counts", _by_counts), ("matrix", _by_matrices), ("scores", _by_scores)):
        if own := [measure for measure in measures if measure.family == family]:
            # What is read off the scores depends on no threshold.
            setting = () if family == "scores" else (target, rows.thresholds)
            key = repr((family, rows.systems, a, b, choice, [measure.key for measure in own], setting))
            build = partial(compare, source, rows, own, choice, target, (a, b))
            results |= source.dataset.once(f"differences\n{key}", None, build, rows=_RESULT)
    return [Difference(*systems, measure, measure.name, *results[measure.key]) for measure in measures]


def differences_within(
    source: Source, rows: PairedRows, measure: MetricDef, choice: PairedChoice, target: str | None
) -> Difference:
    """B minus A on some rows by a measure of counts or of the square table; not stored."""
    compare = _by_counts if measure.family == "counts" else _by_matrices
    a, b, test = compare(source, rows, [measure], choice, target, (0, 1))[measure.key]
    return Difference(rows.systems[0], rows.systems[1], measure, measure.name, a, b, test)


def _by_counts(
    _source: Source,
    rows: PairedRows,
    measures: list[MetricDef],
    choice: PairedChoice,
    target: str | None,
    indices: Pair,
) -> Results:
    paired = rows.counts(target if target in rows.classes else rows.classes[-1], *indices)
    tests = mcnemar_differences(measures, paired, choice)
    return {m.key: (float(m(paired.a)), float(m(paired.b)), test) for m, test in zip(measures, tests, strict=True)}


def _by_matrices(
    _source: Source,
    rows: PairedRows,
    measures: list[MetricDef],
    choice: PairedChoice,
    _target: str | None,
    indices: Pair,
) -> Results:
    paired, few = rows.class_counts(*indices), len(rows.classes) <= MOST_CLASSES
    tested = [measure for measure in measures if few or measure.paired_test == "share"]
    tests = dict(zip((m.key for m in tested), mcnemar_differences(tested, paired, choice), strict=True))
    results: Results = {}
    for measure in measures:
        a, b = (float(measure(matrix)) for matrix in paired.matrices())
        unknown = Interval(b - a, math.nan, math.nan)
        untested = Comparison("not tested", b - a, unknown, math.nan, math.nan, round(paired.n))
        results[measure.key] = a, b, tests.get(measure.key, untested)
    return results


def _by_scores(
    source: Source,
    rows: PairedRows,
    measures: list[MetricDef],
    choice: PairedChoice,
    _target: str | None,
    indices: Pair,
) -> Results:
    results: Results = {}
    pair = tuple(rows.systems[index] for index in indices)
    for measure in measures:
        if measure.paired_test == "delong":
            # All areas at once where all have the same rows: each system is then sorted once.
            areas, scale = areas_of(source, rows.systems), measure.highest - measure.lowest
            a, b = (measure.lowest + scale * areas.estimates[[*indices]]).tolist()
            test = areas.compared(*indices, choice.level).scaled(scale)
            results[measure.key] = a, b, exact_if_few_rows(source, pair, measure, test, choice.level)
    if resampled := [measure for measure in measures if measure.key not in results]:
        labels, (of_a, of_b), weights, numbers, complete = paired_scores(source, pair)
        options: dict[str, Any] = {"weights": weights, "higher_is_positive": source.higher_is_positive}
        options["clusters"] = clusters_at(source.dataset, numbers)
        states = [source.dataset.scored(system) for system in pair]
        if not complete:
            states = [ScoredLabels.from_arrays(labels, values, **options) for values in (of_a, of_b)]
        tests = bootstrap_score_differences(
            resampled, labels, of_a, of_b, level=choice.level, resamples=RESAMPLES, **options
        )
        for measure, test in zip(resampled, tests, strict=True):
            results[measure.key] = float(measure(states[0])), float(measure(states[1])), test
    return results
