"""Tables of counts: TP, FP, FN and TN in columns, or a square confusion matrix."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from evalcore.classification import ConfusionCounts, ConfusionMatrix
from evalcore.readers.base import Column, Columns, Finding, ReadProblem, named, text_of
from evalcore.readers.base import column_names as names
from evalcore.readers.kinds.kind import MOST_SYSTEMS, Kind, states, unlisted_systems
from evalcore.readers.shapes.matrices import class_names, row_order, rows_are, share_finding
from evalcore.readers.table.findings import rare_class
from evalcore.readers.table.table import Roles, Table, choose, part
from evalcore.wording.numbers import rows_text

__all__ = ["COUNTS", "CountRoles"]

_MOST = 2**53


@dataclass(frozen=True, kw_only=True)
class CountRoles(Roles):
    """Roles of counts: the columns TP, FP, FN and TN in this order, or a square matrix; the group names the rows."""

    kind = "counts"
    counts: tuple[str, ...] = part("columns", "TP, FP, FN, TN; or the columns of a matrix", "count", numbers=True)
    group: str | None = part("column", "", "group", default=None)
    rows_are: str = part("choice", default="actual", choices=("actual", "predicted"))

    def is_matrix(self, rows: int) -> bool:
        """Whether the counts are a square matrix rather than TP, FP, FN and TN in each row."""
        four = zip(self.counts, names.COUNT_NAMES.values(), strict=False)
        if len(self.counts) == 4 and all(names.simple(name) in words for name, words in four):
            return False
        return len(self.counts) == rows

    def check(self, rows: int) -> None:
        """Refuse columns that are neither the four counts nor a square matrix."""
        if len(self.counts) != 4 and not self.is_matrix(rows):
            sentence = f"{'1 column' if len(self.counts) == 1 else f'{len(self.counts)} columns'} of counts and "
            sentence += f"{rows_text(rows)} do not make a square matrix. Choose as many columns as there are rows, or "
            raise ReadProblem(f"{sentence}the four columns TP, FP, FN and TN.")


def counts(table: Table[CountRoles], system: str | None = None) -> ConfusionCounts:
    """See `DataSet.counts`."""
    if table.roles.is_matrix(len(table)):
        raise ReadProblem("This table is a matrix of classes. Choose the columns TP, FP, FN and TN.")
    rows = _four_counts(table)
    return ConfusionCounts(*rows[choose(system, rows, "row of counts")])


def matrix(table: Table[CountRoles], system: str | None = None) -> ConfusionMatrix:
    """The square matrix with the actual classes in its rows; four counts as a matrix of two classes."""
    if not table.roles.is_matrix(len(table)):
        four = counts(table, system)
        return ConfusionMatrix(("positive", "negative"), [[four.tp, four.fn], [four.fp, four.tn]])
    roles = table.roles
    cells = _cells(table)
    for row, column in np.argwhere(np.isnan(cells))[:1]:
        sentence = f"The matrix has no number in column {named(roles.counts[column])}, {table.lines.at(row)}. Fill in "
        raise ReadProblem(f"{sentence}every cell, with 0 where nothing was counted.")
    if roles.group and (order := row_order(table.frame[roles.group], roles.counts)) is not None:
        cells = cells[order]
    return ConfusionMatrix(class_names(roles.counts), cells if roles.rows_are == "actual" else cells.T)


def systems(table: Table[CountRoles]) -> tuple[str, ...]:
    """The names of the rows of counts; none for a matrix, or if a count is bad."""
    try:
        return () if table.roles.is_matrix(len(table)) else tuple(_four_counts(table))
    except ReadProblem:  # a finding says why
        return ()


def tally(table: Table[CountRoles], system: str | None = None) -> tuple[int, int | None]:
    """The sum of the counts, and of the actual positives where they are known."""
    try:
        if table.roles.is_matrix(len(table)):
            return int(matrix(table).counts.sum()), None
        four = counts(table, system)
    except ReadProblem:  # a finding says why
        return len(table), None
    return int(four.total), int(four.actual_positives)


def _four_counts(table: Table[CountRoles]) -> dict[str, tuple[float, ...]]:
    """The four counts (tp, fp, fn, tn) of each system by its name; rows with a missing count are left out."""
    cells, unnamed = _cells(table), PurePath(table.name).stem or "table"
    by_name: dict[str, tuple[float, ...]] = {}
    for index in np.flatnonzero(~np.isnan(cells).any(axis=1))[:MOST_SYSTEMS]:
        name = text_of(table.frame[table.roles.group].iloc[index]) if table.roles.group else ""
        name = name or (unnamed if len(table) == 1 else table.lines.at(index))
        base, again = name, 2
        while name in by_name:
            name, again = f"{base} ({again})", again + 1
        by_name[name] = tuple(cells[index].tolist())
    if not by_name:
        raise ReadProblem("No row has all four counts. Fill in TP, FP, FN and TN, with 0 where nothing was counted.")
    return by_name


def _cells(table: Table[CountRoles]) -> np.ndarray:
    """The counts as floats, nan where they are missing; refuses a count that is negative or infinite."""
    cells = table.frame[list(table.roles.counts)].to_numpy(np.float64, na_value=np.nan)
    for problem in _bad_cells(table, cells):
        raise ReadProblem(problem.sentence)
    return cells


def count_findings(table: Table[CountRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about the four counts or the matrix."""
    roles, is_matrix = table.roles, table.roles.is_matrix(len(table))
    counts = np.column_stack([columns[name].numbers for name in table.roles.counts])
    yield from _bad_cells(table, counts)
    if is_matrix and (shares := share_finding(counts, table.roles.rows_are)) is not None:
        yield shares
    else:
        yield from _bad_cells(table, counts, are_fractions=True)
    yield from _missing_cells(table, counts, is_matrix)
    if is_matrix:
        other = "predicted" if roles.rows_are == "actual" else "actual"
        told = rows_are(roles.group or "", table.frame[roles.group] if roles.group else (), roles.counts)
        is_guess = not told and roles.rows_are == "actual"
        sentence = "No heading tells which side of the matrix is the truth. Its" if is_guess else "The"
        sentence += f" rows {'' if is_guess else 'of the matrix '}are read as {roles.rows_are} classes, its columns as "
        sentence += f"{other} classes. If it is the other way round, transpose it."
        level = "warning" if is_guess else "info"
        yield Finding(level, sentence, len(counts), other, code="matrix rows", role="rows_are")
    else:
        yield from _different_rows(counts)
        tp, _, fn, _ = counts[0]
        if 0 < (total := counts[0].clip(max=_MOST).sum()) <= _MOST:
            yield from rare_class((tp + fn) / total, total, "actual positives")
        yield from unlisted_systems(int((~np.isnan(counts).any(axis=1)).sum()))
    if not np.nan_to_num(counts).any() and not np.isnan(counts).all():
        sentence = "All counts are 0, so every measure is undefined. Fill in the counts."
        yield Finding("error", sentence, len(counts), code="no counts")


def _bad_cells(table: Table[CountRoles], counts: np.ndarray, are_fractions: bool = False) -> Iterator[Finding]:
    """Counts that are negative or infinite, or fractions; named by the first."""
    bad = (counts < 0) | (counts > _MOST)
    level, advice = "error", "A count is a number of rows, 0 or more; correct the file."
    if are_fractions:
        bad = np.isfinite(counts) & (counts >= 0) & (counts != np.rint(counts))
        level, advice = "warning", "Fractions are used as weighted counts; intervals and tests expect whole numbers."
    for row, column in np.argwhere(bad)[:1]:
        name = table.roles.counts[column]
        sentence = f"Column {named(name)} holds {text_of(counts[row, column])} in {table.lines.at(row)}. {advice}"
        yield Finding(level, sentence, int(bad.sum()), name, code="fractions" if are_fractions else "bad counts")


def _missing_cells(table: Table[CountRoles], counts: np.ndarray, is_matrix: bool) -> Iterator[Finding]:
    for row, column in np.argwhere(np.isnan(counts))[:1]:
        name, lacking = table.roles.counts[column], int(np.isnan(counts).any(axis=1).sum())
        level, sentence = "error", f"Column {named(name)} has no number in {table.lines.at(row)}"
        if is_matrix:
            sentence += ". Fill in every cell, with 0 where nothing was counted."
        elif lacking == len(counts):
            sentence += ", and no row has all four counts. Fill them in."
        else:
            level, are = "warning", "is" if lacking == 1 else "are"
            sentence += f"; {rows_text(lacking)} without all four counts {are} left out."
        yield Finding(level, sentence, lacking, name, code="missing counts")


def _different_rows(counts: np.ndarray) -> Iterator[Finding]:
    complete = counts[~np.isnan(counts).any(axis=1)]
    tp, fp, fn, tn = complete.T
    if len(complete) > 1 and (np.ptp(tp + fn) or np.ptp(fp + tn)):
        sentence = "The systems have different numbers of positives and negatives, so they may have been evaluated on "
        sentence += "different rows. Compare them with care."
        yield Finding("info", sentence, len(complete), code="different rows")


def _recognise_four(columns: Columns) -> dict[str, Any]:
    columns_of = {}
    for key, words in names.COUNT_NAMES.items():
        fitting = [c for c in columns if names.simple(c.name) in words and (c.is_number or c.missing_count == len(c))]
        if len(fitting) != 1:
            return {}
        columns_of[key] = fitting[0].name
    others = [c for c in columns if c.name not in columns_of.values()]
    naming = [c for c in others if names.simple(c.name) in names.SYSTEM] or [c for c in others if not c.is_number]
    return {"counts": tuple(columns_of.values()), "group": naming[0].name if naming else None}


def _recognise_matrix(columns: Columns) -> dict[str, Any]:
    everything = list(columns)
    if columns.rows >= 2 and len(everything) == columns.rows + 1 and all(c.is_number for c in everything[1:]):
        first, counts = everything[0], tuple(c.name for c in everything[1:])
        if row_order(first.values, counts) is not None:
            side = rows_are(first.name, first.values, counts) or "actual"
            return {"counts": counts, "group": first.name, "rows_are": side}
    is_square = columns.rows == len(everything) >= 2 and not any(map(_has_other_meaning, everything))
    return {"counts": tuple(c.name for c in everything)} if is_square else {}


def _has_other_meaning(column: Column) -> bool:
    tests = (names.is_actual, names.is_predicted, names.is_score, names.is_estimate, names.is_identifier)
    if any(test(column.name) for test in tests) or names.simple(column.name) in names.WEIGHT | names.GROUP:
        return True
    return not (column.is_number and column.is_whole and not column.missing_count and (column.numbers >= 0).all())


def _recognise(columns: Columns) -> dict[str, Any]:
    return _recognise_four(columns) or _recognise_matrix(columns)


COUNTS = Kind(
    "counts", "TP, FP, FN and TN, one row per system; or a square confusion matrix", CountRoles,
    states=states(counts, matrix), findings=(count_findings,), systems=systems, tally=tally,
    assign=lambda candidates: _recognise(candidates.columns), recognise=_recognise,
)  # fmt: skip
