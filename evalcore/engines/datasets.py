"""Data sets made of summaries: each row stands for as many rows as its weight, so every page takes it as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.engines.frames import asked
from evalcore.engines.labels import LabelCounts
from evalcore.engines.score_bounds import auc_bounds
from evalcore.engines.scores import ScoreCounts
from evalcore.engines.stored import StoredTable
from evalcore.readers import DataSet, Finding, ReadProblem, Roles, named
from evalcore.readers.frames import content_of
from evalcore.readers.problems import Lines
from evalcore.readers.values import text_of
from evalcore.wording.numbers import count_text

__all__ = ["roles_in", "summary_dataset"]

_SEEN = 20_000
"""Rows that are read to see what the columns are."""

_UNUSED = ("weight", "cluster")


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


def summary_dataset(frame: Any, roles: Roles, system: str | None = None, name: str = "table") -> DataSet:
    """The data set of a table that is not loaded: one row per combination of labels, or per score or bin and class.

    Its weights count rows, so that measures, intervals and tests are those of the rows themselves. Of scores it holds
    one system; scores in bins stand at the lax end of their bin, where the counts are exact.

    Parameters
    ----------
    frame : table of DuckDB, Polars, PySpark, Dask, pandas or pyarrow
    roles : Roles
        Of labels or of scores.
    system : str, optional
        The column of scores, by default the first.

    Raises
    ------
    ReadProblem
        If the roles are of another kind, or rows are weighted or belong together; and as the states.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from evalcore.readers import roles_of
    >>> table = pa.table({"ill": ["yes", "no", "yes", "no"] * 50, "score": [0.9, 0.2, 0.4, 0.4] * 50})
    >>> data = summary_dataset(table, roles_of(actual="ill", score=("score",), positive="yes"))
    >>> len(data), data.scored().positives, float(data.scored().counts_at(0.4).fp)
    (4, 100.0, 50.0)
    """
    for part in _UNUSED:
        if roles.get(part) is not None:
            raise ReadProblem(f"Rows with {named(roles.get(part))} cannot be summed up yet. Leave out this role.")
    group = roles.get("group")
    if roles.kind == "labels":
        counts = LabelCounts.of(frame, roles.get("actual"), roles.get("predicted"), group=group)
        names = [roles.get("actual"), *roles.get("predicted"), *([] if group is None else [group])]
        if (positive := roles.get("positive")) is not None:
            roles = replace(roles, positive=text_of(positive))
        columns = dict(zip(names, counts.summary.keys.values(), strict=True))
        return _dataset(columns, counts.summary.sums["count"], roles, counts.left_out, name, "")
    if roles.kind != "scores":
        raise ReadProblem(
            f"A table of {roles.kind} cannot be summed up as a data set. Choose roles of labels or scores."
        )
    column: str = system or roles.get("score")[0]
    positive = roles.get("positive")
    if positive is None:
        raise ReadProblem(f"Choose which label of {named(roles.get('actual'))} is positive.")
    higher = roles.get("higher_is_positive", True)
    scores = ScoreCounts.of(frame, roles.get("actual"), column, positive, group=group, higher_is_positive=higher)
    bins = scores.summary
    # In all groups a bin stands at one score.
    every = scores.bins
    ends = every.lowest["lowest"] if higher else every.highest["highest"]
    edges = ends[every.keys["key"].searchsorted(bins.keys["key"])]
    positives = bins.sums["positives"]
    rows = np.concatenate([positives, bins.sums["count"] - positives])
    label = text_of(positive)
    labels = np.repeat(np.array([label, f"not {label}"], dtype=object), len(edges))
    parts = {roles.get("actual"): labels, column: np.tile(edges, 2)}
    if group is not None:
        parts[group] = np.tile(bins.keys["group"], 2)
    roles = replace(roles, score=(column,), positive=label, predicted=())
    note = ""
    if not scores.is_exact:
        low, high = (f"{value:.6f}" for value in vars(auc_bounds(scores)).values())
        note = f" Scores are counted in {count_text(len(every))} bins; the AUC certainly lies between {low} and {high}."
    return _dataset(parts, rows, roles, sum(scores.left_out.values()), name, note)


def _dataset(
    columns: dict[str, np.ndarray], rows: np.ndarray, roles: Roles, left_out: float, name: str, note: str
) -> DataSet:
    weight = "rows"
    while weight in columns:
        weight += " counted"
    used = rows > 0
    lists = {column: values[used].tolist() for column, values in columns.items()}
    table = nw.from_dict({**lists, weight: rows[used].astype(np.int64)}, backend="pandas")
    sentence = f"{count_text(rows.sum())} rows are counted here, and {count_text(left_out)} without a label or a number"
    sentence += f" are left out: each row stands for as many as column {named(weight)} says.{note}"
    finding = Finding("info", sentence, int(rows.sum()), weight, code="counted rows")
    roles = replace(roles, weight=weight, weights_are="counts")
    data = DataSet.of(table.to_native(), name, roles=roles, read_findings=(finding,))
    # Others, such as ties, would speak of the rows of the summary.
    return replace(data, findings=(finding,))
