"""Findings about estimated numbers: missing, infinite, constant, or equal to the truth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evalcore.readers.columns import Columns
from evalcore.readers.findings.rows import missing_cells
from evalcore.readers.findings.scores import infinite_numbers
from evalcore.readers.problems import Finding, named
from evalcore.readers.table import Table


def estimate_findings(table: Table, columns: Columns) -> Iterator[Finding]:
    """What there is to say about the true numbers and each estimate of them."""
    truth = columns[table.roles.truth]
    for name in (truth.name, *table.roles.estimate):
        column = columns[name]
        yield from missing_cells(table, column, "number")
        yield from infinite_numbers(table, column, "such rows are left out")
        finite = column.numbers[np.isfinite(column.numbers)]
        if finite.size > 1 and finite.min() == finite.max():
            what = "so there is no spread to explain" if column is truth else "so it tells nothing about the rows"
            sentence = f"All numbers of column {named(name)} are equal, {what}. Is another column meant?"
            yield Finding("warning", sentence, int(finite.size), name)
    for name in table.roles.estimate:
        both = np.isfinite(truth.numbers) & np.isfinite(columns[name].numbers)
        if both.any() and (truth.numbers[both] == columns[name].numbers[both]).all():
            sentence = f"Column {named(name)} equals column {named(truth.name)} in every row. Was the truth copied?"
            yield Finding("warning", sentence, int(both.sum()), name)
