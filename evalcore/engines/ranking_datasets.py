"""Data sets of rankings made of judged hits: the ranks of judged documents and the length of each list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import narwhals as nw
import numpy as np

from evalcore.engines.rankings import JudgedHits
from evalcore.readers import DataSet, Finding, ReadProblem, roles_of
from evalcore.retrieval import Judgments
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["ranking_dataset"]


def ranking_dataset(hits: JudgedHits, judgments: Judgments, name: str = "rankings") -> DataSet:
    """The data set of lists that are not loaded, which the pages of rankings take in place of the lists.

    Every measure and comparison is that of the lists. What is not known is what the unjudged documents are.

    Parameters
    ----------
    hits : JudgedHits
        Of one or more systems.
    judgments : Judgments
        Those that the runs were joined to.

    Raises
    ------
    ReadProblem
        If there is no list.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from evalcore.engines import judgments_of
    >>> run = pa.table({"query": ["q", "q", "q"], "document": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]})
    >>> judged = pa.table({"query": ["q", "q"], "document": ["b", "x"], "grade": [1, 1]})
    >>> data = ranking_dataset(JudgedHits.of(run, judged), judgments_of(judged))
    >>> data.kind, data.state("placed_hits")[0].rank.tolist()
    ('run + judgments', [2])
    """
    if not len(hits.lists):
        raise ReadProblem("The run has no rows. Choose another table.")
    # Engines answer in any order; the data set has the lists by name.
    names = list(_lists(hits.lists.keys))
    ordered = sorted(range(len(names)), key=names.__getitem__)
    place = {names[at]: number for number, at in enumerate(ordered)}
    of_hits = np.fromiter((place[key] for key in _lists(hits.rows)), np.intp, len(hits.rows["rank"]))
    by_rank = np.lexsort((hits.rows["rank"], of_hits))
    of_hits, rows = of_hits[by_rank], {key: values[by_rank] for key, values in hits.rows.items()}
    lengths, keys = hits.lists.sums["count"][ordered], {key: values[ordered] for key, values in hits.lists.keys.items()}
    empty = np.bincount(of_hits, minlength=len(lengths)) == 0
    queries = np.array(judgments.queries, dtype=object)[judgments.codes]
    documents = np.array(judgments.documents.texts(), dtype=object)
    ends = ("first", "last") if (rows["first"] < rows["last"]).any() else ()
    blocks: list[dict[str, np.ndarray]] = [
        {column: rows[column] for column in ("system", "query", "document", "rank", *ends)}
        | {"list_length": lengths[of_hits]},
        {key: values[empty] for key, values in keys.items()} | {"list_length": lengths[empty]},
        {"query": queries, "document": documents, "grade": judgments.grades},
    ]
    columns = {}
    for column in ("system", "query", "document", "grade", "rank", *ends, "list_length"):
        nothing = None if column in ("system", "query", "document") else np.nan
        pieces = [block.get(column, np.full(len(block["query"]), nothing)) for block in blocks]
        columns[column] = np.concatenate(pieces)
    # Where nothing names the system, the data set does.
    columns["system"] = np.array(
        [system or name if system is not None else None for system in columns["system"]], object
    )
    counted = (
        f"{count_text(lengths.sum())} documents in {count_text(len(lengths))} lists are summed up here: the ranks "
    )
    counted += f"of {count_text(len(of_hits))} judged ones and the length of each list."
    if hits.left_out:
        counted += f" {rows_text(hits.left_out)} without a query, a document or a score are left out."
    finding = Finding("info", counted, int(lengths.sum()), "list_length", code="counted rows")
    ties = {end: end for end in ends}
    parts = {part: part for part in ("query", "document", "grade", "rank", "system")}
    roles = roles_of(**parts, **ties, length="list_length")
    # Lists of numbers would take four times the memory of arrays.
    lists = {column: values.tolist() if values.dtype == object else values for column, values in columns.items()}
    table = nw.from_dict(lists, backend="pandas").to_native()
    del lists, columns, blocks
    return DataSet.of(table, name, roles=roles, read_findings=(finding,))


def _lists(keys: Mapping[str, np.ndarray]) -> Iterable[tuple[str, str]]:
    """The system and the query of each row."""
    return zip(keys["system"].tolist(), keys["query"].tolist(), strict=True)
