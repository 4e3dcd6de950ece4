"""Parquet, Arrow, JSON and the files of statistics programs: decoded to columns in a child process."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from time import monotonic
from typing import IO, TYPE_CHECKING, Any

import pandas as pd

from evalcore.readers.base import problems
from evalcore.readers.base.encodings import utf8
from evalcore.readers.base.problems import Finding, Lines, ReadProblem, TooLarge, listed, named
from evalcore.readers.child.columns import reader_of
from evalcore.readers.child.tasks import Refusal
from evalcore.readers.dataset.arrow_form import dataset_of, table_of
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.files import child
from evalcore.readers.files.archives import GZIP, ZSTD, too_many_bytes, within_memory
from evalcore.readers.files.child import read_in_child
from evalcore.readers.files.frames import content_of
from evalcore.readers.files.headers import refuse_large
from evalcore.readers.table.table import STATES

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


Reader = Callable[..., DataSet]

SMALL = 1 << 26
"""Bytes, unpacked, up to which files are read without a child process."""

SECONDS = 26
"""Limit of the time of the child, with all that went before; to pass on what it has read takes less than 4."""

# Reading takes a multiple of the size of what it unpacks, which is not known beforehand.
_PACKED = (GZIP, ZSTD, b"PK")

_TIMES_PACKED = 8


def read_within_limits(read: Reader, files: Mapping[str, bytes], max_rows: int, max_bytes: int, *more: Any) -> DataSet:
    """Call a reader on files whose unpacked sizes may be at most `max_bytes`.

    The function takes the files, both limits, and what is given more, which JSON can hold.

    Whatever their bytes, it ends within 30 seconds and, with what the files take, four times their limit of memory.

    Raises
    ------
    ReadProblem
        If the function refuses the files, or the limits do.
    """
    end = monotonic() + SECONDS
    if child.is_child or max_bytes <= SMALL:
        return read(files, max_rows, max_bytes, *more)
    name = _name_of(files)
    if sum(map(len, files.values())) > max_bytes:
        raise too_many_bytes(name, max_bytes)
    if sum(len(data) * (_TIMES_PACKED if data.startswith(_PACKED) else 1) for data in files.values()) <= SMALL:
        with suppress(TooLarge):
            return read(files, max_rows, SMALL, *more)
    return _apart(read, files, max_rows, max_bytes, more, end)


def read_apart(read: Reader, files: Mapping[str, bytes], max_rows: int, max_bytes: int, *more: Any) -> DataSet:
    """Read files in a child process in any case, for formats whose parsers could harm the process that reads them."""
    if child.is_child:
        return read(files, max_rows, max_bytes, *more)
    if sum(map(len, files.values())) > max_bytes:
        raise too_many_bytes(_name_of(files), max_bytes)
    return _apart(read, files, max_rows, max_bytes, more, monotonic() + SECONDS)


def _apart(read: Reader, files: Mapping[str, bytes], max_rows: int, max_bytes: int, more: tuple, end: float) -> DataSet:
    name = _name_of(files)
    sizes = {name: len(data) for name, data in files.items()}
    request = json.dumps([read.__module__, read.__qualname__, sizes, more]).encode() + b"\n"
    parts = (request, *files.values())
    seconds = end - monotonic()
    with child.run_child("dataset", parts, name, max_rows, max_bytes, 3 * max_bytes, seconds) as answer:
        import pyarrow as pa

        return dataset_of(pa.ipc.open_stream(answer).read_all())


def _name_of(files: Mapping[str, bytes]) -> str:
    """Return the name of the files for sentences.

    >>> _name_of({"a.run": b"", "b.qrels": b"", "c.csv": b""})
    'a.run and 2 more'
    """
    first = next(iter(files))
    return first if len(files) == 1 else f"{first} and {len(files) - 1} more"


def write_dataset(file: IO[bytes], answer: IO[bytes], max_rows: int, max_bytes: int) -> None:
    """Write the requested data set as an Arrow stream; runs in the child.

    Raises
    ------
    Refusal
        With the kind of the problem and its sentence as JSON.
    """
    import pyarrow as pa

    child.is_child = True
    STATES.most_rows = 0
    module, name, sizes, more = json.loads(file.readline())
    files = _Files(file, sizes)
    try:
        with within_memory(next(iter(files))):
            table = table_of(getattr(import_module(module), name)(files, max_rows, max_bytes, *more))
            STATES.clear()
            table = table.combine_chunks()
    except ReadProblem as problem:
        kind = type(problem).__name__
        raise Refusal(
            "stated", json.dumps([kind if hasattr(problems, kind) else "ReadProblem", *problem.args])
        ) from problem
    with pa.ipc.new_stream(answer, table.schema) as stream:
        stream.write_table(table)


class _Files(Mapping[str, bytes]):
    """Files by name, each read on demand so that it is held no longer than needed."""

    def __init__(self, file: IO[bytes], sizes: Mapping[str, int]) -> None:
        self._file, self._sizes = file, sizes
        self._starts, start = {}, file.tell()
        for name, size in sizes.items():
            self._starts[name], start = start, start + size

    def __getitem__(self, name: str) -> bytes:
        self._file.seek(self._starts[name])
        return self._file.read(self._sizes[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)
