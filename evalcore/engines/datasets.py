"""Data sets made of summaries: each row stands for as many rows as its weight, so every page takes it as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.engines.estimate_cells import estimate_dataset
from evalcore.engines.frames import MOST_ROWS, asked, free_name
from evalcore.engines.labels import LabelCounts
from evalcore.engines.row_weights import weights_are
from evalcore.engines.score_bounds import auc_bounds
from evalcore.engines.scores import ScoreCounts
from evalcore.engines.stored import StoredTable
from evalcore.numeric import Array
from evalcore.readers import DataSet, Finding, ReadProblem, Roles, Unloaded, named
from evalcore.readers.frames import content_of
from evalcore.readers.problems import Lines
from evalcore.readers.values import text_of
from evalcore.wording.numbers import count_text

__all__ = ["roles_in", "summary_dataset"]

_SEEN = 20_000
"""Rows that are read to see what the columns are."""


def roles_in(stored: StoredTable) -> Roles:
    """Which column plays which part, as far as the first rows tell.

    >>> import duckdb, tempfile
    >>> from evalcore.engines import open_stored
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows = "select 'ab'[1 + range % 2] as actual, 'ab'[1 + range % 3 % 2] as predicted from range(60)"
    ...     _ = duckdb.connect().execute(f"copy ({rows}) to '{folder}/part.parquet'")
    ...     roles_in(open_stored(folder)).to_text()
    'actual~actual~~predicted~predicted~~positive~b'
    """
    table = asked(lambda: nw.from_native(stored.frame.limit(_SEEN)).collect().to_arrow())
    return DataSet.of(content_of(table, list(table.column_names), Lines(1, "row"), [])[0]).roles


def summary_dataset(
    frame: Any, roles: Roles, system: str | None = None, name: str = "table", unloaded: Unloaded | None = None
) -> DataSet:
    """The data set of a table that is not loaded: one row per combination of labels, or per score or bin and class.

    Its weights count rows, so that measures, intervals and tests are those of the rows themselves. Rows that belong
    together are written out one by one again, up to two million; of more, intervals rest on the effective number of
    what they belong to. Weights of the table that are importances add up to the rows that they tell as much as. Of
    labels it holds all systems, which can be compared; of scores one, and bins stand at their lax end, where the counts
    are exact. Estimates are counted in cells, as `estimate_dataset` says.

    Parameters
    ----------
    frame : table of DuckDB, Polars, PySpark, Dask, pandas or pyarrow
    roles : Roles
        Of labels, of scores or of estimates.
    system : str, optional
        The column of scores or estimates, by default the first.
    unloaded : Unloaded, optional
        Where the table lies, which the data set then tells.

    Raises
    ------
    ReadProblem
        If the roles are of another kind; and as the states.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from evalcore.readers import roles_of
    >>> table = pa.table({"ill": ["yes", "no", "yes", "no"] * 50, "score": [0.9, 0.2, 0.4, 0.4] * 50})
    >>> data = summary_dataset(table, roles_of(actual="ill", score=("score",), positive="yes"))
    >>> len(data), data.scored().positives, float(data.scored().counts_at(0.4).fp)
    (4, 100.0, 50.0)
    """
    unloaded = replace(unloaded or Unloaded("", name), roles=roles.to_text())
    beside = {"group": roles.get("group"), "unit": roles.get("cluster"), "weight": roles.get("weight")}
    if roles.kind == "labels":
        counts = LabelCounts.of(frame, roles.get("actual"), roles.get("predicted"), **beside)
        names = [roles.get("actual"), *roles.get("predicted")]
        columns = dict(zip(names, counts.summary.keys.values(), strict=False))
        if (positive := roles.get("positive")) is not None:
            roles = replace(roles, positive=text_of(positive))
        data = _dataset(columns, counts.summary.sums["count"], counts, roles, frame, name)
        return replace(data, unloaded=replace(unloaded, rows=data.findings[0].count))
    if roles.kind == "estimates":
        return estimate_dataset(frame, roles, system, name, unloaded)
    if roles.kind != "scores":
        raise ReadProblem(
            f"A table of {roles.kind} cannot be summed up as a data set. Choose roles of labels, scores or estimates."
        )
    column: str = system or roles.get("score")[0]
    positive = roles.get("positive")
    if positive is None:
        raise ReadProblem(f"Choose which label of {named(roles.get('actual'))} is positive.")
    higher = roles.get("higher_is_positive", True)
    scores = ScoreCounts.of(frame, roles.get("actual"), column, positive, higher_is_positive=higher, **beside)
    bins = scores.summary
    # In all groups a bin stands at one score.
    every = scores.bins
    at = every.keys["key"].searchsorted(bins.keys["key"])
    ends = every.lowest["lowest"][at], every.highest["highest"][at]
    edges, others = ends if higher else ends[::-1]
    positives = bins.sums["positives"]
    rows = np.concatenate([positives, bins.sums["count"] - positives])
    label = text_of(positive)
    labels = np.repeat(np.array([label, scores.negative or f"not {label}"], dtype=object), len(edges))
    parts = {roles.get("actual"): labels, column: np.tile(edges, 2)}
    ends_name = None if scores.is_exact else free_name(f"other end of {column}", {*parts, *beside.values()})
    if ends_name is not None:
        parts[ends_name] = np.tile(others, 2)
    roles = replace(roles, score=(column,), positive=label, predicted=())
    data = _dataset(parts, rows, scores, roles, frame, name)
    return replace(data, unloaded=replace(unloaded, rows=data.findings[0].count, system=column, ends=ends_name))


def _dataset(
    columns: dict[str, np.ndarray], sums: Array, counts: LabelCounts | ScoreCounts, roles: Roles, frame: Any, name: str
) -> DataSet:
    """The table whose rows are the entries of a summary: so many rows, or so much weight, in each."""
    keys, given, unit = counts.summary.keys, roles.get("weight"), roles.get("cluster")
    sides = -(-len(sums) // max(len(counts.summary), 1))
    if "group" in keys:
        columns[roles.get("group")] = np.tile(keys["group"], sides)
    times, worth, are = np.where(sums > 0, 1, 0), 1.0, roles.get("weights_are") or "counts"
    if unit is not None:
        units = np.tile(keys["unit"], sides)
        columns[unit] = np.where(units == "", np.array(None), units)
        if given is None:
            # Counts of rows tell more than weights: how many rows there are.
            times = np.where((units == "") | (sums.sum() <= MOST_ROWS), sums, times)
    if given is not None and roles.get("weights_are") is None:
        are = weights_are(frame, given)
    if are == "importance" and unit is None:
        worth, are = counts.effective / sums.sum(), "counts"
    if times.sum() > MOST_ROWS:
        raise ReadProblem(
            f"More than {count_text(MOST_ROWS)} rows have nothing in column {named(unit)}. Leave out what rows belong "
            "to, or these rows."
        )
    used = np.repeat(np.arange(len(sums)), times.astype(np.intp))
    lists = {column: values[used].tolist() for column, values in columns.items()}
    weights = worth * sums[used] / times[used]
    weight = free_name(given or "rows", lists)
    is_counted = given is not None or unit is None or bool((weights > 1).any())
    if is_counted:
        lists[weight] = weights if given is not None else weights.astype(np.int64)
    roles = replace(roles, weight=weight if is_counted else None, weights_are=are if is_counted else None)
    finding = _finding(counts, weight if is_counted else None, given, worth)
    table = nw.from_dict(lists, backend="pandas").to_native()
    # Others, such as ties, would speak of the rows of the summary.
    return replace(DataSet.of(table, name, roles=roles, read_findings=(finding,)), findings=(finding,))


def _finding(counts: LabelCounts | ScoreCounts, weight: str | None, given: str | None, worth: float) -> Finding:
    """What the rows of the data set stand for, and what is left out or not exact."""
    left_out = counts.left_out if isinstance(counts, LabelCounts) else sum(counts.left_out.values())
    sums = counts.summary.sums
    rows = int(sums.get("rows", sums["count"]).sum())
    sentence = f"{count_text(rows)} rows are counted here, and {count_text(left_out)} without a label or a number are "
    sentence += "left out"
    if given is not None:
        sentence += f": column {named(weight)} adds up their weights"
        if worth != 1:
            sentence += f", scaled to the {count_text(round(counts.effective))} rows of equal weight that tell as much"
    elif weight is not None:
        sentence += f": each row stands for as many as column {named(weight)} says"
    sentence += "."
    if isinstance(counts, ScoreCounts) and not counts.is_exact:
        low, high = (f"{value:.6f}" for value in vars(auc_bounds(counts)).values())
        bins = count_text(len(counts.bins))
        sentence += f" Scores are counted in {bins} bins; the AUC certainly lies between {low} and {high}."
    return Finding("info", sentence, rows, weight, code="counted rows")
