"""Comparison of several ranking systems on the same queries: words, tables and code."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from evalcore.analyses.compare.paired_comparison import Difference, Margin, correction_text
from evalcore.analyses.data.label_pairs import pair_names, system_name, system_titles
from evalcore.analyses.data.rankings import UNKNOWN, Rankings, face_columns, queries_text, query_columns
from evalcore.analyses.data.script import check, literal, script
from evalcore.analyses.retrieve.paired_rankings import RANKING_TESTS, RankingPairs, mean_or_nan
from evalcore.analyses.retrieve.ranking import RankedList, grade_text
from evalcore.numeric import Array, Indices
from evalcore.readers import ReadProblem
from evalcore.registry import MetricDef
from evalcore.wording import UNDEFINED, Cell, Row, latex, latex_count, latex_term, measure_markdown, one_line, plain
from evalcore.wording.escaping import short_names
from evalcore.wording.numbers import count_text, level_text, number_text, p_text, range_text, share_text, signed

__all__ = ["QueryDifferences", "RankingComparison", "SideBySideRankings", "compare_rankings", "no_test_by"]

_TESTS = {
    "t": r"t = \frac{{\bar d}}{{s_d / \sqrt n}} = d_z \sqrt n = {effect} \cdot \sqrt{{{n}}} = {statistic}, \qquad "
    r"n - 1 \text{{ degrees of freedom}}",
    "randomisation": r"p = \frac{{1 + \#\{{\text{{draws with }} |\bar d^*| \ge |\bar d|\}}}}{{1 + \text{{draws}}}}, "
    r"\qquad |\bar d| = |{statistic}|",
    "wilcoxon": r"W = \min\left(\sum_{{d_i > 0}} \operatorname{{rank}} |d_i|, \sum_{{d_i < 0}} \operatorname{{rank}} "
    r"|d_i|\right) = {statistic}",
    "sign": r"p = \min\left(1,\ 2 \sum_{{i \le S}} \binom{{m}}{{i}} 2^{{-m}}\right), \qquad S = \min(\text{{wins}}, "
    r"\text{{losses}}) = {statistic}",
}

_CLUSTERED_TESTS = {
    "t": r"t = \frac{{\bar d}}{{s}} = {statistic}, \qquad s = \frac{{1}}{{n}} \sqrt{{\frac{{c}}{{c - 1}} \sum_j \Big("
    r"\sum_{{i \in j}} (d_i - \bar d)\Big)^2}}, \qquad c - 1 \text{{ degrees of freedom}}, \quad c = {c}",
    "sign": r"S = \min(\text{{wins}}, \text{{losses}}) = {statistic}",
}
"""Where queries belong together; the others are the same, with other exchanges."""

_WHOLE_CLUSTERS = (
    "Where queries belong together, the t-test takes the sums of the c clusters j as the sample, and the other tests "
    "exchange the two systems for all queries of a cluster at once."
)

_READING = {
    "t": "How often equal systems would show a mean difference this large. The test tolerates values that are not "
    "normal once there are a few dozen queries.",
    "randomisation": "If the systems were equal, the two values of each query could be swapped. With fewer than 17 "
    "differences all such swaps are counted, and p is exact.",
    "wilcoxon": "It uses the order of the sizes of the differences, so a single huge one counts little. Differences of "
    "0 get ranks and are then left out (Pratt).",
    "sign": "It only counts who wins; m is wins plus losses. It assumes less and detects less.",
}

FEW, MANY = 25, 1000
"""Queries below which a test finds only large differences, and above which it finds those that nobody would notice."""

_MARKS = {1: " ▲", -1: " ▼", 0: "\N{EM SPACE}"}  # of about one width, so that the numbers stay under each other


@dataclass(frozen=True, eq=False)
class RankingComparison(RankingPairs):
    """Comparison of systems on the same queries, from `compare_rankings`."""

    @property
    def verdict(self) -> str:
        """Which system ranks best, and B against A, in Markdown: a bold headline and its reasons."""
        one, (a, b) = self.difference, pair_names(self.a, self.b)
        heading, n = plain(one.noun), one.test.n
        if one.undefined or not one.record:
            return f"**{heading} is undefined for one of the two.**  \nChoose another measure."
        wins, ties, losses = one.record
        if ties == n:
            every = "the only query" if n == 1 else f"all {count_text(n)} queries"
            return f"**{a} and {b} have the same {heading} on {every}.**  \nThe difference is 0, p = 1."
        headline = self._headline
        if (n < 2 or one.test.interval.clusters == 1) and not one.better(self.level):
            few = "One query says" if n < 2 else "Queries that all belong together say"
            headline = f"{few} nothing about others: {b} has {one.values[1]} and {a} {one.values[0]} by {heading}."
        result = one.result(self.level, self.correction, len(self.differences))
        record = f"wins {count_text(wins)}, ties {count_text(ties)} and loses {count_text(losses)}"
        queries = f"{queries_text(n)}{self._clusters_text}"
        return f"**{headline}**  \n{b} (B) minus {a} (A): {result}. {b} {record} of {queries}."

    @property
    def notes(self) -> list[str]:
        """Notes on the queries compared, unjudged documents and the number of queries, in Markdown."""
        common, coverage, n = len(self.queries), self.rankings.coverage, self.difference.test.n
        fewer = common < len(self.rankings.queries())
        notes = [f"{coverage}."] if "·" in coverage or fewer else []
        notes += [f"Only the {count_text(common)} with lists from all systems are compared."] * fewer
        shares = {system: 1 - self._judged_share(system) for system in (self.a, self.b)}
        if unjudged := [f"{share_text(share)} for {system_name(one)}" for one, share in shares.items() if share > 0]:
            ranks = count_text(self.rankings.k)
            notes.append(f"Unjudged in the first {ranks} ranks: {' and '.join(unjudged)}; see *Judgments*.")
        if clusters := self.difference.test.interval.clusters:
            notes.append(self.rankings.current.whole_clusters(clusters).strip())
        units = clusters or n
        words = self._clusters_text.removeprefix(" of ") or queries_text(n)
        if 1 < units < FEW:  # of one the verdict says that it tells nothing
            notes.append(
                f"**{words} are few**: with fewer than {FEW} only large differences can be detected. "
                "If fewer than 6 queries differ, p is never below that of the exact permutation test."
            )
        elif units > MANY:
            notes.append(f"**{words} are many**: nearly every difference is beyond chance. Look at its size, not at p.")
        return notes

    @property
    def heads(self) -> list[Cell]:
        """Headings over `rows`: the measures, the one of the verdict marked."""
        heads = [Cell("", heading=True)]
        for name in self.names:
            one, look = self.rankings.measure(name), {"heading": True, "kind": "by" if name == self.measure else ""}
            heads.append(Cell(self.rankings.heading(name), title=f"{one.name}. {one.summary}", measure=one.key, **look))
        return heads

    @property
    def rows(self) -> list[Row]:
        """Mean of each measure and its tested difference from A, one row per system, A first."""
        systems = sorted(self.systems, key=lambda system: system != self.a)
        return [Row([self._label(system), *(self._cell(system, name) for name in self.names)]) for system in systems]

    @property
    def legend(self) -> str:
        """Legend of the numbers and marks of the table, in Markdown."""
        n, known = len(self.queries), len(self.rankings.systems)
        over = f"{queries_text(n)}{self.rankings.clusters_text(self.queries)}"
        corrected = correction_text(self.correction, len(self.differences))
        first, others = len(self.systems) - 2, count_text(known - 2)
        some = f" Compared: A, B and the first {first} of the other {others} systems." if first < known - 2 else ""
        if all(math.isnan(one.test.p_value) for one in self.differences):
            return f"Means over {over}, the best bold. Below: the difference from A, without interval or test.{some}"
        return (
            f"Means over {over}, the best bold. Below: the {level_text(self.level)} interval of A; for the others the "
            f"difference from A and its interval. ▲ better than A, ▼ worse, no mark: could be chance "
            f"({RANKING_TESTS[self.test]}, p ≤ {number_text(1 - self.level, 2)}, {corrected}).{some}"
        )

    @property
    def formulas(self) -> str:
        """The measure of the verdict with the means of A and B, and the test of their difference, in Markdown."""
        one, measure, clusters = self.difference, self.definition, self.difference.test.interval.clusters
        n, statistic = latex_count(one.test.n), latex(number_text(one.test.statistic))
        difference, effect, mean_a, mean_b = map(latex_term, (one.estimate, one.effect_size, one.value_a, one.value_b))
        test = (_TESTS | _CLUSTERED_TESTS if clusters else _TESTS)[self.test]
        formula = test.format(n=n, effect=effect, statistic=statistic, c=latex_count(clusters or 0))
        formulas = [
            f"{measure_markdown(measure)} — {measure.summary}",
            rf"$\displaystyle {measure.formula}$ $\qquad \bar{{x}}_A = {mean_a}, \quad \bar{{x}}_B = {mean_b}$",
            measure.reading,
            "**The difference of each query**, $d_i = x_{B,i} - x_{A,i}$, its mean and its effect size",
            rf"$\displaystyle \bar d = \frac{{1}}{{n}} \sum_i d_i = {difference}, \qquad d_z = \frac{{\bar d}}{{s_d}} ="
            rf" {effect}, \qquad n = {n}$",
            f"**{one.test.method}**, {p_text(one.test.p_value)}, corrected {p_text(one.p)}",
            rf"$\displaystyle {formula}$",
            _READING[self.test],
            *([_WHOLE_CLUSTERS] if clusters else []),
        ]
        return "\n\n".join(formulas)

    @property
    def code(self) -> str:
        """Python that compares the systems again and asserts every number."""
        return self.code_with()

    def code_with(self, *more: str) -> str:
        """Python that recomputes the comparison, followed by lines that use it as `comparison`."""
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
            *(check("tested", numbers), *self.margin_code, *more, "print(comparison.verdict)"),
        )

    @property
    def _headline(self) -> str:
        """The best of the systems that are compared, and whether A or B is better than the other beyond chance."""
        lower, titles = self.definition.better == "lower", system_titles(self.systems, 40)
        means = {system: self.means[system, self.measure].estimate for system in self.systems}
        known = [mean for mean in means.values() if not math.isnan(mean)]
        best = min(known) if lower else max(known)
        first, *ties = (system for system, mean in means.items() if mean == best)
        by, mean = plain(self.heading), number_text(best)
        if ties:
            names = " and ".join(plain(titles[system]) for system in (first, *ties))
            return f"{names} rank equally well by {by} ({mean})."
        side = self.difference.better(self.level)
        ahead, behind = (self.a, self.b) if side < 0 or (not side and first == self.a) else (self.b, self.a)
        ahead, behind = plain(titles[ahead]), plain(titles[behind])
        if ahead == plain(titles[first]):
            chance = f"; the difference from {behind} could be chance"
            compared = f", better than {behind} beyond chance" if side else chance
        elif side:
            compared = f". Of A and B, {ahead} is better than {behind}, beyond chance"
        else:
            compared = f". The difference between {ahead} and {behind} could be chance"
        return f"{plain(titles[first])} ranks best ({by} {mean}){compared}."

    @property
    def _clusters_text(self) -> str:
        """Number of clusters of the compared queries: " of 50 topics"; empty without clusters."""
        return self.rankings.current.clusters_of(self.difference.test.interval.clusters or 0)

    def _judged_share(self, system: str) -> float:
        judged = self.rankings.per_query(["judged@k"], system)
        return mean_or_nan(judged.values["judged@k"][~judged.missing])

    def _label(self, system: str) -> Cell:
        letter, place = {self.a: "A ", self.b: "B "}.get(system, ""), self.positions[self.systems.index(system)]
        title = f"{letter}{system_titles(self.systems, 40)[system]}"
        return Cell(title, heading=True, strong=bool(letter), kind=f"system-{place}")

    def _cell(self, system: str, name: str) -> Cell:
        mean, lower = self.means[system, name], self.rankings.measure(name).better == "lower"
        means = [self.means[one, name].estimate for one in self.systems]
        best = mean.estimate == (min(means) if lower else max(means))
        if system == self.a:
            low, high = float(mean.interval.low), float(mean.interval.high)
            bounds = "no interval" if math.isnan(low) else range_text(number_text(low), number_text(high))
            return Cell(number_text(mean.estimate) + _MARKS[0], strong=best, below=bounds + _MARKS[0])
        one = self.difference_to(system, name)
        value = number_text(mean.estimate) + _MARKS[one.better(self.level)]
        if one.undefined:
            return Cell(value, strong=best, below=UNDEFINED + _MARKS[0])
        below = f"{one.text}{_MARKS[0]}\n{one.bounds}{_MARKS[0]}"
        return Cell(value, strong=best, below=below, title=f"{_details(one)} {one.test.interval.caution}".strip())


def compare_rankings(
    rankings: Rankings, b: str | None = None, names: Sequence[str] = ("AP", "nDCG@k", "P@k", "R@k", "RR", "bpref"),
    measure: str | None = None, *, test: str = "t", correction: str = "holm", level: float = 0.95,
    all_pairs: bool = False, margin: Margin | None = None,
) -> RankingComparison:  # fmt: skip
    """Compare the chosen system of some rankings, A, with the others on the queries that take part for all.

    B is by default the first other system, and the first of the measures decides the verdict. The other settings are
    those of `RankingPairs`.

    Raises ReadProblem when there is no other system, or no query takes part for all of them.
    """
    others = [system for system in rankings.systems if system != rankings.system]
    if not others:
        raise ReadProblem("Comparing needs two systems on the same queries; this data set has one.")
    settings = test, correction, level, all_pairs, margin or Margin()
    once = {rankings.heading(name): name for name in reversed(names)}  # nDCG@k may be nDCG@10, and is one test
    distinct = tuple(name for name in names if name in once.values())
    chosen = once.get(rankings.heading(measure or names[0]), measure or names[0])
    comparison = RankingComparison(rankings, b or others[0], distinct, chosen, *settings)
    if not np.any(comparison.taking_part):
        raise ReadProblem("No query takes part for all of these systems. Let queries without a list count 0.")
    return comparison


def _details(one: Difference) -> str:
    """Test of a difference as a tooltip."""
    wins, ties, losses, n = map(count_text, (*(one.record or (0, 0, 0)), one.test.n))
    p_values = f"{p_text(one.test.p_value)}, corrected {p_text(one.p)}"
    record = f"{wins} won, {ties} tied, {losses} lost of {n} queries"
    return f"{one.test.method}: {p_values}; d_z {number_text(one.effect_size)}; {record}"


def no_test_by(measure: MetricDef) -> str:
    """Reason that rankings cannot be tested by a measure; empty if they can.

    Tests of mean differences need to know which of two values is better, and a mean that is that of the queries.
    """
    if measure.mean != "arithmetic":
        return f"{measure.symbol} is defined for a set of queries only, and the tests need a value per query. Use AP."
    if measure.better is None or measure.key == "judged_at":
        return f"Systems are not better or worse by {measure.name.lower()}."
    return ""


@dataclass(frozen=True, eq=False)
class QueryDifferences:
    """Differences B minus A per query with both values. Names and queries are unescaped text from a file."""

    a: str
    b: str
    # Their places among all systems, which give them their colours.
    place_a: int
    place_b: int
    queries: Sequence[str]
    # Shape (n,): what rounding leaves of a difference of 0 is 0.
    values_a: Array
    values_b: Array
    differences: Array
    heading: str  # the measure in a table: "nDCG@10"
    better: str | None = "higher"  # "higher", "lower" or None
    faces: Mapping[str, Sequence[str]] = field(default_factory=dict)  # columns of their images and texts, if any

    @classmethod
    def of(cls, pairs: RankingPairs) -> "QueryDifferences":
        """Differences per query between A and B, by the measure of the verdict."""
        values_a, values_b = pairs.pair_values
        differences = np.where(np.isclose(values_a, values_b, rtol=1e-12, atol=0), 0.0, values_b - values_a)
        known = np.isfinite(differences)
        queries = list(compress(pairs.queries, known.tolist()))
        place_a, place_b = map(pairs.rankings.systems.index, (pairs.a, pairs.b))
        columns = {"values_a": values_a[known], "values_b": values_b[known], "differences": differences[known]}
        measure = {"heading": pairs.heading, "better": pairs.definition.better}
        faces = query_columns(pairs.rankings, queries)
        return cls(pairs.a, pairs.b, place_a, place_b, queries, **columns, **measure, faces=faces)

    @cached_property
    def order(self) -> Indices:
        """Places of the queries, the largest difference first."""
        return np.argsort(-np.abs(self.differences), kind="stable")

    @property
    def table(self) -> dict[str, Any]:
        """A row per query, the largest difference first."""
        (a, b), order = system_titles((self.a, self.b)).values(), self.order.tolist()
        numbers = {f"A: {a}": self.values_a, f"B: {b}": self.values_b, "B − A": self.differences}
        return {
            "query": list(short_names((str(self.queries[index]) for index in order), 30).values()),
            **{name: [cells[index] for index in order] for name, cells in self.faces.items()},
            **{name: values[self.order] for name, values in numbers.items()},
        }


@dataclass(frozen=True, eq=False)
class SideBySideRankings:
    """The lists of A, the chosen system, and of B for one query, with their values of a measure."""

    rankings: Rankings
    b: str
    # One that takes part for both. Comes from a file: escape it.
    query: str
    measure: str = "AP"

    @cached_property
    def lists(self) -> tuple[RankedList, RankedList]:
        """The ranked lists of A and B for the query."""
        return RankedList(self.rankings, self.query), RankedList(self.rankings.of_system(self.b), self.query)

    @property
    def title(self) -> str:
        """The query and the two systems, in Markdown."""
        a, b = pair_names(self.rankings.system, self.b)
        return f"**Query {plain(self.query, 60)}** · A is {a}, B is {b}"

    @property
    def notes(self) -> list[str]:
        """The verdict, and whether there is any list, in Markdown."""
        return [self.verdict] + ([] if self.documents else ["Neither system has a list for this query; both count 0."])

    @property
    def verdict(self) -> str:
        """The measure of both and how many relevant documents they found, in Markdown."""
        total, heading = self.lists[0].curve.total, system_name(self.rankings.heading(self.measure))
        if not total:
            return f"No document is judged relevant for this query, so every system gets the same {heading}."
        values, parts = [], []
        for one in self.lists:
            values.append(float(one.rankings.per_query([self.measure]).values[self.measure][one.place]))
            found = f"found {count_text(int(one.curve.relevant.sum()))} of {count_text(total)} relevant"
            parts.append(f"{system_name(one.rankings.system)}: {heading} **{number_text(values[-1])}**, {found}")
        return " · ".join([*parts, f"B − A **{signed(number_text)(values[1] - values[0])}**"])

    @cached_property
    def _ranks(self) -> dict[tuple[str, int], list[float]]:
        """Ranks of each document in A and B, in the order of A and then of B; nan where it is not in the list."""
        ranks: dict[tuple[str, int], list[float]] = {}
        for side, one in enumerate(self.lists):
            for rank, document in enumerate(one.documents, 1):
                # Of two that nobody judged, summed up lists do not tell whether they are one.
                is_unknown = document == UNKNOWN and not one.rankings.has_lists
                key = document, (rank if side else -rank) if is_unknown else 0
                ranks.setdefault(key, [math.nan, math.nan])[side] = rank
        return ranks

    @property
    def documents(self) -> list[str]:
        """The documents of either list, in the order of A and then of B."""
        return [document for document, _ in self._ranks]

    @property
    def table(self) -> dict[str, Any]:
        """A row per document of either list: its ranks, grade and scores, if any."""
        documents, ranks = self.documents, np.array([*self._ranks.values()]).reshape(-1, 2).T
        sides = zip("AB", self.lists, ranks, strict=True)
        scores = {f"score in {side}": _at_ranks(one.scores, own) for side, one, own in sides if one.has_scores}
        both = (_at_ranks(one.grades, own) for one, own in zip(self.lists, ranks, strict=True))
        grades = np.where(np.isfinite(ranks[0]), *both)
        return {
            "rank in A": ranks[0], "rank in B": ranks[1], "document": [one_line(one, 200) for one in documents],
            **face_columns(self.rankings.document_faces, documents), "grade": list(map(grade_text, grades.tolist())),
            "relevant": grades >= self.rankings.level, **scores,
        }  # fmt: skip


def _at_ranks(values: Array, ranks: Array) -> Array:
    """Values at ranks that count from 1; nan where the rank is nan."""
    return np.append(values, np.nan)[np.nan_to_num(ranks).astype(int) - 1]
