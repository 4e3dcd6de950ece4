"""The rows of the open data with their actual and their predicted class, wherever the prediction comes from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from evalcore import Array
from evalcore.analyses import Source
from evalcore.classification import ConfusionMatrix
from evalcore.readers import codes_of, ordered
from evalcore.wording import count_text, one_line, plain, threshold_text

from ...session import address
from ...session.loaded_scores import SCORED, refuse_identifiers, scores_of, threshold_of

MOST_PROBABLE = "most probable class"
"""The name of the system that takes the arg-max of the class probabilities."""

_SAID = "prediction taken"


@dataclass(frozen=True, eq=False)
class Labelled:
    """Every row of the table with its two classes.

    Parameters
    ----------
    actual, predicted : array of int, shape (rows,)
        Places in `classes`; -1 in both where a row cannot take part.
    classes : tuple of str
        Come from a file: escape them.
    weights : Array, shape (rows,), or None
    ties : int
        Rows in which several classes are the most probable, so that the first of them was taken.
    """

    actual: np.ndarray
    predicted: np.ndarray
    classes: tuple[str, ...]
    weights: Array | None
    ties: int = 0

    @cached_property
    def left_out(self) -> int:
        """Rows that lack a label or a prediction."""
        return int(np.count_nonzero(self.actual < 0))

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The rows counted."""
        kept = self.actual >= 0
        weights = None if self.weights is None else self.weights[kept]
        places = range(len(self.classes))
        counts = ConfusionMatrix.from_labels(self.actual[kept], self.predicted[kept], places, weights).counts
        return ConfusionMatrix(self.classes, counts)


def predictions(current: Source) -> tuple[str, ...]:
    """What can be set against the truth: columns of predicted labels, and the arg-max where there are probabilities."""
    if current.kind == "probabilities":
        return (MOST_PROBABLE, *current.roles.predicted)
    return current.systems if current.kind == "labels" else ()


def choose_prediction(current: Source) -> str | None:
    """The prediction in use; asks where the data has probabilities beside a stated prediction."""
    names = predictions(current)
    if current.kind != "probabilities" or len(names) < 2:
        return names[0] if current.kind == "probabilities" else current.system
    st.session_state[_SAID] = address.choice("said", names, MOST_PROBABLE)
    st.segmented_control(
        "The predicted class is",
        names,
        key=_SAID,
        format_func=lambda name: "the most probable" if name == MOST_PROBABLE else f"as stated in {plain(name, 40)}",
        on_change=lambda: st.session_state[_SAID] and address.put("said", st.session_state[_SAID]),
        required=True,
    )
    return st.session_state[_SAID]


def labelled_rows(current: Source, prediction: str | None) -> Labelled | None:
    """The rows of the open data, None where it holds counts only. May raise ReadProblem."""
    if current.kind == "counts":
        return None
    if current.kind == "scores":
        scores = scores_of(current, current.system)
        return _at_threshold(f"{current.key}\n{threshold_of(scores)!r}", _current=current)
    return _rows(f"{current.key_of(prediction)}\n{current.kind}", _current=current, _prediction=prediction)


def origin(current: Source, prediction: str | None, rows: Labelled | None) -> str:
    """Where the predicted classes come from, in Markdown."""
    if rows is None:
        return "Counts as in the file; the rows behind them are not known."
    if current.kind in SCORED and current.kind != "probabilities":
        scores = scores_of(current, current.system)
        rule = f"{plain(scores.positive, 40)} when score {scores.rule} {threshold_text(threshold_of(scores))}"
        said = f"Counted at the threshold: {rule}."
    elif prediction == MOST_PROBABLE:
        said = f"The predicted class is the one with the highest probability; {_tied(rows.ties)}."
    else:
        said = f"The predicted class is the one stated in the column “{plain(prediction)}”."
    left_out = rows.left_out
    some = f" {count_text(left_out)} {'row' if left_out == 1 else 'rows'} without a label or a prediction "
    return said + (f"{some}{'is' if left_out == 1 else 'are'} left out." if left_out else "") + _disagreement(current)


def _tied(ties: int) -> str:
    if not ties:
        return "no row has two such classes"
    return f"{count_text(ties)} {'row has' if ties == 1 else 'rows have'} several, and the first of them was taken"


def _disagreement(current: Source) -> str:
    """How far the stated predictions are the most probable classes."""
    if current.kind != "probabilities":
        return ""
    most_probable, found = labelled_rows(current, MOST_PROBABLE), []
    for name in current.roles.predicted:
        stated = labelled_rows(current, name)
        both = (stated.actual >= 0) & (most_probable.actual >= 0)
        names = [np.array(rows.classes, dtype=object)[rows.predicted[both]] for rows in (stated, most_probable)]
        differ = int(np.count_nonzero(names[0] != names[1]))
        found.append(f" The column {plain(name, 40)} names another class in {count_text(differ)} of them.")
    return "".join(found)


# Two places and a weight a row: few are kept, for all sessions together.
@st.cache_resource(max_entries=12, show_spinner="Counting …")
def _rows(key: str, _current: Source, _prediction: str | None) -> Labelled:
    if _prediction == MOST_PROBABLE:
        return _most_probable(_current)
    found = _current.dataset.label_arrays(_prediction)
    refuse_identifiers(found.classes)
    return Labelled(
        _spread(found.actual, found.kept),
        _spread(found.predicted, found.kept),
        found.classes,
        _spread(found.weights, found.kept),
    )


@st.cache_resource(max_entries=12, show_spinner=False)
def _at_threshold(key: str, _current: Source) -> Labelled:
    scores = scores_of(_current, _current.system)
    found = _current.dataset.scored_arrays(scores.system)
    threshold = threshold_of(scores)
    called = found.scores >= threshold if scores.higher else found.scores <= threshold
    return Labelled(
        _spread(np.where(found.labels, 0, 1), found.kept),
        _spread(np.where(called, 0, 1), found.kept),
        (scores.positive, scores.negative),
        _spread(found.weights, found.kept),
    )


def _most_probable(current: Source) -> Labelled:
    found = current.dataset.probability_arrays()
    codes, texts = codes_of(current.frame[current.roles.actual])
    # A class without a column of its own can be actual and never predicted.
    classes = (*found.classes, *ordered(set(texts) - set(found.classes)))
    if len(found.classes) == 1:
        rest = f"not {found.classes[0]}"
        classes = (found.classes[0], rest)
        texts = tuple(text if text == classes[0] else rest for text in texts)
    refuse_identifiers(classes)
    places = {name: place for place, name in enumerate(classes)}
    actual = np.array([places[text] for text in texts] or [0])[codes[found.kept]]
    if len(found.classes) == 1:
        best = np.where(found.probabilities[:, 0] >= 0.5, 0, 1)
        ties = 0
    else:
        best = found.probabilities.argmax(axis=1)
        highest = np.take_along_axis(found.probabilities, best[:, None], axis=1)
        ties = int(np.count_nonzero((found.probabilities == highest).sum(axis=1) > 1))
    weights = _spread(found.weights, found.kept)
    return Labelled(_spread(actual, found.kept), _spread(best, found.kept), classes, weights, ties)


def _spread(values: np.ndarray | None, kept: np.ndarray) -> np.ndarray | None:
    """Values of the rows that take part, over all rows of the table."""
    if values is None:
        return None
    whole = values.dtype.kind in "iu"
    spread = np.full(kept.size, -1 if whole else 0.0, dtype=np.int32 if whole else np.float64)
    spread[kept] = values
    return spread


def title_of_prediction(name: str) -> str:
    """What a prediction is called where no Markdown is read."""
    return "most probable" if name == MOST_PROBABLE else one_line(name, 60)
