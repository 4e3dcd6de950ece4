"""The rows of a table that is not loaded, by what systems call them at their thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from evalcore.analyses.binned_scores import engines_extra
from evalcore.analyses.source import Source
from evalcore.numeric import Array
from evalcore.readers import ReadProblem, text_of
from evalcore.readers.steps.split import combinations, counts_of

if TYPE_CHECKING:
    from evalcore.engines import StoredTable, Summary

__all__ = ["CalledRows"]

_MOST_NUMBERS = 200
"""Counts that a link can hold."""


@dataclass(frozen=True, eq=False)
class CalledRows:
    """Exact counts at thresholds, of the rows of a data set of counted rows."""

    # Labels, and groups where there are such: the counts are those of each combination, in the order of the table.
    by: tuple[str, ...]
    weight: str  # the column of counts; empty where each row of the data set is one
    # Shape (combinations, 2, …, 2): by what each system calls them, positive first.
    cells: Array
    cuts: tuple[tuple[float, float, float], ...]  # of each system the threshold, the last score below, the first called

    @classmethod
    def of(cls, source: Source, thresholds: Mapping[str, float], stored: StoredTable) -> CalledRows:
        """Ask the table for the counts of some systems at their thresholds.

        Raises
        ------
        ReadProblem
            If the table cannot be asked, has changed since it was counted, or has too many groups for a link.
        """
        roles, frame, higher = source.roles, source.dataset.frame, source.higher_is_positive
        actual, group, weight = roles.get("actual"), roles.get("group"), roles.get("weight")
        unloaded, positive = source.dataset.unloaded, roles.get("positive")
        calls = engines_extra().threshold_calls(
            *(stored.frame, actual, thresholds, positive), beside=source.systems, group=group,
            weight=None if unloaded is None else unloaded.weight, higher_is_positive=higher,
        )  # fmt: skip
        by = tuple(name for name in (actual, group) if name is not None)
        same = combinations(frame, by)
        of_rows = np.bincount(same, counts_of(frame, weight or "")).astype(np.float64)
        if len(of_rows) * 2 ** len(thresholds) > _MOST_NUMBERS:
            raise ReadProblem("There are too many groups for a link. Leave out the column of groups and count again.")
        names = calls.keys.get("group", np.full(len(calls), ""))
        cells = []
        for first in np.unique(same, return_index=True)[1].tolist():
            label, name = frame[actual].iloc[first], "" if group is None else text_of(frame[group].iloc[first])
            positives = calls.sums["positives"]
            own = positives if text_of(label) == text_of(positive) else calls.sums["count"] - positives
            for call in product((1, 0), repeat=len(thresholds)):
                called = [calls.keys[f"call {place}"] == side for place, side in enumerate(call)]
                cells.append(own[np.logical_and.reduce([names == name, *called])].sum())
        numbers = np.array(cells, dtype=np.float64).reshape(len(of_rows), *[2] * len(thresholds))
        weighted = unloaded is not None and unloaded.weight is not None
        numbers = _of_rows(numbers, of_rows, weighted)
        cuts = (_cut(calls, place, threshold, higher) for place, threshold in enumerate(thresholds.values()))
        return cls(by, weight or "", numbers, tuple(cuts))

    @property
    def texts(self) -> tuple[str, ...]:
        """The numbers of a link."""
        return tuple(map(text_of, self.cells.ravel().tolist()))


def _of_rows(cells: Array, of_rows: Array, weighted: bool) -> Array:
    """The counts of the table as those of the data set, whose sums of weights may differ in their last digits."""
    totals = cells.reshape(len(cells), -1).sum(axis=1)
    if not np.allclose(totals, of_rows, rtol=1e-6 if weighted else 0.0, atol=0.0):
        raise ReadProblem("The table has changed since its scores were counted. Count them again.")
    return cells * (of_rows / totals if weighted else np.ones(len(cells))).reshape(-1, *[1] * (cells.ndim - 1))


def _cut(calls: Summary, place: int, threshold: float, higher: bool) -> tuple[float, float, float]:
    """The threshold of a system, the last score that it does not call positive and the first that it does."""
    called = calls.keys[f"call {place}"] == 1
    below, above = (~called, called) if higher else (called, ~called)
    last = float(calls.highest[f"highest {place}"][below].max(initial=-np.inf))
    first = float(calls.lowest[f"lowest {place}"][above].min(initial=np.inf))
    return (threshold, last, first) if higher else (threshold, first, last)
