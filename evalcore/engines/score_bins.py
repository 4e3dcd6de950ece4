"""Scores counted in bins, and the states that are made of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from evalcore.classification import ScoredLabels
from evalcore.engines.labels import unit_rows
from evalcore.engines.row_weights import effective
from evalcore.engines.summaries import Summary
from evalcore.readers.problems import ReadProblem, listed, named
from evalcore.readers.rows import ordered

__all__: list[str] = []


@dataclass(frozen=True, eq=False)
class ScoreBins:
    """Rows and positives by the bin of their score; `ScoreCounts` says what the attributes hold."""

    summary: Summary
    bits: int
    left_out: dict[str, float]
    higher_is_positive: bool = True
    negative: str = ""

    @cached_property
    def is_exact(self) -> bool:
        """Whether each bin is one score, so that nothing is unknown."""
        return bool((self.summary.lowest["lowest"] == self.summary.highest["highest"]).all())

    @property
    def rows(self) -> float:
        """Rows that are counted, or the sum of their weights."""
        return float(self.summary.sums["count"].sum())

    @property
    def effective(self) -> float:
        """Rows that intervals rest on where weights are importances: as many of equal weight tell as much."""
        return effective(self.summary)

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups in their natural order; none without a column of groups."""
        return ordered(tuple(set(self.summary.keys.get("group", np.array([])).tolist())))

    def of_group(self, name: str) -> Self:
        """The rows of one group."""
        if name not in self.groups:
            raise ReadProblem(f"There is no group {named(name)}. Choose {listed(self.groups)}.")
        return replace(self, summary=self.summary[self.summary.keys["group"] == name], left_out={})

    @cached_property
    def bins(self) -> Summary:
        """The bins of all rows by rising score, whatever their group and unit."""
        return self.summary.by("key")

    def scored(self) -> ScoredLabels:
        """The state from which every measure of scores is read.

        A bin stands at its end on the lax side, its lowest score where higher scores are positive: at each threshold of
        the table, counts are exact. With units, intervals take whole units.
        """
        bins = self.summary if "unit" in self.summary.keys else self.bins
        scores = bins.lowest["lowest"] if self.higher_is_positive else bins.highest["highest"]
        positives = bins.sums["positives"]
        negatives = bins.sums["count"] - positives
        if "unit" not in self.summary.keys:
            return ScoredLabels.from_counts(scores, positives, negatives, self.higher_is_positive)
        if not self.is_exact:  # the units of a bin must stand at one score
            by_key = self.bins
            edges = by_key.lowest["lowest"] if self.higher_is_positive else by_key.highest["highest"]
            scores = edges[by_key.keys["key"].searchsorted(bins.keys["key"])]
        sides = np.tile(bins.keys["unit"], 2), np.concatenate([positives, negatives])
        rows, units, weights = unit_rows(*sides, "rows" in bins.sums)
        values = rows < len(scores), np.tile(scores, 2)[rows]
        higher = self.higher_is_positive
        return ScoredLabels.from_arrays(*values, weights=weights, higher_is_positive=higher, clusters=units)

    def by_group(self) -> dict[str, ScoredLabels]:
        """The state of each group, the largest first, as `scored_by_group` gives it."""
        states = {name: self.of_group(name) for name in self.groups}
        return {name: state.scored() for name, state in sorted(states.items(), key=lambda one: -one[1].rows)}

    def bin_around(self, threshold: float) -> tuple[float, float] | None:
        """Lowest and highest score of the bin that a threshold divides; None where the counts there are exact."""
        bins = self.bins
        low, high = bins.lowest["lowest"], bins.highest["highest"]
        at = int(high.searchsorted(threshold, "left" if self.higher_is_positive else "right"))
        if at == len(low) or not low[at] < high[at]:
            return None
        divides = low[at] < threshold if self.higher_is_positive else low[at] <= threshold < high[at]
        return (float(low[at]), float(high[at])) if divides else None
