"""What do the documents and the queries look like? Their titles, texts and images beside their ids."""

from collections.abc import Sequence
from typing import Any

from evalcore.analyses.rankings import Rankings
from evalcore.readers import Face, Faces
from evalcore.wording import Cell, Row, one_line, short_names, snippet

__all__ = ["face_columns", "face_rows", "query_columns", "query_images", "query_labels", "query_texts"]

MOST_IMAGES, MOST_LETTERS = 2_000, 400_000
"""Images of queries, and letters of all of them, up to which they stand in tables of queries."""

TEXT, LABEL = 160, 70
"""Characters of a text in a list, and of a query's text beside its id."""


def query_texts(rankings: Rankings, queries: Sequence[str]) -> list[str]:
    """The text of each query, short; empty if none has any.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> query_texts(Rankings(Source.of(read_sample("ranking_14")), "rank"), ["1"])
    []
    """
    words = rankings.query_faces.words(queries)
    return [snippet(text, LABEL) for text in words] if any(words) else []


def query_images(rankings: Rankings, queries: Sequence[str]) -> list[str]:
    """The image of each query as a data URI; none where all of them together are more than a table should hold."""
    if not 0 < rankings.query_faces.counts.get("image", 0) <= MOST_IMAGES:
        return []
    images = [face.image for face in rankings.query_faces.among(queries)]
    return images if 0 < sum(map(len, images)) <= MOST_LETTERS else []


def query_columns(rankings: Rankings, queries: Sequence[str]) -> dict[str, list[str]]:
    """The columns "image" and "text" for a table of queries, those that there are."""
    columns = {"image": query_images(rankings, queries), "text": query_texts(rankings, queries)}
    return {name: cells for name, cells in columns.items() if cells}


def query_labels(rankings: Rankings, queries: Sequence[str]) -> dict[str, str]:
    """How each query is listed where one is picked: its id, and its text behind it."""
    texts = query_texts(rankings, queries) or [""] * len(queries)
    names = short_names(queries, 60 if any(texts) else 24)
    return {id: " · ".join(filter(None, (names[id], text))) for id, text in zip(queries, texts, strict=True)}


def face_rows(rankings: Rankings, query: str) -> list[Row]:
    """The image and the text of a query as a row of an HTML table; none where there is neither."""
    (face,) = rankings.query_faces.among([query])
    cells = [Cell("", image=face.image, title=one_line(query))] if face.image else []
    cells += [Cell(snippet(face.words, 2 * TEXT))] if face.words else []
    return [Row(cells)] if cells else []


def face_columns(faces: Faces, ids: Sequence[str], short: bool = False) -> dict[str, list[Any]]:
    """Columns of titles, texts and addresses, those that some id has.

    A short table has the data URIs of the images, and only the first of these columns.
    """
    shown = faces.among(ids)
    columns: dict[str, list[Any]] = {}
    if short and any(face.image for face in shown):
        columns["image"] = [face.image or None for face in shown]
    for name in ("title", "text", "url"):
        cells = [one_line(getattr(face, name), 400) or None for face in shown]
        if any(cells) and not (short and columns.keys() - {"image"}):
            columns[name] = cells
    return columns


def document_cell(face: Face, id: str, kind: str = "", title: str = "", limit: int = 60) -> Cell:
    """A document in a list: its title with its id beside and its text below, or what of these there is."""
    name, text = one_line(id, limit), snippet(face.text or face.url, TEXT)
    if not face.title:
        return Cell(name, below=text, kind=kind, title=title, image=face.image)
    return Cell(snippet(face.title, TEXT), aside=name, below=text, kind=kind, title=title, image=face.image)
