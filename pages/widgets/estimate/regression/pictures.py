"""Truth and error against the estimate; a click or a brush shows the rows."""

import streamlit as st

from evalcore.analyses import Brush, Cloud, EstimateRows, RowsOfErrors, brush_of_selection, clouds
from evalcore.figures import cloud_figure
from evalcore.wording import count_text

from ...display.figure import page_ink, show_figure
from ...session import address
from .rows import show_error_rows

KEY = "brush"


def show_clouds(estimates: EstimateRows) -> None:
    """The two pictures beside each other."""
    both = clouds(estimates)
    titles = ("**Truth against estimate** :small[:gray[dotted: estimate = truth]]",
              "**Error against estimate** :small[:gray[line: mean error along the estimate]]")  # fmt: skip
    for column, words, cloud in zip(st.columns(2, gap="large"), titles, both.values(), strict=True):
        with column:
            st.markdown(words)
            show_cloud(estimates, cloud)
    many = both["truth"].is_density
    density = f"Density of {count_text(len(estimates.state))} rows; all numbers are of every row. " if many else ""
    st.caption(f"{density}Click a {'bin' if many else 'point'} or drag a rectangle to see its rows.")


def show_cloud(estimates: EstimateRows, cloud: Cloud) -> None:
    """One picture; what is clicked or brushed goes into the address."""
    key = f"cloud-{cloud.key}"
    show_figure(
        cloud_figure(cloud, estimates, page_ink(), Brush.read(address.text(KEY))), key,
        f"{cloud.titles[1]} over {cloud.titles[0]}, one point per row", filename=cloud.key,
        on_select=lambda: _put(cloud, st.session_state[key].selection), selection_mode=("points", "box"),
    )  # fmt: skip


def _put(cloud: Cloud, selection: dict) -> None:
    """Write what was selected; an empty selection leaves the last one."""
    brush = brush_of_selection(cloud, selection["points"], selection["box"])
    if brush is not None:
        address.put(KEY, brush.text)


def show_brushed(estimates: EstimateRows) -> None:
    """The rows of the last brush, whichever picture it is in; nothing where there is none."""
    brush = Brush.read(address.text(KEY))
    cloud = None if brush is None else clouds(estimates).get(brush.cloud)
    if brush is None or cloud is None:
        address.refuse(KEY)
        return
    rows = RowsOfErrors.within(estimates, cloud, brush)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(rows.verdict, width="stretch")
        st.button("Clear", on_click=address.put, args=(KEY, None), key="clear brush")
    show_error_rows(rows, "brushed rows")
