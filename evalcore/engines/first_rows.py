"""The first rows of a table that is not loaded, to see what its columns are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pyarrow import types

from evalcore.engines.frames import ASKING, asked, lazy
from evalcore.engines.stored import StoredTable, quoted
from evalcore.readers import DataSet, ReadProblem, Roles, Unloaded, first_rows_finding, group_finding
from evalcore.readers.frames import content_of
from evalcore.readers.number_texts import either_mark, may_be_thousands, with_mark_as
from evalcore.readers.problems import Lines
from evalcore.readers.values import Value, positive_value
from evalcore.wording.numbers import count_text

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FIRST_ROWS", "first_rows", "roles_by_labels"]

FIRST_ROWS = 20_000
"""Rows that are read to see what the columns are; a table that has no more is read whole."""

_CELLS = 4_000_000
"""Of many columns fewer rows are read, so that they have no more cells than this."""
_MOST_COLUMNS = 5_000


def first_rows(stored: StoredTable, unloaded: Unloaded | None = None) -> DataSet:
    """The data set of the first rows, with their roles; of all rows where these are few.

    Columns of lists and records are left out, and of more than 200 columns fewer rows are read. Where there are more
    rows, a group is offered by a finding and not recognised, as counting by it takes several times as long.

    Parameters
    ----------
    stored : StoredTable
        Or whatever has its `frame` and `name`.
    unloaded : Unloaded, optional
        Where the table lies.

    Raises
    ------
    ReadProblem
        If the table cannot be read, has no rows, or more than 5,000 columns.

    Examples
    --------
    >>> import duckdb, tempfile
    >>> from evalcore.engines import open_stored
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows = "select 'ab'[1 + range % 2] as actual, range % 7 / 10 as score from range(60)"
    ...     _ = duckdb.connect().execute(f"copy ({rows}) to '{folder}/part.parquet'")
    ...     data = first_rows(open_stored(folder))
    >>> len(data), data.roles.to_text()
    (60, 'actual~actual~~score~score~~positive~b')
    """
    frame = lazy(stored.frame)
    schema = asked(frame.collect_schema)
    plain = [name for name, dtype in schema.items() if not dtype.is_nested()]
    if len(plain) > _MOST_COLUMNS:
        raise ReadProblem(
            f"The table {stored.name} has {count_text(len(plain))} columns, and {count_text(_MOST_COLUMNS)} can be "
            "opened at most. Choose a table with fewer columns."
        )
    most = min(FIRST_ROWS, _CELLS // max(len(plain), 1))
    ASKING.get()("first rows")
    table = asked(lambda: frame.select(*plain).head(most + 1).collect().to_arrow()) if plain else None
    if table is None or not len(table):
        raise ReadProblem(f"The table {stored.name} has no rows of labels or numbers. Choose another one.")
    is_whole = len(table) <= most
    written, decimal, delimiter = _with_texts(table.slice(0, most), stored)
    counted = None if is_whole else [field.name for field in table.schema if not types.is_string(field.type)]
    names, lines = list(table.column_names), Lines(1, "row")
    content = content_of(written, names, lines, [], decimal, delimiter, counted)
    findings = content[2]
    if not is_whole:
        findings = [first_rows_finding(most), *findings]
    data = DataSet.of(content[0], stored.name, lines=content[1], read_findings=tuple(findings))
    if not is_whole and (group := data.roles.get("group")) is not None:
        findings = (*(one for one in data.findings if one.code != "no group"), group_finding(group, len(data)))
        data = replace(data, roles=replace(data.roles, group=None), findings=findings)
    unloaded = unloaded or Unloaded("", stored.name)
    rows = len(table) if is_whole else getattr(stored, "known_rows", 0)
    return replace(data, unloaded=replace(unloaded, rows=rows))


def _with_texts(table: pa.Table, stored: StoredTable) -> tuple[pa.Table, str | None, str]:
    """First rows with texts for numbers that may have marks of thousands, the decimal mark and the delimiter.

    The mark is None where no other number shows it; in CSV files the engine takes only points for decimal marks.
    """
    fractions = [field.name for field in table.schema if types.is_floating(field.type)]
    doubtful = [name for name in fractions if may_be_thousands(table[name])]
    texts = getattr(stored, "texts", lambda: None)() if doubtful else None
    if texts is None or not {*doubtful} <= {*texts[0].columns}:
        return table, None, ""
    chosen = ", ".join(map(quoted, doubtful))
    columns = asked(lambda: texts[0].limit(len(table)).project(chosen).to_arrow_table())
    for name in doubtful:
        column = columns[name].to_pandas()
        read = with_mark_as(column, "decimals") if either_mark(column) is not None else None
        if read is not None and read.equals(table[name].to_pandas()):
            table = table.set_column(table.column_names.index(name), name, columns[name])
    shown = any(types.is_floating(table[name].type) for name in fractions)
    return table, "." if shown else None, texts[1]


def roles_by_labels(data: DataSet, labels: Mapping[str, int]) -> Roles:
    """The roles of first rows once the labels of all rows are known, as `labels_in` gives them.

    Their positive label is the one that is most likely positive of all.

    >>> import pandas as pd
    >>> rows = DataSet.of(pd.DataFrame({"actual": [0, 0, 0], "score": [0.1, 0.2, 0.3]}))
    >>> rows = replace(rows, unloaded=Unloaded("", "log"))
    >>> roles_by_labels(rows, {"0": 5, "1": 2}).get("positive")
    1
    """
    counts: dict[Value, int] = {**labels}
    positive, _ = positive_value(counts)
    return data.with_roles(replace(data.roles, positive=positive).to_text()).roles
