"""Columns whose cells hold the probabilities of all classes, read as one column per class."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from evalcore.readers.base.column_names import is_score, simple
from evalcore.readers.base.problems import Finding, Lines, listed, named
from evalcore.readers.child.vector_cells import (
    MOST_PARTS,
    are_probabilities,
    class_numbers,
    is_vector,
    parsed_cell,
    parsed_cells,
)
from evalcore.wording.numbers import count_text, rows_text

_HEAD, _ROUNDING = 20, 0.001
_BEGINNINGS = ("[", "{", "(", "DenseVector", "SparseVector", "array(")


def with_class_columns(frame: pd.DataFrame, lines: Lines) -> tuple[pd.DataFrame, list[Finding]]:
    """A table in which cells such as "[0.1, 0.9]" are columns p_0 and p_1, and those with labels are named after them.

    >>> frame = pd.DataFrame({"y": ["a", "b"], "p": ["{'a': 0.9, 'b': 0.1}", "{'a': 0.3, 'b': 0.7}"]}, dtype="str")
    >>> frame, findings = with_class_columns(frame, Lines())
    >>> frame.columns.tolist(), frame["p_b"].tolist()
    (['y', 'p_a', 'p_b'], [0.1, 0.7])
    """
    vectors = [name for name in frame.columns if _holds_vectors(frame[name])]
    if any(is_score(name) for name in frame.columns if frame[name].dtype.kind == "f"):
        vectors = [name for name in vectors if not _are_logits(frame[name])]  # what they come to is there
    if not vectors:
        return frame, []
    columns, findings, named_beside = dict(frame.items()), [], set()
    for name in vectors:
        labels = _labels_beside(frame, name)
        parts = _class_columns(frame[name], None if labels is None else _lists_in(frame[labels]), lines, findings)
        prefix = name if len(vectors) > 1 else "logit" if _are_logits(frame[name]) else "p"
        own = {} if parts is None else {f"{prefix}_{part}": cells for part, cells in parts.items()}
        if own and not own.keys() & columns.keys():
            named_beside |= {labels} - {None}
            columns = {
                key: cells for old in columns for key, cells in (own.items() if old == name else [(old, columns[old])])
            }
    return pd.DataFrame({name: cells for name, cells in columns.items() if name not in named_beside}), findings


def _holds_vectors(column: pd.Series) -> bool:
    if column.dtype != "str" or not (head := column.dropna().iloc[:_HEAD].tolist()):
        return False
    if not all(cell.lstrip().startswith(_BEGINNINGS) for cell in head):
        return False
    cells = [parsed_cell(cell) for cell in head]
    return all(map(is_vector, cells)) or (_are_logits(column) and _have_one_length(cells))


def _are_logits(column: pd.Series) -> bool:
    return "logit" in simple(str(column.name))


def _have_one_length(cells: list[Any]) -> bool:
    """Whether all cells list the same number of numbers, at least two."""
    sizes = {0 if (read := class_numbers(cell)) is None or read[1] else len(read[0]) for cell in cells}
    return len(sizes) == 1 and sizes.pop() > 1


def _labels_beside(frame: pd.DataFrame, name: str) -> str | None:
    """The column of lists of labels beside one of lists of scores, as zero-shot classifiers write them."""
    own = re.sub("score|probabilitie|prob", "label", simple(name))
    other = next((str(c) for c in frame.columns if simple(c) == own != simple(name)), None)
    if other is None or frame[other].dtype != "str":
        return None
    return other if all(len(cell or ()) > 1 for cell in _lists_in(frame[other].iloc[:_HEAD])) else None


def _lists_in(column: pd.Series) -> list[list[str] | None]:
    texts = column.astype(object).where(column.notna(), None).tolist()
    cells = zip(texts, parsed_cells(texts), strict=True)
    return [
        [str(one) for one in read] if isinstance(read, list) else None if cell is None else cell.split("|")
        for cell, read in cells
    ]


def _class_columns(
    column: pd.Series, labels: list[list[str] | None] | None, lines: Lines, findings: list[Finding]
) -> dict[str, pd.Series] | None:
    """A column of numbers for each class; None where most cells are no probabilities."""
    cells: list[dict[str, float] | None] = []
    is_named, shares = labels is not None, 0
    for place, cell in enumerate(parsed_cells(column.astype(object).where(column.notna(), None).tolist())):
        read = class_numbers(cell)
        numbers = None if read is None else read[0]
        if numbers is not None and labels is not None:
            own = labels[place] or ()
            numbers = dict(zip(own, numbers.values(), strict=True)) if len(own) == len(numbers) else None
        is_named |= read is not None and read[1]
        shares += numbers is not None and are_probabilities(numbers)
        cells.append(numbers)
    read = [numbers for numbers in cells if numbers is not None]
    classes = list(dict.fromkeys(name for numbers in read for name in numbers))
    if not read or len(classes) > MOST_PARTS or (not is_named and 2 * shares < len(read) and not _are_logits(column)):
        return None
    values = np.full((len(cells), len(classes)), np.nan)
    places = {name: place for place, name in enumerate(classes)}
    top = all(sum(numbers.values()) <= 1 + _ROUNDING for numbers in read)
    for row, numbers in enumerate(cells):
        if numbers is not None:
            others = len(classes) - len(numbers)
            values[row] = max(1 - sum(numbers.values()), 0.0) / others if others and top else 0.0
            for name, number in numbers.items():
                values[row, places[name]] = number
    what = "labels with their scores" if is_named else f"lists of {count_text(len(classes))} numbers"
    sentence = (
        f"Column {named(str(column.name))} holds {what} and is read as one column per class: {listed(classes, 3)}."
    )
    short = sum(len(numbers) < len(classes) for numbers in read)
    if short:
        sentence += f" {rows_text(short)} {'lists' if short == 1 else 'list'} only some of the "
        sentence += f"{count_text(len(classes))} classes; the others " + (
            "share the rest of 1." if top else "count as 0."
        )
    findings.append(Finding("info", sentence, len(classes), str(column.name), code="class lists"))
    unread = [numbers is None and not missing for numbers, missing in zip(cells, column.isna(), strict=True)]
    if any(unread):
        sentence = f"Column {named(str(column.name))} holds no list of numbers in {lines.among(np.array(unread))}; "
        sentence += "these rows have no probabilities."
        findings.append(Finding("warning", sentence, sum(unread), str(column.name), code="class lists"))
    return {name: pd.Series(values[:, place]) for name, place in places.items()}
