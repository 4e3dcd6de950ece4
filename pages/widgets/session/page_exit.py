"""A page that ends early, because what it needs is not there.

``st.stop`` asks the whole run to stop, and nothing can be drawn after it, not even the mark of a complete run; this
ends the page alone.
"""

from typing import NoReturn

import streamlit as st

from evalcore.wording import plain

from . import address


class PageEnded(Exception):
    """Raised by a part of a page that has said all there is to say; app.py catches it."""


def end_page() -> NoReturn:
    """End the page here."""
    raise PageEnded


def end_with(problem: Exception) -> NoReturn:
    """Say what is wrong with the data, lead to where it can be changed, and end the page.

    The sentence may quote names from a file, so it is escaped.
    """
    st.error(plain(problem, limit=600))
    st.page_link("pages/start/data.py", label="Change the roles of the columns", query_params=address.parameters())
    end_page()
