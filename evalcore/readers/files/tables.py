"""Reading a table in any format, from a file or from bytes, into a data set."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath, PurePosixPath
from types import MappingProxyType

from evalcore.readers.base import encodings
from evalcore.readers.base.pictures import is_images
from evalcore.readers.base.problems import Finding, Lines, ReadProblem, listed, named, worst_first
from evalcore.readers.child.columns import reader_of
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.files import columnar
from evalcore.readers.files.columnar import is_workbook, read_columns, read_within_limits
from evalcore.readers.files.delimited import read_delimited
from evalcore.readers.files.frames import Content, transposed_counts
from evalcore.readers.shapes.matrices import with_class_columns, without_totals
from evalcore.wording.numbers import count_text

__all__ = ["FORMATS", "formats_text", "opened_archives", "read_table"]


Options = Mapping[str, str | int]  # the sheet or the header that was chosen, by these words


@dataclass(frozen=True)
class Format:
    """A format: its name for users, the endings of its files, and the dialects that are read.

    The content decides whether a file `fits`, but one with such an ending that is no such format is damaged. To `read`
    takes the bytes, the name, the limit of rows and the limit of bytes, and raises ReadProblem; the options are those
    of "sheet" and "header" that it also takes.
    """

    names: tuple[str, ...]
    endings: tuple[str, ...]
    details: str
    fits: Callable[[bytes, str], bool]
    read: Callable[..., Content]
    options: tuple[str, ...] = ()


FORMATS = (
    Format(("Parquet",), (".parquet",), "", lambda data, _: data.startswith(b"PAR1"), partial(read_columns, "parquet")),
    Format(
        ("Arrow", "Feather"), (".arrow", ".feather"), "file or stream",
        lambda data, _: data.startswith((b"ARROW1", b"FEA1", b"\xff\xff\xff\xff")), partial(read_columns, "arrow"),
    ),
    Format(
        ("SPSS", "Stata", "SAS"), (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"),
        "value labels become class names, codes of missing values become missing",
        lambda data, _: reader_of(data[:700]) is not None, columnar.read_statistics,
    ),
    Format(
        ("JSON", "JSON Lines"), (".json", ".jsonl", ".ndjson"),
        "list of records, one record per line, or object of columns; objects in records flattened",
        columnar.is_json, columnar.read_json,
    ),
    Format(
        ("Excel", "OpenDocument"), (".xlsx", ".xls", ".ods"),
        "the sheet that holds predictions, or the one you choose; below titles, without totals",
        is_workbook, columnar.read_sheets, ("sheet", "header"),
    ),
    Format(
        ("CSV", "TSV"), (".csv", ".tsv", ".txt"),
        "comma, semicolon, tab, pipe or blanks; decimal point or comma; any usual encoding; titles and totals left out",
        lambda data, name: True, read_delimited, ("header",),
    ),
)  # fmt: skip
"""Every format, in the order in which content is tried; the last takes what no other does."""


def formats_text() -> str:
    """The names of all formats in a sentence.

    >>> formats_text()
    'CSV, TSV, Excel, OpenDocument, JSON, JSON Lines, SPSS, Stata, SAS, Arrow, Feather or Parquet'
    """
    names = [name for format in reversed(FORMATS) for name in format.names]
    return f"{', '.join(names[:-1])} or {names[-1]}"


MAX_ROWS, MAX_BYTES = 20_000_000, 1 << 30
_MOST_PACKINGS = 2  # A compressed file in a compressed file is odd, a third one an attack.
_PACKED = (encodings.GZIP, encodings.ZSTD, b"PK\x03\x04", b"PK\x05\x06")


def read_table(
    source: str | Path | bytes, name: str | None = None, *, sheet: str | None = None, header: int | None = None,
    max_rows: int = MAX_ROWS, max_bytes: int = MAX_BYTES,
) -> DataSet:  # fmt: skip
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
    with encodings.within_memory(name):
        options = {word: value for word, value in (("sheet", sheet), ("header", header)) if value is not None}
        content = _content(source, name, max_bytes)
        return read_within_limits(table_among, {name: content}, max_rows, max_bytes, name, options)


def table_among(
    files: Mapping[str, bytes], max_rows: int, max_bytes: int, name: str, options: Options = MappingProxyType({})
) -> DataSet:
    """Read one of some files as a table; keeps no reference to its bytes while the table is examined."""
    digest, (frame, lines, findings) = _parsed(files[name], name, max_rows, max_bytes, options)
    return DataSet.of(frame, name, digest=digest, lines=lines, read_findings=tuple(findings))


def _parsed(data: bytes, name: str, max_rows: int, max_bytes: int, options: Options) -> tuple[str, Content]:
    """The digest of a file with the options, and its content."""
    digest = hashlib.blake2b(data, digest_size=16)
    digest.update("".join(f"\n{word} {value}" for word, value in sorted(options.items())).encode("utf-8", "replace"))
    file, packings = name, 0
    while data.startswith(_PACKED) and not is_workbook(data, name):
        if (packings := packings + 1) > _MOST_PACKINGS:
            raise ReadProblem(f"{named(file)} is compressed several times. Decompress it and open the table itself.")
        if encodings.is_compressed(data):
            data = encodings.decompressed(data, name, max_bytes)
        else:
            data, name = encodings.unzipped(data, name, max_bytes)
        _refuse_empty(data, name)
    format = _format_of(data, name)
    for option in options.keys() - set(format.options):
        raise ReadProblem(f"{named(file)} is {format.names[0]}, where no {option} can be chosen. Leave it out.")
    frame, lines, findings = format.read(data, name, max_rows, max_bytes, **options)
    frame, of_lists = with_class_columns(frame, lines)
    if frame.shape[1] < 2:
        sentence = f"Only one column of {named(file)} holds labels or numbers. A table needs the true values and at "
        raise ReadProblem(f"{sentence}least one system.")
    if (transposed := transposed_counts(frame)) is not None:
        sentence = "A list of four counts, one per line, was read as one row of four columns."
        findings = [Finding("info", sentence, 4, code="transposed")]
        frame, lines = transposed, Lines(1, lines.word, lines.origin)
    frame, totals = without_totals(frame)
    return digest.hexdigest(), (frame, lines, [*findings, *of_lists, *totals])


def _content(source: str | Path | bytes, name: str, max_bytes: int) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    else:
        path = Path(source)
        with encodings.opening(path, name, max_bytes):
            data = path.read_bytes()
    if len(data) > max_bytes:
        raise encodings.too_many_bytes(name, max_bytes)
    _refuse_empty(data, name)
    return data


def _refuse_empty(data: bytes, name: str) -> None:
    if not data:
        raise ReadProblem(f"{named(name)} is empty. Open a file with a header and at least one row.")


def _format_of(data: bytes, name: str) -> Format:
    """The format of a file, by its content."""
    format = next(format for format in FORMATS if format.fits(data, name))
    suffix = PurePath(name).suffix.lower()
    others = {ending for other in FORMATS[:-1] if other is not format for ending in other.endings}
    if format is FORMATS[-1] and suffix in others | {".gz", ".zst", ".zip"} and b"\0" in data[:4096]:
        raise ReadProblem(f"{named(name)} is damaged: it does not contain {suffix[1:]}. Copy or download it again.")
    return format


_MOST_TABLES = 100


def opened_archives(files: Mapping[str, bytes], max_bytes: int) -> tuple[Mapping[str, bytes], list[Finding]]:
    """Replace each zip archive of several tables by its tables, with findings about these archives.

    An archive of one table, a workbook and a zip of images stay what they are. `max_bytes` counts what all archives
    hold unpacked. Raises ReadProblem where an archive holds no table, too many or too much, or is damaged.

    >>> import io, zipfile
    >>> with zipfile.ZipFile(packed := io.BytesIO(), "w") as archive:
    ...     for name in ("a/truth.csv", "a/model.csv", "README.md", "__MACOSX/._truth.csv"):
    ...         archive.writestr(name, "id,y")
    >>> files, findings = opened_archives({"x.zip": packed.getvalue()}, 1000)
    >>> list(files), findings[0].sentence
    (['truth.csv', 'model.csv'], '"x.zip" was opened as its 2 tables; "README.md" is left out.')
    """
    opened, findings = {}, []
    for name, data in files.items():
        is_archive = data.startswith(b"PK\x03\x04") and not is_workbook(data, name) and not is_images(data)
        members = {name: data}
        if is_archive and (tables := _tables(data, name)) is not None:
            left_out, paths = tables
            members = encodings.unzipped_files(data, name, paths, max_bytes)
            max_bytes -= sum(map(len, members.values()))
            rest = f"; {listed(left_out, 5)} {'is' if len(left_out) == 1 else 'are'} left out" if left_out else ""
            what = f"its {count_text(len(paths))} tables" if len(paths) > 1 else listed(paths)
            findings.append(Finding("info", f"{named(name)} was opened as {what}{rest}.", len(paths), code="archive"))
            members = dict(zip(_short(paths), members.values(), strict=True))
        if clash := members.keys() & opened.keys():
            raise ReadProblem(f"Two files are named {named(min(clash))}. Give each its own name.")
        opened |= members
    return opened if findings else files, findings


def with_findings(data: DataSet, findings: Iterable[Finding]) -> DataSet:
    """Add findings about the reading of its files to a data set."""
    more = tuple(findings)
    return replace(data, findings=worst_first((*data.findings, *more)), read_findings=(*data.read_findings, *more))


def _tables(data: bytes, name: str) -> tuple[list[str], list[str]] | None:
    """Return the other files of an archive of tables, and the paths of the tables; None if it is not one of several."""
    paths = [file.filename for file in encodings.members(data, name) if encodings.is_content(file.filename)]
    if len(paths) < 2:
        return None
    tables = [path for path in paths if encodings.may_be_table(path)]
    if len(tables) == 1:
        return None
    if not tables:
        raise ReadProblem(f"{named(name)} holds {count_text(len(paths))} files and no table: {listed(paths)}.")
    splits = {path for path in tables if PurePosixPath(path).parent.name.casefold() == "qrels"}
    if tested := {path for path in splits if PurePosixPath(path).stem.casefold() == "test"}:
        tables = [path for path in tables if path not in splits - tested]  # training and development are not measured
    if len(tables) > _MOST_TABLES:
        sentence = f"{named(name)} holds {count_text(len(tables))} tables; at most {_MOST_TABLES} are opened together. "
        raise ReadProblem(f"{sentence}Extract those that belong together and open them.")
    return [PurePosixPath(path).name for path in paths if path not in tables], tables


def _short(paths: list[str]) -> list[str]:
    """Shorten paths to file names, with the folder if two are equal."""
    each = [PurePosixPath(path) for path in paths]
    for parts in (1, 2):
        short = [" ".join(path.parts[-parts:]) for path in each]
        if max(Counter(short).values()) == 1:
            return short
    return [" ".join(path.parts) for path in each]
