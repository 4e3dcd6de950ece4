"""Judgments and runs as one table: a row a document of a query, with a score a system and its grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from evalcore.readers.arrow_names import names_of, texts_of
from evalcore.readers.problems import ReadProblem, listed
from evalcore.retrieval import Judgments, Run
from evalcore.retrieval.names import Names, Places

if TYPE_CHECKING:
    import pyarrow as pa


def judged_frame(judgments: Judgments, runs: Mapping[str, Run]) -> pd.DataFrame:
    """Judgments and runs as one table that a data set can hold: query, document, a score a system, grade.

    Parameters
    ----------
    judgments : Judgments
    runs : mapping of str to Run
        By the name of the system, which becomes the name of its column.

    Raises
    ------
    ReadProblem
        When a system is called like one of the other columns.

    Examples
    --------
    >>> from evalcore.readers import read_qrels, read_run
    >>> frame = judged_frame(read_qrels(b"q 0 a 1"), {"mine": read_run(b"q Q0 b 1 0.5 x")})
    >>> frame.to_csv(index=False).split()
    ['query,document,mine,grade', 'q,a,,1.0', 'q,b,0.5,']
    """
    import pyarrow as pa

    columns = ["query", "document"]
    if clash := {*columns, "grade"} & set(runs):
        raise ReadProblem(f"No system can be called {listed(clash)}. Give its file another name.")
    tables: list[Run | Judgments] = [*runs.values(), judgments]
    queries = sorted({name for table in tables for name in table.queries})
    places = {name: place for place, name in enumerate(queries)}
    codes = np.concatenate([_places(table.queries, places)[table.codes] for table in tables])
    documents = pa.concat_arrays([texts_of(table.documents) for table in tables])
    order, heads = _grouped(codes, names_of(documents))
    rows = np.empty(len(codes), np.int64)
    rows[order] = np.cumsum(heads) - 1
    first = order[heads]
    found = {
        "query": _column(pa.array(queries, pa.large_string()).take(pa.array(codes[first]))),
        "document": _column(documents.take(pa.array(first))),
    }
    start = 0
    for name, table in zip([*runs, "grade"], tables, strict=True):
        numbers = np.full(len(first), np.nan)
        numbers[rows[start : start + len(table)]] = table.grades if isinstance(table, Judgments) else table.scores
        found[name], start = numbers, start + len(table)
    return pd.DataFrame(found)


def _places(queries: Sequence[str], places: Mapping[str, int]) -> Places:
    return np.array([places[name] for name in queries], dtype=np.int64)


def _grouped(codes: Places, documents: Names) -> tuple[Places, Places]:
    """The rows by query and document, in byte order, and which of them begin a new pair."""
    words = [documents.words(word) for word in range(documents.longest)]
    # The first byte of a word is its lowest; turned, words are ordered as their bytes are. Behind an end stand zeros.
    order = np.lexsort((documents.lengths, *(word.byteswap() for word in reversed(words))))
    codes_there = codes.astype(np.uint16) if codes.max(initial=0) < 1 << 16 else codes
    # Two bytes are sorted by counting, which takes no comparison.
    order = order[np.argsort(codes_there[order], kind="stable")]
    heads = np.ones(len(codes), dtype=bool)
    heads[1:] = False
    for key in (codes, documents.lengths, *words):
        ordered = key[order]
        heads[1:] |= ordered[1:] != ordered[:-1]
    return order, heads


def _column(texts: pa.Array) -> pd.Series:
    return pd.Series(pd.StringDtype(na_value=np.nan).__from_arrow__(texts))
