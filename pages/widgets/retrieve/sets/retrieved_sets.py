"""What one query retrieved and missed, for one system or two: the two sets, their measures and what relates them."""

from pathlib import Path

import streamlit as st

from evalcore.analyses import QuerySets, Rankings, RetrievedSets
from evalcore.figures import drawn_to_scale, sets_figure
from evalcore.wording import count_text, one_line, plain

from ...controls.bound import bound
from ...display.figure import page_ink, show_figure
from ...display.table import show_table
from ...session import address

MOST_DOCUMENTS = 1e15
_NONE = ""
_STYLE = f"<style>{Path(__file__).with_suffix('.css').read_text(encoding='utf-8')}</style>"


def choose_retrieved_sets(rankings: Rankings) -> RetrievedSets:
    """Ask for the second system, for beta and for the size of the collection."""
    other = _choose_other(rankings)
    beta = st.number_input(
        "β of F", min_value=0.1, max_value=10.0, value=1.0, step=0.5, key="set_beta", bind="query-params", width=110,
        help="How many times as important recall is as precision.",
    )  # fmt: skip
    documents = RetrievedSets(rankings).documents
    size = address.number("collection", documents, max(documents, 1), MOST_DOCUMENTS)
    bound(
        st.number_input, "Documents in the collection", "collection", int(size), key="documents in the collection",
        min_value=documents, max_value=int(MOST_DOCUMENTS), width=210,
        write=lambda size: address.put("collection", size if size > documents else None),
        help=f"For fall-out and generality. At least the {count_text(documents)} that occur in the data.",
    )  # fmt: skip
    return RetrievedSets(rankings, other, beta if 0.1 <= beta <= 10 else 1.0, float(size))


def show_retrieved_sets(one: QuerySets) -> None:
    """The picture of the query for each system, its measures beside each other, and what relates them."""
    systems = one.sets.systems
    with st.container(key="found-sets"):
        st.html(_STYLE)
        columns = st.columns(2, gap="medium") if len(systems) > 1 else st.columns([3, 2], gap="large")
        for column, system in zip(columns, systems, strict=False):
            with column:
                _show_picture(one, system)
        left, right = st.columns(2, gap="medium") if len(systems) > 1 else (columns[1], st.container())
        with left:
            show_table(*one.table)
        with right:
            for line in one.identities:
                st.markdown(line)
            st.caption(one.note(bool(one.counts) and drawn_to_scale(list(one.counts.values()))))


def _choose_other(rankings: Rankings) -> str | None:
    others = [system for system in rankings.systems if system not in (rankings.system, _NONE)]
    if not others:
        return None
    place = rankings.systems.index(rankings.system)
    following = rankings.systems[(place + 1) % len(rankings.systems)]
    named = address.text("beside")
    if named not in (_NONE, *others):
        address.refuse("beside")
        named = following
    bound(
        st.selectbox, "Second system", "beside", named, [_NONE, *others], key="system beside", width=200,
        format_func=lambda system: "none" if system == _NONE else one_line(system, 60),
        help="Compared on the same query and over all queries.",
    )  # fmt: skip
    return named or None


def _show_picture(one: QuerySets, system: str) -> None:
    systems = one.sets.systems
    if len(systems) > 1:
        st.markdown(f"**{plain(system, 40)}**")
    if problem := one.problem(system):
        st.caption(problem)
        return
    others = [counts for name, counts in one.counts.items() if name != system]
    show_figure(
        sets_figure(one.counts[system], page_ink(), others), key=f"sets-{systems.index(system)}", filename="sets",
        alt=f"Retrieved and relevant documents of query {one_line(one.query, 40)}: {one.outcomes(system)}", square=True,
    )  # fmt: skip
    st.caption(one.outcomes(system))
