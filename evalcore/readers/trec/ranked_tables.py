"""Judgments and runs as one data set: one row per query and document, with a score per system and the grade."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from evalcore.numeric import Array
from evalcore.readers.base import column_names as names
from evalcore.readers.base.problems import Finding, Lines, ReadProblem, listed, named
from evalcore.readers.base.values import ids_of, text_of, texts_of
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.kinds import RankingRoles
from evalcore.readers.table.table import Table
from evalcore.retrieval import Judgments, Run
from evalcore.retrieval.id_table import IdTable, Places
from evalcore.wording.numbers import count_text

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["judged_by_pairs"]


def ranked_dataset(
    judgments: Judgments,
    runs: Mapping[str, Run],
    name: str,
    *,
    digest: str = "",
    lines: Lines = Lines(),  # noqa: B008
) -> DataSet:
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
        import pyarrow as pa

        self._parts = parts
        self._queries = sorted({query for part in parts for query in part.queries})
        indices = {query: index for index, query in enumerate(self._queries)}
        codes = np.concatenate([_indices(part.queries, indices)[part.codes] for part in parts])
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
        import pyarrow as pa

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


def _indices(queries: Sequence[str], indices: Mapping[str, int]) -> Places:
    return np.array([indices[name] for name in queries], dtype=np.int64)


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
    heads = np.ones(len(codes), dtype=bool)
    heads[1:] = False
    for key in keys:
        heads[1:] |= np.diff(key[order]) != 0
    return order, heads


def _column(texts: pa.Array) -> pd.Series:
    return pd.Series(cast(Any, pd.StringDtype(na_value=np.nan)).__from_arrow__(texts))


_MOST_LETTERS = 1_000_000


def judged_by_pairs(ranked: DataSet, text: str) -> DataSet:
    """Replace the judgments of rankings: the typed pairs are relevant, every other document is unjudged.

    Each line names a query and a document, then a grade if it is not 1, with commas, semicolons, tabs or blanks
    between; lines of qrels (query, iteration, document, grade) will do. Queries that no line names are not judged.

    Raises
    ------
    ReadProblem
        If the data set holds no rankings, or a line is no pair, names a query without a list, or a pair stands twice.

    Examples
    --------
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
        columns = {
            roles.query: [known[query] for query, _ in missing],
            roles.document: [document for _, document in missing],
            roles.grade: [grades[pair] for pair in missing],
        }
        more = pd.DataFrame(columns).astype({roles.document: judged[roles.document].dtype})
        judged = pd.concat([judged, more], ignore_index=True)
        if not is_text and all(re.fullmatch(r"-?\d{1,15}", one) for one in judged[roles.document]):
            judged[roles.document] = judged[roles.document].astype(np.int64)
    pairs = "1 typed pair is" if len(grades) == 1 else f"{count_text(len(grades))} typed pairs are"
    outside = f"; {count_text(len(missing))} {'names' if len(missing) == 1 else 'name'} a document that no system"
    sentence = f"{pairs} the judgments" + (f"{outside} retrieved." if missing else ".")
    finding = Finding("info", sentence, len(grades), roles.grade, code="typed pairs")
    digest = hashlib.blake2b(f"{ranked.digest}\0{text}".encode(errors="surrogatepass"), digest_size=16).hexdigest()
    made = DataSet.of(
        judged, f"{ranked.name} judged by pairs", roles=cast(RankingRoles, roles), digest=digest, lines=ranked.lines,
        read_findings=(finding, *ranked.read_findings),
    )  # fmt: skip
    return replace(made, face_files=ranked.face_files)


def _grades(text: str, queries: set[str]) -> dict[tuple[str, str], float]:
    """The grade of each typed pair."""
    if len(text) > _MOST_LETTERS:
        raise ReadProblem(f"At most {count_text(_MOST_LETTERS)} letters can be typed. Open the judgments as a file.")
    grades: dict[tuple[str, str], float] = {}
    for number, (query, document, grade) in _lines(text):
        if query not in queries:
            raise ReadProblem(
                f"Line {number} names the query {named(query)}, for which there is no list. Queries here are called "
                f"{listed(sorted(queries), 3)}."
            )
        if (query, document) in grades:
            raise ReadProblem(f"Line {number} repeats {named(document)} for query {named(query)}. Keep one of them.")
        grades[query, document] = grade
    if not grades:
        raise ReadProblem("Type one pair per line: a query and a document that is relevant for it.")
    return grades


def _lines(text: str) -> Iterator[tuple[int, tuple[str, str, float]]]:
    for number, line in enumerate(text.splitlines(), 1):
        separator = next((one for one in "\t;," if one in line), None)
        parts = [part.strip() for part in (line.split(separator) if separator else line.split())]
        if not any(parts) or (number == 1 and names.simple(parts[0]) in names.QUERY and not parts[-1].isdigit()):
            continue
        if len(parts) == 4:
            del parts[1]  # the iteration of qrels
        if len(parts) not in (2, 3) or not all(parts):
            raise ReadProblem(f"Line {number} is no pair. Type a query and a document, then a grade if it is not 1.")
        yield number, (parts[0], parts[1], _grade(parts[2], number) if len(parts) == 3 else 1.0)


def _grade(text: str, number: int) -> float:
    try:
        grade = float(text)
    except ValueError:
        grade = math.nan
    if not math.isfinite(grade):
        raise ReadProblem(f"Line {number} has the grade {named(text)}, which is no number.")
    return grade
