"""The playground of curves: a component that shapes, draws and sweeps in the browser, and what is taken from it."""

from contextlib import suppress

import streamlit as st

from evalcore.analyses import PlaygroundNumbers
from evalcore.figures.threshold_view import view_ink
from evalcore.learning import Playground
from evalcore.lessons import lesson_html, playground_data, playground_lesson, playground_program
from evalcore.readers import ReadProblem, csv_of, read_table
from pages.widgets.controls.upload import put_problem, show_problem
from pages.widgets.display.figure import CAMERA, page_ink, source
from pages.widgets.display.page import enlargement
from pages.widgets.export.downloads import show_download
from pages.widgets.session import address
from pages.widgets.session.current_dataset import store

KEY, SETTINGS = "playground", "play"
_PROGRAM, _STYLE = playground_program()
_HTML, _RULES = '<div class="playground"><span></span></div>\n', _STYLE + source(__file__, CAMERA)
_COMPONENT = st.components.v2.component("playground", html=_HTML, css=_RULES, js=_PROGRAM)


def show_playground() -> PlaygroundNumbers:
    """The surface as the link has it; what is let go in it goes into the link."""
    playground, ink = _linked(), view_ink(page_ink(), 0, False)
    _COMPONENT(
        key=KEY,
        data={"lists": playground.lists, **playground_data(), "zoom": enlargement(), "ink": ink},
        on_set_change=lambda: _put(st.session_state[KEY].get("set")),
    )
    return PlaygroundNumbers(playground)


def offer_scores(numbers: PlaygroundNumbers) -> None:
    """Open the sample as the data set of the other pages, with one click."""
    show_problem()
    about = "Opens the sample as your data set, with this threshold."
    with st.container(horizontal=True):
        doors = "Threshold", "Curves"
        pressed = [name for name in doors if st.button(f"Use these scores on {name}", key=f"use on {name}", help=about)]
        make = lambda: lesson_html(playground_lesson(numbers.playground))  # noqa: E731
        about = "An HTML file that needs no server, with these settings"
        show_download("Playground as one file", make, "playground.html", "download playground", help=about)
    for name in pressed:
        _open(numbers, f"pages/classify/{name.lower()}.py")


def _open(numbers: PlaygroundNumbers, page: str) -> None:
    playground, rows = numbers.playground, csv_of(numbers.rows)
    try:
        store(read_table(rows, name=f"playground {playground.seed}.csv"), rows)
    except ReadProblem as problem:
        put_problem(problem)
        st.rerun()
    address.put("t", playground.cut)
    _write(playground)
    st.switch_page(page, query_params=address.parameters())


def _linked() -> Playground:
    if lists := address.names(SETTINGS):
        try:
            return Playground.of(lists)
        except ValueError:
            address.refuse(SETTINGS)
    return Playground()


def _put(message: object) -> None:
    """What a browser sent, checked as a link is."""
    if isinstance(message, list):
        with suppress(ValueError, TypeError):
            _write(Playground.of([[str(text) for text in part] for part in message]))


def _write(playground: Playground) -> None:
    address.put_names(SETTINGS, () if playground == Playground() else playground.lists)
