"""Tables of an engine: their columns are checked, and the results of queries become arrays."""

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from pathlib import PurePath
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.readers.base.problems import ReadProblem, listed, named
from evalcore.wording.numbers import count_text

__all__ = ["MOST_ROWS"]


def sentence_of(message: str) -> str | None:
    """Describe an error with file, column, line and remedy; None for unknown messages.

    >>> print(sentence_of('IO Error: Could not set lock on file "/data/log.duckdb": Conflicting lock is held'))
    Another program is writing to the database "log.duckdb". Close it there, then ask again.
    >>> print(sentence_of("CSV Error on Line: 55\\nOriginal Line: 1\\nExpected Number of Columns: 2 Found: 1"))
    Line 55 of the CSV file has 1 cell, and the table has 2 columns. Correct the line.
    """
    for pattern, write in _SENTENCES.items():
        if found := re.search(pattern, message, re.DOTALL):
            return write({name: text or "" for name, text in found.groupdict().items()})
    return None


def _file(parts: dict[str, str]) -> str:
    return named(PurePath(parts["file"]).name)


def _gone(parts: dict[str, str]) -> str:
    return f"The file {_file(parts)} is no longer there. Put it back, or open another one."


def _line(parts: dict[str, str]) -> str:
    return f"Line {count_text(int(parts['line']))} of the CSV file"


def _cells(parts: dict[str, str]) -> str:
    return f"{count_text(int(parts['cells']))} {'cell' if parts['cells'] == '1' else 'cells'}"


_CSV = r"CSV Error on Line: (?P<line>\d+)"
_FILE = r"[\"'](?P<file>[^\"'\n]+)[\"']"

_SENTENCES: dict[str, Callable[[dict[str, str]], str]] = {
    rf"{_CSV}.*?column \"(?P<column>.*?)\"\. Could not convert string \"(?P<value>.*?)\" to '": lambda parts: (
        f"{_line(parts)} holds {named(parts['value'])} in column {named(parts['column'])}, where earlier lines hold "
        "another type. Correct the cell."
    ),
    rf"{_CSV}.*?Expected Number of Columns: (?P<columns>\d+) Found: (?P<cells>\d+)": lambda parts: (
        f"{_line(parts)} has {_cells(parts)}, and the table has {count_text(int(parts['columns']))} columns. "
        "Correct the line."
    ),
    _CSV: lambda parts: f"{_line(parts)} cannot be read. Check its quotes and its encoding, which should be UTF-8.",
    rf"Could not set lock on file {_FILE}": lambda parts: (
        f"Another program is writing to the database {_file(parts)}. Close it there, then ask again."
    ),
    rf"No files found that match the pattern {_FILE}": _gone,
    # DuckDB takes the name of a Parquet file that is gone for a folder.
    r"Cannot access file \"(?P<file>[^\"\n]+?)/\*\*/": _gone,
    r"file system operations are disabled|external extensions is disabled": lambda parts: (
        "This view reads files outside its database, which is not possible here. Save it as a table, then open that."
    ),
    rf"schema mismatch in glob: column \"(?P<column>.*?)\".*could not be found in file {_FILE}": lambda parts: (
        f"The file {_file(parts)} has no column {named(parts['column'])}, which the first file of the folder has. "
        "Give all files of a folder the same columns."
    ),
    rf"reading file {_FILE}: failed to cast column \"(?P<column>.*?)\" from": lambda parts: (
        f"The file {_file(parts)} holds another type in column {named(parts['column'])} than the first file of the "
        "folder. Give all files of a folder columns of the same types."
    ),
    rf"(?:No magic bytes.*?file|Footer length error in file|File) {_FILE}(?= too small|\.|$)": lambda parts: (
        f"The file {_file(parts)} is damaged, or still being written. Write it once more, then ask again."
    ),
    rf"Failed to read file {_FILE}": lambda parts: (
        f"The file {_file(parts)} is damaged, or has changed meanwhile. Write it once more, then ask again."
    ),
    r"not a valid DuckDB database": lambda parts: (
        "The file is not a DuckDB database, or is damaged. Choose another file."
    ),
    r"selected columns were not found": lambda parts: (
        "The table no longer has all of the chosen columns. Open it again, then choose others."
    ),
    r"Out of Memory Error": lambda parts: (
        "The engine has too little memory for this query. Leave out the group, or what rows belong to, then ask again."
    ),
    r"No space left on device|could not write block": lambda parts: (
        "The folder for temporary files is full. Free some space there, then ask again."
    ),
}
"""By a pattern of DuckDB's message, the first that fits, the sentence."""

MOST_ROWS = 2_000_000
"""Rows of a summary: what is larger stays on the engine."""

ASKING: ContextVar[Callable[[str], None]] = ContextVar("asking", default=lambda what: None)
"""Called with what an engine is asked for next; the question is not asked if it raises."""

STOPPABLE: ContextVar[Callable[[Callable[[], None]], None]] = ContextVar("stoppable", default=lambda stop: None)
"""Called with the function that stops the queries of a connection that has just been made."""

_LONGEST_MESSAGE = 300

_CANCELLED = "SPARK_JOB_CANCELLED", "OPERATION_CANCELED"
"""What Spark, and Spark Connect, say of a query that was stopped."""


def lazy(frame: Any, connection: Any = None) -> nw.LazyFrame[Any]:
    """Return a table that computes nothing before it is collected; DuckDB computes for pandas and pyarrow.

    By default each gets a connection of its own, as the one that all share cannot be used by two threads at once.
    Raises ReadProblem if it is no table.
    """
    try:
        table = nw.from_native(frame)
    except TypeError:
        raise ReadProblem(
            f"{named(type(frame).__name__)} is not a table. Give one of "
            "DuckDB, Polars, PySpark, Dask, pandas or pyarrow."
        ) from None
    if isinstance(table, nw.LazyFrame):
        return table
    if not table.implementation.is_polars():
        import duckdb

        connection = duckdb.connect() if connection is None else connection
        read = connection.from_arrow if table.implementation.is_pyarrow() else connection.from_df
        return nw.from_native(run_query(lambda: read(table.to_native())))
    return table.lazy()


def one_engine(*frames: Any) -> list[nw.LazyFrame[Any]]:
    """Bring several tables to one engine for joins. Raises ReadProblem if they are of different engines."""
    import duckdb

    connection = duckdb.connect()
    tables = [lazy(frame, connection) for frame in frames]
    engines = [table.implementation.name.title() for table in tables]
    if len(set(engines)) > 1:
        raise ReadProblem(f"The tables are of {' and '.join(engines)}. Give all of them by one engine.")
    return tables


def columns(frame: Any, forms: Mapping[str, tuple[str, str]]) -> nw.LazyFrame[Any]:
    """Select columns of a table and name them after their parts.

    The forms are, by part, the column that plays it and what it holds: "label", "number" or "id". Raises ReadProblem if
    the table has no such column, or it holds something else.
    """
    table = lazy(frame)
    schema = run_query(table.collect_schema)
    for column, form in forms.values():
        if column not in schema:
            raise ReadProblem(
                f"There is no column {named(column)} in this table, which has {listed(schema)}. Choose one of these, "
                "or open the table again if it has changed."
            )
        if not _fits(schema[column], form):
            raise ReadProblem(
                f"Column {named(column)} holds {_kind_of(schema[column])}; {_WANTED[form]}. Choose another column."
            )
    parts = [_convert(column, form, schema[column]).alias(part) for part, (column, form) in forms.items()]
    return run_query(lambda: table.select(*parts))


def collected(table: nw.LazyFrame[Any], what: str = "summary", most: int | None = None) -> dict[str, np.ndarray]:
    """The columns of a small table as arrays; texts as objects, with None where they are missing.

    `what` is the noun for it, for those who wait and in messages. Raises ReadProblem if it has more rows than `most`
    (by default `MOST_ROWS`), or the engine fails.
    """
    most = MOST_ROWS if most is None else most
    ASKING.get()(what)
    table = table.head(most + 1)
    # Polars holds the whole table in memory unless it is told to stream.
    streams: Any = {"engine": "streaming"} if table.implementation.is_polars() else {}
    rows = run_query(lambda: table.collect(**streams))
    if len(rows) > most:
        raise ReadProblem(
            f"The {what} has more than {count_text(most)} rows, so it stays on the engine. "
            "Choose columns with fewer distinct values, or fewer rows."
        )
    return {name: _array(rows[name]) for name in rows.columns}


_WANTED = {
    "label": "a label is a text, a whole number, or true and false",
    "number": "numbers are needed",
    "id": "an id is a text or a whole number",
}


def _fits(dtype: nw.dtypes.DType, form: str) -> bool:
    if form == "number":
        return dtype.is_numeric()
    is_text = dtype in (nw.String, nw.Categorical, nw.Enum)
    return is_text or dtype.is_integer() or (form == "label" and (dtype == nw.Boolean or dtype.is_numeric()))


def _convert(column: str, form: str, dtype: nw.dtypes.DType) -> nw.Expr:
    """Convert a column to the one type that its form has on every engine."""
    read = nw.col(column)
    if form == "number":
        return read.cast(nw.Float64)
    if form == "id" or dtype in (nw.Categorical, nw.Enum):
        return read.cast(nw.String)
    return read.cast(nw.Float64) if dtype.is_decimal() else read


def _kind_of(dtype: nw.dtypes.DType) -> str:
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return "texts"
    if dtype == nw.Boolean:
        return "true and false"
    return "numbers" if dtype.is_numeric() else "dates or times" if dtype.is_temporal() else f"values of type {dtype}"


def _array(column: nw.Series[Any]) -> np.ndarray:
    if column.dtype.is_integer() and not column.null_count():
        return np.asarray(column.to_numpy()).astype(np.int64)
    if column.dtype.is_float() or column.dtype.is_decimal():
        return np.asarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if column.dtype in (nw.String, nw.Categorical, nw.Enum):
        # Each distinct text once, and not once per row.
        texts: Any = column.cast(nw.String).to_arrow()
        # What comes of pandas may be in chunks.
        texts = getattr(texts, "combine_chunks", lambda: texts)().dictionary_encode()
        distinct = np.array([*texts.dictionary.to_pylist(), None], dtype=object)
        return distinct[texts.indices.fill_null(len(distinct) - 1).to_numpy(zero_copy_only=False)]
    rows = zip(column.to_list(), column.is_null().to_list(), strict=True)
    return np.array([None if is_missing or value != value else value for value, is_missing in rows], dtype=object)


def run_query(ask: Any) -> Any:
    """Run a query of an engine; an error becomes a sentence."""
    try:
        return ask()
    except (ReadProblem, MemoryError, NotImplementedError):
        raise
    except Exception as error:
        if type(error).__name__ == "InterruptException" or any(word in str(error) for word in _CANCELLED):
            raise ReadProblem("The query was stopped. Ask again to run it.") from None
        if (sentence := sentence_of(str(error))) is not None:
            raise ReadProblem(sentence) from error
        # Java says first which call failed, and then where on the cluster: neither helps a reader.
        lines = (
            [] if type(error).__name__ == "Py4JJavaError" else str(error).strip().splitlines() or [type(error).__name__]
        )
        why = f": {lines[0][:_LONGEST_MESSAGE].rstrip('.!')}" if lines else ""
        raise ReadProblem(
            f"The engine could not read the table{why}. If the table has changed or was not reachable, ask again."
        ) from error
