"""The differences of two systems on the same rows by measures of any family, each with the test that fits it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
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

Results = dict[str, tuple[float, float, Comparison]]
"""By measure: its value for A and for B, and the test of their difference."""

_RESULT = 100_000
"""Rows that a stored result counts as, so that some hundred of them are kept."""


@dataclass(frozen=True, eq=False)
class _RowPair:
    """Two systems by their places in some rows, and how they are compared."""

    source: Source
    rows: PairedRows
    choice: PairedChoice
    target: str | None
    places: tuple[int, int] = (0, 1)

    @property
    def systems(self) -> tuple[str, str]:
        return self.rows.systems[self.places[0]], self.rows.systems[self.places[1]]


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
    pair, results = _RowPair(source, rows, choice, target, (a, b)), {}
    for family, compare in (("counts", _by_counts), ("matrix", _by_matrices), ("scores", _by_scores)):
        if own := [measure for measure in measures if measure.family == family]:
            # What is read off the scores depends on no threshold.
            setting = () if family == "scores" else (target, rows.thresholds)
            key = repr((family, rows.systems, a, b, choice, [measure.key for measure in own], setting))
            build = partial(compare, pair, own)
            results |= source.dataset.once(f"differences\n{key}", None, build, rows=_RESULT)
    return [Difference(*pair.systems, measure, measure.name, *results[measure.key]) for measure in measures]


def differences_within(
    source: Source, rows: PairedRows, measure: MetricDef, choice: PairedChoice, target: str | None
) -> Difference:
    """B minus A on some rows by a measure of counts or of the square table; not stored."""
    pair, compare = _RowPair(source, rows, choice, target), _by_counts if measure.family == "counts" else _by_matrices
    a, b, test = compare(pair, [measure])[measure.key]
    return Difference(*pair.systems, measure, measure.name, a, b, test)


def _by_counts(pair: _RowPair, measures: list[MetricDef]) -> Results:
    target = pair.target if pair.target in pair.rows.classes else pair.rows.classes[-1]
    paired = pair.rows.counts(target, *pair.places)
    tests = mcnemar_differences(measures, paired, pair.choice)
    return {m.key: (float(m(paired.a)), float(m(paired.b)), test) for m, test in zip(measures, tests, strict=True)}


def _by_matrices(pair: _RowPair, measures: list[MetricDef]) -> Results:
    paired, few = pair.rows.class_counts(*pair.places), len(pair.rows.classes) <= MOST_CLASSES
    tested = [measure for measure in measures if few or measure.paired_test == "share"]
    tests = dict(zip((m.key for m in tested), mcnemar_differences(tested, paired, pair.choice), strict=True))
    results: Results = {}
    for measure in measures:
        a, b = (float(measure(matrix)) for matrix in paired.matrices())
        unknown = Interval(b - a, math.nan, math.nan)
        untested = Comparison("not tested", b - a, unknown, math.nan, math.nan, round(paired.n))
        results[measure.key] = a, b, tests.get(measure.key, untested)
    return results


def _by_scores(pair: _RowPair, measures: list[MetricDef]) -> Results:
    results: Results = {}
    source, choice = pair.source, pair.choice
    for measure in measures:
        if measure.paired_test == "delong":
            # All areas at once where all have the same rows: each system is then sorted once.
            areas, scale = areas_of(source, pair.rows.systems), measure.highest - measure.lowest
            a, b = (measure.lowest + scale * areas.estimates[[*pair.places]]).tolist()
            test = areas.compared(*pair.places, choice.level).scaled(scale)
            results[measure.key] = a, b, exact_if_few_rows(source, pair.systems, measure, test, choice.level)
    if resampled := [measure for measure in measures if measure.key not in results]:
        labels, (of_a, of_b), weights, numbers, complete = paired_scores(source, pair.systems)
        options: dict[str, Any] = {"weights": weights, "higher_is_positive": source.higher_is_positive}
        options["clusters"] = clusters_at(source.dataset, numbers)
        states = [source.dataset.scored(system) for system in pair.systems]
        if not complete:
            states = [ScoredLabels.from_arrays(labels, values, **options) for values in (of_a, of_b)]
        tests = bootstrap_score_differences(
            resampled, labels, of_a, of_b, level=choice.level, resamples=RESAMPLES, **options
        )
        for measure, test in zip(resampled, tests, strict=True):
            results[measure.key] = float(measure(states[0])), float(measure(states[1])), test
    return results
