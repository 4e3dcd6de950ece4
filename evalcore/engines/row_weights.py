"""Rows that count more or less than one: their weights are added up on the engine instead of the rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw

from evalcore.engines.frames import columns
from evalcore.engines.summaries import Summary
from evalcore.readers.problems import ReadProblem, named
from evalcore.wording.numbers import rows_text

__all__: list[str] = []

WEIGHT_SUMS = ["weight", "squares"]


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
