"""Runs and judgments in the TREC formats: one line per document, fields separated by white space.

A run has six fields, ``query Q0 document rank score tag``; judgments (qrels) have four, ``query iteration document
grade``. The rank is ignored: the scores order the list.
"""

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, NoReturn, TypeVar, cast

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.numeric import Array
from evalcore.readers.base import Finding, Lines, ReadProblem, encodings, listed, named
from evalcore.readers.base import column_names as names
from evalcore.readers.base.encodings import utf8
from evalcore.readers.base.values import ids_of, text_of, texts_of
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.kinds import RankingRoles
from evalcore.readers.table.table import Table
from evalcore.readers.trec.columns import GRADES, PAIRS, QRELS, RANKS, RUN, LineColumns, LineFormat, Text, columns_of
from evalcore.retrieval import Duplicate, Judgments, Run
from evalcore.retrieval.id_table import IdTable, Places
from evalcore.wording.numbers import count_text

__all__ = ["judged_by_pairs", "read_qrels", "read_run", "run_tag"]


def fields_of(line: bytes, form: LineFormat) -> list[bytes]:
    """The fields of a line: between tabs, if those are as many as the format has, else between white space."""
    between_tabs = line.split(b"\t")
    if len(between_tabs) == len(form.fields) and all(len(between_tabs[column].split()) == 1 for column in form.columns):
        return [field.strip() for field in between_tabs]
    return line.split()


def numbered_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and text of each line that is neither empty nor a comment, with any line ending."""
    for number, line in enumerate(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), 1):
        if (text := line.lstrip()) and text[:1] != b"#":
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
            sentence = f"{where} contains a zero byte, so the file is compressed, damaged or in UTF-16. Save it as "
            raise ReadProblem(f"{sentence}text in UTF-8.")
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
            sentence = f"{where} has the {what} {named(text.decode('utf-8', 'replace'))}, which is not a number. "
            raise ReadProblem(f"{sentence}Correct or delete the line.")
    if number:  # every line fits, but two queries differ only in bytes that are not text
        raise ReadProblem(f"{named(name)} has query ids that are not in UTF-8 and look the same. Save it as UTF-8.")
    sentence = f"{named(name)} contains no line of {form.article}{form.what}: {len(form.fields)} fields, "
    raise ReadProblem(f"{sentence}{' '.join(form.fields)}.")


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


_TO_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")


def single_blanks(data: bytes) -> bytes:
    """Lines with one blank between fields and none around them; comments become empty lines."""
    # Line endings of Windows and of old Macs; a file may have both.
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").translate(_TO_BLANKS)
    while b"  " in data:
        data = data.replace(b"    ", b" ").replace(b"  ", b" ")
    data = (b"\n" + data + b"\n").replace(b"\n ", b"\n").replace(b" \n", b"\n")[1:-1]
    return re.sub(rb"(?m)^#[^\n]*", b"", data)


MAX_BYTES = 4 << 30
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_ENDINGS = ".gz .zst .zip .run .res .trec .out .txt .csv .tsv .json .jsonl .parquet .xlsx .xls .ods".split()
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
    return _read(source, name, max_bytes, form, Run.from_codes)


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


def run_tag(source: str | Path | bytes, name: str | None = None) -> str:
    """The tag of a run: the sixth field of its last line, as in trec_eval.

    >>> run_tag(b"q1 Q0 d7 1 0.9 first\\nq1 Q0 d2 2 0.4 last\\n# end\\n")
    'last'
    """
    text, _ = _text(source, name, MAX_BYTES)
    lines = [line for _, line in numbered_lines(text.whole()[-(1 << 14) :])]
    return fields_of(lines[-1], RUN)[-1].decode("utf-8", "replace") if lines else ""


def system_name(file: str) -> str:
    """The name of a system: that of its file without endings."""
    path = PurePath(file)
    while path.suffix.casefold() in _ENDINGS:
        path = path.with_suffix("")
    return path.name or file


def looks_like(data: bytes) -> str | None:
    """Return the format of the first lines of a text: "run", "judgments" or None."""
    lines = [line for _, line in numbered_lines(data[: 1 << 14])][:20]
    lines = lines[:-1] or lines  # the last line may be cut off
    return next((form.what for form in (RUN, QRELS) if lines and all(fits(line, form) for line in lines)), None)


def bare_form(data: bytes) -> LineFormat | None:
    """The form of a text whose lines are a query and a document, then perhaps a rank or a grade, as MS MARCO has them.

    Other tables look the same, so that this says something only of files that belong together.

    >>> bare_form(b"7 x 1\\n7 y 2\\n8 x 1\\n").fields[-1], bare_form(b"7\\tx\\n8\\ty\\n").fields
    ('rank', ('query', 'document'))
    """
    lines = [line for _, line in numbered_lines(data[: 1 << 14])]
    lines = lines[:-1] if len(data) >= 1 << 14 else lines  # the last line may be cut off
    if not lines:
        return None
    if counts_ranks(lines):
        return RANKS
    return next((form for form in (GRADES, PAIRS) if all(fits(line, form) for line in lines)), None)


def _read(
    source: str | Path | bytes, name: str | None, max_bytes: int, form: LineFormat, build: Callable[..., State]
) -> State:
    text, name = _text(source, name, max_bytes)
    try:
        with encodings.within_memory(name):
            columns = _columns(text, name, form)
            numbers = -columns.numbers if form is RANKS else columns.numbers  # the first rank is the best
            return build(columns.queries, columns.codes, columns.documents, numbers)
    except Duplicate as problem:
        numbers = (number for number, _ in islice(numbered_lines(text.whole()), max(problem.rows) + 1))
        lines = [count_text(number) for row, number in enumerate(numbers) if row in problem.rows]
        raise ReadProblem(problem.sentence(f"lines {' and '.join(lines)} of {named(name)}")) from problem
    except OSError as error:  # it was there a moment ago
        raise encodings.unreadable(name) from error


def _text(source: str | Path | bytes, name: str | None, max_bytes: int) -> tuple[Text, str]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        data, name = bytes(source), name or "the file"
    else:
        path = Path(source)
        name = name or path.name
        with encodings.opening(path, name, max_bytes):
            # A regular file of plain text is read block by block when its columns are needed.
            if path.is_file() and not Text(path).head(4).startswith((encodings.GZIP, encodings.ZSTD, *_UTF_16)):
                return Text(path), name
            data = path.read_bytes()
    if encodings.is_compressed(data):
        data = encodings.decompressed(data, name, max_bytes)
    if len(data) > max_bytes:
        raise encodings.too_many_bytes(name, max_bytes)
    return Text(utf8(data, name)[0] if data.startswith(_UTF_16) else data), name


def _columns(text: Text, name: str, form: LineFormat) -> LineColumns:
    head = text.head()
    if not head or (head.isspace() and text.whole().isspace()):
        raise ReadProblem(f"{named(name)} is empty. Open {form.article}{form.what} with at least one line.")
    # Most files separate their fields by one blank or one tab; others are rewritten that way.
    if (columns := columns_of(text, form)) is not None:
        return columns
    data = text.whole()
    # Between tabs a field may be empty while another holds a blank: white space would give as many, but other fields.
    if not has_empty_fields(data) and (columns := columns_of(Text(single_blanks(data)), form)) is not None:
        return columns
    if b"\t" in data and (columns := columns_of(Text(tabs_to_blanks(data, form)), form)) is not None:
        return columns
    refuse(data, name, form)


def ranked_dataset(
    judgments: Judgments, runs: Mapping[str, Run], name: str, digest: str = "", lines: Lines = Lines(),  # noqa: B008
) -> DataSet:  # fmt: skip
    """Judgments and runs as one data set, which can be stored and opened like any other."""
    columns = ["query", "document"]
    if clash := {*columns, "grade"} & set(runs):
        raise ReadProblem(f"A system cannot be named {listed(clash)}. Rename its file.")
    roles = RankingRoles(query="query", document="document", grade="grade", score=tuple(runs))
    merged = _Merged([*runs.values(), judgments])
    table = Table(merged.frame([*runs, "grade"]), roles, name, lines, digest)
    # The states exist already and need not be built from the frame.
    for index, system in enumerate(runs):
        table.once("run", system, lambda index=index: Run(*merged.columns(index)))
    table.once("judgments", None, lambda: Judgments.from_codes(*merged.columns(len(runs))))
    return DataSet.of(table.frame, name, roles=roles, digest=table.digest, lines=lines)


class _Merged:
    """The rows of runs and of judgments in one order: by query, then by the bytes of the document."""

    def __init__(self, parts: Sequence[Run | Judgments]) -> None:
        self._parts = parts
        self._queries = sorted({query for part in parts for query in part.queries})
        indices = {query: index for index, query in enumerate(self._queries)}
        own = (np.array([indices[name] for name in part.queries], np.int64)[part.codes] for part in parts)
        codes = np.concatenate([*own])
        self._texts = pa.concat_arrays([texts_of(part.documents) for part in parts])
        self._documents = ids_of(self._texts)
        if self._documents.lengths.sum() == sum(part.documents.lengths.sum() for part in parts):
            # Where no byte had to be escaped, the hashes are those that the parts have.
            vars(self._documents)["hashes"] = np.concatenate([part.documents.hashes for part in parts])
        order, heads = _grouped(codes, self._documents)
        rows = np.empty(len(codes), np.int64)
        rows[order] = np.cumsum(heads) - 1
        self._rows = np.split(rows, np.cumsum([len(part) for part in parts])[:-1])
        self._first = order[heads]
        self._codes = codes[self._first]

    def frame(self, names: Sequence[str]) -> pd.DataFrame:
        """Query, document and a column of numbers per part."""
        columns: dict[str, Any] = {
            "query": _column(pa.array(self._queries, pa.large_string()).take(pa.array(self._codes))),
            "document": _column(self._texts.take(pa.array(self._first))),
        }
        for name, part, rows in zip(names, self._parts, self._rows, strict=True):
            columns[name] = np.full(len(self._first), np.nan)
            columns[name][rows] = _numbers(part)
        return pd.DataFrame(columns)

    def columns(self, index: int) -> tuple[tuple[str, ...], Places, IdTable, Array]:
        """Queries, their codes, documents and numbers of one part in the order of the frame."""
        own = np.full(len(self._first), -1)
        own[self._rows[index]] = np.arange(len(self._parts[index]))
        rows = np.flatnonzero(own >= 0)
        codes = self._codes[rows]
        heads = np.diff(codes, prepend=-1) > 0
        queries = tuple(self._queries[code] for code in codes[heads].tolist())
        numbers = _numbers(self._parts[index])[own[rows]]
        return queries, (np.cumsum(heads) - 1).astype(np.int32), self._documents.take(self._first[rows]), numbers


def _numbers(part: Run | Judgments) -> Array:
    return part.scores if isinstance(part, Run) else part.grades


def _grouped(codes: Places, documents: IdTable) -> tuple[Places, Places]:
    """The rows by query and document, in byte order, and which of them begin a new pair."""
    # The first byte of a word is its lowest; swapped, words sort as their bytes do. Ids are padded with zeros.
    words = [documents.words(word).byteswap() for word in range(documents.longest)]
    keys = [codes.astype(np.uint64), *words, documents.lengths.astype(np.uint64)]
    # Bits that are equal in all rows do not matter. The others often fit into one number together with the row, and
    # numbers sort ten times faster than rows by several keys.
    varying = [int(np.bitwise_or.reduce(key ^ key[:1])) for key in keys]
    row_bits = len(codes).bit_length()
    if sum(bits.bit_count() for bits in varying) + row_bits <= 64:
        packed = np.zeros(len(codes), np.uint64)
        for key, bits in zip(keys, varying, strict=True):
            for stretch in re.finditer("1+", f"{bits:064b}"):
                width, low = len(stretch[0]), 64 - stretch.end()
                packed = packed << width | key >> low & ((1 << width) - 1)
        packed = np.sort(packed << row_bits | np.arange(len(codes), dtype=np.uint64))
        pairs = packed >> row_bits
        return (packed & ((1 << row_bits) - 1)).astype(np.int64), np.diff(pairs, prepend=~pairs[:1]) != 0
    order = np.lexsort(keys[::-1])
    return order, np.logical_or.reduce([np.diff(key[order], prepend=~key[order[:1]]) != 0 for key in keys])


def _column(texts: pa.Array) -> pd.Series:
    return pd.Series(cast(Any, pd.StringDtype(na_value=np.nan)).__from_arrow__(texts))


_MOST_LETTERS = 1_000_000


def judged_by_pairs(ranked: DataSet, text: str) -> DataSet:
    """Replace the judgments of rankings: the typed pairs are relevant, every other document is unjudged.

    Each line names a query and a document, then a grade if it is not 1, with commas, semicolons, tabs or blanks
    between; lines of qrels (query, iteration, document, grade) will do. Queries that no line names are not judged.
    Raises ReadProblem if the data set holds no rankings, or a line is no pair, names a query without a list, or a pair
    stands twice.

    >>> from evalcore.readers import read_sample
    >>> data = judged_by_pairs(read_sample("ranking_14"), "1, 588\\n1, 990, 2\\n1, 7")
    >>> len(data.judgments()), data.judgments().pool.relevant(1).tolist(), data.findings[0].sentence
    (3, [3], '3 typed pairs are the judgments; 1 names a document that no system retrieved.')
    """
    if not isinstance(ranked.roles, RankingRoles):
        raise ReadProblem(f"{named(ranked.name)} holds no rankings, so nothing can be judged. Open rankings first.")
    if ranked.shape.steps:
        return judged_by_pairs(ranked.unshaped, text)
    roles, frame = ranked.roles, ranked.frame
    queries, documents = (frame[column].map(text_of, na_action="ignore") for column in (roles.query, roles.document))
    known = dict(zip(queries, frame[roles.query], strict=True))
    grades = _grades(text, set(known))
    keys = pd.MultiIndex.from_arrays([queries, documents])
    given = pd.Series(grades.values(), pd.MultiIndex.from_tuples(grades), dtype=np.float64)
    judged = frame.assign(**{roles.grade: given.reindex(keys).to_numpy()})
    if missing := given.index[~given.index.isin(keys)].tolist():
        is_text = frame[roles.document].dtype == "str"
        judged[roles.document] = documents.where(documents.notna(), None).astype("str")
        cells = [(known[query], document, grades[query, document]) for query, document in missing]
        more = pd.DataFrame(cells, columns=[roles.query, roles.document, roles.grade])
        judged = pd.concat([judged, more.astype({roles.document: judged[roles.document].dtype})], ignore_index=True)
        if not is_text and all(re.fullmatch(r"-?\d{1,15}", one) for one in judged[roles.document]):
            judged[roles.document] = judged[roles.document].astype(np.int64)
    pairs = "1 typed pair is" if len(grades) == 1 else f"{count_text(len(grades))} typed pairs are"
    outside = f"; {count_text(len(missing))} {'names' if len(missing) == 1 else 'name'} a document that no system"
    sentence = f"{pairs} the judgments" + (f"{outside} retrieved." if missing else ".")
    finding = Finding("info", sentence, len(grades), roles.grade, code="typed pairs")
    digest = hashlib.blake2b(f"{ranked.digest}\0{text}".encode(errors="surrogatepass"), digest_size=16).hexdigest()
    more = {"digest": digest, "lines": ranked.lines, "read_findings": (finding, *ranked.read_findings)}
    made = DataSet.of(judged, f"{ranked.name} judged by pairs", roles=cast(RankingRoles, roles), **more)
    return replace(made, face_files=ranked.face_files)


def _grades(text: str, queries: set[str]) -> dict[tuple[str, str], float]:
    """The grade of each typed pair."""
    if len(text) > _MOST_LETTERS:
        raise ReadProblem(f"At most {count_text(_MOST_LETTERS)} letters can be typed. Open the judgments as a file.")
    grades: dict[tuple[str, str], float] = {}
    for number, query, document, grade in _typed_pairs(text):
        if query not in queries:
            sentence = f"Line {number} names the query {named(query)}, for which there is no list. Queries here are "
            raise ReadProblem(f"{sentence}called {listed(sorted(queries), 3)}.")
        if (query, document) in grades:
            raise ReadProblem(f"Line {number} repeats {named(document)} for query {named(query)}. Keep one of them.")
        grades[query, document] = grade
    if not grades:
        raise ReadProblem("Type one pair per line: a query and a document that is relevant for it.")
    return grades


def _typed_pairs(text: str) -> Iterator[tuple[int, str, str, float]]:
    """The number of each line with its query, document and grade."""
    for number, line in enumerate(text.splitlines(), 1):
        separator = next((one for one in "\t;," if one in line), None)
        parts = [part.strip() for part in (line.split(separator) if separator else line.split())]
        if not any(parts) or (number == 1 and names.simple(parts[0]) in names.QUERY and not parts[-1].isdigit()):
            continue
        if len(parts) == 4:
            del parts[1]  # the iteration of qrels
        if len(parts) not in (2, 3) or not all(parts):
            raise ReadProblem(f"Line {number} is not a pair. Type a query and a document, then a grade if it is not 1.")
        query, document, *typed = parts
        try:
            grade = float(*typed or ["1"])
        except ValueError:
            grade = math.nan
        if not math.isfinite(grade):
            raise ReadProblem(f"Line {number} has the grade {named(typed[0])}, which is not a number.")
        yield number, query, document, grade
