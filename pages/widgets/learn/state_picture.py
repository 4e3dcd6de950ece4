"""The picture of a page's state beside a question: the page's own figures, of the sample and settings of its link."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from evalcore import analyses
from evalcore.inference import IntervalChoice
from evalcore.learning import Step
from evalcore.lessons import counts_of, graded_state, matrix_table, ranked_state, roc_state, sets_state, source_of
from evalcore.wording import html_table, plain
from pages.widgets.classify.confusion.confusion import show_counts
from pages.widgets.display.figure import page_ink, show_figure, show_table
from pages.widgets.display.measures import go_through

Settings = Mapping[str, str]
Marks = Mapping[str, Sequence[float]]


def show_state(step: Step, settings: Settings, key: str, marks: Marks) -> None:
    """Draw the state of a step's page: with named marks on a plane, a ratio lit up in a 2×2 table."""
    _PICTURES[step.page](settings, key, marks, step)


def _show_counts(settings: Settings, key: str, _: Marks, step: Step) -> None:
    show_counts(counts_of(settings), IntervalChoice(), False, key=f"state-{key}", fixed=True, chosen=step.measure)


def _show_classes(settings: Settings, key: str, marks: Marks, step: Step) -> None:
    show_table(*matrix_table(settings))
    if "class" in settings:
        st.caption(f"{settings['class']} against the rest:")
        _show_counts(settings, key, marks, step)


def _show_roc(settings: Settings, key: str, marks: Marks, step: Step) -> None:
    if "gone" in settings:
        source = source_of(settings)
        at, start = f"gone {key}", int(settings["gone"]) if settings["gone"].isdecimal() else 0
        read, put = partial(st.session_state.get, at, start), partial(st.session_state.__setitem__, at)
        steps = analyses.CurveSteps.of_scores(analyses.Scores.of(source, source.system or ""))
        go_through(steps, "the ROC curve row by row", lambda last: min(read(), last), put)
        return
    figure, words = roc_state(settings, marks, step, page_ink())
    show_figure(figure, f"state-{key}", words, square=True)


def _show_sets(settings: Settings, key: str, _: Marks, __: Step) -> None:
    system, figure, words, table = sets_state(settings, page_ink())
    st.markdown(f"**{plain(system)}**")
    show_figure(figure, f"state-{key}", words)
    show_table(*table)


def _show_ranking(settings: Settings, key: str, marks: Marks, step: Step) -> None:
    ranked, figure = ranked_state(settings, marks, step, page_ink())
    st.html(f'<div class="ranked-list" tabindex="0">{html_table([], ranked.strip(60), "")}</div>')
    show_figure(figure, f"state-{key}", "Precision over recall by rank", square=True)


def _show_grades(settings: Settings, key: str, _: Marks, step: Step) -> None:
    show_figure(graded_state(settings, step, page_ink())[1], f"state-{key}", "Gains by rank")


_PICTURES: dict[str, Callable[[Settings, str, Marks, Step], None]] = {
    "classify/confusion": _show_counts,
    "classify/classes": _show_classes,
    "classify/threshold": _show_roc,
    "classify/curves": _show_roc,
    "retrieve/sets": _show_sets,
    "retrieve/ranking": _show_ranking,
    "retrieve/graded": _show_grades,
}
