"""Images as data URIs, and what documents and queries look like, by id: titles, texts, addresses and images.

Images come from the cells of a table, from files and from archives; nothing is ever fetched. A column may fill the cell
of an id in one of its rows only: the first that is not empty counts.
"""

import base64
import binascii
import io
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath, PurePosixPath

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.readers.base import column_names as names
from evalcore.readers.base.encodings import zipped_paths
from evalcore.readers.base.values import Columns, ids_of, text_of, texts_of
from evalcore.retrieval.id_table import IdTable
from evalcore.wording.numbers import count_text

__all__ = ["Face", "Faces"]

MOST_BYTES, MOST_TOGETHER, MOST_IMAGES = 1 << 18, 1 << 26, 10_000
"""Bytes up to which an image is shown, those of all images of a data set, and their number."""

MOST_PIXELS = 16 * MOST_BYTES
"""Pixels of one image: those of a photograph of so many bytes. An area of one colour has a thousand for each byte."""

_URI = re.compile(r"data:image/[a-z+.-]{1,20};base64,", re.IGNORECASE)
_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".avif")
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # The segments of a JPEG that tell its size.
_LONGEST = 4 * MOST_BYTES // 3 + 100


def image_uri(data: bytes) -> str:
    """The data URI of a PNG, JPEG, WebP or GIF, which its first bytes tell; else, or if too large, empty."""
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
    paths = [] if _kind(data) else zipped_paths(data, MOST_IMAGES)
    return bool(_kind(data)) or 0 < len(paths) <= 2 * sum(path.lower().endswith(_ENDINGS) for path in paths)


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
    """The images of some files and archives, by their names, as tables name them."""

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
            for id in (path, PurePosixPath(path).name, PurePosixPath(path).stem):
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
    kinds = {"png": rb"\x89PNG\r\n\x1a\n", "jpeg": rb"\xff\xd8\xff", "gif": rb"GIF8[79]a", "webp": rb"RIFF.{4}WEBP"}
    return next((kind for kind, start in kinds.items() if re.match(start, data, re.DOTALL)), "")


DOCUMENT_PARTS = {"title": "title", "text": "text", "image": "image", "url": "url"}
QUERY_PARTS = {"text": "query_text", "image": "query_image"}
PARTS = {"document": DOCUMENT_PARTS, "query": QUERY_PARTS}
"""What a face has, with the part of the roles whose column holds it."""

_BASE64 = ("data:image/", "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR")
"""What the images begin with that `uri_of_cell` reads."""

LONGEST = 400  # characters of a title, text or address that are shown at most


@dataclass(frozen=True)
class Face:
    """Title, text (of at most `LONGEST` characters), address and image of a document or query; empty if unknown.

    All but the image, a data URI, must be escaped. The address may be the path of an image that is not at hand; it is
    shown as text, never fetched.
    """

    title: str = ""
    text: str = ""
    url: str = ""
    image: str = ""

    def __bool__(self) -> bool:
        return bool(self.title or self.text or self.url or self.image)

    @property
    def words(self) -> str:
        """Title, text or address, whichever comes first."""
        return self.title or self.text or self.url


@dataclass(frozen=True, eq=False)
class Faces:
    """The faces of documents or of queries: the cells of each part ("title", "text", "url", "image") by id."""

    cells: "Mapping[str, Cells]"

    @classmethod
    def of(cls, ids: pd.Series, columns: Mapping[str, pd.Series]) -> "Faces":
        """Collect what columns of "title", "text", "url" and "image" say about each id; any of them may be missing."""
        table = id_texts(ids)
        return cls({part: Cells(table, ids, values) for part, values in columns.items()})

    def __bool__(self) -> bool:
        return any(len(cells.rows) for cells in self.cells.values())

    @property
    def counts(self) -> dict[str, int]:
        """Count the ids with a title, a text and so on; a path or an address is no image."""
        counts = {part: len(cells.rows) for part, cells in self.cells.items()}
        if image := self.cells.get("image"):
            counts["image"] = int(image.values.iloc[image.rows].astype("str").str.startswith(_BASE64).sum())
        return counts

    def among(self, ids: Sequence[str]) -> list[Face]:
        """The face of each id; an empty one where nothing is known."""
        table = IdTable.of(ids)
        parts = {part: cells.texts(table) for part, cells in self.cells.items()}
        images = [uri_of_cell(cell) for cell in parts.get("image", ())]
        faces = []
        for row in range(len(table)):
            own = {part: texts[row][:LONGEST] for part, texts in parts.items()}
            if "image" in own:
                own["url"] = own.get("url") or ("" if images[row] or own["image"][:5] == "data:" else own["image"])
                own["image"] = images[row]
            faces.append(Face(**own))
        return faces

    def words(self, ids: Sequence[str]) -> list[str]:
        """Title, text or address of each id; empty where there is none. Images are not looked at."""
        return [face.words for face in Faces({p: c for p, c in self.cells.items() if p != "image"}).among(ids)]


class Cells:
    """The first cell that is not empty of each id, found by its hash."""

    def __init__(self, table: IdTable, ids: pd.Series, values: pd.Series) -> None:
        self.ids, self.values = table, values
        filled = np.flatnonzero((values.notna() & ids.notna()).to_numpy(bool))
        self.hashes, first = np.unique(table.take(filled).hashes, return_index=True)  # ascending, shape (n,)
        self.rows = filled[first]  # where those ids stand, shape (n,)

    def texts(self, ids: IdTable) -> list[str]:
        """The cell of each id as text; empty where there is none."""
        if not len(self.rows):
            return [""] * len(ids)
        places = np.minimum(np.searchsorted(self.hashes, ids.hashes), len(self.rows) - 1)
        rows = self.rows[places]
        known = (self.hashes[places] == ids.hashes) & ids.equal(slice(None), self.ids, rows)
        cells = self.values.iloc[rows].tolist()
        return [text_of(cell) if has else "" for cell, has in zip(cells, known.tolist(), strict=True)]


def id_texts(column: pd.Series) -> IdTable:
    """Ids as written, one per row; whole numbers without a point, even if they were read as floats."""
    if isinstance(column.dtype, pd.StringDtype) and column.dtype.storage == "pyarrow":
        return ids_of(pa.array(column.array).fill_null("") if column.hasnans else pa.array(column.array))
    codes, values = pd.factorize(column)
    return IdTable.of([*(text_of(value) for value in values), "?"]).take(codes)  # -1, for a missing one, is the last


def recognised_faces(columns: Columns, taken: set[str]) -> dict[str, str]:
    """The columns of texts that play a part of a face, by their names, among those that play no other."""
    parts: dict[str, str] = {}
    for column in columns:
        part = names.face_part(column.name)
        if part and column.name not in taken and not column.is_number and not column.is_bool:
            parts.setdefault(part, column.name)
    return parts


def faces_text(faces: Faces, count: int, word: tuple[str, str]) -> str:
    """Say how many documents or queries have a text or image: "95 of 100 documents have a text, 12 an image"."""
    what = {"title": "a title", "text": "a text", "image": "an image", "url": "a URL"}
    shares = [f"{count_text(number)} {what[part]}" for part, number in faces.counts.items() if number]
    if not shares:
        return ""
    number, rest = shares[0].split(" ", 1)
    have = "has" if number == "1" else "have"
    return ", ".join([f"{number} of {count_text(count)} {word[count != 1]} {have} {rest}", *shares[1:]])


_MOST_COLUMNS, _SAMPLE = 40, 1_000
_LONGEST_ID = 60  # the mean length of texts above which a column holds no ids
_FILES = {"document": re.compile("doc|corpus|collection|passage|item"), "query": re.compile("quer|topic|question")}
_WORDS = {"document": names.DOCUMENT, "query": names.QUERY}


class Side:
    """The documents or the queries of rankings, each once, with the row where it stands first."""

    def __init__(self, column: pd.Series, role: str) -> None:
        self.role, self.parts = role, PARTS[role]
        self.first = np.flatnonzero((~column.duplicated() & column.notna()).to_numpy(bool))  # rows, shape (n,)
        self.ids = pd.Series(texts_of(id_texts(column.iloc[self.first])).to_pandas(), dtype="str")  # shape (n,)

    @cached_property
    def numbers(self) -> pd.Series:
        """The ids without leading zeros, which a column of numbers has lost."""
        return self.ids.str.replace(r"^0+(?=\d+$)", "", regex=True)


class FaceColumns:
    """Texts of documents or queries in a table, by part, and its rows that belong to them: the first of each id."""

    def __init__(self, name: str, frame: pd.DataFrame, side: Side, key: str, columns: Mapping[str, str]) -> None:
        self.name, self.frame, self.side, self.columns = name, frame, side, columns
        ids = frame[key]
        once = np.flatnonzero((~ids.duplicated() & ids.notna()).to_numpy(bool))
        is_number = ids.dtype.kind in "iuf"
        own = ids.iloc[once].map(text_of) if is_number else ids.iloc[once].astype("str").str.strip()
        first = ~own.duplicated().to_numpy()
        own, once = own[first], once[first]
        at = pd.Index(own).get_indexer(pd.Index(side.numbers if is_number else side.ids))
        self.places, self.rows = side.first[at >= 0], once[at[at >= 0]]  # of the rankings and of the table, shape (m,)


def matched_columns(frame: pd.DataFrame, name: str, sides: Sequence[Side]) -> FaceColumns | None:
    """The texts of a table for the side whose ids it holds; None if it holds none, or only ids.

    As ids that are numbers may match by chance, names decide, then which side is mostly there, then their number.
    """
    best: tuple[tuple, FaceColumns] | None = None
    for key in frame.columns[:_MOST_COLUMNS]:
        if frame[key].dtype == "str" and frame[key].iloc[:_SAMPLE].str.len().mean() > _LONGEST_ID:
            continue
        for side in sides:
            if not (columns := _columns_beside(frame, key, side)):
                continue
            match = FaceColumns(name, frame, side, key, columns)
            named = names.simple(key) in _WORDS[side.role]
            fits, count = bool(_FILES[side.role].search(PurePath(name).stem.lower())), len(match.rows)
            rank = (named, fits, 2 * count >= len(side.ids), count, names.is_identifier(key))
            if len(match.rows) and (best is None or rank > best[0]):
                best = rank, match
    return best and best[1]


def _columns_beside(frame: pd.DataFrame, key: str, side: Side) -> dict[str, str]:
    """The column of each part of a face, by name, or else by content."""
    columns: dict[str, str] = {}
    for name in frame.columns:
        part = names.face_part(name)
        if part and (name != key or part == "image"):
            if side.role == "query":
                part = {"title": "text", "query_text": "text", "query_image": "image"}.get(part, part)
            if part in side.parts:
                columns.setdefault(part, name)
    others = [name for name in frame.columns if name != key and frame[name].dtype == "str"]
    return columns or _by_content(frame, others, side)


def _by_content(frame: pd.DataFrame, others: list[str], side: Side) -> dict[str, str]:
    """Addresses, images and texts by their first cells: of two columns of texts, the longer is no title."""
    columns: dict[str, str] = {}
    lengths: dict[str, float] = {}
    for name in others[:_MOST_COLUMNS]:
        cells = frame[name].iloc[:_SAMPLE].dropna()
        if not len(cells):
            continue
        for part, start in (("url", "http"), ("image", "data:image/")):
            if cells.str.startswith(start).mean() > 0.5 and part in side.parts:
                columns.setdefault(part, name)
                break
        else:
            lengths[name] = cells.str.len().mean()
    longest = sorted(lengths, key=lambda name: -lengths[name])
    for part, name in zip(("text", "title"), longest, strict=False):
        if part in side.parts:
            columns[part] = name
    return columns
