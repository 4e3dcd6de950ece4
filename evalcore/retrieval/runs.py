"""Runs of a system: scored documents for each query, and the rank that the scores give them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, Flags, where_next
from evalcore.retrieval.id_table import IdTable, Places, coded, stretches
from evalcore.retrieval.judgments import Judgments, finite, refuse_duplicates, same_length

__all__ = ["Run", "pool_size", "trec_qrels_text", "trec_run_text"]

_PART = 1 << 17


@dataclass(frozen=True, eq=False)
class Run:
    """The documents that one system retrieved for each query.

    A list is ordered by score, highest first; equal scores by the bytes of the document, highest first (trec_eval's
    rule). Neither the order of rows nor a column of ranks plays a part. Scores keep their 64 bits, as in newer versions
    of trec_eval; `rounded` has the ties of version 9. Build it with `from_arrays`.

    Attributes
    ----------
    queries : tuple of str, length q
        In the order of their first row.
    codes : array of int32, shape (n,)
        Place of each row's query in `queries`.
    scores : Array, shape (n,)

    Examples
    --------
    >>> run = Run.from_arrays(["q1", "q1", "q1"], ["d1", "d2", "d3"], [0.2, 0.9, 0.2])
    >>> run.ranked("q1")
    ['d2', 'd3', 'd1']
    """

    queries: tuple[str, ...]
    codes: Places
    documents: IdTable
    scores: Array

    @classmethod
    def from_arrays(cls, queries: Sequence[object], documents: Sequence[object], scores: npt.ArrayLike) -> "Run":
        """A run from three columns in any order of rows.

        Parameters
        ----------
        queries, documents : sequences of str, bytes or int, length n
        scores : array_like of float, shape (n,)
            Higher is better. For a list of ranks give their negatives.

        Raises
        ------
        ValueError
            When the lengths differ, an id is missing, a score is no number, or a document stands twice in the list of
            one query.
        """
        names, codes = coded(IdTable.of(queries, "query"))
        values = finite(scores, "score", len(codes), infinite=True)
        return cls.from_codes(names, codes, IdTable.of(documents, "document"), values)

    @classmethod
    def from_codes(cls, queries: Sequence[str], codes: Places, documents: IdTable, scores: Array) -> "Run":
        """Build a run from queries that are already codes; for readers."""
        same_length(len(codes), len(documents), len(scores))
        refuse_duplicates(codes, documents, queries, "is retrieved twice for")
        return cls(tuple(queries), codes, documents, scores)

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def retrieved(self) -> Places:
        """Documents in the list of each query, shape (q,)."""
        return np.diff(self.starts)

    @cached_property
    def starts(self) -> Places:
        """Index of the first row of each query in the order of the lists, shape (q + 1,)."""
        if self.order is None:
            return np.searchsorted(self.codes, np.arange(len(self.queries) + 1))
        return np.concatenate([[0], np.cumsum(np.bincount(self.codes, minlength=len(self.queries)))])

    @cached_property
    def parts(self) -> list[tuple[int, int]]:
        """Queries in stretches of some hundred thousand rows: the first of each, and the one after its last."""
        firsts = np.searchsorted(self.starts[:-1], np.arange(0, len(self), _PART))
        bounds = np.unique(np.append(firsts, [0, len(self.queries)])).tolist()
        return list(pairwise(bounds))

    @cached_property
    def order(self) -> Places | None:
        """Rows by query, then by falling score, ties in any order; None if they already are in this order."""
        if len(self) < 2:
            return None
        codes, scores = self.codes, self.scores

        def falls_back(one: slice, two: slice) -> Flags:
            return (codes[two] < codes[one]) | ((codes[two] == codes[one]) & (scores[two] > scores[one]))

        if not len(where_next(falls_back, len(self))):
            return None
        by_score = np.argsort(-self.scores)
        # Two bytes are sorted by counting, which takes no comparison.
        codes = self.codes.astype(np.uint16) if len(self.queries) <= 1 << 16 else self.codes
        return by_score[np.argsort(codes[by_score], kind="stable")]

    @cached_property
    def ties(self) -> tuple[Places, Places]:
        """First and last place of every stretch of equal scores within a query, in the order of the lists."""
        scores = self.scores if self.order is None else self.scores[self.order]
        codes = self.codes if self.order is None else self.codes[self.order]
        again = where_next(lambda one, two: (scores[one] == scores[two]) & (codes[one] == codes[two]), len(self)) + 1
        heads = np.flatnonzero(np.diff(again, prepend=-2) > 1)
        return again[heads] - 1, again[np.append(heads[1:], len(again))[: len(heads)] - 1]

    @property
    def tied(self) -> int:
        """Documents that share their score with another of the same list."""
        first, last = self.ties
        return int((last - first + 1).sum())

    def rounded(self) -> "Run":
        """Round the scores to 32 bits, as trec_eval 9 does, so that those which differ by less are ties."""
        with np.errstate(over="ignore", under="ignore"):  # beyond 32 bits stands infinity, or 0
            scores = self.scores.astype(np.float32).astype(np.float64)
        run = Run(self.queries, self.codes, self.documents, scores)
        vars(run)["order"] = self.order  # rounding turns no two scores round
        return run

    def ranks(self, positions: Places) -> tuple[Places, Places, Places]:
        """Rank of some documents in the lists of their queries, and the first and last rank that their ties share.

        All of shape (h,). The positions are in the order of the lists, in which ties stand as they happen to.
        """
        position, first, last = positions, positions.copy(), positions.copy()
        tie_first, tie_last = self.ties
        if len(tie_first):
            tie = np.searchsorted(tie_first, positions, side="right") - 1
            inside = np.flatnonzero((tie >= 0) & (positions <= tie_last[tie]))
            first[inside], last[inside] = tie_first[tie[inside]], tie_last[tie[inside]]
            position = positions.copy()
            position[inside] = self._break_ties(positions[inside], np.unique(tie[inside]))
        start = self.starts[self.codes[positions if self.order is None else self.order[positions]]]
        return position - start + 1, first - start + 1, last - start + 1

    def ranked(self, query: str) -> list[str]:
        """The documents of one query from first to last; empty where the run has none."""
        return self.documents.take(self.rows_of(query)).texts()

    def rows_of(self, query: str) -> Places:
        """Rows of one query from its first rank to its last."""
        if query not in self.queries:
            return np.empty(0, dtype=np.int64)
        index = self.queries.index(query)
        return self.rows_at(int(self.starts[index]), int(self.starts[index + 1]))

    def rows_at(self, first: int, end: int) -> Places:
        """Rows of the query whose list begins and ends at these `starts`, from its first rank to its last."""
        positions = np.arange(first, end)
        rank, _, _ = self.ranks(positions)
        positions = positions[np.argsort(rank)]
        return positions if self.order is None else self.order[positions]

    def _break_ties(self, wanted: Places, ties: Places) -> Places:
        """Order of tied rows after sorting each tie by document."""
        first, last = self.ties[0][ties], self.ties[1][ties]
        sizes = last - first + 1
        group, positions = np.repeat(np.arange(len(ties)), sizes), stretches(first, sizes)
        order = self.documents.falling(positions if self.order is None else self.order[positions], group)
        untied = np.empty_like(positions)
        untied[order] = positions
        return untied[np.searchsorted(positions, wanted)]


# Blanks, and a percent sign that would be read as one of ours.
_SPLIT = re.compile(r"\s|%(?=[0-9A-F]{2})")


def trec_run_text(run: Run, runid: str = "run") -> str:
    """Write a run in the TREC format: query, Q0, document, rank from 1, score in full digits, and the name of the run.

    A line is split at blanks, so a blank inside an id is written as in an address, "%20".

    >>> print(trec_run_text(Run.from_arrays(["q 1", "q 1"], ["d1", "d2"], [0.5, 1.5]), "mine"), end="")
    q%201 Q0 d2 1 1.5 mine
    q%201 Q0 d1 2 0.5 mine
    """
    runid = _fields([runid])[0] or "run"
    queries, documents, scores = _fields(run.queries), _fields(run.documents.texts()), run.scores.tolist()
    lines = (
        f"{name} Q0 {documents[row]} {rank} {scores[row]!r} {runid}\n"
        for name, (first, end) in zip(queries, pairwise(run.starts.tolist()), strict=True)
        for rank, row in enumerate(run.rows_at(first, end).tolist(), 1)
    )
    return "".join(lines)


def trec_qrels_text(judgments: Judgments) -> str:
    """Write judgments in the TREC format: query, 0, document and grade; blanks in ids as for a run."""
    queries, documents = _fields(judgments.queries), _fields(judgments.documents.texts())
    rows = zip(judgments.codes.tolist(), documents, judgments.grades.tolist(), strict=True)
    return "".join(f"{queries[code]} 0 {document} {_grade(grade)}\n" for code, document, grade in rows)


def _grade(grade: float) -> str:
    return f"{grade:.0f}" if grade.is_integer() else repr(grade)


def _fields(names: Iterable[str]) -> list[str]:
    return [_SPLIT.sub(lambda match: quote(match[0], safe=""), name) for name in names]


def pool_size(judgments: Judgments, runs: Iterable[Run], depth: float = np.inf) -> int:
    """Number of different documents that some runs retrieved for the judged queries down to a rank: their pool."""
    queries, hashes = [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
    for run in runs:
        positions = np.arange(len(run))
        positions = positions[run.ranks(positions)[0] <= depth]
        rows = positions if run.order is None else run.order[positions]
        query = judgments.indices(run.queries)[run.codes[rows]]
        queries.append(query[query >= 0].astype(np.int64))
        hashes.append(run.documents.hashes[rows[query >= 0]])
    query, document = np.concatenate(queries), np.concatenate(hashes)
    # Within a query, two of some thousand documents share none of 2⁶⁴ hashes.
    order = np.lexsort((document, query))
    again = (np.diff(query[order]) == 0) & (np.diff(document[order]) == 0)
    return len(query) - int(np.count_nonzero(again))
