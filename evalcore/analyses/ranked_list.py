"""What does the list of one query look like, rank by rank?"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.rankings import Rankings
from evalcore.numeric import Array
from evalcore.retrieval import RankedCurve, ranked_curve, tie_ranges
from evalcore.wording.escaping import one_line, plain
from evalcore.wording.names import short_names
from evalcore.wording.numbers import count_text, number_text
from evalcore.wording.tables import Cell, Row

__all__ = ["RankedList", "grade_text", "ranked_list"]

_TERMS = 8
"""Terms of a sum that are written out."""


@dataclass(frozen=True, eq=False)
class RankedList:
    """The list of one query with precision and recall at each rank; its columns have the shape (n,).

    Parameters
    ----------
    rankings : Rankings
    query : str
        Comes from a file, as do the documents: escape them.
    documents : list of str
        From first to last.
    scores : Array, shape (n,)
    grades : Array, shape (n,)
        nan for an unjudged document.
    curve : RankedCurve
    not_retrieved : list of str
        Relevant documents that the list lacks.
    """

    rankings: Rankings
    query: str
    documents: list[str]
    scores: Array
    grades: Array
    curve: RankedCurve
    not_retrieved: list[str]

    @property
    def verdict(self) -> str:
        """How long the list is and how many relevant documents it has, in Markdown."""
        count, total = len(self.documents), self.curve.total
        if not count:
            return f"The run has no list for this query, so every measure counts 0 · {count_text(total)} relevant"
        found = f"{count_text(total)} relevant · {count_text(int(self.curve.relevant.sum()))} found"
        parts = [f"{count_text(count)} {'document' if count == 1 else 'documents'}"]
        parts.append(found if total else "no document is judged relevant, so every measure counts 0")
        if unjudged := int(np.count_nonzero(np.isnan(self.grades))):
            parts.append(f"{count_text(unjudged)} unjudged, marked ?")
        if self.not_retrieved:
            names = ", ".join(plain(document, 30) for document in self.not_retrieved[:5])
            parts.append(f"not retrieved: {names}" + (", …" if len(self.not_retrieved) > 5 else ""))
        return " · ".join(parts)

    @property
    def average_precision(self) -> str:
        """The sum behind average precision with the precisions of this list, in Markdown."""
        total, missing = count_text(self.curve.total), len(self.not_retrieved)
        terms = [number_text(value, 2) for value in self.curve.precision[self.curve.relevant].tolist()]
        if not terms:
            return f"**AP = 0**: none of the {total} relevant documents is in the list."
        value = float(self.rankings.per_query(["AP"]).values["AP"][self._place])
        shown = " + ".join(terms[:_TERMS]) + (" + …" if len(terms) > _TERMS else "")
        zeros = "the one not retrieved counts 0" if missing == 1 else f"the {count_text(missing)} not retrieved count 0"
        return (
            f"**AP = ({shown}) / {total} = {number_text(value)}**, the mean precision at the ranks of the relevant "
            f"documents{f'; {zeros}' if missing else ''}"
        )

    @property
    def tie_note(self) -> str:
        """How many scores are tied and the range of AP that other orders would give; empty without ties."""
        scores = self.scores
        tied = int(np.count_nonzero(np.isin(scores, scores[1:][scores[1:] == scores[:-1]])))
        if not tied:
            return ""
        hits = self.rankings.hits()
        this_query = hits.only(np.arange(len(hits)) == self._place)
        (span,) = tie_ranges(this_query, [self.rankings.measure("AP")]).values()
        low, high = number_text(float(span.low[0])), number_text(float(span.high[0]))
        note = f"{count_text(tied)} documents of this list have tied scores, ordered by document id."
        if low == high:
            return f"{note} No other order changes AP in the first three decimals."
        return f"{note} Other orders would give an AP of {low} … {high}."

    @cached_property
    def table(self) -> dict[str, npt.ArrayLike]:
        """A row per rank: document, score, grade, precision and recall."""
        undefined = np.full(len(self.documents), np.nan)
        return {
            "rank": self.curve.rank,
            "document": [one_line(document, 200) for document in self.documents],
            "score": self.scores,
            "grade": [grade_text(grade) for grade in self.grades.tolist()],
            "relevant": self.curve.relevant,
            "precision": self.curve.precision,
            "recall": self.curve.recall if self.curve.total else undefined,
        }

    def strip(self, ranks: int) -> list[Row]:
        """The first ranks side by side: mark, precision, recall and document of each as rows of an HTML table."""
        relevant, grades = self.curve.relevant[:ranks].tolist(), self.grades[:ranks]
        marks = [
            "?" if unjudged else "●" if hit else "·" for hit, unjudged in zip(relevant, np.isnan(grades), strict=True)
        ]
        kinds = ["relevant" if mark == "●" else "unjudged" if mark == "?" else "" for mark in marks]
        names = [one_line(document, 200) for document in self.documents[:ranks]]
        titles = [f"{name}: {_grade_phrase(grade)}" for name, grade in zip(names, grades.tolist(), strict=True)]
        lines = (
            ("rank", "", [count_text(rank) for rank in self.curve.rank[:ranks].tolist()]),
            ("relevant", "marks", marks),
            ("precision", "bold", _two_decimals(self.curve.precision[:ranks])),
            ("recall", "", _two_decimals(self.curve.recall[:ranks]) if self.curve.total else ["–"] * len(marks)),
            ("document", "", short_names(names, 12)),
        )

        def cell(text: str, kind: str, title: str) -> Cell:
            return Cell(text, kind=kind, title=title)

        return [
            Row([Cell(head, heading=True), *map(cell, texts, kinds, titles)], row_kind)
            for head, row_kind, texts in lines
        ]

    @property
    def _place(self) -> int:
        return self.rankings.queries().index(self.query)


def ranked_list(rankings: Rankings, query: str) -> RankedList:
    """The list of the chosen system for a query.

    Parameters
    ----------
    rankings : Rankings
    query : str
        One of `rankings.queries()`.

    Raises
    ------
    ValueError
        If the query does not take part.

    Examples
    --------
    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> ranked = ranked_list(Rankings(Source.of(read_sample("ranking_14")), "rank"), "1")
    >>> ranked.documents[:3], ranked.curve.precision[:3].round(2).tolist()
    (['588', '589', '576'], [1.0, 1.0, 0.67])
    """
    place, hits, run, judgments = rankings.queries().index(query), rankings.hits(), rankings.run(), rankings.judgments
    rows = run.rows_of(query)
    documents = run.documents.take(rows).texts()
    grades = np.full(len(documents), np.nan)
    judged = slice(*np.searchsorted(hits.query, [place, place + 1]))
    grades[hits.rank[judged] - 1] = np.where(hits.grade[judged] < 0, np.nan, hits.grade[judged])
    start, end = judgments.starts[judgments.queries.index(query) :][:2].tolist()
    relevant_rows = np.arange(start, end)[judgments.grades[start:end] >= rankings.level]
    relevant, retrieved = judgments.documents.take(relevant_rows).texts(), set(documents)
    return RankedList(
        *(rankings, query, documents, run.scores[rows], grades, ranked_curve(hits, place, rankings.level)),
        [document for document in relevant if document not in retrieved],
    )


def grade_text(grade: float) -> str:
    """A grade as tables show it, with "unjudged" for nan."""
    return "unjudged" if np.isnan(grade) else f"{grade:g}"


def _grade_phrase(grade: float) -> str:
    return "unjudged" if np.isnan(grade) else f"grade {grade:g}"


def _two_decimals(values: Array) -> list[str]:
    # Rounded first: a small value would get more digits than its neighbours.
    return [number_text(value, 2) for value in values.round(2).tolist()]
