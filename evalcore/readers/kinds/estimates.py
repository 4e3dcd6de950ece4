"""Tables of estimates: a true number in each row and what one or more systems estimated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.estimation import Estimates
from evalcore.numeric import Array
from evalcore.readers.columns import Columns
from evalcore.readers.kinds.kind import Candidates, Kind
from evalcore.readers.problems import Finding, named
from evalcore.readers.roles import RowRoles, part
from evalcore.readers.row_findings import infinite_numbers, missing_cells, row_findings, weight_findings
from evalcore.readers.rows import Rows, chosen, complete_rows, numbers_of
from evalcore.readers.table import Table
from evalcore.readers.value_findings import codes_among_numbers
from evalcore.readers.weights import counted_weights

__all__ = ["ESTIMATES", "EstimateArrays", "EstimateRoles"]


@dataclass(frozen=True, kw_only=True)
class EstimateRoles(RowRoles):
    """Roles of rows with a true number and estimates, one column per system."""

    kind = "estimates"
    truth: str = part("column", "True number", "true number", numbers=True, sole=True)
    estimate: tuple[str, ...] = part("columns", "Estimates (one per system)", "estimate", numbers=True, sole=True)


@dataclass(frozen=True, eq=False)
class EstimateArrays(Rows):
    """True and estimated numbers of the rows that have both finite, shape (n,)."""

    truth: Array
    estimate: Array


def estimate_arrays(table: Table[EstimateRoles], system: str | None = None) -> EstimateArrays:
    """See `DataSet.estimate_arrays`."""
    system = chosen(system, table.roles.estimate, "estimate column")

    def build() -> EstimateArrays:
        truth, estimate = numbers_of(table, table.roles.truth), numbers_of(table, system)
        complete, weights, clusters = complete_rows(table, np.isfinite(truth), np.isfinite(estimate))
        if not complete.all():  # a copy of a million rows costs as much memory as they do
            truth, estimate = truth[complete], estimate[complete]
        return EstimateArrays(complete, weights, clusters, truth, estimate)

    return table.once("estimate arrays", system, build)


def estimates(table: Table[EstimateRoles], system: str | None = None) -> Estimates:
    """See `DataSet.estimates`."""
    system = chosen(system, table.roles.estimate, "estimate column")

    def build() -> Estimates:
        rows = estimate_arrays(table, system)
        clusters = None if table.roles.cluster is None else rows.clusters
        return Estimates(rows.truth, rows.estimate, counted_weights(table, rows.weights), clusters)

    return table.once("estimates", system, build)


def _assigned(candidates: Candidates) -> dict[str, Any]:
    truth = candidates.number
    return {**candidates.beside, "truth": truth, "estimate": candidates.numeric(truth)[:1]}


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
            so = "so there is nothing to estimate" if column is truth else "so they say nothing about the rows"
            sentence = f"All numbers in column {named(name)} are equal, {so}. Is it the right column?"
            yield Finding("warning", sentence, int(finite.size), name, code="equal numbers")
    for name in table.roles.estimate:
        both = np.isfinite(truth.numbers) & np.isfinite(columns[name].numbers)
        if both.any() and (truth.numbers[both] == columns[name].numbers[both]).all():
            sentence = f"Column {named(name)} equals column {named(truth.name)} in every row. Was the truth copied?"
            yield Finding("warning", sentence, int(both.sum()), name, code="copied truth")


ESTIMATES = Kind(
    title="estimates",
    needs="the true number; the estimate, one column per system",
    roles=EstimateRoles,
    pages=("estimate/regression", "estimate/distributions"),
    states={
        "estimate_arrays": estimate_arrays,
        "estimates": estimates,
        "left_out": lambda table, system=None: estimate_arrays(table, system).left_out,
    },
    findings=(estimate_findings, weight_findings, row_findings),
    systems=lambda table: table.roles.estimate,
    assign=_assigned,
)
