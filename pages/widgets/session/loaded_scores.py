"""The open data as states of evalcore: scores sorted once, counts of four cells; kept once for all sessions."""

import math
from dataclasses import dataclass
from functools import cached_property, partial

import streamlit as st

from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels, ThresholdTable, highest_youden
from evalcore.readers import ReadProblem, samples, text_of
from evalcore.wording import count_text, plain, threshold_text

from ..display.empty_state import need
from . import address
from .current_dataset import Opened
from .page_exit import end_with
from .prefetch import SORTED

SCORED = ("scores", "probabilities")
COUNTABLE = (*SCORED, "labels", "counts")
WORTH_SORTING_AHEAD, MOST_SORTED_AHEAD = 200_000, 3
"""Rows from which a reader would notice the sorting, and systems that are sorted before a page asks for them."""

MOST_CLASSES = 1_000
"""Classes of which a square table is still made."""


@dataclass(frozen=True)
class Scores:
    """The scores of one system with their sorted state.

    Parameters
    ----------
    current : Opened
        The data set.
    system : str
        The column. Comes from a file: escape it.
    scored : ScoredLabels
        On its own scale: where lower scores are positive, its scores are the negatives of those of the file.
    positive, negative : str
        The two classes in words. Come from a file: escape them.
    left_out : int
        Rows without a label or a usable score.
    """

    current: Opened
    system: str
    scored: ScoredLabels
    positive: str
    negative: str
    left_out: int

    @property
    def higher(self) -> bool:
        """Whether a higher score speaks for the positive class."""
        return self.current.higher_is_positive

    @property
    def rule(self) -> str:
        """The rule in a word: what a score has to be to the threshold."""
        return "≥" if self.higher else "≤"

    def turned(self, threshold: float) -> float:
        """A threshold of the file on the scale of the state, or the other way round."""
        return threshold if self.higher else 0.0 - threshold

    def counts_at(self, threshold: float) -> ConfusionCounts:
        """The four outcomes at a threshold as the user writes it."""
        return self.scored.counts_at(self.turned(threshold))

    @cached_property
    def table(self) -> ThresholdTable:
        """The counts at every distinct score."""
        return _table(self.current.key_of(self.system), _scored=self.scored)

    def text(self, threshold: float) -> str:
        """A threshold in as few digits as give the same counts, at least six where it has them."""
        classes = (self.scored.positive_scores, self.scored.negative_scores)
        row = [scores.searchsorted(self.turned(threshold)) for scores in classes]
        for digits in range(6, 17):
            written = f"{threshold:.{digits}g}"
            if [scores.searchsorted(self.turned(float(written))) for scores in classes] == row:
                return threshold_text(float(written)) if digits == 6 else written.replace("-", "−")
        return repr(threshold).replace("-", "−")


def open_scores() -> Scores:
    """The scores that are open; stops the page with an offer when there are none.

    The system is the one of the address.
    """
    current = need(SCORED, "the actual class of each row and a score")
    return scores_of(current, current.system)


def scores_of(current: Opened, system: str | None) -> Scores:
    """One system's scores; the page stops with a sentence when they cannot be used."""
    system = system or current.dataset.systems[0]
    try:
        state, left_out = _scored(current.key_of(system), _current=current, _system=system)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    return Scores(current, system, state, *names_of(current, system), left_out)


def sort_ahead(current: Opened) -> None:
    """Have the scores of the first systems sorted while the reader looks at something else, where that takes long."""
    if current.kind in SCORED and len(current.dataset) >= WORTH_SORTING_AHEAD:
        for system in current.dataset.systems[:MOST_SORTED_AHEAD]:
            SORTED.start(current.key_of(system), partial(_sorted_with_steps, current, system))


def names_of(current: Opened, system: str | None) -> tuple[str, str]:
    """The positive and the negative class in words: those of the sample's story, or the labels."""
    positive = text_of(dict(current.roles.probability).get(system, current.positive)) or "positive"
    sample = samples().get(current.id)
    if sample is not None and sample.positive_word and positive in (sample.positive, "positive"):
        return sample.positive_word, sample.negative_word or f"not {sample.positive_word}"
    if current.roles.actual is None:
        return positive, "negative"
    others = [text for text in map(text_of, current.labels) if text != positive]
    return positive, others[0] if len(others) == 1 else f"not {positive}"


def weighting(current: Opened) -> str:
    """A sentence that says so when rows count by a weight, in Markdown with a blank before it; else empty."""
    weight = current.roles.weight
    return (
        "" if weight is None else f" Rows count by their {plain(weight, 30)}; intervals take a weight of 2 as two rows."
    )


def threshold_of(scores: Scores) -> float:
    """The threshold of the address, or one to start from: ½ for scores in 0 … 1, else where Youden's J is highest."""
    chosen = address.number("t")
    return _start(scores.current.key + "\n" + scores.system, _scores=scores) if chosen is None else chosen


def put_threshold(threshold: float) -> None:
    """Write a threshold, on the scale of the file, into the address; good as a callback."""
    address.put("t", float(threshold))


# A state is twice the size of its scores, and its staircase three times more: few are kept, for all sessions together.
@st.cache_resource(max_entries=12, show_spinner="Sorting the scores …")
def _scored(key: str, _current: Opened, _system: str) -> tuple[ScoredLabels, int]:
    return SORTED.take(key, partial(_sorted, _current, _system))


def _sorted(current: Opened, system: str) -> tuple[ScoredLabels, int]:
    arrays = current.dataset.scored_arrays(system)
    higher = current.higher_is_positive
    state = ScoredLabels.from_arrays(arrays.labels, arrays.scores, weights=arrays.weights, higher_is_positive=higher)
    return state, arrays.left_out


def _sorted_with_steps(current: Opened, system: str) -> tuple[ScoredLabels, int]:
    state, left_out = _sorted(current, system)
    _ = state.steps  # kept with the state, and read by every curve
    return state, left_out


# Half of it is the staircase, which the state keeps anyway.
@st.cache_resource(max_entries=12, show_spinner=False)
def _table(key: str, _scored: ScoredLabels) -> ThresholdTable:
    return _scored.table()


@st.cache_data(max_entries=256, show_spinner=False)
def _start(key: str, _scores: Scores) -> float:
    low, high = _scores.scored.ends
    if 0 <= low <= high <= 1:
        return 0.5
    try:
        best = highest_youden(_scores.table).threshold
    except ValueError:
        best = low
    return _scores.turned(best if math.isfinite(best) else low)


@st.cache_resource(max_entries=32, show_spinner="Counting …")
def matrix_of(key: str, _current: Opened, _system: str | None) -> tuple[ConfusionMatrix, int]:
    """The square matrix of labels or of typed counts, and how many rows were left out."""
    if _current.kind == "counts":
        counted = _current.dataset.counts_table()
        return ConfusionMatrix(counted.classes, counted.counts), 0
    labels = _current.dataset.label_arrays(_system)
    refuse_identifiers(labels.classes)
    matrix = ConfusionMatrix.from_labels(
        labels.actual, labels.predicted, classes=range(len(labels.classes)), weights=labels.weights
    )
    return ConfusionMatrix(labels.classes, matrix.counts), labels.left_out


def refuse_identifiers(classes: tuple[str, ...]) -> None:
    """Raise ReadProblem where a table of so many classes would fill the memory and tell nothing."""
    if len(classes) > MOST_CLASSES:
        raise ReadProblem(
            f"There are {count_text(len(classes))} different labels: that looks like an identifier or a number, not "
            "like classes. Choose another column as the label."
        )
