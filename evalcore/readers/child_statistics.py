"""Files of statistics programs (SPSS, Stata, SAS), read in a child process."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any

from evalcore.readers.child_columns import BATCH, write_columns

if TYPE_CHECKING:
    import pyarrow as pa

_SAS = bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11"
# Options to try one after the other: a file may not state its encoding, or hold a date after the year 9999.
_ATTEMPTS = ({}, {"encoding": "WINDOWS-1252"}, {"disable_datetime_conversion": True})


def reader_of(head: bytes) -> str | None:
    """The name of the function of pyreadstat that reads a file, from its first 700 bytes; None if there is none."""
    if head.startswith((b"$FL2@(#)", b"$FL3@(#)")):
        return "read_sav"
    if b"SPSSPORT" in head[400:700]:
        return "read_por"
    # before version 117, a dta file begins with its version, its byte order and a 1
    if head.startswith(b"<stata_dta>") or (head[:1] in (b"q", b"r", b"s") and head[1:4] in (b"\1\1\0", b"\2\1\0")):
        return "read_dta"
    if head.startswith(_SAS):
        return "read_sas7bdat"
    if head.startswith((b"HEADER RECORD*******LIBRARY HEADER", b"HEADER RECORD*******LIBV8   HEADER")):
        return "read_xport"
    return None


def statistics_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The columns, with value labels instead of codes where every code has one, and no codes of missing values.

    The metadata of the stream names the columns of labels, and those in which only some codes have one.
    """
    import pyarrow as pa
    import pyreadstat

    read = getattr(pyreadstat, reader_of(file.read(700)) or "")
    for options in _ATTEMPTS:
        file.seek(0)
        try:
            columns, about = read(file, output_format="dict", row_limit=most_rows + 1, **options)
            break
        except (pyreadstat.ReadstatError, OverflowError):
            if options is _ATTEMPTS[-1]:
                raise
    labels, arrays = {"all": [], "some": {}}, []
    for name, cells in columns.items():
        words = {code: label for code, label in about.variable_value_labels.get(name, {}).items() if label}
        present = set(cells) - {None} if words else set()
        if present and present <= words.keys():
            labels["all"].append(name)
            cells = [words.get(cell) for cell in cells]
        elif present & words.keys():
            labels["some"][name] = [
                [f"{code:g}" if isinstance(code, float) else str(code), words[code]]
                for code in sorted(present & words.keys(), key=str)
            ]
        arrays.append(_array(cells))
    table = pa.table(arrays, names=list(columns))
    write_columns(table.to_batches(BATCH), table.schema, answer, most_rows, most_bytes, labels=json.dumps(labels))


def _array(cells: list[Any]) -> pa.Array:
    """Cells of one type: whole numbers as such, and what is mixed as text."""
    import pyarrow as pa

    try:
        array = pa.array(cells, from_pandas=True)
        whole = pa.types.is_floating(array.type) and not array.null_count and all(map(float.is_integer, cells))
        return array.cast(pa.int64()) if whole else array
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([None if cell is None else str(cell) for cell in cells], pa.string())
