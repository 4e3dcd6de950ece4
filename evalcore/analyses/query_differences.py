"""On which queries do two systems differ, and what do their lists look like there?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.analyses.faces import document_cell, query_columns
from evalcore.analyses.label_pairs import system_name, system_title, system_titles
from evalcore.analyses.ranked_list import RankedList
from evalcore.analyses.ranking_pairs import RankingPairs
from evalcore.analyses.rankings import UNKNOWN
from evalcore.numeric import Array
from evalcore.readers import Face
from evalcore.wording import Cell, count_text, number_text, one_line, short_names, signed

__all__ = ["QueryDifferences", "SideBySideRankings"]


@dataclass(frozen=True, eq=False)
class QueryDifferences:
    """B minus A for each query in which both have a value. Names and queries come from a file: escape them."""

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
        """Those of A and B by the measure of the verdict."""
        values_a, values_b = (pairs.values(system, pairs.measure) for system in (pairs.a, pairs.b))
        differences = np.where(np.isclose(values_a, values_b, rtol=1e-12, atol=0), 0.0, values_b - values_a)
        known = np.isfinite(differences)
        queries = [query for query, one in zip(pairs.queries, known.tolist(), strict=True) if one]
        slots = [pairs.positions[pairs.systems.index(system)] for system in (pairs.a, pairs.b)]
        return cls(
            *(pairs.a, pairs.b, slots[0], slots[1], queries, values_a[known], values_b[known], differences[known]),
            *(pairs.heading, pairs.definition.better, query_columns(pairs.rankings, queries)),
        )

    @cached_property
    def order(self) -> npt.NDArray[np.intp]:
        """Places of the queries, the largest difference first."""
        return np.argsort(-np.abs(self.differences), kind="stable")

    @property
    def table(self) -> dict[str, Any]:
        """A row per query, the largest difference first."""
        a, b = system_titles((self.a, self.b)).values()
        return {
            "query": list(short_names((str(self.queries[index]) for index in self.order.tolist()), 30).values()),
            **{name: [cells[index] for index in self.order.tolist()] for name, cells in self.faces.items()},
            f"A: {a}": self.values_a[self.order],
            f"B: {b}": self.values_b[self.order],
            "B − A": self.differences[self.order],
        }


@dataclass(frozen=True, eq=False)
class SideBySideRankings:
    """The lists of A and B for one query."""

    pairs: RankingPairs
    # One of `pairs.queries`. Comes from a file: escape it.
    query: str

    @cached_property
    def lists(self) -> tuple[RankedList, RankedList]:
        """Those of A and of B."""
        a, b = (self.pairs.rankings.of_system(system) for system in (self.pairs.a, self.pairs.b))
        return RankedList(a, self.query), RankedList(b, self.query)

    @property
    def longest(self) -> int:
        """Ranks of the longer list."""
        return max(len(one.documents) for one in self.lists)

    @property
    def verdict(self) -> str:
        """The measure of both and how many relevant documents they found, in Markdown."""
        pairs, total = self.pairs, self.lists[0].curve.total
        index = pairs.queries.index(self.query)
        systems = (pairs.a, pairs.b)
        values = [float(pairs.values(system, pairs.measure)[index]) for system in systems]
        heading = system_name(pairs.heading)
        if not total:
            return f"No document is judged relevant for this query, so every system gets the same {heading}."
        counts = [count_text(int(one.curve.relevant.sum())) for one in self.lists]
        parts = [
            f"{system_name(system)}: {heading} **{number_text(value)}**, found {count} of {count_text(total)} relevant"
            for system, value, count in zip(systems, values, counts, strict=True)
        ]
        return " · ".join([*parts, f"B − A **{signed(number_text)(values[1] - values[0])}**"])

    @property
    def heads(self) -> list[Cell]:
        """Headings over `rows`."""
        heads = [Cell("rank", heading=True, kind="rank")]
        for letter, other, system in (("A", "B", self.pairs.a), ("B", "A", self.pairs.b)):
            title = f"{letter} {system_title(system, 40)}"
            heads += [
                Cell("", heading=True, kind="mark"),
                Cell(title, heading=True, title=system_title(system, 200)),
                Cell(f"in {other}", heading=True, kind="there"),
            ]
        return heads

    def rows(self, ranks: int) -> list[list[Cell]]:
        """The first ranks: what is relevant, and where the other list has each document."""
        where = [{document: rank for rank, document in enumerate(one.documents, 1)} for one in self.lists]
        graded = any(grade > 1 for one in self.lists for grade in one.grades.tolist())
        faces = [one.rankings.document_faces.among(one.documents[:ranks]) for one in self.lists]
        sides = list(zip(self.lists, faces, reversed(where), strict=True))
        return [
            [Cell(str(rank), kind="rank"), *(cell for side in sides for cell in _side(rank, graded, *side))]
            for rank in range(1, min(self.longest, ranks) + 1)
        ]


def _side(rank: int, graded: bool, ranked: RankedList, faces: Sequence[Face], there: dict[str, int]) -> list[Cell]:
    """A document with its mark and its rank in the other list."""
    if rank > len(ranked.documents):
        return [Cell("", kind="mark"), Cell(""), Cell("", kind="there")]
    document, grade = ranked.documents[rank - 1], float(ranked.grades[rank - 1])
    unjudged, relevant = np.isnan(grade), bool(ranked.curve.relevant[rank - 1])
    kind = "unjudged" if unjudged else "relevant" if relevant else ""
    mark = "?" if unjudged else "●" if relevant else "·"
    mark += f" {grade:g}" if graded and grade > 0 else ""
    title = f"{one_line(document, 200)}: {'unjudged' if unjudged else f'grade {grade:g}'}"
    # Of two that nobody judged, summed up lists do not tell whether they are one.
    is_unknown = document == UNKNOWN and not ranked.rankings.has_lists
    other = "" if is_unknown else count_text(there[document]) if document in there else "–"
    kinds = [f"{name} {kind}".strip() for name in ("mark", "", "there")]
    return [
        Cell(mark, kind=kinds[0]),
        document_cell(faces[rank - 1], document, kinds[1], title),
        Cell(other, kind=kinds[2]),
    ]
