"""The first rows of a table that is not loaded, to see what its columns are."""

from __future__ import annotations

from dataclasses import replace

from evalcore.engines.frames import asked, lazy
from evalcore.engines.stored import StoredTable
from evalcore.readers import DataSet, ReadProblem, Unloaded, first_rows_finding
from evalcore.readers.frames import content_of
from evalcore.readers.problems import Lines

__all__ = ["FIRST_ROWS", "first_rows"]

FIRST_ROWS = 20_000
"""Rows that are read to see what the columns are; a table that has no more is read whole."""


def first_rows(stored: StoredTable, unloaded: Unloaded | None = None) -> DataSet:
    """The data set of the first rows, with their roles; of all rows where these are few.

    Columns of lists and records are left out.

    Parameters
    ----------
    stored : StoredTable
        Or whatever has its `frame` and `name`.
    unloaded : Unloaded, optional
        Where the table lies.

    Raises
    ------
    ReadProblem
        If the table cannot be read, or has no rows.

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
    table = asked(lambda: frame.select(*plain).head(FIRST_ROWS + 1).collect().to_arrow()) if plain else None
    if table is None or not len(table):
        raise ReadProblem(f"The table {stored.name} has no rows of labels or numbers. Choose another one.")
    is_whole = len(table) <= FIRST_ROWS
    content = content_of(table.slice(0, FIRST_ROWS), list(table.column_names), Lines(1, "row"), [])
    findings = content[2]
    if not is_whole:
        findings = [first_rows_finding(FIRST_ROWS), *findings]
    data = DataSet.of(content[0], stored.name, lines=content[1], read_findings=tuple(findings))
    if unloaded is not None:
        unloaded = replace(unloaded, rows=len(table) if is_whole else 0)
    return replace(data, unloaded=unloaded)
