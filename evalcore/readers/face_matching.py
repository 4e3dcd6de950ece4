"""Which column of a table holds the ids of documents or of queries, and which their texts and images."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.readers import column_names as names
from evalcore.readers.arrow_ids import texts_of
from evalcore.readers.faces import id_texts
from evalcore.readers.values import text_of

__all__: list[str] = []

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
        """With this column of ids, of which the first row counts."""
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
