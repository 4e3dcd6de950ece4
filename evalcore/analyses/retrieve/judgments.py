"""Would fewer judgments give the same order of the systems, and what do the unjudged documents leave open?"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np

from evalcore import retrieval
from evalcore.analyses.compare.paired_systems import RESULT
from evalcore.analyses.data.label_pairs import system_name, system_title
from evalcore.analyses.data.rankings import queries_text
from evalcore.analyses.retrieve.paired_rankings import RankingPairs, mean_or_nan
from evalcore.numeric import Indices
from evalcore.wording import count_text, number_text, range_text, share_text

__all__ = ["JUDGED", "REDUCTIONS", "Bounds", "JudgmentMap", "JudgmentReduction", "WorkflowStep"]

_WAYS = "at random", "whole queries", "below a pool", "all but a few relevant"
REDUCTIONS: dict[str, str] = dict(zip(retrieval.WAYS, _WAYS, strict=True))
"""Ways to hide judgments: the keys are those of evalcore.retrieval.WAYS."""

FIRST_SEED = 20
_BESIDE = ("AP", "bpref", "infAP", "nDCG@k", "P@k")
_INCOMPLETE = ("AP", "bpref", "infAP")


@dataclass(frozen=True)
class Bounds:
    """Bounds of a measure of one system over all possible grades of its unjudged documents."""

    name: str  # comes from a file: escape it
    position: int  # its place among all systems, which gives its colour
    # The measure with all unjudged documents irrelevant, its bounds, and its value for the condensed lists.
    value: float
    low: float
    high: float
    condensed: float
    incomplete: dict[str, float] = field(default_factory=dict)  # AP, bpref and infAP
    judged: float = math.nan  # share of the first k documents that are judged


@dataclass(frozen=True, eq=False)
class JudgmentReduction:
    """Robustness of a comparison when judgments are hidden in one way."""

    pairs: RankingPairs
    way: str = "random"  # a key of `REDUCTIONS`

    @cached_property
    def judged(self) -> retrieval.JudgedRuns:
        """The judged documents of every system."""
        rankings, systems = self.pairs.rankings, self.pairs.systems

        def build() -> retrieval.JudgedRuns:
            return retrieval.JudgedRuns(rankings.judgments, *zip(*map(rankings.placed_hits, systems), strict=True))

        return rankings.current.dataset.once(f"judged runs\n{systems!r}", None, build)

    @cached_property
    def steps(self) -> tuple[float, ...]:
        """Steps from all judgments to the fewest."""
        return retrieval.steps_of(self.way, self.judged, self.pairs.rankings.level)

    def draws(self, number: int) -> int:
        """Number of random draws for a requested number: 1 for a pool, which is not random."""
        return 1 if self.way == "pool" else number

    def prepare(self, draws: int) -> Iterator[int]:
        """Make the missing draws; yields how many are done before each, so that a caller can stop early."""
        if not (missing := self._missing(draws)):
            return
        settings = missing, self.pairs.rankings.level, self.pairs.taking_part
        made = retrieval.order_stability(self.judged, self._measures, self.way, self.steps, *settings)
        for seed in missing:
            yield seed - FIRST_SEED
            self._known[seed] = next(made)

    def order(self, draws: int) -> retrieval.OrderStability:
        """Order of the systems by each measure at every step."""
        list(self.prepare(draws))
        return retrieval.OrderStability.joined([self._known[FIRST_SEED + draw] for draw in range(self.draws(draws))])

    def rows_to_rank(self, draws: int) -> int:
        """Judged documents of all systems, steps and draws that are not known yet: how long `prepare` may take."""
        return len(self._missing(draws)) * len(self.steps) * sum(len(hits.query) for hits in self.judged.hits)

    def _missing(self, draws: int) -> list[int]:
        """Seeds of the draws that are not known yet."""
        seeds = range(FIRST_SEED, FIRST_SEED + self.draws(draws))
        return [seed for seed in seeds if seed not in self._known]

    def remaining(self, step: float) -> retrieval.RemainingJudgments:
        """Judgments left at a step of the first draw."""
        return self.judged.draw(self.way, FIRST_SEED, self.pairs.rankings.level).remaining(step)

    def bounds(self, step: float) -> list[Bounds]:
        """Bounds of every system under the judgments left at a step."""
        once = self.pairs.rankings.current.dataset.once
        return once(f"bounds\n{self._key}\n{step}", None, lambda: self._bounds(step), rows=RESULT)

    def bounds_table(self, step: float) -> dict[str, list[str]]:
        """Bounds from unjudged documents as text, one row per system."""
        lines, heading = self.bounds(step), self.pairs.heading
        return {
            "system": [system_title(one.name) for one in lines],
            f"unjudged@{count_text(self.pairs.rankings.k)}": [share_text(1 - one.judged) for one in lines],
            heading: [number_text(one.value) for one in lines],
            "bounds": [f"{number_text(one.low)} … {number_text(one.high)}" for one in lines],
            "condensed": [number_text(one.condensed) for one in lines],
            **{name: [number_text(one.incomplete[name]) for one in lines] for name in _INCOMPLETE if name != heading},
        }

    def order_table(self, step: float, draws: int) -> dict[str, list[str]]:
        """The order of the systems at a step, one row per measure."""
        order, number = self.order(draws), self.draws(draws)
        row = order.steps.index(step)
        return {
            "measure": list(order.tau),
            "τ, mean": [number_text(float(order.mean_tau(name)[row])) for name in order.tau],
            "τ, lowest": [number_text(float(order.lowest_tau(name)[row])) for name in order.tau],
            "same order": [f"{int(order.same_order(name)[row])} of {number}" for name in order.tau],
            "same best": [f"{int(order.same_best[name][row].sum())} of {number}" for name in order.tau],
            "order now": [self._order_text(order.means[name][row].mean(axis=0)) for name in order.tau],
        }

    def table(self, draws: int) -> dict[str, list[Any]]:
        """A row per measure, step and draw: tau and the mean of each system, unrounded."""
        order = self.order(draws)
        each = [(name, *at) for name, tau in order.tau.items() for at in np.ndindex(tau.shape)]
        means = {
            f"mean of {system}": [float(order.means[name][row, draw, index]) for name, row, draw in each]
            for index, system in enumerate(self.pairs.systems)
        }
        return {
            "way": [REDUCTIONS[self.way]] * len(each), "step": [order.steps[row] for _, row, _ in each],
            "draw": [draw + 1 for *_, draw in each], "measure": [name for name, *_ in each],
            "tau": [float(order.tau[name][row, draw]) for name, row, draw in each], **means,
        }  # fmt: skip

    @property
    def _key(self) -> str:
        measure, rankings = self.pairs.definition, self.pairs.rankings
        settings = (measure.key, sorted(measure.arguments.items()), rankings.k)
        return f"{self.pairs.key}\n{settings}\n{rankings.level}\n{self.way}"

    @cached_property
    def _known(self) -> dict[int, retrieval.OrderStability]:
        """Draws made so far, by seed; shared by equal reductions."""
        return self.pairs.rankings.current.dataset.once(f"draws\n{self._key}", None, dict, rows=RESULT)

    @property
    def _measures(self) -> dict[str, Callable[[retrieval.Hits], np.ndarray]]:
        """Measures whose system order is followed, the one of the verdict first."""
        rankings = self.pairs.rankings
        beside = {rankings.heading(name): rankings.measure(name) for name in (self.pairs.measure, *_BESIDE)}
        average = rankings.measure("AP")
        return {**beside, "AP, condensed": lambda hits: average(hits.condensed())}

    def _bounds(self, step: float) -> list[Bounds]:
        rankings, measure, remaining = self.pairs.rankings, self.pairs.definition, self.remaining(step)
        part, lines = self.pairs.taking_part[remaining.queries], []
        systems = zip(self.pairs.systems, self.pairs.positions, self.judged.with_only(remaining), strict=True)
        for system, position, hits in systems:
            span = retrieval.unjudged_ranges(hits, [measure])[measure.label]
            columns = span.value, span.low, span.high, measure(hits.condensed())
            incomplete = {name: mean_or_nan(rankings.measure(name)(hits)[part]) for name in _INCOMPLETE}
            # A query that no list has says nothing about what is judged of a list.
            judged = mean_or_nan(rankings.measure("judged@k")(hits)[part & ~hits.missing])
            means = [mean_or_nan(values[part]) for values in columns]
            lines.append(Bounds(system, position, *means, incomplete=incomplete, judged=judged))
        return lines

    def _order_text(self, means: np.ndarray) -> str:
        """Systems from the highest mean to the lowest, in words."""
        order = np.argsort(-means, kind="stable").tolist()
        signs = ["", *(" = " if means[one] == means[two] else " > " for one, two in pairwise(order))]
        systems = self.pairs.systems
        return "".join(sign + system_title(systems[index], 24) for sign, index in zip(signs, order, strict=True))


JUDGED = ("unjudged", "judged, not relevant", "relevant")
"""States of a document of a list; a place without a document is -1."""

_QUERIES, _RANKS = 60, 50
"""Largest numbers of queries and ranks that are drawn; of more queries, some at even distances."""


@dataclass(frozen=True)
class WorkflowStep:
    """Step from topics to qrels: name, output size and the people involved."""

    title: str
    number: int
    unit: str
    words: str


@dataclass(frozen=True, eq=False)
class JudgmentMap:
    """Judgments left at a step of a reduction."""

    reduction: JudgmentReduction
    step: float

    @cached_property
    def remaining(self) -> retrieval.RemainingJudgments:
        """Judgments left after hiding."""
        return self.reduction.remaining(self.step)

    @cached_property
    def rows(self) -> Indices:
        """Places of the queries that are drawn, among the judged ones."""
        count = len(self._judgments.queries)
        return np.unique(np.linspace(0, count - 1, min(count, _QUERIES)).round().astype(int))

    @property
    def queries(self) -> list[str]:
        """Names of the queries, unescaped text from a file."""
        return [self._judgments.queries[row] for row in self.rows.tolist()]

    @cached_property
    def grid(self) -> Indices:
        """Judgment at each rank of A for these queries, as indices into `JUDGED`, shape (queries, ranks)."""
        pairs, judged = self.reduction.pairs, self.reduction.judged
        index = pairs.systems.index(pairs.a)
        hits, places = judged.hits[index], judged.rows[index]
        ranks = min(_RANKS, max(int(hits.retrieved.max(initial=1)), 1))
        grid = np.where(np.arange(1, ranks + 1) <= hits.retrieved[:, None], 0, -1)
        shown = self.remaining.judgments[places] & (hits.grade >= 0) & (hits.rank <= ranks)
        grid[hits.query[shown], hits.rank[shown] - 1] = 1 + (hits.grade[shown] >= pairs.rankings.level)
        return grid[self.rows]

    @property
    def verdict(self) -> str:
        """Density of the judgments, in Markdown."""
        judged, relevant = self._per_query
        kept = int(self.remaining.queries.sum())
        return (
            f"**{_span(judged)} judged documents per query**, {_span(relevant)} of them relevant, for "
            f"{queries_text(kept)} (median and range)."
        )

    @property
    def about(self) -> str:
        """Text alternative of the figure."""
        shares = [share_text(float(np.mean(self.grid == state))) for state in range(len(JUDGED))]
        parts = ", ".join(f"{share} {word}" for share, word in zip(shares, JUDGED, strict=True))
        return f"The first {self.grid.shape[1]} ranks of {self.reduction.pairs.a} for {len(self.rows)} queries: {parts}"

    @cached_property
    def workflow(self) -> list[WorkflowStep]:
        """Steps from the topics to the judgments left, each with its number."""
        judgments, systems = self._judgments, self.reduction.pairs.systems
        deepest = self._depth or np.inf
        retrieved = sum(int(np.minimum(hits.retrieved, deepest).sum()) for hits in self.reduction.judged.hits)
        at = f"top {count_text(self._depth)} of each list" if self._depth else "every list in full"
        judged, relevant = map(np.sum, self._per_query)
        lists = f"The lists of {count_text(len(systems))} systems; counted: {at}."
        steps = [
            WorkflowStep("Topics", len(judgments.queries), "queries", "What is searched for."),
            WorkflowStep("Runs", retrieved, "ranked documents", lists),
            WorkflowStep("Assessors", int(judged), "judgments", "Each judged document has a grade for its query."),
            WorkflowStep("Qrels", int(relevant), "relevant", "Most measures count all else as irrelevant."),
        ]
        # Without the lists nobody knows which unjudged documents are the same.
        if self.reduction.pairs.rankings.has_lists:
            words = "The lists are merged without duplicates."
            steps.insert(2, WorkflowStep("Pool", self._pool, "different documents", words))
        return steps

    @property
    def note(self) -> str:
        """Notes on what the map does not show, in Markdown."""
        found = self.remaining.judgments & np.isfinite(self.reduction.judged.depth) & (self._judgments.grades >= 0)
        outside = int(self._per_query[0].sum()) - int(found.sum())
        some = f"{count_text(outside)} judged document{' is' if outside == 1 else 's are'} in no list here."
        note = some if outside else "Every judged document is in some list here."
        return (
            f"{note} TREC judges whole documents; INEX worked in the same way, but its assessors marked the relevant "
            "passages, so that parts of documents have graded relevance."
        )

    @property
    def caption(self) -> str:
        """Caption with the system whose lists are drawn and the meaning of the colours, in Markdown."""
        every, some = len(self._judgments.queries), len(self.rows)
        drawn = f" {count_text(some)} of {count_text(every)} queries are drawn." if some < every else ""
        return (
            f"The lists of {system_name(self.reduction.pairs.a)}: one line per query, its first rank at the left."
            f"{drawn} Blue: relevant · grey: judged, not relevant · faint: unjudged."
        )

    @property
    def _judgments(self):
        return self.reduction.judged.judgments

    @property
    def _depth(self) -> int:
        """Pool depth; 0 for lists pooled in full."""
        return int(self.step) if self.reduction.way == "pool" else 0

    @property
    def _pool(self) -> int:
        (pairs, depth), runs = (self.reduction.pairs, self._depth), self.reduction.pairs.rankings.run
        size = partial(retrieval.pool_size, self._judgments, map(runs, pairs.systems), depth or np.inf)
        return pairs.rankings.current.dataset.once(f"pool size\n{pairs.systems!r}\n{depth}", None, size, rows=1)

    @cached_property
    def _per_query(self) -> tuple[Indices, Indices]:
        """Judged and relevant documents of each query that is left."""
        judgments, remaining = self._judgments, self.remaining
        kept, count = remaining.judgments & (judgments.grades >= 0), len(judgments.queries)
        relevant = kept & (judgments.grades >= self.reduction.pairs.rankings.level)
        judged, found = (np.bincount(judgments.codes[rows], minlength=count) for rows in (kept, relevant))
        return judged[remaining.queries], found[remaining.queries]


def _span(counts: Indices) -> str:
    """The median with the range: 158 (142 to 171)."""
    if not len(counts):
        return "0"
    low, high, middle = int(counts.min()), int(counts.max()), float(np.median(counts))
    return count_text(middle) + ("" if low == high else f" ({range_text(count_text(low), count_text(high))})")
