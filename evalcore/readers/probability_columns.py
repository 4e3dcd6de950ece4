"""Columns of class probabilities: whether they are percentages, and how they go with a stated prediction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from evalcore.readers.columns import Columns
from evalcore.readers.problems import Finding, named
from evalcore.readers.steps import Scale
from evalcore.readers.table import Table
from evalcore.wording.numbers import count_text, rows_text

# How far from 100 percentages add up that are rounded to whole numbers.
_HUNDRED = 2


def percentages(columns: Columns, names: tuple[str, ...]) -> list[Finding]:
    """A finding about probabilities that are written as percentages, so that most rows add up to 100."""
    cells = np.column_stack([columns[name].numbers for name in names])
    with np.errstate(invalid="ignore", over="ignore"):
        hundred = np.abs(cells.sum(axis=1) - 100) < _HUNDRED
    if len(names) < 2 or not hundred.mean() > 0.5 or not np.nanmin(cells) >= 0 or not np.nanmax(cells) <= 100:
        return []
    sentence = f"The probabilities are percentages: {rows_text(int(hundred.sum()))} of {count_text(len(cells))} add up "
    sentence += "to 100. Divide them by 100 to use them."
    return [Finding("error", sentence, len(cells), names[0], Scale(names, "percent").to_text(), code="scale")]


def beside_prediction(table: Table[Any], columns: Columns, name: str) -> Iterator[Finding]:
    """Say what is used of class probabilities and a column of predictions, and where the two differ."""
    classes = np.array([text for _, text in table.roles.probability])
    cells = np.column_stack([columns[column].numbers for column, _ in table.roles.probability])
    present = ~columns[name].missing & np.isfinite(cells).all(axis=1)
    if not columns[name].is_few or not present.any():
        return
    stated = np.array(columns[name].texts)[columns[name].codes]
    differs = present & (stated != classes[np.nan_to_num(cells).argmax(axis=1)])
    sentence = (
        "The class with the highest probability is used as the prediction. On the Classes page you can use column "
    )
    sentence += f"{named(name)} instead, which "
    sentence += f"differs in {table.lines.among(differs)}." if differs.any() else "is the same in every row."
    yield Finding("info", sentence, int(differs.sum()), name, code="stated prediction")
