"""Titles, texts, addresses and images of documents and queries, by id, from columns beside the lists.

A column may fill the cell of an id in one of its rows only: the first that is not empty counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.readers.base import column_names as names
from evalcore.readers.base.values import Columns, ids_of, text_of, texts_of
from evalcore.readers.pictures.images import uri_of_cell
from evalcore.retrieval.id_table import Hashes, IdTable
from evalcore.wording.numbers import count_text

__all__ = ["Face", "Faces"]


DOCUMENT_PARTS = {"title": "title", "text": "text", "image": "image", "url": "url"}

QUERY_PARTS = {"text": "query_text", "image": "query_image"}
"""What a face has, with the part of the roles whose column holds it."""

_BASE64 = ("data:image/", "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR")
"""What the images begin with that `uri_of_cell` reads."""

LONGEST = 400
"""Characters of a title, text or address that are shown at most."""


@dataclass(frozen=True)
class Face:
    """Title, text, address and image of a document or query; empty if unknown. All but the image must be escaped.

    Parameters
    ----------
    title, text : str
        As the file has them, at most `LONGEST` characters.
    url : str
        An address, or the path of an image that is not at hand: shown as text, never fetched.
    image : str
        A data URI of bytes that begin as a PNG, JPEG, WebP or GIF does.
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
    """The faces of documents or of queries.

    Examples
    --------
    >>> ids, texts = pd.Series(["d1", "d2", "d1"], dtype="str"), pd.Series(["a cat", None, None], dtype="str")
    >>> faces = Faces.of(ids, {"text": texts})
    >>> faces.among(["d2", "d1"]), faces.counts
    ([Face(title='', text='', url='', image=''), Face(title='', text='a cat', url='', image='')], {'text': 1})
    """

    cells: Mapping[str, Cells]

    @classmethod
    def of(cls, ids: pd.Series, columns: Mapping[str, pd.Series]) -> Faces:
        """Collect what columns of "title", "text", "url" and "image" say about each id; any of them may be missing."""
        table = id_texts(ids)
        return cls({part: Cells.of(table, ids, values) for part, values in columns.items()})

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


@dataclass(frozen=True, eq=False)
class Cells:
    """The first cell that is not empty of each id, found by its hash."""

    ids: IdTable  # of every row
    values: pd.Series
    hashes: Hashes  # ascending, shape (n,)
    rows: npt.NDArray[np.integer]  # where those ids stand, shape (n,)

    @classmethod
    def of(cls, table: IdTable, ids: pd.Series, values: pd.Series) -> Cells:
        filled = np.flatnonzero((values.notna() & ids.notna()).to_numpy(bool))
        hashes, first = np.unique(table.take(filled).hashes, return_index=True)
        return cls(table, values, hashes, filled[first])

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
    import pyarrow as pa

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
    shares = [
        f"{count_text(number)} {'an' if part == 'image' else 'a'} {'URL' if part == 'url' else part}"
        for part, number in faces.counts.items()
        if number
    ]
    if not shares:
        return ""
    first, *others = shares
    number, rest = first.split(" ", 1)
    have = "has" if number == "1" else "have"
    return ", ".join([f"{number} of {count_text(count)} {word[count != 1]} {have} {rest}", *others])


_MOST_COLUMNS, _SAMPLE = 40, 1_000

_LONGEST_ID = 60
"""Mean length of texts above which a column holds no ids."""

_FILES = {"document": re.compile("doc|corpus|collection|passage|item"), "query": re.compile("quer|topic|question")}

_WORDS = {"document": names.DOCUMENT, "query": names.QUERY}


@dataclass(frozen=True, eq=False)
class Side:
    """The documents or the queries of rankings, each once, with the row where it stands first."""

    role: str  # "document" or "query"
    ids: pd.Series  # of texts, shape (n,)
    first: npt.NDArray[np.integer]  # rows of the rankings, shape (n,)
    parts: Mapping[str, str]  # of a face, with the roles that have their columns

    @classmethod
    def of(cls, column: pd.Series, role: str, parts: Mapping[str, str]) -> Side:
        first = np.flatnonzero((~column.duplicated() & column.notna()).to_numpy(bool))
        ids = pd.Series(texts_of(id_texts(column.iloc[first])).to_pandas(), dtype="str")
        return cls(role, ids, first, parts)

    @cached_property
    def numbers(self) -> pd.Series:
        """The ids without leading zeros, which a column of numbers has lost."""
        return self.ids.str.replace(r"^0+(?=\d+$)", "", regex=True)


@dataclass(frozen=True, eq=False)
class FaceColumns:
    """The columns of a table with the texts of documents or queries, and which of its rows belong to which of them."""

    name: str  # of the file
    frame: pd.DataFrame
    side: Side
    columns: Mapping[str, str]  # by part of a face
    places: npt.NDArray[np.integer]  # rows of the rankings, shape (m,)
    rows: npt.NDArray[np.integer]  # rows of the table, shape (m,)

    @classmethod
    def by(cls, name: str, frame: pd.DataFrame, side: Side, key: str, columns: Mapping[str, str]) -> FaceColumns:
        """Match the rows of a table to ids by one of its columns; of repeated ids the first row counts."""
        ids = frame[key]
        once = np.flatnonzero((~ids.duplicated() & ids.notna()).to_numpy(bool))
        is_number = ids.dtype.kind in "iuf"
        own = ids.iloc[once].map(text_of) if is_number else ids.iloc[once].astype("str").str.strip()
        own = own[~own.duplicated().to_numpy()] if (again := own.duplicated().to_numpy()).any() else own
        once = once[~again]
        at = pd.Index(own).get_indexer(pd.Index(side.numbers if is_number else side.ids))
        return cls(name, frame, side, columns, side.first[at >= 0], once[at[at >= 0]])


def matched_columns(frame: pd.DataFrame, name: str, sides: Sequence[Side]) -> FaceColumns | None:
    """The texts of a table for the side whose ids it holds; None if it holds none, or only ids.

    Ids that are numbers may occur by chance among those of the other side: the name of the column or of the file
    decides, then which side is mostly there, then the number of ids.
    """
    best: tuple[tuple, FaceColumns] | None = None
    for key in frame.columns[:_MOST_COLUMNS]:
        if frame[key].dtype == "str" and frame[key].iloc[:_SAMPLE].str.len().mean() > _LONGEST_ID:
            continue
        for side in sides:
            columns = _columns_beside(frame, key, side)
            if not columns:
                continue
            match = FaceColumns.by(name, frame, side, key, columns)
            named = names.simple(key) in _WORDS[side.role]
            fits = bool(_FILES[side.role].search(PurePath(name).stem.lower()))
            mostly = 2 * len(match.rows) >= len(side.ids)
            rank = (named, fits, mostly, len(match.rows), names.is_identifier(key))
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
