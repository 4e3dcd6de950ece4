"""What documents and queries look like, by id: titles, texts, addresses and images, from columns beside the lists.

A column may fill the cell of an id in one of its rows only: the first that is not empty counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.readers import column_names as names
from evalcore.readers.arrow_ids import ids_of
from evalcore.readers.columns import Columns
from evalcore.readers.images import uri_of_cell
from evalcore.readers.values import text_of
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
    """What one document or query looks like; what is unknown is empty. All but the image must be escaped.

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
        """Those of a column of ids, with the columns of "title", "text", "url" and "image" that there are."""
        table = id_texts(ids)
        return cls({part: Cells.of(table, ids, values) for part, values in columns.items()})

    def __bool__(self) -> bool:
        return any(len(cells.rows) for cells in self.cells.values())

    @property
    def counts(self) -> dict[str, int]:
        """How many ids have a title, a text and so on; a path or an address is no image."""
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
    """Ids as they are written, one per row; whole numbers have no point, whatever they were read as."""
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
    """How many of some documents or queries have a face: "95 of 100 documents have a text, 12 an image"."""
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
