"""The drawer: the rows behind a cell, a bar, a curve or a group, beside the picture and the same on every page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import streamlit as st

from evalcore.analyses import RowSelection, has_long_texts, with_images
from evalcore.readers import ReadProblem
from evalcore.wording import Column, count_text, plain
from pages.widgets.controls.roles import apply_steps, show_shape_problem
from pages.widgets.display.figure import show_frame
from pages.widgets.export.downloads import show_download
from pages.widgets.session import address
from pages.widgets.session.internals import fragment_alone
from pages.widgets.session.loaded import put_threshold, with_links
from pages.widgets.session.page_exit import run_scripts

_KEY, _FILTERED, _PROBLEM = "selected", "rows filtered", "rows problem"
_MOST_ROWS, _MOST_CELLS = 1000, 60_000


def opened_rows(kind: str, parts: int) -> tuple[str, ...] | None:
    """What is selected, if the address says that it is of this kind: as many parts as were opened."""
    lists = address.names(_KEY)
    if not lists or lists[0][0] != kind or len(lists[0]) != 1 + parts:
        address.refuse(_KEY)
        return None
    address.page_text(_KEY)  # it is used, whatever another kind of rows has said of it
    return lists[0][1:]


def opened_group(column: str | None, names: Sequence[str]) -> int | None:
    """The place among groups of a column of the one that is selected, by its name; old links hold the place itself."""
    place = (opened_rows("group", 1) or ("",))[0]
    if place in map(str, range(len(names))):
        return int(place)
    of, name = opened_rows("group", 2) or (None, "")
    return names.index(name) if of == column and name in names else None


def open_rows(kind: str, *parts: str) -> None:
    """Open the rows of something on the page, told by its kind and by what tells it from the others of that kind."""
    address.put_names(_KEY, [(kind, *parts)])


def close_rows() -> None:
    """Close the drawer."""
    address.put(_KEY, None)


def show_drawer(
    selection: RowSelection | str | None, threshold: float | None = None, looks: Mapping[str, Column] = {}
) -> None:
    """The rows that are selected, in a drawer of their own; or the reason that there are none to be shown.

    A filter that is made of them keeps the threshold; `looks` are those of columns beside the table.
    """
    if st.session_state.pop(_FILTERED, False) and fragment_alone():
        st.rerun()
    if selection is None:
        return
    with drawer(selection if isinstance(selection, str) else selection.title):
        if not isinstance(selection, str):
            _show_rows(selection, threshold, looks)


@contextmanager
def drawer(words: str, close: Callable[[], None] = close_rows) -> Iterator[None]:
    """The place beside the page, under words in Markdown; `close` takes from the address what it shows."""
    with st.container(key="drawer"):
        with st.container(key="drawer-head", horizontal=True, vertical_alignment="center"):
            st.markdown(with_links(words), width="stretch")
            st.button("Close", key="close-rows", icon=":material/close:", type="tertiary", on_click=close)
        yield
    run_scripts("drawer")


def _show_rows(selection: RowSelection, threshold: float | None, own_looks: Mapping[str, Column]) -> None:
    if (problem := st.session_state.pop(_PROBLEM, None)) is not None:
        st.error(plain(problem, limit=600))
    show_shape_problem()
    if not len(selection.rows):
        st.caption("There are no such rows.")
        return
    by, falling = _order()
    columns = len(selection.source.frame.columns) + len(selection.beside)
    most = min(_MOST_ROWS, max(_MOST_CELLS // columns, 100))
    whole = len(selection.rows) <= most
    with st.container(key="drawer-tools", horizontal=True, vertical_alignment="center"):
        reason, look = selection.no_filter_because, {"icon": ":material/filter_alt:", "type": "tertiary"}
        look |= {"help": reason and plain(reason, 200), "disabled": reason is not None}
        st.button("Use as filter", key="filter-rows", on_click=_filter, args=(selection, threshold), **look)
        look = {"icon": ":material/download:", "type": "tertiary"}
        show_download("Save as CSV", partial(selection.frame, by, falling), "rows.csv", "download rows", **look)
        if not whole:
            st.caption(f"The first {count_text(most)} rows; the file has all.")
    frame, images = with_images(selection.frame(by, falling, most))
    looks = {**own_looks, **{name: Column(kind="image") for name in images}}
    looks[frame.columns[0]] = Column(count_text, first=True)
    own = {"order": _put_order, "ordered": (by, falling)} if not whole else {}
    tall = bool(images) or has_long_texts(frame.drop(columns=images))
    show_frame(frame, "rows of the drawer", "Rows", looks, 0, None, missing=None, tall=tall, **own)


def _order() -> tuple[str, bool]:
    """The column by which all rows are sorted, and whether downwards; from the address."""
    lists = address.names(_KEY)
    way = lists[1] if len(lists) == 2 and len(lists[1]) == 2 else ("", "")
    return way[0], way[1] == "down"


def _put_order(by: str, falling: bool) -> None:
    if lists := address.names(_KEY):
        address.put_names(_KEY, [lists[0], *([(by, "down" if falling else "up")] if by else [])])


def _filter(selection: RowSelection, threshold: float | None) -> None:
    try:
        steps = selection.filters()
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    before = address.text("shape")
    if threshold is not None:
        put_threshold(threshold)
    apply_steps(selection.source, steps)
    if address.text("shape") != before:
        close_rows()
        st.session_state[_FILTERED] = True
