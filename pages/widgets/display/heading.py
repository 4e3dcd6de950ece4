"""The head of a page: its name, the question it answers, what is open, and its most important numbers."""

from collections.abc import Iterable, Mapping

import streamlit as st

from evalcore.analyses import Source
from evalcore.registry import RETRIEVAL, find
from evalcore.wording import entry_link, measure_links, plain, with_parameters

from ..export.share import show_share
from ..session import address
from ..session.current_dataset import opened, shape_problem


def title(text: str, question: str, page: str = "") -> None:
    """The page's name over its question, and at the right the data set, the system and what counts as positive.

    Under the data set stands how many warnings it has, with the way to them. Those that change numbers of the page, by
    its section and name, are repeated.
    """
    current = opened()
    with st.container(key="heading", horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        with st.container(width="content", gap=None):
            st.title(text, anchor=False)
            st.caption(question)
        if current is not None:
            with st.container(key="open-facts", width="content", gap=None, horizontal_alignment="right"):
                st.caption(current.facts, width="content", text_alignment="right")
                with st.container(key="open-links", width="content", horizontal=True, vertical_alignment="center"):
                    link_warnings(current)
                    show_share(current)
    if current is not None and (problem := shape_problem(current.id, address.text("shape"))) is not None:
        st.warning(f"The table is shown as it was read. {plain(problem, 600)}", icon=":material/warning:")
    if current is not None and (lines := current.warning_lines(page)):
        with st.container(key="page-warnings", gap=None):
            for line in lines:
                st.caption(with_parameters(f":material/warning: {line}", address.parameters()))


def link_warnings(current: Source) -> None:
    """How many warnings a data set has, as a link to them; nothing where there are none."""
    if words := current.warning_count:
        params = address.parameters()
        st.page_link("pages/start/data.py", label=words, icon=":material/warning:", query_params=params)


def show_headline(numbers: Iterable[tuple[str, str, str]]) -> None:
    """Name, value and explanation of each of the most important measures of rankings; the name leads to its entry."""
    with st.container(key="headline", horizontal=True, gap="small"):
        for title, value, about in numbers:
            name = f"[{plain(title)}]({entry_link(find(title, RETRIEVAL).key)})"
            st.metric(with_parameters(name, address.parameters()), value, width="content", help=about)


def show_numbers(numbers: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
    """Names and values beside each other; the name of a measure leads to its entry."""
    for name, value in dict(numbers).items():
        label = "".join(measure_links([name])) or plain(name)
        st.metric(with_parameters(label, address.parameters()), value, width="content")
