"""A page that ends early, because what it needs is not there.

``st.stop`` asks the whole run to stop, and nothing can be drawn after it, not even the mark of a complete run; this
ends the page alone. app.py catches the exit and has `display.empty_state` say what the page needs.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NoReturn

from evalcore.analyses import Source
from evalcore.learning import LectureProblem
from evalcore.readers import ReadProblem

from .current_dataset import opened


class PageExit(Exception):
    """Raised by a part of a page that has said all there is to say."""


class UnusableData(PageExit):
    """The open data cannot be used; the message says why. It may quote names from a file: escape it."""


@dataclass(eq=False)
class MissingData(PageExit):
    """Nothing that the page can use is open: it needs one of these kinds, in words after "This page needs".

    `also` draws another way to start, beside the samples.
    """

    kinds: Collection[str]
    what: str
    also: Callable[[], None] | None = None


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
