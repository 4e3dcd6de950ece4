"""Images as data URIs: from the cells of a table, from files, and from archives; nothing is ever fetched."""

from __future__ import annotations

import base64
import binascii
import io
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

__all__: list[str] = []

MOST_BYTES = 1 << 18
"""Bytes of one image up to which it is shown."""

MOST_TOGETHER = 1 << 26
"""Bytes of all images of a data set."""

MOST_IMAGES = 10_000
MOST_PIXELS = 16 * MOST_BYTES
"""Pixels of one image: those of a photograph of so many bytes. An area of one colour has a thousand for each byte."""

_URI = re.compile(r"data:image/[a-z+.-]{1,20};base64,", re.IGNORECASE)
_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".avif")
"""What files are called that are taken for images; their bytes tell which can be shown."""

# The segments of a JPEG that tell its size.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_LONGEST = 4 * MOST_BYTES // 3 + 100


def image_uri(data: bytes) -> str:
    """The data URI of a PNG, JPEG, WebP or GIF, which its first bytes tell; empty for anything else and if too large.

    >>> image_uri(b"GIF89a\\1\\0\\1\\0"), image_uri(b"<svg onload='x'>")
    ('data:image/gif;base64,R0lGODlhAQABAA==', '')
    """
    kind = _kind(data)
    if not kind or len(data) > MOST_BYTES or not 0 < pixels_of(data) <= MOST_PIXELS:
        return ""
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def uri_of_cell(cell: str) -> str:
    """Return the data URI of an image in base64 (a data URI or bare); empty for a path or an address.

    What the cell says of its type counts for nothing.

    >>> uri_of_cell("data:image/svg+xml;base64,R0lGODlhAQABAA=="), uri_of_cell("https://e.com/a.gif")
    ('data:image/gif;base64,R0lGODlhAQABAA==', '')
    """
    if len(cell) > _LONGEST:
        return ""
    start = _URI.match(cell)
    try:
        return image_uri(base64.b64decode(cell[start.end() :] if start else cell, validate=True))
    except (binascii.Error, ValueError):
        return ""


def is_images(data: bytes) -> bool:
    """Whether a file is an image, or a zip archive of which at least half of the files are, by their names."""
    if _kind(data):
        return True
    if not data.startswith(b"PK\x03\x04") or data.count(b"PK\1\2") > MOST_IMAGES:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [name.lower() for name in archive.namelist() if not name.endswith("/")]
    except Exception:  # a broken directory fails in many ways; reading it as a table tells
        return False
    return 0 < len(names) <= 2 * sum(name.endswith(_ENDINGS) for name in names)


def pixels_of(data: bytes) -> int:
    """Width times height of an image, as its header says; 0 where that is cut."""
    kind, width, height = _kind(data), 0, 0
    if kind == "png" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
    elif kind == "gif" and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
    elif kind == "webp" and len(data) >= 30:
        form, bits = data[12:16], int.from_bytes(data[21:25], "little")
        if form == b"VP8X":
            width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        elif form == b"VP8L":
            width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        else:
            width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (26, 28))
    elif kind == "jpeg":
        at = 2
        while at + 9 <= len(data) and data[at] == 0xFF:
            if data[at + 1] in _FRAMES:
                height, width = struct.unpack(">HH", data[at + 5 : at + 9])
                break
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return width * height


class Images:
    """The images of some files and archives by the paths that tables name them with.

    Parameters
    ----------
    files : mapping of str to bytes
        Images and zip archives of images by name.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.refused = 0  # too large, too many, or no images
        self._by_path: dict[str, str] = {}
        self._by_name: dict[str, str | None] = {}
        room = MOST_TOGETHER
        for path, data in (item for name, content in files.items() for item in _members(name, content)):
            uri = image_uri(data) if len(data) <= room and len(self._by_path) < MOST_IMAGES else ""
            if not uri:
                self.refused += 1
                continue
            room -= len(data)
            path = _normal(path)
            self._by_path[path] = uri
            name = PurePosixPath(path).name
            self._by_name[name] = None if name in self._by_name else uri

    def __len__(self) -> int:
        return len(self._by_path)

    def of(self, path: str) -> str:
        """The data URI of a path, or of its last part where only one image has it; empty if there is none."""
        path = _normal(path)
        return self._by_path.get(path) or self._by_name.get(PurePosixPath(path).name) or ""

    def by_id(self) -> dict[str, str]:
        """Every image by its path, by its name, and by its name without the ending."""
        ids: dict[str, str] = {}
        for path, uri in self._by_path.items():
            pure = PurePosixPath(path)
            for id in (path, pure.name, pure.stem):
                ids.setdefault(id, uri)
        return ids


def _members(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of an archive with images' endings, each no further than it may be shown; or the file itself."""
    if _kind(data):
        yield name, data
        return
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            path = PurePosixPath(info.filename)
            if info.filename.lower().endswith(_ENDINGS) and "__MACOSX" not in path.parts and path.name[:1] != ".":
                try:
                    with archive.open(info) as file:  # the size that it states may be false
                        yield info.filename, file.read(MOST_BYTES + 1)
                except Exception:  # damaged, or protected by a password: each fails in its own way
                    yield info.filename, b""


def _normal(path: str) -> str:
    return path.strip().replace("\\", "/").removeprefix("./").lstrip("/")


def _kind(data: bytes) -> str:
    """The type of an image by its first bytes."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    return "webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""
