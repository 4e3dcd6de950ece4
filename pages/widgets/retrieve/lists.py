"""The list of a query: beside its page in the drawer, or to be edited, and then the whole page follows."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from string import ascii_uppercase
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import analyses
from evalcore.analyses import RankedList, Rankings, SideBySideRankings, Source
from evalcore.readers import Only, RankingRoles, Shape, text_of
from evalcore.wording import Column, count_text, file_stem
from pages.widgets.controls.ranking_settings import FACE_COLUMNS, selected_queries, show_query_face
from pages.widgets.controls.roles import apply_steps, put_shape, show_shape_problem
from pages.widgets.display.drawer import drawer
from pages.widgets.display.figure import ELEMENT, component, show_frame
from pages.widgets.export.downloads import show_download
from pages.widgets.session import address
from pages.widgets.session.loaded import with_links
from pages.widgets.session.visitor import on_phone, remembered

_MARK = Column(title="●", help="● relevant, · not relevant, ? unjudged")
_RANKS = dict.fromkeys(("rank", "rank in A", "rank in B"), Column(count_text))
_SHAPED = "lists shaped"


def open_list(query: str | None) -> None:
    """Open the list of a query; None closes the one that is open."""
    if query is not None:
        address.put_names("picked", [[query]])
    address.put("drawer", "closed" if query is None else None)


def opened_query(queries: Collection[str], by_itself: bool = False) -> str | None:
    """The query whose list is open: the last one of the address, unless its list was closed.

    The list of the only query opens by itself if it may, except on a phone, where it would cover the page.
    """
    is_closed = address.choice("drawer", ("closed",)) is not None
    alone = by_itself and len(queries) == 1 and not on_phone()
    picked = selected_queries(queries, 1) or (tuple(queries) if alone else ())
    return picked[0] if picked and not is_closed else None


def show_list(lists: RankedList | SideBySideRankings, order: Sequence[str]) -> None:
    """The list of a query, or those of two systems, in the drawer; buttons and keys lead on in an order of queries."""
    rankings, query = lists.rankings, lists.query
    _draw_anew_if_shaped(rankings.current)
    with drawer(lists.title, partial(open_list, None)):
        show_shape_problem()
        with st.container(key="drawer-tools", horizontal=True, vertical_alignment="center"):
            _show_steps(query, order)
            roles = rankings.current.roles
            if isinstance(roles, RankingRoles):
                st.button(
                    "Use as filter", key="filter-rows", icon=":material/filter_alt:", type="tertiary",
                    on_click=_filter, args=(rankings.current, roles.query, query), disabled=len(rankings.queries()) < 2,
                )  # fmt: skip
            look = {"icon": ":material/download:", "type": "tertiary"}
            # Ranks are whole also where a document is not in a list.
            whole = {"convert_string": False, "convert_boolean": False}
            table = lambda: pd.DataFrame(lists.table).convert_dtypes(**whole)  # noqa: E731
            show_download("Save as CSV", table, f"list of {file_stem(query)}.csv", "download list", **look)
        show_query_face(rankings, query)
        if lists.documents:
            _show_documents(lists)
        with st.container(key="list-notes"):
            st.caption("  \n".join(map(with_links, lists.notes)))


def _show_documents(lists: RankedList | SideBySideRankings) -> None:
    frame = pd.DataFrame(lists.table)
    grades = pd.to_numeric(frame["grade"], errors="coerce")
    marks = np.where(grades.isna(), "?", np.where(frame["relevant"], "●", "·"))
    images = analyses.face_columns(lists.rankings.document_faces, lists.documents, short=True).get("image")
    looks = {} if images is None else {"image": images}
    if words := [name for name in ("title", "text") if name in frame] or [name for name in ("url",) if name in frame]:
        looks["text"] = [" · ".join(filter(None, cells)) for cells in frame[words].itertuples(index=False)]
    frame = frame.drop(columns=["title", "text", "url"], errors="ignore").assign(grade=grades, relevant=marks, **looks)
    ranks = [name for name in frame if name in _RANKS]
    first = [*ranks, "relevant", *looks, "document", "grade"]
    frame = frame[[*first, *(name for name in frame if name not in first)]]
    columns = _RANKS | FACE_COLUMNS | dict.fromkeys(("precision", "recall"), Column(3))
    columns |= {"relevant": _MARK, ranks[0]: Column(count_text, first=True)}
    about = {"missing": "–", "tall": analyses.has_long_texts(frame.drop(columns="image", errors="ignore"))}
    # It is saved and not copied: writing the texts to be copied would take half the time of a click.
    show_frame(frame, "list of the drawer", "Documents", columns, 0, None, **about, copied=frame.head(0))


def _draw_anew_if_shaped(current: Source) -> None:
    """Only a part of the page may be drawn again after an edit, and then with the data of before."""
    if st.session_state.pop(_SHAPED, False) and address.text("shape", "") != current.dataset.shape.to_text():
        st.rerun()


def _show_steps(query: str, order: Sequence[str]) -> None:
    """Buttons to the list before and after that of a query."""
    at = order.index(query) if query in order else -1
    for name, to, key in (("Previous", at - 1, "K"), ("Next", at + 1, "J")):
        known = 0 <= to < len(order)
        st.button(
            name, key=f"{name.lower()}-list", type="tertiary", help=f"{name} query ({key})", disabled=not known,
            on_click=open_list, args=(order[to] if known else None,),
        )  # fmt: skip


def _filter(current: Source, column: str, query: str) -> None:
    st.session_state[_SHAPED] = True
    apply_steps(current, (Only(column, (text_of(query),)),))


_COMPONENT = component("list_editor", __file__, ELEMENT, "list_editor.js", html='<ol class="ranked"></ol>')


def show_list_editor(rankings: Rankings, query: str) -> None:
    """The list of a query to edit; an edit is a step that shapes the data, so links and all pages have it."""
    current = rankings.current
    _draw_anew_if_shaped(current)
    show_shape_problem()
    edits = analyses.ListEdits(RankedList(rankings, query))
    if edits.problem:
        st.caption(edits.problem)
        return
    st.caption("Drag a document or use its arrow keys; click a grade. Every measure follows.")
    _COMPONENT(
        "list editor", {"lines": edits.lines, "grades": [f"{grade:g}" for grade in edits.grades]},
        order=lambda sent: _put(current, lambda: edits.ordered(sent["order"])),
        grade=lambda sent: _put(current, lambda: edits.graded(sent["place"], sent["grade"])),
    )  # fmt: skip
    if edits.has_edits:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(":orange-badge[What if] The file is unchanged.", width="content")
            st.button("Back to the data", key="unedit", on_click=_put, args=(current, lambda: edits.unedited))


def choose_order(grades: Sequence[int], key: str) -> list[int]:
    """Let the documents of a list be ordered, from the order of their grades; the grades as they stand in this tab."""
    order = analyses.reorder(list(range(len(grades))), remembered("orders").get(key))

    def put(sent: Any) -> None:
        remembered("orders")[key] = analyses.reorder(order, sent.get("order") if isinstance(sent, dict) else None)

    names = (f"Document {ascii_uppercase[place]} · grade {grades[place]}" for place in order)
    lines = [{"name": name, "grade": grades[place]} for name, place in zip(names, order, strict=True)]
    _COMPONENT(f"ordered {key}", {"lines": lines, "grades": []}, order=put, grade=lambda _: None)
    return [grades[place] for place in order]


def _put(current: Source, make: Callable[[], Shape]) -> None:
    """Put the shape that a browser asks for; what it sends may be anything."""
    try:
        shape = make()
    except (IndexError, KeyError, TypeError, ValueError):
        return
    st.session_state[_SHAPED] = True
    put_shape(current, shape)
