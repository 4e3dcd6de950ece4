"""Where do the judgments lie? The way from topics to qrels in numbers, and what is judged rank by rank."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.judgment_reduction import JudgmentReduction
from evalcore.analyses.label_pairs import system_name
from evalcore.retrieval import PoolSize, RemainingJudgments, pool_size
from evalcore.wording import count_text, share_text

__all__ = ["JUDGED", "JudgmentMap", "WorkflowStep"]

JUDGED = ("unjudged", "judged, not relevant", "relevant")
"""What a document of a list can be; a place without a document is -1."""

_QUERIES, _RANKS = 60, 50
"""Queries and ranks that are drawn; of more queries, so many at even distances."""


@dataclass(frozen=True)
class WorkflowStep:
    """One step from topics to qrels: what it is called, how much came out of it, and who does what."""

    title: str
    number: int
    unit: str
    words: str


@dataclass(frozen=True, eq=False)
class JudgmentMap:
    """The judgments that are left at a step of a reduction.

    >>> from evalcore.analyses import Rankings, Source, compare_rankings
    >>> from evalcore.readers import read_sample
    >>> pairs = compare_rankings(Rankings(Source.of(read_sample("two_methods")), "A"))
    >>> JudgmentMap(JudgmentReduction(pairs), 0.0).grid[:, :4].tolist()
    [[2, 2, 2, 2]]
    """

    reduction: JudgmentReduction
    step: float

    @cached_property
    def remaining(self) -> RemainingJudgments:
        """What is left of the judgments."""
        return self.reduction.remaining(self.step)

    @cached_property
    def rows(self) -> npt.NDArray[np.intp]:
        """Places of the queries that are drawn, among the judged ones."""
        count = len(self._judgments.queries)
        return np.unique(np.linspace(0, count - 1, min(count, _QUERIES)).round().astype(int))

    @property
    def queries(self) -> list[str]:
        """Their names, which come from a file."""
        return [self._judgments.queries[row] for row in self.rows.tolist()]

    @cached_property
    def grid(self) -> npt.NDArray[np.intp]:
        """What stands at each rank of A for these queries, as places in `JUDGED`, shape (queries, ranks)."""
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
        """How dense the judgments are, in Markdown."""
        judged, relevant = self._per_query
        kept = int(self.remaining.queries.sum())
        return (
            f"**{_span(judged)} judged documents per query**, {_span(relevant)} of them relevant, for "
            f"{count_text(kept)} {'query' if kept == 1 else 'queries'} (median and range)."
        )

    @property
    def about(self) -> str:
        """What the picture shows, for those who do not see it."""
        shares = [share_text(float(np.mean(self.grid == state))) for state in range(len(JUDGED))]
        parts = ", ".join(f"{share} {word}" for share, word in zip(shares, JUDGED, strict=True))
        return f"The first {self.grid.shape[1]} ranks of {self.reduction.pairs.a} for {len(self.rows)} queries: {parts}"

    @cached_property
    def workflow(self) -> list[WorkflowStep]:
        """From the topics to the judgments that are left, each step with its number."""
        judgments, systems = self._judgments, self.reduction.pairs.systems
        retrieved = sum(
            int(np.minimum(hits.retrieved, self._depth or np.inf).sum()) for hits in self.reduction.judged.hits
        )
        at = f"top {count_text(self._depth)} of each list" if self._depth else "every list in full"
        judged, relevant = map(np.sum, self._per_query)
        many = f"{count_text(len(systems))} systems"
        # Without the lists nobody knows which unjudged documents are the same.
        pool = [self._pool.pooled] if self.reduction.pairs.rankings.has_lists else []
        return [
            WorkflowStep("Topics", len(judgments.queries), "queries", "What is searched for."),
            WorkflowStep("Runs", retrieved, "ranked documents", f"The lists of {many}; counted: {at}."),
            *(
                WorkflowStep("Pool", pooled, "different documents", "The lists are put together; duplicates go.")
                for pooled in pool
            ),
            WorkflowStep("Assessors", int(judged), "judgments", "Each judged document has a grade for its query."),
            WorkflowStep("Qrels", int(relevant), "relevant", "Most measures count all else as irrelevant."),
        ]

    @property
    def note(self) -> str:
        """What the numbers do not show, in Markdown."""
        found = self.remaining.judgments & np.isfinite(self.reduction.judged.depth) & (self._judgments.grades >= 0)
        outside = int(self._per_query[0].sum()) - int(found.sum())
        parts = [
            f"{count_text(outside)} judged document{' is' if outside == 1 else 's are'} in no list here."
            if outside
            else "Every judged document is in some list here."
        ]
        parts.append(
            "TREC judges whole documents; INEX worked in the same way, but its assessors marked the relevant passages, "
            "so that parts of documents have graded relevance."
        )
        return " ".join(parts)

    @property
    def caption(self) -> str:
        """Whose lists the picture shows, in Markdown."""
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
        """The depth of the pool; 0 where lists are pooled in full."""
        return int(self.step) if self.reduction.way == "pool" else 0

    @property
    def _pool(self) -> PoolSize:
        pairs, depth = self.reduction.pairs, self._depth
        runs = lambda: [pairs.rankings.run(system) for system in pairs.systems]  # noqa: E731
        key = f"pool size\n{pairs.systems!r}\n{depth}"
        build = lambda: pool_size(self._judgments, runs(), depth or np.inf)  # noqa: E731
        return pairs.rankings.current.dataset.once(key, None, build, rows=1)

    @cached_property
    def _per_query(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Judged and relevant documents of each query that is left."""
        judgments, remaining = self._judgments, self.remaining
        kept, count = remaining.judgments & (judgments.grades >= 0), len(judgments.queries)
        relevant = kept & (judgments.grades >= self.reduction.pairs.rankings.level)
        judged, found = (np.bincount(judgments.codes[rows], minlength=count) for rows in (kept, relevant))
        return judged[remaining.queries], found[remaining.queries]


def _span(counts: npt.NDArray[np.intp]) -> str:
    """The median with the range: 158 (142 to 171)."""
    if not len(counts):
        return "0"
    low, high, middle = int(counts.min()), int(counts.max()), float(np.median(counts))
    return count_text(middle) + ("" if low == high else f" ({count_text(low)} to {count_text(high)})")
