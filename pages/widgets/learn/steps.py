"""A step of a story or a lecture: what it tells, the question it asks, and what is shown once that is answered."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.learning import Attempt, Comparison, Mark, Step
from evalcore.readers import samples
from evalcore.wording import Cell, Row

from ..display.menu import FILES
from ..display.table import show_table
from ..session import address
from .ask import ask
from .state_picture import has_picture, show_state


def show_step(step: Step, key: str) -> Attempt | None:
    """Draw a step: its question first, and the rest once it is answered; the last attempt at the question."""
    st.header(step.title, anchor=False)
    if step.text:
        st.markdown(step.text)
    if step.page_first:
        link_page(step)
    attempt = ask(step.question, key) if step.question else None
    if step.question is None or (attempt and attempt.finished):
        show_reveal(step, key, _marks(step, attempt))
    return attempt


def link_page(step: Step) -> None:
    """The link to the page of a step, with its settings, if there is such a page."""
    if step.page in FILES.values():
        to = address.parameters() | _settings(step)
        st.page_link(
            f"pages/{step.page}.py", label="Open this on its page", icon=":material/open_in_new:", query_params=to
        )


def _marks(step: Step, attempt: Attempt | None) -> dict[str, Sequence[float]]:
    """What was marked on a plane, if that was the question."""
    if attempt is None or step.question is None or not isinstance(step.question.answer, Mark):
        return {}
    given = attempt.guess if attempt.solution_shown else attempt.value
    return {} if given is None else {"your mark": given}


def show_reveal(
    step: Step, key: str, marks: Mapping[str, Sequence[float]], beside: DeltaGenerator | None = None
) -> None:
    """The state of the real page with a link to it, what it teaches, and the printed figures beside ours.

    Where there is a place beside the question, as from a projector, picture and figures stand in it.
    """
    settings = _settings(step)
    with beside or st.container(), st.container(key="revealed"):
        has_state = has_picture(step.page, settings) and not step.page_first
        sides = st.columns([3, 2], gap="large") if has_state and beside is None else (st.container(), st.container())
        if has_state:
            with sides[0]:
                show_state(step.page, settings, key, marks, step.measure)
        if step.comparisons:
            _show_comparisons(step.comparisons)
    with sides[1] if beside is None else st.container():
        if step.lesson:
            st.markdown(f"**What it teaches.** {step.lesson}")
        if not step.page_first:
            link_page(step)


def _settings(step: Step) -> dict[str, str]:
    """What the link of a step carries: the settings of its sample and its own."""
    sample = samples().get(step.settings.get("data", ""))
    return {**(sample.settings if sample else {}), **step.settings}


def _show_comparisons(comparisons: Sequence[Comparison]) -> None:
    rows: list[Row] = []
    for one in comparisons:
        rows.append(Row([one.name, one.printed, Cell(one.ours, strong=True)]))
        if one.erratum:
            rows.append(Row([Cell(f"Erratum: {one.erratum}", span=3)], "erratum"))
    show_table(["", "printed", "computed here"], rows, kind="averages printed")
