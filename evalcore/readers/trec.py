"""Runs and judgments in the TREC formats: one line per document, fields separated by white space.

A run has six fields, ``query Q0 document rank score tag``; judgments (qrels) have four, ``query iteration document
grade``. The rank is ignored: the scores order the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any, TypeVar, cast

from evalcore.readers import archives, trec_lines
from evalcore.readers.encodings import utf8
from evalcore.readers.line_blocks import Text
from evalcore.readers.problems import ReadProblem, named
from evalcore.readers.trec_columns import GRADES, PAIRS, QRELS, RANKS, RUN, LineColumns, LineFormat, columns_of
from evalcore.readers.trec_lines import single_blanks
from evalcore.retrieval import Duplicate, Judgments, Run

__all__ = ["read_qrels", "read_run", "read_runs"]

MAX_BYTES = 4 << 30

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_ENDINGS = (
    *(".gz", ".zst", ".zip", ".run", ".res", ".trec", ".out", ".txt"),
    *(".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx", ".xls", ".ods"),
)

State = TypeVar("State", Run, Judgments)


def read_run(
    source: str | Path | bytes, name: str | None = None, *, max_bytes: int = MAX_BYTES, form: LineFormat = RUN
) -> Run:
    """Read a run: ``query Q0 document rank score tag`` separated by white space, plain, gzip or zstd.

    Empty lines and lines that begin with # are skipped; the form is TREC's or one of `bare_form`. The source is the
    path of a file or its content, the name by default that of the file, and the limit that of the unpacked size.

    Raises
    ------
    ReadProblem
        Names the line and the reason: a wrong number of fields, a score that is not a number, or a document that a
        query lists twice.

    Examples
    --------
    >>> run = read_run(b"q1 Q0 d7 1 0.9 mine\\nq1 Q0 d2 2 0.4 mine\\n")
    >>> run.queries, run.ranked("q1")
    (('q1',), ['d7', 'd2'])
    """
    if form is not RANKS:
        return _read(source, name, max_bytes, form, Run.from_codes)
    # The first rank is the best.
    return _read(
        source, name, max_bytes, form, lambda ids, codes, documents, r: Run.from_codes(ids, codes, documents, -r)
    )


def read_qrels(
    source: str | Path | bytes, name: str | None = None, *, max_bytes: int = MAX_BYTES, form: LineFormat = QRELS
) -> Judgments:
    """Read judgments: ``query iteration document grade`` separated by white space, plain, gzip or zstd.

    Parameters and errors as for `read_run`.

    >>> judgments = read_qrels(b"q1 0 d7 1\\r\\nq1 0 d2 0\\r\\n")
    >>> judgments.queries, judgments.documents.texts(), judgments.grades.tolist()
    (('q1',), ['d7', 'd2'], [1.0, 0.0])
    """
    return _read(source, name, max_bytes, form, Judgments.from_codes)


def read_runs(sources: Iterable[str | Path] | Mapping[str, str | Path | bytes]) -> dict[str, Run]:
    """Read the runs of several systems. Each system is named after its file, without endings.

    Raises
    ------
    ReadProblem
        When two files have the same name, or one of them is not a run.

    Examples
    --------
    >>> list(read_runs({"bm25.run": b"q1 Q0 d7 1 0.9 mine", "lm.txt.gz": b"q1 Q0 d7 1 0.2 mine"}))
    ['bm25', 'lm']
    """
    pairs = cast(
        Iterable[tuple[str, Any]],
        sources.items() if isinstance(sources, Mapping) else ((PurePath(path).name, path) for path in sources),
    )
    runs: dict[str, Run] = {}
    for name, source in pairs:
        system = system_name(name)
        if system in runs:
            raise ReadProblem(f"Two runs are named {named(system)}. Give each file its own name.")
        runs[system] = read_run(source, name)
    return runs


def system_name(file: str) -> str:
    """The name of a system: that of its file without endings."""
    path = PurePath(file)
    while path.suffix.casefold() in _ENDINGS:
        path = path.with_suffix("")
    return path.name or file


def looks_like(data: bytes) -> str | None:
    """Which of the two formats the first lines of a text are in: "run", "judgments" or None."""
    lines = [line for _, line in trec_lines.numbered_lines(data[: 1 << 14])][:20]
    for form in (RUN, QRELS):
        # The last line may be cut off.
        if lines and all(trec_lines.fits(line, form) for line in lines[:-1] or lines):
            return form.what
    return None


def bare_form(data: bytes) -> LineFormat | None:
    """The form of a text whose lines are a query and a document, then perhaps a rank or a grade, as MS MARCO has them.

    Other tables look the same, so that this says something only of files that belong together.

    >>> bare_form(b"7 x 1\\n7 y 2\\n8 x 1\\n").fields[-1], bare_form(b"7\\tx\\n8\\ty\\n").fields
    ('rank', ('query', 'document'))
    """
    lines = [line for _, line in trec_lines.numbered_lines(data[: 1 << 14])]
    lines = lines[:-1] if len(data) >= 1 << 14 else lines  # the last line may be cut off
    if not lines:
        return None
    if trec_lines.counts_ranks(lines):
        return RANKS
    return next((form for form in (GRADES, PAIRS) if all(trec_lines.fits(line, form) for line in lines)), None)


def _read(
    source: str | Path | bytes, name: str | None, max_bytes: int, form: LineFormat, build: Callable[..., State]
) -> State:
    text, name = _text(source, name, max_bytes)
    try:
        with archives.within_memory(name):
            columns = _columns(text, name, form)
            return build(columns.queries, columns.codes, columns.documents, columns.numbers)
    except Duplicate as problem:
        raise trec_lines.duplicate_problem(problem, text.whole(), name) from problem
    except OSError as error:  # it was there a moment ago
        raise archives.unreadable(name) from error


def _text(source: str | Path | bytes, name: str | None, max_bytes: int) -> tuple[Text, str]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        data, name = bytes(source), name or "the file"
    else:
        path = Path(source)
        name = name or path.name
        with archives.opening(path, name, max_bytes):
            # A regular file of plain text is read block by block when its columns are needed.
            if path.is_file() and not Text(path).head(4).startswith((archives.GZIP, archives.ZSTD, *_UTF_16)):
                return Text(path), name
            data = path.read_bytes()
    return Text(_unpacked(data, name, max_bytes)), name


def _unpacked(data: bytes, name: str, max_bytes: int) -> bytes:
    if archives.is_compressed(data):
        data = archives.decompressed(data, name, max_bytes)
    if len(data) > max_bytes:
        raise archives.too_many_bytes(name, max_bytes)
    return utf8(data, name)[0] if data.startswith(_UTF_16) else data


def _columns(text: Text, name: str, form: LineFormat) -> LineColumns:
    head = text.head()
    if not head or (head.isspace() and text.whole().isspace()):
        raise ReadProblem(f"{named(name)} is empty. Open {form.article}{form.what} with at least one line.")
    # Most files separate their fields by one blank or one tab; others are rewritten that way.
    if (columns := columns_of(text, form)) is not None:
        return columns
    data = text.whole()
    # Between tabs a field may be empty while another holds a blank: white space would give as many, but other fields.
    if not trec_lines.has_empty_fields(data) and (columns := columns_of(Text(single_blanks(data)), form)) is not None:
        return columns
    if b"\t" in data and (columns := columns_of(Text(trec_lines.tabs_to_blanks(data, form)), form)) is not None:
        return columns
    trec_lines.refuse(data, name, form)
