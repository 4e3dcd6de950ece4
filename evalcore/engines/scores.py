"""Counts of positives and rows by score or by bin: a distribution of scores as exact as a small table can be.

Where there are too many distinct scores to count each, they are rounded to a few bits. The rounding keeps their order,
so the counts at the edge of each bin are exact, and a bin of one score is that score. Only what lies inside of a bin
is unknown, and how much that can change a measure is certain (`evalcore.engines.score_bins`). Scores of several systems
on the same rows have a distribution each, and a joint distribution in larger bins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import numpy.typing as npt

from evalcore.engines import frames
from evalcore.engines.frames import Grouped, Summary, chosen, columns, grouped_rows, lazy, some_bits, usable_weights
from evalcore.engines.labels import distinct_labels, unit_rows
from evalcore.engines.score_bins import ScoreBins
from evalcore.inference import CorrelatedAreas, correlated_areas
from evalcore.numeric import Array, Flags, Indices
from evalcore.readers.base import ReadProblem, listed, named, text_of

__all__ = ["BITS", "EXACT_BITS", "LARGEST_SCORE", "PairedScoreCounts", "ScoreCounts", "order_key", "threshold_calls"]


BITS = 12  # bits that a score keeps in its bin: a bin spans at most 1/2048 of the distance to the nearer end of 0 … 1
EXACT_BITS = 53  # all bits of a score: each distinct one is counted apart

LARGEST_SCORE = 1e280
"""Scores farther from 0 are left out: their bits cannot be taken apart. The documented statements have the same."""

TOO_LARGE = f"beyond ±{LARGEST_SCORE:g}"

# Bins of the rows that cannot be used, beyond all scores; the missing label first, as such a row is no case at all.
UNUSABLE = {"no label": 1e300, "no score": 2e300, "NaN": 3e300, "infinite": 4e300, TOO_LARGE: 5e300}
_FEW_SCORES = 300_000  # distinct scores up to which each is counted apart, by a second reading


def order_key(scores: npt.ArrayLike, bits: int = BITS) -> Array:
    """Round scores to some bits of their distance to the nearer end of 0 … 1, in their order; SQL can do the same.

    >>> order_key([0.1, 0.10001, 0.9, 1.0, -3.5], bits=12).tolist()
    [0.100006103515625, 0.100006103515625, 0.899993896484375, 1.0, -3.5]
    """
    values = np.asarray(scores, dtype=np.float64) + 0.0
    if bits == EXACT_BITS:
        return values
    near_one = (values > 0.5) & (values <= 1)
    rounded = some_bits(np.where(near_one, 1.0 - values, values), bits)
    return np.where(near_one, 1.0 - rounded, rounded)


def key_of(score: nw.Expr, bits: int) -> nw.Expr:
    """`order_key` on an engine."""
    if bits == EXACT_BITS:
        return score + 0.0
    near_one = (score > 0.5) & (score <= 1.0)
    return nw.when(near_one).then(1.0 - some_bits(1.0 - score, bits)).otherwise(some_bits(score, bits))


def binned(bits: int) -> nw.Expr:
    """Key of a score, and special bins for rows that cannot be used."""
    score = nw.col("score")
    # Most rows pass one test; engines do not sort NaN below numbers.
    usable = (score.abs() <= LARGEST_SCORE) & ~nw.col("label").is_null()
    wrong = nw.col("label").is_null(), score.is_null(), score.is_nan(), score.abs() == float("inf")
    unusable = nw.lit(UNUSABLE[TOO_LARGE])
    for rows, key in reversed([*zip(wrong, UNUSABLE.values(), strict=False)]):
        unusable = nw.when(rows).then(key).otherwise(unusable)
    return nw.when(usable).then(key_of(score, bits)).otherwise(unusable)


class LabelledRows(NamedTuple):
    """Rows of scores on an engine, and how to add them up."""

    table: nw.LazyFrame[Any]
    keys: list[str]  # the columns of groups and units
    sums: list[str]  # positives; of weights also their squares, and those of the positives alone
    negative: str  # the negative label; empty where several are negative
    without: float  # rows that are left out because they lack a weight


def labelled_rows(
    frame: Any, actual: str, scores: str | Sequence[str], positive: object, group: str | None, unit: str | None,
    weight: str | None,
) -> LabelledRows:  # fmt: skip
    """Rows with label, score ("score 0", "score 1", … for several), and how positive they are: 0, 1 or their weight."""
    numbers = {"score": scores} if isinstance(scores, str) else {f"score {i}": name for i, name in enumerate(scores)}
    numbers |= chosen(weight=weight)
    beside = chosen(group=group, unit=unit)
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
    table, sums, without = usable_weights(table, weight)
    sums = [*sums, "positives"]
    if weight is not None:
        table = table.with_columns(positive_squares=nw.col("positives") * nw.col("weight"))
        sums.append("positive_squares")
    others = {text_of(label) for label in labels} - {wanted}
    return LabelledRows(table, list(beside), sums, others.pop() if len(others) == 1 else "", without)


def has_few_scores(table: nw.LazyFrame[Any], bins: Summary) -> bool:
    """Whether there are few enough distinct scores to count each, judged by the fullest bins."""
    low, high = bins.sums["lowest"], bins.sums["highest"]
    several = np.flatnonzero(low < high)
    fullest = several[np.argsort(-bins.sums["count"][several])][:4]
    score, inside = nw.col("score"), nw.lit(False)
    for at in fullest.tolist():
        inside = inside | ((score >= float(low[at])) & (score <= float(high[at])))
    scores = table.filter(inside).group_by("score").agg(nw.len().alias("count"))
    most = _FEW_SCORES * len(fullest) // len(several)
    return len(frames.collected(scores.head(most + 1), "number of distinct scores")["score"]) <= most


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
        cls, frame: Any, actual: str, score: str, positive: object, *, group: str | None = None,
        unit: str | None = None, weight: str | None = None, higher_is_positive: bool = True, bits: int = BITS,
    ) -> "ScoreCounts":  # fmt: skip
        """Count the rows of a table of DuckDB, Polars, PySpark, Dask, pandas or pyarrow on its engine.

        Where there are few scores, each is counted apart. Every label but the positive one is negative. A unit is what
        rows belong to, such as a patient; weights are added up instead of rows; more bits, from 2 to 53, make smaller
        bins. Raises ReadProblem for a missing or unfit column, no positive label, more than 1,000 labels, a negative
        weight, or too large a summary.

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
            ends = {"lowest": "score", "highest": "score"}
            summary = Summary.of(keyed, ["key", *rows.keys], rows.sums, ends, "table of counts by score")
            return cls._of(summary, bits, higher_is_positive)

        counts = counted(bits)
        counts = counted(EXACT_BITS) if not counts.is_exact and has_few_scores(rows.table, counts.bins) else counts
        without = {"no weight": rows.without} if rows.without else {}
        return replace(counts, left_out=counts.left_out | without, negative=rows.negative)

    @classmethod
    def of_table(
        cls, table: Any, *, count: str = "count", positives: str = "positives", lowest: str = "lowest",
        highest: str = "highest", group: str | None = None, unit: str | None = None, higher_is_positive: bool = True,
        bits: int = BITS,
    ) -> "ScoreCounts":  # fmt: skip
        """Build the counts from a summary made elsewhere: one row per bin, or per score (then lowest equals highest).

        The bits are those of the statement that made the bins, for merging. Raises ReadProblem for bins that overlap.

        >>> table = {"score": [0.1, 0.7, 0.9], "positives": [0, 1, 1], "count": [1, 2, 1]}
        >>> counts = ScoreCounts.of_table(table, lowest="score", highest="score")
        >>> counts.scored().positives, counts.is_exact
        (2.0, True)
        """
        keys = chosen(group=group, unit=unit)
        numbers = {"count": count, "positives": positives, "lowest": lowest, "highest": highest}
        summary = Summary.of_table(table, keys, numbers, merge=False)
        if (summary.sums["positives"] > summary.sums["count"]).any():
            raise ReadProblem(f"Column {named(positives)} holds more positives than {named(count)} has rows.")
        if (summary.sums["lowest"] == summary.sums["highest"]).all():
            bits = EXACT_BITS
        # Where bins were made in another way, the key of the lowest score may join some; those overlap or are one.
        key = order_key(summary.sums["lowest"], bits)
        return cls._of(replace(summary, keys={"key": key, **summary.keys}), bits, higher_is_positive)

    @classmethod
    def _of(cls, summary: Summary, bits: int, higher_is_positive: bool) -> "ScoreCounts":
        summary = summary.with_read_keys()
        bins = summary.keys["key"]
        left_out = {what: float(summary.rows[bins == key].sum()) for what, key in UNUSABLE.items()}
        summary = summary[bins < min(UNUSABLE.values())].merged().refuse_without_unit()
        if (summary.sums["lowest"] == summary.sums["highest"]).all():
            # Each bin is one score, so nothing is lost where others come between them.
            bits, summary = EXACT_BITS, summary.keyed(**summary.keys | {"key": summary.sums["lowest"] + 0.0})
        return cls(summary, bits, {what: n for what, n in left_out.items() if n}, higher_is_positive)._checked()

    def _checked(self) -> "ScoreCounts":
        """Refuse bins that overlap."""
        low, high = self.ends
        if (over := high[:-1] >= low[1:]).any():
            at = int(over.argmax())
            sentence = f"The bins of scores from {low[at]:.6g} and from {low[at + 1]:.6g} overlap, so the order of "
            raise ReadProblem(f"{sentence}their rows is not known. Group by score, or by a key that keeps the order.")
        return self

    def __add__(self, other: "ScoreCounts") -> "ScoreCounts":
        if self.higher_is_positive != other.higher_is_positive:
            raise ValueError("Scores where higher is positive cannot be merged with scores where lower is positive.")
        bits = min(self.bits, other.bits)
        one, two = self._with_bits(bits), other._with_bits(bits)
        reasons = self.left_out | other.left_out
        left_out = {what: self.left_out.get(what, 0.0) + other.left_out.get(what, 0.0) for what in reasons}
        negative = self.negative if self.negative == other.negative else ""
        return ScoreCounts(one.summary + two.summary, bits, left_out, self.higher_is_positive, negative)._checked()

    def _with_bits(self, bits: int) -> "ScoreCounts":
        """Merge the bins into larger ones with fewer bits; refined bins cannot change theirs."""
        if bits == EXACT_BITS:
            return self
        if self.bits not in (bits, EXACT_BITS):
            raise ValueError("These scores are counted in different bins; count both with the same bits.")
        keys = self.summary.keys | {"key": order_key(self.summary.sums["lowest"], bits)}
        return replace(self, summary=self.summary.keyed(**keys), bits=bits)


def threshold_calls(
    frame: Any, actual: str, thresholds: Mapping[str, float], positive: object, *, beside: Sequence[str] = (),
    group: str | None = None, weight: str | None = None, higher_is_positive: bool = True,
) -> Summary:  # fmt: skip
    """Count the rows by the calls of each system at its threshold, exactly for any bins.

    Thresholds are by the column of scores; a row must have the scores `beside` too. The summary has "count" and
    "positives" by "call 0", … (1 or 0) and "group", with the extreme scores "lowest 0", "highest 0", ….

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
    ends = {f"{end} {place}": part for end in ("lowest", "highest") for place, part in enumerate(parts)}
    return Summary.of(table, [*calls, *rows.keys], rows.sums, ends).with_read_keys()


def with_all(frame: Any, scores: Sequence[str]) -> nw.LazyFrame[Any]:
    """Rows with all scores."""
    table = lazy(frame)
    columns(table, {name: (name, "number") for name in scores})
    for name in scores:
        table = table.filter(nw.col(name).cast(nw.Float64).abs() <= LARGEST_SCORE)
    return table


_GOLDEN = (5**0.5 - 1) / 2


def _by_class(summary: Summary) -> tuple[Indices, Flags, Array]:
    """Entries of a summary with positives, and with negatives, and their number of rows."""
    positives = summary.sums["positives"]
    counts = np.concatenate([positives, summary.sums["count"] - positives])
    used = np.flatnonzero(counts > 0)
    return used % len(summary), used < len(summary), counts[used]


def _matched(one: Array, two: Array, least: float) -> tuple[Indices, Indices, Array]:
    """Match the parts of two countings of the same sorted rows: the places in both, and the size of each overlap."""
    ends = np.cumsum(one), np.cumsum(two)
    cuts = np.union1d(*ends)
    sizes = np.diff(cuts, prepend=0.0)
    sure = sizes > least
    middles = (cuts - sizes / 2)[sure]
    first, second = (np.minimum(of.searchsorted(middles), len(of) - 1) for of in ends)
    # Neighbours take what is left out, so that nothing is lost.
    return first, second, np.diff(np.append(cuts[sure][:-1], cuts[-1:]), prepend=0.0)


STATED_BITS = 7  # bits of the larger bins in the documented statement
_CELLS, _FEWEST_BITS = 400_000, 2  # combinations of bins that are asked for, and the fewest bits of a key


@dataclass(frozen=True, eq=False)
class PairedScoreCounts:
    """Rows that have the scores of all systems, by each score in small bins and by all of them together in larger ones.

    The areas of the systems, their certain bounds and all counts of one system come from the small bins, as of
    `ScoreCounts`. The larger bins tell how the systems go together, which is all that the covariance of two areas and
    the tests of pairs need: the summary has "count" and "positives" by "key 0", "key 1", … (numbers of some bits that
    rise with the scores), and by "group" and "unit" where there are such; with weights also "rows", "squares" and
    "positive_squares". Left out are rows without a label or a finite score of each system. ``a + b`` counts the rows of
    both.
    """

    systems: tuple[str, ...]
    scores: tuple[ScoreCounts, ...]
    summary: Summary
    bits: int
    left_out: float = 0.0
    effective = Grouped.effective

    @classmethod
    def of(
        cls, frame: Any, actual: str, scores: Sequence[str], positive: object, *, group: str | None = None,
        unit: str | None = None, weight: str | None = None, higher_is_positive: bool = True, bits: int | None = None,
    ) -> "PairedScoreCounts":  # fmt: skip
        """Count the rows of a table on its engine; arguments and errors as of `ScoreCounts.of`.

        The larger bins have by default as many bits as make no more than 400,000 combinations. Shards need the same.

        >>> import pyarrow as pa
        >>> table = pa.table({"ill": [1, 0, 1, 0], "a": [0.9, 0.7, 0.7, 0.1], "b": [0.8, 0.9, 0.7, None]})
        >>> counts = PairedScoreCounts.of(table, "ill", ["a", "b"], positive=1)
        >>> len(counts.summary), counts.left_out, [float(one.scored().counts_at(0.8).tp) for one in counts.scores]
        (3, 1.0, [1.0, 1.0])
        """
        systems = tuple(scores)
        # Of one score the state itself counts what it leaves out.
        table = with_all(frame, systems) if len(systems) > 1 else frame
        keys = {f"key {place}": f"score {place}" for place in range(len(systems))}
        beside: dict[str, Any] = {"group": group, "unit": unit, "weight": weight}
        each = tuple(
            ScoreCounts.of(table, actual, name, positive, **beside, higher_is_positive=higher_is_positive)
            for name in systems
        )
        if len(systems) == 1:
            joint = each[0].summary
            joint = Summary({("key 0" if name == "key" else name): key for name, key in joint.keys.items()}, joint.sums)
            return cls(systems, each, joint, each[0].bits, sum(each[0].left_out.values()))
        rows = labelled_rows(table, actual, systems, positive, group, unit, weight)
        labelled = rows.table.filter(~nw.col("label").is_null())

        def joint_with(bits: int) -> Summary:
            keyed = labelled.with_columns(**{key: key_of(nw.col(score), bits) for key, score in keys.items()})
            return Summary.of(keyed, [*keys, *rows.keys], rows.sums, what="table of counts by all scores")

        joint = joint_with(most_bits := bits or _affordable(each))
        # Systems that agree have few combinations, and need smaller bins to be told apart.
        while bits is None and most_bits < BITS:
            if (more := int(np.log2(_CELLS / max(len(joint), 1)) / len(systems))) <= 0:
                break
            joint = joint_with(most_bits := min(most_bits + more, BITS))
        left_out = float(Summary.of(lazy(frame), ()).sums["count"][0] - joint.rows.sum())
        return cls(systems, each, joint.with_read_keys().merged(), most_bits, left_out)

    @classmethod
    def of_table(
        cls, table: Any, scores: Mapping[str, ScoreCounts], *, count: str = "count", positives: str = "positives",
        group: str | None = None, unit: str | None = None, bits: int = STATED_BITS,
    ) -> "PairedScoreCounts":  # fmt: skip
        """Build the counts from a summary made elsewhere: one row per combination of bins, and each system's scores.

        A column by the name of each system has its bin, any number that rises with the scores; the bits are for
        merging. Raises ReadProblem if the combinations and the scores are not of the same rows.

        >>> each = {"score": [0.2, 0.9], "count": [2, 1], "positives": [0, 1]}
        >>> scores = ScoreCounts.of_table(each, lowest="score", highest="score")
        >>> table = {"a": [0.2, 0.9], "b": [0.2, 0.9], "count": [2, 1], "positives": [0, 1]}
        >>> PairedScoreCounts.of_table(table, {"a": scores, "b": scores}).table()["count"].tolist()
        [2.0, 1.0]
        """
        systems, keys = tuple(scores), chosen(group=group, unit=unit)
        numbers = {"count": count, "positives": positives} | {f"key {i}": name for i, name in enumerate(systems)}
        summary = Summary.of_table(table, keys, numbers, merge=False)
        numbers = {name: summary.sums.pop(name) for name in list(summary.sums) if name.startswith("key ")}
        joint = Summary(numbers | summary.keys, summary.sums).with_read_keys().merged()
        for name, one in scores.items():
            both = [each.by(*keys) for each in (joint, one.summary)]
            same = all(np.array_equal(values, both[1].keys[part]) for part, values in both[0].keys.items())
            sums = ([each.sums[part] for each in both] for part in ("count", "positives"))
            if not same or not all(np.allclose(*each, rtol=1e-9) for each in sums):
                sentence = f"The combinations of bins hold other rows than the scores of {named(name)}. Count both of "
                raise ReadProblem(f"{sentence}the rows that have all scores.")
        return cls(systems, tuple(scores.values()), joint, bits)

    def __add__(self, other: "PairedScoreCounts") -> "PairedScoreCounts":
        if self.systems != other.systems:
            raise ValueError(f"These are scores of {self.systems} and of {other.systems}; count the same systems.")
        bits = min(self.bits, other.bits)
        scores = tuple(one + two for one, two in zip(self.scores, other.scores, strict=True))
        joint = self._joint_with(bits) + other._joint_with(bits)
        return PairedScoreCounts(self.systems, scores, joint, bits, self.left_out + other.left_out)

    def _joint_with(self, bits: int) -> Summary:
        if self.bits not in (bits, EXACT_BITS):
            raise ValueError("These scores go together in different bins; count both with the same bits.")
        keys = self.summary.keys
        return self.summary.keyed(
            **keys | {name: order_key(key, bits) for name, key in keys.items() if name.startswith("key ")}
        )

    def table(self, most: int | None = None) -> dict[str, np.ndarray]:
        """Rows with one bin of each system and their number; no count of the state is lost.

        Inside of a combination of larger bins, the smaller bins of the systems are taken to be independent. The columns
        are "count", "positive" (whether rows are), "group" and "unit" where there are such, and for each system the lax
        end of the bin, "near 0", and the other one, "far 0". Of weights that are importances, up to `most` rows are
        written out with the sums and the sums of squares of these weights, and "row" tells which row each is a part of.
        """
        # The rows of a class, in the order of one system, are cut wherever one of its small bins ends, and wherever a
        # larger one does: so each part belongs to one of both, and all counts are met.
        sums, (entry, positive, count) = self.summary.sums, _by_class(self.summary)
        parts = {name: values[entry] for name, values in self.summary.keys.items()} | {"positive": positive}
        if most is not None:
            of_positives = sums["positive_squares"][entry]
            squares = np.where(positive, of_positives, sums["squares"][entry] - of_positives)
            entries, count = frames.expanded_rows(count, squares, most)
            parts = {name: values[entries] for name, values in parts.items()} | {"row": np.arange(len(entries))}
        least = 1e-12 * count.sum() if "rows" in sums else 0.5  # What weights add up to differs in its last bits.
        for place, scores in enumerate(self.scores):
            bins, is_positive, sizes = _by_class(scores.summary)
            keys = {name: values[bins] for name, values in scores.summary.keys.items()} | {"positive": is_positive}
            names = [name for name in ("positive", "group", "unit") if name in keys]
            both = [np.concatenate([parts[name], keys[name]]) for name in names]
            blocks = np.split(grouped_rows(both, len(count) + len(sizes))[0], [len(count)])
            key = parts.pop(f"key {place}")
            rest = [values for name, values in parts.items() if name.startswith(("key ", "bin "))]
            rows = np.lexsort([*rest, key, blocks[0]])
            # Neighbours by the other systems are spread over the whole bin of this one.
            rows = rows[np.lexsort([np.arange(len(rows)) * _GOLDEN % 1, key[rows], blocks[0][rows]])]
            order = np.lexsort([keys["key"], blocks[1]])
            one, two, count = _matched(count[rows], sizes[order], least)
            parts = {name: values[rows[one]] for name, values in parts.items()} | {f"bin {place}": bins[order[two]]}
        table = {"count": count} | {name: parts[name] for name in ("positive", "group", "unit", "row") if name in parts}
        for place, scores in enumerate(self.scores):
            # In all groups a bin is represented by one score.
            at = scores.bins.keys["key"].searchsorted(scores.summary.keys["key"])[parts[f"bin {place}"]]
            lax, strict = scores.lax_and_strict
            table |= {f"near {place}": lax[at], f"far {place}": strict[at]}
        return table

    def areas(self) -> CorrelatedAreas:
        """The areas under the ROC curves with their covariance: intervals and tests of their differences.

        Each area is that of the small bins. The covariance misses what goes on inside of the larger ones, so intervals
        of differences are a little wider than those of the rows: about a thousandth, a hundredth where two systems
        agree almost fully or four are counted together, a twentieth of five.

        >>> import pyarrow as pa
        >>> columns = {"ill": [1, 1, 0, 1, 0, 0], "a": [6.0, 5, 4, 3, 2, 1], "b": [1.0, 5, 4, 3, 2, 6]}
        >>> counts = PairedScoreCounts.of(pa.table(columns), "ill", ["a", "b"], positive=1)
        >>> compared = counts.areas().compared(0, 1)
        >>> round(compared.estimate, 4), round(compared.p_value, 4)
        (-0.5556, 0.0771)
        """
        table, units = self.table(), None
        rows, weights = np.arange(len(table["count"])), table["count"]
        if "unit" in table:
            rows, units, weights = unit_rows(table["unit"], weights, "rows" in self.summary.sums)
        near = [table[f"near {place}"][rows] for place in range(len(self.systems))]
        beside = {"weights": weights, "clusters": units, "higher_is_positive": self.scores[0].higher_is_positive}
        return correlated_areas(table["positive"][rows], near, **beside)


def _affordable(scores: Sequence[ScoreBins]) -> int:
    """Most bits of larger bins that give no more combinations than allowed."""
    summary = scores[0].summary
    beside = [summary.keys[name] for name in ("group", "unit") if name in summary.keys]
    blocks = grouped_rows(beside, len(summary))[0].max(initial=0) + 1
    exact = [EXACT_BITS] * all(one.bits == EXACT_BITS for one in scores)
    for bits in (*exact, *range(BITS, _FEWEST_BITS, -1)):
        numbers = [len(np.unique(order_key(one.bins.sums["lowest"], bits))) for one in scores]
        if min(summary.rows.sum(), blocks * np.prod(numbers, dtype=np.float64)) <= _CELLS:
            return bits
    return _FEWEST_BITS
