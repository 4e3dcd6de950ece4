"""The parts of Streamlit and Plotly we use that they do not promise to keep; a test of each says what broke.

In the browser there are two more: the axes of a drawn figure (`operating_point.js`) and the history (`history.js`).
"""

import re
from pathlib import Path

import streamlit as st
from plotly.graph_objects import Figure
from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

__all__ = [
    *("ask_nobody", "figure_parts", "fragment_alone", "page_files", "page_scripts", "settle_menu"),
    "through_history",
]


def settle_menu() -> None:
    """Never look for pages in the folder called ``pages``: ``st.navigation`` names them all."""
    PagesManager.uses_pages_directory = False


def ask_nobody() -> None:
    """Don't ask an outside address for this machine's own, which Streamlit does to judge a foreign Origin."""
    net_util.get_external_ip = lambda: None


def through_history() -> bool:
    """Whether the browser's back or forward button asked for this run."""
    return getattr(get_script_run_ctx(), "is_history_navigation", False)


def fragment_alone() -> bool:
    """Whether a fragment is drawn again without the rest of the page."""
    return bool(getattr(get_script_run_ctx(), "fragment_ids_this_run", None))


def page_files(pattern: str) -> list[Path]:
    """The files of Streamlit's own page with a path of this pattern."""
    return sorted((Path(st.__file__).parent / "static").glob(pattern))


def page_scripts() -> list[str]:
    """The scripts in line in Streamlit's own page."""
    return re.findall(r"<script>(.*?)</script>", page_files("index.html")[0].read_text("utf-8"), re.DOTALL)


def figure_parts(figure: Figure) -> list[dict]:
    """The traces and the layout of a figure, to be changed in place: Plotly's own access copies and checks them."""
    return [*figure._data, figure._layout]
