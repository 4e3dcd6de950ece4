"""The playground of curves: a component that shapes, draws and sweeps in the browser, and what is taken from it."""

import json

import streamlit as st

from evalcore.analyses import PlaygroundNumbers
from evalcore.figures import OUTCOMES
from evalcore.learning import LIMITS, PRESETS, Playground
from evalcore.readers import ReadProblem, csv_of, read_table
from evalcore.wording import outcome_word
from pages.widgets.controls.upload import put_problem, show_problem
from pages.widgets.display.figure import CAMERA, ELEMENT, PICTURE, THRESHOLD, THRESHOLD_STYLE, page_ink, source
from pages.widgets.display.page import enlargement
from pages.widgets.session import address
from pages.widgets.session.current_dataset import store

KEY, SETTINGS = "playground", "play"
_PARTS = ("model", "surface", "controls", "main")
_MEASURES = ("roc_auc", "average_precision", "recall", "fall_out", "precision", "f_beta")
"""What the table has a line for, in its order."""
_CSS = source(__file__, THRESHOLD_STYLE, "playground.css")
_COMPONENT = st.components.v2.component(
    "playground",
    html='<div class="playground"><span></span></div>\n',
    css=_CSS + source(__file__, CAMERA),
    js=source(__file__, ELEMENT, PICTURE, *THRESHOLD, *(f"{part}.js" for part in _PARTS))
    + f"\nconst STYLE = {json.dumps(_CSS)}\n",
)


def show_playground() -> PlaygroundNumbers:
    """The surface as the link has it; what is let go in it goes into the link."""
    playground, ink = _linked(), page_ink()
    colours = {name: getattr(ink, name) for name in ("text", "grey", "grid", "accent", "paper")}
    _COMPONENT(
        key=KEY,
        data={
            "lists": playground.lists,
            "limits": LIMITS,
            "presets": [{"name": one.name, "lists": one.playground.lists, "look": one.look} for one in PRESETS],
            "words": {cell: [outcome_word(cell, count) for count in (1, 2)] for cell in OUTCOMES},
            "measures": _MEASURES,
            "zoom": enlargement(),
            "ink": {"colours": colours | OUTCOMES | {f"{cell}-word": colour for cell, colour in ink.words.items()}},
        },
        on_set_change=lambda: _put(st.session_state[KEY].get("set")),
    )
    return PlaygroundNumbers(playground)


def offer_scores(numbers: PlaygroundNumbers) -> None:
    """Open the sample as the data set of the other pages, with one click."""
    show_problem()
    about = "Opens the sample as your data set, with this threshold."
    with st.container(horizontal=True):
        pressed = [
            (st.button(f"Use these scores on {name}", key=f"use on {name}", help=about), page)
            for name, page in (("Threshold", "threshold"), ("Curves", "curves"))
        ]
    for here, page in pressed:
        if here:
            _open(numbers, f"pages/classify/{page}.py")


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
    if not (lists := address.names(SETTINGS)):
        return Playground()
    try:
        return Playground.of(lists)
    except ValueError:
        address.refuse(SETTINGS)
        return Playground()


def _put(message: object) -> None:
    """What a browser sent, checked as a link is."""
    if not isinstance(message, list):
        return
    try:
        _write(Playground.of([[str(text) for text in part] for part in message]))
    except (ValueError, TypeError):
        return


def _write(playground: Playground) -> None:
    address.put_names(SETTINGS, () if playground == Playground() else playground.lists)
