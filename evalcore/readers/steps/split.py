"""The step that divides a bin of scores at a threshold, so that the counts there are exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.numeric import Array
from evalcore.readers.problems import named
from evalcore.readers.steps.step import Change, Step, existing, numbers_in, refuse
from evalcore.readers.values import text_of
from evalcore.wording.numbers import rows_text

__all__ = ["Split"]


@dataclass(frozen=True)
class Split(Step):
    """Divide the bin of scores around a threshold, with the counts of the side that the threshold calls positive.

    Whatever the numbers of a link say, no count leaves its certain bounds.

    Parameters
    ----------
    column, ends, weight : str
        The columns of the scores (the lax ends of the bins), of their other ends, and of the rows that are counted;
        the last is empty where each row counts one.
    by : tuple of str
        Columns, such as that of labels: entries of the bin with the same values in these are counted together.
    threshold : float
    last, first : float
        The last score of the bin that is not called positive, and the first that is.
    moved : tuple of str
        How many rows of each such combination are called positive, in the order of the table.

    Examples
    --------
    >>> columns = {"score": [0.1, 0.5, 0.5], "end": [0.4, 0.9, 0.9], "rows": [3, 5, 2], "ill": [0, 1, 0]}
    >>> step = Split("score", "end", "rows", ("ill",), 0.7, 0.6, 0.7, ("4", "0"))
    >>> step.apply(pd.DataFrame(columns)).frame.to_numpy().tolist()
    [[0.1, 0.4, 3.0, 0.0], [0.5, 0.6, 1.0, 1.0], [0.5, 0.6, 2.0, 0.0], [0.7, 0.9, 4.0, 1.0]]
    """

    word: ClassVar[str] = "split"
    column: str
    ends: str
    weight: str
    by: tuple[str, ...]
    threshold: float
    last: float
    first: float
    moved: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"Counts of {named(self.column)} at {text_of(self.threshold)} are exact, from the table itself"

    @property
    def target(self) -> tuple:
        """See `Step`."""
        return self.word, self.column

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        edges, others = (numbers_in(frame, name) for name in (self.column, self.ends))
        counts, numbers = counts_of(frame, self.weight).copy(), numbers_of(self.moved)
        inside = np.flatnonzero(_inside(edges, others, self.last, self.first))
        same = combinations(frame.iloc[inside], self.by)
        if len(np.unique(edges[inside])) != 1 or len(numbers) != same.max(initial=-1) + 1:
            refuse(f"There is no such bin of {named(self.column)}.")
        sizes = np.bincount(same, counts[inside]).astype(np.float64)
        if (numbers < 0).any() or (numbers > sizes * (1 + NEAR)).any() or self.last == self.first:
            refuse(f"The bin of {named(self.column)} has fewer rows.")
        if self.weight and frame[self.weight].dtype.kind == "f":
            moved = counts[inside] * np.minimum(numbers / np.where(sizes > 0, sizes, 1), 1)[same]
        else:
            moved = _shared(numbers, sizes, same, counts[inside])
        rows = np.concatenate([np.arange(len(frame)), inside])
        divided = frame.take(rows).reset_index(drop=True)
        counts[inside] -= moved
        divided.loc[inside, self.ends] = self.last
        divided.loc[np.arange(len(frame), len(rows)), self.column] = self.first
        return with_counts(divided, self.weight, np.concatenate([counts, moved]), rows, rows_text(float(moved.sum())))

    @classmethod
    def at(
        cls,
        frame: pd.DataFrame,
        columns: tuple[str, str, str],
        by: tuple[str, ...],
        cut: tuple[float, float, float],
        called: Array,
    ) -> Split | None:
        """The step after which so many rows of each combination are called positive; None where no bin is divided.

        Parameters
        ----------
        columns : tuple of str
            The column, the other ends and the weight.
        cut : tuple of float
            The threshold, the last score that is not called positive and the first that is.
        called : Array, shape (combinations in the whole table,)

        Raises
        ------
        ReadProblem
            If the table has other rows.
        """
        column, end, weight = columns
        near, far = numbers_in(frame, column), numbers_in(frame, end)
        counts, same, (threshold, last, first) = counts_of(frame, weight), combinations(frame, by), cut
        sure = np.bincount(same, np.where(is_called(near, last, first), counts, 0.0), len(called))
        left = called - sure
        inside = _inside(near, far, last, first)
        if not inside.any() or not 0 < abs(first - last) < np.inf:
            if not np.allclose(called, sure, rtol=NEAR, atol=NEAR * counts.sum()):
                refuse(f"The counts of {named(column)} are those of other rows.")
            return None
        # What weights leave of a difference of nothing is nothing.
        moved = np.where(np.abs(left) <= NEAR * called, 0.0, left)[pd.unique(same[inside])]
        return cls(column, end, weight, by, threshold, last, first, tuple(map(text_of, moved.tolist())))


NEAR = 1e-9
"""How far sums of weights may lie apart that are equal but for their last digits."""


def is_called(near: Array, last: float, first: float) -> npt.NDArray[np.bool_]:
    """Which bins are called positive, by their lax ends."""
    return near >= first if first > last else near <= first


def _inside(near: Array, far: Array, last: float, first: float) -> npt.NDArray[np.bool_]:
    return (np.minimum(near, far) <= min(last, first)) & (np.maximum(near, far) >= max(last, first))


def counts_of(frame: pd.DataFrame, weight: str) -> Array:
    """How many rows each row of a table stands for; one where no column says."""
    return numbers_in(frame, weight) if weight else np.ones(len(frame))


def numbers_of(texts: Sequence[str]) -> Array:
    """The numbers of a link, -1 where one is none or below 0."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            return -1.0
        return value if 0 <= value < np.inf else -1.0

    return np.array([number(text) for text in texts])


def with_counts(frame: pd.DataFrame, weight: str, counts: Array, rows: npt.NDArray[np.intp], note: str) -> Change:
    """The table with other counts, without the rows that stand for none."""
    if weight:
        frame[weight] = pd.Series(counts).astype(frame[weight].dtype)
    left = counts > 1e-12 * counts.max(initial=0.0)
    return Change(frame[left].reset_index(drop=True), note, rows[left])


def combinations(frame: pd.DataFrame, columns: Sequence[str]) -> npt.NDArray[np.intp]:
    """Which combination of values in some columns each row has, counted from 0 in the order of the table."""
    existing(frame, *columns)
    return frame.groupby(list(columns), sort=False, dropna=False).ngroup().to_numpy().astype(np.intp)


def _shared(numbers: Array, sizes: Array, same: npt.NDArray[np.intp], counts: Array) -> Array:
    """Whole numbers of rows of each entry that add up to those of its combination, as evenly as can be."""
    order = np.argsort(same, kind="stable")
    before = np.cumsum(sizes) - sizes
    through = np.cumsum(counts[order]) - before[same[order]]
    ends = np.floor(through * (numbers / np.maximum(sizes, 1))[same[order]] + 0.5)
    shares = np.empty(len(counts))
    shares[order] = np.diff(ends, prepend=0.0)
    first = np.flatnonzero(np.diff(same[order], prepend=-1))
    shares[order[first]] = ends[first]
    return shares
