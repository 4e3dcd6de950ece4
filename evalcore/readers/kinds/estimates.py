"""Tables of estimates: a true number in each row and what one or more systems estimated."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import numpy as np

from evalcore.estimation import Estimates
from evalcore.numeric import Array
from evalcore.readers.base import Column, Columns, Finding, named
from evalcore.readers.base.column_names import is_actual, is_estimate, is_predicted
from evalcore.readers.kinds.kind import Candidates, Kind, states
from evalcore.readers.table import counted_rows, each_counts_alike
from evalcore.readers.table.findings import codes_among_numbers, infinite_numbers, missing_cells, row_findings
from evalcore.readers.table.table import RowRoles, Rows, Table, complete_in, complete_rows, kept, numbers_of, part
from evalcore.wording.numbers import number_text, rows_text

__all__ = ["ESTIMATES", "EstimateRoles"]

# Rows, correlation and factor from which on numbers in another unit are suspected.
_FEWEST, _ALIKE, _FACTOR = 10, 0.8, 1.8


@dataclass(frozen=True, kw_only=True)
class EstimateRoles(RowRoles):
    """Roles of rows with a true number and estimates, one column per system."""

    kind = "estimates"
    truth: str = part("column", "True number", "true number", numbers=True, sole=True)
    estimate: tuple[str, ...] = part("columns", "Estimates (one per system)", "estimate", numbers=True, sole=True)


@kept("estimates", lambda table: table.roles.estimate, "estimate column")
def _both(table: Table[EstimateRoles], system: str) -> tuple[Rows, Estimates]:
    """The rows that have both numbers finite, and these numbers."""
    truth, estimate = numbers_of(table, table.roles.truth), numbers_of(table, system)
    complete, weights, clusters = complete_rows(table, np.isfinite(truth), np.isfinite(estimate))
    if not complete.all():  # a copy of a million rows costs as much memory as they do
        truth, estimate = truth[complete], estimate[complete]
    own = None if table.roles.cluster is None else clusters
    state = Estimates(truth, estimate, weights, own, not each_counts_alike(table))
    return Rows(complete, weights, clusters), state


def _assigned(candidates: Candidates) -> dict[str, Any]:
    truth = candidates.one("truth")
    return {**candidates.beside, "truth": truth, "estimate": candidates.fitting("estimate", truth)}


def estimate_findings(table: Table[EstimateRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about the true numbers and each estimate."""
    truth = columns[table.roles.truth]
    yield from codes_among_numbers(table, [columns[name] for name in (truth.name, *table.roles.estimate)])
    for name in (truth.name, *table.roles.estimate):
        column = columns[name]
        yield from missing_cells(table, column, "number")
        yield from infinite_numbers(table, column)
        finite = column.numbers[np.isfinite(column.numbers)]
        if finite.size > 1 and finite.min() == finite.max():
            undefined = "R² is undefined: nothing varies that could be explained"
            so = undefined if column is truth else "they say nothing about the rows"
            sentence = f"All numbers in column {named(name)} are equal, so {so}. Is it the right column?"
            yield Finding("warning", sentence, int(finite.size), name, code="equal numbers")
    yield from _of_domains(truth)
    for name in table.roles.estimate:
        both = np.isfinite(truth.numbers) & np.isfinite(columns[name].numbers)
        if both.any() and (truth.numbers[both] == columns[name].numbers[both]).all():
            sentence = f"Column {named(name)} equals column {named(truth.name)} in every row. Was the truth copied?"
            yield Finding("warning", sentence, int(both.sum()), name, code="copied truth")
        elif both.any():
            yield from _of_pair(truth, columns[name], truth.numbers[both], columns[name].numbers[both])


def _of_domains(truth: Column) -> Iterator[Finding]:
    """Find true numbers that make measures undefined: zeros and negative ones; and a single row."""
    numbers = truth.numbers[np.isfinite(truth.numbers)]
    name, zeros, negative = named(truth.name), int((numbers == 0).sum()), int((numbers < 0).sum())
    if zeros:
        sentence = f"Column {name} is 0 in {rows_text(zeros)}, so the percentage error (MAPE) is undefined."
        yield Finding("info", sentence, zeros, truth.name, code="zeros")
    if negative:
        sentence = f"Column {name} is negative in {rows_text(negative)}, so deviances of counts and amounts (Poisson, "
        sentence += "gamma, Tweedie) are undefined."
        yield Finding("info", sentence, negative, truth.name, code="negative numbers")
    if len(numbers) == 1:
        sentence = f"Only one row has a number in column {name}, so nothing has an interval."
        yield Finding("warning", sentence, 1, truth.name, code="one number")


def _of_pair(truth: Column, column: Column, true: Array, estimate: Array) -> Iterator[Finding]:
    """Find truth and estimate that are swapped, by their names, or in different units."""
    if (is_estimate(truth.name) or is_predicted(truth.name)) and is_actual(column.name):
        sentence = f"Column {named(truth.name)} is used as the true number and {named(column.name)} "
        sentence += "as the estimate. By their names it is the other way round: swap them on the Data page."
        yield Finding("warning", sentence, len(true), column.name, code="swapped truth")
    counted = (true != 0) & (estimate != 0)
    if counted.sum() < _FEWEST:
        return
    factor = float(np.median(estimate[counted] / true[counted]))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        alike = np.corrcoef(true, estimate)[0, 1] > _ALIKE
    if not alike or not factor > 0 or 1 / _FACTOR < factor < _FACTOR:
        return
    far = f"about {number_text(factor)} times" if factor > 1 else f"about 1/{number_text(1 / factor)} of"
    sentence = f"The numbers in column {named(column.name)} are {far} those in column {named(truth.name)}, and follow "
    sentence += "them closely. Are they in another unit? Convert one of them, or the errors mean nothing."
    percent = f"scale~{quote(column.name, safe='')}~percent" if abs(factor - 100) < 1 else None
    yield Finding("warning", sentence, len(true), column.name, percent, code="another unit")


ESTIMATES = Kind(
    "estimates", "the true number; the estimate, one column per system", EstimateRoles,
    states=states(
        estimate_rows=lambda *chosen: _both(*chosen)[0], estimates=lambda *chosen: _both(*chosen)[1],
        left_out=lambda *chosen: _both(*chosen)[0].left_out,
    ),
    findings=(estimate_findings, row_findings), systems=lambda table: table.roles.estimate, assign=_assigned,
    tally=lambda table, system: (counted_rows(table, complete_in(table, table.roles.truth, system)), None),
)  # fmt: skip
