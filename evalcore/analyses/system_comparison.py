"""Is B really better than A? Two systems on the same rows, and the others beside them."""

import math
from dataclasses import dataclass
from functools import cached_property

from evalcore.analyses.formulas import comparison_formulas
from evalcore.analyses.label_pairs import pair_names
from evalcore.analyses.margins import Margin
from evalcore.analyses.paired_comparison import (
    cautions,
    correction_text,
    difference_headline,
    differences_table,
    opposing_text,
)
from evalcore.analyses.paired_methods import areas_method, counts_method, overall_method
from evalcore.analyses.paired_rows import CUTS, comparable_systems, have_one_scale, paired_rows
from evalcore.analyses.scores import Scores
from evalcore.analyses.script import check, literal, script
from evalcore.analyses.source import Source
from evalcore.analyses.system_pair import SystemPair, is_slow, starting_measure
from evalcore.inference import METHODS, PairedChoice, PairedCounts
from evalcore.readers import ReadProblem, text_of
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import as_noun, count_text, label_markdown, measure_word, number_text, p_text, plain, seen

__all__ = ["SystemComparison", "compare_systems", "noun_of_class"]

_NAMED = 4
"""Rates, or classes, that oppose a verdict by name."""


@dataclass(frozen=True, eq=False)
class SystemComparison(SystemPair):
    """Two systems on the same rows in numbers and words; `compare_systems` makes it."""

    @cached_property
    def verdict(self) -> str:
        """Whether B is better, and by how much, in Markdown: a bold headline and its reasons."""
        (a, b), difference = pair_names(self.a, self.b), self.difference
        noun = difference.noun
        if not len(self.rows):
            return f"**Nothing to compare.**  \nNo row has a label and an answer from both {a} and {b}."
        if self.orders_alike:
            return f"**No difference in ranking: {a} and {b} order all rows alike.**  \n{self._scales_only}"
        if self._identical:
            same = "rank every pair alike" if self.measure.family == "scores" else "give the same answer for every row"
            reason = f"The difference is exactly 0, p = 1. {self._counted}"
            return f"**{a} and {b} {same}: they are identical here.**  \n{reason}"
        if difference.undefined:
            values = {a: difference.value_a, b: difference.value_b}
            unknown = " and ".join(name for name, value in values.items() if math.isnan(value))
            why = f"undefined for {unknown}: {difference.undefined}" if unknown else difference.undefined
            return f"**The {noun} cannot tell them apart.**  \nIt is {why}. {self._counted}"
        headline = difference_headline(difference, self.level, opposing_text(self.opposing, self.target is None))
        values = "{} (A), {} (B)".format(*difference.values)
        result = difference.result(self.level, self.correction, len(self.system_differences))
        result = f"{values}; {difference.operation} {result}"
        return f"**{headline}**  \n{self._counted} {self.measure.name}: {result}.{self._losses}"

    @property
    def rows_note(self) -> str:
        """Which rows the two are compared on, and how they were cut, in Markdown."""
        rows, unit = self.rows, plain(self.source.unit)
        left_out = f"; {count_text(rows.left_out)} left out" if rows.left_out else ""
        note = f"Compared on {count_text(rows.size)} {unit} with a label and an answer from both systems{left_out}."
        if rows.thresholds:
            scores = [Scores.of(self.source, system) for system in (self.a, self.b)]
            a, b = (f"{one.rule} {one.text(cut)}" for one, cut in zip(scores, rows.thresholds, strict=True))
            both = a if self.cut == "page" else f"{a} (A) and {b} (B)"
            note += f" Predicted {as_noun(self.class_words[0], 40)} at scores {both}."
        if self.cut == "youden":
            note += (
                " Both thresholds were chosen on these rows, which flatters both systems slightly; the intervals "
                "ignore that."
            )
        return note + self.source.rows_note

    @property
    def systems_note(self) -> str:
        """What is compared with what on which rows, and what the test of all says, in Markdown."""
        rows, count = self.common_rows, len(self.system_differences)
        on = f"the {count_text(rows.size)} rows that all have"
        if not rows.complete:
            on = f"its own common rows ({count_text(rows.size)} are common to all)"
        corrected = correction_text(self.correction, count)
        parts = [
            f"{len(self.systems)} systems by {measure_word(self.measure)}, each pair on {on}. ● p ≤ "
            f"{1 - self.level:.2g}, {corrected}; intervals are not corrected."
        ]
        known = len(comparable_systems(self.source))
        if len(self.systems) < known:
            why = ", because each comparison takes a second" if is_slow(self.measure) else ""
            parts.append(
                f"{len(self.systems)} of {count_text(known)} systems are compared at once{why}: "
                f"{', '.join(pair_names(self.a, self.b))} and the first of the others. Choose other ones as A and B."
            )
        if self.measure.paired_test == "delong":
            parts.append(self.overall_note)
        parts.append(cautions(self.system_differences))
        return " ".join(filter(None, parts))

    @property
    def overall_note(self) -> str:
        """The test whether the areas under the ROC curves of all systems could be equal, in Markdown; else empty."""
        if self.overall is None:
            return ""
        return (
            f"**Could all areas be equal?** χ² = {number_text(self.overall.statistic)} with "
            f"{self.overall.degrees} degrees of freedom, **{p_text(self.overall.p_value)}** ({overall_method(self)}, "
            "on the rows that all have)."
        )

    @property
    def table(self) -> dict[str, list]:
        """A row per measure, unrounded; of scores those of the curves too, which are not corrected."""
        return differences_table([*self.all_differences, *self.area_differences], self.level, self.correction)

    @property
    def systems_table(self) -> dict[str, list]:
        """A row per pair of systems, unrounded."""
        return differences_table(self.system_differences, self.level, self.correction)

    @property
    def measures_note(self) -> str:
        """How the measures of the table are tested."""
        tested = sum(not math.isnan(one.test.p_value) for one in self.all_differences)
        shares, few = counts_method(self)
        return (
            f"Shares of the same rows: {shares}; ratios (×): B over A, by the logarithm; others: paired bootstrap. "
            f"{few} Intervals hold 0 (×1) if p does not exclude it. Corrected p: {METHODS[self.correction]}, for all "
            f"{count_text(tested)} measures of the table. "
            f"If you chose one measure in advance, use its uncorrected p. {cautions(self.all_differences)}"
        ).rstrip()

    def coverage_note(self, measure: MetricDef) -> str:
        """What is to be known of the interval of a measure: of the chosen one that few rows or clusters decide."""
        if measure.key == self.measure.key:
            heavy = [one for one in self.main_differences if one.test.interval.few_heavy]
            if note := self.difference.test.interval.caution or cautions(heavy[:1]):
                return note
        return super().coverage_note(measure)

    @property
    def areas_note(self) -> str:
        """How the measures of the scores are tested, in Markdown."""
        areas = [one.measure.label for one in self.area_differences if one.measure.paired_test == "delong"]
        note = cautions(self.area_differences) or self.coverage_note(METRICS["roc_auc"])
        return f"{areas_method(self, ' and '.join(areas))} {note}".rstrip()

    @property
    def formulas(self) -> str:
        """The tests and the chosen measure with their numbers, in Markdown."""
        return comparison_formulas(self)

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
            *(self.margin_result.code if self.margin_result else ()),
            "print(comparison.verdict)",
        )

    @property
    def _losses(self) -> str:
        """The differences that speak for the other system, in Markdown with a blank before each."""
        sentences = ""
        for one in self.opposing[:_NAMED]:
            of = "" if self.target is not None else f" of {label_markdown(one.heading, 24)}"
            how = "" if self.correction == "none" else "corrected "
            sentences += f" {one.measure.name}{of}: {one.operation} {one.text}, {how}{p_text(one.p)}."
        return sentences

    @property
    def _scales_only(self) -> str:
        """What two systems with the same ranking differ in: at most in which share of the rows a threshold calls."""
        difference = self.difference
        if difference.alike or difference.undefined:
            same = "" if difference.undefined else "The difference is exactly 0, p = 1. "
            return f"{same}{self._counted}"
        values = "{} (A), {} (B)".format(*difference.values)
        return (
            f"Only the scales of their scores differ, so that the thresholds flag different shares of the rows: "
            f"{self._counted} {difference.measure.name}: {values}. To compare at the same share, choose "
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
    def _counted(self) -> str:
        """What the two do with the same rows, in counts."""
        a, b = pair_names(self.a, self.b)
        if not isinstance(self.counts, PairedCounts):
            _, only_a, only_b, _ = self.right()
            rows = f"{count_text(self.counts.n)} {plain(self.source.unit)}"
            return f"Of {rows}, only {b} is right on {count_text(only_b)}, only {a} on {count_text(only_a)}."
        of_a, of_b = self.counts.a, self.counts.b
        positives, negatives = float(of_a.actual_positives), float(of_a.actual_negatives)
        hits, alarms = float(of_b.tp - of_a.tp), float(of_b.fp - of_a.fp)
        parts = []
        if positives:
            parts.append(f"finds {_more(hits)} of the {count_text(positives)} {noun_of_class(self.class_words[0])}")
        if negatives:
            parts.append(f"raises {_more(alarms)} false {'alarm' if abs(alarms) == 1 else 'alarms'}")
        only_class = self.class_words[0 if positives else 1]
        note = "" if positives and negatives else f" Every row is {plain(only_class, 40)}."
        return f"{b} {' and '.join(parts)}.{note}"


def compare_systems(
    source: Source,
    a: str | None = None,
    b: str | None = None,
    *,
    target: str | None = "",
    cut: str = "",
    threshold: float | None = None,
    measure: MetricDef | str | None = None,
    level: float = 0.95,
    correction: str = "holm",
    all_pairs: bool = False,
    test: str = "auto",
    interval: str = "tango",
    margin: Margin | None = None,
) -> SystemComparison:
    """Compare two systems, by default the first two, on the rows that both have; parameters are as in `SystemPair`.

    Parameters
    ----------
    target : str or None, optional
        By default the positive class of two, and None for more of them.
    cut : str, optional
        By default one threshold for all where all scores lie in 0 … 1, else A's share of positives.
    threshold : float, optional
        By default that which the scores of A start from.
    measure : MetricDef or its key, optional
        By default the AUC of scores, recall of labels, or the overall accuracy of several classes.
    level, test, interval : float, str, str
        As in `evalcore.inference.PairedChoice`.

    Raises
    ------
    ReadProblem
        When there are no two such systems, or their rows cannot be used.

    Examples
    --------
    >>> from evalcore.readers.samples import read_sample
    >>> comparison = compare_systems(Source.of(read_sample("breast_cancer")))
    >>> comparison.measure.key, comparison.right("positive")
    ('roc_auc', (186.0, 0.0, 7.0, 19.0))
    """
    systems = comparable_systems(source)
    if len(systems) < 2:
        raise ReadProblem(f"Comparing needs two systems on the same rows; this data set has {len(systems)}.")
    a = a or systems[0]
    b = b or next(system for system in systems if system != a)
    is_scored = source.scored_by == "system"
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
    choice, margin = PairedChoice(level, test, interval), margin or Margin()
    return SystemComparison(source, a, b, rows, target, cut, threshold, measure, choice, correction, all_pairs, margin)


def noun_of_class(label: str) -> str:
    """Rows of a class behind a number, in Markdown: "212 ill"; a label that is no everyday word is quoted."""
    noun = as_noun(seen(label), 40)
    return f"rows that are {noun}" if noun.startswith("“") else noun


def _more(by: float) -> str:
    return f"{count_text(abs(by))} {'more' if by > 0 else 'fewer'}" if by else "as many"
