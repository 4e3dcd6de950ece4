"""The ROC and the precision–recall curve on the page, with the threshold in use on both; a click moves it."""

import plotly.graph_objects as go
import streamlit as st

from evalcore.classification import ConfusionCounts, fall_out, precision, prevalence, recall
from evalcore.figures.curves import LEGEND, LINES, System, compact, precision_recall_figure, roc_figure
from evalcore.figures.numbers import THIN, count_text, number_text, share_text, threshold_text
from evalcore.figures.theme import ink, outcome_word

from . import address
from .escape import one_line, plain
from .opened import Opened
from .operating_point import show_operating_point
from .picture import page_ink, show_figure
from .states import Scores, put_threshold, scores_of
from .systems import areas_of

SMALL = 158
"""Pixels of a curve in small."""

MOST_SYSTEMS = 12
"""More curves over each other than this cannot be told apart."""


def choose_line() -> str:
    """Ask how precision is drawn against recall; the choice stays in the address."""
    return st.segmented_control(
        "Precision is drawn", LINES, default=LINES[0], key="precision", bind="query-params", required=True
    )


def show_curves(scores: Scores, threshold: float, line: str) -> None:
    """Both curves beside each other, every system of the data over the others, and what holds at the threshold."""
    current, shown = scores.current, drawn_systems(scores.current)
    key = "\n".join((current.key, _ground()))
    counts, areas = scores.counts_at(threshold), areas_of(current, scores.system)
    with st.container(key="curves"):
        left, right = st.columns(2, gap="medium")
        with left:
            st.markdown(_roc_caption(areas))
            if scores.scored.positives and scores.scored.negatives:
                figure = _roc(key, _current=current, _shown=shown)
                show_figure(figure, "roc", _alt("ROC curve", shown), filename="roc", square=True)
            else:
                _show_reason(scores, "the ROC curve")
        with right:
            st.markdown(_precision_recall_caption(areas, float(prevalence(counts))))
            if scores.scored.positives:
                figure = _precision_recall(f"{key}\n{line}", line, _current=current, _shown=shown)
                alt = _alt("Precision–recall curve", shown)
                show_figure(figure, "pr", alt, filename="precision-recall", square=True)
            else:
                _show_reason(scores, "precision against recall")
        found, alarms, pure = float(recall(counts)), float(fall_out(counts)), float(precision(counts))
        show_operating_point(
            {"roc": (alarms, found), "pr": (found, pure)},
            f"threshold {threshold_text(threshold)}",
            lambda clicked, place: _pick(current, clicked, place),
        )
    st.markdown(
        f"At a threshold of **{threshold_text(threshold)}**: {_outcomes(counts)} · recall **{share_text(found)}**, "
        f"false positive rate **{share_text(alarms)}**, precision **{share_text(pure)}**"
    )
    st.caption(" ".join(_notes(scores, shown)))


def show_small_curves(scores: Scores, threshold: float) -> None:
    """The same two curves in small, of the chosen system alone, with the ring; a click moves it."""
    if undefined_because(scores):
        st.caption(f"No curves: {undefined_because(scores)}")
        return
    current, counts, areas = scores.current, scores.counts_at(threshold), areas_of(scores.current, scores.system)
    key, shown = "\n".join((scores.current.key, _ground())), (scores.system,)
    with st.container(key="curves", horizontal=True, gap="small"):
        with st.container(width=SMALL):
            st.markdown(f":small[**ROC · AUC {number_text(areas['AUC'])}**]")
            figure = compact(_roc(f"{key}\nsmall", _current=current, _shown=shown), "false alarms (FPR)", "recall")
            show_figure(figure, "roc", _alt("ROC curve", shown), filename="roc", square=True)
        with st.container(width=SMALL):
            st.markdown(f":small[**Precision–recall · AP {number_text(areas['AP'])}**]")
            figure = _precision_recall(f"{key}\nsmall", "as counted", _current=current, _shown=shown)
            alt = _alt("Precision–recall curve", shown)
            show_figure(compact(figure, "recall", "precision"), "pr", alt, filename="precision-recall", square=True)
        found, alarms, pure = float(recall(counts)), float(fall_out(counts)), float(precision(counts))
        show_operating_point(
            {"roc": (alarms, found), "pr": (found, pure)}, "", lambda clicked, place: _pick(current, clicked, place)
        )


def _ground() -> str:
    return "dark" if page_ink().text == ink(True).text else "light"


def drawn_systems(current: Opened) -> tuple[str, ...]:
    """The systems whose curves are drawn, in their order; the chosen one is always among them."""
    if current.kind == "probabilities":
        return (current.system,)
    first = current.systems[:MOST_SYSTEMS]
    return first if current.system in first else (*first[:-1], current.system)


def undefined_because(scores: Scores) -> str:
    """Why there is no curve, as a sentence in Markdown; empty where there is one."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    positive = plain(scores.positive, limit=40)
    if not positives and not negatives:
        return "No row has both a label and a score."
    if not positives:
        return f"None of the {count_text(negatives)} rows is {positive}, so there is nothing to find."
    if not negatives:
        return f"All {count_text(positives)} rows are {positive}, so nothing can raise a false alarm."
    return ""


# A figure is some hundred kilobytes and is only read, so all sessions share it.
@st.cache_resource(max_entries=32, show_spinner=False)
def _roc(key: str, _current: Opened, _shown: tuple[str, ...]) -> go.Figure:
    return roc_figure(_as_drawn(_current, _shown), page_ink())


@st.cache_resource(max_entries=32, show_spinner=False)
def _precision_recall(key: str, line: str, _current: Opened, _shown: tuple[str, ...]) -> go.Figure:
    return precision_recall_figure(_as_drawn(_current, _shown), page_ink(), line)


def _as_drawn(current: Opened, shown: tuple[str, ...]) -> list[System]:
    places = {name: place for place, name in enumerate(current.systems or shown)}
    drawn = []
    for name in shown:
        scores = scores_of(current, name)
        table = scores.table
        turned = scores.turned(table.thresholds)
        drawn.append(System(_title(scores), places[name], table, turned, scores.rule, name == current.system))
    return drawn


def _title(scores: Scores) -> str:
    return scores.positive if scores.current.kind == "probabilities" else scores.system


def _roc_caption(areas: dict) -> str:
    interval = areas["95 % interval"]
    bounds = f"95{THIN}% interval {interval}" if interval else "no interval can be given"
    return f"**ROC · AUC {number_text(areas['AUC'])}** :small[:gray[{bounds}]]"


def _precision_recall_caption(areas: dict, guess: float) -> str:
    return f"**Precision–recall · AP {number_text(areas['AP'])}** :small[:gray[guessing gives {number_text(guess)}]]"


def _outcomes(counts: ConfusionCounts) -> str:
    cells = {key: float(getattr(counts, key)) for key in ("tp", "fn", "fp", "tn")}
    return ", ".join(f"{count_text(count)} {outcome_word(key, count)}" for key, count in cells.items())


def _show_reason(scores: Scores, what: str) -> None:
    with st.container(border=True):
        st.markdown(f"There is no curve here: {what} is undefined. {undefined_because(scores)}")
        st.page_link("pages/start/data.py", label="Change the positive class", query_params=address.parameters())


def _alt(what: str, shown: tuple[str, ...]) -> str:
    # The threshold stays out of it: a picture whose description changes is mounted anew.
    return f"{what} of {len(shown)} systems: " + ", ".join(one_line(name, 30) for name in shown)


def _notes(scores: Scores, shown: tuple[str, ...]) -> list[str]:
    notes = ["Click on a curve to cut there."]
    if scores.left_out:
        notes.append(f"{count_text(scores.left_out)} rows without a label or a score are left out.")
    if len(shown) > LEGEND:
        notes.append("The table below says which line is which.")
    if len(shown) < len(scores.current.systems):
        notes.append(f"{len(shown)} of {len(scores.current.systems)} systems are drawn.")
    return notes


def _pick(current: Opened, threshold: float, place: int) -> None:
    put_threshold(threshold)
    if 0 <= place < len(current.systems) and current.systems[place] != current.system:
        _choose_system(current.systems[place])


def _choose_system(system: str) -> None:
    address.put("system", system)
