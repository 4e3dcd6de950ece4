"""Where two systems disagree: the 2×2 table of who is right, and the rows themselves."""

import streamlit as st

from evalcore.analyses import AMONG, ROW_KINDS, Disagreement, SystemComparison, system_title
from evalcore.readers import numbered_rows
from evalcore.wording import Cell, plain

from ...display.table import show_numbered_rows, show_table
from ...export.downloads import show_rows_download


def show_disagreement(comparison: SystemComparison) -> Disagreement:
    """The 2×2 table of who is right with its test."""
    st.markdown("**Who is right?** :small[:gray[only rows where exactly one is right count]]")
    disagreement = Disagreement(comparison, _choose_among(comparison))
    b = Cell("B right", heading=True, below=system_title(comparison.b, 24))
    show_table(["", b, "B wrong"], disagreement.cells, "disagreements")
    st.caption(disagreement.verdict)
    if disagreement.symmetry:
        st.caption(disagreement.symmetry)
    return disagreement


def show_rows_between(disagreement: Disagreement) -> None:
    """The rows of one kind of disagreement, with all their columns, and a file of them."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox(
            "Rows where", list(ROW_KINDS), format_func=ROW_KINDS.get, key="between", bind="query-params", width=200
        )
        kind = kind if kind in ROW_KINDS else "b"
        numbers = disagreement.rows(kind)
        st.markdown(disagreement.rows_text(kind, len(numbers)), width="stretch")
        if len(numbers):
            show_rows_download(lambda: numbered_rows(disagreement.comparison.source.frame, numbers))
    if not len(numbers):
        st.caption("There are no such rows.")
        return
    frame = disagreement.comparison.source.frame
    show_numbered_rows(frame, numbers, "rows between", f"The rows where {ROW_KINDS[kind]}", 10, 380)


def _choose_among(comparison: SystemComparison) -> str:
    if comparison.target is None:
        return "all"
    words = dict(zip(AMONG, ("all rows", *(plain(word, 20) for word in comparison.class_words)), strict=True))
    among = st.segmented_control(
        "Among", AMONG, default="all", format_func=words.get, key="among", bind="query-params", required=True,
        label_visibility="collapsed",
    )  # fmt: skip
    return among if among in AMONG else "all"
