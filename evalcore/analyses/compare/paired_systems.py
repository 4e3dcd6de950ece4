"""Differences of two systems on the same rows by every measure, and of further systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from evalcore import inference
from evalcore.analyses.compare import paired_comparison
from evalcore.analyses.compare.paired_comparison import Compared, Difference, Margin, pairs_of, with_correction
from evalcore.analyses.data import CalledRows, PairedRows, Scores, Source, bins_of, comparable_systems, system_name
from evalcore.analyses.data.binned_scores import certainly, engines_extra
from evalcore.analyses.data.label_pairs import paired_rows, paired_scores
from evalcore.analyses.data.measure_table import formula_of_counts
from evalcore.classification import ConfusionCounts, ScoredLabels, roc_auc
from evalcore.numeric import ratio, rows_counted
from evalcore.readers import DataSet, Pair, clusters_at, each_counts_alike, text_of
from evalcore.readers.steps.rows import counts_of
from evalcore.registry import METRICS, MetricDef, measures_of
from evalcore.wording import count_text, label_markdown, level_text, many_text, measure_markdown, measure_word
from evalcore.wording.numbers import latex_value

if TYPE_CHECKING:
    from evalcore.engines import Bounds, StoredTable

__all__ = ["SystemPair", "comparable_measures", "pair_note", "paired_at", "starting_measure"]

RESAMPLES, MOST_CLASSES = 1000, 60
"""Resamples of the rows for measures of scores, and classes up to which measures of the square table are resampled."""

Results = dict[str, tuple[float, float, inference.Comparison]]
"""By measure: its value for A and for B, and the test of their difference."""

MOST_NAMED = 4  # rates, or classes, that oppose a verdict by name
RESULT = 100_000  # rows that a stored result counts as, so that some hundred of them are kept
_MOST_MOVES = 3  # largest number of times that exact counts may move the thresholds
MOST, MOST_SLOW = 12, 6
"""Systems that are compared at once, and of those by a measure whose every difference takes a second."""
RATES = ("recall", "specificity", "precision", "negative_predictive_value", "accuracy")
"""Rates that oppose a verdict by name."""
MAIN = (*RATES, "balanced_accuracy", "f_beta", "matthews_correlation")  # the measures that a forest shows


def areas_of(source: Source, systems: tuple[str, ...]) -> inference.CorrelatedAreas:
    """Areas under the ROC curves of several systems with their covariance, on their common rows."""

    def build() -> inference.CorrelatedAreas:
        labels, scores, weights, rows, _ = paired_scores(source, systems)
        beside = {"weights": weights, "clusters": clusters_at(source.dataset, rows)}
        return inference.correlated_areas(labels, scores, **beside, higher_is_positive=source.higher_is_positive)

    return source.dataset.once(f"areas\n{systems!r}", None, build, rows=RESULT)


def kept_differences(
    dataset: DataSet, name: str, systems: tuple[str, str], measures: Sequence[MetricDef], key: Callable[[str], object],
    compare: Mapping[str, Callable[[list[MetricDef]], Results]], stored: bool = True,
) -> list[Difference]:  # fmt: skip
    """Differences of two systems in measures of any family, each by its function; kept by all that they depend on.

    That is the name, the measures of a family, and what `key` gives for the family.
    """
    results: Results = {}
    for family, test in compare.items():
        if own := [measure for measure in measures if measure.family == family]:
            known = f"{name}\n{(family, [measure.key for measure in own], key(family))!r}"
            results |= dataset.once(known, None, partial(test, own), rows=RESULT) if stored else test(own)
    return [Difference(*systems, measure, measure.name, *results[measure.key]) for measure in measures]


def row_differences(
    source: Source, rows: PairedRows, measures: Sequence[MetricDef], choice: inference.PairedChoice,
    target: str | None, a: int = 0, b: int = 1, stored: bool = True,
) -> list[Difference]:  # fmt: skip
    """Differences of two systems, given by index, in measures of any family, each with the test that fits."""
    compare: dict[str, Callable[[list[MetricDef]], Results]] = {
        "counts": lambda own: _by_tables(
            rows.counts(target if target in rows.classes else rows.classes[-1], a, b), own, choice
        ),
        "matrix": lambda own: _by_tables(rows.class_counts(a, b), own, choice),
        "scores": lambda own: _by_scores(source, rows.systems, (a, b), own, choice.level),
    }

    def key(family: str) -> object:
        # What is read off the scores depends on no threshold.
        return rows.systems, a, b, choice, () if family == "scores" else (target, rows.thresholds)

    pair = rows.systems[a], rows.systems[b]
    return kept_differences(source.dataset, "differences", pair, measures, key, compare, stored)


def _by_tables(
    paired: inference.PairedCounts | inference.PairedClasses, measures: list[MetricDef], choice: inference.PairedChoice
) -> Results:
    """By measures of counts or of the confusion matrix; of very many classes, only shares are tested."""
    tables, tested = (paired.a, paired.b), measures
    if isinstance(paired, inference.PairedClasses):
        few, tables = len(paired.classes) <= MOST_CLASSES, paired.matrices()
        tested = [measure for measure in measures if few or measure.paired_test == "share"]
    tests = dict(zip((m.key for m in tested), inference.mcnemar_differences(tested, paired, choice), strict=True))
    results: Results = {}
    for measure in measures:
        a, b = (float(measure(table)) for table in tables)
        unknown = inference.Interval(b - a, math.nan, math.nan)
        untested = inference.Comparison("not tested", b - a, unknown, math.nan, math.nan, round(paired.n))
        results[measure.key] = a, b, tests.get(measure.key, untested)
    return results


def _by_scores(
    source: Source, systems: tuple[str, ...], places: tuple[int, int], measures: list[MetricDef], level: float
) -> Results:
    results, pair = Results(), (systems[places[0]], systems[places[1]])
    for measure in measures:
        if measure.paired_test == "delong":
            # All areas at once where all have the same rows: each system is then sorted once.
            areas, scale = areas_of(source, systems), measure.highest - measure.lowest
            a, b = (measure.lowest + scale * areas.estimates[[*places]]).tolist()
            test = areas.compared(*places, level).scaled(scale)
            results[measure.key] = a, b, exact_if_few_rows(source, pair, measure, test, level)
    if resampled := [measure for measure in measures if measure.key not in results]:
        labels, (of_a, of_b), weights, numbers, complete = paired_scores(source, pair)
        options: dict[str, Any] = {"weights": weights, "higher_is_positive": source.higher_is_positive}
        options["clusters"] = clusters_at(source.dataset, numbers)
        states = [source.dataset.scored(system) for system in pair]
        if not complete:
            states = [ScoredLabels.from_arrays(labels, values, **options) for values in (of_a, of_b)]
        options |= {"level": level, "resamples": RESAMPLES}
        tests = inference.bootstrap_score_differences(resampled, labels, of_a, of_b, **options)
        for measure, test in zip(resampled, tests, strict=True):
            results[measure.key] = float(measure(states[0])), float(measure(states[1])), test
    return results


def exact_if_few_rows(
    source: Source, systems: tuple[str, ...], measure: MetricDef, test: inference.Comparison, level: float
) -> inference.Comparison:
    """Replace the p-value of a score measure by the exact one if there are few rows; unchanged for clustered areas."""
    labels, (of_a, of_b), weights, *_ = paired_scores(source, systems)
    if source.roles.get("cluster") or (weights is not None and not each_counts_alike(source.dataset)):
        return test
    if (each := rows_counted(weights)) is not None:
        labels, of_a, of_b = labels[each], of_a[each], of_b[each]
    towards = 1 if source.higher_is_positive else -1
    return inference.exact_if_few([measure], [test], labels, towards * of_a, towards * of_b, level)[0]


class ComparedMeasures(Compared):
    """Differences of A and B beside the measure of the verdict, on the same rows or on rows of their own."""

    area_differences: Any = ()  # in measures of scores that are not among those of the table
    of_same_rows = False

    @property
    def table(self: Any) -> dict[str, list[Any]]:
        """Unrounded differences, one row per measure; of systems with scores also in those of curves, uncorrected."""
        every = [*self.all_differences, *self.area_differences]
        return paired_comparison.differences_table(every, self.level, self.correction)

    @property
    def headline(self: Any) -> str:
        """Headline of the verdict on a defined difference, in Markdown, with what the better system is worse by."""
        names = [label_markdown(one.heading, 24) if self.of_classes else one.noun for one in self.opposing[:MOST_NAMED]]
        if (more := len(self.opposing) - MOST_NAMED) > 0:
            names.append(f"{count_text(more)} more")
        falls = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
        falls = f"the recall of {falls}" if falls and self.of_classes else falls
        return paired_comparison.difference_headline(self.difference, self.level, falls)

    @cached_property
    def main_differences(self: Any) -> list[Difference]:
        """Differences in the measures drawn: the chosen one as in the verdict, the others corrected as in the table.

        An area that is not in the table of all measures is corrected as one more of them.
        """
        corrected = {one.measure.key: one for one in self.all_differences}
        if not self.of_classes:
            known = {measure.key for measure in self.measures()}
            keys = [key for key in (*MAIN, "roc_auc") if key in known]
            more = self.differences([METRICS[key] for key in keys if key not in corrected])
            for one in with_correction([*more, *self.all_differences], self.correction)[: len(more)]:
                corrected[one.measure.key] = one
            corrected = {key: corrected[key] for key in keys}
        if self.measure.key not in corrected:
            return [self.difference, *corrected.values()]
        return list((corrected | {self.measure.key: self.difference}).values())

    @property
    def marks(self: Any) -> str:
        """Legend of the dots over the main differences, in Markdown."""
        method, chosen = inference.METHODS[self.correction], measure_word(self.measure)
        corrected = f" after correction for {many_text(self.tested, 'measure')} ({method}; {chosen} as above)"
        how = "" if self.correction == "none" else corrected
        return f"{level_text(self.level)} intervals, ● beyond chance, ○ not{how}"

    @property
    def tested(self: Any) -> int:
        """Number of the measures that are tested together."""
        return sum(not math.isnan(one.test.p_value) for one in self.all_differences)

    @cached_property
    def opposing(self: Any) -> list[Difference]:
        """Rates of the same table that are significantly worse for the system that the chosen measure prefers.

        By the p that is corrected for all measures of the table. Areas depend on no threshold: rates oppose them only
        where both systems flag the same share of the same rows. Of several classes it is the recall of each.
        """
        side = self.difference.better(self.level)
        if not side or (self.measure.family == "scores" and not (self.of_same_rows and self.cut == "flagged")):
            return []
        others = self.class_differences if self.of_classes else self._rates
        return [one for one in others if one.better(self.level) == -side]

    @property
    def _rates(self: Any) -> list[Difference]:
        """Differences in all rates except the measure of the verdict, corrected as in the table of all measures."""
        keys = [key for key in RATES if key != self.measure.key]
        # All measures take a bootstrap, which is spared where nothing could oppose.
        if not any(one.better(self.level) for one in self.differences([METRICS[key] for key in keys])):
            return []
        corrected = {one.measure.key: one for one in self.all_differences}
        return [corrected[key] for key in keys]


@dataclass(frozen=True, eq=False)
class SystemPair(ComparedMeasures):
    """Two systems on the same rows and how they are compared."""

    of_same_rows = True

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
    choice: inference.PairedChoice  # the level of the intervals, and the methods for shares
    correction: str  # a key of `evalcore.inference.METHODS`
    all_pairs: bool  # whether all pairs of systems are compared, where that is quick, and not all against A
    margin: Margin  # how much worse B may be, or how far apart the two, where that is asked

    @property
    def level(self) -> float:
        """Confidence of the intervals."""
        return self.choice.level

    @cached_property
    def class_words(self) -> tuple[str, str]:
        """Names of the target and of the rest. Unescaped text from a file."""
        if self.target is None:
            return "", ""
        if self.source.scored_by == "system":
            return self.rows.classes[1], self.rows.classes[0]
        if len(self.rows.classes) == 2 and text_of(self.source.positive) == self.target:
            return self.source.class_names(self.a)
        rest = [name for name in self.rows.classes if name != self.target]
        return self.target, rest[0] if len(rest) == 1 else f"not {self.target}"

    @cached_property
    def counts(self) -> inference.PairedCounts | inference.PairedClasses:
        """Joint counts of the rows by their class and both predictions."""
        return self.rows.class_counts() if self.target is None else self.rows.counts(self.target)

    def right(self, among: str = "all") -> tuple[float, float, float, float]:
        """Rows that both, only A, only B and neither has right: "all", or of the class "positive" or "negative"."""
        if isinstance(self.counts, inference.PairedClasses):
            return self.counts.right().right()
        return self.counts.right({"all": None, "positive": True, "negative": False}[among])

    def differences(self, measures: Sequence[MetricDef]) -> list[Difference]:
        """B minus A by some measures, in their order."""
        return row_differences(self.source, self.rows, measures, self.choice, self.target)

    @property
    def of_classes(self) -> bool:
        """Whether all classes are compared at once."""
        return self.target is None

    def measures(self) -> list[MetricDef]:
        """Measures for comparing the two systems."""
        return comparable_measures(self.source, self.target)

    @cached_property
    def all_differences(self) -> list[Difference]:
        """Differences in every measure of counts or of the confusion matrix, with corrected p-values."""
        family = "matrix" if self.target is None else "counts"
        return with_correction(self.differences(measures_with_test(family)), self.correction)

    @cached_property
    def area_differences(self) -> list[Difference]:
        """Differences in measures of scores, which need no threshold; empty for labels."""
        return self.differences(measures_with_test("scores")) if self.source.scored_by == "system" else []

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """A, B and the first of the others, as many as are compared at once."""
        return self._first(MOST_SLOW if is_slow(self.measure) else MOST)

    @property
    def compares_all_pairs(self) -> bool:
        """Whether all pairs of systems are compared, rather than each with A."""
        return self.all_pairs and not is_slow(self.measure)

    @cached_property
    def system_differences(self) -> list[Difference]:
        """Differences of the compared pairs in the chosen measure, A and B first, each on its common rows."""
        rows, differences = self._rows(self.systems), []
        for a, b in pairs_of(self.systems, self.a, self.compares_all_pairs):
            own, indices = rows, (self.systems.index(a), self.systems.index(b))
            if not rows.complete:
                # Where B flags as many as A, A has to have the rows too.
                three = self.cut == "flagged" and a != self.a
                own, indices = self._rows((self.a, a, b) if three else (a, b)), (1, 2) if three else (0, 1)
            differences += row_differences(self.source, own, [self.measure], self.choice, self.target, *indices)
        return with_correction(differences, self.correction) if len(differences) > 1 else differences

    @property
    def systems_table(self) -> dict[str, list]:
        """A row per pair of systems, unrounded."""
        return paired_comparison.differences_table(self.system_differences, self.level, self.correction)

    @cached_property
    def class_differences(self) -> list[Difference]:
        """Differences B minus A in the recall of each class, with p-values corrected for the classes."""
        recall, differences = METRICS["recall"], []
        for name, counts in zip(self.rows.classes, self.rows.class_counts().right_by_class(), strict=True):
            both, only_a, only_b, neither = counts.tolist()
            test = inference.mcnemar_of_counts(both, only_a, only_b, neither, self.level, self.choice.test)
            if self.rows.clusters is not None:
                (test,) = inference.paired_differences([recall], self.rows.counts(name), self.level)
            a, b = (float(ratio(both + only, float(counts.sum()))) for only in (only_a, only_b))
            differences.append(Difference(self.a, self.b, recall, name, a, b, test))
        return with_correction(differences, self.correction)

    @cached_property
    def overall(self) -> inference.ChiSquare | None:
        """Test that the areas under the ROC curves of three or more systems are equal; None for fewer."""
        systems = self._first(MOST)
        several = self.source.scored_by == "system" and len(systems) > 2
        return areas_of(self.source, systems).overall() if several else None

    def coverage_note(self, measure: MetricDef) -> str:
        """Note on intervals of a measure whose coverage is known to be off, or in which few rows or clusters decide."""
        if measure.key == self.measure.key:
            heavy = [one for one in self.main_differences if one.test.interval.few_heavy]
            if note := self.difference.test.interval.caution or paired_comparison.cautions(heavy[:1]):
                return note
        if self.target is None or self.level != 0.95 or self.rows.clusters is not None:
            return ""
        counts = self.rows.counts(self.target).a
        n, positives = float(counts.total), float(counts.actual_positives)
        share = f"score_difference {'accuracy' if measure.share_of == 'rows' else 'recall'}"
        methods = {"delong": "delong_difference", "bootstrap": "bootstrap_difference f_beta", "share": share}
        method = methods.get(measure.paired_test, "")
        if measure.paired_test == "share" and measure.share_of == "actual negatives":
            positives = n - positives  # what recall is to the positives, specificity is to the negatives
        return inference.poor_coverage(method, n, positives / n) if 0 < positives < n else ""

    def _rows(self, systems: tuple[str, ...]) -> PairedRows:
        return paired_rows(self.source, systems, self.cut, self.threshold)

    def _first(self, most: int) -> tuple[str, ...]:
        others = (system for system in comparable_systems(self.source) if system not in (self.a, self.b))
        return (self.a, self.b, *others)[:most]


def comparable_measures(source: Source, target: str | None) -> list[MetricDef]:
    """Measures for comparing two systems; without a target class, those of the confusion matrix."""
    if target is None:
        return measures_with_test("matrix")
    return measures_with_test("counts") + (measures_with_test("scores") if source.scored_by == "system" else [])


def starting_measure(source: Source, target: str | None) -> MetricDef:
    """Default measure of a comparison: the AUC of score columns, which needs no threshold, else accuracy or recall."""
    if target is None:
        return METRICS["overall_accuracy"]
    return METRICS["roc_auc" if source.scored_by == "system" else "recall"]


def is_slow(measure: MetricDef) -> bool:
    """Whether a difference in the measure needs about a second of resampling."""
    return measure.paired_test == "bootstrap" and measure.family != "counts"


def measures_with_test(family: str) -> list[MetricDef]:
    """Measures of a family that have a test for two systems."""
    return [measure for measure in measures_of(family) if measure.paired_test]


def sample_formulas(measure: MetricDef, counts: Sequence[tuple[str, ConfusionCounts]], clustered: bool) -> str:
    """Formulas of the tests of two independent samples and of the chosen measure with its counts; Markdown.

    Where rows of a sample belong together, limits and variances are those of its clusters.
    """
    name, on, sum_of = "DeLong", "", "the variances add up, for the samples are independent"
    if clustered:
        name, on = "Obuchowski", " on the effective numbers of rows"
        sum_of = "the variances add up, less twice the covariance of clusters with rows in both"
    formulas = [
        r"**Shares (Newcombe)**: $\displaystyle p_B - p_A - \sqrt{(p_B - l_B)^2 + (u_A - p_A)^2}$ to"
        r" $\displaystyle p_B - p_A + \sqrt{(u_B - p_B)^2 + (p_A - l_A)^2}$, where $l$ and $u$ are Wilson’s limits"
        f"{on}.",
        rf"**{name}, unpaired**: $\displaystyle D = \frac{{AUC_B - AUC_A}}{{\sqrt{{s_A^2 + s_B^2}}}}$; {sum_of}.",
    ]
    return "\n\n".join([*formulas, *formulas_of_both(measure, counts)])


def formulas_of_both(measure: MetricDef, counts: Sequence[tuple[str, ConfusionCounts]]) -> list[str]:
    """A measure of counts with the numbers of each system, or one of a square table by itself."""
    if measure.family == "matrix":
        return [rf"{measure_markdown(measure)}: $\displaystyle {measure.formula}$"]
    formulas = []
    for system, of_one in counts:
        filled, value = formula_of_counts(measure, of_one), latex_value(measure, float(measure(of_one)))
        of_system = rf"$\displaystyle {measure.formula} = {filled} = {value}$"
        formulas.append(f"{measure_markdown(measure)} of {system_name(system)}: {of_system}")
    return formulas


def pair_note(source: Source, rows: PairedRows) -> tuple[str, bool]:
    """Note on the bounds of a comparison of binned scores, in Markdown, and whether the table could sharpen them.

    Empty where each score of each row is known.
    """
    unloaded = source.dataset.unloaded
    if unloaded is None or not rows.thresholds or unloaded.bits in (None, 0, engines_extra().EXACT_BITS):
        return "", False
    scores, note = [Scores.of(source, system) for system in rows.systems[:2]], ""
    if any(system in unloaded.ends for system in rows.systems[:2]):
        a, b = map(_area, scores)
        difference = engines_extra().Bounds(b.low - a.high, b.high - a.low)
        note = f"B minus A in the area under the ROC curve {certainly(difference)}. "
    most = 0.0 if _is_exact(source, rows) else sum(map(partial(_open_rows, source), scores, rows.thresholds))
    if not most:
        return f"{note}The counts of both at these thresholds are exact.", False
    note += "Scores are counted in bins, so the number of rows that only A, or only B, has right may be off by up to "
    return f"{note}{count_text(most)}.", not source.dataset.shape.filters


def paired_at(comparison: SystemPair, stored: StoredTable) -> Pair:
    """Step that makes the counts of two systems at their thresholds exact, by a query of the table.

    Where exact counts of A move the threshold of B, it is that of the threshold to which B has moved.

    Raises ReadProblem if the table cannot be asked, was changed, or has too many groups for a link.
    """
    source, rows = comparison.source, comparison.rows
    step = _step(source, rows, stored)
    for _ in range(_MOST_MOVES):
        dataset = source.dataset.shaped(source.dataset.shape.edited(step))
        moved = paired_rows(replace(source, dataset=dataset), rows.systems, comparison.cut, comparison.threshold)
        if moved.thresholds == rows.thresholds:
            break
        rows = moved
        step = _step(source, rows, stored)
    return step


def _step(source: Source, rows: PairedRows, stored: StoredTable) -> Pair:
    """Step that makes the counts at the thresholds of some rows exact."""
    pair = a, b = rows.systems[:2]
    called = CalledRows.of(source, dict(zip(pair, rows.thresholds, strict=False)), stored)
    ends = _other_end(source, a), _other_end(source, b)
    return Pair(pair, ends, called.weight, called.by, *called.cuts[0], *called.cuts[1], called.texts)


def _other_end(source: Source, system: str) -> str:
    """Column with the other ends of the bins of a score column; the column itself if every score is exact."""
    unloaded = source.dataset.unloaded
    return system if unloaded is None else unloaded.ends.get(system, system)


def _area(scores: Scores) -> Bounds:
    """Bounds of an area, equal if every score is known."""
    engines, bins = engines_extra(), bins_of(scores)
    return engines.Bounds(*[roc_auc(scores.scored)] * 2) if bins is None else engines.auc_bounds(bins)


def _is_exact(source: Source, rows: PairedRows) -> bool:
    """Whether an exact count was made at these thresholds, or at others without a score in between."""
    thresholds = dict(zip(rows.systems[:2], rows.thresholds[:2], strict=True))
    for step in source.dataset.shape.steps:
        if isinstance(step, Pair) and {*step.columns} == {*thresholds}:
            cuts = ((thresholds[name], *ends) for name, (_, *ends) in zip(step.columns, step.cuts, strict=True))
            if all(last < at <= first if first > last else first <= at < last for at, last, first in cuts):
                return True
    return False


def _open_rows(source: Source, scores: Scores, threshold: float) -> float:
    """Greatest change of a paired count by the rows in the bin around the threshold of one system."""
    frame, unloaded, order_key = source.frame, source.dataset.unloaded, engines_extra().order_key
    bits = None if unloaded is None else unloaded.bits
    near, far = (frame[name].to_numpy(np.float64) for name in (scores.system, _other_end(source, scores.system)))
    counts = counts_of(frame, source.roles.get("weight") or "")
    low, high = np.sort([order_key(values, bits) for values in (near, far)], axis=0)
    at = float(order_key([threshold], bits)[0])
    inside = (low <= at) & (at <= high)
    called = near >= threshold if scores.higher else near <= threshold
    divided = ~called & (far >= threshold if scores.higher else far <= threshold)
    total, actual = 0.0, frame[source.roles.get("actual")]
    for label in actual[inside].unique():
        own = inside & (actual == label).to_numpy()
        sides = [float(counts[own & side].sum()) for side in (called, ~called)]
        total += min(sides) + 3 * float(counts[own & divided].sum())
    return total
