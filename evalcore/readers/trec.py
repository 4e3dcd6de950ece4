"""Runs and judgments in TREC's formats: fields between white space, a line a document.

A run has six fields, ``query Q0 document rank score tag``; judgments (qrels) have four, ``query iteration document
grade``. The rank is not looked at: the scores order the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

from evalcore.readers import archives, trec_lines
from evalcore.readers.encodings import utf8
from evalcore.readers.line_blocks import Text, is_plain
from evalcore.readers.problems import ReadProblem, named
from evalcore.readers.trec_columns import QRELS, RUN, Columns, Format, columns_of
from evalcore.readers.white_space import single_blanks
from evalcore.retrieval import Duplicate, Judgments, Run

__all__ = ["read_qrels", "read_run", "read_runs"]

MAX_BYTES = 4 << 30

_GZIP, _UTF_16 = b"\x1f\x8b", (b"\xff\xfe", b"\xfe\xff")
_PACKED = (_GZIP, *_UTF_16)


def read_run(source: str | Path | bytes, name: str | None = None, *, max_bytes: int = MAX_BYTES) -> Run:
    """Read a run: ``query Q0 document rank score tag`` between any white space, plain or gzip.

    Lines that begin with # and empty lines are passed over.

    Parameters
    ----------
    source : str, Path or bytes
        A path, or the content of a file.
    name : str, optional
        What to call it, by default the name of the file.
    max_bytes : int
        Limit of the unpacked bytes.

    Raises
    ------
    ReadProblem
        With the line and the reason: too few or too many fields, a score that is no number, a document that stands
        twice in the list of one query.

    Examples
    --------
    >>> run = read_run(b"q1 Q0 d7 1 0.9 mine\\nq1 Q0 d2 2 0.4 mine\\n")
    >>> run.queries, run.ranked("q1")
    (('q1',), ['d7', 'd2'])
    """
    text, name = _text(source, name, max_bytes)
    found = _columns(text, name, RUN)
    try:
        return Run.from_codes(found.queries, found.codes, found.documents, found.numbers)
    except Duplicate as twice:
        raise trec_lines.twice(twice, text.whole(), name) from twice


def read_qrels(source: str | Path | bytes, name: str | None = None, *, max_bytes: int = MAX_BYTES) -> Judgments:
    """Read judgments: ``query iteration document grade`` between any white space, plain or gzip.

    Parameters and errors as for `read_run`.

    Examples
    --------
    >>> judged = read_qrels(b"q1 0 d7 1\\r\\nq1 0 d2 0\\r\\n")
    >>> judged.queries, judged.documents.texts(), judged.grades.tolist()
    (('q1',), ['d7', 'd2'], [1.0, 0.0])
    """
    text, name = _text(source, name, max_bytes)
    found = _columns(text, name, QRELS)
    try:
        return Judgments.from_codes(found.queries, found.codes, found.documents, found.numbers)
    except Duplicate as twice:
        raise trec_lines.twice(twice, text.whole(), name) from twice


def read_runs(sources: Iterable[str | Path] | Mapping[str, str | Path | bytes]) -> dict[str, Run]:
    """Read the runs of several systems, each under the name of its file without its endings.

    Parameters
    ----------
    sources : iterable of paths, or mapping of names to paths or contents

    Raises
    ------
    ReadProblem
        When two files have one name, or one of them is no run.

    Examples
    --------
    >>> list(read_runs({"bm25.run": b"q1 Q0 d7 1 0.9 mine", "lm.txt.gz": b"q1 Q0 d7 1 0.2 mine"}))
    ['bm25', 'lm']
    """
    pairs = sources.items() if isinstance(sources, Mapping) else ((PurePath(path).name, path) for path in sources)
    runs: dict[str, Run] = {}
    for name, source in pairs:
        system = system_name(name)
        if system in runs:
            raise ReadProblem(f"Two runs are called {named(system)}. Give each file its own name.")
        runs[system] = read_run(source, name)
    return runs


def system_name(file: str) -> str:
    """What a system is called after its file.

    Examples
    --------
    >>> system_name("bm25.v2.run.gz"), system_name("input.bm25")
    ('bm25.v2', 'input.bm25')
    """
    path = PurePath(file)
    while path.suffix.casefold() in (".gz", ".run", ".txt", ".res", ".trec", ".tsv", ".out"):
        path = path.with_suffix("")
    return path.name or file


def looks_like(data: bytes) -> str | None:
    """Which of the two formats the first lines of a text are written in: "run", "judgments", or None.

    Examples
    --------
    >>> looks_like(b"q1 Q0 d7 1 0.9 mine"), looks_like(b"q1 0 d7 1"), looks_like(b"actual,score")
    ('run', 'judgments', None)
    """
    lines = [line for _, line in trec_lines.numbered_lines(data[: 1 << 14])][:20]
    for form in (RUN, QRELS):
        # The last line may be cut off.
        if lines and all(trec_lines.fits(line, form) for line in lines[:-1] or lines):
            return form.what
    return None


def _text(source: str | Path | bytes, name: str | None, max_bytes: int) -> tuple[Text, str]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Text(_unpacked(bytes(source), name or "the file", max_bytes)), name or "the file"
    path = Path(source)
    name = name or path.name
    try:
        size = path.stat().st_size
        if size > max_bytes:
            raise archives.too_many_bytes(name, max_bytes)
        # An ordinary file of plain text is read block by block, when its columns are wanted.
        if is_plain(path) and not Text(path).head(2).startswith(_PACKED):
            return Text(path), name
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise _unread(name) from error
    return Text(_unpacked(data, name, max_bytes)), name


def _unread(name: str) -> ReadProblem:
    return ReadProblem(f"The file {named(name)} cannot be opened. Check that it exists and may be read.")


def _unpacked(data: bytes, name: str, max_bytes: int) -> bytes:
    if data.startswith(_GZIP):
        data = archives.gunzipped(data, name, max_bytes)
    if len(data) > max_bytes:
        raise archives.too_many_bytes(name, max_bytes)
    return utf8(data, name)[0] if data.startswith(_UTF_16) else data


def _columns(text: Text, name: str, form: Format) -> Columns:
    try:
        return _found(text, name, form)
    except OSError as error:  # it was there a moment ago
        raise _unread(name) from error


def _found(text: Text, name: str, form: Format) -> Columns:
    head = text.head()
    if not head or (head.isspace() and text.whole().isspace()):
        raise ReadProblem(f"{named(name)} is empty. Open {form.article}{form.what} of at least one line.")
    # Most files part their fields by one blank or one tab; the others are written anew that way.
    if (found := columns_of(text, form)) is not None:
        return found
    data = text.whole()
    # A field between tabs may be empty while another holds a blank: white space would find as many fields, but others.
    if not trec_lines.has_empty_fields(data) and (found := columns_of(Text(single_blanks(data)), form)) is not None:
        return found
    if b"\t" in data and (found := columns_of(Text(trec_lines.parted_by_blanks(data, form)), form)) is not None:
        return found
    trec_lines.refuse(data, name, form)
