"""Compressed files: the content of gzip and zip, decompressed no further than the limit."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import PurePosixPath

from evalcore.readers.problems import ReadProblem, listed, named
from evalcore.wording.numbers import count_text

_CHUNK = 1 << 20


def gunzipped(data: bytes, name: str, max_bytes: int) -> bytes:
    """The content of a gzip file, with all its members."""
    unpacked, rest = io.BytesIO(), data
    while rest:
        stream = zlib.decompressobj(wbits=31)
        try:
            while not stream.eof:
                block = stream.decompress(rest, _CHUNK)
                rest = stream.unconsumed_tail
                unpacked.write(block)
                if unpacked.tell() > max_bytes:
                    raise too_many_bytes(name, max_bytes)
                if not block and not rest and not stream.eof:
                    raise _damaged(name, "gzip")
        except zlib.error as error:
            raise _damaged(name, "gzip") from error
        # tape archives pad with zeros, and gzip itself ignores them
        rest = stream.unused_data.lstrip(b"\0")
        if rest and not rest.startswith(b"\x1f\x8b"):
            raise _damaged(name, "gzip")
    return unpacked.getvalue()


def member_names(data: bytes, name: str) -> list[str]:
    """The names of the files in a zip archive."""
    with _opened(data, name) as archive:
        return [info.filename for info in archive.infolist() if not info.is_dir()]


def unzipped(data: bytes, name: str, max_bytes: int) -> tuple[bytes, str]:
    """The one table in a zip archive, and its name."""
    with _opened(data, name) as archive:
        tables = [info for info in archive.infolist() if not info.is_dir() and _is_content(info.filename)]
        if not tables:
            raise ReadProblem(f"{named(name)} is an archive without any file. Open the table itself.")
        if len(tables) > 1:
            files = listed(info.filename for info in tables)
            raise ReadProblem(f"{named(name)} holds {len(tables)} files: {files}. Extract one of them and open it.")
        return unzipped_member(archive, tables[0], name, max_bytes), PurePosixPath(tables[0].filename).name


def unzipped_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, max_bytes: int, used: int = 0) -> bytes:
    """One file of an open archive, when others have used some bytes of the limit."""
    if info.flag_bits & 0x1:
        raise ReadProblem(f"{named(name)} is protected by a password. Extract the table and open it.")
    if used + info.file_size > max_bytes:
        raise too_many_bytes(name, max_bytes)
    unpacked = io.BytesIO()
    try:
        # the sizes in the archive may be false, so the output is counted
        with archive.open(info) as member:
            while block := member.read(_CHUNK):
                unpacked.write(block)
                if used + unpacked.tell() > max_bytes:
                    raise too_many_bytes(name, max_bytes)
    except ReadProblem:
        raise
    except Exception as error:  # each compression method fails in its own way
        raise _damaged(name, "zip") from error
    return unpacked.getvalue()


def unreadable(name: str) -> ReadProblem:
    """The problem of a file that cannot be opened."""
    return ReadProblem(f"The file {named(name)} cannot be opened. Check that it exists and that you may read it.")


def too_many_bytes(name: str, max_bytes: int) -> ReadProblem:
    """The problem of a file that exceeds the limit."""
    size = f"{count_text(round(max_bytes / 1e6))} MB" if max_bytes >= 1_000_000 else f"{count_text(max_bytes)} bytes"
    return ReadProblem(f"{named(name)} is larger than {size}, the limit. Open a part of it.")


def _is_content(filename: str) -> bool:
    """Whether a file in an archive is content and was not added by macOS."""
    path = PurePosixPath(filename)
    return not path.name.startswith(".") and "__MACOSX" not in path.parts


def _opened(data: bytes, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # broken directories fail as BadZipFile, ValueError, struct.error, OverflowError …
        raise _damaged(name, "zip") from error


def _damaged(name: str, what: str) -> ReadProblem:
    return ReadProblem(f"{named(name)} is a {what} file that is damaged or truncated. Copy or download it again.")
