"""Comparison of two independent samples: two data sets, or two systems known by their counts."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from evalcore.analyses.compare.paired_comparison import Difference, Margin, cautions, with_correction
from evalcore.analyses.compare.paired_systems import ComparedMeasures, Results, kept_differences, measures_with_test
from evalcore.analyses.compare.samples import Sample, sample_note, shared_correlation, tests_of_samples
from evalcore.analyses.compare.system_comparison import sample_formulas
from evalcore.analyses.data import CUTS, Source, check, literal, script
from evalcore.classification import flag_goal, predicted_prevalence, youden_goal
from evalcore.inference import METHODS, independent_differences
from evalcore.inference.independent import independent_matrix_differences, independent_score_differences
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import count_text

__all__ = ["SAMPLE_CUTS", "SampleComparison", "compare_samples"]

SAMPLE_CUTS = CUTS | {"page": "The same threshold for both", "flagged": "B flags the same share as A"}
"""Ways to choose the thresholds of two samples."""


@dataclass(frozen=True, eq=False)
class SampleComparison(ComparedMeasures):
    """Comparison of two independent samples, from `compare_samples`."""

    a: Sample
    b: Sample
    # The class that is set against the rest; None compares all classes at once. Comes from a file: escape it.
    target: str | None
    cut: str  # a key of `SAMPLE_CUTS`
    measure: MetricDef  # what the verdict goes by
    level: float = 0.95
    correction: str = "holm"
    margin: Margin = Margin()  # noqa: RUF009 (frozen)

    @cached_property
    def names(self) -> tuple[str, str]:
        """Distinct names of A and B: systems, or data sets. Unescaped text from a file."""
        systems, titles = ([str(self.a.system), str(self.b.system)], [self.a.source.title, self.b.source.title])
        several = any(len(one.systems) > 1 for one in (self.a, self.b))
        names = systems if systems[0] != systems[1] and (several or self.a.has_rows_of(self.b)) else titles
        return (f"{names[0]} (A)", f"{names[1]} (B)") if names[0] == names[1] else (names[0], names[1])

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of both; of two, none."""
        return self.a.shared_classes(self.b)

    @property
    def of_classes(self) -> bool:
        """Whether all classes are compared at once."""
        return self.target is None and bool(self.classes)

    def measures(self) -> list[MetricDef]:
        """Measures for comparing the two samples."""
        if self.of_classes:
            return measures_with_test("matrix")
        both = self.a.scored_for(self.target) is not None and self.b.scored_for(self.target) is not None
        return measures_with_test("counts") + (measures_with_test("scores") if both else [])

    def differences(self, measures: Sequence[MetricDef]) -> list[Difference]:
        """B minus A by some measures, in their order."""
        compare = {family: partial(self._test, family) for family in ("counts", "matrix", "scores")}
        known = self.a.key, self.b.key, self.target, self.level
        # Kept with the first data set.
        return kept_differences(self.a.source.dataset, "samples", self.names, measures, lambda _: known, compare)

    @cached_property
    def _alike(self) -> Callable[[MetricDef], float]:
        """Correlation of the values of a measure in both, through patients with rows in both."""
        return shared_correlation(self.a, self.b, self.target, self.classes)

    def _test(self, family: str, measures: list[MetricDef]) -> Results:
        """Value of A and of B by each measure of a family, and the test of their difference."""
        state_of: Callable[[Sample], Any]
        compare, state_of = {
            "counts": (independent_differences, lambda side: side.counts(self.target)),
            "matrix": (independent_matrix_differences, lambda side: side.matrix_of(self.classes)),
            "scores": (independent_score_differences, lambda side: side.scored_for(self.target)),
        }[family]
        a, b = state_of(self.a), state_of(self.b)
        tests = compare(measures, a, b, level=self.level, alike=self._alike)
        return {one.key: (float(one(a)), float(one(b)), test) for one, test in zip(measures, tests, strict=True)}

    @cached_property
    def system_differences(self) -> list[Difference]:
        """B minus A by the chosen measure, alone."""
        return self.differences([self.measure])

    @cached_property
    def all_differences(self) -> list[Difference]:
        """Differences B minus A in every measure, with corrected p-values."""
        return with_correction(self.differences(self.measures()), self.correction)

    @cached_property
    def class_differences(self) -> list[Difference]:
        """Differences B minus A in the recall of each class, with p-values corrected for the classes."""
        recall, differences = METRICS["recall"], []
        for name in self.classes:
            a, b = self.a.counts(name), self.b.counts(name)
            alike = shared_correlation(self.a, self.b, name, self.classes)
            (test,) = independent_differences([recall], a, b, level=self.level, alike=alike)
            differences.append(Difference(*self.names, recall, name, float(recall(a)), float(recall(b)), test))
        return with_correction(differences, self.correction)

    @property
    def verdict(self) -> str:
        """Verdict on B against A, in Markdown: a bold headline and its reasons."""
        one = self.difference
        if one.undefined:
            return f"**The {one.noun} cannot tell them apart.**  \nIt is undefined: {one.undefined}."
        return f"**{self.headline}**  \n{one.sides}: {one.operation} {one.result(self.level, '', 1)}."

    @property
    def note(self) -> str:
        """Note on the design, the thresholds and other differences between the samples, in Markdown."""
        return sample_note(self.a, self.b, self.classes, self.target, self.cut, self.measure, self.level)

    @property
    def measures_note(self) -> str:
        """Note on the tests of the measures in the table."""
        count = sum(not math.isnan(one.test.p_value) for one in self.all_differences)
        return (
            f"{tests_of_samples(self.a, self.b, METRICS['roc_auc'] in self.measures())} Corrected p: "
            f"{METHODS[self.correction]}, for all {count_text(count)} measures of the table. "
            f"{cautions(self.all_differences)}"
        ).rstrip()

    @property
    def formulas(self) -> str:
        """The tests and the chosen measure with its numbers, in Markdown."""
        counts = []
        if self.measure.family == "counts":
            counts = [(name, side.counts(self.target)) for name, side in zip(self.names, (self.a, self.b), strict=True)]
        clustered = any(side.source.cluster_words for side in (self.a, self.b))
        return sample_formulas(self.measure, counts, clustered)

    @property
    def code(self) -> str:
        """Python that compares the two again and asserts the numbers."""
        one, sides = self.difference, []
        for word, side in (("a", self.a), ("b", self.b)):
            sides += [side.source.code, f"{word} = Source.of(data, {side.source.system!r}, {side.sample!r})"]
        arguments = f"target={self.target!r}, cut={self.cut!r}, threshold={literal(self.a.threshold)}"
        if self.a.source.scored_by == "class" or self.b.source.scored_by == "class":
            arguments += f", predictions={(self.a.system, self.b.system)!r}"
        return script(
            *sides,
            f"comparison = compare_samples(\n    a, b, {arguments},\n    measure=METRICS[{self.measure.key!r}], "
            f"level={self.level}, correction={self.correction!r}, margin={self.margin!r},\n)",
            "test = comparison.difference.test",
            "numbers = [test.estimate, test.interval.low, test.interval.high, test.p_value]",
            check("numbers", [one.estimate, one.low, one.high, one.test.p_value]),
            *self.margin_code,
            "print(comparison.verdict)",
        )


def compare_samples(
    a: Source, b: Source, *,
    target: str | None = "", cut: str = "", threshold: float | None = None, measure: MetricDef | None = None,
    level: float = 0.95, correction: str = "holm", margin: Margin | None = None,
    predictions: tuple[str | None, str | None] = (None, None),
) -> SampleComparison:  # fmt: skip
    """Compare two data sets, or two systems of a file of counts, as independent samples.

    Each source has its system chosen; b is as `fitted_source` gives it. The target class is set against the rest; by
    default and with more than two classes all are compared at once. The cut is a key of `SAMPLE_CUTS`, by default one
    threshold where the scores of both have one scale; the threshold is that of A, by default the one its scores start
    from. Of class probabilities the predictions say what predicts the class, by default the most probable one. Other
    settings are as in `compare_systems`. Raises ReadProblem when the classes have nothing in common, or the data of one
    cannot be used.
    """
    of_a, of_b = Sample.of(a, predictions[0], threshold), Sample.of(b, predictions[1])
    classes = of_a.shared_classes(of_b)
    cut = cut or ("page" if of_a.has_scale_of(of_b) else "youden")
    if of_a.scores is not None and of_b.scores is not None:
        if cut == "youden":
            of_a, of_b = of_a.at_goal(youden_goal()), of_b.at_goal(youden_goal())
        elif cut == "flagged":
            of_b = of_b.at_goal(flag_goal(share=float(predicted_prevalence(of_a.counts(None)))))
        else:
            of_b = replace(of_b, threshold=of_a.threshold)
    target, usual = target if target in classes else None, METRICS["recall"]
    comparison = SampleComparison(of_a, of_b, target, cut, usual, level, correction, margin or Margin())
    known = {one.key: one for one in comparison.measures()}
    key = "overall_accuracy" if classes and target is None else "roc_auc"
    chosen = measure if measure is not None and measure.key in known else known.get(key, usual)
    return replace(comparison, measure=chosen)
