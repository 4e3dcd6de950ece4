"""Rows as points in pictures; a click or a brush in any of them shows the rows."""

from collections.abc import Sequence

import streamlit as st

from evalcore.analyses import Brush, Cloud, EstimateRows, RowsOfErrors, brush_of_selection, cloud_of
from evalcore.figures import cloud_figure
from evalcore.inference import Interval
from evalcore.wording import count_text, plain

from ...controls.bound import segmented
from ...display.figure import page_ink, show_figure
from ...session import address
from ...session.cache import cache
from ...session.entry_links import with_links
from .rows import show_error_rows

KEY = "brush"
_WAYS = ["drag a rectangle", "click a point"]
_cloud = cache(cloud_of, 32)
_figure = cache(lambda *parts: cloud_figure(*parts), 48)


def choose_way() -> None:
    """Ask whether rows are chosen by rectangles or by clicks; the pictures cannot take both at once."""
    segmented("Choose rows", _WAYS, "way")


def _clicks() -> bool:
    return st.session_state.get("way") == _WAYS[1]


def show_clouds(estimates: EstimateRows) -> None:
    """Truth and error against the estimate, beside each other."""
    titles = {
        "truth": "**Truth against estimate** :small[:gray[dotted: estimate = truth]]",
        "error": "**Error against estimate** :small[:gray[line: mean error along the estimate]]",
    }
    for column, (key, words) in zip(st.columns(2, gap="large"), titles.items(), strict=True):
        with column:
            show_cloud(estimates, key, words)
    st.caption(click_words(estimates))


def click_words(estimates: EstimateRows) -> str:
    """How rows are chosen in a picture, and what is drawn where they are many."""
    cloud = _cloud((estimates.key, "truth"), estimates, "truth")
    count = count_text(estimates.state.total)
    every = (
        "numbers are of all cells they were counted in"
        if estimates.source.dataset.is_counted
        else "numbers are of every row"
    )
    many = f"Density of {count} rows; {every}. " if cloud.is_density else ""
    place = "bin" if cloud.is_density else "point"
    return f"{many}{f'Click a {place}' if _clicks() else 'Drag a rectangle'} to see its rows."


def show_cloud(estimates: EstimateRows, name: str, words: str, lines: Sequence[Interval] = ()) -> Cloud:
    """One picture under its title; what is clicked or brushed goes into the address."""
    st.markdown(words)
    cloud, key = _cloud((estimates.key, name), estimates, name), f"cloud-{name}"
    ink, brush = page_ink(), Brush.read(address.text(KEY))
    own = brush if brush is not None and brush.cloud == name else None
    told = own, tuple(lines), "pan" if _clicks() else "select"
    drawn = _figure((estimates.key, name, ink, own, tuple(map(str, lines)), told[2]), cloud, estimates, ink, *told)
    show_figure(
        drawn, key, f"{plain(cloud.titles[1])} over {plain(cloud.titles[0])}, one point per row",
        filename=name.partition(":")[0], on_select=lambda: _put(cloud, st.session_state[key].selection),
        selection_mode=("points", "box"),
    )  # fmt: skip
    return cloud


def _put(cloud: Cloud, selection: dict) -> None:
    """Write what was selected; an empty selection leaves the last one."""
    brush = brush_of_selection(cloud, selection["points"], selection["box"])
    if brush is not None:
        address.put(KEY, brush.text)


def show_brushed(estimates: EstimateRows) -> None:
    """The rows of the last brush, whichever picture it is in; nothing where there is none."""
    brush = Brush.read(address.text(KEY))
    cloud = None if brush is None else cloud_of(estimates, brush.cloud)
    if brush is None or cloud is None:
        address.refuse(KEY)
        return
    rows = RowsOfErrors.within(estimates, cloud, brush)
    with st.container(key="brushed", horizontal=True, vertical_alignment="center"):
        st.markdown(with_links(rows.verdict), width="stretch")
        st.button("Clear", on_click=address.put, args=(KEY, None), key="clear brush")
    show_error_rows(rows, "brushed rows")
