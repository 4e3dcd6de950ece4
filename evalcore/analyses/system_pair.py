"""The numbers of two systems on the same rows, by every measure, and of the other systems beside them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from evalcore.analyses.paired_comparison import Difference, exact_if_few_rows, pairs_of, with_correction
from evalcore.analyses.paired_rows import PairedRows, comparable_systems, order_alike, paired_rows, paired_scores
from evalcore.analyses.source import Source
from evalcore.classification import ScoredLabels
from evalcore.inference import (
    ChiSquare,
    Comparison,
    CorrelatedAreas,
    Interval,
    PairedClasses,
    PairedCounts,
    bootstrap_score_differences,
    correlated_areas,
    mcnemar_differences,
    mcnemar_of_counts,
)  # fmt: skip
from evalcore.numeric import ratio
from evalcore.readers import text_of
from evalcore.registry import METRICS, MetricDef, measures_of

__all__ = ["SystemPair", "comparable_measures", "differences_within", "is_slow", "starting_measure"]

MOST, MOST_SLOW = 12, 6
"""Systems that are compared at once, and of those by a measure whose every difference takes a second."""

RESAMPLES, MOST_CLASSES = 1000, 60
"""Resamples of the rows for measures of scores, and classes up to which measures of the square table are resampled."""

Pair = tuple[int, int]
Results = dict[str, tuple[float, float, Comparison]]
"""By measure: its value for A and for B, and the test of their difference."""

_RESULT = 100_000
"""Rows that a stored result counts as, so that some hundred of them are kept."""

_RATES = ("recall", "specificity", "precision", "negative_predictive_value", "accuracy")
_MAIN = (*_RATES, "balanced_accuracy", "f_beta", "matthews_correlation")


@dataclass(frozen=True, eq=False)
class SystemPair:
    """Two systems on the same rows and how they are compared."""

    source: Source
    # The two systems, whose names come from a file: escape them; and their rows.
    a: str
    b: str
    rows: PairedRows
    # The class that is set against the rest; None compares all classes at once. Comes from a file: escape it.
    target: str | None
    # A key of `CUTS`; the threshold of A on the scale of the file, nan for labels.
    cut: str
    threshold: float
    measure: MetricDef  # what the verdict goes by
    # Confidence of the intervals; a key of `evalcore.inference.METHODS`.
    level: float
    correction: str
    all_pairs: bool  # whether all pairs of systems are compared, where that is quick, and not all against A

    @cached_property
    def class_words(self) -> tuple[str, str]:
        """The target and its rest in words. Come from a file: escape them."""
        if self.target is None:
            return "", ""
        if self.source.scored_by == "system":
            return self.rows.classes[1], self.rows.classes[0]
        if len(self.rows.classes) == 2 and text_of(self.source.positive) == self.target:
            return self.source.class_names(self.a)
        rest = [name for name in self.rows.classes if name != self.target]
        return self.target, rest[0] if len(rest) == 1 else f"not {self.target}"

    @cached_property
    def counts(self) -> PairedCounts | PairedClasses:
        """The rows by what they are and what both answer."""
        return self.rows.class_counts() if self.target is None else self.rows.counts(self.target)

    def right(self, among: str = "all") -> tuple[float, float, float, float]:
        """Rows that both, only A, only B and neither has right: "all", or of the class "positive" or "negative"."""
        if isinstance(self.counts, PairedClasses):
            return self.counts.right().right()
        return self.counts.right({"all": None, "positive": True, "negative": False}[among])

    def differences(self, measures: Sequence[MetricDef]) -> list[Difference]:
        """B minus A by some measures, in their order."""
        return row_differences(self.source, self.rows, measures, self.level, self.target, 0, 1)

    @cached_property
    def main_differences(self) -> list[Difference]:
        """The measures that are drawn, the chosen one among them."""
        if self.target is None:
            return self.all_differences
        measures = [METRICS[key] for key in _MAIN]
        if self.source.scored_by == "system":
            measures.append(METRICS["roc_auc"])
        if self.measure.key not in [measure.key for measure in measures]:
            measures.insert(0, self.measure)
        return self.differences(measures)

    @cached_property
    def all_differences(self) -> list[Difference]:
        """Every measure of counts, or of the square table, with p-values corrected for all of them."""
        family = "matrix" if self.target is None else "counts"
        return with_correction(self.differences(_tested(family)), self.correction)

    @cached_property
    def area_differences(self) -> list[Difference]:
        """Measures of the scores, which need no threshold; none for labels."""
        return self.differences(_tested("scores")) if self.source.scored_by == "system" else []

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """A, B and the first of the others, as many as are compared at once."""
        return self._first(MOST_SLOW if is_slow(self.measure) else MOST)

    @property
    def compares_all_pairs(self) -> bool:
        """Whether all pairs of systems are compared, and not all against A."""
        return self.all_pairs and not is_slow(self.measure)

    @cached_property
    def system_differences(self) -> list[Difference]:
        """All these systems by the chosen measure, A and B first: each pair on the rows that both have."""
        rows, differences = self.common_rows, []
        for a, b in pairs_of(self.systems, self.a, self.compares_all_pairs):
            own, indices = rows, (self.systems.index(a), self.systems.index(b))
            if not rows.complete:
                # Where B flags as many as A, A has to have the rows too.
                three = self.cut == "flagged" and a != self.a
                own, indices = self._rows((self.a, a, b) if three else (a, b)), (1, 2) if three else (0, 1)
            differences += row_differences(self.source, own, [self.measure], self.level, self.target, *indices)
        return with_correction(differences, self.correction) if len(differences) > 1 else differences

    @property
    def difference(self) -> Difference:
        """B minus A by the chosen measure, corrected for all systems that are compared."""
        return self.system_differences[0]

    @cached_property
    def orders_alike(self) -> bool:
        """Whether A and B rank all rows alike, so that they differ in the scale of their scores only."""
        return self.source.scored_by == "system" and order_alike(self.source, self.a, self.b)

    @cached_property
    def opposing(self) -> list[Difference]:
        """Rates of the same table that are significantly worse for the system that the chosen measure prefers.

        Areas depend on no threshold: rates oppose them only where both systems flag the same share of the rows. Of
        several classes it is the recall of each.
        """
        side = self.difference.better(self.level)
        if not side or (self.measure.family == "scores" and self.cut != "flagged"):
            return []
        rates = [METRICS[key] for key in _RATES if key != self.measure.key]
        others = self.class_differences if self.target is None else self.differences(rates)
        return [one for one in others if one.better(self.level) == -side]

    @cached_property
    def class_differences(self) -> list[Difference]:
        """B minus A in the recall of every class, which is the heading, with p-values corrected for all classes."""
        recall, differences = METRICS["recall"], []
        for name, counts in zip(self.rows.classes, self.rows.class_counts().right_by_class(), strict=True):
            both, only_a, only_b, neither = counts.tolist()
            test, n = mcnemar_of_counts(both, only_a, only_b, neither, self.level), float(counts.sum())
            values = float(ratio(both + only_a, n)), float(ratio(both + only_b, n))
            differences.append(Difference(self.a, self.b, recall, name, *values, test))
        return with_correction(differences, self.correction)

    @cached_property
    def overall(self) -> ChiSquare | None:
        """Whether the areas under the ROC curves of more than two systems could all be equal."""
        systems = self._first(MOST)
        several = self.source.scored_by == "system" and len(systems) > 2
        return areas_of(self.source, systems).overall() if several else None

    @property
    def common_rows(self) -> PairedRows:
        """The rows that all of `systems` have."""
        return self._rows(self.systems)

    def _rows(self, systems: tuple[str, ...]) -> PairedRows:
        return paired_rows(self.source, systems, self.cut, self.threshold)

    def _first(self, most: int) -> tuple[str, ...]:
        others = (system for system in comparable_systems(self.source) if system not in (self.a, self.b))
        return (self.a, self.b, *others)[:most]


def comparable_measures(source: Source, target: str | None) -> list[MetricDef]:
    """The measures by which two systems can be compared: of the square table where no class is the target."""
    if target is None:
        return _tested("matrix")
    return _tested("counts") + (_tested("scores") if source.scored_by == "system" else [])


def starting_measure(source: Source, target: str | None) -> MetricDef:
    """What the verdict goes by where nobody chose: the AUC of scores, for which no threshold has to be fair to both."""
    if target is None:
        return METRICS["overall_accuracy"]
    return METRICS["roc_auc" if source.scored_by == "system" else "recall"]


def is_slow(measure: MetricDef) -> bool:
    """Whether each difference takes a second of resampling."""
    return measure.paired_test == "bootstrap" and measure.family != "counts"


def areas_of(source: Source, systems: tuple[str, ...]) -> CorrelatedAreas:
    """The areas under the ROC curves of some systems with their covariance, on the rows that all of them have."""

    def build() -> CorrelatedAreas:
        labels, scores, weights, *_ = paired_scores(source, systems)
        return correlated_areas(labels, scores, weights=weights, higher_is_positive=source.higher_is_positive)

    return source.dataset.once(f"areas\n{systems!r}", None, build, rows=_RESULT)


def row_differences(
    source: Source, rows: PairedRows, measures: Sequence[MetricDef], level: float, target: str | None, a: int, b: int
) -> list[Difference]:
    """Two systems, by their places in some rows, by measures of any family, each with the test that fits it."""
    systems, results = (rows.systems[a], rows.systems[b]), {}
    for family, compare in (("counts", _by_counts), ("matrix", _by_matrices), ("scores", _by_scores)):
        if own := [measure for measure in measures if measure.family == family]:
            # What is read off the scores depends on no threshold.
            setting = () if family == "scores" else (target, rows.thresholds)
            key = repr((family, rows.systems, a, b, level, [measure.key for measure in own], setting))
            build = partial(compare, source, rows, own, level, target, (a, b))
            results |= source.dataset.once(f"differences\n{key}", None, build, rows=_RESULT)
    return [Difference(*systems, measure, measure.name, *results[measure.key]) for measure in measures]


def differences_within(
    source: Source, rows: PairedRows, measure: MetricDef, level: float, target: str | None
) -> Difference:
    """B minus A on some rows by a measure of counts or of the square table; not stored."""
    compare = _by_counts if measure.family == "counts" else _by_matrices
    a, b, test = compare(source, rows, [measure], level, target, (0, 1))[measure.key]
    return Difference(rows.systems[0], rows.systems[1], measure, measure.name, a, b, test)


def _by_counts(
    _source: Source, rows: PairedRows, measures: list[MetricDef], level: float, target: str | None, indices: Pair
) -> Results:
    paired = rows.counts(target if target in rows.classes else rows.classes[-1], *indices)
    tests = mcnemar_differences(measures, paired, level)
    return {m.key: (float(m(paired.a)), float(m(paired.b)), test) for m, test in zip(measures, tests, strict=True)}


def _by_matrices(
    _source: Source, rows: PairedRows, measures: list[MetricDef], level: float, _target: str | None, indices: Pair
) -> Results:
    paired, few = rows.class_counts(*indices), len(rows.classes) <= MOST_CLASSES
    tested = [measure for measure in measures if few or measure.paired_test == "share"]
    tests = dict(zip((m.key for m in tested), mcnemar_differences(tested, paired, level), strict=True))
    results: Results = {}
    for measure in measures:
        a, b = (float(measure(matrix)) for matrix in paired.matrices())
        unknown = Interval(b - a, math.nan, math.nan)
        untested = Comparison("not tested", b - a, unknown, math.nan, math.nan, round(paired.n))
        results[measure.key] = a, b, tests.get(measure.key, untested)
    return results


def _by_scores(
    source: Source, rows: PairedRows, measures: list[MetricDef], level: float, _target: str | None, indices: Pair
) -> Results:
    results: Results = {}
    pair = tuple(rows.systems[index] for index in indices)
    for measure in measures:
        if measure.paired_test == "delong":
            # All areas at once where all have the same rows: each system is then sorted once.
            areas, scale = areas_of(source, rows.systems), measure.highest - measure.lowest
            a, b = (measure.lowest + scale * areas.estimates[[*indices]]).tolist()
            test = areas.compared(*indices, level).scaled(scale)
            results[measure.key] = a, b, exact_if_few_rows(source, pair, measure, test, level)
    if resampled := [measure for measure in measures if measure.key not in results]:
        labels, (of_a, of_b), weights, _, complete = paired_scores(source, pair)
        options: dict[str, Any] = {"weights": weights, "higher_is_positive": source.higher_is_positive}
        states = [source.dataset.scored(system) for system in pair]
        if not complete:
            states = [ScoredLabels.from_arrays(labels, values, **options) for values in (of_a, of_b)]
        tests = bootstrap_score_differences(resampled, labels, of_a, of_b, level=level, resamples=RESAMPLES, **options)
        for measure, test in zip(resampled, tests, strict=True):
            results[measure.key] = float(measure(states[0])), float(measure(states[1])), test
    return results


def _tested(family: str) -> list[MetricDef]:
    return [measure for measure in measures_of(family) if measure.paired_test]
