"""The menu of pages. Its links carry what is open, so that they can be sent and opened in another tab."""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from pathlib import Path

import streamlit as st

from ..session import address
from ..session.inline_scripts import run_scripts

Rows = Sequence[tuple[str, str, str]]

FILES: dict[str, str] = {}
"""The pages that exist by their path in the address: "confusion" is "classify/confusion"."""


def sections(table: Mapping[str, Rows], folder: Path) -> dict[str, list]:
    """The pages of a table of (file, title, path in the address); the one without a path comes first."""
    return {section: [copy(_page(folder, *row)) for row in rows] for section, rows in table.items()}


@cache  # Streamlit looks for the file of each page anew; a run marks the page it shows, so it gets copies
def _page(folder: Path, file: str, title: str, url: str) -> st.Page:
    FILES[url] = file.removesuffix(".py")
    return st.Page(folder / file, title=title, url_path=url, default=not url)


def show_menu(sections: Mapping[str, Sequence]) -> None:
    """Draw the sections with a link a page."""
    parameters = address.menu_parameters()
    with st.container(key="menu"):
        for section, pages in sections.items():
            st.caption(section)
            for page in pages:
                st.page_link(page, query_params=parameters)
        run_scripts("close_menu", "history", "numbers", "keep_focus", "keep_zoom", "copy", "picture_titles")
