"""Judged rankings of one or more systems, with the settings that every measure of a page shares."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data.script import literal
from evalcore.analyses.data.source import Source
from evalcore.numeric import Array, Flags, Indices
from evalcore.readers import Faces, ReadProblem
from evalcore.registry import MetricDef, find
from evalcore.retrieval import Hits, Judgments, PerQuery, Run, check_match
from evalcore.retrieval.id_table import Places
from evalcore.wording import Cell, Row, count_text, one_line, plain, short_names, snippet

__all__ = ["UNKNOWN", "Rankings", "face_columns", "face_rows", "query_columns", "query_labels"]

UNKNOWN = "(unknown)"  # name of an unjudged document of a list that is known by its judged documents alone
_AT_K = re.compile(r"@\s*k\b", re.IGNORECASE)
MOST_IMAGES, MOST_LETTERS = 2_000, 400_000
"""Images of queries, and letters of all of them, up to which they stand in tables of queries."""
TEXT, LABEL = 160, 70  # characters of a text in a list, and of a query's text beside its id


@dataclass(frozen=True, eq=False)
class Rankings:
    """The judgments and the runs of a data set, one of its systems (the default of methods), and settings of measures.

    States and values are computed once per data set and shared by all settings.

    Examples
    --------
    >>> from evalcore.readers import read_sample
    >>> rankings = Rankings(Source.of(read_sample("two_methods")), "A", k=20)
    >>> rankings.systems, rankings.per_query(["P@k"]).mean("P@k"), rankings.heading("P@k")
    (('A', 'B'), 0.35, 'P@20')
    """

    current: Source
    # The chosen system. Names come from a file: escape them.
    system: str
    k: int = 10  # how many ranks a measure named "@k" reads, at least 1
    level: float = 1.0  # lowest grade that counts as relevant
    only_common: bool = False  # whether judged queries without a list are left out; otherwise they count 0
    trec_eval: int = 9  # the version whose numbers trec_eval's own names mean
    # Parameters of graded measures, as (name, value), for those that do not state them: (("gain", "exp"),).
    gains: tuple[tuple[str, float | str], ...] = ()

    def of_system(self, system: str) -> "Rankings":
        """Return the rankings with another system chosen."""
        return replace(self, system=system)

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in the order of the data."""
        return self.current.dataset.systems

    @property
    def judgments(self) -> Judgments:
        """The grades of the judged documents."""
        return self._state("judgments")

    def run(self, system: str | None = None) -> Run:
        """The run of a system."""
        return self._state("run", self.system if system is None else system)

    @property
    def has_lists(self) -> bool:
        """Whether all documents of the lists are known, not only the ranks of the judged ones."""
        return self.current.roles.get("length") is None

    def ranked(self, query: str) -> list[str]:
        """The documents of one query from first to last; without the lists, unjudged ones are `UNKNOWN`."""
        if self.has_lists:
            return self.run().ranked(query)
        hits, places = self.placed_hits(self.system)
        index = int(self.judgments.indices([query])[0])
        rows = slice(*np.searchsorted(hits.query, [index, index + 1]))
        documents = [UNKNOWN] * int(hits.retrieved[index])
        names = self.judgments.documents.take(places[rows]).texts()
        for rank, name in zip(hits.rank[rows].tolist(), names, strict=True):
            documents[rank - 1] = name
        return documents

    def placed_hits(self, system: str) -> tuple[Hits, Places]:
        """The hits for all judged queries, and the place of each among the judgments."""
        return self._state("placed_hits", system)

    def _state(self, name: str, *system: str) -> Any:
        try:
            return self.current.dataset.state(name, *system)
        except ValueError as problem:
            raise ReadProblem(str(problem)) from problem

    @property
    def document_faces(self) -> Faces:
        """Titles, texts and images of the documents."""
        return self.current.dataset.document_faces()

    @property
    def query_faces(self) -> Faces:
        """Texts and images of the queries."""
        return self.current.dataset.query_faces()

    def hits(self, system: str | None = None) -> Hits:
        """Ranks and grades of the judged documents in the lists of a system, for the evaluated queries."""
        hits = self._all_hits(system)
        if not self.only_common or not hits.missing.any():
            return hits
        return hits.once("queries with a list", lambda: hits.only(~hits.missing))

    def queries(self, system: str | None = None) -> tuple[str, ...]:
        """The queries that take part for a system: the rows of `hits` and `per_query`."""
        hits, queries = self._all_hits(system), self.judgments.queries
        if not self.only_common:
            return queries
        return hits.once("names with a list", lambda: tuple(compress(queries, (~hits.missing).tolist())))

    def taking_part(self, system: str) -> Flags:
        """Mask of the judged queries that are evaluated for a system, shape (judged queries,)."""
        missing = self._all_hits(system).missing
        return ~missing if self.only_common else np.ones_like(missing)

    def missing(self, system: str | None = None) -> tuple[str, ...]:
        """Names of the judged queries for which a system has no list."""
        return tuple(compress(self.judgments.queries, self._all_hits(system).missing.tolist()))

    def unjudged(self, system: str | None = None) -> tuple[str, ...]:
        """Queries of a run without any judgment, which are not evaluated."""

        def queries() -> tuple[str, ...]:
            names = self.current.dataset.state("listed_queries", self.system if system is None else system)
            return tuple(compress(names, (self.judgments.indices(names) < 0).tolist()))

        return self._all_hits(system).once("unjudged", queries)

    def measure(self, name: str) -> MetricDef:
        """The measure of a name, with the chosen k for "@k" and the chosen relevance level unless it states one."""
        measure = self._measure_named(name)
        has_level = "rel" in measure.takes and "rel" not in measure.arguments
        return measure.with_params(rel=self.level) if has_level else measure

    def heading(self, name: str) -> str:
        """The heading of a column of the measure: with its k and gain, without the level that all share."""
        return self._measure_named(name).label

    def _measure_named(self, name: str) -> MetricDef:
        measure = find(_AT_K.sub(f"@{self.k}", name), family="retrieval", trec_eval=self.trec_eval)
        unstated = measure.takes - measure.arguments.keys()
        return measure.with_params(**{one: value for one, value in self.gains if one in unstated})

    def per_query(self, names: Iterable[str], system: str | None = None) -> PerQuery:
        """Value of each measure per evaluated query, under the names that `measure` reads."""
        hits, measures, values = self.hits(system), {name: self.measure(name) for name in names}, {}
        for name, measure in measures.items():
            values[name] = hits.once((measure.key, *sorted(measure.arguments.items())), partial(measure, hits))
        return PerQuery(self.queries(system), values, measures, hits.missing, self.unjudged(system))

    def matched(self, name: str, system: str) -> Array:
        """Values of another system for the queries of the chosen one, shape (q,); nan where it has no list."""
        return self.aligned(self.per_query([name], system).values[name], system)

    def aligned(self, values: npt.ArrayLike, system: str) -> Array:
        """Values of the queries of another system, in the order of those of the chosen one; nan without a list."""
        places, known = self.places_in(system), np.append(np.asarray(values, dtype=np.float64), np.nan)
        return known[places]

    def places_in(self, system: str) -> Indices:
        """Place of each query among those of another system, shape (q,); −1 where it has none."""
        places = {query: place for place, query in enumerate(self.queries(system))}
        return np.array([places.get(query, -1) for query in self.queries()], dtype=np.intp)

    def clusters(self, queries: Sequence[str]) -> Indices | None:
        """Cluster codes of the given judged queries, shape (q,); None without clusters."""
        codes: dict[str, int] = self.current.dataset.state("query_clusters")
        return np.array([codes[query] for query in queries], dtype=np.intp) if codes else None

    def clusters_text(self, queries: Sequence[str]) -> str:
        """Number of clusters of the queries, in Markdown: " of 50 topics"; empty without clusters."""
        codes = self.clusters(queries)
        count = 0 if codes is None else len(np.unique(codes))
        return self.current.clusters_of(count) if count < len(queries) else ""

    @property
    def grades(self) -> tuple[float, ...]:
        """The different grades above 0 of the judgments, ascending."""
        pool = self.judgments.pool
        return pool.once("grades", lambda: tuple(np.unique(pool.grade[pool.grade > 0]).tolist()))

    @property
    def mismatch(self) -> str | None:
        """Problem if the run shares no query or no document with the judgments; else None."""
        if len(self._all_hits().query):
            return None
        name = f'the run "{one_line(self.system, 40)}"'
        if not self.has_lists:
            return f"No list of {name} has a judged document."
        return check_match(self.judgments, self.run(), name)

    @property
    def coverage(self) -> str:
        """Number of queries evaluated, and those left out or counted as 0, in Markdown."""
        queries = self.queries()
        return " · ".join([f"{queries_text(len(queries))}{self.clusters_text(queries)}", *self._exceptions])

    @property
    def exceptions(self) -> str:
        """Queries left out, counted as 0 or ignored, in Markdown; empty where there are none."""
        return f"{' · '.join(parts)}." if (parts := self._exceptions) else ""

    @property
    def _exceptions(self) -> list[str]:
        parts = []
        if missing := self.missing():
            treatment = "left out" if self.only_common else "counted as 0"
            parts.append(f"**{count_text(len(missing))} without a list, {treatment}** ({_first_names(missing)})")
        if unjudged := self.unjudged():
            ignored = f"{count_text(len(unjudged))} of the run without judgments, ignored"
            parts.append(f"{ignored} ({_first_names(unjudged)})")
        return parts

    @property
    def key(self) -> str:
        """Cache key of a result of the chosen system that depends neither on k nor on the level."""
        return f"{self.current.key_of(self.system)}\n{self.only_common}\n{self.gains}"

    @property
    def code(self) -> str:
        """Python that makes ``judgments`` and the ``run`` of the chosen system from the open data."""
        if not self.has_lists:
            hits = f"data.state('placed_hits', {self.system!r})[0]"
            return f"{self.current.code}\njudgments, hits = data.judgments(), {hits}"
        return f"{self.current.code}\njudgments, run = data.judgments(), data.run({self.system!r})"

    def code_of_means(self, means: Mapping[str, float]) -> str:
        """Python that computes ``values`` of the given measures and asserts their means."""
        common = ", only_common=True" if self.only_common else ""
        evaluation = "evaluate(judgments, run" if self.has_lists else "evaluate_hits(hits, judgments.queries"
        check = "    np.testing.assert_allclose(values.mean(name), mean, rtol=1e-12, err_msg=name)"
        made = f"expected = {literal(means)}\nvalues = {evaluation}, expected{common})"
        return f"{made}\nfor name, mean in expected.items():\n{check}"

    @property
    def hits_code(self) -> str:
        """Python that computes the hits, to follow `code`."""
        return "Hits.of(judgments, run)" if self.has_lists else "hits"

    def _all_hits(self, system: str | None = None) -> Hits:
        return self.placed_hits(self.system if system is None else system)[0]


def queries_text(count: int) -> str:
    """Number of queries as text: "1 query", "300 queries"."""
    return f"{count_text(count)} {'query' if count == 1 else 'queries'}"


def _first_names(queries: tuple[str, ...]) -> str:
    return ", ".join(plain(query, 24) for query in queries[:3]) + (", …" if len(queries) > 3 else "")


def query_columns(rankings: Rankings, queries: Sequence[str]) -> dict[str, list[str]]:
    """Columns "image" (data URIs, if not too large together) and "text" (short) of queries, those that any has."""
    faces, columns = rankings.query_faces, {}
    if 0 < faces.counts.get("image", 0) <= MOST_IMAGES:
        images = [face.image for face in faces.among(queries)]
        columns |= {"image": images} if 0 < sum(map(len, images)) <= MOST_LETTERS else {}
    if any(words := faces.words(queries)):
        columns["text"] = [snippet(text, LABEL) for text in words]
    return columns


def query_labels(rankings: Rankings, queries: Sequence[str]) -> dict[str, str]:
    """Labels of the queries in a picker: the id, followed by the query text."""
    texts = [snippet(text, LABEL) for text in rankings.query_faces.words(queries)]
    names = short_names(queries, 60 if any(texts) else 24)
    return {id: " · ".join(filter(None, (names[id], text))) for id, text in zip(queries, texts, strict=True)}


def face_rows(rankings: Rankings, query: str) -> list[Row]:
    """Image and text of a query as a row of an HTML table; empty without either."""
    (face,) = rankings.query_faces.among([query])
    cells = [Cell("", image=face.image, title=one_line(query))] if face.image else []
    cells += [Cell(snippet(face.words, 2 * TEXT))] if face.words else []
    return [Row(cells)] if cells else []


def face_columns(faces: Faces, ids: Sequence[str], short: bool = False) -> dict[str, list[Any]]:
    """Titles, texts and addresses that some id has; a short table has images and only the first of these columns."""
    shown = faces.among(ids)
    columns: dict[str, list[Any]] = {}
    if short and any(face.image for face in shown):
        columns["image"] = [face.image or None for face in shown]
    for name in ("title", "text", "url"):
        cells = [one_line(getattr(face, name), 400) or None for face in shown]
        if any(cells) and not (short and columns.keys() - {"image"}):
            columns[name] = cells
    return columns
