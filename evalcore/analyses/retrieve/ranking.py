"""Evaluation of rankings: means over the queries, ranked lists and edits of a list."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import ceil
from operator import attrgetter
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from evalcore import retrieval
from evalcore.analyses.data import Rankings, Source, face_columns, script
from evalcore.analyses.data.label_pairs import system_name
from evalcore.analyses.data.rankings import queries_text
from evalcore.numeric import Array, Indices
from evalcore.readers import Grade, Order, RankingRoles, Shape, text_of
from evalcore.wording import Cell, Row, one_line, plain, short_names
from evalcore.wording.numbers import count_text, difference_text, latex, number_text, signed, value_text
from evalcore.wording.tables import measure_markdown

__all__ = ["COUNT_COLUMNS", "MOST_EDITED", "ListEdits", "QueryColumn", "RankedList", "RankingSummary", "reorder"]

_HEADLINE = {"MAP": "AP", "MRR": "RR", "P@k": "P@k", "nDCG@k": "nDCG@k", "R-precision": "Rprec", "judged@k": "judged@k"}
_MOST_RANGES = 5

COUNT_COLUMNS = {
    "relevant": ("Relevant documents of the query (R), retrieved or not", attrgetter("total")),
    "found": ("Relevant documents in the list", attrgetter("retrieved")),
}
"""Counts that the table of queries has before its measures, by heading: what each counts, and in `Hits.relevant`."""


@dataclass(frozen=True, eq=False)
class QueryColumn:
    """A column of the table of queries: a count or a measure."""

    name: str  # as the address has it: a measure at k has another heading for each k
    heading: str
    about: str
    values: npt.NDArray[Any]  # unrounded, shape (q,)
    total: float  # the sum of a count, the mean of a measure
    text: Callable[[float], str] = number_text  # writes a value
    best: float | None = None  # value that is best

    @property
    def is_count(self) -> bool:
        """Whether it is a count, which has a sum."""
        return self.text is count_text

    @property
    def zeros(self) -> str:
        """Number of queries with the value 0; empty where that is best."""
        return "" if self.best == 0 else count_text(int(np.count_nonzero(self.values == 0)))


@dataclass(frozen=True, eq=False)
class RankingSummary:
    """The measures of one system over all queries."""

    rankings: Rankings
    names: Sequence[str]  # measures of the table, as `Rankings.measure` reads them
    beside: str = ""  # another system, whose lists stand beside those of the chosen one

    @cached_property
    def per_query(self) -> retrieval.PerQuery:
        """The measures of the table for each query."""
        return self.rankings.per_query(self.names)

    @property
    def headline(self) -> dict[str, str]:
        """Means of the usual measures in words, by name."""
        values, heading = self.rankings.per_query(_HEADLINE.values()), self.rankings.heading
        means = {name: value_text(values.measures[name], values.mean(name)) for name in _HEADLINE.values()}
        return {heading(name) if title == name else title: means[name] for title, name in _HEADLINE.items()}

    @cached_property
    def columns(self) -> tuple[QueryColumn, ...]:
        """The columns of the table of queries after their names: counts, then measures."""
        relevant, per_query = self.rankings.hits().relevant(self.rankings.level), self.per_query
        columns = [_count_column(name, about, count(relevant)) for name, (about, count) in COUNT_COLUMNS.items()]
        for name, measure in per_query.measures.items():
            shown = name, self.rankings.heading(name), f"{measure.name}. {measure.summary}", per_query.values[name]
            columns.append(QueryColumn(*shown, per_query.mean(name), partial(value_text, measure), measure.best))
        return tuple(columns)

    @cached_property
    def gallery_columns(self) -> tuple[QueryColumn, ...]:
        """Relevant documents missed, and B − A of each of `columns`, where B is the system beside."""
        rankings, relevant = self.rankings, self.rankings.hits().relevant(self.rankings.level)
        missed = relevant.total - relevant.retrieved
        columns = [_count_column("missed", "Relevant documents that are not in the list", missed, best=0)]
        if self.beside:
            a, b = short_names((rankings.system, self.beside), 12).values()
            others = RankingSummary(rankings.of_system(self.beside), self.names).columns
            for own, other in zip(self.columns, others, strict=True):
                values = rankings.aligned(other.values, self.beside) - own.values
                known = values[~np.isnan(values)]
                about = f"{own.heading} of {one_line(self.beside, 40)} minus that of {one_line(rankings.system, 40)}"
                whole = float(known.sum() if own.is_count else known.mean() if len(known) else np.nan)
                text = signed(count_text) if own.is_count else partial(difference_text, rankings.measure(own.name))
                columns.append(QueryColumn(f"{own.name} difference", f"{b} − {a}", about, values, whole, text))
        return tuple(columns)

    @property
    def table(self) -> Mapping[str, npt.ArrayLike]:
        """A row per query: its counts and measures, unrounded."""
        return {"query": list(self.per_query.queries)} | {column.heading: column.values for column in self.columns}

    @property
    def verdict(self) -> str:
        """Mean average precision with the worst query, queries that do not count, and those that count 0."""
        values, queries = self.rankings.per_query(["AP"]).values["AP"], self.rankings.queries()
        if not queries:
            return f"**No query takes part.** {self.rankings.coverage}."
        # One without a relevant document has nothing to find.
        known = (self.rankings.hits().relevant(self.rankings.level).total > 0) | (values.max() == 0)
        worst = int(np.argmin(np.where(known, values, np.inf)))
        of = f"for query {plain(queries[0], 40)}"
        if len(queries) > 1:
            each = f"{plain(queries[worst], 40)} is worst with {number_text(values[worst])}"
            if values[worst] == values.max():
                each = "the same for each" + ("" if known.all() else " with a relevant document")
            of = f"over {queries_text(len(queries))}{self.rankings.clusters_text(queries)}; {each}"
        what = "Average precision" if len(queries) == 1 else "Mean average precision"
        mean = f"**{what} {number_text(values.mean())} {of}.**"
        return " ".join(filter(None, (mean, self.rankings.exceptions, self._zero_note)))

    @property
    def tie_note(self) -> str:
        """Means that other orders of tied documents would give, and what is unknown; empty where nothing changes."""
        return self._tie_notes[0]

    @property
    def details(self) -> str:
        """Geometric mean of AP, and tied scores that change nothing, in Markdown."""
        gmap = number_text(self.rankings.per_query(["GMAP"]).mean("GMAP"))
        words = f"GMAP is **{gmap}**: the geometric mean of AP, an AP of 0 taken as 0.00001."
        return "  \n".join(filter(None, (words, self._tie_notes[1])))

    @property
    def formulas(self) -> str:
        """Formula, mean and reading guide of every measure of the table, in Markdown."""
        parts = []
        for name, measure in self.per_query.measures.items():
            bar = r"\bar{x}_{geometric}" if measure.mean == "geometric" else r"\bar{x}"
            value = latex(number_text(self.per_query.mean(name)))
            title = f"{measure_markdown(measure)} ({self.rankings.heading(name)})"
            parts.append(f"{title}: {measure.summary} {measure.reading}")
            parts.append(rf"$\displaystyle {measure.formula}$ $\qquad {bar} = {value}$")
        return "\n\n".join(parts)

    def order(self, column: int, descending: bool) -> Indices:
        """Places of the queries in the sorted table, shape (q,); undefined values come last, whichever way.

        The column is a place among `columns` and `gallery_columns`, or −1 for the order of the judgments.
        """
        several = self.columns if column < len(self.columns) else self.columns + self.gallery_columns
        values = several[column].values if column >= 0 else np.arange(len(self.per_query))
        return np.argsort(np.where(np.isnan(values), np.inf, -values if descending else values), kind="stable")

    def first_query(self, column: int, descending: bool) -> int:
        """Index of the first query of the sorted table, preferably one with a curve."""
        order, found = self.order(column, descending), self.rankings.hits().relevant(self.rankings.level).retrieved
        return int(order[np.argmax(found[order] > 0)])

    @property
    def code(self) -> str:
        """Python that evaluates the system again and asserts the means of the table."""
        means = {self.rankings.measure(name).label: self.per_query.mean(name) for name in self.names}
        counted = f"assert len(values) == {len(self.per_query)}"
        return script(self.rankings.code, self.rankings.code_of_means(means), counted, "print(values.frame())")

    @property
    def trec_eval_command(self) -> str:
        """Command of trec_eval that computes the same numbers."""
        return f"trec_eval -q{' -c' if self._is_complete else ''} -l {ceil(self.rankings.level)}"

    def trec_eval_lines(self, runid: str) -> str:
        """Output of trec_eval 9.0.4 for a run with this id, by default the name of the system."""
        r = self.rankings
        return retrieval.trec_eval_text(r.judgments, r.run(), r.level, runid or r.system, self._is_complete)

    @property
    def _is_complete(self) -> bool:
        return not self.rankings.only_common and bool(self.rankings.missing())

    @property
    def _zero_note(self) -> str:
        hits = self.rankings.hits()
        zero = self.rankings.per_query(["AP"]).values["AP"] == 0
        without = hits.relevant(self.rankings.level).total == 0
        reasons = {"no list": zero & hits.missing, "no relevant document": zero & ~hits.missing & without}
        reasons["nothing relevant in its list"] = zero & ~hits.missing & ~without
        if np.count_nonzero(zero) == 1:
            query = plain(self.rankings.queries()[int(np.argmax(zero))], 40)
            return f"{query} has AP 0 because it has {next(reason for reason, rows in reasons.items() if rows.any())}."
        counts = {reason: int(np.count_nonzero(rows)) for reason, rows in reasons.items()}
        zeros = ", ".join(f"{count_text(count)} with {reason}" for reason, count in counts.items() if count)
        return f"Queries with AP 0: {zeros}." if zeros else ""

    @property
    def _tie_notes(self) -> tuple[str, str]:
        """Change of the means by other orders of ties, and number of ties, as sentences; either may be empty."""
        key = ("tie notes", self.rankings.k, self.rankings.level, tuple(self.names))
        return self.rankings.hits().once(key, self._find_tie_notes)

    def _find_tie_notes(self) -> tuple[str, str]:
        hits, unknown = self.rankings.hits(), ""
        if self.rankings.has_lists:
            run = self.rankings.run()
            tied, of, documents = run.tied, len(run), "documents"
            if (in_32_bits := run.rounded().tied) > tied:
                rounded = f"trec_eval 9 rounds scores to 32 bits, which ties {count_text(in_32_bits)} documents"
                unknown = f"{rounded}; here their scores differ, as in newer versions."
        else:
            tied, of, documents = int(np.count_nonzero(hits.first < hits.last)), len(hits.rank), "judged documents"
            unknown = "Only the judged documents of the lists are known."
        if not tied:
            return unknown, ""
        ranges, without = self._tie_ranges()
        same = f"Breaking ties differently would not change {'the other' if without else 'these'} means."
        counted = f"{count_text(tied)} of {count_text(of)} {documents} have tied scores"
        order = "as in trec_eval, the last document id comes first."
        details = " ".join(filter(None, (f"{counted}; {order}", "" if ranges else same)))
        return " ".join(filter(None, (ranges, unknown))), details

    def _tie_ranges(self) -> tuple[str, bool]:
        """Sentence on the ranges of means over the orders of ties, if any; and whether any range is unknown."""
        hits = self.rankings.hits()
        names = {self.rankings.heading(name): self.rankings.measure(name) for name in ("AP", *self.names)}
        chosen = dict([*names.items()][:_MOST_RANGES])
        # Where documents were pooled only, nobody knows the extreme orders of the inferred AP.
        pooled_only = (hits.grade < 0).any()
        known = {k: m for k, m in chosen.items() if not (pooled_only and m.key == "inferred_average_precision")}
        spans, ranges = retrieval.tie_ranges(hits, known.values()).values(), []
        for (heading, measure), span in zip(known.items(), spans, strict=True):
            low, high = (number_text(retrieval.mean_of(measure, end)) for end in (span.low, span.high))
            ranges += [f"{heading} {low}–{high}"] * (high != low)
        sentence = f"Depending on how ties are broken: {', '.join(ranges)}." if ranges else ""
        return sentence, len(known) < len(chosen)


def _count_column(name: str, about: str, values: npt.NDArray[Any], best: float | None = None) -> QueryColumn:
    return QueryColumn(name, name, about, values, float(values.sum()), count_text, best)


_TERMS = 8  # terms of a sum that are written out
_KINDS = {"●": "relevant", "?": "unjudged", "·": ""}  # marks of the documents, with their classes in the style sheet


@dataclass(frozen=True, eq=False)
class RankedList:
    """The list of the chosen system for one query, with precision and recall at each rank."""

    rankings: Rankings
    # One that takes part. Comes from a file, as do the documents: escape them.
    query: str

    @cached_property
    def documents(self) -> list[str]:
        """Documents in ranked order."""
        return self.rankings.ranked(self.query)

    @cached_property
    def curve(self) -> retrieval.RankedCurve:
        """Precision and recall at each rank."""
        return retrieval.ranked_curve(self.rankings.hits(), self.place, self.rankings.level)

    @cached_property
    def grades(self) -> Array:
        """The grade at each rank, shape (n,); nan for an unjudged document."""
        hits, grades = self.rankings.hits(), np.full(len(self.documents), np.nan)
        rows = slice(*np.searchsorted(hits.query, [self.place, self.place + 1]))
        grades[hits.rank[rows] - 1] = np.where(hits.grade[rows] < 0, np.nan, hits.grade[rows])
        return grades

    @property
    def not_retrieved(self) -> list[str]:
        """Relevant documents missing from the list."""
        judgments = self.rankings.judgments
        start, end = judgments.starts[judgments.queries.index(self.query) :][:2].tolist()
        rows = np.arange(start, end)[judgments.grades[start:end] >= self.rankings.level]
        retrieved = set(self.documents)
        return [document for document in judgments.documents.take(rows).texts() if document not in retrieved]

    @property
    def title(self) -> str:
        """The query and the system, in Markdown."""
        return f"**Query {plain(self.query, 60)}** · {system_name(self.rankings.system)}"

    @property
    def notes(self) -> list[str]:
        """Length of the list, the sum behind average precision, and its ties, in Markdown."""
        parts = self.verdict, self.average_precision if self.documents and self.curve.total else "", self.tie_note
        return [*filter(None, parts)]

    @property
    def verdict(self) -> str:
        """Length of the list and number of relevant documents, in Markdown."""
        count, total = len(self.documents), self.curve.total
        if not count:
            return f"The run has no list for this query, so every measure counts 0 · {count_text(total)} relevant"
        parts = [f"{count_text(count)} {'document' if count == 1 else 'documents'}"]
        counts = f"{count_text(total)} relevant · {count_text(int(self.curve.relevant.sum()))} found"
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
        value = float(self.rankings.per_query(["AP"]).values["AP"][self.place])
        shown = " + ".join(terms[:_TERMS]) + (" + …" if len(terms) > _TERMS else "")
        zeros = "the one not retrieved counts 0" if missing == 1 else f"the {count_text(missing)} not retrieved count 0"
        return f"**AP = ({shown}) / {total} = {number_text(value)}**{f'; {zeros}' if missing else ''}."

    @property
    def tie_note(self) -> str:
        """Number of tied scores and the range of AP over the orders of ties; empty without ties."""
        scores = self.scores
        tied = int(np.count_nonzero(np.isin(scores, scores[1:][scores[1:] == scores[:-1]])))
        if not tied:
            return ""
        hits = self.rankings.hits()
        this_query = hits.only(np.arange(len(hits)) == self.place)
        (span,) = retrieval.tie_ranges(this_query, [self.rankings.measure("AP")]).values()
        low, high = number_text(float(span.low[0])), number_text(float(span.high[0]))
        same, other = "breaking ties differently would not change AP", f"depending on their order, AP is {low}–{high}"
        return f"{count_text(tied)} documents are tied; {same if low == high else other}."

    @property
    def table(self) -> dict[str, npt.ArrayLike]:
        """A row per rank: document with its title and text, score (if any), grade, precision and recall."""
        recall = self.curve.recall if self.curve.total else np.full(len(self.documents), np.nan)
        scores = {"score": self.scores} if self.has_scores else {}
        return {
            "rank": self.curve.rank, "document": [one_line(document, 200) for document in self.documents],
            **face_columns(self.rankings.document_faces, self.documents), **scores,
            "grade": [grade_text(grade) for grade in self.grades.tolist()], "relevant": self.curve.relevant,
            "precision": self.curve.precision, "recall": recall,
        }  # fmt: skip

    def strip(self, ranks: int) -> list[Row]:
        """First ranks side by side: mark, precision, recall and document, as rows of an HTML table.

        Images stand here where there is no text.
        """
        documents, grades, curve = self.documents[:ranks], self.grades[:ranks], self.curve
        marks = np.where(np.isnan(grades), "?", np.where(curve.relevant[:ranks], "●", "·")).tolist()
        cells = [
            Cell("", kind=_KINDS[mark], title=f"{one_line(document, 200)} · {grade_text(grade, 'grade ')}")
            for mark, document, grade in zip(marks, documents, grades.tolist(), strict=True)
        ]
        short = short_names(documents, 12)
        lines = (
            ("rank", "", "", map(count_text, curve.rank[:ranks].tolist())),
            ("relevant", "marks", "", marks),
            ("precision", "bold", "precision_at", _two_decimals(curve.precision[:ranks])),
            ("recall", "", "recall_at", _two_decimals(curve.recall[:ranks]) if curve.total else ["–"] * len(marks)),
            ("document", "", "", [short[document] for document in documents]),
        )
        rows = []
        for head, kind, measure, texts in lines:
            filled = (replace(cell, text=text) for cell, text in zip(cells, texts, strict=True))
            rows.append(Row([Cell(head, heading=True, measure=measure), *filled], kind))
        faces = self.rankings.document_faces.among(documents)
        if any(face.image for face in faces) and not any(face.words for face in faces):
            images = (replace(cell, image=face.image) for cell, face in zip(cells, faces, strict=True))
            rows.insert(-1, Row([Cell("image", heading=True), *images]))
        return rows

    @property
    def scores(self) -> Array:
        """The score at each rank, shape (n,); nan where the lists are known by their judged documents alone."""
        if not self.rankings.has_lists:
            return np.full(len(self.documents), np.nan)
        run = self.rankings.run()
        return run.scores[run.rows_of(self.query)]

    @property
    def has_scores(self) -> bool:
        """Whether the file has scores; where it has ranks alone, those of the run are made of them."""
        roles = self.rankings.current.roles
        by_rank = roles.get("rank") is not None and not roles.get("score")
        return not by_rank and not np.array_equal(self.scores, -self.curve.rank)

    @property
    def place(self) -> int:
        """Place of the query among those that take part."""
        return self.rankings.queries().index(self.query)


def grade_text(grade: float, before: str = "") -> str:
    """Grade as text, "unjudged" for nan; in sentences with a noun before it."""
    return "unjudged" if np.isnan(grade) else f"{before}{grade:g}"


def _two_decimals(values: Array) -> list[str]:
    # Rounded first: a small value would get more digits than its neighbours.
    return [number_text(value, 2) for value in values.round(2).tolist()]


MOST_EDITED = 50
"""Documents up to which a list can be edited, and with them every link to it."""

_MOST_ROWS = 200_000
_FEW_GRADES = 6


@dataclass(frozen=True, eq=False)
class ListEdits:
    """Edits of the list of one query: moved documents and changed grades."""

    ranked: RankedList

    @property
    def problem(self) -> str:
        """Reason that the list cannot be edited; empty if it can."""
        count = len(self.ranked.documents)
        if not count:
            return "The run has no list for this query."
        if not self.ranked.rankings.has_lists:
            return "Lists that are known by their judged documents alone cannot be edited."
        if count > MOST_EDITED or len(self._source.frame) > _MOST_ROWS:
            return f"Lists of up to {MOST_EDITED} documents can be edited; this one has {count}."
        return "" if isinstance(self._source.roles, RankingRoles) else "Lists and grades come from separate files."

    @cached_property
    def grades(self) -> list[float]:
        """Selectable grades: those that occur, at least 0 and 1; all whole ones if they are few."""
        known = self.ranked.rankings.judgments.grades
        highest = float(known.max(initial=1))
        if highest < _FEW_GRADES and not np.any(known % 1):
            return [float(grade) for grade in range(int(highest) + 1)]
        return np.unique([0.0, 1.0, *known.tolist()])[:_FEW_GRADES].tolist()

    @property
    def lines(self) -> list[dict]:
        """Documents in order, with grades as indices into `grades`; −1 for unjudged."""
        places = {grade: place for place, grade in enumerate(self.grades)}
        each = zip(self.ranked.documents, self.ranked.grades.tolist(), strict=True)
        return [{"name": one_line(document, 60), "grade": places.get(grade, -1)} for document, grade in each]

    def ordered(self, order: Sequence[int]) -> Shape:
        """Shape of the data after the documents are reordered, given indices into the current list.

        Raises ValueError if it is no order of all of them.
        """
        documents = self.ranked.documents
        if sorted(order) != list(range(len(documents))):
            raise ValueError("An order holds every place once.")
        roles, system = self._roles, self.ranked.rankings.system
        by = roles.rank or (system if system in roles.score else roles.score[0])
        first = "lowest" if roles.rank or not roles.higher_is_positive else "highest"
        where = self._query_filter if roles.system is None else (*self._query_filter, roles.system, system)
        moved = tuple(documents[place] for place in order)
        return self._source.dataset.shape.edited(Order(by, first, where, roles.document, moved))

    def graded(self, place: int, grade: int) -> Shape:
        """Shape of the data after the document at a rank gets another grade, an index into `grades`."""
        if min(place, grade) < 0:
            raise IndexError("Places count from 0.")
        where = (*self._query_filter, self._roles.document, self.ranked.documents[place])
        return self._source.dataset.shape.edited(Grade(str(self._roles.grade), where, self.grades[grade]))

    @property
    def unedited(self) -> Shape:
        """The shape of the data without any edit of a list."""
        return Shape(tuple(step for step in self._source.dataset.shape.steps if not step.target))

    @property
    def has_edits(self) -> bool:
        """Whether any list was edited."""
        return any(step.target for step in self._source.dataset.shape.steps)

    @property
    def _source(self) -> Source:
        return self.ranked.rankings.current

    @property
    def _roles(self) -> RankingRoles:
        return cast(RankingRoles, self._source.roles)

    @property
    def _query_filter(self) -> tuple[str, ...]:
        return self._roles.query, text_of(self.ranked.query)


def reorder(order: list[int], places: Any) -> list[int]:
    """Return the order permuted by places sent from a browser; unchanged if they are no permutation.

    >>> reorder([4, 5, 6], [2, 0, 1]), reorder([4, 5, 6], [0, 0, "x"])
    ([6, 4, 5], [4, 5, 6])
    """
    if not isinstance(places, list) or not all(isinstance(place, int) for place in places):
        return order
    return [order[place] for place in places] if sorted(places) == list(range(len(order))) else order
