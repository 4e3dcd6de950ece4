"""Tables that are already counted: TP, FP, FN and TN in columns, or a square confusion matrix."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from evalcore.classification import ConfusionMatrix
from evalcore.readers import names
from evalcore.readers.columns import Column, Columns
from evalcore.readers.problems import Lines, ReadProblem, named
from evalcore.readers.roles import Roles
from evalcore.readers.values import text_of

_ACTUAL_WORDS = re.compile(r"actual|true|truth|label|gold|reference|target|condition|wahr")
_PREDICTED_WORDS = re.compile(r"predict|pred\b|output|detected|system|classified|decision|test|assigned|vorher")


def recognise_counts(columns: Columns) -> Roles | None:
    """The roles of a table of counts, or None where it is none."""
    return _four_counts(columns) or _matrix(columns)


def turned_counts(frame: pd.DataFrame) -> pd.DataFrame | None:
    """A list of four lines, "tp, 20" and so on, as one row with four columns; None for any other table.

    Examples
    --------
    >>> turned_counts(pd.DataFrame({"outcome": ["TP", "FN", "FP", "TN"], "n": [20, 10, 180, 1820]})).to_dict("records")
    [{'tp': 20, 'fp': 180, 'fn': 10, 'tn': 1820}]
    """
    if frame.shape[1] != 2 or len(frame) not in (3, 4):
        return None
    labels, values = frame.iloc[:, 0], frame.iloc[:, 1]
    if values.dtype.kind not in "iuf" or labels.dtype.kind in "iufb":
        return None
    pairs = [(text_of(label), value) for label, value in zip(labels, values, strict=True)]
    if len(frame) == 3:  # without a header the first pair was taken for the names
        try:
            pairs.insert(0, (frame.columns[0], float(frame.columns[1])))
        except ValueError:
            return None
    found = {}
    for label, value in pairs:
        key = next((key for key, words in names.COUNT_NAMES.items() if names.simple(label) in words), None)
        if key is None or key in found:
            return None
        found[key] = value
    row = pd.DataFrame({key: [found[key]] for key in names.COUNT_NAMES})
    whole = all(float(value).is_integer() for value in found.values())
    return row.astype(np.int64 if whole else np.float64)


def systems_of(frame: pd.DataFrame, roles: Roles, unnamed: str, lines: Lines) -> dict[str, tuple[float, ...]]:
    """The four counts (tp, fp, fn, tn) of each system by its name; rows with a missing count are left out.

    Raises
    ------
    ReadProblem
        If a count is negative or infinite, naming the column and the line, or if no row is complete.
    """
    counts = frame[list(roles.counts)].to_numpy(np.float64, na_value=np.nan)
    _refuse_bad_counts(counts, roles, lines)
    found: dict[str, tuple[float, ...]] = {}
    for index in np.flatnonzero(~np.isnan(counts).any(axis=1)):
        name = text_of(frame[roles.group].iloc[index]) if roles.group else ""
        name = name or (unnamed if len(frame) == 1 else lines.at(index))
        base, again = name, 2
        while name in found:
            name, again = f"{base} ({again})", again + 1
        found[name] = tuple(counts[index].tolist())
    if not found:
        raise ReadProblem("No row has all four counts. Fill in TP, FP, FN and TN, with 0 where nothing was counted.")
    return found


def matrix_of(frame: pd.DataFrame, roles: Roles, lines: Lines) -> ConfusionMatrix:
    """The square matrix with the actual classes in its rows, whichever way the file has it.

    Raises
    ------
    ReadProblem
        If a cell is missing, negative or infinite, naming the column and the line.
    """
    counts = frame[list(roles.counts)].to_numpy(np.float64, na_value=np.nan)
    _refuse_bad_counts(counts, roles, lines)
    if np.isnan(counts).any():
        row, column = np.argwhere(np.isnan(counts))[0]
        raise ReadProblem(
            f"The matrix has no number in column {named(roles.counts[column])}, {lines.at(row)}. "
            "Fill in every cell, with 0 where nothing was counted."
        )
    classes = roles.counts
    if roles.group:
        order = _row_order(frame[roles.group], roles.counts)
        if order is not None:
            counts = counts[order]
    return ConfusionMatrix(tuple(classes), counts if roles.rows_are == "actual" else counts.T)


def _refuse_bad_counts(counts: np.ndarray, roles: Roles, lines: Lines) -> None:
    bad = np.argwhere((counts < 0) | np.isinf(counts))
    if len(bad):
        row, column = bad[0]
        raise ReadProblem(
            f"Column {named(roles.counts[column])} holds {text_of(counts[row, column])} in {lines.at(row)}. "
            "A count is a number of rows, 0 or more; correct the file."
        )


def _four_counts(columns: Columns) -> Roles | None:
    found = {}
    for key, words in names.COUNT_NAMES.items():
        fitting = [c for c in columns if names.simple(c.name) in words and (c.is_number or c.missing_count == len(c))]
        if len(fitting) != 1:
            return None
        found[key] = fitting[0].name
    others = [c for c in columns if c.name not in found.values()]
    named_so = [c for c in others if names.simple(c.name) in names.SYSTEM]
    naming = named_so or [c for c in others if not c.is_number]
    return Roles(counts=tuple(found.values()), group=naming[0].name if naming else None)


def _matrix(columns: Columns) -> Roles | None:
    everything = list(columns)
    if columns.rows >= 2 and len(everything) == columns.rows + 1 and all(c.is_number for c in everything[1:]):
        first, counts = everything[0], tuple(c.name for c in everything[1:])
        if _row_order(first.values, counts) is not None:
            return Roles(counts=counts, group=first.name, rows_are=_rows_are(first.name))
    if columns.rows < 2 or len(everything) != columns.rows or any(map(_has_other_meaning, everything)):
        return None
    return Roles(counts=tuple(c.name for c in everything))


def _has_other_meaning(column: Column) -> bool:
    said = (names.is_actual, names.is_predicted, names.is_score, names.is_estimate, names.is_identifier)
    if any(says(column.name) for says in said) or names.simple(column.name) in names.WEIGHT | names.GROUP:
        return True
    return not (column.is_number and column.is_whole and not column.missing_count and (column.numbers >= 0).all())


def _rows_are(corner: str) -> str:
    """What the rows are, from the words in the corner of the matrix: "predicted \\ actual" names the rows first."""
    corner = names.simple(corner)
    actual, predicted = _ACTUAL_WORDS.search(corner), _PREDICTED_WORDS.search(corner)
    if predicted and (actual is None or predicted.start() < actual.start()):
        return "predicted"
    return "actual"


def _row_order(row_names: pd.Series, classes: tuple[str, ...]) -> list[int] | None:
    """Where each class stands among the rows, or None where rows and columns have not the same names."""
    places = {text_of(name).strip().casefold(): row for row, name in enumerate(row_names)}
    order = [places.get(name.strip().casefold()) for name in classes]
    return None if None in order or len(set(order)) < len(row_names) else order
