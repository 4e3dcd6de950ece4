"""Two distributions to compare, from the open table or typed, in bins by a rule or by hand."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np

from evalcore import readers
from evalcore.analyses.data import Source, literal
from evalcore.estimation import MOST_BINS, DistributionPair, TwoSamples, edges_from_text
from evalcore.numeric import Array
from evalcore.wording import count_text, one_line, plain, shortened, threshold_text

__all__ = ["EXAMPLE_BINS", "BinChoice", "TwoDistributions", "chosen_columns", "typed_distributions", "usual_choice"]
__all__ += ["usual_distributions", "ways_to_compare"]

EXAMPLE_BINS = """\
grade; last year; this year
A; 18; 9
B; 34; 30
C; 31; 33
D; 13; 20
F; 5; 8
"""
"""Text in the field for typed bins at first."""

_MOST_LETTERS = 10_000
_WAYS = {"columns": "two columns", "groups": "a column in two groups", "typed": "typed bins"}
_WAYS |= {"counts": "two columns of counts, a bin per row"}


@dataclass(frozen=True)
class BinChoice:
    """Choice of bins for numbers: a key of `BIN_RULES`, the number of bins where the rule needs it, and typed edges."""

    rule: str = "freedman"
    bins: int = 10
    edges: str = ""

    def edges_of(self, samples: TwoSamples) -> Array:
        """Bin edges for two samples; categories have a bin each. Raises ValueError for invalid typed edges."""
        if samples.categories is not None:
            return np.arange(len(samples.categories) + 1) - 0.5
        return edges_from_text(self.edges) if self.rule == "hand" else samples.edges(self.rule, self.bins)


def ways_to_compare(source: Source | None) -> dict[str, str]:
    """Ways to get two distributions that the open table allows, by key; the likeliest comes first."""
    ways = []
    if source is not None:
        columns, groups = readers.comparable_columns(source.dataset), readers.grouping_columns(source.dataset)
        numbers = _numbers(source, columns)
        # Where rows were counted, pairs of rows and numbers in cells are not known closely enough.
        counted = source.dataset.is_counted
        if groups and len(columns) > 1 and not (counted and source.kind == "estimates"):
            ways.append("groups")
        if not counted and (len(numbers) > 1 or len(columns) - len(numbers) > 1):
            alike = source.kind in ("estimates", "labels") or (source.kind == "unknown" and set(groups) <= set(numbers))
            ways.insert(0 if alike else len(ways), "columns")
        if not counted and len(numbers) > 1 and len(source.dataset) <= MOST_BINS:
            ways.insert(0 if source.kind == "counts" else len(ways), "counts")
    return {way: _WAYS[way] for way in (*ways, "typed")}


def column_options(source: Source, way: str, like: str | None = None) -> list[str]:
    """Columns that can be P, numbers first; with `like`, the columns of its type, which can be Q."""
    columns = readers.comparable_columns(source.dataset)
    numbers = _numbers(source, columns)
    texts = [] if way == "counts" else [name for name in columns if name not in numbers]
    if like is None:
        return [*numbers, *texts] if len(numbers) > 1 else [*texts, *numbers]
    return numbers if like in numbers else texts


def _numbers(source: Source, columns: Sequence[str]) -> list[str]:
    return [name for name in columns if source.frame[name].dtype.kind in "iuf"]


@dataclass(frozen=True, eq=False)
class TwoDistributions:
    """Two distributions P and Q over the same bins, with their names and origin."""

    names: tuple[str, str]  # come from a file: escape them
    pair: DistributionPair
    bins: tuple[str, ...]  # what the bins are called; come from a file too
    code: str  # Python that makes `pair` again, and `samples` where there are any
    samples: TwoSamples | None = None
    edges: Array | None = None  # of the bins, of samples
    note: str = ""  # what was left out, in Markdown

    @classmethod
    def of_columns(cls, source: Source, first: str, second: str, choice: BinChoice) -> Self:
        """Distributions of two columns of the open table."""
        samples, note = readers.column_pair(source.dataset, first, second), _cluster_note(source)
        p, q = samples.units_p, samples.units_q
        if not source.clusters and p is not None and q is not None and (both := np.intersect1d(p, q).size):
            note = f"{count_text(both)} rows hold both and are resampled as pairs"
        code = f"{source.code}\nsamples = column_pair(data, {first!r}, {second!r})"
        return cls._binned((first, second), samples, choice, code, note)

    @classmethod
    def of_groups(cls, source: Source, value: str, by: str, groups: tuple[str, str], choice: BinChoice) -> Self:
        """Distributions of one column of the open table in two groups of its rows."""
        samples = readers.group_pair(source.dataset, value, by, groups)
        code = f"{source.code}\nsamples = group_pair(data, {value!r}, {by!r}, {groups!r})"
        return cls._binned(groups, samples, choice, code, _cluster_note(source))

    @classmethod
    def of_counts(cls, source: Source, first: str, second: str, label: str | None) -> Self:
        """Distributions whose bins are the rows of the open table, with counts or shares in two columns."""
        names, p, q = readers.count_columns(source.dataset, first, second, label)
        code = f"{source.code}\nnames, p, q = count_columns(data, {first!r}, {second!r}, {label!r})"
        return cls._from_counts((first, second), tuple(names), p, q, code)

    @classmethod
    def of_text(cls, text: str) -> Self:
        """Parse typed bins, one per line. Raises ValueError with a sentence for the user."""
        heads, names, p, q = typed_distributions(text)
        return cls._from_counts(heads, names, p, q, f"p, q = {literal(p)}, {literal(q)}")

    @classmethod
    def _binned(cls, names: tuple[str, str], samples: TwoSamples, choice: BinChoice, code: str, note: str) -> Self:
        edges = choice.edges_of(samples)
        ends = [threshold_text(float(f"{edge:.4g}")) for edge in edges]
        bins = samples.categories or tuple(f"{low} to {high}" for low, high in pairwise(ends))
        code += f"\npair = samples.binned({literal(edges)})"
        return cls(names, samples.binned(edges), bins, code, samples, edges, note)

    @classmethod
    def _from_counts(cls, names: tuple[str, str], bins: tuple[str, ...], p: Array, q: Array, code: str) -> Self:
        values, at = [_number(name) for name in bins], None
        if None not in values and len(set(values)) == len(values):  # the names are distinct numbers
            order = np.argsort(np.array(values, dtype=np.float64))
            at, p, q = np.array(values, dtype=np.float64)[order], p[order], q[order]
            bins = tuple(bins[place] for place in order.tolist())
            code += f"\norder = {literal(order)}\np, q = np.array(p)[order], np.array(q)[order]"
        code += f"\npair = DistributionPair.from_counts(p, q{'' if at is None else f', {literal(at)}'})"
        return cls(names, DistributionPair.from_counts(p, q, at), bins, code)

    @property
    def facts(self) -> str:
        """Rows of P and Q and what belongs together, in Markdown."""
        first, second = (plain(name, 40) for name in self.names)
        if not self.are_counts:
            return f"Shares of {first} and {second}; only counts give intervals and a test."
        rows = [count_text(float(side.sum())) for side in (self.pair.p, self.pair.q)]
        return ". ".join(filter(None, [f"{rows[0]} in {first}, {rows[1]} in {second}", self.note])) + "."

    @property
    def is_number(self) -> bool:
        """Whether the bins are intervals of numbers."""
        return self.pair.at is not None

    @cached_property
    def are_counts(self) -> bool:
        """Whether P and Q are counts of rows, so that chance can be assessed; False for typed shares."""
        if self.samples is not None:
            return True
        sides = self.pair.p, self.pair.q
        whole = all(np.array_equal(side, np.rint(side)) for side in sides)
        # Whole numbers that add up to 100 on both sides are percentages.
        return whole and not all(math.isclose(side.sum(), 100) or side.sum() <= 1 for side in sides)


def typed_distributions(text: str) -> tuple[tuple[str, str], tuple[str, ...], Array, Array]:
    """Names of P and Q, names of the bins, and their counts or shares, from lines of a name and two numbers.

    A first line without numbers names P and Q; lines of two numbers alone are bins 1, 2, … Raises ValueError with a
    sentence that names the line.
    """
    if len(text) > _MOST_LETTERS:
        raise ValueError(f"The text is too long; at most {_MOST_LETTERS} letters can be typed. Open it as a table.")
    heads, names, counts = ("P", "Q"), [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        separator = next((mark for mark in (";", "\t") if mark in line), None)
        if separator is None and "," in line and not re.search(r"\d,\d+\s+\d", line):
            separator = ","
        parts = [part.strip() for part in line.split(separator)]
        values = [_number(part) for part in parts[-2:]]
        if len(parts) >= 2 and all(value is None for value in values) and not counts:
            heads = (parts[-2] or "P", parts[-1] or "Q")
            continue
        if len(parts) < 2 or None in values:
            raise ValueError(f"Line {number}, “{shortened(line.strip(), 40)}”, does not end in two numbers.")
        if not all(0 <= value < math.inf for value in values if value is not None):
            raise ValueError(f"Line {number} has a number below 0; counts and shares are not negative.")
        names.append(" ".join(parts[:-2]) or str(len(names) + 1))
        counts.append(values)
    if not counts:
        raise ValueError("Type one line per bin: its name, then the count or share of P and of Q, as in “A; 18; 9”.")
    if len(counts) > MOST_BINS:
        raise ValueError(f"There are {len(counts)} bins; at most {MOST_BINS} can be typed.")
    p, q = np.array(counts, dtype=np.float64).T
    for side, head in zip((p, q), heads, strict=True):
        if not side.any():
            raise ValueError(f"All numbers of {shortened(head, 40)} are 0, so there is no distribution.")
    return heads, tuple(names), p, q


def _cluster_note(source: Source) -> str:
    return f"Intervals and the test take whole {source.cluster_words}" if source.cluster_words else ""


def _number(text: str) -> float | None:
    text = text.strip().replace("\u2212", "-")
    number, per_cent = text.removesuffix("%").strip().replace(",", "."), text.endswith("%")
    known = re.fullmatch(r"-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", number, re.I)
    return float(number) / (100 if per_cent else 1) if known else None


def usual_choice(label: str, name: str, options: Sequence[str], *wanted: object) -> str:
    """The first of the wanted options that there is, else the first of all; label and name say what is chosen."""
    return next((option for option in wanted if isinstance(option, str) and option in options), options[0])


def chosen_columns(
    source: Source, way: str, choose: Callable[..., str] = usual_choice, bins: Callable[[str], BinChoice] | None = None
) -> tuple[Any, ...]:
    """Constructor of `TwoDistributions` by name, and what it takes after the source, as chosen for a way to compare.

    Each part is chosen as by `usual_choice`, the bins by their column. Raises ReadProblem where no column can be Q.
    """
    dataset, roles, bins = source.dataset, source.roles, bins or (lambda column: BinChoice())
    if way == "groups":
        splits, columns = readers.grouping_columns(dataset), readers.comparable_columns(dataset)
        by = choose("Groups", "split", splits, roles.get("actual"), roles.get("group"))
        values = [name for name in columns if name != by]
        value = choose("Values", "value", values, source.system, roles.get("truth"))
        names = readers.group_names(dataset, by)
        first = choose("P", "p_group", names, readers.text_of(source.positive))
        second = choose("Q", "q_group", [name for name in names if name != first])
        return "of_groups", value, by, (first, second), bins(value)
    first = choose("P", "p_column", column_options(source, way), roles.get("truth"), roles.get("actual"))
    if not (alike := [name for name in column_options(source, way, first) if name != first]):
        words = f"No other column holds the same sort of values as {one_line(first, 40)}"
        raise readers.ReadProblem(f"{words}. Choose another column for P.")
    second = choose("Q", "q_column", alike, source.system)
    if way == "columns":
        return "of_columns", first, second, bins(first)
    labels = ["", *(name for name in map(str, source.frame.columns) if name not in (first, second))]
    label = choose("Names of the bins", "bin_label", labels, labels[min(len(labels) - 1, 1)])
    return "of_counts", first, second, label or None


def usual_distributions(source: Source) -> TwoDistributions | None:
    """The two distributions first compared on the distributions page; None if the table has no pair."""
    way = next(iter(ways_to_compare(source)))
    if way == "typed" or source.kind not in readers.kinds_on("estimate/distributions"):
        return None
    try:
        make, *parts = chosen_columns(source, way)
    except readers.ReadProblem:
        return None
    return getattr(TwoDistributions, make)(source, *parts)
