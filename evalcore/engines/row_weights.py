"""Rows that count more or less than one: their weights are added up on the engine instead of the rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from evalcore.engines.frames import columns
from evalcore.engines.summaries import Summary
from evalcore.numeric import Array
from evalcore.readers.problems import ReadProblem, named
from evalcore.wording.numbers import rows_text

__all__: list[str] = []

WEIGHT_SUMS = ["weight", "squares"]
POSITIVE_SUMS = ["positives", "positive_squares"]
"""What is summed of the positives alone where rows have weights."""


def usable_weights(table: nw.LazyFrame[Any], column: str) -> tuple[nw.LazyFrame[Any], float]:
    """The rows that have a weight, with its square, and how many have none.

    Raises
    ------
    ReadProblem
        If a weight is negative or infinite.
    """
    weight = nw.col("weight")
    known = ~weight.is_null() & ~weight.is_nan()
    marks = {"missing": ~known, "wrong": known & ((weight < 0) | (weight == float("inf")))}
    table = table.with_columns(**{name: nw.when(rows).then(1).otherwise(0) for name, rows in marks.items()})
    sums = Summary.of(table, (), list(marks)).sums
    if wrong := int(sums["wrong"][0]):
        raise ReadProblem(
            f"Column {named(column)} holds a negative or infinite weight in {rows_text(wrong)}. A weight is how many "
            "times a row counts, 0 or more; correct the table or choose no weight column."
        )
    used = table.filter(nw.col("missing") == 0)
    return used.with_columns(squares=nw.col("weight") * nw.col("weight")), float(sums["missing"][0])


def weights_are(frame: Any, column: str) -> str:
    """What weights are where nobody says: "counts" where all are whole numbers, else "importance"."""
    table, _ = usable_weights(columns(frame, {"weight": (column, "number")}), column)
    parts = table.with_columns(part=nw.when(nw.col("weight") % 1 > 0).then(1).otherwise(0))
    return "importance" if Summary.of(parts, (), ["part"]).sums["part"][0] else "counts"


def by_weight(summary: Summary) -> Summary:
    """The same with the sum of weights as its count, and the number of rows beside."""
    sums = {name: values for name, values in summary.sums.items() if name not in ("count", "weight")}
    return replace(summary, sums={"count": summary.sums["weight"], "rows": summary.sums["count"], **sums})


def written_out(sums: Array, squares: Array, most: int) -> tuple[npt.NDArray[np.intp], Array]:
    """The entry and the weight of rows that have the sum and the sum of squares of the weights of each entry.

    So many rows of one weight, and one of another, tell as much as the rows themselves, whatever their weights were.
    Of more than `most` rows each entry has fewer, all of one weight: then they tell less.

    >>> entries, weights = written_out(np.array([6.0, 2.0]), np.array([14.0, 4.0]), 10)
    >>> entries.tolist(), round(float(np.square(weights[:3]).sum()), 9), round(float(weights[:3].sum()), 9)
    ([0, 0, 0, 1], 14.0, 6.0)
    """
    alike = np.divide(sums**2, squares, out=np.zeros(len(sums)), where=sums > 0)
    # Rows of one weight only, as many as that makes, would not be a whole number.
    rows = np.ceil(alike - 1e-9)
    if rows.sum() > most:
        rows = np.ceil(alike * (most / alike.sum()))
        squares = np.divide(sums**2, rows, out=np.zeros(len(sums)), where=rows > 0)
    n, others = np.maximum(rows, 1), np.maximum(rows - 1, 0)
    apart = np.sqrt(np.maximum(n * squares - sums**2, 0) / np.maximum(others, 1)) * (others > 0)
    entries = np.repeat(np.arange(len(sums)), rows.astype(np.intp))
    weights = ((sums + apart) / n)[entries]
    first = np.flatnonzero(np.diff(entries, prepend=-1))
    weights[first] = ((sums - others * apart) / n)[entries[first]]
    return entries, weights


def effective(summary: Summary) -> float:
    """Rows of equal weight that tell as much as all (Kish); the count where rows have no weights."""
    total = float(summary.sums["count"].sum())
    squares = float(summary.sums["squares"].sum()) if "squares" in summary.sums else total
    return total * (total / squares) if squares else total


def refuse_alone(summary: Summary) -> Summary:
    """Raise where weighted rows belong to nothing: their sum would count as one row."""
    if "rows" in summary.sums and "unit" in summary.keys and (summary.keys["unit"] == "").any():
        raise ReadProblem(
            "Some rows do not say what they belong to, and rows with weights are added up by that. Fill in the "
            "column, or leave out these rows."
        )
    return summary
