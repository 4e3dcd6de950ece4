"""The open data as states of evalcore: scores sorted once, counts of four cells; kept once for all sessions."""

from dataclasses import replace

import streamlit as st

from evalcore.analyses import LabelPairs, LabelThresholds, Scores, Source
from evalcore.readers import kinds_giving, kinds_on
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, opened
from pages.widgets.session.page_exit import need, usable
from pages.widgets.session.unloaded_tables import WORKER

SCORED, COUNTABLE = kinds_giving("scored"), kinds_on("classify/confusion")
_SHOWN = "threshold shown"
WORTH_SORTING_AHEAD, MOST_SORTED_AHEAD = 200_000, 3
"""Rows from which a reader would notice the sorting, and systems that are sorted before a page asks for them."""


def open_scores() -> Scores:
    """The scores of the system in the address; stops the page with an offer when there are none."""
    current = need(SCORED, "the actual class of each row and a score")
    return scores_of(current, current.system)


def scores_of(current: Source, system: str | None) -> Scores:
    """One system's scores; the page stops with a sentence when they cannot be used."""
    system = system or current.dataset.systems[0]
    with usable():
        _sort(current.key_of(system), current, system)
        return Scores.of(current, system)


def label_pairs_of(current: Source, prediction: str | None) -> LabelPairs | None:
    """The rows of the open data, None where it holds counts only. May raise ReadProblem."""
    if current.kind == "counts":
        return None
    with st.spinner("Counting …"):
        if current.scored_by in (None, "class"):
            return LabelPairs.of(current, prediction)
        scores = scores_of(current, current.system)
        return LabelPairs.at(scores, threshold_of(scores))


def sort_ahead(current: Source) -> None:
    """Have the scores of the first systems sorted while the reader looks at something else, where that takes long."""
    if current.kind in SCORED and len(current.dataset) >= WORTH_SORTING_AHEAD:
        _sort_ahead(current.key_of(None), current)


def threshold_of(scores: Scores) -> float:
    """The threshold of the address, or one to start from: ½ for scores in 0 … 1, else where Youden's J is highest."""
    if scores.current.scored_by == "label":
        return label_threshold(scores.current, scores.system)
    chosen = address.number("t")
    threshold = _start(scores.key, scores) if chosen is None else chosen
    st.session_state[_SHOWN] = f"{scores.rule} {scores.text(threshold)}"
    return threshold


def shown_threshold() -> str:
    """The rule by which this run has called rows positive, such as "≥ 0.5"; empty where it had no threshold."""
    return st.session_state.pop(_SHOWN, "")


def put_threshold(threshold: float) -> None:
    """Write a threshold into the address, of several labels that of the chosen one; good as a callback."""
    current = opened()
    if current is None or current.scored_by != "label" or current.system is None:
        address.put("t", float(threshold))
        return
    thresholds = label_thresholds(current)
    own = {**thresholds.own, current.system: float(threshold)}
    address.put_names("thresholds", replace(thresholds, own=own).lists)


def label_thresholds(current: Source) -> LabelThresholds:
    """How the address says that several labels have their thresholds."""
    thresholds = LabelThresholds.of(address.names("thresholds"), address.number("t"), current.dataset.systems)
    if not thresholds.lists:
        address.refuse("thresholds")
    return thresholds


def label_threshold(current: Source, label: str) -> float:
    """The threshold of one of several labels."""
    thresholds = label_thresholds(current)
    return _label_threshold((current.key_of(label), repr(thresholds)), thresholds, current, label)


def put_label_system(current: Source, system: str) -> None:
    """Open another of the systems that give labels to the same rows; good in a callback."""
    roles = current.label_systems[system]
    address.put("roles", None if roles == current.detected_roles else roles.to_text())


def put_label_thresholds(thresholds: LabelThresholds) -> None:
    """Write how labels have their thresholds into the address; good as a callback."""
    address.put("t", thresholds.common)
    address.put_names("thresholds", thresholds.lists)


_label_threshold = cache(LabelThresholds.at, 4096)


# The data set shares the state; what is kept here is only that the spinner was shown.
@st.cache_resource(max_entries=256, show_spinner="Sorting the scores …")
def _sort(key: str, _current: Source, _system: str) -> None:
    _ = _current.dataset.scored(_system).steps  # read by every curve


@st.cache_resource(max_entries=256, show_spinner=False)
def _sort_ahead(key: str, _current: Source) -> None:
    for system in _current.dataset.systems[:MOST_SORTED_AHEAD]:
        WORKER.submit(lambda system=system: _current.dataset.scored(system).steps)


_start = cache(lambda scores: scores.starting_threshold, 256)
