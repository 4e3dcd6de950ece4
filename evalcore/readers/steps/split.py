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
        The columns of the scores (the lax ends of the bins), of their other ends, and of the rows that are counted.
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
        edges, others, counts = (numbers_in(frame, name) for name in (self.column, self.ends, self.weight))
        lows, highs = np.minimum(edges, others), np.maximum(edges, others)
        inside = np.flatnonzero((lows <= min(self.last, self.first)) & (highs >= max(self.last, self.first)))
        numbers = np.array([float(count) if count.isdigit() else -1.0 for count in self.moved])
        same = combinations(frame.iloc[inside], self.by)
        if len(np.unique(edges[inside])) != 1 or len(numbers) != same.max(initial=-1) + 1:
            refuse(f"There is no such bin of {named(self.column)}.")
        sizes = np.bincount(same, counts[inside]).astype(np.float64)
        if (numbers < 0).any() or (numbers > sizes).any() or self.last == self.first:
            refuse(f"The bin of {named(self.column)} has fewer rows.")
        moved = _shared(numbers, sizes, same, counts[inside])
        rows = np.concatenate([np.arange(len(frame)), inside])
        divided = frame.take(rows).reset_index(drop=True)
        upper = np.arange(len(frame), len(rows))
        counts = counts.copy()
        counts[inside] -= moved
        counts = np.concatenate([counts, moved])
        divided[self.weight] = pd.Series(counts).astype(frame[self.weight].dtype)
        divided.loc[inside, self.ends] = self.last
        divided.loc[upper, self.column] = self.first
        left = counts > 0
        note = rows_text(float(moved.sum()))
        return Change(divided[left].reset_index(drop=True), note, rows[left])


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
