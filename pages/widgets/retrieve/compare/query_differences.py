"""A and B query by query: the differences in order, one against the other, and where they differ most."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore.figures import BARS, TwoSystems, differences_figure, scatter_figure
from evalcore.wording import count_text, short_names

from ...display.figure import page_ink
from ...session import address
from .comparison import Rivals, word
from .tests import differences_of

_TABLE = "queries of the rivals"
_BUTTONS = ["lasso2d", "select2d", "autoScale2d", "zoomIn2d", "zoomOut2d"]


def opened_query(rivals: Rivals) -> str:
    """The query whose lists are compared: the last one that was picked, else that of the largest difference."""
    known = set(rivals.queries)
    lists = address.names("picked")
    picked = [query for part in lists[:1] for query in part if query in known]
    if picked:
        return picked[-1]
    address.refuse("picked")
    sizes = np.nan_to_num(np.abs(differences_of(rivals)))
    return rivals.queries[int(np.argmax(sizes))]


def show_query_differences(rivals: Rivals) -> None:
    """Bars, dots and the table; a click on any of them opens the two lists of a query."""
    two = rivals.two(differences_of(rivals))
    colours = page_ink()
    key = f"{rivals.key}\n{rivals.a}\n{rivals.b}\n{rivals.measure}\n{colours.paper}"
    n = len(two.queries)
    _draw(
        _bars(key, two, colours), "query-differences", two,
        f"Differences in {two.heading} of {count_text(n)} queries in order, {word(rivals.b)} minus {word(rivals.a)}",
        "query differences",
    )  # fmt: skip
    notes = ["A click on a bar, a dot or a row opens the lists of its query below."]
    if n > BARS:
        notes.insert(0, f"{count_text(BARS)} of {count_text(n)} queries are drawn, at even distances.")
    left, right = st.columns([1, 1], gap="large")
    with left:
        _draw(
            _dots(key, two, colours), "query-scatter", two,
            f"{two.heading} of {word(rivals.b)} over that of {word(rivals.a)}, a dot a query", "A against B",
        )  # fmt: skip
    with right:
        _show_table(two)
        st.caption(" ".join(notes))


def differences_frame(two: TwoSystems) -> pd.DataFrame:
    """A line a query, the largest difference first."""
    order = np.argsort(-np.abs(two.differences), kind="stable")
    names = [two.queries[place] for place in order.tolist()]
    return pd.DataFrame(
        {
            "query": [word(query, 200) for query in names],
            f"A: {word(two.a, 24)}": two.values_a[order],
            f"B: {word(two.b, 24)}": two.values_b[order],
            "B − A": two.differences[order],
        }
    )


def _show_table(two: TwoSystems) -> None:
    frame = differences_frame(two)
    frame["query"] = short_names(frame["query"], 30)
    width = "small" if max(map(len, frame["query"]), default=0) <= 10 else 160
    order = np.argsort(-np.abs(two.differences), kind="stable")
    number = st.column_config.NumberColumn(format="%.3f")
    st.dataframe(
        frame,
        hide_index=True,
        key=_TABLE,
        height=min(36 * (len(frame) + 1), 380),
        on_select=lambda: _pick_row(two, order),
        selection_mode="single-row",
        alt="Every query with the values of A and B, the largest difference first",
        column_config={
            "query": st.column_config.TextColumn("query", pinned=True, width=width),
            **dict.fromkeys(frame.columns[1:], number),
        },
    )


def _draw(figure: go.Figure, key: str, two: TwoSystems, alt: str, filename: str) -> None:
    config = {
        "displaylogo": False,
        "modeBarButtonsToRemove": _BUTTONS,
        "toImageButtonOptions": {"format": "svg", "filename": filename},
    }
    st.plotly_chart(
        figure,
        key=key,
        alt=alt,
        theme=None,
        config=config,
        on_select=lambda: _pick_point(two, key),
        selection_mode="points",
    )


# What comes from a browser is checked again.
def _pick_point(two: TwoSystems, key: str) -> None:
    points = st.session_state[key].get("selection", {}).get("points", [])
    told = points[0].get("customdata") if points else None
    place = told[0] if isinstance(told, list) and told else told.get("0") if isinstance(told, dict) else told
    _pick(two, place)


def _pick_row(two: TwoSystems, order: np.ndarray) -> None:
    rows = st.session_state[_TABLE].get("selection", {}).get("rows", [])
    if rows and 0 <= rows[0] < len(order):
        _pick(two, int(order[rows[0]]))


def _pick(two: TwoSystems, place: object) -> None:
    if isinstance(place, int) and 0 <= place < len(two.queries):
        address.put_names("picked", [[two.queries[place]]])


@st.cache_data(max_entries=32, show_spinner=False)
def _bars(key: str, _two: TwoSystems, _colours) -> go.Figure:
    return differences_figure(_two, _colours)


@st.cache_data(max_entries=32, show_spinner=False)
def _dots(key: str, _two: TwoSystems, _colours) -> go.Figure:
    return scatter_figure(_two, _colours)
