"""The slices of the rows that are worse than the rest; a click keeps only the rows of one."""

import streamlit as st

from evalcore import METRICS
from evalcore.analyses import SLICE_MEASURES, ClassTable, Slices, search_slices
from evalcore.readers import Filter
from pages.widgets.controls.fields import select
from pages.widgets.controls.roles import apply_steps, remove_filters
from pages.widgets.export.downloads import show_download
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import put_threshold, with_links

_FILTERED = "slices filtered"
_search = cache(search_slices, 64, "Searching slices …")


def show_slices(table: ClassTable, name: str, level: float) -> None:
    """The slices by a chosen measure: whether any is worse, and each with a button that makes it the filter."""
    titles = {key: METRICS[key].name for key in SLICE_MEASURES}
    measure = METRICS[select("Worse by", titles, "slices_by", width=220)]
    search = _search((table.key, name, measure.key, level), table, name, measure, level)
    slices = Slices(table, name, measure, search, level)
    st.markdown(with_links(slices.verdict))
    for index, (line, one) in enumerate(zip(slices.lines, search.slices, strict=True)):
        with st.container(horizontal=True, vertical_alignment="center", key=f"slice {index}"):
            st.markdown(line, width="stretch")
            click = {"on_click": _keep, "args": (table, slices.steps(one))}
            st.button("Keep only these rows", key=f"keep slice {index}", icon=":material/filter_alt:", **click)
    if table.current.dataset.shape.filters:
        st.button("Back to all rows", key="unfilter", icon=":material/filter_alt_off:", on_click=_back, args=(table,))
    if slices.note:
        st.caption(with_links(slices.note))
    if search.searched:
        with st.container(horizontal=True):
            show_download("Slices as CSV", lambda: slices.table, "slices.csv", "download slices")
            show_download("Slices as Python", slices.code, "slices.py", "download slices code")


def has_filtered() -> bool:
    """Whether a click has just changed the rows, so that the whole page is to be drawn again."""
    return st.session_state.pop(_FILTERED, False)


def _keep(table: ClassTable, steps: tuple[Filter, ...]) -> None:
    if table.at is not None:  # with other rows the page may start from another one
        put_threshold(table.at[1])
    apply_steps(table.current, steps)
    st.session_state[_FILTERED] = True


def _back(table: ClassTable) -> None:
    remove_filters(table.current)
    st.session_state[_FILTERED] = True
