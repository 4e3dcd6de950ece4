"""The step that makes exact how the calls of two systems at their thresholds go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.numeric import Array
from evalcore.readers.problems import named
from evalcore.readers.steps.split import NEAR, Split, combinations, counts_of, is_called, numbers_of, with_counts
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
        The column of rows that are counted; empty where each row counts one.
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
        same, numbers = combinations(frame, self.by), numbers_of(self.counts)
        if len(self.columns) != 2 or len(self.ends) != 2 or len(numbers) != 4 * (same.max(initial=-1) + 1):
            refuse("These are no counts of two systems.")
        cells, rows = numbers.reshape(-1, 4), np.arange(len(frame))
        of_rows = np.bincount(same, counts_of(frame, self.weight), len(cells))
        if (cells < 0).any() or not np.allclose(cells.sum(axis=1), of_rows, rtol=NEAR):
            refuse(f"The counts of {named(self.columns[0])} and {named(self.columns[1])} are those of other rows.")
        called = cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
        for column, end, cut, of_one in zip(self.columns, self.ends, self.cuts, called, strict=True):
            if (split := Split.at(frame, (column, end, self.weight), self.by, cut, of_one)) is not None:
                change = split.apply(frame)
                frame, rows = change.frame, rows if change.rows is None else rows[change.rows]
        change = self._exchanged(frame, cells)
        return Change(change.frame, change.note, rows if change.rows is None else rows[change.rows])

    def _exchanged(self, frame: pd.DataFrame, cells: Array) -> Change:
        """Rows with other scores of B, exchanged within their combination, so that both call as many as said."""
        near = [numbers_in(frame, column) for column in self.columns]
        calls = [is_called(values, last, first) for values, (_, last, first) in zip(near, self.cuts, strict=True)]
        counts, same = counts_of(frame, self.weight).copy(), combinations(frame, self.by)
        both, *of_each = (
            np.bincount(same, np.where(called, counts, 0.0), len(cells)) for called in (calls[0] & calls[1], *calls)
        )
        wanted = cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
        if not np.allclose(of_each, wanted, rtol=NEAR, atol=NEAR * counts.sum()):
            refuse(f"The counts of {named(self.columns[0])} and {named(self.columns[1])} are those of other rows.")
        distance = np.abs(near[1] - self.threshold_b)
        pairs = []
        for code, more in enumerate((cells[:, 0] - both).tolist()):
            sides = (
                (same == code) & (calls[0] == of_a) & (calls[1] == of_b)
                for of_a, of_b in ((True, more < 0), (False, more > 0))
            )
            ordered = [np.flatnonzero(side)[np.argsort(distance[side], kind="stable")] for side in sides]
            if abs(more) > NEAR * counts.sum():
                pairs.append(_first_of(ordered[0], ordered[1], counts, abs(more)))
        if not pairs:
            return Change(frame, "")
        one, two, size = (np.concatenate(each) for each in zip(*pairs, strict=True))
        for rows in (one, two):
            np.subtract.at(counts, rows, size)
        own = np.arange(len(frame))
        rows, partners = np.concatenate([own, one, two]), np.concatenate([own, two, one])
        exchanged = frame.take(rows).reset_index(drop=True)
        for name in dict.fromkeys((self.columns[1], self.ends[1])):
            exchanged[name] = frame[name].to_numpy()[partners]
        return with_counts(exchanged, self.weight, np.concatenate([counts, size, size]), rows, "")


def _first_of(
    one: npt.NDArray[np.intp], two: npt.NDArray[np.intp], counts: Array, size: float
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Array]:
    """As many of the first rows of both, side by side: their places, and how many rows each pair of places holds."""
    ends = [np.minimum(np.cumsum(counts[rows]), size) for rows in (one, two)]
    cuts = np.unique(np.concatenate(ends))
    sizes = np.diff(cuts, prepend=0.0)
    cuts, sizes = cuts[sizes > 0], sizes[sizes > 0]
    first, second = (rows[of.searchsorted(cuts - sizes / 2)] for rows, of in zip((one, two), ends, strict=True))
    return first, second, sizes
