"""Several files as one data set: runs and their judgments, in the TREC formats or as tables."""

from __future__ import annotations

import codecs
import hashlib
import zlib
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import pandas as pd

from evalcore.readers import column_names as names
from evalcore.readers.archives import within_memory
from evalcore.readers.columns import Columns
from evalcore.readers.datasets import DataSet
from evalcore.readers.join_keys import JoinKey
from evalcore.readers.joining import join_tables
from evalcore.readers.kinds import rankings
from evalcore.readers.kinds.kind import MOST_SYSTEMS
from evalcore.readers.large_files import read_within_limits
from evalcore.readers.problems import HalfMissing, Lines, ReadProblem, TooLarge, listed, named
from evalcore.readers.ranked_tables import ranked_dataset
from evalcore.readers.table import Table
from evalcore.readers.tables import MAX_BYTES, MAX_ROWS, table_among
from evalcore.readers.trec import looks_like, read_qrels, read_run, system_name
from evalcore.retrieval import Run

__all__ = ["files_of", "read_files"]

_HEAD, _LINES = 1 << 14, 20
_GZIP, _WIDE = b"\x1f\x8b", (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WITH, _AND = " with ", ", "


def read_files(files: Mapping[str, bytes], keys: Mapping[str, str | JoinKey] | None = None) -> DataSet:
    """Read files that were opened together, by name: one table, several with the same ids, or runs and judgments.

    Tables are joined as by `join_tables`, which takes the columns of ids; runs and judgments are in TREC's formats or
    tables.

    Raises
    ------
    HalfMissing
        When there are only runs or only judgments.
    KeysNeeded
        When tables have no columns of ids that are alike.
    ReadProblem
        When the files do not belong together or one of them cannot be read.

    Examples
    --------
    >>> data = read_files({"mine.run": b"q Q0 b 1 0.5 x", "qrels.txt": b"q 0 a 1"})
    >>> data.kind, data.systems, data.name
    ('run + judgments', ('mine',), 'qrels.txt with mine.run')
    """
    with within_memory(next(iter(files), "")):
        return read_within_limits(read_together, files, MAX_ROWS, MAX_BYTES, keys)


def read_together(
    files: Mapping[str, bytes], max_rows: int, max_bytes: int, keys: Mapping[str, str | JoinKey] | None = None
) -> DataSet:
    """`read_files` within limits of rows and unpacked bytes."""
    kinds = {name: _kind(files[name], name, alone=len(files) == 1) for name in files}
    halves: dict[str, Table] = {}
    tables = {name: _table(files, name, max_rows, max_bytes) for name, kind in kinds.items() if kind is None}
    if len(files) > 1 and len(tables) == len(files) and not any(map(_half_of, tables.values())):
        return join_tables(list(tables.values()), keys, _digest(files))
    for name, table in tables.items():
        half = _half_of(table) if len(files) > 1 or _is_nothing_else(table) else None
        if half is not None:
            kinds[name], halves[name] = half
        elif len(files) == 1:
            return table
        else:
            raise ReadProblem(_unsuitable(table))
    runs = [name for name, kind in kinds.items() if kind == "run"]
    judged = [name for name, kind in kinds.items() if kind == "judgments"]
    if len(judged) > 1:
        raise ReadProblem(f"{listed(judged)} all hold judgments. Open one of them with its runs.")
    if not judged:
        are, them = ("is a run", "it") if len(runs) == 1 else ("are runs", "them")
        raise HalfMissing(f"{listed(runs)} {are}. Also open the judgments (qrels), now or with {them}.")
    if not runs:
        raise HalfMissing(f"{named(judged[0])} holds judgments. Also open a run, now or with it.")
    judgments = (
        rankings.judgments(halves[judged[0]])
        if judged[0] in halves
        else read_qrels(files[judged[0]], judged[0], max_bytes=max_bytes)
    )
    states: dict[str, Run] = {}
    for name in runs:
        own = (
            _runs_of(halves[name])
            if name in halves
            else {system_name(name): read_run(files[name], name, max_bytes=max_bytes)}
        )
        if clash := states.keys() & own:
            raise ReadProblem(f"Two runs are named {listed(clash)}. Give each file its own name.")
        states |= own
    name = f"{judged[0]}{_WITH}{_AND.join(runs)}"
    return ranked_dataset(judgments, states, name, digest=_digest(files), lines=Lines(1, "row"))


def files_of(dataset: DataSet) -> tuple[str, ...] | None:
    """The files that rankings were read from, judgments first; None if it was a single table.

    >>> files_of(read_files({"mine.run": b"q Q0 b 1 0.5 x", "qrels.txt": b"q 0 a 1"}))
    ('qrels.txt', 'mine.run')
    """
    judged, together, runs = dataset.name.partition(_WITH)
    # A data set of several files has these columns and one per system.
    columns = list(dataset.frame.columns)
    whole = columns[:2] == ["query", "document"] and columns[-1] == "grade" and tuple(columns[2:-1]) == dataset.systems
    return (judged, *runs.split(_AND)) if together and whole else None


def _kind(data: bytes, name: str, alone: bool) -> str | None:
    """Which TREC format a file is in, or None where it may be a table.

    Some lines may be wrong: reading the file names them. The first line of a file that is opened alone must be right,
    because in a table it holds the column names.
    """
    head = _head(data)
    if (kind := looks_like(head)) is not None:
        return kind
    lines = [line for line in head.splitlines() if line.strip() and not line.lstrip().startswith(b"#")][:_LINES]
    if not lines and not data.startswith(_GZIP):
        raise ReadProblem(f"{named(name)} is empty. Open a file with at least one line.")
    # The last line may be cut off.
    kinds = [looks_like(line) for line in lines[:-1] or lines]
    if alone and kinds[:1] == [None]:
        return None
    return next((kind for kind in ("run", "judgments") if 2 * kinds.count(kind) > len(kinds)), None)


def _table(files: Mapping[str, bytes], name: str, max_rows: int, max_bytes: int) -> DataSet:
    """Read a table. If the name or a Q0 says that it is a run or judgments, report the error of those."""
    try:
        return table_among(files, name, max_rows, max_bytes)
    except TooLarge:
        raise
    except ReadProblem:
        endings = {suffix.casefold() for suffix in PurePath(name).suffixes}
        if endings & {".run", ".trec"} or _head(files[name]).upper().split()[1:2] == [b"Q0"]:
            read_run(files[name], name, max_bytes=max_bytes)
        elif endings & {".qrels", ".qrel"}:
            read_qrels(files[name], name, max_bytes=max_bytes)
        raise


def _is_nothing_else(table: DataSet) -> bool:
    """Whether no other kind fits a table, or only one that takes its queries or documents for the truth."""
    actual = table.roles.get("actual")
    return table.kind == "unknown" or (actual is not None and names.simple(actual) in names.QUERY | names.DOCUMENT)


def _half_of(table: Table[Any]) -> tuple[str, Table[rankings.RankingRoles]] | None:
    """Which half a table holds, "run" or "judgments", and the table with an empty column for the other.

    None where it holds both halves, or is no ranking.
    """
    columns = table.frame.columns
    has_grades = any(names.simple(name) in names.GRADE for name in columns)
    has_ranking = any(names.is_score(name) or names.simple(name) in names.RANK for name in columns)
    half, missing = ("judgments", "score") if has_grades else ("run", "grade")
    if (has_grades and has_ranking) or missing in columns:
        return None
    # With a column for the missing half, it is recognised like any table of judged rankings.
    frame = pd.concat([table.frame, pd.Series(0.0, table.frame.index, name=missing)], axis=1)
    parts = rankings.recognise(Columns(frame))
    roles = rankings.RankingRoles(**parts) if parts else None
    return None if roles is None else (half, Table(frame, roles, table.name, table.lines, table.digest))


def _runs_of(table: Table[rankings.RankingRoles]) -> dict[str, Run]:
    """The runs of a table without grades, by system. A single unnamed system is named after the file."""
    systems = rankings.systems(table)
    if len(systems) == MOST_SYSTEMS:
        raise ReadProblem(f"{named(table.name)} names {MOST_SYSTEMS} systems or more. Open fewer of them together.")
    if not systems:
        raise ReadProblem("No row names a system, so there is no run. Fill in the column of systems.")
    if len(systems) == 1 and table.roles.system is None:
        return {system_name(table.name): rankings.run(table)}
    return {system: rankings.run(table, system) for system in systems}


def _unsuitable(table: DataSet) -> str:
    if table.kind == "run + judgments":
        return f"{named(table.name)} already holds a run and its grades. Open it on its own."
    doubts = " ".join(finding.sentence for finding in table.findings if finding.level != "info")
    return (
        f"{named(table.name)} is neither a run (query Q0 document rank score tag), nor judgments (query iteration "
        "document grade), nor a table with these columns. Open other tables without runs and judgments. " + doubts
    ).rstrip()


def _head(data: bytes) -> bytes:
    if data.startswith(_WIDE):
        return data[:_HEAD].decode("utf-16", "ignore").encode()
    if not data.startswith(_GZIP):
        return data[:_HEAD].removeprefix(codecs.BOM_UTF8)
    try:
        return zlib.decompressobj(wbits=31).decompress(data, _HEAD)
    except zlib.error:  # reported when the file is read
        return b""


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(files):
        digest.update(f"{PurePath(name).name}\0{len(files[name])}\0".encode(errors="surrogatepass"))
        digest.update(files[name])
    return digest.hexdigest()
