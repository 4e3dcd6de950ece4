"""Compressed files: the content of gzip, zstd and zip, decompressed no further than the limit."""

import codecs
import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, cast

import pyarrow as pa

from evalcore.readers.base.problems import ReadProblem, TooLarge, listed, named
from evalcore.wording.numbers import count_text

_NO_TABLE = frozenset(
    ".md .rst .pdf .html .htm .xml .yaml .yml .toml .ini .cfg .log .doc .docx .ppt .pptx .py .ipynb .r .rmd .sh .bat "
    ".exe .js .tex .bib .png .jpg .jpeg .gif .svg .webp .bmp .tif .tiff .pkl .joblib .npy .npz .pt .pth .onnx .h5 .zip "
    ".tar .7z .rar .crc".split()
)
_ABOUT = {"readme", "license", "licence", "notice", "changelog", "citation", "copying", "dataset_info", "manifest"}
_CHUNK = 1 << 20
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_MOST_FILES = 10_000
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
        tables = [info for info in _files(archive) if is_content(info.filename)]
        if not tables:
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
        raise ReadProblem(
            f"{named(name)} is damaged, or needs more memory than there is. Open a part of it."
        ) from error


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
