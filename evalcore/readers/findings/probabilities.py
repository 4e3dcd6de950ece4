"""Findings about class probabilities: outside [0, 1], not summing to 1, or without a column for a class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evalcore.readers.columns import Columns
from evalcore.readers.findings.rows import missing_cells
from evalcore.readers.problems import Finding, listed, named, rows
from evalcore.readers.table import Table
from evalcore.readers.values import text_of
from evalcore.wording.numbers import count_text

# Ten probabilities rounded to two decimals add up to 1 within 0.05, to three decimals within 0.005.
_ROUNDING = 0.01


def probability_findings(table: Table, columns: Columns) -> Iterator[Finding]:
    """What there is to say about the probability columns."""
    pairs = table.roles.probability
    for name, _ in pairs:
        column = columns[name]
        yield from missing_cells(table, column, "probability")
        with np.errstate(invalid="ignore"):
            outside = (column.numbers < 0) | (column.numbers > 1)
        if outside.any():
            index = int(np.argmax(outside))
            sentence = f"Column {named(name)} holds {text_of(column.numbers[index])} in {table.lines.at(index)}. "
            sentence += "A probability lies between 0 and 1; correct the file or choose the column as a score."
            yield Finding("error", sentence, int(outside.sum()), name)
    if len(pairs) > 1:
        yield from _sums(table, columns)
    yield from _classes(table, columns)


def _sums(table: Table, columns: Columns) -> Iterator[Finding]:
    with np.errstate(invalid="ignore", over="ignore"):
        sums = np.sum([columns[name].numbers for name, _ in table.roles.probability], axis=0)
        off = np.abs(sums - 1) > _ROUNDING
    count = int(off.sum())
    if count:
        index = int(np.argmax(off))
        sentence = f"The probabilities do not add up to 1 in {rows(count)} (first: {table.lines.at(index)}, where "
        yield Finding("warning", sentence + f"they add up to {sums[index]:.4g}). Is a class column missing?", count)


def _classes(table: Table, columns: Columns) -> Iterator[Finding]:
    actual = columns[table.roles.actual]
    if not actual.is_few:
        return
    having = {text for _, text in table.roles.probability}
    without = {label: count for label, count in actual.label_counts.items() if text_of(label) not in having}
    if without and len(table.roles.probability) > 1:
        count = sum(without.values())
        sentence = f"No column holds the probability of {listed(text_of(label) for label in without)}, which is the "
        sentence += f"actual class of {rows(count)}. Choose a column for each class."
        yield Finding("warning", sentence, count, actual.name)
    never = having - set(actual.texts)
    if never:
        verb = "occurs" if len(never) == 1 else "occur"
        sentence = f"{listed(sorted(never))} never {verb} in column {named(actual.name)}: "
        noun = "1 class has" if len(never) == 1 else f"{count_text(len(never))} classes have"
        yield Finding("info", sentence + f"{noun} a probability but no row.", len(never), actual.name)
