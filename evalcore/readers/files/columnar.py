"""Parquet, Arrow, JSON and the files of statistics programs: decoded to columns in a child process."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pandas as pd

from evalcore.readers.base.encodings import utf8
from evalcore.readers.base.problems import Finding, Lines, ReadProblem, listed, named
from evalcore.readers.child.columns import reader_of
from evalcore.readers.files.child import read_in_child
from evalcore.readers.files.frames import content_of
from evalcore.readers.files.headers import refuse_large

if TYPE_CHECKING:
    import pyarrow as pa

_Content = tuple[pd.DataFrame, Lines, list[Finding]]

_JSON = re.compile(rb'(?:\{\s*["}]|\[\s*[\[{"\]\d.tfnN-])')


def is_parquet(data: bytes, name: str) -> bool:
    """Whether some bytes are a Parquet file."""
    return data.startswith(b"PAR1")


def is_arrow(data: bytes, name: str) -> bool:
    """Whether some bytes are an Arrow file (Feather, of either version) or an Arrow stream."""
    return data.startswith((b"ARROW1", b"FEA1", b"\xff\xff\xff\xff"))


def is_json(data: bytes, name: str) -> bool:
    """Whether some bytes begin like an object or a list in JSON, in any encoding of Unicode."""
    return _JSON.match(data[:256].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")) is not None


def is_statistics(data: bytes, name: str) -> bool:
    """Whether some bytes are a file of SPSS, Stata or SAS."""
    return reader_of(data[:700]) is not None


def read_parquet(data: bytes, name: str, max_rows: int, max_bytes: int) -> _Content:
    """The columns of a Parquet file, without the row labels of pandas."""
    return _content(_columns("parquet", data, name, max_rows, max_bytes), name, Lines(word="row"), [])


def read_arrow(data: bytes, name: str, max_rows: int, max_bytes: int) -> _Content:
    """The columns of an Arrow file or stream, without the row labels of pandas."""
    return _content(_columns("arrow", data, name, max_rows, max_bytes), name, Lines(word="row"), [])


def read_json(data: bytes, name: str, max_rows: int, max_bytes: int) -> _Content:
    """A list of records, one record per line, or an object of columns, with objects in records flattened."""
    text, findings = utf8(data, name)
    return _content(_columns("json", text, name, max_rows, max_bytes), name, Lines(1, "record"), findings)


def read_statistics(data: bytes, name: str, max_rows: int, max_bytes: int) -> _Content:
    """A file of SPSS, Stata or SAS, with the labels of values instead of their codes."""
    table = _columns("statistics", data, name, max_rows, max_bytes)
    labels = json.loads((table.schema.metadata or {})[b"labels"])
    findings = []
    if columns := labels["all"]:
        which = f"Column {named(columns[0])} shows" if len(columns) == 1 else f"Columns {listed(columns)} show"
        findings.append(
            Finding(
                "info", f"{which} the value labels of the file instead of its codes.", len(columns), code="value labels"
            )
        )
    for column, words in labels["some"].items():
        codes = ", ".join(f"{named(code)} is labelled {named(label)}" for code, label in words[:3])
        sentence = f"Only some values of column {named(column)} have a label, so it is read as it is: {codes}. "
        sentence += "If one of them means that the value is missing, exclude it."
        findings.append(Finding("warning", sentence, len(words), column, code="value labels"))
    return _content(table, name, Lines(1, "row"), findings)


def _columns(task: str, data: bytes, name: str, max_rows: int, max_bytes: int) -> pa.Table:
    import pyarrow as pa

    with read_in_child(task, data, name, max_rows, max_bytes) as stream:
        table = pa.ipc.open_stream(stream).read_all()
    refuse_large(name, table.num_columns, table.num_rows, max_rows)
    return table


def _content(table: pa.Table, name: str, lines: Lines, findings: list[Finding]) -> _Content:
    names = json.loads((table.schema.metadata or {})[b"names"])
    # the row labels of pandas are not a column of the table
    keep = [index for index, column in enumerate(names) if not re.fullmatch(r"__index_level_\d+__", column)]
    if len(keep) < 2 and not (keep and table.num_rows and str(table.column(keep[0])[0]).startswith("[{")):
        raise ReadProblem(f"{named(name)} has only one column. A table needs the true values and at least one system.")
    if not table.num_rows:
        raise ReadProblem(f"{named(name)} has columns but no rows. Open a file with at least one row.")
    # one piece, so that no column keeps the others in memory
    table = table.select(keep).replace_schema_metadata(None).combine_chunks()
    return content_of(table, [names[index] for index in keep], lines, findings)
