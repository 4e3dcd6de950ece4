"""The rows of the open data as probabilities: what can be one is taken, what cannot is refused with its line."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from evalcore import Array
from evalcore.analyses import Source
from evalcore.classification import TOLERANCE, EventProbabilities, ProbabilityTable
from evalcore.inference import IsotonicCurve, PlattCurve, Recalibration, recalibrated
from evalcore.readers import ReadProblem, ScoredArrays, named, text_of
from evalcore.wording import count_text


class NotProbabilities(ReadProblem):
    """Numbers outside 0 … 1, which can be scores all the same."""


class NotSummed(ReadProblem):
    """Rows that do not add up to 1, and would if they were divided by their sum."""


@dataclass(frozen=True, eq=False)
class Stated:
    """What was stated, row by row.

    Parameters
    ----------
    current : Source
    table : ProbabilityTable
        Its classes are texts from a file: escape them. Of two classes the last is the positive one.
    kept : array of int, shape (n,)
        Place of each of its rows in the open table.
    left_out, unknown : int
        Rows without a label or a number, and rows whose class has no column of probabilities.
    whole : ProbabilityTable
        All classes; `table` itself, unless one class was asked for.
    normalised : int
        Rows that were divided by their sum.
    made : str or None
        How probabilities were made of scores: a key of `MADE`.
    key : str
        What results are kept under.
    """

    current: Source
    table: ProbabilityTable
    kept: np.ndarray
    left_out: int
    unknown: int
    whole: ProbabilityTable
    normalised: int
    made: str | None
    key: str

    @property
    def binary(self) -> bool:
        """Whether it is a yes/no question."""
        return len(self.table.classes) == 2

    @property
    def asked_class(self) -> str | None:
        """The class that was asked for among several; None where all are looked at."""
        return None if self.table is self.whole else self.table.classes[1]

    @property
    def whole_key(self) -> str:
        """What results of all classes are kept under."""
        return self.key if self.asked_class is None else self.key.removesuffix(f"\n{self.asked_class}")

    def line(self, row: int) -> str:
        """What a row of the table is called in the file: "line 12"."""
        return self.current.dataset.lines.at(self.kept[row])


def read_stated(key: str, current: Source, system: str | None, made: str | None, normalise: bool) -> Stated:
    """The rows that can take part; raises ReadProblem or ValueError where they are no probabilities."""
    if current.kind == "scores":
        return _of_scores(key, current, system, made)
    found = current.dataset.probability_arrays()
    if len(found.classes) == 1:
        return _of_one_column(key, current)
    known = found.actual >= 0
    kept = np.flatnonzero(found.kept)[known]
    probabilities, actual = found.probabilities[known], found.actual[known]
    weights = None if found.weights is None else found.weights[known]
    _refuse_empty(kept)
    normalised = _check_rows(current, probabilities, kept, normalise)
    order = class_order(current, found.classes)
    place = np.argsort(order)
    table = ProbabilityTable.from_arrays(
        place[actual], probabilities[:, order], tuple(range(len(order))), weights, normalised=normalise
    )
    table = replace(table, classes=tuple(found.classes[index] for index in order))
    unknown = int(np.count_nonzero(~known))
    return Stated(current, table, kept, found.left_out, unknown, table, normalised, None, key)


def class_order(current: Source, classes: tuple[str, ...]) -> list[int]:
    """The order of the classes: as in the file, but of two the positive one last."""
    order = list(range(len(classes)))
    return order[::-1] if len(order) == 2 and classes[0] == text_of(current.positive) else order


def _of_scores(key: str, current: Source, system: str, made: str | None) -> Stated:
    found = current.dataset.scored_arrays(system)
    kept = np.flatnonzero(found.kept)
    _refuse_empty(kept)
    scores = found.scores
    outside = np.flatnonzero((scores < 0) | (scores > 1))
    if made:
        probability = _recalibration(found, current.higher_is_positive, made).after.probability
    elif len(outside):
        raise NotProbabilities(
            f"Column {named(system)} holds {text_of(scores[outside[0]])} in "
            f"{current.dataset.lines.at(kept[outside[0]])}, and in {count_text(len(outside))} "
            f"{'row' if len(outside) == 1 else 'rows'} in all a number outside 0 … 1. A probability lies between 0 and "
            "1, so these are scores that rank."
        )
    else:
        probability = scores if current.higher_is_positive else 1 - scores
    table = ProbabilityTable.from_event(found.labels, probability, weights=found.weights)
    positive, negative = current.class_names(system)
    table = replace(table, classes=(negative, positive))
    return Stated(current, table, kept, found.left_out, 0, table, 0, made, key)


@st.cache_resource(max_entries=16, show_spinner=False)
def curve_of_scores(key: str, method: str, higher: bool, _rows: ScoredArrays) -> PlattCurve | IsotonicCurve:
    """The curve fitted on all rows."""
    return _recalibration(_rows, higher, method).curve


def _recalibration(found: ScoredArrays, higher: bool, method: str) -> Recalibration:
    """Probabilities made of scores by a curve, each by one fitted on the other folds."""
    event = EventProbabilities(found.scores, found.labels, found.weights)
    return recalibrated(event, method, of="score", higher_is_positive=higher)


def _of_one_column(key: str, current: Source) -> Stated:
    ((column, name),) = current.roles.probability
    found = current.dataset.scored_arrays(column)
    kept = np.flatnonzero(found.kept)
    _refuse_empty(kept)
    _refuse_outside(current, column, found.scores, kept)
    table = ProbabilityTable.from_event(found.labels, found.scores, weights=found.weights)
    table = replace(table, classes=(f"not {name}", name))
    return Stated(current, table, kept, found.left_out, 0, table, 0, None, key)


def _check_rows(current: Source, probabilities: Array, kept: np.ndarray, normalise: bool) -> int:
    """Refuse rows that are no distributions; how many have to be divided by their sum."""
    pairs, lines = current.roles.probability, current.dataset.lines
    for place, (column, _) in enumerate(pairs):
        _refuse_outside(current, column, probabilities[:, place], kept, math_only=True)
    with np.errstate(over="ignore"):
        sums = probabilities.sum(axis=1)
    if np.isinf(sums).any():
        row = int(np.argmax(np.isinf(sums)))
        raise ReadProblem(f"The numbers of {lines.at(kept[row])} are too large to be added up; correct the file.")
    off = np.flatnonzero(np.abs(sums - 1) > TOLERANCE)
    if not len(off):
        return 0
    if (sums == 0).any():
        row = int(np.argmax(sums == 0))
        raise ReadProblem(
            f"All probabilities are 0 in {lines.at(kept[row])}, so nothing can be made of that row; correct the file "
            "or take the row out."
        )
    if not normalise:
        rows = "1 row" if len(off) == 1 else f"{count_text(len(off))} rows"
        raise NotSummed(
            f"The probabilities do not add up to 1 in {rows}. The first is {lines.at(kept[off[0]])}, where they add up "
            f"to {sums[off[0]]:.7g}. Is a class column missing? If not, each row can be divided by its sum."
        )
    return len(off)


def _refuse_outside(current: Source, column: str, values: Array, kept: np.ndarray, math_only: bool = False) -> None:
    """Refuse numbers that cannot be probabilities; `math_only` lets pass what a division by the sum can mend."""
    bad = values < 0 if math_only else (values < 0) | (values > 1)
    if bad.any():
        row = int(np.argmax(bad))
        raise ReadProblem(
            f"Column {named(column)} holds {text_of(values[row])} in {current.dataset.lines.at(kept[row])}. A "
            "probability lies between 0 and 1; correct the file, or choose the column as a score, which may be any "
            "number."
        )


def _refuse_empty(kept: np.ndarray) -> None:
    if not len(kept):
        raise ReadProblem("No row has both a label and a probability. Choose other columns on the Data page.")
