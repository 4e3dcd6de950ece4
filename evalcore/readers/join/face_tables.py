"""Texts, titles and images of documents and queries, from files beside their rankings."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv

from evalcore.readers.base import Columns, encodings, pictures
from evalcore.readers.base import column_names as names
from evalcore.readers.base.encodings import utf8
from evalcore.readers.base.pictures import DOCUMENT_PARTS, LONGEST, MOST_BYTES, MOST_PIXELS, MOST_TOGETHER, QUERY_PARTS
from evalcore.readers.base.problems import Finding, ReadProblem, listed, named, worst_first
from evalcore.readers.dataset.assignment import roles_of
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.files.columnar import read_within_limits
from evalcore.readers.files.tables import MAX_BYTES, MAX_ROWS, table_among
from evalcore.readers.kinds import rankings
from evalcore.readers.kinds.rankings import cases_of_rows, query_cluster_findings, query_column
from evalcore.readers.steps.step import values_at
from evalcore.readers.table.table import Table
from evalcore.wording.numbers import count_text

__all__ = ["add_faces"]

MOST_FACES = 500_000  # documents, and queries, that get a text or an image
_MOST_STATES, _MOST_COLUMNS = 12, 40
_ROLES = {**{part: part for part in DOCUMENT_PARTS}, **{role: role.replace("_", " ") for role in QUERY_PARTS.values()}}
_LONGEST_IMAGE = 4 * MOST_BYTES // 3 + 100


def add_faces(ranked: DataSet, files: Mapping[str, bytes]) -> DataSet:
    """Add titles, texts and images of documents or queries to rankings, which change no number.

    Each file is a table with a column of ids (or has the two columns of MS MARCO, without a header), an image, or a zip
    archive of images, which a column of paths or the ids name. Only ids that the rankings hold are stored. Raises
    ReadProblem if the data set holds no rankings, or a file cannot be read.

    >>> from evalcore.readers import read_sample
    >>> data = add_faces(read_sample("ranking_14"), {"docs.csv": b"docid,title\\n588,A cat\\n1,A dog\\n"})
    >>> data.document_faces().among(["588"])[0].title, data.findings[0].sentence
    ('A cat', '1 of 14 documents has a title.')
    """
    if ranked.kind != rankings.RANKINGS.name:
        raise ReadProblem(f"{named(ranked.name)} holds no rankings, so its rows have no documents. Open rankings.")
    if ranked.shape.steps:
        return add_faces(ranked.unshaped, files).shaped(ranked.shape)
    tables = {name: {name: data} for name, data in files.items() if not pictures.is_images(data)}
    frames = {name: read_within_limits(read_face_table, own, MAX_ROWS, MAX_BYTES).frame for name, own in tables.items()}
    return with_faces(ranked, frames, files, digest_of(files.items(), ranked.digest))


def digest_of(files: Iterable[tuple[str, bytes]], before: str = "") -> str:
    """The hash of a text and of some files with their names."""
    digest = hashlib.blake2b(before.encode(), digest_size=16)
    for name, data in files:
        digest.update(f"{name}\0{len(data)}\0".encode(errors="surrogatepass"))
        digest.update(data)
    return digest.hexdigest()


def read_face_table(files: Mapping[str, bytes], max_rows: int, max_bytes: int) -> DataSet:
    """The only file as a table of ids and short texts, with no roles."""
    (name,) = files
    return DataSet(face_frame(files, name, max_rows, max_bytes), roles_of(), name)


def face_frame(files: Mapping[str, bytes], name: str, max_rows: int, max_bytes: int) -> pd.DataFrame:
    """Read one of some files as ids and short texts."""
    if _is_bare(files[name]):
        return short_texts(_bare_frame(files[name], name, max_bytes))
    return short_texts(table_among(files, max_rows, max_bytes, name).frame)


def is_face_file(data: bytes) -> bool:
    """Whether a file holds images, or ids and texts in a format of nothing else."""
    return pictures.is_images(data) or _is_bare(data)


def _is_bare(data: bytes) -> bool:
    """Whether a file holds ids and texts separated by tabs without a header, as MS MARCO's do."""
    head = encodings.head_of(data)
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line][:20]
    if not lines or b"\0" in head or not all("\t" in line for line in lines[:-1] or lines):
        return False
    fields = lines[0].split("\t")
    known = names.QUERY | names.DOCUMENT
    return not any(names.face_part(field) or names.is_id(field) or names.simple(field) in known for field in fields)


def may_be_faces(frame: pd.DataFrame) -> bool:
    """Whether a table may hold the texts of documents or queries, or the clusters of queries, by its columns."""
    others = (names.is_actual, names.is_predicted, names.is_score)
    simple = {names.simple(name) for name in frame.columns}
    if simple & names.QUERY and simple & names.DOCUMENT:
        return False  # it ranks documents or grades them, or tries to
    if any(names.face_part(name) for name in frame.columns) or query_column(frame) is not None:
        return True
    columns = [column for column in Columns(frame) if not (column.is_number or column.is_bool)]
    return bool(columns) and not any(is_(name) for is_ in others for name in frame.columns)


def short_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """A table with no more of each text than is shown; images stay whole."""
    cut = {}
    for name, column in frame.items():
        if column.dtype == "str":
            longest = _LONGEST_IMAGE if names.face_part(str(name)) in ("image", "query_image") else LONGEST
            cut[name] = column if column.str.startswith("data:image/").any() else column.str.slice(0, longest)
    return frame.assign(**cut)


def with_faces(
    ranked: DataSet, frames: Mapping[str, pd.DataFrame], files: Mapping[str, bytes], digest: str,
    given: Sequence[Table[rankings.RankingRoles]] = (),
) -> DataSet:  # fmt: skip
    """Rankings with the texts of tables whose ids match, the images of files, and given columns of rankings."""
    images = pictures.Images({name: data for name, data in files.items() if pictures.is_images(data)})
    sides = [pictures.Side(ranked.frame[ranked.roles.get(role)], role) for role in ("document", "query")]
    adding = _Adding(ranked, images)
    # Paths that a column holds already may name images that come now.
    own = [cast("Table[rankings.RankingRoles]", ranked)] if len(images) and ranked.roles.get("image") else []
    cases = {table.name: adding.add_cases(table.frame, table.roles.query, sides[1]) for table in given}
    for table, side in product((*own, *given), sides):
        roles = {part: table.roles.get(role) for part, role in side.parts.items()}
        if columns := {part: name for part, name in roles.items() if name and name not in cases.get(table.name, ())}:
            adding.add(pictures.FaceColumns(table.name, table.frame, side, table.roles.get(side.role), columns))
    for name, frame in frames.items():
        query = query_column(frame := short_texts(frame))
        together = [] if query is None else adding.add_cases(frame, query, sides[1])
        if (match := pictures.matched_columns(frame.drop(columns=together), name, sides)) is not None:
            adding.add(match)
        elif not together:
            adding.findings.append(_unmatched(name, frame, sides))
    if len(images) and not adding.has_images:
        adding.add_images_by_id(sides)
    return adding.dataset(digest, [name for name in files if name in frames or pictures.is_images(files[name])])


class _Adding:
    """Columns of texts and images that rankings get, each filled in the first row of an id."""

    def __init__(self, ranked: DataSet, images: pictures.Images) -> None:
        self.ranked, self.images = ranked, images
        self.columns: dict[str, pd.Series] = {}  # by role
        self.cases: dict[str, pd.Series] = {}  # what queries belong to, by the name of the column
        self.findings: list[Finding] = []
        self.has_images = False
        self._room, self._refused = MOST_TOGETHER, images.refused

    def add(self, match: pictures.FaceColumns) -> None:
        """Add the columns of a table whose rows belong to documents or queries."""
        if (more := len(match.places) - MOST_FACES) > 0:
            sentence = f"Only the first {count_text(MOST_FACES)} ids of {named(match.name)} get a text; "
            self.findings.append(Finding("warning", f"{sentence}{count_text(more)} do not.", more, code="faces"))
        places, rows = match.places[:MOST_FACES], match.rows[:MOST_FACES]
        for part, column in match.columns.items():
            cells = match.frame[column].iloc[rows]
            if part == "image":
                filled = zip(cells.tolist(), cells.notna().tolist(), strict=True)
                cells = pd.Series([self._stored(str(cell)) if is_full else None for cell, is_full in filled])
            self._fill(match.side.parts[part], places, cells)

    def add_cases(self, frame: pd.DataFrame, query: str, side: pictures.Side) -> list[str]:
        """Add the columns of a table that hold the clusters of queries; returns their names."""
        columns = cases_of_rows(frame, query, side, self.ranked.frame[self.ranked.roles.get("query")])
        for name, values in columns.items():
            self.cases.setdefault(f"{name} (2)" if name in self.ranked.frame.columns else name, values)
        return [*columns]

    def add_images_by_id(self, sides: Sequence[pictures.Side]) -> None:
        """Add images whose files are named after documents or queries."""
        by_id, matched = self.images.by_id(), False
        for side in sides:
            uris = [by_id.get(id, "") for id in side.ids.tolist()]
            if any(uris):
                matched = True
                places = np.flatnonzero([bool(uri) for uri in uris])[:MOST_FACES]
                self._fill(side.parts["image"], side.first[places], pd.Series([uris[place] for place in places]))
        if not matched:
            sentence = "No image belongs to a document or a query: no column names its file, and no id is its name."
            self.findings.append(Finding("warning", sentence, len(self.images), code="no faces"))

    def dataset(self, digest: str, files: Sequence[str]) -> DataSet:
        """The rankings with these columns."""
        ranked, roles, frame = self.ranked, self.ranked.roles, self.ranked.frame
        if self._refused:
            images = "1 image is" if self._refused == 1 else f"{count_text(self._refused)} images are"
            sentence = f"{images} not shown: each must be a PNG, JPEG, WebP or GIF of at most {MOST_BYTES >> 10} kB "
            sentence += f"and {MOST_PIXELS >> 20} million pixels, all together of {MOST_TOGETHER >> 20} MB."
            self.findings.append(Finding("warning", sentence, self._refused, code="faces"))
        for role, cells in self.columns.items():
            if (name := roles.get(role)) is None:
                name = names.free_name(_ROLES[role], frame.columns)
                roles = replace(roles, **{role: name})
            else:
                cells = cells.fillna(frame[name].astype("str"))
            frame = pd.concat([frame.drop(columns=name, errors="ignore"), cells.rename(name)], axis=1)
        more = {"digest": digest, "face_files": (*ranked.face_files, *files)}
        read = (*ranked.read_findings, *self.findings)
        frame = frame.assign(**self.cases)
        data = replace(ranked, frame=frame, roles=roles, read_findings=read, **more)
        for system in ranked.systems[:_MOST_STATES]:  # they are the same, and need not be built again
            with suppress(ValueError):
                data.once("run", system, lambda system=system: ranked.run(system))
        with suppress(ValueError):
            data.once("judgments", None, ranked.judgments)
        before = [finding for finding in ranked.findings if finding.code != "faces" or finding in ranked.read_findings]
        looks = (rankings.face_findings, query_cluster_findings) if self.cases else (rankings.face_findings,)
        findings = [*before, *self.findings, *(one for look in looks for one in look(cast(Any, data), Columns(frame)))]
        return replace(data, findings=worst_first(findings))

    def _fill(self, role: str, places: np.ndarray, cells: pd.Series) -> None:
        index = np.full(len(self.ranked.frame), -1)
        index[places] = np.arange(len(places))
        column = values_at(cells.astype("str"), index).set_axis(self.ranked.frame.index)
        before = self.columns.get(role)
        self.columns[role] = column if before is None else before.fillna(column)
        self.has_images |= role in ("image", "query_image") and bool(column.str.startswith("data:").any())

    def _stored(self, cell: str) -> str | None:
        """The image in a cell, or the one that it names; else the path or address itself, if it is short."""
        own = pictures.uri_of_cell(cell)
        if uri := own or self.images.of(cell):
            self._room -= len(uri) if own else 0
            if self._room > 0:
                return uri
        elif len(cell) <= LONGEST and not cell.startswith("data:"):
            return cell
        self._refused += 1
        return None


def _unmatched(name: str, frame: pd.DataFrame, sides: Sequence[pictures.Side]) -> Finding:
    """Warn of a table of which no id occurs in the rankings."""
    own = frame[next(filter(names.is_id, frame.columns), frame.columns[0])].dropna().map(str).tolist()[:1]
    theirs = " and ".join(f"{named(side.ids.iloc[0])} ({side.role})" for side in sides if len(side.ids))
    sentence = f"No id of {named(name)} is a document or a query, so its texts are not shown. "
    sentence += f"It begins with {listed(own)}, the rankings with {theirs}."
    return Finding("warning", sentence, len(frame), code="no faces")


def _bare_frame(data: bytes, name: str, max_bytes: int) -> pd.DataFrame:
    """Read lines of fields separated by tabs, with quotation marks as ordinary characters."""
    if encodings.is_compressed(data):
        data = encodings.decompressed(data, name, max_bytes)
    text = utf8(data, name)[0]
    width = text.partition(b"\n")[0].count(b"\t") + 1
    columns = [f"column {number}" for number in range(1, min(width, _MOST_COLUMNS) + 1)]
    try:
        table = csv.read_csv(
            pa.BufferReader(text),
            csv.ReadOptions(column_names=columns, block_size=1 << 24),
            csv.ParseOptions(delimiter="\t", quote_char=False, invalid_row_handler=lambda row: "skip"),
            csv.ConvertOptions(column_types=dict.fromkeys(columns, pa.string()), strings_can_be_null=True),
        )
    except pa.ArrowInvalid as error:
        raise ReadProblem(f"{named(name)} cannot be read as lines of an id and a text, with a tab between.") from error
    return table.to_pandas()
