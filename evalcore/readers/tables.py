"""Reading a table in any format, from a file or from bytes, into a data set."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePath

import pandas as pd

from evalcore.readers import archives
from evalcore.readers.datasets import DataSet
from evalcore.readers.formats import FORMATS, Format
from evalcore.readers.frames import transposed_counts
from evalcore.readers.large_files import read_within_limits
from evalcore.readers.problems import Finding, Lines, ReadProblem, named
from evalcore.readers.sheets import is_workbook
from evalcore.readers.square_matrices import without_totals
from evalcore.readers.vector_columns import with_class_columns

__all__ = ["read_table"]

MAX_ROWS = 20_000_000
MAX_BYTES = 1 << 30

# A compressed file in a compressed file is odd, a third one an attack.
_MOST_PACKINGS = 2


def read_table(
    source: str | Path | bytes,
    name: str | None = None,
    *,
    sheet: str | None = None,
    header: int | None = None,
    max_rows: int = MAX_ROWS,
    max_bytes: int = MAX_BYTES,
) -> DataSet:
    """Read a table from the path of a file or from its content, with its roles, its kind and its findings.

    The content decides on the format, one of `FORMATS`, plain or in gzip, zstd or zip. Lines are numbered as in the
    file, where the header is line 1. The name is by default that of the file; `max_bytes` counts uncompressed bytes.
    The sheet of a workbook, and the number of the line or row that names the columns (0 if none does), are those that
    look right, unless they are given; `DataSet.lines.origin` says which they are.

    Raises
    ------
    ReadProblem
        If it cannot be read as a table; says what is wrong where, and what to do.

    Examples
    --------
    >>> dataset = read_table(b"truth,model\\nill,0.9\\nwell,0.4\\nwell,0.1\\n", "test.csv")
    >>> dataset.kind, dataset.roles.score, dataset.roles.positive
    ('scores', ('model',), 'ill')
    """
    name = name or (Path(source).name if isinstance(source, (str, Path)) else "table")
    with archives.within_memory(name):
        options = {word: value for word, value in (("sheet", sheet), ("header", header)) if value is not None}
        content = _content(source, name, max_bytes)
        return read_within_limits(read_only_table, {name: content}, max_rows, max_bytes, options)


def read_only_table(
    files: Mapping[str, bytes], max_rows: int, max_bytes: int, options: Mapping[str, str | int]
) -> DataSet:
    """`read_table` of the only file, within limits of rows and unpacked bytes, with a sheet or header if given."""
    (name,) = files
    return table_among(files, name, max_rows, max_bytes, **options)


def table_among(files: Mapping[str, bytes], name: str, max_rows: int, max_bytes: int, **options: str | int) -> DataSet:
    """One of some files as a table; nothing here holds its bytes while the table is looked at."""
    digest, frame, lines, findings = _parsed(files[name], name, max_rows, max_bytes, options)
    return DataSet.of(frame, name, digest=digest, lines=lines, read_findings=tuple(findings))


def _parsed(
    data: bytes, name: str, max_rows: int, max_bytes: int, options: Mapping[str, str | int]
) -> tuple[str, pd.DataFrame, Lines, list[Finding]]:
    """The digest of a file with the options, and its content."""
    digest = hashlib.blake2b(data, digest_size=16)
    digest.update("".join(f"\n{word} {value}" for word, value in sorted(options.items())).encode("utf-8", "replace"))
    table_data, table_name = data, name
    packings = 0
    while _is_packed(table_data) and not is_workbook(table_data, table_name):
        if (packings := packings + 1) > _MOST_PACKINGS:
            raise ReadProblem(f"{named(name)} is compressed several times. Decompress it and open the table itself.")
        table_data, table_name = _unpacked(table_data, table_name, max_bytes)
    format = _format_of(table_data, table_name)
    for option in options.keys() - set(format.options):
        raise ReadProblem(f"{named(name)} is {format.names[0]}, where no {option} can be chosen. Leave it out.")
    frame, lines, findings = format.read(table_data, table_name, max_rows, max_bytes, **options)
    frame, of_lists = with_class_columns(frame, lines)
    if frame.shape[1] < 2:
        raise ReadProblem(
            f"Only one column of {named(name)} holds labels or numbers. "
            "A table needs the true values and at least one system."
        )
    if (transposed := transposed_counts(frame)) is not None:
        findings = [
            Finding(
                "info",
                "A list of four counts, one per line, was read as one row of four columns.",
                4,
                code="transposed",
            )
        ]
        frame, lines = transposed, Lines(1, lines.word, lines.origin)
    frame, totals = without_totals(frame)
    return digest.hexdigest(), frame, lines, [*findings, *of_lists, *totals]


def _content(source: str | Path | bytes, name: str, max_bytes: int) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    else:
        path = Path(source)
        with archives.opening(path, name, max_bytes):
            data = path.read_bytes()
    if len(data) > max_bytes:
        raise archives.too_many_bytes(name, max_bytes)
    return _not_empty(data, name)


def _is_packed(data: bytes) -> bool:
    return archives.is_compressed(data) or data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def _unpacked(data: bytes, name: str, max_bytes: int) -> tuple[bytes, str]:
    """The content of a gzip, zstd or zip file, and its name."""
    if archives.is_compressed(data):
        data = archives.decompressed(data, name, max_bytes)
    else:
        data, name = archives.unzipped(data, name, max_bytes)
    return _not_empty(data, name), name


def _not_empty(data: bytes, name: str) -> bytes:
    if not data:
        raise ReadProblem(f"{named(name)} is empty. Open a file with a header and at least one row.")
    return data


def _format_of(data: bytes, name: str) -> Format:
    """The format of a file, by its content."""
    format = next(format for format in FORMATS if format.fits(data, name))
    suffix = PurePath(name).suffix.lower()
    others = {ending for other in FORMATS[:-1] if other is not format for ending in other.endings}
    if format is FORMATS[-1] and suffix in others | {".gz", ".zst", ".zip"} and b"\0" in data[:4096]:
        raise ReadProblem(f"{named(name)} is damaged: it does not contain {suffix[1:]}. Copy or download it again.")
    return format
