"""The slices of the rows that are worse than the rest; a click keeps only the rows of one."""

import streamlit as st

from evalcore import METRICS
from evalcore.analyses import SLICE_MEASURES, ClassTable, Slices, search_slices
from pages.widgets.controls.fields import select
from pages.widgets.display.drawer import open_rows, opened_rows, show_drawer
from pages.widgets.export.downloads import show_download
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links

_KIND = "slice"
_search = cache(search_slices, 64, "Searching slices …")


def show_slices(table: ClassTable, name: str, level: float) -> None:
    """The slices by a chosen measure: whether any is worse, and each with a button that opens its rows."""
    titles = {key: METRICS[key].name for key in SLICE_MEASURES}
    measure = METRICS[select("Worse by", titles, "slices_by", width=220)]
    search = _search((table.key, name, measure.key, level), table, name, measure, level)
    slices = Slices(table, name, measure, search, level)
    st.markdown(with_links(slices.verdict))
    for index, (one, line) in enumerate(zip(search.slices, slices.lines, strict=True)):
        with st.container(horizontal=True, vertical_alignment="center", key=f"slice {index}"):
            st.markdown(line, width="stretch")
            click = {"on_click": open_rows, "args": (_KIND, *(step.to_text() for step in slices.steps(one)))}
            st.button("Rows", key=f"keep slice {index}", icon=":material/right_panel_open:", type="tertiary", **click)
    # Named by its filters, of one column or of two: at another threshold its place may be that of another slice.
    filters = opened_rows(_KIND, 1) or opened_rows(_KIND, 2) or ()
    show_drawer(slices.selection(*filters), None if table.at is None else table.at[1])
    if slices.note:
        st.caption(with_links(slices.note))
    if search.searched:
        with st.container(horizontal=True):
            show_download("Slices as CSV", lambda: slices.table, "slices.csv", "download slices")
            show_download("Slices as Python", slices.code, "slices.py", "download slices code")
