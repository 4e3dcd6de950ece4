"""Scores counted in bins, and the states that are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import narwhals as nw
import numpy as np
import numpy.typing as npt

from evalcore.classification import ScoredLabels
from evalcore.engines.frames import collected, columns
from evalcore.engines.labels import distinct_labels, unit_rows
from evalcore.engines.summaries import Summary, effective
from evalcore.numeric import Array
from evalcore.readers.base.problems import ReadProblem, listed, named
from evalcore.readers.base.values import text_of
from evalcore.readers.table.rows import ordered

__all__ = ["BITS", "EXACT_BITS", "LARGEST_SCORE", "order_key"]


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


BITS = 12
"""Bits that a score keeps in its bin: a bin spans at most 1/2048 of the distance to the nearer end of 0 … 1."""

EXACT_BITS = 53
"""All bits of a score: each distinct one is counted apart."""

_FEW_SCORES = 300_000
"""Distinct scores up to which each is counted apart, by a second reading."""

LARGEST_SCORE = 1e280
"""Scores farther from 0 are left out: their bits cannot be taken apart. The documented statements have the same."""

TOO_LARGE = f"beyond ±{LARGEST_SCORE:g}"

# Bins of the rows that cannot be used, beyond all scores; the missing label first, as such a row is no case at all.
UNUSABLE = {"no label": 1e300, "no score": 2e300, "NaN": 3e300, "infinite": 4e300, TOO_LARGE: 5e300}


def order_key(scores: npt.ArrayLike, bits: int = BITS) -> Array:
    """Scores rounded to some bits of their distance to the nearer end of 0 … 1, in their order; SQL can do the same.

    With c = 2^(53 − bits) + 1, rounding takes a product and two differences: m·c − (m·c − m).

    References
    ----------
    T. Dekker (1971). A floating-point technique for extending the available precision. Numerische Mathematik 18,
    224–242. doi:10.1007/BF01397083

    Examples
    --------
    >>> order_key([0.1, 0.10001, 0.9, 1.0, -3.5], bits=12).tolist()
    [0.100006103515625, 0.100006103515625, 0.899993896484375, 1.0, -3.5]
    """
    values = np.asarray(scores, dtype=np.float64) + 0.0
    if bits == EXACT_BITS:
        return values
    near_one = (values > 0.5) & (values <= 1)
    distance = np.where(near_one, 1.0 - values, values)
    product = distance * (2.0 ** (EXACT_BITS - bits) + 1)
    rounded = product - (product - distance)
    return np.where(near_one, 1.0 - rounded, rounded)


def key_of(score: nw.Expr, bits: int) -> nw.Expr:
    """`order_key` on an engine."""
    if bits == EXACT_BITS:
        return score + 0.0
    constant = 2.0 ** (EXACT_BITS - bits) + 1

    def rounded(distance: nw.Expr) -> nw.Expr:
        return distance * constant - (distance * constant - distance)

    near_one = (score > 0.5) & (score <= 1.0)
    return nw.when(near_one).then(1.0 - rounded(1.0 - score)).otherwise(rounded(score))


def is_usable(score: nw.Expr) -> nw.Expr:
    """Whether a score is a number whose bits can be taken apart; no engine takes NaN for smaller than a number."""
    return score.abs() <= LARGEST_SCORE


def binned(bits: int) -> nw.Expr:
    """The key of a score, and the bins of rows that cannot be used."""
    score = nw.col("score")
    # Most rows pass one test.
    usable = is_usable(score) & ~nw.col("label").is_null()
    wrong = {
        "no label": nw.col("label").is_null(),
        "no score": score.is_null(),
        "NaN": score.is_nan(),
        "infinite": score.abs() == float("inf"),
    }
    unusable = nw.lit(UNUSABLE[TOO_LARGE])
    for what, rows in reversed(wrong.items()):
        unusable = nw.when(rows).then(UNUSABLE[what]).otherwise(unusable)
    return nw.when(usable).then(key_of(score, bits)).otherwise(unusable)


def labelled_rows(
    frame: Any,
    actual: str,
    scores: str | Sequence[str],
    positive: object,
    group: str | None,
    unit: str | None,
    weight: str | None,
) -> tuple[nw.LazyFrame[Any], list[str], str]:
    """Rows with their label, score and whether they are positive; what they are grouped by; the negative label.

    Several scores are "score 0", "score 1", …. The negative label is empty where several are negative. Weighted rows
    are as positive as their weight.
    """
    numbers = {"score": scores} if isinstance(scores, str) else {f"score {i}": name for i, name in enumerate(scores)}
    numbers |= {} if weight is None else {"weight": weight}
    beside = {part: column for part, column in (("group", group), ("unit", unit)) if column is not None}
    forms = {"label": (actual, "label")} | {part: (column, "label") for part, column in beside.items()}
    table = columns(frame, forms | {part: (column, "number") for part, column in numbers.items()})
    labels = [label for label, _ in distinct_labels(table, actual)]
    wanted = text_of(positive)
    # As the engine has it, whatever way the label is written: 1, 1.0 or "1".
    same = [label for label in labels if text_of(label) == wanted]
    if not same and labels:
        raise ReadProblem(f"No row has the label {named(wanted)}. Choose {listed(map(text_of, labels))}.")
    is_positive = nw.lit(False)
    for label in same:
        is_positive = is_positive | (nw.col("label") == label)
    one, none = (1, 0) if weight is None else (nw.col("weight"), 0.0)
    table = table.with_columns(positives=nw.when(is_positive).then(one).otherwise(none))
    if weight is not None:
        table = table.with_columns(positive_squares=nw.col("positives") * nw.col("weight"))
    others = {text_of(label) for label in labels} - {wanted}
    return table, ["key", *beside], others.pop() if len(others) == 1 else ""


def has_few_scores(table: nw.LazyFrame[Any], bins: Summary) -> bool:
    """Whether there seem to be so few distinct scores that each can be counted apart, by the fullest bins."""
    low, high = bins.lowest["lowest"], bins.highest["highest"]
    several = np.flatnonzero(low < high)
    fullest = several[np.argsort(-bins.sums["count"][several])][:4]
    score, inside = nw.col("score"), nw.lit(False)
    for at in fullest.tolist():
        inside = inside | ((score >= float(low[at])) & (score <= float(high[at])))
    scores = table.filter(inside).group_by("score").agg(nw.len().alias("count"))
    most = _FEW_SCORES * len(fullest) // len(several)
    distinct = len(collected(scores.head(most + 1), what="number of distinct scores")["score"])
    return distinct <= most
