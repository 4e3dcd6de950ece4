"""A page that ends early, because what it needs is not there.

``st.stop`` asks the whole run to stop, and nothing can be drawn after it, not even the mark of a complete run; this
ends the page alone. app.py catches the exit and has `display.empty_state` say what the page needs.
"""

import base64
import hashlib
import html
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import streamlit as st

from evalcore.analyses import Source
from evalcore.learning import LectureProblem
from evalcore.readers import ReadProblem
from evalcore.reports import report_script
from pages.widgets.session.current_dataset import opened
from pages.widgets.session.internals import page_scripts


class PageExit(Exception):
    """Raised by a part of a page that has said all there is to say."""


class UnusableData(PageExit):
    """The open data cannot be used; the message says why. It may quote names from a file: escape it."""


@dataclass(eq=False)
class MissingData(PageExit):
    """Nothing that the page can use is open: it needs one of these kinds, in words after "This page needs"."""

    kinds: Collection[str]
    what: str
    also: Callable[[], None] | None = None  # draws another way to start, beside the samples


EXITS = (PageExit, ReadProblem, LectureProblem)
"""What ends a page: an exit, data that turns out to be unusable while the page reads it, or a room that has closed."""


def need(kinds: Collection[str], what: str, also: Callable[[], None] | None = None) -> Source:
    """The open data set if it is of one of these kinds; else the page ends as `MissingData` says."""
    current = opened()
    if current is None or current.kind not in kinds:
        raise MissingData(kinds, what, also)
    return current


def end_page() -> NoReturn:
    """End the page here."""
    raise PageExit


def end_with(problem: Exception) -> NoReturn:
    """End the page with what is wrong with the data."""
    raise UnusableData(str(problem)) from problem


@contextmanager
def usable(problems: type[Exception] | tuple = (ReadProblem, ValueError)) -> Iterator[None]:
    """End the page with what is wrong with the data, where a problem of these types shows that it cannot be used."""
    try:
        yield
    except problems as problem:
        end_with(problem)


_SCRIPTS = {path.stem: path.read_text("utf-8") for path in Path(__file__).with_name("inline").glob("*.js")}


def run_scripts(*names: str, **data: object) -> None:
    """Run scripts in the browser; they read the data from the attributes of a mark beside them."""
    mark = "".join(f' data-{name}="{html.escape(str(value))}"' for name, value in data.items())
    scripts = "".join(f"<script>{_SCRIPTS[name]}</script>" for name in names)
    st.html(f"<i{mark}></i>{scripts}", unsafe_allow_javascript=True)


def script_hashes() -> str:
    """Sources for a policy of content: our scripts, those of a report, and those in line in Streamlit's own page."""
    scripts = (*_SCRIPTS.values(), *map(report_script, (False, True)), *page_scripts())
    digests = (hashlib.sha256(text.encode()).digest() for text in scripts)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
