"""The three columns of a run or of judgments that are used, parsed by Arrow block by block."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv

from evalcore.numeric import Array
from evalcore.readers.base.values import heads_of, ids_of
from evalcore.retrieval.id_table import IdTable

Result = TypeVar("Result")
BLOCK = 1 << 22  # bytes of a block
_BOM, _TWO_BLANKS, _PAIRED = b"\xef\xbb\xbf", 0x2020, 1 << 18


def holds_two_blanks(block: bytes) -> bool:
    """Whether there are two adjacent blanks; looking at pairs of bytes is faster than searching."""
    for start in range(0, len(block) - 1, _PAIRED):
        for first in (start, start + 1):
            count = (min(start + _PAIRED + 1, len(block)) - first) // 2
            if (np.frombuffer(block, "<u2", count, first) == _TWO_BLANKS).any():
                return True
    return False


@dataclass(frozen=True, eq=False)
class Text:
    """Bytes of UTF-8, in memory or in a file."""

    source: bytes | Path

    def head(self, most: int = 1 << 16) -> bytes:
        """The first bytes, without a byte order mark; all of them for −1."""
        with self._opened() as file:
            return file.read(most)

    def whole(self) -> bytes:
        """The whole text, without a byte order mark."""
        return self.head(-1)

    @property
    def size(self) -> int:
        """Size in bytes."""
        return len(self.source) if isinstance(self.source, bytes) else self.source.stat().st_size

    def over_blocks(self, function: Callable[[bytes], Result | None], take: Callable[[Result], object]) -> bool:
        """Call a function on each block in two threads and take the results in order; False once one is None."""

        def is_taken(called: Future[Result | None]) -> bool:
            if (result := called.result()) is not None:
                take(result)
            return result is not None

        with self._opened() as file, ThreadPoolExecutor(2) as workers:
            called: deque[Future[Result | None]] = deque()
            for block in _blocks(file):
                called.append(workers.submit(function, block))
                if len(called) > 2 and not is_taken(called.popleft()):
                    return False
            return all(map(is_taken, called))

    def _opened(self) -> IO[bytes]:
        file = BytesIO(self.source) if isinstance(self.source, bytes) else self.source.open("rb")
        if file.read(len(_BOM)) != _BOM:
            file.seek(0)
        return file


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Whole lines of a file, of `BLOCK` bytes or, for a longer line, of more; the last may lack its end."""
    rest = b""
    while got := file.read(max(BLOCK, len(rest))):
        end = got.rfind(b"\n") + 1 if len(got) >= BLOCK else len(got)
        if end:
            yield rest + got[:end]
        rest = got[end:] if end else rest + got
    if rest:
        yield rest


@dataclass(frozen=True)
class LineFormat:
    """A format of runs or judgments: its fields, and the place of the score, rank or grade if it has one."""

    what: str
    fields: tuple[str, ...]
    number: int | None
    article: str = ""

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns of the fields that are read: query, document and number. The others are ignored."""
        return 0, self.fields.index("document"), *(() if self.number is None else (self.number,))


RUN = LineFormat("run", ("query", "Q0", "document", "rank", "score", "tag"), 4, "a ")
QRELS = LineFormat("judgments", ("query", "iteration", "document", "grade"), 3)

# Formats of MS MARCO, whose judgments may name the relevant documents alone.
RANKS = LineFormat("run", ("query", "document", "rank"), 2, "a ")
GRADES = LineFormat("judgments", ("query", "document", "grade"), 2)
PAIRS = LineFormat("judgments", ("query", "document"), None)


@dataclass(frozen=True, eq=False)
class LineColumns:
    """The three columns of some lines, with coded queries in the order of their first row."""

    queries: Sequence[Any]  # texts; of one block, bytes
    codes: npt.NDArray[np.int32]
    documents: IdTable
    numbers: Array


def columns_of(text: Text, form: LineFormat) -> LineColumns | None:
    """The columns of a text whose fields one blank or one tab separates; None of any other text, or without rows."""
    delimiter, other = ("\t", b" ") if b"\t" in text.head().lstrip(b"\n").partition(b"\n")[0] else (" ", b"\t")

    def of_block(block: bytes) -> LineColumns | None:
        # To Arrow two blanks are an empty field, so that five fields would be six. A text has no zero bytes.
        if other in block or b"\0" in block or (delimiter == " " and holds_two_blanks(block)):
            return None
        return _parsed(block, form, delimiter)

    gathered = _Gathered(text.size)
    return gathered.columns() if text.over_blocks(of_block, gathered.add) else None


class _Gathered:
    """The columns of all blocks of a text of this size so far."""

    def __init__(self, size: int) -> None:
        self._wide = np.int32 if size < 1 << 31 else np.int64
        self._indices: dict[bytes, int] = {}
        self._columns: list[list[np.ndarray]] = [[] for _ in range(5)]  # codes, numbers, starts, hashes and bytes
        self.used, self._lengths = 0, set[int]()

    def add(self, part: LineColumns) -> None:
        codes = [self._indices.setdefault(query, len(self._indices)) for query in part.queries]
        ids = part.documents
        if not len(ids):
            return
        first, last = int(ids.starts[0]), int(ids.starts[-1] + ids.lengths[-1])
        # Widened first: offsets are small in a block, but not in a large file.
        starts = ids.starts.astype(self._wide, copy=False) + (self.used - first)
        parts = np.array(codes, dtype=np.int32)[part.codes], part.numbers, starts, ids.hashes, ids.data[first:last]
        for column, values in zip(self._columns, parts, strict=True):
            column.append(values)
        self._lengths |= {int(ids.lengths.min()), int(ids.lengths.max())}
        self.used += last - first

    def columns(self) -> LineColumns | None:
        """All rows; None without any, or if two queries look the same."""
        queries = tuple(name.decode("utf-8", "backslashreplace") for name in self._indices)
        if not queries or len(set(queries)) < len(queries):
            return None
        # One column after the other, so that the parts of only one stand beside the whole.
        codes, numbers, starts, hashes, data = (np.concatenate(self._columns.pop(0)) for _ in range(5))
        # The ids are contiguous. Ids of one length, as most are, need no column of lengths.
        if len(self._lengths) == 1:
            lengths = np.broadcast_to(np.array(*self._lengths, dtype=starts.dtype), starts.shape)
        else:
            lengths = np.diff(starts, append=starts.dtype.type(len(data)))
        return LineColumns(queries, codes, IdTable.hashed(data, starts, lengths, hashes), numbers)


def _parsed(block: bytes, form: LineFormat, delimiter: str) -> LineColumns | None:
    query, document, *number = read = [form.fields[column] for column in form.columns]
    size = max(len(block), 1 << 16)
    try:
        kinds = {query: pa.binary(), document: pa.binary()} | dict.fromkeys(number, pa.float64())
        cells = {"include_columns": read, "column_types": kinds, "null_values": [], "strings_can_be_null": False}
        table = csv.read_csv(
            pa.BufferReader(block),
            csv.ReadOptions(column_names=list(form.fields), use_threads=False, block_size=size),
            csv.ParseOptions(delimiter=delimiter, quote_char=False),
            csv.ConvertOptions(check_utf8=False, **cells),
        )
    except (pa.ArrowException, ValueError, OverflowError):
        if not block.strip(b"\r\n"):  # of empty lines only
            return LineColumns([], np.empty(0, np.int32), IdTable.of([]), np.empty(0))
        return None
    queries, codes = _coded(table[query])
    documents, numbers = ids_of(table[document]), table[number[0]].to_numpy() if number else np.ones(len(table))
    if any(not name or name.startswith(b"#") for name in queries) or not documents.lengths.all():
        return None
    if np.isnan(numbers).any() or (form.what == "judgments" and np.isinf(numbers).any()):
        return None
    documents.hashes  # noqa: B018  # cached in the table, while the ids are in the processor cache
    return LineColumns(queries, codes, documents, numbers)


def _coded(column: pa.ChunkedArray) -> tuple[list[bytes], npt.NDArray[np.int32]]:
    """The distinct ids in the order of their first row, and the code of each row."""
    ids = ids_of(column)
    heads = heads_of(ids)
    if len(heads) * 4 > len(ids):  # the rows of a query are not contiguous
        encoded = column.combine_chunks().dictionary_encode()
        return encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
    indices: dict[bytes, int] = {}
    codes = [indices.setdefault(name, len(indices)) for name in ids.take(heads).raw()]
    return list(indices), np.repeat(np.array(codes, dtype=np.int32), np.diff(heads, append=len(ids)))
