"""The numpy arrays the measures take, out of a data set; rows that cannot take part are left out and counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from evalcore.classification.labels import can_be_multiplied, total_weight
from evalcore.readers.problems import ReadProblem, listed, named
from evalcore.readers.table import Table
from evalcore.readers.values import Value, text_of

__all__ = ["ScoredArrays", "codes_of", "ordered"]

NO_GROUP = "(no group)"
"""What the rows without a group are called."""


class ScoredArrays(NamedTuple):
    """Labels and scores of the rows that have both.

    `labels` (bool) is true for the positive class, `scores` (float) are as in the file, whatever their direction,
    `weights` (float) is None without a weight column; these have shape (kept rows,). `kept` (bool) has the shape
    (rows,) of the table, and `left_out` is how many of them are not kept. `group_column` is the column of groups of
    the whole table, None without one: `groups` and `group_codes` read it when they are asked, because most never ask.
    """

    labels: np.ndarray
    scores: np.ndarray
    weights: np.ndarray | None
    kept: np.ndarray
    left_out: int
    group_column: pd.Series | None = None

    @property
    def groups(self) -> np.ndarray | None:
        """The name of the group of each kept row, shape (kept rows,); None without a group column."""
        coded = self.group_codes
        return None if coded is None else np.array(coded[1], dtype=object)[coded[0]]

    @property
    def group_codes(self) -> tuple[np.ndarray, tuple[str, ...]] | None:
        """The place of the group of each kept row in the names, and the names; None without a group column.

        Rows without a group make a group of their own, `NO_GROUP`.
        """
        if self.group_column is None:
            return None
        codes, names = codes_of(self.group_column[self.kept])
        if not (codes < 0).any():
            return codes, names
        missing = NO_GROUP
        while missing in names:  # a group that is really called so is another one
            missing = f"({missing})"
        return np.where(codes < 0, len(names), codes), (*names, missing)


class LabelArrays(NamedTuple):
    """Actual and predicted labels of the rows that have both, as places in `classes`.

    `actual` and `predicted` (int) and `weights` (float, or None) have shape (kept rows,), `classes` holds the texts
    of the labels, sorted by number where all are numbers; `kept` (bool) has shape (rows,).
    """

    actual: np.ndarray
    predicted: np.ndarray
    classes: tuple[str, ...]
    weights: np.ndarray | None
    kept: np.ndarray
    left_out: int


class ProbabilityArrays(NamedTuple):
    """Actual labels and the probability of each class, for the rows that have all of them.

    `actual` (int) are places in `classes`, shape (kept rows,); -1 marks a label without a probability column.
    `probabilities` has shape (kept rows, classes). `weights`, `kept` and `left_out` are as in `LabelArrays`.
    """

    actual: np.ndarray
    probabilities: np.ndarray
    classes: tuple[str, ...]
    weights: np.ndarray | None
    kept: np.ndarray
    left_out: int


class EstimateArrays(NamedTuple):
    """True and estimated numbers of the rows that have both finite, shape (kept rows,), and what was left out."""

    truth: np.ndarray
    estimate: np.ndarray
    weights: np.ndarray | None
    kept: np.ndarray
    left_out: int


def scored_arrays(table: Table, system: str | None = None) -> ScoredArrays:
    """See `DataSet.scored_arrays`."""
    choices = score_columns(table)
    system = chosen(system, choices, "score column")
    actual = _actual(table)
    codes, texts = codes_of(table.frame[actual])
    positive = choices[system]
    if positive is None and len(texts) > 1:
        raise ReadProblem(f"Column {named(actual)} has {len(texts)} labels. Choose which of them is positive.")
    positive = text_of(positive)
    scores = _numbers(table, system)
    weights, usable = _weights(table)
    kept = (codes >= 0) & np.isfinite(scores) & usable
    # without any row of the positive class all rows are negative
    code = texts.index(positive) if positive in texts else -2
    group = None if table.roles.group is None else table.frame[table.roles.group]
    return ScoredArrays(codes[kept] == code, scores[kept], _of_kept(weights, kept), kept, _left_out(kept), group)


def label_arrays(table: Table, system: str | None = None) -> LabelArrays:
    """See `DataSet.label_arrays`."""
    system = chosen(system, table.roles.predicted, "predicted column")
    actual_codes, actual_texts = codes_of(table.frame[_actual(table)])
    predicted_codes, predicted_texts = codes_of(table.frame[system])
    actual_texts, predicted_texts = _alike(actual_texts, predicted_texts), _alike(predicted_texts, actual_texts)
    classes = ordered({*actual_texts, *predicted_texts})
    weights, usable = _weights(table)
    kept = (actual_codes >= 0) & (predicted_codes >= 0) & usable
    return LabelArrays(
        _recoded(actual_codes[kept], actual_texts, classes),
        _recoded(predicted_codes[kept], predicted_texts, classes),
        *(classes, _of_kept(weights, kept), kept, _left_out(kept)),
    )


def probability_arrays(table: Table) -> ProbabilityArrays:
    """See `DataSet.probability_arrays`."""
    pairs = table.roles.probability
    if not pairs:
        raise ReadProblem("No column holds the probability of a class. Choose one column for each class.")
    codes, texts = codes_of(table.frame[_actual(table)])
    classes = tuple(text for _, text in pairs)
    probabilities = np.column_stack([_numbers(table, column) for column, _ in pairs])
    weights, usable = _weights(table)
    kept = (codes >= 0) & np.isfinite(probabilities).all(axis=1) & usable
    places = {text: place for place, text in enumerate(classes)}
    recoding = np.array([places.get(text, -1) for text in texts] or [0], dtype=np.int64)
    actual = recoding[codes[kept]]
    return ProbabilityArrays(actual, probabilities[kept], classes, _of_kept(weights, kept), kept, _left_out(kept))


def estimate_arrays(table: Table, system: str | None = None) -> EstimateArrays:
    """See `DataSet.estimate_arrays`."""
    system = chosen(system, table.roles.estimate, "estimate column")
    if table.roles.truth is None:
        raise ReadProblem("No column holds the true numbers. Choose one.")
    truth, estimate = _numbers(table, table.roles.truth), _numbers(table, system)
    weights, usable = _weights(table)
    kept = np.isfinite(truth) & np.isfinite(estimate) & usable
    return EstimateArrays(truth[kept], estimate[kept], _of_kept(weights, kept), kept, _left_out(kept))


def codes_of(column: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """For each row the place of its label in the texts, -1 where it is missing, and the texts.

    Examples
    --------
    >>> codes_of(pd.Series([1.0, 0.0, None]))
    (array([ 0,  1, -1]), ('1', '0'))
    """
    codes, values = pd.factorize(column)
    texts = tuple(text_of(value) for value in values)
    if len(set(texts)) < len(texts):  # a hand-made column may hold 1 and "1", which are one label
        distinct = tuple(dict.fromkeys(texts))
        places = np.array([distinct.index(text) for text in texts], dtype=np.int64)
        return np.where(codes >= 0, places[codes], -1), distinct
    return codes, texts


def ordered(texts: set[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The texts of labels in the order people expect: by number where all are numbers, else by name.

    Examples
    --------
    >>> ordered(("10", "9")), ordered(("b", "a", "10"))
    (('9', '10'), ('10', 'a', 'b'))
    """
    try:
        return tuple(sorted(texts, key=lambda text: (float(text), text)))
    except ValueError:
        return tuple(sorted(texts))


def _alike(texts: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """True and False become 1 and 0 where the other column says it so."""
    if {"True", "False"}.issuperset(texts) and others and {"0", "1"}.issuperset(others):
        return tuple({"True": "1", "False": "0"}[text] for text in texts)
    return texts


def _recoded(codes: np.ndarray, texts: tuple[str, ...], classes: tuple[str, ...]) -> np.ndarray:
    places = {text: place for place, text in enumerate(classes)}
    return np.array([places[text] for text in texts] or [0], dtype=np.int64)[codes]


def chosen(system: str | None, choices: Iterable[str], part: str) -> str:
    """The system that was asked for, the first by default. Raises ReadProblem when it is none of the choices."""
    names = list(choices)
    if not names:
        raise ReadProblem(f"This data set has no {part}. Choose one among its columns.")
    if system is None:
        return names[0]
    if system not in names:
        raise ReadProblem(f"{named(system)} is no {part} of this data set. Choose {listed(names)}.")
    return system


def score_columns(table: Table) -> dict[str, Value | None]:
    """The columns that rank the rows, each with its positive class."""
    return dict.fromkeys(table.roles.score, table.roles.positive) | dict(table.roles.probability)


def _actual(table: Table) -> str:
    if table.roles.actual is None:
        raise ReadProblem("No column holds the true labels. Choose one.")
    return table.roles.actual


def _numbers(table: Table, column: str) -> np.ndarray:
    return table.frame[column].to_numpy(np.float64, na_value=np.nan)


def _weights(table: Table) -> tuple[np.ndarray | None, np.ndarray | bool]:
    name = table.roles.weight
    if name is None:
        return None, True
    weights = _numbers(table, name)
    bad = np.flatnonzero((weights < 0) | np.isinf(weights))
    if len(bad):
        raise ReadProblem(
            f"Column {named(name)} holds the weight {text_of(weights[bad[0]])} in {table.lines.at(bad[0])}. "
            "A weight says how many times a row counts, 0 or more; correct the file or choose no weight column."
        )
    if not can_be_multiplied(total := total_weight(weights)):
        raise ReadProblem(
            f"The weights of column {named(name)} add up to {total:.3g}, which measures cannot multiply. "
            "Give them in another unit, or choose no weight column."
        )
    return weights, ~np.isnan(weights)


def _of_kept(weights: np.ndarray | None, kept: np.ndarray) -> np.ndarray | None:
    return None if weights is None else weights[kept]


def _left_out(kept: np.ndarray) -> int:
    return int(kept.size - np.count_nonzero(kept))
