"""Findings about rows that belong together: a column that says so, and clusters that cannot bear an interval."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.classification.cluster_sizes import LEAST_OF_OTHERS, degrees_of_sizes, few_heavy_sizes
from evalcore.numeric import Array
from evalcore.readers import column_names as names
from evalcore.readers.columns import Column, Columns
from evalcore.readers.problems import Finding, named
from evalcore.readers.table import Table
from evalcore.readers.values import plain
from evalcore.readers.weights import line_counts
from evalcore.wording.numbers import count_text

LEAST_IDS = 20
"""Different values from which on a column of ids is offered that no known word names."""


def cluster_findings(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """About the column that rows belong to or, where none is chosen, about one that could be."""
    if (name := table.roles.get("cluster")) is None:
        yield from _rows_together(table, columns)
    else:
        yield from _about_clusters(table, columns[name])


def _rows_together(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Rows of the same patient, customer, fold or other id, which are not independent."""
    parts = (value for part, value in table.roles.parts.items() if part != "group")
    used = {name for part in parts for name in (part if isinstance(part, tuple) else (part,))}
    candidates = [one for one in columns if one.name not in used and not one.numbers_rows]
    by_name = [one for one in candidates if names.is_case(one.name)]
    others = [one for one in candidates if names.is_fold(one.name) or names.has_id_suffix(one.name)]
    lines = _rows_of_lines(table)
    for column in [*by_name, *others]:
        counts = np.sort(_sizes(pd.factorize(column.values)[0], lines))[::-1]
        rows, cases = round(counts.sum()), len(counts)
        known = column in by_name or names.is_fold(column.name)
        if cases < (2 if known else LEAST_IDS) or 2 * int(counts[counts > 1].sum()) < rows:
            continue
        alike = counts[0] == counts[-1]
        each = f"{count_text(counts[0])} rows each" if alike else f"{rows / cases:.1f} rows each on average"
        what = "folds" if names.is_fold(column.name) else "cases"
        sentence = (
            f"Column {named(column.name)} names {count_text(cases)} {what} with {each}. Intervals and tests treat rows "
        )
        sentence += f"as independent; where the rows of a {what[:-1]} are alike, that makes them too confident. Choose "
        sentence += f'the column under "Rows belong to" to have them use whole {what}.'
        level = "warning" if column in by_name else "info"
        yield Finding(level, sentence, cases, column.name, code="rows together", role="cluster")
        return


def _rows_of_lines(table: Table[Any]) -> Array:
    counts = line_counts(table)
    return np.ones(len(table)) if counts is None else counts


def _sizes(codes: npt.NDArray[np.intp], lines: Array) -> Array:
    """How many rows the lines of each case stand for, from the codes of cases; cases of no rows are none."""
    held = (codes >= 0) & (lines > 0)
    return np.bincount(np.unique(codes[held], return_inverse=True)[1], lines[held]).astype(np.float64)


def _about_clusters(table: Table[Any], column: Column) -> Iterator[Finding]:
    """Where the chosen clusters change nothing, allow no interval, are missing, or hold one class each."""
    missing = column.missing_count
    lines = _rows_of_lines(table)
    cases = int(column.values[~column.missing & (lines > 0)].nunique())
    if missing:
        alone = "it counts as a cluster of its own" if missing == 1 else "each of them counts as a cluster of its own"
        sentence = f"Column {named(column.name)} is empty in {table.lines.among(column.missing)}; {alone}."
        yield Finding("info", sentence, missing, column.name, code="no cluster")
    if effects := [*without_effect(column.name, cases + missing, round(lines.sum()), ("row", "rows"))]:
        yield from effects
        return
    yield from _few_heavy(table, column)
    yield from _one_class_each(table, column)


def without_effect(column: str, cases: int, count: int, unit: tuple[str, str]) -> Iterator[Finding]:
    """Where each of so many rows or queries is a case of its own, so that nothing changes, or all are one case."""
    if cases == count:
        sentence = (
            f"Column {named(column)} is different in each {unit[0]}, so no {unit[1]} belong together and nothing "
            "changes. Choose another column, or none."
        )
        yield Finding("info", sentence, cases, column, code="rows alone")
    elif cases == 1:
        sentence = (
            f"All {unit[1]} belong to the same case of column {named(column)}, so nothing tells how cases differ and "
            "there are no intervals or tests. Choose another column, or none."
        )
        yield Finding("warning", sentence, 1, column, code="one cluster")


def _few_heavy(table: Table[Any], column: Column) -> Iterator[Finding]:
    """Where few clusters hold most of all rows, or of those of either class."""
    # A row that says nothing is a cluster of its own.
    lines, codes = _rows_of_lines(table), pd.factorize(column.values)[0]
    codes = np.where(column.missing, len(codes) + np.arange(len(codes)), codes)
    parts = {"": np.ones(len(codes), dtype=bool)}
    truth, positive = table.roles.get("actual"), table.roles.get("positive")
    if truth is not None and positive is not None:
        labels = table.frame[truth]
        known, (places, values) = labels.notna().to_numpy(bool), pd.factorize(labels, use_na_sentinel=False)
        is_positive = np.array([plain(value) == plain(positive) for value in values], dtype=bool)[places]
        parts = {"": known, "positive ": known & is_positive, "negative ": known & ~is_positive}
    for which, rows in parts.items():
        sizes = _sizes(codes[rows], lines[rows])
        if not few_heavy_sizes(sizes, least=LEAST_OF_OTHERS):
            continue
        worth = count_text(math.ceil(1 + degrees_of_sizes(sizes)))
        sentence = (
            f"Few cases of column {named(column.name)} hold most {which}rows: the {count_text(len(sizes))} cases tell "
            f"no more about how cases differ than {worth} of equal size. "
        )
        if few_heavy_sizes(sizes):
            sentence += (
                "Intervals may miss the true value more often than stated, and no threshold is promised to keep a "
            )
            sentence += "limit on these rows."
        else:
            sentence += "Intervals of areas, ratios and differences may miss the true value more often than stated."
        yield Finding("warning", sentence, len(sizes), column.name, code="few heavy clusters")
        return


def _one_class_each(table: Table[Any], column: Column) -> Iterator[Finding]:
    truth, positive = table.roles.get("actual"), table.roles.get("positive")
    if truth is None or positive is None:
        return
    labels = table.frame[truth]
    used = (~column.missing) & labels.notna().to_numpy(bool) & (_rows_of_lines(table) > 0)
    is_positive = np.array([plain(value) == plain(positive) for value in pd.unique(labels[used])], dtype=bool)
    codes, values = pd.factorize(labels[used])
    positives = pd.Series(is_positive[codes] if len(values) else codes.astype(bool))
    shares = positives.groupby(pd.factorize(column.values[used])[0]).agg(["any", "all"])
    if not len(shares) or (shares["any"] != shares["all"]).any():
        return
    own = int(shares["any"].sum())
    others = len(shares) - own
    if not own or not others:
        return
    sentence = f"Each case of column {named(column.name)} has rows of one class only: {count_text(own)} "
    sentence += f"{'is' if own == 1 else 'are'} positive and {count_text(others)} negative. No two classes can be "
    sentence += "compared within a case, and the AUC is as sure as the smaller of these numbers allows."
    yield Finding("info", sentence, len(shares), column.name, code="one class per cluster")
