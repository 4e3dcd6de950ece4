"""Findings about tables of counts: negative, fractional or missing counts, and what the rows of a matrix are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evalcore.readers.columns import Columns
from evalcore.readers.problems import Finding, named, rows
from evalcore.readers.table import Table
from evalcore.readers.values import text_of


def count_findings(table: Table, columns: Columns) -> Iterator[Finding]:
    """What there is to say about the four counts or the matrix."""
    is_matrix = table.roles.is_matrix(len(table.frame))
    counts = np.column_stack([columns[name].numbers for name in table.roles.counts])
    yield from _bad_cells(table, counts)
    yield from _missing_cells(table, counts, is_matrix)
    if is_matrix:
        other = "predicted" if table.roles.rows_are == "actual" else "actual"
        sentence = f"The rows of the matrix are taken as {table.roles.rows_are} classes and its columns as {other} "
        yield Finding("info", sentence + "classes. Turn it if the file means it the other way round.", len(counts))
    else:
        yield from _different_rows(counts)
    if np.nansum(np.abs(counts)) == 0 and not np.isnan(counts).all():
        yield Finding(
            "error", "All counts are 0, so every measure is undefined. Fill in what was counted.", len(counts)
        )


def _bad_cells(table: Table, counts: np.ndarray) -> Iterator[Finding]:
    for bad, level, is_what in (
        ((counts < 0) | np.isinf(counts), "error", "A count is a number of rows, 0 or more; correct the file."),
        (
            np.isfinite(counts) & (counts >= 0) & (counts != np.rint(counts)),
            "warning",
            "Fractions are used as weighted counts; intervals and tests expect whole ones.",
        ),
    ):
        if bad.any():
            row, column = np.argwhere(bad)[0]
            name = table.roles.counts[column]
            sentence = f"Column {named(name)} holds {text_of(counts[row, column])} in {table.lines.at(row)}. {is_what}"
            yield Finding(level, sentence, int(bad.sum()), name)


def _missing_cells(table: Table, counts: np.ndarray, is_matrix: bool) -> Iterator[Finding]:
    missing = np.isnan(counts)
    if not missing.any():
        return
    row, column = np.argwhere(missing)[0]
    name = table.roles.counts[column]
    place = f"Column {named(name)} has no number in {table.lines.at(row)}"
    lacking = int(missing.any(axis=1).sum())
    if is_matrix:
        yield Finding("error", f"{place}. Fill in every cell, with 0 where nothing was counted.", lacking, name)
    elif lacking == len(counts):
        yield Finding("error", f"{place}, and no row has all four counts. Fill them in.", lacking, name)
    else:
        yield Finding("warning", f"{place}; {rows(lacking)} without all four counts left out.", lacking, name)


def _different_rows(counts: np.ndarray) -> Iterator[Finding]:
    complete = counts[~np.isnan(counts).any(axis=1)]
    if len(complete) < 2:
        return
    tp, fp, fn, tn = complete.T
    if np.ptp(tp + fn) or np.ptp(fp + tn):
        sentence = "The systems were not counted on the same number of positives and negatives, so they may have seen "
        yield Finding("info", sentence + "different rows. Compare them with care.", len(complete))
