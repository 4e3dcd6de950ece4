"""A and B query by query: the differences in order, one against the other, and both lists of the query picked."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore.analyses import QueryDifferences, RankingComparison, SideBySideRankings, system_title
from evalcore.figures import BARS, Ink, differences_figure, scatter_figure
from evalcore.wording import count_text, plain

from ...controls.ranking_settings import FACE_COLUMNS, show_query_face
from ...display.figure import page_ink, show_figure
from ...display.table import show_table
from ...export.copy_table import show_copy
from ...session import address
from ...session.entry_links import with_links

_TABLE = "queries of the comparison"
SHOWN = 20
"""Ranks of each list; all of them stand on the page of rankings."""


def show_queries(comparison: RankingComparison) -> None:
    """Bars, dots and a table of the queries; a click on any of them opens the two lists of a query."""
    pair, colours = QueryDifferences.of(comparison), page_ink()
    key = "\n".join((comparison.rankings.key, comparison.key, comparison.a, comparison.b, colours.paper))
    key += repr((comparison.measure, comparison.rankings.k, comparison.rankings.level))
    n, a, b = len(pair.queries), system_title(pair.a), system_title(pair.b)
    bars, dots = _figures(key, pair, colours)
    about = f"Differences in {pair.heading} of {count_text(n)} queries in order, {b} minus {a}"
    _draw(bars, "query-differences", pair, about, "query differences")
    left, right = st.columns(2, gap="large")
    with left:
        above = count_text(int((pair.differences > 0).sum()))
        about = (
            f"{pair.heading} of {b} over that of {a}, one dot per query: {above} of {count_text(n)} above the diagonal"
        )
        _draw(dots, "query-scatter", pair, about, "A against B")
    with right:
        _show_table(pair)
        some = f"{count_text(BARS)} of {count_text(n)} queries are drawn, evenly spaced. " if n > BARS else ""
        st.caption(f"{some}Click a bar, a dot or a row to open the lists of its query below.")
    _show_lists(comparison, _opened_query(comparison, pair))


def _opened_query(comparison: RankingComparison, pair: QueryDifferences) -> str:
    """The query whose lists are compared: the last one that was picked, else that of the largest difference."""
    queries = set(comparison.queries)
    picked = [query for part in address.names("picked")[:1] for query in part if query in queries]
    if picked:
        return picked[-1]
    address.refuse("picked")
    return pair.queries[pair.order[0]] if pair.queries else comparison.queries[0]


def _show_lists(comparison: RankingComparison, query: str) -> None:
    """Both lists of a query down to some rank."""
    both = SideBySideRankings(comparison, query)
    st.header(f"{plain(query)} — both lists", anchor=False)
    show_query_face(comparison.rankings, query)
    st.caption(with_links(both.verdict))
    if not both.longest:
        st.caption("Neither system has a list for this query; both count 0.")
        return
    show_table(both.heads, both.rows(SHOWN), "side-by-side")
    more = f"The first {SHOWN} of {count_text(both.longest)} ranks. " if both.longest > SHOWN else ""
    st.caption(
        f"{more}● relevant, · not relevant, ? unjudged; with more than two grades the grade follows. Beside each "
        "document: its rank in the other list, – if it is not there."
    )
    parameters = address.parameters() | {"picked": address.written([[query]])}
    st.page_link("pages/retrieve/ranking.py", label="The whole list and its curve", query_params=parameters)


def _show_table(pair: QueryDifferences) -> None:
    frame = pd.DataFrame(pair.table)
    width = "small" if max(map(len, frame["query"]), default=0) <= 10 else 160
    columns = dict.fromkeys(frame.columns[-3:], st.column_config.NumberColumn(format="%.3f"))
    columns |= FACE_COLUMNS | {"text": st.column_config.TextColumn(width=120)}
    columns |= {"query": st.column_config.TextColumn("query", pinned=True, width=width)}
    st.dataframe(
        frame, hide_index=True, key=_TABLE, height=min(36 * (len(frame) + 1), 380), column_config=columns,
        on_select=lambda: _pick_row(pair), selection_mode="single-row",
        alt="Every query with the values of A and B, the largest difference first",
    )  # fmt: skip
    show_copy(frame)


def _draw(figure: go.Figure, key: str, pair: QueryDifferences, alt: str, filename: str) -> None:
    show_figure(figure, key, alt, filename, on_select=lambda: _pick_point(pair, key), selection_mode="points")


# What comes from a browser is checked again.
def _pick_point(pair: QueryDifferences, key: str) -> None:
    points = st.session_state[key].get("selection", {}).get("points", [])
    data = points[0].get("customdata") if points else None
    _pick(pair, data[0] if isinstance(data, list) and data else data.get("0") if isinstance(data, dict) else data)


def _pick_row(pair: QueryDifferences) -> None:
    rows = st.session_state[_TABLE].get("selection", {}).get("rows", [])
    if rows and 0 <= rows[0] < len(pair.order):
        _pick(pair, int(pair.order[rows[0]]))


def _pick(pair: QueryDifferences, index: object) -> None:
    if isinstance(index, int) and 0 <= index < len(pair.queries):
        address.put_names("picked", [[pair.queries[index]]])


@st.cache_data(max_entries=32, show_spinner=False)
def _figures(key: str, _pair: QueryDifferences, _colours: Ink) -> tuple[go.Figure, go.Figure]:
    return differences_figure(_pair, _colours), scatter_figure(_pair, _colours)
