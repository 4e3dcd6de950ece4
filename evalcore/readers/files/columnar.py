"""Workbooks, Parquet, Arrow, JSON and the files of statistics programs: decoded to columns in a child process."""

import datetime
import json
import math
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from threading import BoundedSemaphore
from time import monotonic
from typing import IO, Any
from weakref import finalize

import pandas as pd
import pyarrow as pa

from evalcore.readers.base import problems
from evalcore.readers.base.encodings import GZIP, ZSTD, members, too_many_bytes, utf8, within_memory
from evalcore.readers.base.problems import Finding, Lines, Origin, ReadProblem, TooLarge, listed, named
from evalcore.readers.base.values import MOST_COUNT_ROWS, Columns, text_of, thousands_in_counts
from evalcore.readers.child.exports import EXPORTS, MOST_SHEETS, is_full
from evalcore.readers.child.tasks import EXIT_CODES, TASKS, Refusal, perform
from evalcore.readers.dataset.assignment import recognise
from evalcore.readers.dataset.datasets import DataSet, dataset_of, table_of
from evalcore.readers.files import headers
from evalcore.readers.files.frames import Content, column_of, content_of, in_units, namibia, read_marks
from evalcore.readers.files.headers import MAX_COLUMNS, too_many
from evalcore.readers.table.table import STATES
from evalcore.wording.numbers import count_text

__all__ = ["Files"]

TASK_SECONDS = 20  # limit of the time that a task takes, and of the wait for its turn; what follows takes less than 10
is_child = False  # whether this process is a child itself, whose limits hold for all that it reads
_SCRIPT = str(Path(__file__).parents[1] / "child" / "tasks.py")
_BASE_BYTES = 1 << 29  # Python and Arrow take this much before they read anything.
_TASK_BYTES = 2 << 30
# Memory that is no longer needed is returned, and each of many processors would take its own.
_ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "131072",
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": str(min(4, os.cpu_count() or 1)),
}  # fmt: skip
_TURNS = BoundedSemaphore(max(2, (os.cpu_count() or 1) // 2))


@contextmanager
def read_in_child(task: str, data: bytes, name: str, max_rows: int, max_bytes: int) -> Iterator[IO[bytes]]:
    """The content of a file as one of the `TASKS` writes it, in a child; ReadProblem if that refuses or is killed."""
    if is_child:
        with TemporaryFile() as answer:
            if code := perform(task, BytesIO(data), answer, max_rows, max_bytes):
                raise _problem(code, task, name, max_rows, max_bytes, answer)
            answer.seek(0)
            yield answer
    else:
        with run_child(task, [data], name, max_rows, max_bytes, _TASK_BYTES, TASK_SECONDS) as answer:
            yield answer


@contextmanager
def run_child(
    task: str, parts: Iterable[bytes], name: str, max_rows: int, max_bytes: int, memory: int, seconds: float
) -> Iterator[IO[bytes]]:
    """The answer of a child process with limits of memory and seconds to these input; raises as `read_in_child`."""
    end = monotonic() + seconds
    if not _TURNS.acquire(timeout=max(seconds, 0)):
        raise ReadProblem(f"{named(name)} has to wait because other files are being read. Open it again in a minute.")
    try:
        with TemporaryFile() as file, TemporaryFile() as answer:
            file.writelines(parts)
            file.seek(0)
            limits = (max_rows, max_bytes, memory + _BASE_BYTES, math.ceil(2 * seconds))
            streams = {"stdin": file, "stdout": answer, "stderr": subprocess.DEVNULL}
            code = subprocess.run(
                [sys.executable, "-I", _SCRIPT, task, *map(str, limits), *sys.path], env=os.environ | _ENVIRONMENT,
                timeout=max(end - monotonic(), 0), creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0), **streams,
            ).returncode  # fmt: skip
            if code:
                raise _problem(code, task, name, max_rows, max_bytes, answer)
            answer.seek(0)
            yield answer
    except subprocess.TimeoutExpired as error:
        sentence = f"{named(name)} takes longer than {round(seconds)} seconds to read: it is too large or damaged, or "
        sentence += "the computer is busy. Try again, open a part of it, or save it as CSV."
        raise ReadProblem(sentence) from error
    except OSError as error:
        raise ReadProblem(
            f"{named(name)} cannot be read now: no process could be started, or the disk is full. Try again later."
        ) from error
    finally:
        _TURNS.release()


def _problem(code: int, task: str, name: str, max_rows: int, max_bytes: int, answer: IO[bytes]) -> ReadProblem:
    answer.seek(0)
    reason = next((word for word, own in EXIT_CODES.items() if own == code), "damaged")
    if reason == "stated":
        kind, *parts = json.load(answer)
        return getattr(problems, kind)(*parts)
    if reason == "bytes":
        return too_many_bytes(name, max_bytes)
    limits = {"rows": max_rows, "columns": MAX_COLUMNS, "sheets": MOST_SHEETS}
    if reason in limits:
        return too_many(name, limits[reason], reason)
    if reason == "line":
        number = count_text(int(answer.read()))
        return ReadProblem(f"Line {number} of {named(name)} is not valid JSON. Correct that line.")
    if reason == "export":
        return ReadProblem(f"{named(name)} {EXPORTS[answer.read().decode()]}")
    return ReadProblem(f"{named(name)} {_REFUSED.get(reason, f'is {TASKS[task].damaged}')}")


_REFUSED = {
    "table": "holds no table in JSON: save it as a list of records, or one record per line.",
    "password": "is protected by a password. Save it without one.",
}


def is_workbook(data: bytes, name: str) -> bool:
    """Whether some bytes are a workbook: a zip archive of its parts, or the older binary format."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return True
    paths = {file.filename for file in members(data, name)} if data.startswith(b"PK") else set()
    return any(path.startswith("xl/workbook") for path in paths) or {"mimetype", "content.xml"} <= paths


def read_sheets(
    data: bytes, name: str, max_rows: int, max_bytes: int, sheet: str | None = None, header: int | None = None
) -> Content:
    """The sheet, or the first that holds predictions, as a plain frame; the header is the number of a row or 0."""
    if data.startswith(b"PK") and sum(file.file_size for file in members(data, name)) > max_bytes:
        raise too_many_bytes(name, max_bytes)
    with read_in_child("cells", data, name, max_rows, max_bytes) as answer:
        titles, width = _Cells(answer).load()
        if not titles:
            raise ReadProblem(f"{named(name)} {_NO_TABLE[min(width, 2)]}")
        if sheet is not None and sheet not in titles:
            raise ReadProblem(f"{named(name)} has no sheet {named(sheet)} with a table, but {listed(titles)}.")
        tables = {}
        for title in titles:
            rows, columns = _Cells(answer).load()
            if sheet in (None, title):
                headers.refuse_large(name, len(columns), len(rows) - 1, max_rows)
                tables[title] = _table(rows, columns, header, name)
                if len(titles) == 1 or sheet == title:
                    break
                # the first that is a table of a known kind, unless its title says that it is something else
                if not _NOTES.match(title) and recognise(Columns(tables[title][0])).kind != "unknown":
                    break
        else:
            title = titles[0]
    frame, lines, findings = tables[title]
    if len(titles) > 1:
        others = [other for other in titles if other != title]
        sentence = f"The workbook has {len(titles)} sheets with a table; {named(title)} is open, "
        sentence += f"{listed(others)} {'is' if len(others) == 1 else 'are'} not."
        findings.insert(0, Finding("info", sentence, len(titles), code="sheets"))
    chosen = tuple(word for word, value in (("sheet", sheet), ("header", header)) if value is not None)
    is_usual = lines.origin.is_usual and len(titles) == 1 and not chosen
    lines = replace(lines, origin=Origin(tuple(titles), title, lines.origin.header, chosen, is_usual))
    return frame, lines, findings


_NOTES = re.compile(r"(?i)\W*(?:notes?|read ?me|info|about|legend|codebook|dictionary|settings|parameters)\b")

_NO_TABLE = (
    "is empty. Open a workbook with a header and at least one row.",
    "has only one column. A table needs the true values and at least one system.",
    "has a header but no rows. Open a workbook with at least one row.",
)
"""Why a workbook has no table, by the number of its columns."""


class _Cells(pickle.Unpickler):
    """Cells as the child wrote them: lists of texts, numbers and dates, and nothing that could run."""

    def find_class(self, module: str, name: str) -> Any:
        if module == "datetime" and name in ("datetime", "time", "timedelta"):
            return getattr(datetime, name)
        raise pickle.UnpicklingError(name)


def _table(numbers: list[int], cells: list[list[Any]], header: int | None, name: str) -> Content:
    """The table in some cells; with an origin, if rows around it were left out."""
    rows, widest = len(numbers), len(cells)
    top = _texts(cells, 0, 2 * headers.MOST_TITLES)
    if header:
        if header - 1 not in numbers[:-1]:
            raise ReadProblem(f"Row {header} of {named(name)} is empty, or the last. Choose another header row.")
        first = numbers.index(header - 1)
        top = _texts(cells, first, first + 2 * headers.MOST_TITLES)
    else:
        first = headers.header_row(top)
        if first and headers.is_second_level(top[first - 1], top[first]):
            first -= 1
        top = top[first:]
    end = rows
    while end > first + 2:
        gap = numbers[end - 1] > numbers[end - 2] + 1
        if not headers.is_footer(_texts(cells, end - 1, end)[0], widest, gap, top[1 : len(top) // 2]):
            break
        end -= 1
    above, below = ([" ".join(filter(None, row)) for row in _texts(cells, *part)] for part in ((0, first), (end, rows)))
    used = [column for column in cells if any(map(is_full, column[first:end]))]
    head = _texts(used, first, min(first + 2 * headers.MOST_TITLES, end))
    names_row, taken, of_names = headers.header_names(head, "row")
    # the number of rows decides whether numbers at the top are the classes of a matrix
    body = [*top[1:], *([[]] * (end - first - len(top)))]
    has_names = header != 0 and (bool(header) or headers.is_header(names_row, body))
    start = first + taken if has_names else first
    lines = Lines(numbers[start] + 1, "row")
    findings = headers.findings_around(above, numbers[first] + 1, below, lines) + of_names * has_names
    origin = Origin(header=numbers[first] + 1 if has_names else 0, is_usual=has_names and not findings)
    lines = replace(lines, origin=origin)
    names, more = headers.tidy_names(names_row if has_names else None, len(used), lines)
    findings += more
    columns = {}
    for each, column in zip(names, used, strict=True):
        columns[each], more = column_of(column[start:end], each, lines)
        findings += more
    frame = pd.DataFrame(columns)
    asked = {one.column for one in findings if one.code == "marks"}
    findings += read_marks(frame, lines, [each for each in names if each not in asked])
    findings = in_units(frame, lines, [*findings, *namibia(frame, lines)])
    if (counts := thousands_in_counts(frame, _texts(used, start, min(end, start + MOST_COUNT_ROWS + 1)))) is not None:
        frame, changed = counts
        of_columns = {*frame.columns}
        findings = [one for one in findings if one.column not in of_columns or one.code == "unnamed column"] + changed
    return frame, lines, findings


def _texts(cells: list[list[Any]], start: int, end: int) -> list[list[str]]:
    """Some rows as texts."""
    columns = [[text_of(cell) if is_full(cell) else "" for cell in column[start:end]] for column in cells]
    return [list(row) for row in zip(*columns, strict=True)]


_JSON = re.compile(rb'(?:\{\s*["}]|\[\s*[\[{"\]\d.tfnN-])')


def is_json(data: bytes, name: str) -> bool:
    """Whether some bytes begin like an object or a list in JSON, in any encoding of Unicode."""
    return _JSON.match(data[:256].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")) is not None


def read_columns(task: str, data: bytes, name: str, max_rows: int, max_bytes: int) -> Content:
    """The columns that a task reads, without the row labels of pandas."""
    return _content(_columns(task, data, name, max_rows, max_bytes), name, Lines(word="row"), [])


def read_json(data: bytes, name: str, max_rows: int, max_bytes: int) -> Content:
    """A list of records, one record per line, or an object of columns, with objects in records flattened."""
    text, findings = utf8(data, name)
    return _content(_columns("json", text, name, max_rows, max_bytes), name, Lines(1, "record"), findings)


def read_statistics(data: bytes, name: str, max_rows: int, max_bytes: int) -> Content:
    """A file of SPSS, Stata or SAS, with the labels of values instead of their codes."""
    table = _columns("statistics", data, name, max_rows, max_bytes)
    labels = json.loads((table.schema.metadata or {})[b"labels"])
    findings = []
    if columns := labels["all"]:
        which = f"Column {named(columns[0])} shows" if len(columns) == 1 else f"Columns {listed(columns)} show"
        sentence = f"{which} the value labels of the file instead of its codes."
        findings.append(Finding("info", sentence, len(columns), code="value labels"))
    for column, words in labels["some"].items():
        codes = ", ".join(f"{named(code)} is labelled {named(label)}" for code, label in words[:3])
        sentence = f"Only some values of column {named(column)} have a label, so it is read as it is: {codes}. "
        sentence += "If one of them means that the value is missing, exclude it."
        findings.append(Finding("warning", sentence, len(words), column, code="value labels"))
    return _content(table, name, Lines(1, "row"), findings)


def _columns(task: str, data: bytes, name: str, max_rows: int, max_bytes: int) -> pa.Table:
    with read_in_child(task, data, name, max_rows, max_bytes) as stream:
        table = pa.ipc.open_stream(stream).read_all()
    headers.refuse_large(name, table.num_columns, table.num_rows, max_rows)
    return table


def _content(table: pa.Table, name: str, lines: Lines, findings: list[Finding]) -> Content:
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
SMALL = 1 << 26  # bytes, unpacked, up to which files are read without a child process
SECONDS = 26  # limit of the time of the child, with all that went before; to pass on what it has read takes less than 4
_PACKED = (GZIP, ZSTD, b"PK")  # Reading takes a multiple of the size of what it unpacks, which is not known beforehand.
_TIMES_PACKED = 8


def read_within_limits(read: Reader, files: Mapping[str, bytes], max_rows: int, max_bytes: int, *more: Any) -> DataSet:
    """Call a reader on files whose unpacked sizes may be at most `max_bytes`.

    The function takes the files, both limits, and what is given more, which JSON can hold. Whatever their bytes, it
    ends within 30 seconds and, with what the files take, four times their limit of memory. Raises ReadProblem if the
    function refuses the files, or the limits do.
    """
    end = monotonic() + SECONDS
    if max_bytes <= SMALL:
        return read(files, max_rows, max_bytes, *more)
    sizes = (len(data) * (_TIMES_PACKED if data.startswith(_PACKED) else 1) for data in files.values())
    if not is_child and sum(sizes) <= SMALL:
        with suppress(TooLarge):
            return read(files, max_rows, SMALL, *more)
    return read_apart(read, files, max_rows, max_bytes, *more, end=end)


def read_apart(
    read: Reader, files: Mapping[str, bytes], max_rows: int, max_bytes: int, *more: Any, end: float | None = None
) -> DataSet:
    """Read files in a child process in any case, for formats whose parsers could harm the process that reads them."""
    if is_child:
        return read(files, max_rows, max_bytes, *more)
    end, (name, *others) = end or monotonic() + SECONDS, files
    name = f"{name} and {len(others)} more" if others else name
    if sum(map(len, files.values())) > max_bytes:
        raise too_many_bytes(name, max_bytes)
    sizes = {file: len(data) for file, data in files.items()}
    request = json.dumps([read.__module__, read.__qualname__, sizes, more]).encode() + b"\n"
    parts, seconds = (request, *files.values()), end - monotonic()
    with run_child("dataset", parts, name, max_rows, max_bytes, 3 * max_bytes, seconds) as answer:
        return dataset_of(pa.ipc.open_stream(answer).read_all())


def write_dataset(file: IO[bytes], answer: IO[bytes], max_rows: int, max_bytes: int) -> None:
    """Write the requested data set as an Arrow stream, in the child; a Refusal has its problem as JSON."""
    global is_child
    is_child = True
    STATES.most_rows = 0
    module, name, sizes, more = json.loads(file.readline())
    files = Files(file, sizes)
    try:
        with within_memory(next(iter(files))):
            table = table_of(getattr(import_module(module), name)(files, max_rows, max_bytes, *more))
            STATES.clear()
            table = table.combine_chunks()
    except ReadProblem as problem:
        kind = type(problem).__name__ if hasattr(problems, type(problem).__name__) else "ReadProblem"
        raise Refusal("stated", json.dumps([kind, *problem.args])) from problem
    with pa.ipc.new_stream(answer, table.schema) as stream:
        stream.write_table(table)


class Files(Mapping[str, bytes]):
    """Files by name, each read on demand so that it is held no longer than needed."""

    def __init__(self, file: IO[bytes], sizes: Mapping[str, int]) -> None:
        self._file, self._sizes = file, sizes
        self._starts, start = {}, file.tell()
        for name, size in sizes.items():
            self._starts[name], start = start, start + size

    @classmethod
    def put_down(cls, contents: dict[str, bytes]) -> "Files":
        """Move the contents of files from memory, where they are removed, to a temporary file; OSError if it is full.

        >>> contents = {"a.csv": b"truth,model", "b.csv": b""}
        >>> files = Files.put_down(contents)
        >>> dict(files), contents
        ({'a.csv': b'truth,model', 'b.csv': b''}, {})
        """
        file = TemporaryFile()  # noqa: SIM115 open as long as the files
        files = cls(file, {name: len(data) for name, data in contents.items()})
        finalize(files, file.close)
        try:
            file.writelines(contents.values())
            file.flush()
        except OSError:
            with suppress(OSError):  # of what is still to be written
                file.close()
            raise
        contents.clear()
        return files

    def __getitem__(self, name: str) -> bytes:
        self._file.seek(self._starts[name])
        return self._file.read(self._sizes[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)
