"""Reading a table from a file or from bytes, whatever its format, into a data set."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePath

import pandas as pd

from evalcore.readers import archives
from evalcore.readers.datasets import DataSet
from evalcore.readers.delimited import read_delimited
from evalcore.readers.encodings import no_table, utf8
from evalcore.readers.frames import frame_of, numbers_among_words, transposed_counts
from evalcore.readers.headers import tidy_names
from evalcore.readers.problems import Finding, Lines, ReadProblem, named

__all__ = ["read_table"]

MAX_ROWS = 20_000_000
MAX_BYTES = 1 << 30

# A packed file in a packed file is odd, a third one an attack.
_MOST_PACKINGS = 2

_KNOWN = (
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"ARROW1", "an Arrow or Feather file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "an XML document"),
    (b"{", "JSON"),
    (b"[", "JSON"),
)


def read_table(
    source: str | Path | bytes, name: str | None = None, *, max_rows: int = MAX_ROWS, max_bytes: int = MAX_BYTES
) -> DataSet:
    """Read a table from a file or from bytes: its roles, its kind and its findings.

    CSV with comma, semicolon, tab or pipe, Parquet, Excel and OpenDocument, plain or in gzip or zip; the content
    decides, not the name. Lines are counted as in the file, the header being line 1.

    Parameters
    ----------
    source : str, Path or bytes
        A path, or the content of a file.
    name : str, optional
        What to call the data set, by default the name of the file.
    max_rows, max_bytes : int
        Limits of the rows and of the unpacked bytes.

    Raises
    ------
    ReadProblem
        If it is no table, with what is wrong where, and what to do.

    Examples
    --------
    >>> dataset = read_table(b"truth,model\\nill,0.9\\nwell,0.4\\nwell,0.1\\n", "test.csv")
    >>> dataset.kind, dataset.roles.score, dataset.roles.positive
    ('scores', ('model',), 'ill')
    """
    data, name = _content(source, name, max_bytes)
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    table_data, table_name = data, name
    for _ in range(_MOST_PACKINGS):
        unpacked = _unpacked(table_data, table_name, max_bytes)
        if unpacked is None:
            break
        table_data, table_name = unpacked
    else:
        if _is_packed(table_data):
            raise ReadProblem(f"{named(name)} is packed several times over. Unpack it and open the table itself.")
    frame, lines, findings = _frame(table_data, table_name, max_rows, max_bytes)
    if frame.shape[1] < 2:
        raise ReadProblem(
            f"{named(name)} has one column only that holds labels or numbers. "
            "A table needs the truth and at least one system."
        )
    transposed = transposed_counts(frame)
    if transposed is not None:
        findings = [Finding("info", "A list of four counts, one a line, was turned into one row of four columns.", 4)]
        frame, lines = transposed, Lines(1, lines.word)
    return DataSet.of(frame, name, digest=digest, lines=lines, read_findings=tuple(findings))


def _content(source: str | Path | bytes, name: str | None, max_bytes: int) -> tuple[bytes, str]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        data, name = bytes(source), name or "table"
    else:
        path = Path(source)
        name = name or path.name
        try:
            if path.stat().st_size > max_bytes:
                raise archives.too_many_bytes(name, max_bytes)
            data = path.read_bytes()
        except (OSError, ValueError) as error:
            if isinstance(error, ReadProblem):
                raise
            raise ReadProblem(
                f"The file {named(name)} cannot be opened. Check that it exists and may be read."
            ) from error
    if len(data) > max_bytes:
        raise archives.too_many_bytes(name, max_bytes)
    if not data:
        raise ReadProblem(f"{named(name)} is empty. Open a file with a header and at least one row.")
    return data, name


def _is_packed(data: bytes) -> bool:
    return data.startswith((b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06"))


def _unpacked(data: bytes, name: str, max_bytes: int) -> tuple[bytes, str] | None:
    """What a gzip or zip file holds, or None where the bytes are a table themselves (a workbook is a zip file too)."""
    if data.startswith(b"\x1f\x8b"):
        data = archives.gunzipped(data, name, max_bytes)
    elif _is_packed(data) and not _is_workbook(data, name):
        data, name = archives.unzipped(data, name, max_bytes)
    else:
        return None
    if not data:
        raise ReadProblem(f"{named(name)} is empty. Open a file with a header and at least one row.")
    return data, name


def _is_workbook(data: bytes, name: str) -> bool:
    members = archives.member_names(data, name)
    return any(member.startswith("xl/workbook") for member in members) or {"mimetype", "content.xml"} <= set(members)


def _frame(data: bytes, name: str, max_rows: int, max_bytes: int) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    if data.startswith(b"PK") or data.startswith(b"\xd0\xcf\x11\xe0"):
        from evalcore.readers.sheets import read_sheets  # workbooks are rare, and their reader takes time to load

        return read_sheets(data, name, max_rows, max_bytes)
    if data.startswith(b"PAR1"):
        from evalcore.readers.parquet import read_parquet

        table, header = read_parquet(data, name, max_rows, max_bytes)
        lines, findings = Lines(word="row"), []
    else:
        _refuse_known(data, name)
        text, findings = utf8(data, name)
        table, layout = read_delimited(text, name, max_rows)
        header, lines = layout.header, Lines(layout.first_line)
        if layout.decimal_comma:
            findings.append(Finding("info", 'Commas in numbers are read as decimal marks: "0,5" is one half.', 1))
    names, renamed = tidy_names(header, table.num_columns, lines)
    frame, changed = frame_of(table, names)
    return frame, lines, [*findings, *renamed, *changed, *numbers_among_words(frame, lines)]


def _refuse_known(data: bytes, name: str) -> None:
    head = data[:256].lstrip(b"\xef\xbb\xbf \t\r\n")
    for mark, what in _KNOWN:
        if head[: len(mark)].lower() == mark.lower():
            raise ReadProblem(
                f"{named(name)} is {what}, not a table. Save the table as CSV, Excel or Parquet and open that."
            )
    suffix = PurePath(name).suffix.lower()
    if suffix in (".parquet", ".xlsx", ".xls", ".ods", ".gz", ".zip"):
        if b"\0" in data[:4096]:
            raise ReadProblem(
                f"{named(name)} is damaged: it is no {suffix[1:]} file inside. Copy or download it again."
            )
    elif suffix in (".pkl", ".pickle"):
        raise no_table(name)
