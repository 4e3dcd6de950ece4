"""Tables of an engine: their columns are checked, errors become sentences, and rows are added up by key.

Summaries are small tables of sums, which engines return for large tables and which add up over shards and days.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Self, cast

import narwhals as nw
import numpy as np

from evalcore.numeric import Array, Indices
from evalcore.readers import NO_GROUP, ordered, text_of
from evalcore.readers.base.problems import ReadProblem, listed, named
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["MOST_ROWS", "Summary"]


def sentence_of(message: str) -> str | None:
    """Describe an error with file, column, line and remedy; None for unknown messages.

    >>> print(sentence_of('IO Error: Could not set lock on file "/data/log.duckdb": Conflicting lock is held'))
    Another program is writing to the database "log.duckdb". Close it there, then ask again.
    >>> print(sentence_of("CSV Error on Line: 55\\nOriginal Line: 1\\nExpected Number of Columns: 2 Found: 1"))
    Line 55 of the CSV file has 1 cell, and the table has 2 columns. Correct the line.
    """
    for pattern, sentence in _SENTENCES.items():
        if found := re.search(pattern, message, re.DOTALL):
            return sentence.format(**{part: _PARTS[part](text) for part, text in found.groupdict().items()})
    return None


_CSV = r"CSV Error on Line: (?P<line>\d+)"
_FILE = r"[\"'](?P<file>[^\"'\n]+)[\"']"
_GONE = "The file {file} is no longer there. Put it back, or open another one."

_SENTENCES = {
    rf"{_CSV}.*?column \"(?P<column>.*?)\"\. Could not convert string \"(?P<value>.*?)\" to '":
    "Line {line} of the CSV file holds {value} in column {column}, where earlier lines hold another type. Correct the "
    "cell.",
    rf"{_CSV}.*?Expected Number of Columns: (?P<columns>\d+) Found: (?P<cells>\d+)":
    "Line {line} of the CSV file has {cells}, and the table has {columns} columns. Correct the line.",
    _CSV: "Line {line} of the CSV file cannot be read. Check its quotes and its encoding, which should be UTF-8.",
    rf"Could not set lock on file {_FILE}":
    "Another program is writing to the database {file}. Close it there, then ask again.",
    rf"No files found that match the pattern {_FILE}": _GONE,
    # DuckDB takes the name of a Parquet file that is gone for a folder.
    r"Cannot access file \"(?P<file>[^\"\n]+?)/\*\*/": _GONE,
    r"file system operations are disabled|external extensions is disabled":
    "This view reads files outside its database, which is not possible here. Save it as a table, then open that.",
    rf"schema mismatch in glob: column \"(?P<column>.*?)\".*could not be found in file {_FILE}":
    "The file {file} has no column {column}, which the first file of the folder has. Give all files of a folder the "
    "same columns.",
    rf"reading file {_FILE}: failed to cast column \"(?P<column>.*?)\" from":
    "The file {file} holds another type in column {column} than the first file of the folder. Give all files of a "
    "folder columns of the same types.",
    rf"(?:No magic bytes.*?file|Footer length error in file|File) {_FILE}(?= too small|\.|$)":
    "The file {file} is damaged, or still being written. Write it once more, then ask again.",
    rf"Failed to read file {_FILE}":
    "The file {file} is damaged, or has changed meanwhile. Write it once more, then ask again.",
    "not a valid DuckDB database": "The file is not a DuckDB database, or is damaged. Choose another file.",
    "selected columns were not found":
    "The table no longer has all of the chosen columns. Open it again, then choose others.",
    "Out of Memory Error":
    "The engine has too little memory for this query. Leave out the group, or what rows belong to, then ask again.",
    "No space left on device|could not write block":
    "The folder for temporary files is full. Free some space there, then ask again.",
}  # fmt: skip
"""By a pattern of DuckDB's message, the first that fits, the sentence, in which its parts are written so:"""

_PARTS: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(("column", "value"), named),
    **dict.fromkeys(("line", "columns"), lambda number: count_text(int(number))),
    "file": lambda path: named(PurePath(path).name),
    "cells": lambda number: "1 cell" if number == "1" else f"{count_text(int(number))} cells",
}

MOST_ROWS = 2_000_000  # rows of a summary: what is larger stays on the engine

ASKING: ContextVar[Callable[[str], None]] = ContextVar("asking", default=lambda what: None)
"""Called with what an engine is asked for next; the question is not asked if it raises."""

STOPPABLE: ContextVar[Callable[[Callable[[], None]], None]] = ContextVar("stoppable", default=lambda stop: None)
"""Called with the function that stops the queries of a connection that has just been made."""


def lazy(frame: Any, connection: Any = None) -> nw.LazyFrame[Any]:
    """A table that computes nothing before it is collected; DuckDB computes for pandas and pyarrow."""
    try:
        table = nw.from_native(frame)
    except TypeError:
        sentence = f"{named(type(frame).__name__)} is not a table. Give one of DuckDB, Polars, PySpark, Dask, pandas "
        raise ReadProblem(f"{sentence}or pyarrow.") from None
    if isinstance(table, nw.LazyFrame) or table.implementation.is_polars():
        return table.lazy()
    import duckdb

    connection = duckdb.connect() if connection is None else connection
    read = connection.from_arrow if table.implementation.is_pyarrow() else connection.from_df
    return nw.from_native(run_query(lambda: read(table.to_native())))


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
    """Columns named after their parts, from forms by part: the column, and "label", "number" or "id".

    Raises ReadProblem if the table has no such column, or it holds something else.
    """
    table = lazy(frame)
    schema = run_query(table.collect_schema)
    for column, form in forms.values():
        if column not in schema:
            sentence = f"There is no column {named(column)} in this table, which has {listed(schema)}. Choose one of "
            raise ReadProblem(f"{sentence}these, or open the table again if it has changed.")
        if not _fits(schema[column], form):
            raise ReadProblem(
                f"Column {named(column)} holds {_kind_of(schema[column])}; {_WANTED[form]}. Choose another column."
            )
    parts = [_convert(column, form, schema[column]).alias(part) for part, (column, form) in forms.items()]
    return run_query(lambda: table.select(*parts))


def collected(table: nw.LazyFrame[Any], what: str = "summary", most: int | None = None) -> dict[str, np.ndarray]:
    """The columns of a small table as arrays; texts as objects, with None where they are missing.

    `what` is its noun in messages. Raises ReadProblem for more rows than `most` (`MOST_ROWS`), or a failing engine.
    """
    most = MOST_ROWS if most is None else most
    ASKING.get()(what)
    table = table.head(most + 1)
    # Polars holds the whole table in memory unless it is told to stream.
    streams: Any = {"engine": "streaming"} if table.implementation.is_polars() else {}
    rows = run_query(lambda: table.collect(**streams))
    if len(rows) > most:
        sentence = f"The {what} has more than {count_text(most)} rows, so it stays on the engine. Choose columns with "
        raise ReadProblem(f"{sentence}fewer distinct values, or fewer rows.")
    return {name: _array(rows[name]) for name in rows.columns}


_WANTED = {
    "label": "a label is a text, a whole number, or true and false",
    "number": "numbers are needed",
    "id": "an id is a text or a whole number",
}


_TEXTS = nw.String, nw.Categorical, nw.Enum


def _fits(dtype: nw.dtypes.DType, form: str) -> bool:
    if form == "number":
        return dtype.is_numeric()
    return dtype in _TEXTS or dtype.is_integer() or (form == "label" and (dtype == nw.Boolean or dtype.is_numeric()))


def _convert(column: str, form: str, dtype: nw.dtypes.DType) -> nw.Expr:
    """Convert a column to the one type that its form has on every engine."""
    read = nw.col(column)
    if form == "number":
        return read.cast(nw.Float64)
    if form == "id" or dtype in (nw.Categorical, nw.Enum):
        return read.cast(nw.String)
    return read.cast(nw.Float64) if dtype.is_decimal() else read


def _kind_of(dtype: nw.dtypes.DType) -> str:
    if dtype in _TEXTS:
        return "texts"
    if dtype == nw.Boolean:
        return "true and false"
    return "numbers" if dtype.is_numeric() else "dates or times" if dtype.is_temporal() else f"values of type {dtype}"


def _array(column: nw.Series[Any]) -> np.ndarray:
    if column.dtype.is_integer() and not column.null_count():
        return np.asarray(column.to_numpy()).astype(np.int64)
    if column.dtype.is_float() or column.dtype.is_decimal():
        return np.asarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if column.dtype in _TEXTS:
        texts: Any = column.cast(nw.String).to_arrow()  # Each distinct text once, and not once per row.
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
        kind, message = type(error).__name__, str(error)
        # What DuckDB, Spark and Spark Connect say of a query that was stopped.
        if kind == "InterruptException" or "SPARK_JOB_CANCELLED" in message or "OPERATION_CANCELED" in message:
            raise ReadProblem("The query was stopped. Ask again to run it.") from None
        if (sentence := sentence_of(message)) is not None:
            raise ReadProblem(sentence) from error
        first = next(iter(message.strip().splitlines()), kind)[:300].rstrip(".!")
        # Java says first which call failed, and then where on the cluster: neither helps a reader.
        why = "" if kind == "Py4JJavaError" else f": {first}"
        raise ReadProblem(
            f"The engine could not read the table{why}. If the table has changed or was not reachable, ask again."
        ) from error


@dataclass(frozen=True, eq=False)
class Summary:
    """Each combination of keys once, with the sums of its rows, shape (g,). ``a + b`` adds up both.

    What is named "lowest" or "highest", or begins so, is the extreme of the rows.
    """

    keys: dict[str, np.ndarray]
    sums: dict[str, Array]

    @classmethod
    def of(
        cls, table: nw.LazyFrame[Any], keys: Iterable[str], sums: Iterable[str] = (),
        extremes: Mapping[str, str] = MappingProxyType({}), what: str = "summary", most: int | None = None,
    ) -> "Summary":  # fmt: skip
        """Group the rows on their engine; the sum "count" is the number of rows.

        Keys and sums are columns already, as engines differ in what they group by; `extremes` give the column by the
        name of its extreme. A sum of "weight" is the count, beside that of "rows". Others are as in `collected`.
        """
        keys, sums = list(keys), list(sums)
        aggregates = [nw.len().alias("count"), *(nw.col(name).sum() for name in sums)]
        ends = ((name, nw.col(column)) for name, column in extremes.items())
        aggregates += [(one.min() if name.startswith("lowest") else one.max()).alias(name) for name, one in ends]
        grouped = table.group_by(*keys, drop_null_keys=False).agg(*aggregates) if keys else table.select(*aggregates)
        arrays = collected(grouped, what, most)
        # DuckDB adds whole numbers up to decimals, and a sum of no rows is missing.
        numbers = {name: np.nan_to_num(arrays[name].astype(np.float64)) for name in ("count", *sums, *extremes)}
        if "weight" in sums:
            numbers = {"count": numbers.pop("weight"), "rows": numbers.pop("count"), **numbers}
        return cls({name: arrays[name] for name in keys}, {**numbers})

    @classmethod
    def of_table(
        cls, table: Any, keys: Mapping[str, str], numbers: Mapping[str, str], form: str = "label", merge: bool = True
    ) -> "Summary":
        """Build a summary from one made elsewhere, such as by SQL; rows of equal keys are added up by default.

        Keys and numbers are the columns of the table by part. The form is what the keys hold, "label" or "id". Raises
        ReadProblem if a column is missing or of another type, a number is missing, or a count is negative.
        """
        if isinstance(table, Mapping):
            table = nw.from_dict({name: np.asarray(values) for name, values in table.items()}, backend="pyarrow")
        forms = {part: (column, form) for part, column in keys.items()}
        arrays = collected(columns(table, forms | {part: (column, "number") for part, column in numbers.items()}))
        for part, column in numbers.items():
            arrays[part] = arrays[part].astype(np.float64)
            if (wrong := ~np.isfinite(arrays[part])).any():
                sentence = f"Column {named(column)} of the summary has no number in row {int(wrong.argmax()) + 1}. "
                raise ReadProblem(f"{sentence}Leave out rows without a number before they are grouped.")
        if "count" in numbers and (arrays["count"] < 0).any():
            raise ReadProblem(f"Column {named(numbers['count'])} of the summary holds a negative count. Count rows.")
        summary = cls(*({part: arrays[part] for part in parts} for parts in (keys, numbers)))
        return summary.merged() if merge else summary

    def __len__(self) -> int:
        return len(self.sums["count"])

    @property
    def rows(self) -> Array:
        """The number of rows of each combination, also where the counts are sums of weights."""
        return self.sums.get("rows", self.sums["count"])

    def __add__(self, other: "Summary") -> "Summary":
        return Summary.joined([self, other])

    @staticmethod
    def joined(parts: "Sequence[Summary]") -> "Summary":
        """The summary of the rows of all parts. Raises ValueError if they have other keys or sums."""
        tables = [[part.keys for part in parts], [part.sums for part in parts]]
        if any(one.keys() != of_parts[0].keys() for of_parts in tables for one in of_parts):
            raise ValueError("These summaries have other keys or sums; group both by the same columns.")
        rows = ({name: np.concatenate([one[name] for one in of_parts]) for name in of_parts[0]} for of_parts in tables)
        return Summary(*rows).merged()

    def __getitem__(self, rows: Any) -> "Summary":
        return Summary(*({name: values[rows] for name, values in table.items()} for table in (self.keys, self.sums)))

    def merged(self) -> "Summary":
        """Add up the rows of equal keys, and sort by the keys."""
        codes, first = grouped_rows(list(self.keys.values()), len(self))
        sums: dict[str, Array] = {}
        for name, values in self.sums.items():
            if name.startswith(("lowest", "highest")):
                take, start = (np.minimum, np.inf) if name.startswith("lowest") else (np.maximum, -np.inf)
                take.at(sums.setdefault(name, np.full(len(first), start)), codes, values)
            else:
                sums[name] = np.bincount(codes, values, len(first)).astype(np.float64)
        return Summary({name: values[first] for name, values in self.keys.items()}, sums)

    def keyed(self, **keys: np.ndarray) -> "Summary":
        """Group the rows by these keys instead of their own."""
        return Summary(keys, self.sums).merged()

    def with_read_keys(self) -> "Summary":
        """Convert keys as engines answer them to the form in which they are compared: texts, or numbers of bins."""
        keys = {}
        for name, values in self.keys.items():
            if name.startswith(("key", "call")):
                keys[name] = values.astype(np.float64) + 0.0  # which makes −0 and 0 one key
            else:
                keys[name] = _each(values, (lambda value: text_of(value) or NO_GROUP) if name == "group" else text_of)
        return replace(self, keys=keys)

    def refuse_without_unit(self) -> "Summary":
        """Itself; raises ReadProblem if weighted rows have no unit: their sum would count as one row."""
        if "rows" in self.sums and "unit" in self.keys and (self.keys["unit"] == "").any():
            sentence = "Some rows do not say what they belong to, and rows with weights are added up by that. Fill in "
            raise ReadProblem(f"{sentence}the column, or leave out these rows.")
        return self

    def by(self, *names: str) -> "Summary":
        """Add up over all keys but these."""
        return self.keyed(**{name: self.keys[name] for name in names})


class Grouped:
    """Groups and the effective number of rows, of counts of labels, of scores and of estimates."""

    summary: Summary

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups in their natural order; none without a column of groups."""
        return ordered(tuple(set(self.summary.keys.get("group", np.array([])).tolist())))

    def of_group(self, name: str) -> Self:
        """The rows of one group, with none left out."""
        if name not in self.groups:
            raise ReadProblem(f"There is no group {named(name)}. Choose {listed(self.groups)}.")
        rows, this = self.summary.keys["group"] == name, cast(Any, self)
        return replace(this, summary=self.summary[rows], left_out=type(this.left_out)())

    @property
    def effective(self) -> float:
        """Effective number of rows for intervals if weights are importances (Kish); the count without weights."""
        sums = self.summary.sums
        total = float(sums["count"].sum())
        squares = float(sums["squares"].sum()) if "squares" in sums else total
        return total * (total / squares) if squares else total


def some_bits(value: Any, bits: int) -> Any:
    """Round numbers, also those of an engine, to some bits: with c = 2^(53 − bits) + 1, m·c − (m·c − m).

    T. Dekker (1971). A floating-point technique for extending the available precision. Numerische Mathematik 18,
    224–242. doi:10.1007/BF01397083
    """
    product = value * (2.0 ** (53 - bits) + 1)
    return product - (product - value)


def chosen(**parts: str | None) -> dict[str, str]:
    """The parts for which a column is chosen, with this column."""
    return {part: column for part, column in parts.items() if column is not None}


def _each(values: np.ndarray, function: Callable[[Any], str]) -> np.ndarray:
    """The text that a function makes of each value, called once for equal values; missing ones are None."""
    named: dict[Any, str] = {}
    rows = [None if value != value else value for value in values.tolist()]
    # True and 1 are one key of a dictionary, and two labels.
    rows = [named.setdefault((type(row), row), function(row)) for row in rows]
    return np.array(rows, dtype=object)


def grouped_rows(keys: list[np.ndarray], rows: int) -> tuple[Indices, Indices]:
    """The group of each row by all keys, counted from 0 in their order, and the first row of each group."""
    codes = np.zeros(rows, dtype=np.intp)
    for values in keys:
        if values.dtype == object:
            order = {text: code for code, text in enumerate(sorted(set(values.tolist()), key=str))}
            own = np.array([order[text] for text in values.tolist()], dtype=np.intp)
        else:
            own = np.unique(values, return_inverse=True)[1].astype(np.intp)
        codes = np.unique(codes * (own.max(initial=0) + 1) + own, return_inverse=True)[1].astype(np.intp)
    return codes, np.unique(codes, return_index=True)[1]


def usable_weights(table: nw.LazyFrame[Any], column: str | None) -> tuple[nw.LazyFrame[Any], list[str], float]:
    """Rows with a weight, the columns to add up, and the number of rows without one; ReadProblem for a negative one."""
    if column is None:
        return table, [], 0.0
    weight = nw.col("weight")
    known = ~weight.is_null() & ~weight.is_nan()
    marks = {"missing": ~known, "wrong": known & ((weight < 0) | (weight == float("inf")))}
    table = table.with_columns(**{name: nw.when(rows).then(1).otherwise(0) for name, rows in marks.items()})
    sums = Summary.of(table, (), list(marks)).sums
    if wrong := int(sums["wrong"][0]):
        sentence = f"Column {named(column)} holds a negative or infinite weight in {rows_text(wrong)}. A weight is how "
        sentence += "many times a row counts, 0 or more; correct the table or choose no weight column."
        raise ReadProblem(sentence)
    used = table.filter(nw.col("missing") == 0).with_columns(squares=weight * weight)
    return used, ["weight", "squares"], float(sums["missing"][0])


def weights_are(frame: Any, column: str) -> str:
    """Return the usual use of weights: "counts" if all are whole numbers, else "importance"."""
    table = usable_weights(columns(frame, {"weight": (column, "number")}), column)[0]
    parts = table.with_columns(part=nw.when(nw.col("weight") % 1 > 0).then(1).otherwise(0))
    return "importance" if Summary.of(parts, (), ["part"]).sums["part"][0] else "counts"


def expanded_rows(sums: Array, squares: Array, most: int) -> tuple[Indices, Array]:
    """Entries and weights of rows that reproduce the sum and the sum of squares of the weights of each entry.

    So many rows of one weight, and one of another, tell as much as the rows themselves, whatever their weights were.
    Of more than `most` rows each entry has fewer, all of one weight: then they tell less.

    >>> entries, weights = expanded_rows(np.array([6.0, 2.0]), np.array([14.0, 4.0]), 10)
    >>> entries.tolist(), round(float(np.square(weights[:3]).sum()), 9), round(float(weights[:3].sum()), 9)
    ([0, 0, 0, 1], 14.0, 6.0)
    """
    alike = np.divide(sums**2, squares, out=np.zeros(len(sums)), where=sums > 0)
    rows = np.ceil(alike - 1e-9)  # Rows of one weight only, as many as that makes, would not be a whole number.
    if rows.sum() > most:
        rows = np.ceil(alike * (most / alike.sum()))
        squares = np.divide(sums**2, rows, out=np.zeros(len(sums)), where=rows > 0)
    n, others = np.maximum(rows, 1), np.maximum(rows - 1, 0)
    apart = np.sqrt(np.maximum(n * squares - sums**2, 0) / np.maximum(others, 1)) * (others > 0)
    entries = np.repeat(np.arange(len(sums)), rows.astype(np.intp))
    weights = ((sums + apart) / n)[entries]
    first = np.flatnonzero(np.diff(entries, prepend=-1))
    weights[first] = ((sums - others * apart) / n)[entries[first]]
    return entries, weights
