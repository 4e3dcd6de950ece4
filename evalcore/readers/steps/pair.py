"""The step that makes exact how the calls of two systems at their thresholds go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.numeric import Array
from evalcore.readers.problems import named
from evalcore.readers.steps.split import Split, combinations
from evalcore.readers.steps.step import Change, Step, numbers_in, refuse
from evalcore.readers.values import text_of

__all__ = ["Pair"]


@dataclass(frozen=True)
class Pair(Step):
    """Divide the bins of two systems around their thresholds, with the counts of rows that both, one or none calls.

    Whatever the numbers of a link say, no row is added and no system has other counts elsewhere.

    Parameters
    ----------
    columns, ends : tuple of str
        The scores of A and of B (the lax ends of their bins), and the other ends: the same where each score is known.
    weight : str
        The column of rows that are counted.
    by : tuple of str
        Columns, such as that of labels: rows with the same values in these are counted together.
    threshold_a, last_a, first_a, threshold_b, last_b, first_b : float
        Each threshold, the last score that is not called positive and the first that is.
    counts : tuple of str
        Of each combination in the order of the table, the rows that both call, only A, only B and neither.

    Examples
    --------
    >>> columns = {"ill": [1, 1, 0], "a": [0.1, 0.6, 0.1], "b": [0.2, 0.7, 0.2], "rows": [3, 4, 5]}
    >>> step = Pair(("a", "b"), ("a", "b"), "rows", ("ill",), 0.5, 0.1, 0.6, 0.5, 0.2, 0.7, tuple("31120005"))
    >>> step.apply(pd.DataFrame(columns)).frame.to_numpy().tolist()[-2:]
    [[1.0, 0.6, 0.2, 1.0], [1.0, 0.1, 0.7, 1.0]]
    """

    word: ClassVar[str] = "pair"
    columns: tuple[str, ...]
    ends: tuple[str, ...]
    weight: str
    by: tuple[str, ...]
    threshold_a: float
    last_a: float
    first_a: float
    threshold_b: float
    last_b: float
    first_b: float
    counts: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """See `Step`."""
        a, b = (f"{named(name)} at {text_of(at[0])}" for name, at in zip(self.columns, self.cuts, strict=False))
        return f"Counts of {a} and {b} together are exact, from the table itself"

    @property
    def target(self) -> tuple:
        """See `Step`."""
        return self.word, self.columns

    @property
    def cuts(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Threshold, last and first score of each system."""
        return (self.threshold_a, self.last_a, self.first_a), (self.threshold_b, self.last_b, self.first_b)

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        same = combinations(frame, self.by)
        numbers = np.array([float(count) if count.isdigit() else -1.0 for count in self.counts])
        if len(self.columns) != 2 or len(self.ends) != 2 or len(numbers) != 4 * (same.max(initial=-1) + 1):
            refuse("These are no counts of two systems.")
        cells, rows = numbers.reshape(-1, 4), np.arange(len(frame))
        of_rows = np.bincount(same, numbers_in(frame, self.weight))
        if (cells < 0).any() or not np.array_equal(cells.sum(axis=1), of_rows):
            refuse(f"The counts of {named(self.columns[0])} and {named(self.columns[1])} are those of other rows.")
        for column, end, cut, called in zip(
            self.columns, self.ends, self.cuts, (cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]), strict=True
        ):
            change = self._divided(frame, column, end, cut, called)
            frame, rows = change.frame, rows if change.rows is None else rows[change.rows]
        change = self._exchanged(frame, cells)
        return Change(change.frame, change.note, None if change.rows is None else rows[change.rows])

    def _divided(
        self, frame: pd.DataFrame, column: str, end: str, cut: tuple[float, float, float], called: Array
    ) -> Change:
        """The bin around a threshold divided, so that of each combination as many rows as said are called positive."""
        (threshold, last, first), near, far = cut, numbers_in(frame, column), numbers_in(frame, end)
        counts, same = numbers_in(frame, self.weight), combinations(frame, self.by)
        is_called = near >= first if first > last else near <= first
        left = called - np.bincount(same, np.where(is_called, counts, 0.0), len(called))
        inside = (np.minimum(near, far) <= min(last, first)) & (np.maximum(near, far) >= max(last, first))
        if not inside.any():
            if left.any():
                refuse(f"The counts of {named(column)} are those of other rows.")
            return Change(frame, "")
        order = pd.unique(same[inside])
        moved = tuple(text_of(int(number)) for number in left[order])
        return Split(column, end, self.weight, self.by, threshold, last, first, moved).apply(frame)

    def _exchanged(self, frame: pd.DataFrame, cells: Array) -> Change:
        """Rows with other scores of B, exchanged within their combination, so that both call as many as said."""
        scores = [numbers_in(frame, column) for column in self.columns]
        calls = [
            values >= first if first > last else values <= first
            for values, (_, last, first) in zip(scores, self.cuts, strict=True)
        ]
        counts, same = numbers_in(frame, self.weight).copy(), combinations(frame, self.by)
        both = np.bincount(same, np.where(calls[0] & calls[1], counts, 0.0), len(cells))
        of_each = [np.bincount(same, np.where(called, counts, 0.0), len(cells)) for called in calls]
        wanted = cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
        if not all(np.array_equal(*pair) for pair in zip(of_each, wanted, strict=True)):
            refuse(f"The counts of {named(self.columns[0])} and {named(self.columns[1])} are those of other rows.")
        near = np.abs(scores[1] - self.threshold_b)
        givers, takers, sizes = [], [], []
        for code, more in enumerate((cells[:, 0] - both).tolist()):
            own = same == code
            sides = (own & calls[0] & (calls[1] == (more < 0)), own & ~calls[0] & (calls[1] == (more > 0)))
            parts = [np.flatnonzero(side)[np.argsort(near[side], kind="stable")] for side in sides]
            one, two, size = _first_of(parts[0], parts[1], counts, abs(more))
            givers, takers, sizes = [*givers, one], [*takers, two], [*sizes, size]
        one, two, size = (np.concatenate(each) for each in (givers, takers, sizes))
        if not len(size):
            return Change(frame, "")
        for rows in (one, two):
            np.subtract.at(counts, rows, size)
        rows = np.concatenate([np.arange(len(frame)), one, two])
        exchanged = frame.take(rows).reset_index(drop=True)
        partners = np.concatenate([np.arange(len(frame)), two, one])
        for name in dict.fromkeys((self.columns[1], self.ends[1])):
            exchanged[name] = frame[name].to_numpy()[partners]
        counts = np.concatenate([counts, size, size])
        exchanged[self.weight] = pd.Series(counts).astype(frame[self.weight].dtype)
        left = counts > 0
        return Change(exchanged[left].reset_index(drop=True), "", rows[left])


def _first_of(
    one: npt.NDArray[np.intp], two: npt.NDArray[np.intp], counts: Array, size: float
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Array]:
    """As many of the first rows of both, side by side: their places, and how many rows each pair of places holds."""
    ends = [np.minimum(np.cumsum(counts[rows]), size) for rows in (one, two)]
    cuts = np.unique(np.concatenate(ends))
    cuts = cuts[cuts > 0]
    first, second = (rows[of.searchsorted(cuts - 0.5)] for rows, of in zip((one, two), ends, strict=True))
    return first, second, np.diff(cuts, prepend=0.0)
