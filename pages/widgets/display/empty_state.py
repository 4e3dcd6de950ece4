"""What a page says when nothing it can use is open: what it needs, and one click to get it."""

from collections.abc import Callable, Collection

import streamlit as st

from evalcore.wording import plain

from ..controls.upload import choose_upload
from ..session import address
from ..session.current_dataset import KINDS, Opened, open_data, opened, samples_of
from ..session.page_exit import end_page


def need(kinds: Collection[str], what: str, also: Callable[[], None] | None = None) -> Opened:
    """The open data set if it is of one of these kinds; else an offer of what fits, and the page ends.

    Parameters
    ----------
    kinds : collection of str
        Kinds of table the page can use.
    what : str
        What that is in words, to go after "This page needs": "a column of labels and a column of scores".
    also : callable, optional
        Draws another way to start, beside the samples.
    """
    current = opened()
    if current is not None and current.kind in kinds:
        return current
    with st.container(border=True):
        st.markdown(f"**This page needs {what}.** {_now(current)}")
        with st.container(horizontal=True):
            for sample in samples_of(kinds):
                st.button(
                    plain(sample.title), key=f"offer {sample.id}", on_click=open_data, args=(sample.id,), wrap=True
                )
            if also is not None:
                also()
        choose_upload("offer", "Or open a file of your own")
        st.page_link("pages/start/data.py", label="Other ways to get data in", query_params=address.parameters())
    end_page()


def _now(current: Opened | None) -> str:
    if current is not None:
        return f"Open now is {plain(current.title)}, which holds {KINDS[current.kind]}."
    if address.text("data") is not None:
        return "The data set in the address is not here any more: it was deleted, or the link is from another server."
    return "Nothing is open."
