"""The numbers of two systems on the same rows, by every measure, and of the other systems beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalcore.analyses.margins import Margin, MarginResult, margin_result
from evalcore.analyses.paired_comparison import Difference, pairs_of, with_correction
from evalcore.analyses.paired_rows import PairedRows, comparable_systems, order_alike, paired_rows
from evalcore.analyses.row_differences import areas_of, row_differences
from evalcore.analyses.source import Source
from evalcore.inference import (
    ChiSquare,
    PairedChoice,
    PairedClasses,
    PairedCounts,
    mcnemar_of_counts,
    paired_differences,
    poor_coverage,
)
from evalcore.numeric import ratio
from evalcore.readers import text_of
from evalcore.registry import METRICS, MetricDef, measures_of

__all__ = ["SystemPair", "comparable_measures", "is_slow", "starting_measure"]

MOST, MOST_SLOW = 12, 6
"""Systems that are compared at once, and of those by a measure whose every difference takes a second."""

RATES = ("recall", "specificity", "precision", "negative_predictive_value", "accuracy")
"""Shares that are told by name where they oppose a verdict."""
MAIN = (*RATES, "balanced_accuracy", "f_beta", "matthews_correlation")
"""The measures that a forest shows."""


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
    choice: PairedChoice  # the level of the intervals, and the methods for shares
    correction: str  # a key of `evalcore.inference.METHODS`
    all_pairs: bool  # whether all pairs of systems are compared, where that is quick, and not all against A
    margin: Margin  # how much worse B may be, or how far apart the two, where that is asked

    @property
    def level(self) -> float:
        """Confidence of the intervals."""
        return self.choice.level

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
        return row_differences(self.source, self.rows, measures, self.choice, self.target, 0, 1)

    @cached_property
    def main_differences(self) -> list[Difference]:
        """The measures that are drawn, the chosen one among them."""
        if self.target is None:
            return self.all_differences
        measures = [METRICS[key] for key in MAIN]
        if self.source.scored_by == "system":
            measures.append(METRICS["roc_auc"])
        if self.measure.key not in [measure.key for measure in measures]:
            measures.insert(0, self.measure)
        return self.differences(measures)

    @cached_property
    def all_differences(self) -> list[Difference]:
        """Every measure of counts, or of the square table, with p-values corrected for all of them."""
        family = "matrix" if self.target is None else "counts"
        return with_correction(self.differences(measures_with_test(family)), self.correction)

    @cached_property
    def area_differences(self) -> list[Difference]:
        """Measures of the scores, which need no threshold; none for labels."""
        return self.differences(measures_with_test("scores")) if self.source.scored_by == "system" else []

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
            differences += row_differences(self.source, own, [self.measure], self.choice, self.target, *indices)
        return with_correction(differences, self.correction) if len(differences) > 1 else differences

    @property
    def difference(self) -> Difference:
        """B minus A by the chosen measure, corrected for all systems that are compared."""
        return self.system_differences[0]

    @cached_property
    def margin_result(self) -> MarginResult | None:
        """Whether B is not inferior to A, or equivalent; None where that is not asked."""
        return margin_result(self.system_differences, self.margin, self.level, self.correction)

    @cached_property
    def orders_alike(self) -> bool:
        """Whether A and B rank all rows alike, so that they differ in the scale of their scores only."""
        return self.source.scored_by == "system" and order_alike(self.source, self.a, self.b)

    @cached_property
    def opposing(self) -> list[Difference]:
        """Rates of the same table that are significantly worse for the system that the chosen measure prefers.

        By the p that is corrected for all measures of the table. Areas depend on no threshold: rates oppose them only
        where both systems flag the same share of the rows. Of several classes it is the recall of each.
        """
        side = self.difference.better(self.level)
        if not side or (self.measure.family == "scores" and self.cut != "flagged"):
            return []
        others = self.class_differences if self.target is None else rates_of(self)
        return [one for one in others if one.better(self.level) == -side]

    @cached_property
    def class_differences(self) -> list[Difference]:
        """B minus A in the recall of every class, which is the heading, with p-values corrected for all classes."""
        recall, differences = METRICS["recall"], []
        for name, counts in zip(self.rows.classes, self.rows.class_counts().right_by_class(), strict=True):
            both, only_a, only_b, neither = counts.tolist()
            test = mcnemar_of_counts(both, only_a, only_b, neither, self.level, self.choice.test)
            if self.rows.clusters is not None:
                (test,) = paired_differences([recall], self.rows.counts(name), self.level)
            n = float(counts.sum())
            values = float(ratio(both + only_a, n)), float(ratio(both + only_b, n))
            differences.append(Difference(self.a, self.b, recall, name, *values, test))
        return with_correction(differences, self.correction)

    @cached_property
    def overall(self) -> ChiSquare | None:
        """Whether the areas under the ROC curves of more than two systems could all be equal."""
        systems = self._first(MOST)
        several = self.source.scored_by == "system" and len(systems) > 2
        return areas_of(self.source, systems).overall() if several else None

    def coverage_note(self, measure: MetricDef) -> str:
        """A sentence where intervals like that of a measure are known to hold less, or more, than they say."""
        if self.target is None or self.level != 0.95 or self.rows.clusters is not None:
            return ""
        counts = self.rows.counts(self.target).a
        n, positives = float(counts.total), float(counts.actual_positives)
        methods = {"delong": "delong_difference", "bootstrap": "bootstrap_difference f_beta"}
        method = methods.get(measure.paired_test, "")
        if measure.paired_test == "share":
            method = f"score_difference {'accuracy' if measure.share_of == 'rows' else 'recall'}"
            if measure.share_of == "actual negatives":
                positives = n - positives  # what recall is to the positives, specificity is to the negatives
        return poor_coverage(method, n, positives / n) if 0 < positives < n else ""

    @property
    def common_rows(self) -> PairedRows:
        """The rows that all of `systems` have."""
        return self._rows(self.systems)

    def _rows(self, systems: tuple[str, ...]) -> PairedRows:
        return paired_rows(self.source, systems, self.cut, self.threshold)

    def _first(self, most: int) -> tuple[str, ...]:
        others = (system for system in comparable_systems(self.source) if system not in (self.a, self.b))
        return (self.a, self.b, *others)[:most]


def rates_of(comparison: Any) -> list[Difference]:
    """The rates of a comparison but for the measure of its verdict, as its table of all measures corrects them."""
    keys = [key for key in RATES if key != comparison.measure.key]
    alone = comparison.differences([METRICS[key] for key in keys])
    # All measures take a bootstrap, which is spared where nothing could oppose.
    if not any(one.better(comparison.level) for one in alone):
        return []
    corrected = {one.measure.key: one for one in comparison.all_differences}
    return [corrected[key] for key in keys]


def comparable_measures(source: Source, target: str | None) -> list[MetricDef]:
    """The measures by which two systems can be compared: of the square table where no class is the target."""
    if target is None:
        return measures_with_test("matrix")
    return measures_with_test("counts") + (measures_with_test("scores") if source.scored_by == "system" else [])


def starting_measure(source: Source, target: str | None) -> MetricDef:
    """What the verdict goes by where nobody chose: the AUC of scores, for which no threshold has to be fair to both."""
    if target is None:
        return METRICS["overall_accuracy"]
    return METRICS["roc_auc" if source.scored_by == "system" else "recall"]


def is_slow(measure: MetricDef) -> bool:
    """Whether each difference takes a second of resampling."""
    return measure.paired_test == "bootstrap" and measure.family != "counts"


def measures_with_test(family: str) -> list[MetricDef]:
    """The measures of a family by which two systems are compared."""
    return [measure for measure in measures_of(family) if measure.paired_test]
