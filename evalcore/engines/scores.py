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

from evalcore.engines.frames import columns, lazy
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
from evalcore.engines.summaries import Summary, by_weight, chosen, refuse_without_unit
from evalcore.readers.base.problems import ReadProblem, named

__all__ = ["ScoreCounts", "threshold_calls"]


@dataclass(frozen=True, eq=False)
class ScoreCounts(ScoreBins):
    """Number of rows and of positives in each bin of scores. ``a + b`` counts the rows of both.

    The summary has "count" and "positives", "lowest" and "highest" score by "key" (which rises with the scores), and by
    "group" and "unit" where there are such. Where rows have weights, "count" and "positives" are sums of these, beside
    "rows" and the sums of "squares" and "positive_squares". The bits are those of the bins, `EXACT_BITS` where each
    distinct score has its own. Left out are rows that lack a label or a finite score up to ±`LARGEST_SCORE`, by what is
    wrong. The label of the negatives is empty if there are several, or it is unknown.
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
    ) -> ScoreCounts:
        """Count the rows of a table of DuckDB, Polars, PySpark, Dask, pandas or pyarrow on its engine.

        Where the bins hold more than one score each, and yet there are few scores, these are counted apart. Every label
        but the positive one is negative. A unit is what rows belong to, such as a patient; weights are added up instead
        of rows; more bits, from 2 to 53, make smaller bins. Raises ReadProblem if a column is missing or of another
        type, no label is the positive one, there are more than 1,000 labels, a weight is negative, or the summary is
        too large.

        >>> import pyarrow as pa
        >>> table = pa.table({"ill": [1, 0, 1, 0, None], "score": [0.9, 0.7, 0.7, 0.1, 0.3]})
        >>> counts = ScoreCounts.of(table, "ill", "score", positive=1)
        >>> float(counts.scored().counts_at(0.7).tp), counts.is_exact, counts.left_out
        (2.0, True, {'no label': 1.0})
        """
        if not 2 <= bits <= EXACT_BITS:
            raise ValueError(f"{bits} bits are no precision of a score; give 2 to {EXACT_BITS}.")
        rows = labelled_rows(frame, actual, score, positive, group, unit, weight)

        def counted(bits: int) -> ScoreCounts:
            keyed = rows.table.with_columns(key=binned(bits))
            ends = {"lowest": "score"}, {"highest": "score"}
            summary = Summary.of(keyed, ["key", *rows.keys], rows.sums, *ends, what="table of counts by score")
            return cls._of(by_weight(summary), bits, higher_is_positive)

        counts = counted(bits)
        counts = counted(EXACT_BITS) if not counts.is_exact and has_few_scores(rows.table, counts.bins) else counts
        without = {"no weight": rows.without} if rows.without else {}
        return replace(counts, left_out=counts.left_out | without, negative=rows.negative)

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

        The bits are those of the statement that made the bins, and matter only when states are merged. Raises
        ReadProblem as `Summary.of_table`, and where bins overlap, so that their order is not known.

        >>> table = {"score": [0.1, 0.7, 0.9], "positives": [0, 1, 1], "count": [1, 2, 1]}
        >>> counts = ScoreCounts.of_table(table, lowest="score", highest="score")
        >>> counts.scored().positives, counts.is_exact
        (2.0, True)
        """
        keys = chosen(group=group, unit=unit)
        numbers = {"count": count, "positives": positives, "lowest": lowest, "highest": highest}
        summary = Summary.of_table(table, keys, numbers, ("lowest",), ("highest",), merge=False)
        if (summary.sums["positives"] > summary.sums["count"]).any():
            raise ReadProblem(f"Column {named(positives)} holds more positives than {named(count)} has rows.")
        if (summary.lowest["lowest"] == summary.highest["highest"]).all():
            bits = EXACT_BITS
        # Where bins were made in another way, the key of the lowest score may join some; those overlap or are one.
        key = order_key(summary.lowest["lowest"], bits)
        return cls._of(replace(summary, keys={"key": key, **summary.keys}), bits, higher_is_positive)

    @classmethod
    def _of(cls, summary: Summary, bits: int, higher_is_positive: bool) -> ScoreCounts:
        summary = summary.with_read_keys()
        bins, rows = summary.keys["key"], summary.sums.get("rows", summary.sums["count"])
        left_out = {what: float(rows[bins == key].sum()) for what, key in UNUSABLE.items()}
        summary = refuse_without_unit(summary[bins < min(UNUSABLE.values())].merged())
        if (summary.lowest["lowest"] == summary.highest["highest"]).all():
            # Each bin is one score, so nothing is lost where others come between them.
            bits, summary = EXACT_BITS, summary.keyed(**summary.keys | {"key": summary.lowest["lowest"] + 0.0})
        counts = cls(summary, bits, {what: n for what, n in left_out.items() if n}, higher_is_positive)
        return counts._checked()

    def _checked(self) -> ScoreCounts:
        """Refuse bins that overlap."""
        low, high = self.ends
        if (over := high[:-1] >= low[1:]).any():
            at = int(over.argmax())
            raise ReadProblem(
                f"The bins of scores from {low[at]:.6g} and from {low[at + 1]:.6g} "
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

    Thresholds are by the column of scores; a row must have the scores `beside` too. Other arguments and errors are as
    of `PairedScoreCounts.of`. The summary has "count" and "positives" by "call 0", "call 1", … (1 or 0) and by "group"
    where there is one, with the extreme scores "lowest 0", "highest 0", ….

    >>> import pyarrow as pa
    >>> table = pa.table({"ill": [1, 0, 1, 0], "a": [0.9, 0.7, 0.7, 0.1], "b": [0.8, 0.9, 0.7, 0.2]})
    >>> calls = threshold_calls(table, "ill", {"a": 0.8, "b": 0.8}, positive=1).merged()
    >>> calls.keys["call 0"].tolist(), calls.keys["call 1"].tolist(), calls.sums["count"].tolist()
    ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [2.0, 1.0, 1.0])
    """
    rows = labelled_rows(with_all(frame, [*thresholds, *beside]), actual, [*thresholds], positive, group, None, weight)
    calls, parts = {}, [f"score {place}" for place in range(len(thresholds))]
    for place, (part, threshold) in enumerate(zip(parts, thresholds.values(), strict=True)):
        score = nw.col(part)
        is_called = score >= threshold if higher_is_positive else score <= threshold
        calls[f"call {place}"] = nw.when(is_called).then(1.0).otherwise(0.0)
    table = rows.table.filter(~nw.col("label").is_null()).with_columns(**calls)
    low, high = ({f"{end} {place}": part for place, part in enumerate(parts)} for end in ("lowest", "highest"))
    return by_weight(Summary.of(table, [*calls, *rows.keys], rows.sums, low, high).with_read_keys())


def with_all(frame: Any, scores: Sequence[str]) -> nw.LazyFrame[Any]:
    """Rows with all scores."""
    table = lazy(frame)
    columns(table, {name: (name, "number") for name in scores})
    for name in scores:
        table = table.filter(is_usable(nw.col(name).cast(nw.Float64)))
    return table
