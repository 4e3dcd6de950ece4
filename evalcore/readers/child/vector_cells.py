"""Cells with the probabilities of several classes: lists of numbers, vectors of Spark, labels with their scores."""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from typing import Any

MOST_PARTS = 500
"""Classes of one cell; a longer list is an embedding."""

_NEAR_ONE = 0.02
_LONGEST = 1 << 16
_LABELS, _SCORES = ("label", "class", "name"), ("score", "probability", "prob", "confidence")
_NUMPY = re.compile(r"\b(?:np|numpy)\.\w+\(([^()]*)\)|\b(?:array|DenseVector)\((\[[^\]]*\])[^)]*\)")
_SPARSE = re.compile(r"(?:SparseVector)?\((\d+),\s*\[([^\]]*)\],\s*\[([^\]]*)\]\)")


def class_numbers(cell: Any) -> tuple[dict[str, float], bool] | None:
    """The number of each class in a cell, and whether the cell names the classes, which are else counted from 0.

    >>> class_numbers([{"label": "ill", "score": 0.9}, {"label": "well", "score": 0.1}])
    ({'ill': 0.9, 'well': 0.1}, True)
    >>> class_numbers({"type": 0, "size": 3, "indices": [0, 2], "values": [0.25, 0.75]})
    ({'0': 0.25, '1': 0.0, '2': 0.75}, False)
    """
    if isinstance(cell, list) and len(cell) == 1 and isinstance(cell[0], list):
        cell = cell[0]
    if isinstance(cell, dict) and isinstance(cell.get("values"), list):
        cell = _dense(cell)
    if isinstance(cell, (list, tuple)) and cell and len(cell) <= MOST_PARTS:
        if all(isinstance(one, dict) for one in cell):
            return _labelled(cell)
        if all(map(_is_number, cell)):
            return {str(place): float(number) for place, number in enumerate(cell)}, False
    if isinstance(cell, dict) and 1 < len(cell) <= MOST_PARTS and all(map(_is_number, cell.values())):
        return {str(name): float(number) for name, number in cell.items()}, True
    return None


def are_probabilities(numbers: Mapping[str, float]) -> bool:
    """Whether at least two numbers add up to 1, up to rounding.

    >>> are_probabilities({"a": 0.33, "b": 0.33, "c": 0.33}), are_probabilities({"a": 3.0, "b": -2.0})
    (True, False)
    """
    values = numbers.values()
    return len(values) > 1 and min(values) >= 0 and abs(sum(values) - 1) <= _NEAR_ONE


def is_vector(cell: Any) -> bool:
    """Whether a cell holds labels with their scores, or probabilities of classes."""
    read = class_numbers(cell)
    if read is None:
        return False
    return are_probabilities(read[0]) or (isinstance(cell, list) and read[1])


def parsed_cell(text: str) -> Any:
    """Parse a cell printed by JSON, Python, NumPy or Spark; None if it is no list or object.

    >>> parsed_cell("[0.1 0.9]"), parsed_cell("(3,[0],[1.0])"), parsed_cell("[{'label': 'a', 'score': 1.0}]")
    ([0.1, 0.9], [1.0, 0.0, 0.0], [{'label': 'a', 'score': 1.0}])
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if sparse := _SPARSE.fullmatch(text):
        size, places, values = int(sparse[1]), *(sparse[part].split(",") for part in (2, 3))
        try:
            return _dense({"size": size, "indices": [int(i) for i in places], "values": [float(v) for v in values]})
        except ValueError:
            return None
    text = _NUMPY.sub(lambda match: match[1] or match[2] or "", text)
    if text[:1] not in ("[", "{"):
        return None
    for form in (text, text.replace("'", '"')):
        try:
            return json.loads(form)
        except (ValueError, RecursionError):
            continue
    try:
        return [float(number) for number in text.strip("[]").split()]
    except ValueError:
        pass
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def parsed_cells(cells: Sequence[str | None]) -> list[Any]:
    """`parsed_cell` of many cells: at once where all are written as the first one is, which is ten times faster.

    >>> parsed_cells(["[1. 0.]", None, "[0.5 0.5]"])
    [[1.0, 0.0], None, [0.5, 0.5]]
    """
    first = next((cell for cell in cells if cell is not None), "")
    for write in _WRITINGS:
        try:
            if parsed_cell(first) != json.loads(write(first)):
                continue
            read = json.loads(f"[{','.join('null' if cell is None else write(cell) for cell in cells)}]")
        except (ValueError, RecursionError):
            continue
        if len(read) == len(cells):
            return read
    return [None if cell is None else parsed_cell(cell) for cell in cells]


def _spaced(text: str) -> str:
    """Numbers as NumPy prints them in JSON."""
    return f"[{_BARE_POINT.sub('.0', ','.join(text.strip().strip('[]').split()))}]"


_BARE_POINT = re.compile(r"\.(?=,|$)")
_WRITINGS: tuple[Callable[[str], str], ...] = (str, lambda text: text.replace("'", '"'), _spaced)


def _dense(cell: Mapping[str, Any]) -> list[Any] | None:
    """The numbers of a vector of Spark, with the zeros that a sparse one leaves out."""
    values, places, size = cell["values"], cell.get("indices"), cell.get("size")
    if not places and cell.get("type") != 0:
        return values
    if not isinstance(size, int) or not 0 < size <= MOST_PARTS or len(places or ()) != len(values):
        return None
    dense = [0.0] * size
    for place, value in zip(places or (), values, strict=True):
        if not isinstance(place, int) or not 0 <= place < size:
            return None
        dense[place] = value
    return dense


def _labelled(cell: Any) -> tuple[dict[str, float], bool] | None:
    """A list of labels, each with its score."""
    names = [next((one[key] for key in _LABELS if key in one), None) for one in cell]
    scores = [next((one[key] for key in _SCORES if key in one), None) for one in cell]
    if None in names or not all(map(_is_number, scores)) or len({*map(str, names)}) < len(names):
        return None
    return {str(name): float(score) for name, score in zip(names, scores, strict=True)}, True  # type: ignore[arg-type]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
