"""Comparison of two systems on the same rows, of further systems, and of both in every group of rows."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from evalcore import inference
from evalcore.analyses.compare import paired_comparison, paired_systems
from evalcore.analyses.compare.paired_comparison import Difference, Margin, cautions, correction_text, differences_table
from evalcore.analyses.compare.paired_systems import row_differences, starting_measure
from evalcore.analyses.data import CUTS, PairedRows, Scores, Source, comparable_systems, system_titles
from evalcore.analyses.data.label_pairs import have_one_scale, order_alike, pair_names, paired_rows, paired_scores
from evalcore.analyses.data.measure_table import as_columns
from evalcore.analyses.data.script import check, literal, script
from evalcore.analyses.data.shaping import RowGroups, RowSelection
from evalcore.analyses.data.source import FEW_CLUSTERS
from evalcore.analyses.groups import area_contributions, count_contributions, groups_share_clusters
from evalcore.analyses.subgroups import FEW
from evalcore.inference import METHODS, ChiSquare, Interval, cochran_q, correlated_areas
from evalcore.numeric import Array, at_rows
from evalcore.readers import ReadProblem, text_of, worth_of
from evalcore.registry import METRICS, MetricDef
from evalcore.wording.escaping import as_noun, label_markdown, measure_word, plain, short_names, visible_blanks
from evalcore.wording.numbers import count_text, difference_text, latex_count, number_text, p_text
from evalcore.wording.tables import Cell

__all__ = ["AMONG", "BETWEEN", "ROW_KINDS", "Disagreement", "GroupComparison", "SystemComparison", "compare_systems"]

_BY_ROW = (
    r"**McNemar**, from 25 rows where only one is right: $\displaystyle \chi^2 ="
    r" \frac{{(|\text{{only A}} - \text{{only B}}| - 1)^2}}{{\text{{only A}} + \text{{only B}}}} ="
    r" \frac{{(|{a} - {b}| - 1)^2}}{{{a} + {b}}}$; with fewer, the exact probability that ${a} + {b}$ tosses of a"
    r" fair coin split so unevenly.",
    r"**DeLong**: $\displaystyle z = \frac{{AUC_B - AUC_A}}{{\sqrt{{s_A^2 + s_B^2 - 2\,s_{{AB}}}}}}$; variances and"
    r" covariance come from the share of the other class that each row outranks.",
)

_BY_CLUSTER = (
    r"**Exchange**, where few clusters differ: the share of all exchanges of A and B in whole clusters that bring"
    r" them farther apart, and half of those that bring them as far apart.",
    r"**McNemar**, where more do: $\displaystyle \chi^2 = n_e\,\frac{(\text{only A} - \text{only B})^2}"
    r"{n\,(\text{only A} + \text{only B})}$, where $n_e$ independent rows vary as the clusters do.",
    r"**Obuchowski**, where 25 clusters or more hold either class: $\displaystyle t = \frac{AUC_B - AUC_A}"
    r"{\sqrt{s_A^2 + s_B^2 - 2\,s_{AB}}}$; variances and covariance come from the shares of the other class that"
    r" the rows of a cluster outrank, added up.",
)
AMONG = ("all", "positive", "negative")  # rows among which disagreements are counted: all, or those of one actual class
BETWEEN = "between"  # name in links of rows that are one of `ROW_KINDS`
ROW_KINDS = {"b": "B right, A wrong", "a": "A right, B wrong", "neither": "both wrong", "both": "both right"}
_MEASURES = {"all": "accuracy", "positive": "recall", "negative": "specificity"}
"""The share of right rows among those of a class."""


@dataclass(frozen=True, eq=False)
class SystemComparison(paired_systems.SystemPair):
    """Comparison of two systems on the same rows, from `compare_systems`."""

    @cached_property
    def verdict(self) -> str:
        """Verdict on B against A, in Markdown: a bold headline and its reasons."""
        (a, b), difference = pair_names(self.a, self.b), self.difference
        noun = difference.noun
        if not len(self.rows):
            return f"**Nothing to compare.**  \nNo row has a label and a prediction from both {a} and {b}."
        if self.source.scored_by == "system" and order_alike(self.source, self.a, self.b):
            return f"**No difference in ranking: {a} and {b} order all rows alike.**  \n{self._scales_only}"
        if self._identical:
            same = "rank every pair alike" if self.measure.family == "scores" else "give the same answer for every row"
            reason = f"The difference is exactly 0, p = 1. {self._counts_text}"
            return f"**{a} and {b} {same}: they are identical here.**  \n{reason}"
        if difference.undefined:
            values = {a: difference.value_a, b: difference.value_b}
            unknown = " and ".join(name for name, value in values.items() if math.isnan(value))
            why = f"undefined for {unknown}: {difference.undefined}" if unknown else difference.undefined
            return f"**The {noun} cannot tell them apart.**  \nIt is {why}. {self._counts_text}"
        result = difference.result(self.level, self.correction, len(self.system_differences))
        result = f"{difference.sides}: {difference.operation} {result}."
        return f"**{self.headline}**  \n{result}{self._losses} {self._counts_text}"

    @property
    def rows_note(self) -> str:
        """Note on the common rows and on the thresholds, in Markdown."""
        rows, unit = self.rows, plain(self.source.unit)
        left_out = f", {count_text(rows.left_out)} left out" if rows.left_out else ""
        note = f"On {count_text(rows.size)} {unit} with a label and both predictions{left_out}."
        if rows.thresholds:
            scores = [Scores.of(self.source, system) for system in (self.a, self.b)]
            a, b = (f"{one.rule} {one.text(cut)}" for one, cut in zip(scores, rows.thresholds, strict=True))
            both = a if self.cut == "page" else f"{a} (A) and {b} (B)"
            note += f" Predicted {as_noun(self.class_words[0], 40)} at scores {both}."
        if self.cut == "youden":
            note += " Both thresholds were chosen on these rows, which flatters both systems slightly."
        return note + self.source.rows_note

    @property
    def systems_note(self) -> str:
        """Note on the pairs compared, their rows, and the overall test, in Markdown."""
        rows, count = self._rows(self.systems), len(self.system_differences)
        size = count_text(rows.size)
        on = f"the {size} rows that all have" if rows.complete else f"its own common rows ({size} are common to all)"
        corrected = correction_text(self.correction, count)
        compared = "each pair" if self.compares_all_pairs else f"each against {pair_names(self.a, self.b)[0]}"
        marks = f"● p ≤ {1 - self.level:.2g}, {corrected}; intervals are not corrected."
        parts = [f"{len(self.systems)} systems by {measure_word(self.measure)}, {compared} on {on}. {marks}"]
        known = len(comparable_systems(self.source))
        if len(self.systems) < known:
            why = ", because each comparison takes a second" if paired_systems.is_slow(self.measure) else ""
            parts.append(
                f"{len(self.systems)} of {count_text(known)} systems are compared at once{why}: "
                f"{', '.join(pair_names(self.a, self.b))} and the first of the others. Choose other ones as A and B."
            )
        parts.append(self.overall_note if self.measure.paired_test == "delong" else "")
        return " ".join(filter(None, [*parts, cautions(self.system_differences)]))

    @property
    def overall_note(self) -> str:
        """The test whether the areas under the ROC curves of all systems could be equal, in Markdown; else empty."""
        if self.overall is None:
            return ""
        clusters = self.source.cluster_words
        method = f"Obuchowski, with Hotelling's F for whole {clusters}" if clusters else self.source.area_method
        return (
            f"**Could all areas be equal?** χ² = {number_text(self.overall.statistic)} with "
            f"{self.overall.degrees} degrees of freedom, **{p_text(self.overall.p_value)}** ({method}, on the rows "
            "that all have)."
        )

    @property
    def measures_note(self) -> str:
        """Note on the tests of the measures in the table."""
        if self.rows.clusters is None:
            shares = f"{inference.PAIRED_INTERVALS[self.choice.interval]}'s interval and McNemar's p"
            shares += f" ({inference.MCNEMAR_TESTS[self.choice.test]})"
            few = "Where fewer than 25 rows differ, these take the exact test on them."
        else:
            shares = "Tango's interval and McNemar's p (chi-square without correction) on the effective number of rows"
            few = (
                "Where the systems differ in fewer than 25 clusters, p is the mid-p of exchanging whole clusters, and "
                "intervals exclude 0 (×1) exactly where it does."
            )
        return (
            f"Shares of the same rows: {shares}; ratios (×): B over A, by the logarithm; others: paired bootstrap. "
            f"{few} Intervals hold 0 (×1) if p does not exclude it. Corrected p: {inference.METHODS[self.correction]}, "
            f"for all {count_text(self.tested)} measures of the table. "
            f"If you chose one measure in advance, use its uncorrected p. {cautions(self.all_differences)}"
        ).rstrip()

    @property
    def areas_note(self) -> str:
        """Note on the tests of score measures, in Markdown."""
        note = cautions(self.area_differences) or self.coverage_note(METRICS["roc_auc"])
        areas = [one.measure.label for one in self.area_differences if one.measure.paired_test == "delong"]
        units = self.source.units
        others = f"the others by {count_text(1000)} paired resamples of the {units}."
        if self.rows.clusters is None:
            return f"{' and '.join(areas)} by DeLong on the same rows; {others} {note}".rstrip()
        whole = paired_systems.areas_of(self.source, (self.a, self.b)).of_clusters
        deciding = math.inf if whole is None else whole.degrees_apart(0, 1) + 1
        few = f", where about {round(deciding)} {units} decide on the difference" if deciding < FEW_CLUSTERS else ""
        return (
            f"{' and '.join(areas)}: p by Obuchowski's test or, where fewer than 25 {units} hold a class, by "
            f"exchanging whole {units}; interval by the logits of both areas{few}; {others} {note}"
        ).rstrip()

    @property
    def formulas(self) -> str:
        """The tests and the chosen measure with their numbers, in Markdown."""
        both, only_a, only_b, neither = self.right()
        a, b, n = map(latex_count, (only_a, only_b, both + only_a + only_b + neither))
        formulas = [
            rf"**Difference in accuracy**: $\displaystyle \frac{{\text{{only B}} - \text{{only A}}}}{{n}} ="
            rf" \frac{{{b} - {a}}}{{{n}}}$"
        ]
        formulas += _BY_CLUSTER if self.rows.clusters is not None else [text.format(a=a, b=b) for text in _BY_ROW]
        counts = []
        if self.measure.family == "counts" and self.target is not None:
            paired = self.rows.counts(self.target)
            counts = [(self.a, paired.a), (self.b, paired.b)]
        return "\n\n".join([*formulas, *paired_systems.formulas_of_both(self.measure, counts)])

    @property
    def code(self) -> str:
        """Python that compares the two again and asserts the numbers."""
        difference, cut, choice = self.difference.test, "", self.choice
        if self.source.scored_by == "system":
            cut = f", cut={self.cut!r}, threshold={literal(float(self.threshold))}"
        numbers = [difference.estimate, float(difference.interval.low), float(difference.interval.high)]
        return script(
            self.source.code,
            f"comparison = compare_systems(\n    Source.of(data), {self.a!r}, {self.b!r}, target={self.target!r},\n"
            f"    measure=METRICS[{self.measure.key!r}], level={self.level}, correction={self.correction!r}{cut},\n"
            f"    test={choice.test!r}, interval={choice.interval!r}, all_pairs={self.all_pairs!r},\n"
            f"    margin={self.margin!r},\n)\n"
            f"test = comparison.difference.test  # {self.difference.operation}, its interval, p before any correction\n"
            "numbers = [test.estimate, test.interval.low, test.interval.high, test.p_value]",
            check("numbers", [*numbers, difference.p_value]),
            check("comparison.right()", self.right()) + "  # both, only A, only B, neither",
            *self.margin_code,
            "print(comparison.verdict)",
        )

    @property
    def _losses(self) -> str:
        """Differences in favour of the other system, in Markdown, each after a blank."""
        sentences = ""
        for one in self.opposing[: paired_systems.MOST_NAMED]:
            of = "" if self.target is not None else f" of {label_markdown(one.heading, 24)}"
            how = "" if self.correction == "none" else "corrected "
            sentences += f" {one.measure.name}{of}: {one.operation} {one.text}, {how}{p_text(one.p)}."
        return sentences

    @property
    def _scales_only(self) -> str:
        """Remaining difference of two systems with equal rankings: the share of rows called positive at a threshold."""
        difference = self.difference
        if difference.alike or difference.undefined:
            return f"{'' if difference.undefined else 'The difference is exactly 0, p = 1. '}{self._counts_text}"
        return (
            f"Only the scales of their scores differ, so the thresholds flag different shares of the rows: "
            f"{self._counts_text} {difference.measure.name}: {difference.sides}. To compare at the same share, choose "
            f"*{CUTS['flagged']}*."
        )

    @property
    def _identical(self) -> bool:
        if not self.difference.alike:
            return False
        if self.measure.family != "scores":
            return self.counts.ties == self.counts.n
        # By how they rank: then no resample differs, and the difference has no variance.
        test, low, high = self.difference.test, self.difference.low, self.difference.high
        return test.p_value == 1 and (low == high == 0 or math.isnan(low))

    @property
    def _counts_text(self) -> str:
        """Numbers of rows on which A and B differ, as a sentence."""
        a, b = pair_names(self.a, self.b)
        if not isinstance(self.counts, inference.PairedCounts):
            _, only_a, only_b, _ = self.right()
            rows = f"{count_text(self.counts.n)} {plain(self.source.unit)}"
            return f"Of {rows}, only {b} is right on {count_text(only_b)}, only {a} on {count_text(only_a)}."
        of_a, of_b = self.counts.a, self.counts.b
        positives, negatives = float(of_a.actual_positives), float(of_a.actual_negatives)
        hits, alarms = float(of_b.tp - of_a.tp), float(of_b.fp - of_a.fp)
        parts = []
        if positives:
            found = f"{count_text(positives)} {noun_of_class(self.class_words[0])}"
            parts.append(f"finds {_count_difference(hits)} of the {found}")
        if negatives:
            parts.append(f"raises {_count_difference(alarms)} false {'alarm' if abs(alarms) == 1 else 'alarms'}")
        only_class = self.class_words[0 if positives else 1]
        note = "" if positives and negatives else f" The true label of every row is “{plain(only_class, 40)}”."
        return f"{b} {' and '.join(parts)}.{note}"


def compare_systems(
    source: Source, a: str | None = None, b: str | None = None, *,
    target: str | None = "", cut: str = "", threshold: float | None = None, measure: MetricDef | str | None = None,
    level: float = 0.95, correction: str = "holm", all_pairs: bool = False, test: str = "auto",
    interval: str = "tango", margin: Margin | None = None,
) -> SystemComparison:  # fmt: skip
    """Compare two systems, by default the first two, on the rows that both have.

    The target class is by default the positive class of two, and None for more of them. The cut is by default one
    threshold for all where all scores lie in 0 … 1, else A's share of positives; the threshold is by default the one
    that the scores of A start from. The measure is by default the AUC of scores, recall of labels, or the overall
    accuracy of several classes. Level, test and interval are those of `evalcore.inference.PairedChoice`, the others
    those of `SystemPair`.

    Raises ReadProblem when there are no two such systems, or their rows cannot be used.
    """
    if len(systems := comparable_systems(source)) < 2:
        raise ReadProblem(f"Comparing needs two systems on the same rows; this data set has {len(systems)}.")
    a = a or systems[0]
    b, is_scored = b or next(system for system in systems if system != a), source.scored_by == "system"
    if is_scored:
        cut = cut or ("page" if have_one_scale(source, (a, b)) else "flagged")
        threshold = Scores.of(source, a).starting_threshold if threshold is None else threshold
    rows = paired_rows(source, (a, b), cut, threshold)
    if target == "" or is_scored:
        positive = text_of(source.positive)
        known = rows.classes[1] if is_scored else positive if positive in rows.classes else (rows.classes or ("",))[-1]
        target = None if len(rows.classes) > 2 else known
    measure = METRICS[measure] if isinstance(measure, str) else measure or starting_measure(source, target)
    threshold = math.nan if threshold is None else threshold
    choice, margin = inference.PairedChoice(level, test, interval), margin or Margin()
    return SystemComparison(source, a, b, rows, target, cut, threshold, measure, choice, correction, all_pairs, margin)


def noun_of_class(label: str) -> str:
    """Rows of a class behind a number, in Markdown: "212 ill"; a label that is no everyday word is quoted."""
    noun = as_noun(visible_blanks(label), 40)
    return f"rows that are {noun}" if noun.startswith("“") else noun


def _count_difference(by: float) -> str:
    return f"{count_text(abs(by))} {'more' if by > 0 else 'fewer'}" if by else "as many"


@dataclass(frozen=True)
class Disagreement:
    """2×2 table of which system is right, over all rows or those of one class."""

    comparison: SystemComparison
    among: str = "all"

    @cached_property
    def counts(self) -> tuple[float, float, float, float]:
        """Rows that both, only A, only B and neither has right."""
        return self.comparison.right(self.among)

    @cached_property
    def test(self) -> inference.Comparison:
        """McNemar's test of these rows, or of whole clusters."""
        rows, target = self.comparison.rows, self.comparison.target
        if rows.clusters is not None:
            key = "accuracy" if target is None else _MEASURES[self.among]
            paired = rows.class_counts().right() if target is None else rows.counts(target)
            return inference.paired_differences([METRICS[key]], paired, self.comparison.level)[0]
        return inference.mcnemar_of_counts(*self.counts, self.comparison.level, self.comparison.choice.test)

    @property
    def verdict(self) -> str:
        """The two counts that decide and the test, in Markdown."""
        test, (_, only_a, only_b, _) = self.test, self.counts
        if np.isnan(test.p_value):
            return "There are no such rows to test."
        if not only_a + only_b:
            return "Both are right on the same rows: p = 1."
        statistic = f"χ² = {number_text(test.statistic)}, " if "chi-square" in test.method else ""
        return (
            f"Exactly one is right on {count_text(only_a + only_b)} of {count_text(test.n)} rows. "
            f"{test.method[0].upper()}{test.method[1:]}: {statistic}**{p_text(test.p_value)}**."
        )

    @property
    def symmetry(self) -> str:
        """Test of marginal homogeneity of the classes, in Markdown; empty for one class against the rest."""
        counts = self.comparison.counts
        if not isinstance(counts, inference.PairedClasses):
            return ""
        answers = counts.answers() * self.comparison.rows.worth
        method, tests = "", (inference.bowker(answers), inference.stuart_maxwell(answers))
        if together := self.comparison.source.cluster_words:
            tests, method = inference.clustered_symmetry(counts), f" (with Rao and Scott's correction for {together})"
        cells, totals = tests
        if not cells.degrees:
            return "Both systems name the same class for every row."
        return (
            f"Do both systems name each class equally often? Stuart–Maxwell{method}: {_chi_square(totals)}. Are their "
            f"disagreements symmetric? McNemar–Bowker: {_chi_square(cells)}. A small p means that the systems use "
            "some classes differently; it does not say which of them is right."
        )

    @property
    def cells(self) -> list[list[Cell]]:
        """The 2×2 table: A in the rows, B in the columns."""
        both, only_a, only_b, neither = self.counts
        a, _ = system_titles((self.comparison.a, self.comparison.b)).values()
        return [
            [Cell("A right", heading=True, below=a), _cell(both, "both"), _cell(only_a, "a", "only A")],
            [Cell("A wrong", heading=True), _cell(only_b, "b", "only B"), _cell(neither, "neither")],
        ]

    def rows(self, kind: str) -> np.ndarray:
        """Numbers of the rows of one kind, a key of `ROW_KINDS`, counted from 0."""
        paired, target = self.comparison.rows, self.comparison.target
        actual, answers = paired.actual, paired.answers
        if target is not None:
            index = paired.classes.index(target)
            actual, answers = actual == index, [answer == index for answer in answers]
        right_a, right_b = (answer == actual for answer in answers)
        in_a, in_b = kind in ("a", "both"), kind in ("b", "both")
        selection = (right_a == in_a) & (right_b == in_b)
        if target is not None and self.among != "all":
            selection = selection & (actual if self.among == "positive" else ~actual)
        return paired.rows[selection]

    def selection(self, kind: str) -> RowSelection:
        """The rows of one kind of disagreement."""
        comparison, rows = self.comparison, self.rows(kind)
        count = comparison.source.dataset.rows_behind(rows)
        words = dict(zip(("positive", "negative"), comparison.class_words, strict=True))
        among = f" among the {noun_of_class(words[self.among])}" if self.among in words else ""
        text = f"**{count_text(count)}** of {count_text(comparison.rows.size)} rows: {ROW_KINDS[kind]}{among}."
        columns = comparison.a, comparison.b, comparison.source.roles.get("actual")
        return RowSelection(comparison.source, text, rows, columns)

    @property
    def classes(self) -> dict[str, object]:
        """Discordant rows and McNemar's test, one row per actual class."""
        comparison, rows = self.comparison, self.comparison.rows
        counts, names = rows.class_counts().right_by_class(), list(short_names(rows.classes, 30).values())
        columns: dict[str, object] = {"class": names, "rows": counts.sum(axis=1)}
        columns |= {"only A right": counts[:, 1], "only B right": counts[:, 2]}
        tests = (
            (difference_text(one.measure, one.estimate), one.test.p_value, one.corrected)
            for one in comparison.class_differences
        )
        return columns | as_columns(("difference in recall", "p", "corrected p"), tests)


def _chi_square(test: inference.ChiSquare) -> str:
    return f"χ² = {number_text(test.statistic)} with {test.degrees} degrees of freedom, **{p_text(test.p_value)}**"


def _cell(count: float, kind: str, only: str = "") -> Cell:
    return Cell(count_text(count), strong=True, below=only, kind="only" if only else "", rows=f"{BETWEEN}~{kind}")


_NAMED = 4


@dataclass(frozen=True, eq=False)
class GroupComparison:
    """Differences between two systems in each group of their common rows."""

    comparison: SystemComparison

    @property
    def measure(self) -> MetricDef:
        """Measure compared in each group: the measure of the verdict, or a faster one if it needs resampling."""
        comparison = self.comparison
        slow = paired_systems.is_slow(comparison.measure)
        return starting_measure(comparison.source, comparison.target) if slow else comparison.measure

    @cached_property
    def groups(self) -> RowGroups:
        """The groups of the rows that both systems have."""
        return RowGroups(self.comparison.source, self.comparison.rows.rows)

    @property
    def names(self) -> list[str]:
        """Names of the groups shown. Unescaped text from a file."""
        return self.groups.names

    @cached_property
    def differences(self) -> list[Difference]:
        """B minus A in each group, corrected for their number."""
        of, measures = self.comparison, [self.measure]
        if self.measure.paired_test == "delong":
            return paired_comparison.with_correction(self._by_area(), of.correction)
        each = (row_differences(of.source, part, measures, of.choice, of.target, stored=False) for part in self._parts)
        return paired_comparison.with_correction([one for (one,) in each], of.correction)

    @property
    def verdict(self) -> str:
        """Groups in which A or B is better, groups with too few rows, and heterogeneity, in Markdown."""
        return " ".join(filter(None, [self._headline, self._too_few, self._heterogeneity]))

    @cached_property
    def heterogeneity(self) -> ChiSquare:
        """Cochran's Q test that the difference is the same in all groups, from the intervals.

        Ratios are compared by their logarithms. Clusters may have rows in several groups.
        """
        ends = np.array([(one.estimate, one.low, one.high) for one in self.differences]).reshape(-1, 3).T
        if self.measure.paired_test == "logarithm":
            with np.errstate(divide="ignore", invalid="ignore"):
                ends = np.log(ends)
        return cochran_q(Interval(*ends), self.comparison.level, self._contributions)

    @property
    def _contributions(self) -> list[Array] | None:
        """Contribution of each cluster to the difference in each group; None if no cluster is in several groups."""
        comparison, codes = self.comparison, self.comparison.rows.clusters
        if codes is None or not groups_share_clusters([codes[self.groups.mask(name)] for name in self.names]):
            return None
        if self.measure.paired_test != "delong":
            measure, target, clusters = self.measure, comparison.target, int(codes.max()) + 1
            return [count_contributions(measure, part, target, clusters) for part in self._parts]
        contributions, higher = [], comparison.source.higher_is_positive
        for name, part, (a, b) in zip(self.names, self._parts, self._scores, strict=True):
            beside = {"weights": part.weights, "higher_is_positive": higher}
            contributions.append(area_contributions(part.actual, a, b, codes[self.groups.mask(name)], **beside))
        return contributions

    @property
    def note(self) -> str:
        """Note on the test used and on the groups left out."""
        chosen = self.comparison.measure
        instead = f" {chosen.name} would take a second per group." if chosen.key != self.measure.key else ""
        others = self.groups.left_out_note
        return (
            f"Each group is compared on its own n rows; p-values are corrected ({METHODS[self.comparison.correction]}) "
            f"for {count_text(len(self.differences))} groups. ● p ≤ {1 - self.comparison.level:.2g}.{instead}{others}"
        )

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per group, unrounded."""
        columns = differences_table(self.differences, self.comparison.level, self.comparison.correction)
        return {"group": self.names, **columns}

    @property
    def code(self) -> str:
        """Python that compares the two in every group again and asserts the numbers."""
        return script(
            self.comparison.code,
            "groups = GroupComparison(comparison)",
            "for group, one in zip(groups.names, groups.differences):",
            "    print(group, one.test.n, one.estimate, one.low, one.high, one.p)  # B minus A",
            check('groups.table["difference"]', self.table["difference"]),
            check('groups.table["corrected p"]', self.table["corrected p"]),
            "print(groups.verdict)",
        )

    @property
    def _headline(self) -> str:
        (a, b), level = pair_names(self.comparison.a, self.comparison.b), self.comparison.level
        noun, count = measure_word(self.measure), count_text(len(self.differences))
        if self.measure.better is None:
            differ = sum(one.p <= 1 - level for one in self.differences)
            words = f"{a} and {b} differ in {noun} in {count_text(differ)} of {count} groups"
            return f"**{words}; neither direction is better by itself.**"
        sides = [one.better(level) for one in self.differences]
        better, worse = sides.count(1), sides.count(-1)
        if better == len(sides):
            return f"**Yes, {b} is better than {a} by {noun} in all {count} groups.**"
        if worse:
            names = _names_text(name for name, side in zip(self.names, sides, strict=True) if side < 0)
            also = f" It is better in {count_text(better)} of {count}." if better else ""
            return f"**No, {b} is worse than {a} by {noun} in {names}.**{also}"
        if not better:
            return f"**In no group can {a} and {b} be told apart by {noun}.**"
        others = "In the others the difference could be due to chance."
        return f"**{b} is better than {a} by {noun} in {count_text(better)} of {count} groups.** {others}"

    @property
    def _too_few(self) -> str:
        """Groups with too few rows for a test, in Markdown."""
        groups = list(zip(self.names, self.differences, self._informative_rows, strict=True))
        undefined = [name for name, one, _ in groups if one.undefined]
        few, sentences = [name for name, one, rows in groups if rows < FEW and not one.undefined], []
        if undefined:
            sentences.append(f"Undefined in {_names_text(undefined)}: {self.measure.undefined_when}.")
        if few:
            rows = self.measure.share_of or ("rows of one class" if self.measure.family == "scores" else "rows")
            sentences.append(f"Fewer than {FEW} {rows}, too few to tell, in {_names_text(few)}.")
        return " ".join(sentences)

    @property
    def _heterogeneity(self) -> str:
        """Result of the test of heterogeneity between groups, in Markdown."""
        test = self.heterogeneity
        if math.isnan(test.p_value):
            return ""
        degrees = f"{test.degrees} {'degree' if test.degrees == 1 else 'degrees'} of freedom"
        numbers = f"(Cochran’s Q = {number_text(test.statistic)}, {degrees}, {p_text(test.p_value)})"
        if test.p_value <= 1 - self.comparison.level:
            return f"The difference varies between the groups by more than chance {numbers}."
        return f"No sign that the difference varies between the groups {numbers}."

    @property
    def _informative_rows(self) -> list[float]:
        """Number of rows behind the difference in each group; for areas, rows of the rarer class."""
        if self.measure.family != "scores":
            return [part.worth * float(one.test.n) for part, one in zip(self._parts, self.differences, strict=True)]
        columns = [(part.actual.astype(bool), part.weights if part.counts_rows else None) for part in self._parts]
        return [float(np.bincount(*column, 2).min()) for column in columns]

    @cached_property
    def _parts(self) -> list[PairedRows]:
        """The rows of each group."""
        rows, dataset, parts = self.comparison.rows, self.comparison.source.dataset, []
        for mask in map(self.groups.mask, self.names):
            columns = {name: at_rows(getattr(rows, name), mask) for name in ("actual", "weights", "clusters", "rows")}
            answers, worth = tuple(one[mask] for one in rows.answers), worth_of(dataset, columns["weights"])
            parts.append(replace(rows, answers=answers, worth=worth, **columns))
        return parts

    @property
    def _scores(self) -> list[list[Array]]:
        """Scores of A and of B in each group."""
        scores = paired_scores(self.comparison.source, (self.comparison.a, self.comparison.b))[1]
        return [[one[mask] for one in scores] for mask in map(self.groups.mask, self.names)]

    def _by_area(self) -> list[Difference]:
        comparison, measure = self.comparison, self.measure
        scale, differences = measure.highest - measure.lowest, []
        higher, pair = comparison.source.higher_is_positive, (comparison.a, comparison.b)
        for part, scores in zip(self._parts, self._scores, strict=True):
            beside = {"weights": part.weights, "clusters": part.clusters, "higher_is_positive": higher}
            areas = correlated_areas(part.actual, scores, **beside)
            a, b = (measure.lowest + scale * areas.estimates).tolist()
            test = areas.compared(0, 1, comparison.level).scaled(scale)
            differences.append(Difference(*pair, measure, measure.name, a, b, test))
        return differences


def _names_text(names: Iterable[str]) -> str:
    """First of some groups in Markdown, and the number of the others."""
    each = [plain(name) for name in short_names(names, 30).values()]
    more = f" and {count_text(len(each) - _NAMED)} more" if len(each) > _NAMED else ""
    return f"{', '.join(each[:_NAMED])}{more}"
