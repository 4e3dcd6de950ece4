"""Judgments and runs as one data set: one row per query and document, with a score per system and the grade."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from evalcore.numeric import Array
from evalcore.readers.arrow_ids import ids_of, texts_of
from evalcore.readers.datasets import DataSet
from evalcore.readers.kinds import RankingRoles
from evalcore.readers.problems import Lines, ReadProblem, listed
from evalcore.readers.table import Table
from evalcore.retrieval import Judgments, Run
from evalcore.retrieval.id_table import IdTable, Places

if TYPE_CHECKING:
    import pyarrow as pa


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
