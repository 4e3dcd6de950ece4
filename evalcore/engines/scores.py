"""The distribution of scores, as exactly as a small table holds it: counts of positives and rows by score or by bin.

Where there are too many distinct scores to count each, they are rounded to a few bits. The rounding keeps their order,
so the counts at the edge of each bin are exact, and a bin of one score is that score. Only what lies inside of a bin
is unknown, and how much that can change a measure is certain (`evalcore.engines.score_bounds`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.classification import ScoredLabels
from evalcore.engines.frames import MOST_ROWS
from evalcore.engines.labels import unit_rows
from evalcore.engines.score_keys import BITS, EXACT_BITS, UNUSABLE, binned, has_few_scores, labelled_rows, order_key
from evalcore.engines.summaries import Summary, group_names, texts
from evalcore.readers.problems import ReadProblem, listed, named
from evalcore.readers.rows import ordered

__all__ = ["ScoreCounts"]


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """How many rows, and how many positives, have a score in each bin. ``a + b`` counts the rows of both.

    Attributes
    ----------
    summary : Summary
        "count" and "positives", "lowest" and "highest" score by "key" (which rises with the scores), and by "group" and
        "unit" where there are such.
    bits : int
        Bits of the bins; `EXACT_BITS` where each distinct score has its own.
    left_out : dict of str to float
        Rows that lack a label or a finite score, by what is wrong.
    """

    summary: Summary
    bits: int
    left_out: dict[str, float]
    higher_is_positive: bool = True

    @classmethod
    def of(
        cls,
        frame: Any,
        actual: str,
        score: str,
        positive: object,
        *,
        group: str | None = None,
        unit: str | None = None,
        higher_is_positive: bool = True,
        bits: int = BITS,
        most: int = MOST_ROWS,
    ) -> ScoreCounts:
        """Count the rows of a table on its engine.

        Where the bins hold more than one score each, and yet there are few scores, these are counted apart.

        Parameters
        ----------
        frame : table of DuckDB, Polars, PySpark, Dask, pandas or pyarrow
        actual, score : str
            The columns of true labels and of scores.
        positive : object
            The label that is positive; every other one is negative.
        group, unit : str, optional
            A column of groups, and one of what rows belong to, such as a patient.
        bits : int
            From 2 to 53; more bits make smaller bins.

        Raises
        ------
        ReadProblem
            If a column is missing or of another type, no label is the positive one, there are more than 1,000 labels,
            or the summary is too large.

        Examples
        --------
        >>> import pyarrow as pa
        >>> table = pa.table({"ill": [1, 0, 1, 0, None], "score": [0.9, 0.7, 0.7, 0.1, 0.3]})
        >>> counts = ScoreCounts.of(table, "ill", "score", positive=1)
        >>> float(counts.scored().counts_at(0.7).tp), counts.is_exact, counts.left_out
        (2.0, True, {'no label': 1.0})
        """
        if not 2 <= bits <= EXACT_BITS:
            raise ValueError(f"{bits} bits are no precision of a score; give 2 to {EXACT_BITS}.")
        table, keys = labelled_rows(frame, actual, score, positive, group, unit)

        def counted(bits: int) -> ScoreCounts:
            keyed = table.with_columns(key=binned(bits))
            extremes = {"lowest": "score"}, {"highest": "score"}
            summary = Summary.of(keyed, keys, ["positives"], *extremes, most=most)
            return cls._of(summary, bits, higher_is_positive)

        counts = counted(bits)
        return counted(EXACT_BITS) if not counts.is_exact and has_few_scores(table, counts.bins) else counts

    @classmethod
    def of_table(
        cls,
        table: Any,
        *,
        count: str = "count",
        positives: str = "positives",
        lowest: str = "lowest",
        highest: str = "highest",
        group: str | None = None,
        unit: str | None = None,
        higher_is_positive: bool = True,
        bits: int = BITS,
    ) -> ScoreCounts:
        """From a summary made elsewhere: one row per bin, or per score (which then is lowest and highest).

        Parameters
        ----------
        count, positives, lowest, highest, group, unit : str
            The columns of the table.
        bits : int
            Those of the statement that made the bins; they matter only where states are merged.

        Raises
        ------
        ReadProblem
            Where bins overlap too, so that their order is not known.

        Examples
        --------
        >>> table = {"score": [0.1, 0.7, 0.9], "positives": [0, 1, 1], "count": [1, 2, 1]}
        >>> counts = ScoreCounts.of_table(table, lowest="score", highest="score")
        >>> counts.scored().positives, counts.is_exact
        (2.0, True)
        """
        keys = {part: column for part, column in (("group", group), ("unit", unit)) if column is not None}
        numbers = {"count": count, "positives": positives, "lowest": lowest, "highest": highest}
        summary = Summary.of_table(table, keys, numbers, ("lowest",), ("highest",), merge=False)
        if (summary.sums["positives"] > summary.sums["count"]).any():
            raise ReadProblem(f"Column {named(positives)} holds more positives than {named(count)} has rows.")
        exact = bool((summary.lowest["lowest"] == summary.highest["highest"]).all())
        bits = EXACT_BITS if exact else bits
        # Where bins were made in another way, the key of the lowest score may join some; those overlap or are one.
        key = order_key(summary.lowest["lowest"], bits)
        return cls._of(Summary({"key": key, **summary.keys}, *summary.tables[1:]), bits, higher_is_positive)

    @classmethod
    def _of(cls, summary: Summary, bits: int, higher_is_positive: bool) -> ScoreCounts:
        keys = dict(summary.keys)
        # Adding 0 makes −0 and 0 one key.
        keys["key"] = keys["key"].astype(np.float64) + 0.0
        if "group" in keys:
            keys["group"] = group_names(keys["group"])
        if "unit" in keys:
            keys["unit"] = texts(keys["unit"])
        summary = Summary(keys, *summary.tables[1:])
        left_out = {what: float(summary.sums["count"][keys["key"] == key].sum()) for what, key in UNUSABLE.items()}
        summary = summary[keys["key"] < min(UNUSABLE.values())].merged()
        if (summary.lowest["lowest"] == summary.highest["highest"]).all():
            # Each bin is one score, so nothing is lost where others come between them.
            bits, summary = EXACT_BITS, summary.keyed(**summary.keys | {"key": summary.lowest["lowest"] + 0.0})
        counts = cls(summary, bits, {what: n for what, n in left_out.items() if n}, higher_is_positive)
        return counts._checked()

    def _checked(self) -> ScoreCounts:
        """Refuse bins that overlap, whatever made them."""
        bins = self.bins
        if (over := bins.highest["highest"][:-1] >= bins.lowest["lowest"][1:]).any():
            at = int(over.argmax())
            raise ReadProblem(
                f"The bins of scores from {bins.lowest['lowest'][at]:.6g} and from {bins.lowest['lowest'][at + 1]:.6g} "
                "overlap, so the order of their rows is not known. Group by score, or by a key that keeps the order."
            )
        return self

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        if self.higher_is_positive != other.higher_is_positive:
            raise ValueError("Scores where higher is positive cannot be merged with scores where lower is positive.")
        bits = min(self.bits, other.bits)
        one, two = self._with_bits(bits), other._with_bits(bits)
        left_out = {what: self.left_out.get(what, 0.0) + other.left_out.get(what, 0.0) for what in UNUSABLE}
        left_out = {what: count for what, count in left_out.items() if count}
        return ScoreCounts(one.summary + two.summary, bits, left_out, self.higher_is_positive)._checked()

    def _with_bits(self, bits: int) -> ScoreCounts:
        """The same in larger bins, or where one was refined in its own; only distinct scores can be put into others."""
        if bits == EXACT_BITS:
            return self
        if self.bits not in (bits, EXACT_BITS):
            raise ValueError("These scores are counted in different bins; count both with the same bits.")
        keys = self.summary.keys | {"key": order_key(self.summary.lowest["lowest"], bits)}
        return replace(self, summary=self.summary.keyed(**keys), bits=bits)

    @property
    def is_exact(self) -> bool:
        """Whether each bin is one score, so that nothing is unknown."""
        return bool((self.summary.lowest["lowest"] == self.summary.highest["highest"]).all())

    @property
    def rows(self) -> float:
        """Rows that are counted."""
        return float(self.summary.sums["count"].sum())

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups in their natural order; none without a column of groups."""
        return ordered(tuple(set(self.summary.keys.get("group", np.array([])).tolist())))

    def of_group(self, name: str) -> ScoreCounts:
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
        rows, units = unit_rows(np.tile(bins.keys["unit"], 2), np.concatenate([positives, negatives]))
        return ScoredLabels.from_arrays(
            rows < len(scores), np.tile(scores, 2)[rows], higher_is_positive=self.higher_is_positive, clusters=units
        )

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

    def refined(
        self, frame: Any, actual: str, score: str, positive: object, threshold: float, *, group: str | None = None
    ) -> ScoreCounts:
        """The same with the bin around a threshold divided there, so that the counts at the threshold are exact.

        The engine reads the rows of this bin again; the arguments are those of `of`.

        Raises
        ------
        ReadProblem
            If the bin no longer has as many rows: the table has changed meanwhile.
        ValueError
            If the rows belong together.
        """
        if "unit" in self.summary.keys:
            raise ValueError("Bins of rows that belong together are not divided; count more bits.")
        if (ends := self.bin_around(threshold)) is None:
            return self
        table, keys = labelled_rows(frame, actual, score, positive, group, None)
        value = nw.col("score")
        inside = table.filter((value >= ends[0]) & (value <= ends[1]), ~nw.col("label").is_null())
        side = value >= threshold if self.higher_is_positive else value > threshold
        # The upper part begins at the threshold, and a key in between keeps the order of the two.
        part = Summary.of(
            inside.with_columns(key=nw.when(side).then(1.0).otherwise(0.0)),
            keys,
            ["positives"],
            {"lowest": "score"},
            {"highest": "score"},
        )
        old = (self.summary.lowest["lowest"] >= ends[0]) & (self.summary.highest["highest"] <= ends[1])
        key = self.summary.keys["key"][old].min()
        key = np.where(part.keys["key"] > 0, np.nextafter(key, np.inf), key)
        part = Summary(part.keys | {"key": key}, *part.tables[1:])
        part = ScoreCounts._of(part, self.bits, self.higher_is_positive)
        if part.rows != self.summary.sums["count"][old].sum():
            raise ReadProblem("The table has changed since its scores were counted. Count them again.")
        return replace(self, summary=self.summary[~old] + part.summary)._checked()
