"""The head of a page: its name, the question it answers, what is open, and its most important numbers."""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.analyses import Source
from evalcore.figures import STYLE_COLOURS, ink
from evalcore.learning import LectureProblem
from evalcore.readers import KINDS, ReadProblem
from evalcore.registry import PAGES
from evalcore.wording import measure_links, plain, with_parameters
from pages.widgets.controls.fields import beside
from pages.widgets.controls.roles import choose_roles, show_warnings
from pages.widgets.controls.upload import choose_upload
from pages.widgets.export.downloads import note_finding, show_share
from pages.widgets.session import address
from pages.widgets.session.current_dataset import open_data, opened, samples_of, shaped, why_closed
from pages.widgets.session.loaded import SCORED, open_family, with_links
from pages.widgets.session.page_exit import MissingData, UnusableData, run_scripts

_FINDING, _TOOLS = ContextVar[DeltaGenerator]("finding"), ContextVar[DeltaGenerator]("tools")
_STATISTICS = ContextVar[DeltaGenerator | None]("statistics")


def title(page: str) -> None:
    """The name of a page (section and file); at the right what is open, its warnings, and the tools of every page.

    Under it the finding stands, or the question of a page that finds nothing. Warnings that change numbers of the page
    are repeated.
    """
    current = opened()
    with st.container(key="heading", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.title(PAGES[page].heading or PAGES[page].title, anchor=False, width="content")
        with st.container(key="open-facts", width="content", horizontal=True, vertical_alignment="center"):
            st.html(_UNDO, width="content")
            if current is not None:
                _show_reading_of(current, page)
            _TOOLS.set(st.container(width="content"))
            _STATISTICS.set(None)
            show_share(current, page != "start/report")
    if current is not None and (problem := shaped(current.id, address.text("shape"))[1]) is not None:
        st.warning(f"The table is shown as it was read. {plain(problem, 600)}", icon=":material/warning:")
    _FINDING.set(st.container(key="finding", gap=None))
    if not PAGES[page].finds:
        finding().header(PAGES[page].question, anchor=False)
    # Home has the view of the Threshold page.
    shown = "classify/threshold" if page == "start/home" and current and current.kind in SCORED else page
    if current is not None and (lines := current.warning_lines(shown)):
        with st.container(key="page-warnings", gap=None):
            for line in lines:
                st.caption(with_parameters(f":material/warning: {line}", address.parameters()))


def _show_reading_of(current: Source, page: str) -> None:
    """What is open, how it was read and its warnings; unless the page does so, both are changed in place."""
    facts, warned = ("read-as", current.facts, "", choose_roles), current.warning_count
    warnings = [("warnings", warned, ":material/warning:", show_warnings)] if warned else []
    for key, words, icon, show in (facts, *warnings):
        if page == "start/data" or (page == "start/home" and show is choose_roles):
            st.caption(f"{icon} {words}", width="content", text_alignment="right")
            continue
        with st.popover(words, icon=icon or None, type="tertiary", key=key, wrap=True, on_change="rerun") as unfolded:
            if unfolded.open:
                show(current)


def statistics() -> DeltaGenerator:
    """The popover of what changes intervals and tests, and nothing in the picture."""
    if (popover := _STATISTICS.get()) is None:
        popover = _TOOLS.get().popover("Statistics", icon=":material/straighten:", type="tertiary", key="statistics")
        _STATISTICS.set(popover)
    return popover


def controls() -> DeltaGenerator:
    """Make the row of controls that change what a page shows."""
    return beside("settings")


def finding() -> DeltaGenerator:
    """The place of the finding, for a fragment, which cannot ask for it when it is drawn again."""
    return _FINDING.get()


def show_finding(verdict: str, *notes: str, place: DeltaGenerator | None = None, **card: Any) -> DeltaGenerator:
    """Put the finding over the page: the bold sentence of a verdict large, the rest below it, the notes in small.

    `card` is what its card shows beside it: a picture, numbers, or what it is about; see `note_finding`.
    """
    note_finding(verdict, **card)
    first, rest = _BOLD.fullmatch(verdict).groups()
    place = place or finding()
    if first:
        place.header(with_links(first.removesuffix(".")), anchor=False)
    if rest:
        place.markdown(with_links(rest))
    if said := " ".join(filter(None, notes)):
        place.caption(with_links(said))
    return place


# Seen from the first change on, see history.js.
_UNDO = (
    '<div class="undo"><span role="status"></span><button type="button" disabled></button>'
    '<button type="button" disabled></button></div>'
)

_BOLD = re.compile(r"(?:\*\*(.+?)\*\*\s*)?(.*)", re.DOTALL)


def show_folds(
    page: str, parts: Mapping[str, Callable[..., Any]], *arguments: object, wait: str | None = None,
    titles: Mapping[str, str] = {},
) -> tuple[str, Any]:  # fmt: skip
    """Draw a page's parts under folds, of which one is open at most: its name, and what drawing it returns.

    A part that the data do not suit says why, and returns None. `PAGES` names them in their order, and the key of the
    address that holds which one is open. `wait` is said while it is drawn; `titles` are those of parts that tell more
    than their name.
    """
    key, open_part = PAGES[page].parts, ("", None)
    chosen = address.page_text(key, parts)
    order = list(PAGES[page].folds)
    for name, show in sorted(parts.items(), key=lambda part: order.index(part[0])):
        place = f"{key} {name}"
        st.session_state[place] = name == chosen
        # Only what is open is computed.
        with st.expander(titles.get(name, name), key=place, on_change=_put_part, args=(key, name)) as fold:
            if fold.open:
                open_part = name, None
                try:
                    with st.spinner(wait) if wait else nullcontext():
                        open_part = name, show(*arguments)
                except ReadProblem as problem:
                    st.markdown(plain(problem, limit=600))
                    _link_to_roles()
    return open_part


def open_fold(page: str, part: str, reason: object) -> None:
    """Open a part of a page once for a reason, unless another is open."""
    key = PAGES[page].parts
    known = f"{key} {part} reason"
    if st.session_state.get(known) != reason:
        st.session_state[known] = reason
        if reason and not st.query_params.get(key):
            address.put_page_text(key, part)


def _put_part(key: str, name: str) -> None:
    address.put_page_text(key, name if st.session_state[f"{key} {name}"] else None)


def show_numbers(numbers: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
    """Names and values; the name of a measure leads to its entry."""
    for name, value in dict(numbers).items():
        label = "".join(measure_links([name], open_family())) or plain(name)
        st.metric(with_parameters(label, address.parameters()), value, width="content")


def show_exit(ended: Exception) -> None:
    """Say why a page ended, where it has not said so itself."""
    if isinstance(ended, MissingData):
        _show_missing(ended)
    elif isinstance(ended, LectureProblem):
        st.warning(plain(ended, limit=600))
    elif isinstance(ended, (UnusableData, ReadProblem)):
        st.error(plain(ended, limit=600))
        _link_to_roles()


def _link_to_roles() -> None:
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
    now = why_closed() or "No data set is open."
    if (current := opened()) is not None:
        now = f"The open data set, {plain(current.title)}, holds {KINDS[current.kind].title}."
    with st.container(border=True):
        st.markdown(f"**This page needs {missing.what}.** {now}")
        with st.container(horizontal=True):
            show_samples(missing.kinds)
            if missing.also is not None:
                missing.also()
        choose_upload("offer", "Or open a file of your own")
        st.page_link("pages/start/data.py", label="Other ways to open data", query_params=address.parameters())


_RULES = Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def show_style() -> None:
    """Put the rules on the page, with the colours of the outcomes, and the ground and the accent of either theme."""
    light, dark = ink(False), ink(True)  # both, because the browser knows a change of theme before the server
    shades = {"accent": (light.accent, dark.accent), "ground": (light.paper, dark.paper)}
    colours = {**STYLE_COLOURS, **{name: f"light-dark({', '.join(pair)})" for name, pair in shades.items()}}
    root = " ".join(f"--{name}: {colour};" for name, colour in colours.items())
    # What floats over the page, such as a popover, stands outside of the application and its theme.
    scheme = st.context.theme.type or "light dark"
    st.html(f"<style>\n:root {{ {root} color-scheme: {scheme}; }}\n{_RULES}</style>")


_PRESENTER_RULES = Path(__file__).with_name("presenter.css").read_text(encoding="utf-8")


def presenting() -> bool:
    """Whether the page is shown to a room from a projector."""
    return address.choice("present", ("1",)) is not None


def enlargement() -> float:
    """How many times as large as on a desk a picture of fixed size is drawn."""
    return 1.3 if presenting() else 1


def show_presenter() -> None:
    """In presenter mode, its rules of style, its keys, and the way out of it."""
    if presenting():
        st.html(f"<style>\n{_PRESENTER_RULES}</style>")
        with st.container(key="presenter"):
            st.button("Leave presenter mode (Esc)", key="leave-presenter", on_click=address.put, args=("present", None))
            run_scripts("presenter")


def choose_presenter() -> None:
    """A button that starts it."""
    if not presenting():
        about = "Large type without the side bar. Arrow keys or Page Up and Page Down go through the steps; Esc leaves."
        st.button("Present", icon=":material/slideshow:", on_click=address.put, args=("present", 1), help=about)
