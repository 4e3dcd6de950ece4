"""A step of a story or a lecture: what it tells, the question it asks, and what is shown once that is answered."""

from collections.abc import Mapping, Sequence

import streamlit as st

from evalcore.analyses import NamedCounts, Source
from evalcore.classification import ConfusionCounts
from evalcore.inference import IntervalChoice
from evalcore.learning import Comparison, Step
from evalcore.readers import read_sample, samples
from evalcore.wording import Cell

from ..classify.confusion.frame import show_frame
from ..display.table import show_table
from ..session import address
from .ask import Attempt, ask


def show_step(step: Step, key: str) -> Attempt | None:
    """Draw a step: its question first, and the rest once it is answered; the last attempt at the question."""
    st.subheader(step.title, anchor=False)
    if step.text:
        st.markdown(step.text)
    attempt = ask(step.question, key) if step.question else None
    if step.question is None or (attempt and attempt.finished):
        _reveal(step, key)
    return attempt


def _reveal(step: Step, key: str) -> None:
    """The state of the real page with a link to it, what it teaches, and the printed figures beside ours."""
    with st.container(key="revealed"):
        if step.page:
            _show_state(step, key)
            to = address.parameters() | _settings(step)
            st.page_link(
                f"pages/{step.page}.py", label="Open this on its page", icon=":material/open_in_new:", query_params=to
            )
        if step.lesson:
            st.markdown(f"**What it teaches.** {step.lesson}")
        if step.comparisons:
            _show_comparisons(step.comparisons)


def _settings(step: Step) -> dict[str, str]:
    """What the link of a step carries: the settings of its sample and its own."""
    sample = samples().get(step.settings.get("data", ""))
    return {**(sample.settings if sample else {}), **step.settings}


def _show_state(step: Step, key: str) -> None:
    if step.page == "classify/confusion":
        show_frame(_counts(step.settings), IntervalChoice(), False, key=f"state-{key}", fixed=True)


def _counts(settings: Mapping[str, str]) -> NamedCounts:
    """The four counts of a link to the confusion page: typed, or those of a sample."""
    if "cells" in settings:
        return NamedCounts(ConfusionCounts(*map(float, settings["cells"].split(","))))
    source = Source.of(read_sample(settings["data"]), settings.get("system"), settings["data"])
    return NamedCounts.of_class(source, lambda classes, start: settings.get("class", start))


def _show_comparisons(comparisons: Sequence[Comparison]) -> None:
    rows = [[one.name, one.printed, Cell(one.ours, strong=True), one.erratum] for one in comparisons]
    show_table(["", "printed", "computed here", ""], rows, kind="averages printed")
