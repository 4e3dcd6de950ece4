"""Which system ranks better? Several systems on the same queries in words, tables and code."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.analyses.label_pairs import pair_names, system_name, system_titles
from evalcore.analyses.margins import Margin
from evalcore.analyses.paired_comparison import Difference, correction_text
from evalcore.analyses.ranking_formulas import ranking_test_formulas
from evalcore.analyses.ranking_pairs import RANKING_TESTS, RankingPairs
from evalcore.analyses.rankings import Rankings
from evalcore.analyses.script import check, literal, script
from evalcore.readers import ReadProblem
from evalcore.registry import MetricDef
from evalcore.wording import (
    UNDEFINED,
    Cell,
    Row,
    count_text,
    level_text,
    number_text,
    p_text,
    plain,
    share_text,
    signed,
)

__all__ = ["RankingComparison", "compare_rankings", "no_test_by"]

FEW, MANY = 25, 1000
"""Queries below which a test finds only large differences, and above which it finds those that nobody would notice."""

_MARKS = {1: " ▲", -1: " ▼", 0: "\N{EM SPACE}"}
"""Of about one width, so that the numbers stay under each other."""


@dataclass(frozen=True, eq=False)
class RankingComparison(RankingPairs):
    """Systems on the same queries in numbers and words; `compare_rankings` makes it."""

    @property
    def verdict(self) -> str:
        """Which system ranks better, and by how much, in Markdown: a bold headline and its reasons."""
        one, (a, b) = self.main_difference, pair_names(self.a, self.b)
        heading, n = plain(one.noun), one.test.n
        if one.undefined or not one.record:
            return f"**{heading} is undefined for one of the two.**  \nChoose another measure."
        wins, ties, losses = one.record
        if ties == n:
            every = "the only query" if n == 1 else f"all {count_text(n)} queries"
            return f"**{a} and {b} have the same {heading} on {every}.**  \nThe difference is 0, p = 1."
        if side := one.better(self.level):
            winner, loser = (b, a) if side > 0 else (a, b)
            headline = f"{winner} ranks better than {loser} by {heading}."
        elif n < 2:
            values = f"{b} has {one.values[1]} and {a} {one.values[0]} by {heading}"
            headline = f"One query says nothing about others: {values}."
        elif one.test.interval.clusters == 1:
            headline = "Unclear: all queries belong together, so nothing tells how others would differ."
        else:
            headline = f"Unclear: the difference in {heading} could be due to chance."
        result = one.result(self.level, self.correction, len(self.differences))
        effect = "" if math.isnan(one.effect_size) else f"; effect size $d_z$ = {number_text(one.effect_size, 2)}"
        record = f"wins {count_text(wins)}, ties {count_text(ties)} and loses {count_text(losses)}"
        queries = f"{count_text(n)} {'query' if n == 1 else 'queries'}{self._clusters_text}"
        return f"**{headline}**  \n{b} minus {a}: {result}{effect}. {b} {record} of {queries}."

    @property
    def notes(self) -> list[str]:
        """Which queries are compared, what is unjudged, and whether the queries are few or many, in Markdown."""
        common, coverage, n = len(self.queries), self.rankings.coverage, self.main_difference.test.n
        fewer = common < len(self.rankings.queries())
        notes = [f"{coverage}."] if "·" in coverage or fewer else []
        if fewer:
            notes.append(f"Only the {count_text(common)} with lists from all systems are compared.")
        shares = {system: 1 - self._judged_share(system) for system in (self.a, self.b)}
        if unjudged := [f"{share_text(share)} for {system_name(one)}" for one, share in shares.items() if share > 0]:
            ranks = count_text(self.rankings.k)
            notes.append(f"Unjudged in the first {ranks} ranks: {' and '.join(unjudged)}; see *Judgments*.")
        if clusters := self.main_difference.test.interval.clusters:
            notes.append(self.rankings.current.whole_clusters(clusters).strip())
        units = clusters or n
        words = self._clusters_text.removeprefix(" of ") or f"{count_text(n)} {'query' if n == 1 else 'queries'}"
        if units < FEW:
            notes.append(
                f"**{words} {'is' if units == 1 else 'are'} few**: with fewer than {FEW} only large "
                "differences can be detected, and *could be due to chance* says little. Where fewer than 6 differ, p "
                "of the t-test is at least that of all exchanges of the two systems."
            )
        elif units > MANY:
            notes.append(
                f"**{words} are many**: with more than {count_text(MANY)}, nearly every difference is "
                "beyond chance. Look at its size, not at p."
            )
        return notes

    @property
    def heads(self) -> list[Cell]:
        """Headings over `rows`: the measures, the one of the verdict marked."""
        heads = [Cell("", heading=True)]
        for name in self.names:
            one, kind = self.rankings.measure(name), "by" if name == self.measure else ""
            title = f"{one.name}. {one.summary}"
            heads.append(Cell(self.rankings.heading(name), heading=True, title=title, kind=kind, measure=one.key))
        return heads

    @property
    def rows(self) -> list[Row]:
        """A row per system, A first: the mean of each measure, and its difference from A with what the test says."""
        systems = [self.a, *(system for system in self.systems if system != self.a)]
        return [Row([self._label(system), *(self._cell(system, name) for name in self.names)]) for system in systems]

    @property
    def legend(self) -> str:
        """What the numbers and marks of the table mean, in Markdown."""
        n, known = len(self.queries), len(self.rankings.systems)
        over = f"{count_text(n)} {'query' if n == 1 else 'queries'}{self.rankings.clusters_text(self.queries)}"
        corrected = correction_text(self.correction, len(self.differences))
        legend = (
            f"Means over {over}, the best of each column bold. Under A: "
            f"its {level_text(self.level)} interval; under the others: the difference from A and its interval. ▲ "
            f"better than {system_name(self.a)}, ▼ worse, no mark: could be due to chance "
            f"({RANKING_TESTS[self.test]}, p ≤ {number_text(1 - self.level, 2)}, {corrected})."
        )
        if len(self.systems) < known:
            legend += (
                f" {len(self.systems)} of {count_text(known)} systems are compared at once: A, B and the first of the "
                "others. Choose other ones as A and B."
            )
        return legend

    @property
    def formulas(self) -> str:
        """The measure of the verdict and the test with their numbers, in Markdown."""
        return ranking_test_formulas(self)

    @property
    def code(self) -> str:
        """Python that compares the systems again and asserts every number."""
        return self.code_with()

    def code_with(self, *more: str) -> str:
        """The same with further lines, which find the `comparison`."""
        r, labels = self.rankings, [self.rankings.measure(name).label for name in self.names]
        chosen = self.definition.label
        numbers = [(one.estimate, one.low, one.high, one.test.p_value, one.corrected) for one in self.differences]
        settings = f"Source.of(data), {r.system!r}, k={r.k}, level={literal(r.level)}, only_common={r.only_common}"
        return script(
            r.current.code,
            f"rankings = Rankings({settings})",
            f"comparison = compare_rankings(\n    rankings, {self.b!r}, {labels!r}, {chosen!r}, test={self.test!r},\n"
            f"    correction={self.correction!r}, level={self.level}, all_pairs={self.all_pairs},\n"
            f"    margin={self.margin!r},\n)",
            f"assert len(comparison.queries) == {len(self.queries)}  # those of all systems",
            "tested = [(one.estimate, one.low, one.high, one.test.p_value, one.p) for one in comparison.differences]",
            check("tested", numbers),
            *(self.margin_result.code if self.margin_result else ()),
            *more,
            "print(comparison.verdict)",
        )

    @property
    def _clusters_text(self) -> str:
        """Of what the queries of the verdict are: " of 50 topics"; empty where each is on its own."""
        return self.rankings.current.clusters_of(self.main_difference.test.interval.clusters or 0)

    def _judged_share(self, system: str) -> float:
        judged = self.rankings.per_query(["judged@k"], system)
        values = judged.values["judged@k"][~judged.missing]
        return float(values.mean()) if len(values) else math.nan

    def _label(self, system: str) -> Cell:
        letter = {self.a: "A ", self.b: "B "}.get(system, "")
        position = self.positions[self.systems.index(system)]
        return Cell(
            f"{letter}{system_titles(self.systems, 40)[system]}",
            heading=True,
            strong=bool(letter),
            kind=f"system-{position}",
        )

    def _cell(self, system: str, name: str) -> Cell:
        mean, lower = self.means[system, name], self.rankings.measure(name).better == "lower"
        means = [self.means[one, name].estimate for one in self.systems]
        best = mean.estimate == (min(means) if lower else max(means))
        if system == self.a:
            low, high = float(mean.interval.low), float(mean.interval.high)
            bounds = "no interval" if math.isnan(low) else f"{number_text(low)} to {number_text(high)}"
            return Cell(number_text(mean.estimate) + _MARKS[0], strong=best, below=bounds + _MARKS[0])
        one = self.difference(system, name)
        value = number_text(mean.estimate) + _MARKS[one.better(self.level)]
        if one.undefined:
            return Cell(value, strong=best, below=UNDEFINED + _MARKS[0])
        bounds = one.bounds if math.isnan(one.low) else f"{_short(one.low)} to {_short(one.high)}"
        below = f"{_short(one.estimate)}{_MARKS[0]}\n{bounds}{_MARKS[0]}"
        return Cell(value, strong=best, below=below, title=f"{_details(one)} {one.test.interval.caution}".strip())


def compare_rankings(
    rankings: Rankings,
    b: str | None = None,
    names: Sequence[str] = ("AP", "nDCG@k", "P@k", "R@k", "RR", "bpref"),
    measure: str | None = None,
    *,
    test: str = "t",
    correction: str = "holm",
    level: float = 0.95,
    all_pairs: bool = False,
    margin: Margin | None = None,
) -> RankingComparison:
    """Compare the chosen system of some rankings, A, with the others on the queries that take part for all.

    B is by default the first other system, and the first of the measures decides the verdict. The other settings are
    those of `RankingPairs`.

    Raises
    ------
    ReadProblem
        When there is no other system, or no query takes part for all of them.

    Examples
    --------
    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> rankings = Rankings(Source.of(read_sample("image_retrieval")), "pixels")
    >>> comparison = compare_rankings(rankings, "projection", ["AP", "RR"])
    >>> comparison.main_difference.text, comparison.main_difference.record
    ('+0.155', (252, 17, 31))
    """
    others = [system for system in rankings.systems if system != rankings.system]
    if not others:
        raise ReadProblem("Comparing needs two systems on the same queries; this data set has one.")
    comparison = RankingComparison(
        *(
            rankings,
            b or others[0],
            tuple(names),
            measure or names[0],
            test,
            correction,
            level,
            all_pairs,
            margin or Margin(),
        )
    )
    if not np.any(comparison.taking_part):
        raise ReadProblem("No query takes part for all of these systems. Let queries without a list count 0.")
    return comparison


def _short(difference: float) -> str:
    """A difference in at most four decimals, so that the columns stay narrow; the table of comparisons has more."""
    return signed(number_text)(round(difference, 4))


def _details(one: Difference) -> str:
    """The test of a difference in the words of a tooltip."""
    wins, ties, losses = map(count_text, one.record or (0, 0, 0))
    p_values = f"{p_text(one.test.p_value)}, corrected {p_text(one.p)}"
    return (
        f"{one.test.method}: {p_values}; d_z {number_text(one.effect_size)}; {wins} won, {ties} tied, {losses} lost of "
        f"{count_text(one.test.n)} queries"
    )


def no_test_by(measure: MetricDef) -> str:
    """Why rankings cannot be tested by a measure; empty if they can.

    Tests of mean differences need to know which of two values is better, and a mean that is that of the queries.

    >>> from evalcore.registry import METRICS
    >>> no_test_by(METRICS["judged_at"])
    'Systems are not better or worse by judged at k.'
    """
    if measure.better is not None and measure.mean == "arithmetic" and measure.key != "judged_at":
        return ""
    if measure.mean != "arithmetic":
        return f"{measure.symbol} is defined for a set of queries only, and the tests need a value per query. Use AP."
    return f"Systems are not better or worse by {measure.name.lower()}."
