"""What does the list of one query look like, rank by rank?"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.faces import document_cell, face_columns
from evalcore.analyses.rankings import Rankings
from evalcore.numeric import Array
from evalcore.retrieval import RankedCurve, ranked_curve, tie_ranges
from evalcore.wording import Cell, Row, count_text, number_text, one_line, plain, short_names

__all__ = ["RankedList", "grade_text"]

_TERMS = 8
"""Terms of a sum that are written out."""

_KINDS = {"●": "relevant", "?": "unjudged", "·": ""}
"""Marks of the documents, with their classes in the style sheet."""


@dataclass(frozen=True, eq=False)
class RankedList:
    """The list of the chosen system for one query, with precision and recall at each rank.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> ranked = RankedList(Rankings(Source.of(read_sample("ranking_14")), "rank"), "1")
    >>> ranked.documents[:3], ranked.curve.precision[:3].round(2).tolist()
    (['588', '589', '576'], [1.0, 1.0, 0.67])
    """

    rankings: Rankings
    # One that takes part. Comes from a file, as do the documents: escape them.
    query: str

    @cached_property
    def documents(self) -> list[str]:
        """From first to last."""
        return self.rankings.ranked(self.query)

    @cached_property
    def curve(self) -> RankedCurve:
        """Precision and recall at each rank."""
        return ranked_curve(self.rankings.hits(), self._place, self.rankings.level)

    @cached_property
    def grades(self) -> Array:
        """The grade at each rank, shape (n,); nan for an unjudged document."""
        hits, grades = self.rankings.hits(), np.full(len(self.documents), np.nan)
        rows = slice(*np.searchsorted(hits.query, [self._place, self._place + 1]))
        grades[hits.rank[rows] - 1] = np.where(hits.grade[rows] < 0, np.nan, hits.grade[rows])
        return grades

    @property
    def not_retrieved(self) -> list[str]:
        """The relevant documents that the list lacks."""
        judgments = self.rankings.judgments
        start, end = judgments.starts[judgments.queries.index(self.query) :][:2].tolist()
        rows = np.arange(start, end)[judgments.grades[start:end] >= self.rankings.level]
        retrieved = set(self.documents)
        return [document for document in judgments.documents.take(rows).texts() if document not in retrieved]

    @property
    def verdict(self) -> str:
        """How long the list is and how many relevant documents it has, in Markdown."""
        count, total = len(self.documents), self.curve.total
        if not count:
            return f"The run has no list for this query, so every measure counts 0 · {count_text(total)} relevant"
        counts = f"{count_text(total)} relevant · {count_text(int(self.curve.relevant.sum()))} found"
        parts = [f"{count_text(count)} {'document' if count == 1 else 'documents'}"]
        parts.append(counts if total else "no document is judged relevant, so every measure counts 0")
        if unjudged := int(np.count_nonzero(np.isnan(self.grades))):
            parts.append(f"{count_text(unjudged)} unjudged, marked ?")
        if missing := self.not_retrieved:
            names = ", ".join(plain(document, 30) for document in missing[:5])
            parts.append(f"not retrieved: {names}" + (", …" if len(missing) > 5 else ""))
        return " · ".join(parts)

    @property
    def average_precision(self) -> str:
        """The sum behind average precision with the precisions of this list, in Markdown."""
        total, missing = count_text(self.curve.total), len(self.not_retrieved)
        ranks = self.curve.rank[self.curve.relevant].tolist()
        terms = [f"{count_text(found)}/{count_text(rank)}" for found, rank in enumerate(ranks, start=1)]
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
        scores = self._scores
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

    @property
    def table(self) -> dict[str, npt.ArrayLike]:
        """A row per rank: document with its title and text, score, grade, precision and recall."""
        undefined = np.full(len(self.documents), np.nan)
        return {
            "rank": self.curve.rank,
            "document": [one_line(document, 200) for document in self.documents],
            **face_columns(self.rankings.document_faces, self.documents),
            "score": self._scores,
            "grade": [grade_text(grade) for grade in self.grades.tolist()],
            "relevant": self.curve.relevant,
            "precision": self.curve.precision,
            "recall": self.curve.recall if self.curve.total else undefined,
        }

    def strip(self, ranks: int) -> list[Row]:
        """The first ranks side by side: mark, precision, recall and document of each as rows of an HTML table.

        Images stand here where there is no text, and else in `texts`.
        """
        grades, unjudged = self.grades[:ranks].tolist(), np.isnan(self.grades[:ranks])
        marks = np.where(unjudged, "?", np.where(self.curve.relevant[:ranks], "●", "·")).tolist()
        names = [one_line(document, 200) for document in self.documents[:ranks]]
        titles = [f"{name} · {grade_text(grade, 'grade ')}" for name, grade in zip(names, grades, strict=True)]
        short = short_names(self.documents[:ranks], 12)
        lines = (
            ("rank", "", [count_text(rank) for rank in self.curve.rank[:ranks].tolist()]),
            ("relevant", "marks", marks),
            ("precision", "bold", _two_decimals(self.curve.precision[:ranks])),
            ("recall", "", _two_decimals(self.curve.recall[:ranks]) if self.curve.total else ["–"] * len(marks)),
            ("document", "", [short[document] for document in self.documents[:ranks]]),
        )
        rows = []
        for head, kind, texts in lines:
            each = zip(texts, marks, titles, strict=True)
            cells = [Cell(text, kind=_KINDS[mark], title=title) for text, mark, title in each]
            measure = f"{head}_at" if head in ("precision", "recall") else ""
            rows.append(Row([Cell(head, heading=True, measure=measure), *cells], kind))
        faces = self.rankings.document_faces.among(self.documents[:ranks])
        if any(face.image for face in faces) and not any(face.words for face in faces):
            each = zip((face.image for face in faces), marks, titles, strict=True)
            cells = [Cell("", image=image, kind=_KINDS[mark], title=title) for image, mark, title in each]
            rows.insert(-1, Row([Cell("image", heading=True), *cells]))
        return rows

    def texts(self, ranks: int) -> list[Row]:
        """The first ranks one below the other: mark, and document with its title and text; none without any text."""
        documents, grades = self.documents[:ranks], self.grades[:ranks].tolist()
        faces = self.rankings.document_faces.among(documents)
        if not any(face.words for face in faces):
            return []
        rows = []
        for rank, (face, document, grade) in enumerate(zip(faces, documents, grades, strict=True)):
            kind = "unjudged" if np.isnan(grade) else "relevant" if self.curve.relevant[rank] else ""
            mark = next(mark for mark, name in _KINDS.items() if name == kind)
            cell = document_cell(face, document, title=f"{one_line(document, 200)} · {grade_text(grade, 'grade ')}")
            image = Cell("", image=cell.image, title=cell.title)
            cells = [Cell(count_text(rank + 1)), Cell(mark, kind=kind), image, replace(cell, image="")]
            rows.append(Row(cells, kind))
        return rows

    @property
    def _scores(self) -> Array:
        if not self.rankings.has_lists:
            return np.full(len(self.documents), np.nan)
        run = self.rankings.run()
        return run.scores[run.rows_of(self.query)]

    @property
    def _place(self) -> int:
        return self.rankings.queries().index(self.query)


def grade_text(grade: float, before: str = "") -> str:
    """A grade as tables show it, "unjudged" for nan; with a word before it in sentences."""
    return "unjudged" if np.isnan(grade) else f"{before}{grade:g}"


def _two_decimals(values: Array) -> list[str]:
    # Rounded first: a small value would get more digits than its neighbours.
    return [number_text(value, 2) for value in values.round(2).tolist()]
