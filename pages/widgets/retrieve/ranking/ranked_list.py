"""One query opened: its list with the marks of relevance, precision and recall at each rank, as in the textbook."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import Array
from evalcore.analyses import Rankings
from evalcore.registry import MetricDef
from evalcore.retrieval import GradedTable, Hits, RankedCurve, graded_table, ranked_curve, tie_ranges
from evalcore.wording import count_text, number_text, one_line, plain, short_names

STRIP = 60
"""Ranks that stand beside each other; all of them are in the table below."""

_TERMS = 8
"""Terms of a sum that are written out."""

_MARKS = {True: "●", False: "·", None: "?"}
_STYLE = f"<style>{Path(__file__).with_suffix('.css').read_text(encoding='utf-8')}</style>"


@dataclass(frozen=True, eq=False)
class OpenedQuery:
    """The list of one query.

    Parameters
    ----------
    query : str
        Comes from a file: escape it.
    place : int
        Its place in the hits.
    documents : list of str
        From first to last.
    curve : RankedCurve
    table : GradedTable
        Its grades; nan where nobody judged the document.
    scores : Array, shape (n,)
    lacking : list of str
        Relevant documents that the list has not.
    """

    query: str
    place: int
    documents: list[str]
    curve: RankedCurve
    table: GradedTable
    scores: Array
    lacking: list[str]


def open_query(rankings: Rankings, query: str) -> OpenedQuery:
    """The list of a query that takes part."""
    return _opened(f"{rankings.key}\n{rankings.level}\n{query!r}", rankings, query)


def shown_query() -> dict[str, str]:
    """Under "query" the one whose list is shown: a download is asked for when the page may have been drawn long ago."""
    return st.session_state.setdefault("query of the list", {})


def show_ranked_list(rankings: Rankings, query: str) -> None:
    """The list of the query as a strip, what its average precision is the mean of, and all ranks in a table."""
    shown_query()["query"] = query
    opened = open_query(rankings, query)
    curve = opened.curve
    with st.container(key="ranked-list"):
        st.subheader(f"Query {plain(query)} — its list", anchor=False)
        st.caption(_in_words(opened))
        if not len(curve.rank):
            return
        st.html(_STYLE + _strip(opened))
        if len(curve.rank) > STRIP:
            st.caption(f"The first {STRIP} of {count_text(len(curve.rank))} ranks.")
        if curve.total:
            st.markdown(_average(rankings, opened))
        if said := _ties(rankings, opened):
            st.caption(said)
        with st.expander("All ranks with their documents", key="all-ranks", on_change="rerun") as folded:
            if folded.open:
                st.dataframe(
                    list_frame(rankings, query),
                    hide_index=True,
                    key="ranks",
                    height="content" if len(curve.rank) <= 14 else 420,
                    alt="The list of the query with grades, precision and recall at each rank",
                    column_config={
                        name: st.column_config.NumberColumn(format="%.3f") for name in ("precision", "recall")
                    },
                )


def list_frame(rankings: Rankings, query: str) -> pd.DataFrame:
    """The list of a query as a table: rank, document, grade, precision and recall at this rank."""
    opened = open_query(rankings, query)
    grades = opened.table.grade
    return pd.DataFrame(
        {
            "rank": opened.curve.rank,
            "document": [one_line(document, 200) for document in opened.documents],
            "score": opened.scores,
            "grade": ["unjudged" if grade != grade or grade < 0 else f"{grade:g}" for grade in grades],
            "relevant": opened.curve.relevant,
            "precision": opened.curve.precision,
            "recall": opened.curve.recall if opened.curve.total else np.full(len(grades), np.nan),
        }
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _opened(key: str, _rankings: Rankings, _query: str) -> OpenedQuery:
    place, hits, judged = _rankings.queries().index(_query), _rankings.hits(), _rankings.judgments
    listed_rows = _rankings.run().rows_of(_query)
    documents = _rankings.run().documents.take(listed_rows).texts()
    start, end = judged.starts[judged.queries.index(_query) :][:2].tolist()
    rows = np.arange(start, end)
    relevant = judged.documents.take(rows[judged.grades[rows] >= _rankings.level]).texts()
    listed = set(documents)
    return OpenedQuery(
        *(_query, place, documents, ranked_curve(hits, place, _rankings.level), graded_table(hits, place)),
        _rankings.run().scores[listed_rows],
        [document for document in relevant if document not in listed],
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _span(key: str, _hits: Hits, _place: int, _measure: MetricDef) -> tuple[float, float]:
    """The lowest and the highest value of a measure over the orders that the ties of one list leave open."""
    alone = _hits.only(np.arange(len(_hits)) == _place)
    (span,) = tie_ranges(alone, [_measure]).values()
    return float(span.low[0]), float(span.high[0])


def _in_words(opened: OpenedQuery) -> str:
    curve, n = opened.curve, len(opened.curve.rank)
    found = int(curve.relevant.sum())
    if not n:
        return f"The run has no list for this query; {_relevant(curve.total)}. It counts 0."
    said = [f"{count_text(n)} documents", _relevant(curve.total), f"{count_text(found)} found"]
    if not curve.total:
        said[1:] = ["no document is judged relevant, so every measure counts 0 here"]
    if unjudged := _unjudged(opened):
        said.append(f"{count_text(unjudged)} that nobody judged, marked ?")
    words = " · ".join(said)
    if opened.lacking:
        some = ", ".join(plain(document, 30) for document in opened.lacking[:5])
        words += f" · not in the list: {some}" + (", …" if len(opened.lacking) > 5 else "")
    return words


def _unjudged(opened: OpenedQuery) -> int:
    grade = opened.table.grade
    return int(np.count_nonzero(np.isnan(grade) | (grade < 0)))


def _relevant(total: int) -> str:
    return f"{count_text(total)} relevant"


def _strip(opened: OpenedQuery) -> str:
    curve, grades = opened.curve, opened.table.grade.tolist()
    ranks = range(min(len(curve.rank), STRIP))
    relevant = curve.relevant.tolist()
    marks = [None if grades[at] != grades[at] or grades[at] < 0 else relevant[at] for at in ranks]
    lines = (
        ("rank", "", [count_text(at + 1) for at in ranks]),
        ("relevant", "marks", [_MARKS[mark] for mark in marks]),
        ("precision", "bold", _two_decimals(curve.precision)),
        ("recall", "", _two_decimals(curve.recall) if curve.total else ["–" for _ in ranks]),
        ("document", "", short_names([one_line(opened.documents[at], 200) for at in ranks], 12)),
    )
    written = []
    for name, kind, cells in lines:
        inside = "".join(
            f'<td class="{_class(relevant[at], marks[at])}" title="{html.escape(_title(opened, at))}">'
            f"{html.escape(text)}</td>"
            for at, text in zip(ranks, cells, strict=True)
        )
        written.append(f'<tr class="{kind}"><th>{name}</th>{inside}</tr>')
    return f'<div class="ranked-list" tabindex="0"><table>{"".join(written)}</table></div>'


def _two_decimals(values: np.ndarray) -> list[str]:
    # Rounded first, or the writer would give what is small more digits than its neighbours.
    return [number_text(value, 2) for value in values[:STRIP].round(2).tolist()]


def _class(relevant: bool, mark: bool | None) -> str:
    return "relevant" if relevant else "unjudged" if mark is None else ""


def _title(opened: OpenedQuery, at: int) -> str:
    grade = opened.table.grade[at]
    said = "unjudged" if grade != grade or grade < 0 else f"grade {grade:g}"
    return f"{one_line(opened.documents[at], 200)}: {said}"


def _average(rankings: Rankings, opened: OpenedQuery) -> str:
    """The sum behind average precision, with the precisions of this list in it."""
    curve = opened.curve
    value = float(rankings.per_query(["AP"]).values["AP"][opened.place])
    terms = [number_text(value, 2) for value in curve.precision[curve.relevant].tolist()]
    if not terms:
        return f"**AP = 0**: none of the {count_text(curve.total)} relevant documents is in the list."
    shown = " + ".join(terms[:_TERMS]) + (" + …" if len(terms) > _TERMS else "")
    missing = len(opened.lacking)
    zeros = "a 0 for the one that is missing" if missing == 1 else f"a 0 for each of the {count_text(missing)} missing"
    return (
        f"**AP = ({shown}) / {count_text(curve.total)} = {number_text(value)}**, the mean of the precisions at the "
        f"marked ranks{f' and {zeros}' if missing else ''}"
    )


def _ties(rankings: Rankings, opened: OpenedQuery) -> str:
    scores = opened.scores
    tied = int(np.count_nonzero(np.isin(scores, scores[1:][scores[1:] == scores[:-1]])))
    if not tied:
        return ""
    hits = rankings.hits()
    key = f"{rankings.key}\n{rankings.level}\n{opened.query!r}"
    low, high = map(number_text, _span(key, hits, opened.place, rankings.measure("AP")))
    said = f"{count_text(tied)} documents of this list share their score with another; their ids settle the order. "
    if low == high:
        return f"{said}No other order would change the first three decimals of AP."
    return f"{said}In other orders AP would lie in {low} … {high}."
