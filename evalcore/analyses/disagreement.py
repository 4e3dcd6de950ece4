"""Where two systems disagree: who is right on how many rows, McNemar's test of it, and the rows themselves."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.label_pairs import system_titles
from evalcore.analyses.system_comparison import SystemComparison, noun_of_class
from evalcore.inference import (
    EXACT_BELOW,
    ChiSquare,
    Comparison,
    PairedClasses,
    bowker,
    clustered_symmetry,
    mcnemar_of_counts,
    paired_differences,
    stuart_maxwell,
)
from evalcore.registry import METRICS
from evalcore.wording import Cell, count_text, difference_text, number_text, p_text, short_names

__all__ = ["AMONG", "ROW_KINDS", "Disagreement"]

AMONG = ("all", "positive", "negative")
"""Rows among which disagreements are counted: all, or those of one actual class."""

ROW_KINDS = {
    "b": "B right, A wrong",
    "a": "A right, B wrong",
    "differ": "A and B differ",
    "neither": "both wrong",
    "both": "both right",
}


_MEASURES = {"all": "accuracy", "positive": "recall", "negative": "specificity"}
"""The share of right rows among those of a class."""


@dataclass(frozen=True)
class Disagreement:
    """The 2×2 table of who is right, for all rows or those of one class; for all where all classes are compared.

    >>> from evalcore.analyses import Source, compare_systems
    >>> from evalcore.readers.samples import read_sample
    >>> found = Disagreement(compare_systems(Source.of(read_sample("breast_cancer"))), "positive")
    >>> found.counts, round(found.test.p_value, 3), found.rows("b").tolist()[:3]
    ((186.0, 0.0, 7.0, 19.0), 0.016, [10, 13, 44])
    """

    comparison: SystemComparison
    among: str = "all"

    @cached_property
    def counts(self) -> tuple[float, float, float, float]:
        """Rows that both, only A, only B and neither has right."""
        return self.comparison.right(self.among)

    @cached_property
    def test(self) -> Comparison:
        """McNemar's test of these rows, or of the whole clusters that they belong to."""
        rows, target = self.comparison.rows, self.comparison.target
        if rows.clusters is not None:
            key = "accuracy" if target is None else _MEASURES[self.among]
            paired = rows.class_counts().right() if target is None else rows.counts(target)
            return paired_differences([METRICS[key]], paired, self.comparison.level)[0]
        return mcnemar_of_counts(*self.counts, self.comparison.level, self.comparison.choice.test)

    @property
    def verdict(self) -> str:
        """The two counts that decide and the test, in Markdown."""
        test, (_, only_a, only_b, _) = self.test, self.counts
        if np.isnan(test.p_value):
            return "There are no such rows to test."
        if not only_a + only_b:
            return "Both are right on the same rows: p = 1."
        alone = self.comparison.rows.clusters is None
        few = alone and self.comparison.choice.test == "auto" and only_a + only_b < EXACT_BELOW
        exact = f" (fewer than {EXACT_BELOW} such rows)" if few else ""
        statistic = f"χ² = {number_text(test.statistic)}, " if "chi-square" in test.method else ""
        return (
            f"{count_text(only_a)} against {count_text(only_b)} of {count_text(test.n)} rows. "
            f"{test.method[0].upper()}{test.method[1:]}{exact}: "
            f"{statistic}**{p_text(test.p_value)}**."
        )

    @property
    def symmetry(self) -> str:
        """Whether the two use the classes equally often, in Markdown; empty where one class is set against the rest."""
        counts = self.comparison.counts
        if not isinstance(counts, PairedClasses):
            return ""
        answers = counts.answers() * self.comparison.rows.worth
        together, method = self.comparison.source.cluster_words, ""
        cells, totals = bowker(answers), stuart_maxwell(answers)
        if together:
            (cells, totals), method = clustered_symmetry(counts), f" (with Rao and Scott's correction for {together})"
        if not cells.degrees:
            return "Both systems name the same class for every row."
        return (
            f"Does each system name every class equally often? Stuart–Maxwell{method}: {_chi_square(totals)}. Do they "
            f"exchange classes evenly? McNemar–Bowker: {_chi_square(cells)}. A small p means that they use some "
            "classes unequally often; it does not say which of them is right."
        )

    @property
    def cells(self) -> list[list[Cell]]:
        """The 2×2 table: A in the rows, B in the columns."""
        both, only_a, only_b, neither = self.counts
        a, _ = system_titles((self.comparison.a, self.comparison.b)).values()
        return [
            [Cell("A right", heading=True, below=a), _cell(both), _cell(only_a, "only A")],
            [Cell("A wrong", heading=True), _cell(only_b, "only B"), _cell(neither)],
        ]

    def rows(self, kind: str) -> np.ndarray:
        """Numbers of the rows of one kind, a key of `ROW_KINDS`, counted from 0."""
        paired, target = self.comparison.rows, self.comparison.target
        actual, answers = paired.actual, paired.answers
        if target is not None:
            index = paired.classes.index(target)
            actual, answers = actual == index, [answer == index for answer in answers]
        right_a, right_b = (answer == actual for answer in answers)
        wanted = {
            "a": right_a & ~right_b,
            "b": right_b & ~right_a,
            "differ": answers[0] != answers[1],
            "neither": ~right_a & ~right_b,
            "both": right_a & right_b,
        }[kind]
        if target is not None and self.among != "all":
            wanted = wanted & (actual if self.among == "positive" else ~actual)
        return paired.rows[wanted]

    def rows_text(self, kind: str) -> str:
        """How many rows are of one kind, in Markdown."""
        comparison = self.comparison
        count = comparison.source.dataset.rows_behind(self.rows(kind))
        words = dict(zip(("positive", "negative"), comparison.class_words, strict=True))
        among = f" among the {noun_of_class(words[self.among])}" if self.among in words else ""
        words = f"**{count_text(count)}** of {count_text(comparison.rows.size)} rows: {ROW_KINDS[kind]}{among}."
        return words + comparison.source.lines_note

    @property
    def classes(self) -> dict[str, object]:
        """A row per actual class: the rows that only one system names rightly, and McNemar's test of them."""
        comparison, rows = self.comparison, self.comparison.rows
        counts = rows.class_counts().right_by_class()
        differences = comparison.class_differences
        return {
            "class": list(short_names(rows.classes, 30).values()),
            "rows": counts.sum(axis=1),
            "only A right": counts[:, 1],
            "only B right": counts[:, 2],
            "difference in recall": [difference_text(one.measure, one.estimate) for one in differences],
            "p": [one.test.p_value for one in differences],
            "corrected p": [one.corrected for one in differences],
        }


def _chi_square(test: ChiSquare) -> str:
    return f"χ² = {number_text(test.statistic)} with {test.degrees} degrees of freedom, **{p_text(test.p_value)}**"


def _cell(count: float, only: str = "") -> Cell:
    return Cell(count_text(count), strong=True, below=only, kind="only" if only else "")
