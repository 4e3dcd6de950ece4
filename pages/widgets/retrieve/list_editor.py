"""What if the list were another: documents that are dragged and graded anew, and the whole page follows."""

from collections.abc import Sequence
from functools import partial
from string import ascii_uppercase
from typing import Any

import streamlit as st

from evalcore.analyses import ListEdits, RankedList, Rankings, Source, reorder
from evalcore.readers import Shape
from pages.widgets.controls.roles import put_shape, show_shape_problem
from pages.widgets.display.figure import ELEMENT, component
from pages.widgets.session import address
from pages.widgets.session.visitor import remembered

_COMPONENT = component("list_editor", __file__, ELEMENT, "list_editor.js", html='<ol class="ranked"></ol>')
_EDITED = "list edited"


def show_list_editor(rankings: Rankings, query: str) -> None:
    """The list of a query to edit; an edit is a step that shapes the data, so links and all pages have it."""
    current = rankings.current
    # Only a part of the page may be drawn again after an edit, and then with the data of before.
    if st.session_state.pop(_EDITED, False) and address.text("shape", "") != current.dataset.shape.to_text():
        st.rerun()
    show_shape_problem()
    edits = ListEdits(RankedList(rankings, query))
    if edits.problem:
        st.caption(edits.problem)
        return
    st.caption("Drag a document or use its arrow keys; click a grade. Every measure follows.")
    heard = {kind: partial(_put, edits, kind) for kind in ("order", "grade")}
    _COMPONENT("list editor", {"lines": edits.lines, "grades": edits.grade_words}, **heard)
    if edits.has_edits:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(":orange-badge[What if] The file is unchanged.", width="content")
            st.button("Back to the data", key="unedit", on_click=_put_shape, args=(current, edits.unedited))


def choose_order(grades: Sequence[int], key: str) -> list[int]:
    """Let the documents of a list be ordered, from the order of their grades; the grades as they stand in this tab."""
    order = reorder(list(range(len(grades))), remembered("orders").get(key))

    def put(sent: Any) -> None:
        remembered("orders")[key] = reorder(order, sent.get("order") if isinstance(sent, dict) else None)

    lines = [
        {"name": f"Document {ascii_uppercase[place]} · grade {grades[place]}", "grade": grades[place]}
        for place in order
    ]
    _COMPONENT(f"ordered {key}", {"lines": lines, "grades": []}, order=put, grade=lambda _: None)
    return [grades[place] for place in order]


def _put(edits: ListEdits, kind: str, sent: Any) -> None:
    """Take over what the browser sent, which may be anything."""
    try:
        shape = edits.ordered(sent["order"]) if kind == "order" else edits.graded(sent["place"], sent["grade"])
    except (IndexError, KeyError, TypeError, ValueError):
        return
    _put_shape(edits.ranked.rankings.current, shape)


def _put_shape(current: Source, shape: Shape) -> None:
    st.session_state[_EDITED] = True
    put_shape(current, shape)
