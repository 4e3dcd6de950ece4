"""Several files as one data set: runs and their judgments in TREC's formats, or tables that are judged lists."""

from __future__ import annotations

import codecs
import hashlib
import zlib
from collections.abc import Mapping
from pathlib import PurePath

from evalcore.readers import column_names as names
from evalcore.readers.datasets import DataSet
from evalcore.readers.problems import Lines, ReadProblem, listed, named
from evalcore.readers.ranked_tables import ranked_dataset
from evalcore.readers.run_or_qrels_table import grades_of, half_of, runs_of
from evalcore.readers.table import Table
from evalcore.readers.tables import read_table
from evalcore.readers.trec import looks_like, read_qrels, read_run, read_runs
from evalcore.retrieval import Run

__all__ = ["HalfMissing", "files_of", "read_files"]

_HEAD, _LINES = 1 << 14, 20
_GZIP, _WIDE = b"\x1f\x8b", (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WITH, _AND = " with ", ", "


class HalfMissing(ReadProblem):
    """Runs came without judgments, or judgments without a run; what came is worth keeping until the rest does."""


def read_files(files: Mapping[str, bytes]) -> DataSet:
    """Read what was opened together: one table, or runs with their judgments, in TREC's formats or as tables.

    Parameters
    ----------
    files : mapping of str to bytes
        Content by the name of the file.

    Raises
    ------
    HalfMissing
        When there are runs only, or judgments only.
    ReadProblem
        When they don't belong together, or one of them cannot be read.

    Examples
    --------
    >>> found = read_files({"mine.run": b"q Q0 b 1 0.5 x", "qrels.txt": b"q 0 a 1"})
    >>> found.kind, found.systems, found.name
    ('run + judgments', ('mine',), 'qrels.txt with mine.run')
    """
    kinds = {name: _kind(data, name, alone=len(files) == 1) for name, data in files.items()}
    halves: dict[str, Table] = {}
    for name in [name for name, kind in kinds.items() if kind is None]:
        table = _table(files[name], name)
        half = half_of(table) if len(files) > 1 or _is_nothing_else(table) else None
        if half is not None:
            kinds[name], halves[name] = half
        elif len(files) == 1:
            return table
        else:
            raise ReadProblem(_no_half(table))
    runs = [name for name, kind in kinds.items() if kind == "run"]
    judged = [name for name, kind in kinds.items() if kind == "judgments"]
    if len(judged) > 1:
        raise ReadProblem(f"{listed(judged)} are all judgments. Open one file of judgments with its runs.")
    if not judged:
        raise HalfMissing(
            f"{listed(runs)} {_is_a_run(runs)}. Open the judgments (qrels) too, here or together with it."
        )
    if not runs:
        raise HalfMissing(f"{named(judged[0])} holds judgments. Open a run too, here or together with it.")
    judgments = grades_of(halves[judged[0]]) if judged[0] in halves else read_qrels(files[judged[0]], judged[0])
    states: dict[str, Run] = {}
    for name in runs:
        found = runs_of(halves[name]) if name in halves else read_runs({name: files[name]})
        if clash := states.keys() & found:
            raise ReadProblem(f"Two runs are called {listed(clash)}. Give each file its own name.")
        states |= found
    name = f"{judged[0]}{_WITH}{_AND.join(runs)}"
    return ranked_dataset(judgments, states, name, digest=_digest(files), lines=Lines(1, "row"))


def files_of(dataset: DataSet) -> tuple[str, ...] | None:
    """The names of the files that a data set was read from together, judgments first; None where it was one table.

    Examples
    --------
    >>> files_of(read_files({"mine.run": b"q Q0 b 1 0.5 x", "qrels.txt": b"q 0 a 1"}))
    ('qrels.txt', 'mine.run')
    """
    judged, together, runs = dataset.name.partition(_WITH)
    # What came from several files has these columns and one for each system.
    columns = list(dataset.frame.columns)
    whole = columns[:2] == ["query", "document"] and columns[-1] == "grade" and tuple(columns[2:-1]) == dataset.systems
    return (judged, *runs.split(_AND)) if together and whole else None


def _is_a_run(runs: list[str]) -> str:
    return "is a run" if len(runs) == 1 else "are runs"


def _kind(data: bytes, name: str, alone: bool) -> str | None:
    """What a file is written as in TREC's formats, or None where it may be a table.

    A few lines may be wrong, so that whoever reads the rest can name them; a file that is opened alone must begin
    right, for a table has a line of names there.
    """
    head = _head(data)
    if (kind := looks_like(head)) is not None:
        return kind
    lines = [line for line in head.splitlines() if line.strip() and not line.lstrip().startswith(b"#")][:_LINES]
    if not lines and not data.startswith(_GZIP):
        raise ReadProblem(f"{named(name)} is empty. Open a file with at least one line.")
    # The last line that was read may be cut off.
    kinds = [looks_like(line) for line in lines[:-1] or lines]
    if alone and kinds[:1] == [None]:
        return None
    return next((kind for kind in ("run", "judgments") if 2 * kinds.count(kind) > len(kinds)), None)


def _table(data: bytes, name: str) -> DataSet:
    """A table; what is called a run or judgments, or has a run's Q0, and is no table has the problem of a run."""
    try:
        return read_table(data, name)
    except ReadProblem:
        endings = {suffix.casefold() for suffix in PurePath(name).suffixes}
        if endings & {".run", ".trec"} or _head(data).upper().split()[1:2] == [b"Q0"]:
            read_run(data, name)
        elif endings & {".qrels", ".qrel"}:
            read_qrels(data, name)
        raise


def _is_nothing_else(table: DataSet) -> bool:
    """Whether no other kind was found in a table, or only one that takes its queries or documents for the truth."""
    actual = table.roles.get("actual")
    return table.kind == "unknown" or (actual is not None and names.simple(actual) in names.QUERY | names.DOCUMENT)


def _no_half(table: DataSet) -> str:
    if table.kind == "run + judgments":
        return f"{named(table.name)} holds lists and their grades already. Open it by itself."
    doubts = " ".join(finding.sentence for finding in table.findings if finding.level != "info")
    return (
        f"{named(table.name)} is neither a run (query Q0 document rank score tag) nor judgments (query iteration "
        "document grade), nor a table with such columns. Open other tables one at a time. " + doubts
    ).rstrip()


def _head(data: bytes) -> bytes:
    if data.startswith(_WIDE):
        return data[:_HEAD].decode("utf-16", "ignore").encode()
    if not data.startswith(_GZIP):
        return data[:_HEAD].removeprefix(codecs.BOM_UTF8)
    try:
        return zlib.decompressobj(wbits=31).decompress(data, _HEAD)
    except zlib.error:  # whoever reads the file says so
        return b""


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(files):
        digest.update(f"{PurePath(name).name}\0{len(files[name])}\0".encode(errors="surrogatepass"))
        digest.update(files[name])
    return digest.hexdigest()
