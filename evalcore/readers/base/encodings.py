"""Bytes of files: unpacked no further than a limit, decoded to text; and tables written as CSV."""

import codecs
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO, cast

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.readers.base.problems import Finding, ReadProblem, TooLarge, listed, named
from evalcore.wording import TABLE_FORMATS, UNDEFINED, count_text, spreadsheet_cell, table_texts

__all__ = ["columns_texts", "csv_of"]

_SAMPLE, _WINDOW, _DETECTED = 4096, 1 << 20, 1 << 15
_MARKS = (  # of UTF-32 before UTF-16, whose mark it begins with
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip

_SCRIPTS = {
    "cp1251": "Windows-1251 (Cyrillic)", "cp932": "Shift-JIS (Japanese)", "gb18030": "GB 18030 (Chinese)",
    "cp949": "code page 949 (Korean)", "big5": "Big5 (Chinese)", "euc_jp": "EUC-JP (Japanese)",
    "cp1253": "Windows-1253 (Greek)", "cp1255": "Windows-1255 (Hebrew)", "koi8_r": "KOI8-R (Cyrillic)",
    "cp866": "code page 866 (Cyrillic)", "cp1256": "Windows-1256 (Arabic)", "cp874": "code page 874 (Thai)",
}  # fmt: skip
"""Encodings of other scripts than the Latin, the usual first, by their name in Python."""

_WORD, _ASCII_LETTER = re.compile(r"[^\W\d_]+"), re.compile("[A-Za-z]")
_IDEOGRAPH, _HALF_WIDTH = re.compile("[\u2e80-\ufaff]"), re.compile("[\uff61-\uff9f]")
_BELOW_LETTERS = re.compile(rb"[\x00-\x3f]+")
USUAL_FORMATS = "CSV, Excel, JSON or Parquet"  # the formats that a refused file is told to use


def utf8(data: bytes, name: str) -> tuple[bytes, list[Finding]]:
    """A text file as UTF-8 without a byte order mark, and a finding if its encoding was guessed."""
    encoding, mark = next(((name, mark) for mark, name in _MARKS if data.startswith(mark)), (_utf16(data), b""))
    data = data[len(mark) :]
    if encoding != "utf-8":
        return _recoded(data, encoding, name), []
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1a" for byte in data[:_SAMPLE])
    if b"\0" in data or controls * 50 > len(data[:_SAMPLE]):
        raise no_table(name)
    if data.isascii():
        return data, []
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        # five bytes are undefined in Windows-1252; Latin-1 takes any byte
        for guess in filter(None, (_other_script(data, error.start), "cp1252", "latin-1")):
            with suppress(UnicodeDecodeError):
                text = data.decode(guess)
                break
        sentence = f"The text is not UTF-8 (first in line {line}) and was read as "
        sentence += f"{_SCRIPTS.get(guess, 'Windows-1252 (Latin-1)')}. If letters look wrong, save the file as UTF-8."
        return text.encode("utf-8"), [Finding("info", sentence, 1, code="encoding")]
    return data, []


def _other_script(data: bytes, start: int) -> str | None:
    """The encoding of text that is not in Latin letters, from its first words that are not ASCII; None for others."""
    from charset_normalizer import from_bytes

    window = data[data.rfind(b"\n", 0, start) + 1 :][:_WINDOW]
    parts = dict.fromkeys(part for part in _BELOW_LETTERS.split(window) if not part.isascii())
    sample = b" ".join(parts)[:_DETECTED]
    if not (results := list(from_bytes(sample, cp_isolation=list(_SCRIPTS)))):
        return None
    # a few words do not tell two encodings apart; the more usual one comes first
    chaos, coherence = results[0].chaos + 1e-3, results[0].coherence - 0.25
    alike = {one.encoding for one in results if one.chaos <= chaos and one.coherence >= coherence}
    guess = next(encoding for encoding in _SCRIPTS if encoding in alike)
    words = [word for word in _WORD.findall(sample.decode(guess, "ignore")) if not word.isascii()]
    # in a false guess, foreign letters stand within words of ASCII letters; a lone "à" is of no other alphabet
    whole = [word for word in words if not _ASCII_LETTER.search(word) and not _HALF_WIDTH.search(word)]
    foreign = [word for word in whole if len(word) > 1 or _IDEOGRAPH.match(word)]
    letters = set("".join(foreign))
    enough = len(letters) > 2 or all(map(_IDEOGRAPH.match, letters))
    return guess if letters and enough and 5 * len(foreign) >= 4 * len(words) else None


def no_table(name: str, what: str = "not a table that Evalcore can read") -> ReadProblem:
    """The problem of a file in no known format."""
    return ReadProblem(f"{named(name)} is {what}. Save the table as {USUAL_FORMATS} and open that.")


def _recoded(data: bytes, encoding: str, name: str) -> bytes:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        sentence = f"{named(name)} looks like {encoding[:6].upper()} text, but is damaged. Save it again as UTF-8."
        raise ReadProblem(sentence) from error
    if "\0" in text:
        raise no_table(name)
    return text.encode("utf-8")


def _utf16(data: bytes) -> str:
    """UTF-16 without a byte order mark, recognized by zeros in every second byte of Western text; or else UTF-8."""
    head = data[:_SAMPLE]
    half, even, odd = len(head) // 2, head[0::2].count(0), head[1::2].count(0)
    if half < 2 or len(data) % 2 or max(even, odd) <= 0.8 * half or min(even, odd):
        return "utf-8"
    return "utf-16-le" if odd else "utf-16-be"


_MOST_ROWS = 10_000  # rows of a table that is read by people; all are in the CSV


def frame_of(queries: Sequence[str], values: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Values per query as a frame with one column per measure."""
    return pd.DataFrame(dict(values), index=pd.Index(list(queries), name="query", dtype="str"))


def csv_of(columns: Mapping[str, Sequence] | pd.DataFrame) -> bytes:
    """Write a table as the bytes of a CSV that a spreadsheet reads without changing or running anything."""
    table = pd.DataFrame(columns).copy()
    words = table.select_dtypes(exclude="number")
    table[words.columns] = words.map(spreadsheet_cell)
    return table.rename(columns=spreadsheet_cell).to_csv(index=False).encode("utf-8-sig")


def columns_texts(
    columns: Mapping[str, Sequence] | pd.DataFrame, formats: Sequence[str] = tuple(TABLE_FORMATS)
) -> dict[str, str]:
    """Write columns as a table in several of `TABLE_FORMATS`, numbers in four digits; the CSV has every digit."""
    table = pd.DataFrame(columns)
    texts = {"CSV": csv_of(table).decode("utf-8-sig")} if "CSV" in formats else {}
    if texts.keys() == {*formats}:
        return texts
    shown = table.head(_MOST_ROWS)
    rows = [[_text(value) for value in row] for row in shown.itertuples(index=False, name=None)]
    if (more := len(table.index) - len(shown.index)) > 0:
        rows.append([f"… and {count_text(more)} more rows, which the CSV has"])
    return texts | table_texts([*map(str, table.columns)], rows, [format for format in formats if format != "CSV"])


def _text(value: object) -> str:
    if isinstance(value, (float, np.floating)):
        if np.isnan(value):
            return UNDEFINED
        if np.isinf(value):
            return "∞" if value > 0 else "−∞"
        return f"{value:.0f}" if 1e4 <= abs(value) < 1e15 or float(value).is_integer() else f"{value:.4g}"
    return "" if value is None or value is pd.NA or value is pd.NaT else str(value)


_NO_TABLE = frozenset(
    ".md .rst .pdf .html .htm .xml .yaml .yml .toml .ini .cfg .log .doc .docx .ppt .pptx .py .ipynb .r .rmd .sh .bat "
    ".exe .js .tex .bib .png .jpg .jpeg .gif .svg .webp .bmp .tif .tiff .pkl .joblib .npy .npz .pt .pth .onnx .h5 .zip "
    ".tar .7z .rar .crc".split()
)
_ABOUT = {"readme", "license", "licence", "notice", "changelog", "citation", "copying", "dataset_info", "manifest"}
_CHUNK, _MOST_FILES = 1 << 20, 10_000
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_HEAD, _WIDE = 1 << 14, (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_compressed(data: bytes) -> bool:
    """Whether some bytes are a gzip or zstd file, which holds one file."""
    return data.startswith((GZIP, ZSTD))


def decompressed(data: bytes, name: str, max_bytes: int) -> bytes:
    """The content of a gzip or zstd file, with all its members."""
    return _content(lambda: _stream(data), name, max_bytes, "gzip" if data.startswith(GZIP) else "zstd")


def _stream(data: bytes) -> IO[bytes]:
    if data.startswith(GZIP):
        return cast(IO[bytes], gzip.open(io.BytesIO(data)))
    return cast(IO[bytes], pa.CompressedInputStream(pa.BufferReader(data), "zstd"))


def head_of(data: bytes) -> bytes:
    """The first bytes of a text file, unpacked and in UTF-8; none where it is damaged."""
    if data.startswith(_WIDE):
        return data[:_HEAD].decode("utf-16", "ignore").encode()
    if not is_compressed(data):
        return data[:_HEAD].removeprefix(codecs.BOM_UTF8)
    try:
        if data.startswith(GZIP):  # which may be cut off
            return zlib.decompressobj(wbits=31).decompress(data, _HEAD)
        return _stream(data).read(_HEAD)
    except (zlib.error, OSError):  # reported when the file is read
        return b""


def members(data: bytes, name: str) -> list[zipfile.ZipInfo]:
    """The files in a zip archive, with their paths and the sizes that it states."""
    with _opened(data, name) as archive:
        return _files(archive)


def zipped_paths(data: bytes, most: int) -> list[str]:
    """The paths of the files in a zip archive; none of other files, damaged ones, and those with more files."""
    if not data.startswith(b"PK\x03\x04") or data.count(b"PK\1\2") > most:
        return []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [info.filename for info in _files(archive)]
    except Exception:  # a broken directory fails in many ways; reading it as a table tells
        return []


def unzipped_files(data: bytes, name: str, paths: Collection[str], max_bytes: int) -> dict[str, bytes]:
    """Read some of the files in a zip archive by their paths, up to a total number of bytes."""
    files: dict[str, bytes] = {}
    left = max_bytes
    with _opened(data, name) as archive:
        for info in _files(archive):
            if info.filename in paths:
                if info.filename in files:
                    raise ReadProblem(f"{named(name)} holds two files {named(info.filename)}. Pack each file once.")
                try:
                    files[info.filename] = _unlocked(archive, info, name, left)
                except TooLarge:
                    raise too_many_bytes(name, max_bytes) from None
                left -= len(files[info.filename])
    return {path: files[path] for path in paths}


def _unlocked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, max_bytes: int) -> bytes:
    if info.flag_bits & 0x1:
        raise ReadProblem(f"{named(name)} is protected by a password. Extract the table and open it.")
    return _content(lambda: archive.open(info), name, max_bytes, "zip")


def unzipped(data: bytes, name: str, max_bytes: int) -> tuple[bytes, str]:
    """The one table in a zip archive, and its name."""
    with _opened(data, name) as archive:
        if not (tables := [info for info in _files(archive) if is_content(info.filename)]):
            raise ReadProblem(f"{named(name)} is an archive without any file. Open the table itself.")
        if len(usable := [info for info in tables if may_be_table(info.filename)]) == 1:
            tables = usable
        if len(tables) > 1:
            files = listed(info.filename for info in tables)
            raise ReadProblem(f"{named(name)} holds {len(tables)} files: {files}. Extract one of them and open it.")
        return _unlocked(archive, tables[0], name, max_bytes), PurePosixPath(tables[0].filename).name or name


@contextmanager
def opening(path: Path, name: str, max_bytes: int) -> Iterator[None]:
    """Refuse a file that is too large, or that cannot be read."""
    try:
        if path.stat().st_size > max_bytes:
            raise too_many_bytes(name, max_bytes)
        yield
    except ReadProblem:
        raise
    except (OSError, ValueError) as error:
        raise unreadable(name) from error


@contextmanager
def within_memory(name: str) -> Iterator[None]:
    """Refuse a file that needs more memory than there is, or that Arrow or Python cannot hold."""
    try:
        yield
    except (MemoryError, OverflowError, pa.ArrowException) as error:
        sentence = f"{named(name)} is damaged, or needs more memory than there is. Open a part of it."
        raise ReadProblem(sentence) from error


def unreadable(name: str) -> ReadProblem:
    """The problem of a file that cannot be opened."""
    return ReadProblem(f"The file {named(name)} cannot be opened. Check that it exists and that you may read it.")


def too_many_bytes(name: str, max_bytes: int) -> TooLarge:
    """The problem of a file that exceeds the limit."""
    size = f"{count_text(round(max_bytes / 1e6))} MB" if max_bytes >= 1_000_000 else f"{count_text(max_bytes)} bytes"
    return TooLarge(f"{named(name)} is too large: at most {size} are read. Open a part of it.")


def _content(open: Callable[[], IO[bytes]], name: str, max_bytes: int, what: str) -> bytes:
    """Read a file in an archive, counting the output, because the sizes stated in the archive may be false."""
    unpacked = io.BytesIO()
    try:
        with open() as file:
            while block := file.read(_CHUNK):
                unpacked.write(block)
                if unpacked.tell() > max_bytes:
                    raise too_many_bytes(name, max_bytes)
    except ReadProblem:
        raise
    except Exception as error:  # each compression method fails in its own way
        raise _damaged(name, what) from error
    return unpacked.getvalue()


def is_content(filename: str) -> bool:
    """Whether a file in an archive is content and was not added by macOS."""
    path = PurePosixPath(filename)
    return not path.name.startswith(".") and "__MACOSX" not in path.parts


def may_be_table(filename: str) -> bool:
    """Whether a file in an archive may be a table, by its name.

    >>> may_be_table("model/predictions.csv"), may_be_table("README.txt"), may_be_table("run/_SUCCESS")
    (True, False, False)
    """
    path = PurePosixPath(filename)
    return path.suffix.casefold() not in _NO_TABLE and path.stem.casefold() not in _ABOUT and path.name[:1] != "_"


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The files in an archive; one may have no name."""
    return [info for info in archive.infolist() if not info.filename.endswith("/")]


def _opened(data: bytes, name: str) -> zipfile.ZipFile:
    if data.count(b"PK\1\2") > _MOST_FILES:
        raise ReadProblem(f"{named(name)} holds more than {count_text(_MOST_FILES)} files. Extract one and open it.")
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # broken directories fail as BadZipFile, ValueError, struct.error, OverflowError …
        raise _damaged(name, "zip") from error


def _damaged(name: str, what: str) -> ReadProblem:
    what = "workbook" if name.lower().endswith((".xlsx", ".xlsm", ".ods")) else f"{what} file"
    return ReadProblem(f"{named(name)} is a {what} that is damaged or truncated. Copy or download it again.")
