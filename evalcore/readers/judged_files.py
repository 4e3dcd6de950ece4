"""Several files as one data set: runs and their judgments in TREC's formats, or tables that are judged lists."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from pathlib import PurePath

from evalcore.readers.datasets import DataSet
from evalcore.readers.judged_tables import judged_frame
from evalcore.readers.problems import Lines, ReadProblem, listed, named
from evalcore.readers.roles import Roles
from evalcore.readers.tables import read_table
from evalcore.readers.trec import looks_like, read_qrels, read_runs, system_name

_HEAD = 1 << 14
_GZIP = b"\x1f\x8b"
_WITH, _AND = " with ", ", "


class HalfMissing(ReadProblem):
    """Runs came without judgments, or judgments without a run; what came is worth keeping until the rest does."""


def read_files(files: Mapping[str, bytes]) -> DataSet:
    """Read what was opened together: one table, or TREC runs with their judgments.

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
    kinds = {name: looks_like(_head(data)) for name, data in files.items()}
    runs = [name for name, kind in kinds.items() if kind == "run"]
    judged = [name for name, kind in kinds.items() if kind == "judgments"]
    tables = [name for name, kind in kinds.items() if kind is None]
    if tables and len(files) == 1:
        return read_table(files[tables[0]], tables[0])
    if tables:
        raise ReadProblem(
            f"{named(tables[0])} is neither a run (query Q0 document rank score tag) nor judgments (query iteration "
            "document grade). Open tables one at a time."
        )
    if len(judged) > 1:
        raise ReadProblem(f"{listed(judged)} are all judgments. Open one file of judgments with its runs.")
    if not judged:
        raise HalfMissing(
            f"{listed(runs)} {_is_a_run(runs)}. Open the judgments (qrels) too, here or together with it."
        )
    if not runs:
        raise HalfMissing(f"{named(judged[0])} holds judgments. Open a run too, here or together with it.")
    judgments = read_qrels(files[judged[0]], judged[0])
    states = read_runs({name: files[name] for name in runs})
    frame = judged_frame(judgments, states)
    roles = Roles(query="query", document="document", grade="grade", score=tuple(states))
    name = f"{judged[0]}{_WITH}{_AND.join(runs)}"
    return DataSet.of(frame, name, roles=roles, digest=_digest(files), lines=Lines(1, "row"))


def files_of(dataset: DataSet) -> tuple[str, ...] | None:
    """The names of the files that a data set was read from together, judgments first; None where it was one table.

    Examples
    --------
    >>> files_of(read_files({"mine.run": b"q Q0 b 1 0.5 x", "qrels.txt": b"q 0 a 1"}))
    ('qrels.txt', 'mine.run')
    """
    judged, together, runs = dataset.name.partition(_WITH)
    names = tuple(runs.split(_AND))
    systems = tuple(map(system_name, names))
    return (judged, *names) if together and set(systems) <= set(dataset.frame.columns) else None


def _is_a_run(runs: list[str]) -> str:
    return "is a run" if len(runs) == 1 else "are runs"


def _head(data: bytes) -> bytes:
    if not data.startswith(_GZIP):
        return data[:_HEAD]
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
