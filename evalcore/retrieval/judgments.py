"""Judgments of relevance: the grade that a judge gave to a document for a query."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, over_parts, where_next
from evalcore.retrieval.id_table import Hashes, IdTable, Places, coded, mixed, natural, once, ordinals

__all__ = ["Duplicate", "Judgments"]

_BLOCK = 1 << 16


class Duplicate(ValueError):
    """A document that stands twice in the list of one query, with the two `rows`, from 0."""

    def __init__(self, rows: tuple[int, int], query: str, document: str, does: str) -> None:
        self.rows, self.query, self.document, self.does = rows, query, document, does
        super().__init__(self.sentence(f"rows {rows[0] + 1} and {rows[1] + 1}"))

    def sentence(self, locations: str) -> str:
        """The problem in a sentence, with the two places in the reader's words."""
        return f'Document "{self.document}" {self.does} query "{self.query}": {locations}. Keep one of them.'


def refuse_duplicates(codes: Places, documents: IdTable, queries: Sequence[str], does: str) -> None:
    """Raise when a document stands twice with one query."""
    if len(codes) < 2:
        return
    suspects = _suspects(documents.hashes, codes)
    if not len(suspects):
        return
    keys = mixed(documents.hashes[suspects], codes[suspects])
    order = np.lexsort((suspects, keys))
    suspects, keys = suspects[order], keys[order]
    one, two = suspects[:-1], suspects[1:]
    near = np.flatnonzero((keys[:-1] == keys[1:]) & (codes[one] == codes[two]))
    near = near[documents.equal(one[near], documents, two[near])]
    if len(near):
        first = near[np.argmin(two[near])]
        rows = int(one[first]), int(two[first])
        raise Duplicate(rows, queries[int(codes[rows[0]])], documents.text(rows[0]), does)


def _suspects(hashes: Hashes, codes: Places) -> Places:
    """Rows that may repeat another one: all but those that are certainly unique."""
    heads = where_next(lambda one, two: codes[one] != codes[two], len(codes)) + 1
    starts = np.concatenate([[0], heads, [len(codes)]])
    if len(starts) - 1 > int(codes.max()) + 1:  # a query comes back further down, so all rows stand together
        return _repeated(hashes, codes, slice(0, len(codes)))
    # Blocks of whole queries, small enough for the cache.
    firsts = np.searchsorted(starts, np.arange(0, len(codes), _BLOCK))
    bounds = np.unique(np.concatenate([starts[np.minimum(firsts, len(starts) - 1)], [0, len(codes)]]))
    parts = [slice(low, high) for low, high in pairwise(bounds.tolist())]
    return np.concatenate(over_parts(lambda rows: _repeated(hashes, codes, rows), parts, len(codes)))


def _repeated(hashes: Hashes, codes: Places, rows: slice) -> Places:
    """Rows of a block whose key another row of it has too."""
    keys = mixed(hashes[rows], codes[rows])
    ascending = np.sort(keys)
    return rows.start + np.flatnonzero(np.isin(keys, ascending[1:][ascending[1:] == ascending[:-1]]))


@dataclass(frozen=True, eq=False)
class Judgments:
    """The judged documents of each query.

    Build it with `from_arrays`. What only depends on the judgments (how many are relevant, the ideal list) is worked
    out once and serves every run that is evaluated with them.

    Attributes
    ----------
    queries : tuple of str, length q
        By number where all are whole numbers, else by their bytes.
    codes : array of int32, shape (j,)
        Place of each judgment's query in `queries`, ascending.
    grades : Array, shape (j,)
        0 is not relevant, more is relevant; a negative grade is pooled but not judged.

    Examples
    --------
    >>> judged = Judgments.from_arrays(["q1", "q1", "q2"], ["d1", "d2", "d1"], [1, 0, 2])
    >>> judged.queries, judged.pool.relevant(1).tolist()
    (('q1', 'q2'), [1, 1])
    """

    queries: tuple[str, ...]
    codes: npt.NDArray[np.int32]
    documents: IdTable
    grades: Array

    @classmethod
    def from_arrays(cls, queries: Sequence[object], documents: Sequence[object], grades: npt.ArrayLike) -> "Judgments":
        """Judgments from three columns in any order of rows.

        Parameters
        ----------
        queries, documents : sequences of str, bytes or int, length j
            Ids are texts: 7 and "7" are one, "07" is another.
        grades : array_like of float, shape (j,)

        Raises
        ------
        ValueError
            When the lengths differ, an id is missing, a grade is no finite number, or a document is judged twice for
            one query.
        """
        names, codes = coded(IdTable.of(queries, "query"))
        return cls.from_codes(names, codes, IdTable.of(documents, "document"), finite(grades, "grade", len(codes)))

    @classmethod
    def from_codes(cls, queries: Sequence[str], codes: Places, documents: IdTable, grades: Array) -> "Judgments":
        """Build judgments from queries that are already codes; for readers."""
        same_length(len(codes), len(documents), len(grades))
        refuse_duplicates(codes, documents, queries, "is judged twice for")
        ordered = natural(queries)
        indices = {name: index for index, name in enumerate(ordered)}
        codes = np.array([indices[name] for name in queries], dtype=np.int32)[codes] if len(codes) else codes
        if (codes[1:] >= codes[:-1]).all():
            return cls(tuple(ordered), codes.astype(np.int32, copy=False), documents, grades)
        order = np.argsort(codes, kind="stable")
        return cls(tuple(ordered), codes[order].astype(np.int32), documents.take(order), grades[order])

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def pool(self) -> "Pool":
        """The grades of each query, highest first."""
        return Pool.of(self.codes, self.grades, len(self.queries))

    @cached_property
    def starts(self) -> Places:
        """Index of the first judgment of each query, shape (q + 1,)."""
        return np.searchsorted(self.codes, np.arange(len(self.queries) + 1))

    def indices(self, queries: Sequence[str]) -> npt.NDArray[np.int32]:
        """Place of each of some queries among the judged ones, -1 for the others."""
        return np.array([self._indices.get(name, -1) for name in queries], dtype=np.int32)

    @cached_property
    def _indices(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.queries)}


@dataclass(frozen=True, eq=False)
class Pool:
    """Grades of the judged documents, query by query, highest first: the ideal lists."""

    query: Places  # ascending, shape (j,)
    grade: Array  # falling within a query, shape (j,)
    count: int  # of the queries
    _memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, query: Places, grade: Array, count: int) -> "Pool":
        """Build the pool from judgments in any order."""
        order = np.lexsort((-grade, query))
        return cls(query[order], grade[order], count)

    @cached_property
    def rank(self) -> Places:
        """Rank of each grade in the ideal list of its query, from 1, shape (j,)."""
        return ordinals(self.query)

    @cached_property
    def positive(self) -> "Pool":
        """The documents with a grade above 0, at the ranks that they have here."""
        rows = self.grade > 0
        return self if rows.all() else Pool(self.query[rows], self.grade[rows], self.count)

    @cached_property
    def highest(self) -> float:
        """The highest grade of all queries, at least 0."""
        return float(max(self.grade.max(initial=0), 0))

    @cached_property
    def tops(self) -> Array:
        """The highest grade of each query, at least 0, shape (q,)."""
        tops = np.zeros(self.count)
        np.maximum.at(tops, self.query, self.grade)
        return tops

    @cached_property
    def judged(self) -> Places:
        """Judged documents of each query, without those that were only pooled, shape (q,)."""
        return self.relevant(0)

    def relevant(self, level: float) -> Places:
        """Documents of each query whose grade reaches a level, shape (q,)."""
        made = lambda: np.bincount(self.query[self.grade >= level], minlength=self.count)  # noqa: E731
        return self.once(("relevant", level), made)

    def once(self, key: Any, make: Any) -> Any:
        """Cache the result of `make` under a key, also for the next run."""
        return once(self._memo, key, make)


def finite(values: npt.ArrayLike, what: str, length: int, infinite: bool = False) -> Array:
    """Convert to floats of this length; refuses other values, and infinity where it is not allowed."""
    given = np.asarray(values)
    if given.dtype.kind not in "iufb":
        given = _numbers(given, what)
    numbers = given.astype(np.float64, copy=False)
    if numbers.shape != (length,):
        raise ValueError(f"The {what}s have the shape {numbers.shape}; give one for each of the {length} rows.")
    wrong = np.isnan(numbers) if infinite else ~np.isfinite(numbers)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"The {what} of row {row + 1} is {numbers[row]}; leave the row out or give it a number.")
    return numbers


def _numbers(given: npt.NDArray[Any], what: str) -> Array:
    try:
        if given.dtype.kind not in "cMm":  # dates and complex numbers would become floats without a word
            return given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    for row, value in enumerate(given.ravel().tolist(), 1):
        try:
            float(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(
                f"The {what} of row {row} is {str(value)[:60]!r}, which is not a number. Correct "
                "it, or leave the row out."
            ) from None
    raise ValueError(f"The {what}s are of the type {given.dtype}; give numbers.")


def same_length(queries: int, documents: int, numbers: int) -> None:
    """Refuse columns of different lengths."""
    if not queries == documents == numbers:
        raise ValueError(
            f"There are {queries} queries, {documents} documents and {numbers} numbers; give one of each for every row."
        )
