"""Counts of positives and rows by score or by bin: a distribution of scores as exact as a small table can be.

Where there are too many distinct scores to count each, they are rounded to a few bits. The rounding keeps their order,
so the counts at the edge of each bin are exact, and a bin of one score is that score. Only what lies inside of a bin
is unknown, and how much that can change a measure is certain (`evalcore.engines.score_bins`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.engines.frames import MOST_ROWS, columns, lazy
from evalcore.engines.score_bins import (
    BITS,
    EXACT_BITS,
    UNUSABLE,
    ScoreBins,
    binned,
    has_few_scores,
    is_usable,
    labelled_rows,
    order_key,
)
from evalcore.engines.summaries import (
    POSITIVE_SUMS,
    WEIGHT_SUMS,
    Summary,
    by_weight,
    group_names,
    refuse_without_unit,
    texts,
    usable_weights,
)
from evalcore.readers.base.problems import ReadProblem, named

__all__ = ["ScoreCounts", "threshold_calls"]


@dataclass(frozen=True, eq=False)
class ScoreCounts(ScoreBins):
    """Number of rows and of positives in each bin of scores. ``a + b`` counts the rows of both.

    Attributes
    ----------
    summary : Summary
        "count" and "positives", "lowest" and "highest" score by "key" (which rises with the scores), and by "group" and
        "unit" where there are such. Where rows have weights, "count" and "positives" are sums of these, beside "rows"
        and the sums of "squares" and "positive_squares".
    bits : int
        Bits of the bins; `EXACT_BITS` where each distinct score has its own.
    left_out : dict of str to float
        Rows that lack a label or a finite score up to ±`LARGEST_SCORE`, by what is wrong.
    negative : str
        The label of the negatives; empty if there are several, or it is unknown.
    """

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
        weight: str | None = None,
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
        weight : str, optional
            The column of weights, which are added up instead of the rows.
        bits : int
            From 2 to 53; more bits make smaller bins.

        Raises
        ------
        ReadProblem
            If a column is missing or of another type, no label is the positive one, there are more than 1,000 labels,
            a weight is negative, or the summary is too large.

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
        table, keys, negative = labelled_rows(frame, actual, score, positive, group, unit, weight)
        without = {}
        if weight is not None:
            table, missing = usable_weights(table, weight)
            without = {"no weight": missing} if missing else {}

        def counted(bits: int) -> ScoreCounts:
            keyed = table.with_columns(key=binned(bits))
            return cls._of(_grouped(keyed, keys, weight is not None, most), bits, higher_is_positive)

        counts = counted(bits)
        counts = counted(EXACT_BITS) if not counts.is_exact and has_few_scores(table, counts.bins) else counts
        return replace(counts, left_out=counts.left_out | without, negative=negative)

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
        """Build the counts from a summary made elsewhere: one row per bin, or per score (then lowest equals highest).

        Parameters
        ----------
        count, positives, lowest, highest, group, unit : str
            The columns of the table.
        bits : int
            Bits of the statement that made the bins; they matter only when states are merged.

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
        rows = summary.sums.get("rows", summary.sums["count"])
        left_out = {what: float(rows[keys["key"] == key].sum()) for what, key in UNUSABLE.items()}
        summary = refuse_without_unit(summary[keys["key"] < min(UNUSABLE.values())].merged())
        if (summary.lowest["lowest"] == summary.highest["highest"]).all():
            # Each bin is one score, so nothing is lost where others come between them.
            bits, summary = EXACT_BITS, summary.keyed(**summary.keys | {"key": summary.lowest["lowest"] + 0.0})
        counts = cls(summary, bits, {what: n for what, n in left_out.items() if n}, higher_is_positive)
        return counts._checked()

    def _checked(self) -> ScoreCounts:
        """Refuse bins that overlap."""
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
        reasons = self.left_out | other.left_out
        left_out = {what: self.left_out.get(what, 0.0) + other.left_out.get(what, 0.0) for what in reasons}
        negative = self.negative if self.negative == other.negative else ""
        return ScoreCounts(one.summary + two.summary, bits, left_out, self.higher_is_positive, negative)._checked()

    def _with_bits(self, bits: int) -> ScoreCounts:
        """Merge the bins into larger ones with fewer bits; refined bins cannot change theirs."""
        if bits == EXACT_BITS:
            return self
        if self.bits not in (bits, EXACT_BITS):
            raise ValueError("These scores are counted in different bins; count both with the same bits.")
        keys = self.summary.keys | {"key": order_key(self.summary.lowest["lowest"], bits)}
        return replace(self, summary=self.summary.keyed(**keys), bits=bits)

    def refined(
        self,
        frame: Any,
        actual: str,
        score: str,
        positive: object,
        threshold: float,
        *,
        group: str | None = None,
        weight: str | None = None,
    ) -> ScoreCounts:
        """Return these counts with the bin of a threshold divided there, so that the counts at the threshold are exact.

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
        table, keys, _ = labelled_rows(frame, actual, score, positive, group, None, weight)
        if weight is not None:
            table, _ = usable_weights(table, weight)
        value = nw.col("score")
        inside = table.filter((value >= ends[0]) & (value <= ends[1]), ~nw.col("label").is_null())
        side = value >= threshold if self.higher_is_positive else value > threshold
        # The upper part begins at the threshold, and a key in between keeps the order of the two.
        part = _grouped(inside.with_columns(key=nw.when(side).then(1.0).otherwise(0.0)), keys, weight is not None)
        old = (self.summary.lowest["lowest"] >= ends[0]) & (self.summary.highest["highest"] <= ends[1])
        key = self.summary.keys["key"][old].min()
        key = np.where(part.keys["key"] > 0, np.nextafter(key, np.inf), key)
        part = Summary(part.keys | {"key": key}, *part.tables[1:])
        part = ScoreCounts._of(part, self.bits, self.higher_is_positive)
        counted = "rows" if weight is not None else "count"
        if part.summary.sums[counted].sum() != self.summary.sums[counted][old].sum():
            raise ReadProblem("The table has changed since its scores were counted. Count them again.")
        return replace(self, summary=self.summary[~old] + part.summary)._checked()


def _grouped(table: nw.LazyFrame[Any], keys: list[str], is_weighted: bool, most: int = MOST_ROWS) -> Summary:
    """Rows and positives of each bin with its ends, or the sums of their weights."""
    sums = [*WEIGHT_SUMS, *POSITIVE_SUMS] if is_weighted else ["positives"]
    summary = Summary.of(
        table, keys, sums, {"lowest": "score"}, {"highest": "score"}, most=most, what="table of counts by score"
    )
    return by_weight(summary) if is_weighted else summary


def threshold_calls(
    frame: Any,
    actual: str,
    thresholds: Mapping[str, float],
    positive: object,
    *,
    beside: Sequence[str] = (),
    group: str | None = None,
    weight: str | None = None,
    higher_is_positive: bool = True,
) -> Summary:
    """Count the rows by the calls of each system at its threshold, exactly for any bins.

    Parameters
    ----------
    thresholds : mapping of str to float
        By the column of scores.
    beside : sequence of str
        Other columns of scores that a row must have; the other arguments and errors are as of `PairedScoreCounts.of`.

    Returns
    -------
    Summary
        "count" and "positives" by "call 0", "call 1", … (1 or 0) and by "group" where there is one, with the extreme
        scores "lowest 0", "highest 0", ….

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"ill": [1, 0, 1, 0], "a": [0.9, 0.7, 0.7, 0.1], "b": [0.8, 0.9, 0.7, 0.2]})
    >>> calls = threshold_calls(table, "ill", {"a": 0.8, "b": 0.8}, positive=1).merged()
    >>> calls.keys["call 0"].tolist(), calls.keys["call 1"].tolist(), calls.sums["count"].tolist()
    ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [2.0, 1.0, 1.0])
    """
    table = with_all(frame, [*thresholds, *beside])
    rows, by, _ = labelled_rows(table, actual, [*thresholds], positive, group, None, weight)
    rows = rows if weight is None else usable_weights(rows, weight)[0]
    calls, parts = {}, [f"score {place}" for place in range(len(thresholds))]
    for place, (part, threshold) in enumerate(zip(parts, thresholds.values(), strict=True)):
        score = nw.col(part)
        is_called = score >= threshold if higher_is_positive else score <= threshold
        calls[f"call {place}"] = nw.when(is_called).then(1.0).otherwise(0.0)
    rows = rows.filter(~nw.col("label").is_null()).with_columns(**calls)
    low, high = ({f"{end} {place}": part for place, part in enumerate(parts)} for end in ("lowest", "highest"))
    sums = ["positives", *(WEIGHT_SUMS if weight is not None else ())]
    summary = Summary.of(rows, [*calls, *by[1:]], sums, low, high)
    names = {"group": group_names(summary.keys["group"])} if group is not None else {}
    summary = Summary(summary.keys | names, *summary.tables[1:])
    return summary if weight is None else by_weight(summary)


def with_all(frame: Any, scores: Sequence[str]) -> nw.LazyFrame[Any]:
    """Rows with all scores."""
    table = lazy(frame)
    columns(table, {name: (name, "number") for name in scores})
    for name in scores:
        table = table.filter(is_usable(nw.col(name).cast(nw.Float64)))
    return table
