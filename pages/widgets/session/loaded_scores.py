"""The open data as states of evalcore: scores sorted once, counts of four cells; kept once for all sessions."""

from functools import partial

import streamlit as st

from evalcore.analyses import Scores, Source, check_classes
from evalcore.classification import ConfusionMatrix, ScoredLabels
from evalcore.readers import ReadProblem

from ..session.page_exit import need
from . import address
from .page_exit import end_with
from .prefetch import SORTED

SCORED = ("scores", "probabilities")
COUNTABLE = (*SCORED, "labels", "counts")
WORTH_SORTING_AHEAD, MOST_SORTED_AHEAD = 200_000, 3
"""Rows from which a reader would notice the sorting, and systems that are sorted before a page asks for them."""


def open_scores() -> Scores:
    """The scores that are open; stops the page with an offer when there are none.

    The system is the one of the address.
    """
    current = need(SCORED, "the actual class of each row and a score")
    return scores_of(current, current.system)


def scores_of(current: Source, system: str | None) -> Scores:
    """One system's scores; the page stops with a sentence when they cannot be used."""
    system = system or current.dataset.systems[0]
    try:
        state, left_out = _scored(current.key_of(system), _current=current, _system=system)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    return Scores.of(current, system, state, left_out)


def sort_ahead(current: Source) -> None:
    """Have the scores of the first systems sorted while the reader looks at something else, where that takes long."""
    if current.kind in SCORED and len(current.dataset) >= WORTH_SORTING_AHEAD:
        for system in current.dataset.systems[:MOST_SORTED_AHEAD]:
            SORTED.start(current.key_of(system), partial(_sorted_with_steps, current, system))


def threshold_of(scores: Scores) -> float:
    """The threshold of the address, or one to start from: ½ for scores in 0 … 1, else where Youden's J is highest."""
    chosen = address.number("t")
    return _start(scores.current.key + "\n" + scores.system, _scores=scores) if chosen is None else chosen


def put_threshold(threshold: float) -> None:
    """Write a threshold into the address; good as a callback."""
    address.put("t", float(threshold))


# A state is twice the size of its scores, and its staircase three times more: few are kept, for all sessions together.
@st.cache_resource(max_entries=12, show_spinner="Sorting the scores …")
def _scored(key: str, _current: Source, _system: str) -> tuple[ScoredLabels, int]:
    return SORTED.take(key, partial(_sorted, _current, _system))


def _sorted(current: Source, system: str) -> tuple[ScoredLabels, int]:
    arrays = current.dataset.scored_arrays(system)
    higher = current.higher_is_positive
    state = ScoredLabels.from_arrays(arrays.labels, arrays.scores, weights=arrays.weights, higher_is_positive=higher)
    return state, arrays.left_out


def _sorted_with_steps(current: Source, system: str) -> tuple[ScoredLabels, int]:
    state, left_out = _sorted(current, system)
    _ = state.steps  # kept with the state, and read by every curve
    return state, left_out


@st.cache_data(max_entries=256, show_spinner=False)
def _start(key: str, _scores: Scores) -> float:
    return _scores.starting_threshold


@st.cache_resource(max_entries=32, show_spinner="Counting …")
def matrix_of(key: str, _current: Source, _system: str | None) -> tuple[ConfusionMatrix, int]:
    """The square matrix of labels or of typed counts, and how many rows were left out."""
    if _current.kind == "counts":
        counted = _current.dataset.counts_table()
        return ConfusionMatrix(counted.classes, counted.counts), 0
    labels = _current.dataset.label_arrays(_system)
    check_classes(labels.classes)
    matrix = ConfusionMatrix.from_labels(
        labels.actual, labels.predicted, classes=range(len(labels.classes)), weights=labels.weights
    )
    return ConfusionMatrix(labels.classes, matrix.counts), labels.left_out
