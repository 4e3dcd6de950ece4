"""What a page says when it cannot go on: what it needs and one click to get it, or what is wrong with the data."""

import streamlit as st

from evalcore.analyses import Source
from evalcore.learning import LectureProblem
from evalcore.readers import KINDS, ReadProblem
from evalcore.wording import plain

from ..controls.upload import choose_upload
from ..session import address
from ..session.current_dataset import open_data, opened, samples_of, why_closed
from ..session.page_exit import MissingData, UnusableData


def show_exit(ended: Exception) -> None:
    """Say why a page ended, where it has not said so itself."""
    if isinstance(ended, MissingData):
        _show_missing(ended)
    elif isinstance(ended, LectureProblem):
        st.warning(plain(ended, limit=600))
    elif isinstance(ended, (UnusableData, ReadProblem)):
        st.error(plain(ended, limit=600))
        st.page_link("pages/start/data.py", label="Change the roles of the columns", query_params=address.parameters())


def show_closed() -> None:
    """Why the data set of a link is not open, on a page that needs none."""
    if opened() is None and (reason := why_closed()):
        st.warning(reason)


def show_samples(kinds, keep=lambda sample: True) -> None:
    """A button for each sample of these kinds that opens it."""
    for sample in filter(keep, samples_of(kinds)):
        st.button(plain(sample.title), key=f"offer {sample.id}", on_click=open_data, args=(sample.id,), wrap=True)


def _show_missing(missing: MissingData) -> None:
    with st.container(border=True):
        st.markdown(f"**This page needs {missing.what}.** {_now(opened())}")
        with st.container(horizontal=True):
            show_samples(missing.kinds)
            if missing.also is not None:
                missing.also()
        choose_upload("offer", "Or open a file of your own")
        st.page_link("pages/start/data.py", label="Other ways to open data", query_params=address.parameters())


def _now(current: Source | None) -> str:
    if current is not None:
        return f"The open data set, {plain(current.title)}, holds {KINDS[current.kind].title}."
    return why_closed() or "No data set is open."
