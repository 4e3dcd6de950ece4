"""Runs and judgments in the TREC formats: one line per document, fields separated by white space.

A run has six fields, ``query Q0 document rank score tag``; judgments (qrels) have four, ``query iteration document
grade``. The rank is ignored: the scores order the list.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, NoReturn, TypeVar, cast

import numpy as np

from evalcore.readers.base.encodings import utf8
from evalcore.readers.base.problems import ReadProblem, named
from evalcore.readers.files import archives
from evalcore.readers.trec import trec as trec_lines
from evalcore.readers.trec.columns import GRADES, PAIRS, QRELS, RANKS, RUN, LineColumns, LineFormat, Text, columns_of
from evalcore.retrieval import Duplicate, Judgments, Run
from evalcore.wording.numbers import count_text

__all__ = ["read_qrels", "read_run", "read_runs"]


def fields_of(line: bytes, form: LineFormat) -> list[bytes]:
    """The fields of a line: separated by tabs if that gives as many as the format has, else by white space.

    Between tabs, an ignored field may be empty or hold blanks.
    """
    between_tabs = line.split(b"\t")
    if len(between_tabs) == len(form.fields) and all(len(between_tabs[column].split()) == 1 for column in form.columns):
        return [field.strip() for field in between_tabs]
    return line.split()


def numbered_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and text of each line that is neither empty nor a comment, with any line ending."""
    for number, line in enumerate(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), 1):
        if (text := line.lstrip()) and not text.startswith(b"#"):
            yield number, line


def has_empty_fields(data: bytes) -> bool:
    """Whether a line has two adjacent tabs or ends with one, and a line has a blank."""
    return b" " in data and (data.endswith(b"\t") or any(part in data for part in (b"\t\t", b"\t\n", b"\t\r")))


def tabs_to_blanks(data: bytes, form: LineFormat) -> bytes:
    """A file of tabs rewritten with one blank between fields and a dash for each ignored field."""
    lines = []
    for _, line in numbered_lines(data):
        fields = fields_of(line, form)
        if len(fields) == len(form.fields):
            fields = [field if column in form.columns else b"-" for column, field in enumerate(fields)]
        lines.append(b" ".join(fields) + b"\n")
    return b"".join(lines)


def fits(line: bytes, form: LineFormat) -> bool:
    """Whether a line has the fields of a format, a number where there must be one, and no fraction second.

    >>> fits(b"q Q0 d 1 0.5 x", RUN), fits(b"0 0.41 0.77 0.1 0.2 0.93", RUN)
    (True, False)
    """
    fields = fields_of(line, form)
    if len(fields) != len(form.fields) or (b"." in fields[1] and _is_number(fields[1])):
        return False
    return form.number is None or _is_number(fields[form.number])


def counts_ranks(lines: Sequence[bytes]) -> bool:
    """Whether lines of query, document and rank list each document once and count from 1, for more than one rank."""
    if not all(fits(line, RANKS) for line in lines):
        return False
    rows = [fields_of(line, RANKS) for line in lines]
    due: dict[bytes, int] = {}
    for query, _, rank in rows:
        if rank != b"%d" % due.setdefault(query, 1):
            return False
        due[query] += 1
    return max(due.values(), default=0) > 2 and len({(query, document) for query, document, _ in rows}) == len(rows)


def refuse(data: bytes, name: str, form: LineFormat) -> NoReturn:
    """Raise ReadProblem for the first line of a file that is not in the format."""
    number = 0
    for number, line in numbered_lines(data):
        where, fields = f"Line {count_text(number)} of {named(name)}", fields_of(line, form)
        if b"\0" in line:
            raise ReadProblem(
                f"{where} contains a zero byte, so the file is compressed, damaged or in UTF-16. "
                "Save it as text in UTF-8."
            )
        if len(fields) != len(form.fields):
            has = "a run has" if form.what == "run" else "judgments have"
            count = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
            raise ReadProblem(
                f"{where} has {count} where {has} {len(form.fields)}: {' '.join(form.fields)}. {_hint(fields, form)}"
            )
        if form.number is None:
            continue
        what, text = form.fields[form.number], fields[form.number]
        if not _is_number(text) or (form.what == "judgments" and math.isinf(float(text))):
            raise ReadProblem(
                f"{where} has the {what} {named(text.decode('utf-8', 'replace'))}, which is not a number. "
                "Correct or delete the line."
            )
    if number:  # every line fits, but two queries differ only in bytes that are not text
        raise ReadProblem(f"{named(name)} has query ids that are not in UTF-8 and look the same. Save it as UTF-8.")
    raise ReadProblem(
        f"{named(name)} contains no line of {form.article}{form.what}: {len(form.fields)} fields, "
        f"{' '.join(form.fields)}."
    )


def duplicate_problem(problem: Duplicate, data: bytes, name: str) -> ReadProblem:
    """The problem of a document that a query lists twice, with the two lines."""
    last = max(problem.rows)
    lines = []
    for row, (number, _) in enumerate(numbered_lines(data)):
        if row in problem.rows:
            lines.append(count_text(number))
        if row >= last:
            break
    return ReadProblem(problem.sentence(f"lines {' and '.join(lines)} of {named(name)}"))


def _is_number(field: bytes) -> bool:
    try:
        return b"_" not in field and not math.isnan(float(field))
    except ValueError:
        return False


def _hint(fields: list[bytes], form: LineFormat) -> str:
    other = QRELS if form is RUN else RUN
    if len(fields) == len(other.fields):
        return f"With {len(fields)} fields, it looks like {other.article}{other.what}; open the {form.what} instead."
    if len(fields) > len(form.fields):
        return f"Ids{' and the tag' if form is RUN else ''} must not contain blanks."
    return "Add the missing fields or delete the line."


_BLOCK = 1 << 24

_BLANK = np.zeros(256, dtype=bool)

_BLANK[list(b" \t\v\f\r")] = True

_NEWLINE = 10


def single_blanks(data: bytes) -> bytes:
    """Lines with one blank between fields and none around them; comments become empty lines."""
    # Line endings of Windows and of old Macs; a file may have both.
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    parts, start = [], 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK)
        end = len(data) if end < 0 else end + 1
        parts.append(_tidied(np.frombuffer(data, np.uint8, end - start, start)))
        start = end
    return re.sub(rb"(?m)^#[^\n]*", b"", b"".join(parts))


def _tidied(text: np.ndarray) -> bytes:
    blank = _BLANK[text]
    before = np.empty_like(blank)
    before[0], before[1:] = True, blank[:-1] | (text[:-1] == _NEWLINE)
    # First every blank after another or at the start of a line, then those left at the ends of lines.
    keep = ~(blank & before)
    text, blank = text[keep], blank[keep]
    behind = np.empty_like(blank)
    behind[-1], behind[:-1] = True, text[1:] == _NEWLINE
    keep = ~(blank & behind)
    return np.where(blank, ord(" "), text)[keep].astype(np.uint8).tobytes()


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
    """Return the format of the first lines of a text: "run", "judgments" or None."""
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
