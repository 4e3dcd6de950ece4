"""Small tables of sums by key, which engines return for large tables and which add up over shards and days."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Self, cast

import narwhals as nw
import numpy as np

from evalcore.engines.frames import collected, columns
from evalcore.numeric import Array, Indices
from evalcore.readers import NO_GROUP, ReadProblem, named, ordered, text_of
from evalcore.readers.base.problems import listed
from evalcore.wording.numbers import rows_text

__all__ = ["Summary"]


@dataclass(frozen=True, eq=False)
class Summary:
    """Rows grouped by their keys: each combination of keys once, with the sums and extremes of its rows, shape (g,).

    ``a + b`` is the summary of the rows of both.
    """

    keys: dict[str, np.ndarray]
    sums: dict[str, Array]
    lowest: dict[str, Array] = field(default_factory=dict)
    highest: dict[str, Array] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        table: nw.LazyFrame[Any],
        keys: Iterable[str],
        sums: Iterable[str] = (),
        lowest: Mapping[str, str] = MappingProxyType({}),
        highest: Mapping[str, str] = MappingProxyType({}),
        what: str = "summary",
        most: int | None = None,
    ) -> Summary:
        """Group the rows on their engine; the sum "count" is the number of rows.

        Keys and sums are columns already, as engines differ in what they group by; `lowest` and `highest` give the
        column by the name of its extreme. `what` and `most` are as in `collected`.
        """
        keys, sums = list(keys), list(sums)
        aggregates = [nw.len().alias("count"), *(nw.col(name).sum() for name in sums)]
        aggregates += [nw.col(column).min().alias(name) for name, column in lowest.items()]
        aggregates += [nw.col(column).max().alias(name) for name, column in highest.items()]
        grouped = table.group_by(*keys, drop_null_keys=False).agg(*aggregates) if keys else table.select(*aggregates)
        arrays = collected(grouped, what, most)
        # DuckDB adds whole numbers up to decimals, and a sum of no rows is missing.
        numbers: dict[str, Array] = {
            name: np.nan_to_num(arrays[name].astype(np.float64)) for name in ("count", *sums, *lowest, *highest)
        }
        parts = ({name: numbers[name] for name in part} for part in (["count", *sums], lowest, highest))
        return cls({name: arrays[name] for name in keys}, *parts)

    @classmethod
    def of_table(
        cls,
        table: Any,
        keys: Mapping[str, str],
        numbers: Mapping[str, str],
        lowest: tuple[str, ...] = (),
        highest: tuple[str, ...] = (),
        form: str = "label",
        merge: bool = True,
    ) -> Summary:
        """Build a summary from one made elsewhere, such as by SQL; rows of equal keys are added up by default.

        Keys and numbers are the columns of the table by part; the numbers named in `lowest` and `highest` are extremes,
        the others sums. The form is what the keys hold, "label" or "id". Raises ReadProblem if a column is missing or
        of another type, a number is missing, or a count is negative.
        """
        if isinstance(table, Mapping):
            table = nw.from_dict({name: np.asarray(values) for name, values in table.items()}, backend="pyarrow")
        forms = {part: (column, form) for part, column in keys.items()}
        arrays = collected(columns(table, forms | {part: (column, "number") for part, column in numbers.items()}))
        for part, column in numbers.items():
            arrays[part] = arrays[part].astype(np.float64)
            if (wrong := ~np.isfinite(arrays[part])).any():
                raise ReadProblem(
                    f"Column {named(column)} of the summary has no number in row {int(wrong.argmax()) + 1}. "
                    "Leave out rows without a number before they are grouped."
                )
        if "count" in numbers and (arrays["count"] < 0).any():
            raise ReadProblem(f"Column {named(numbers['count'])} of the summary holds a negative count. Count rows.")
        sums = [part for part in numbers if part not in (*lowest, *highest)]
        summary = cls(*({part: arrays[part] for part in parts} for parts in (keys, sums, lowest, highest)))
        return summary.merged() if merge else summary

    def __len__(self) -> int:
        return len(self.sums["count"])

    def __add__(self, other: Summary) -> Summary:
        return Summary.joined([self, other])

    @staticmethod
    def joined(parts: Sequence[Summary]) -> Summary:
        """The summary of the rows of all parts. Raises ValueError if they have other keys or sums."""
        tables = list(zip(*(part.tables for part in parts), strict=True))
        if any(one.keys() != of_parts[0].keys() for of_parts in tables for one in of_parts):
            raise ValueError("These summaries have other keys or sums; group both by the same columns.")
        rows = ({name: np.concatenate([one[name] for one in of_parts]) for name in of_parts[0]} for of_parts in tables)
        return Summary(*rows).merged()

    def __getitem__(self, rows: Any) -> Summary:
        return Summary(*({name: values[rows] for name, values in table.items()} for table in self.tables))

    def merged(self) -> Summary:
        """Add up the rows of equal keys, and sort by the keys."""
        codes, first = grouped_rows(list(self.keys.values()), len(self))
        n = len(first)
        extremes = []
        for table, take, start in ((self.lowest, np.minimum, np.inf), (self.highest, np.maximum, -np.inf)):
            extremes.append({name: np.full(n, start) for name in table})
            for name, values in table.items():
                take.at(extremes[-1][name], codes, values)
        keys = {name: values[first] for name, values in self.keys.items()}
        sums: dict[str, Array] = {}
        for name, values in self.sums.items():
            sums[name] = np.bincount(codes, values, n).astype(np.float64)
        return Summary(keys, sums, *extremes)

    def keyed(self, **keys: np.ndarray) -> Summary:
        """Group the rows by these keys instead of their own."""
        return Summary(keys, self.sums, self.lowest, self.highest).merged()

    def with_read_keys(self) -> Summary:
        """Convert keys as engines answer them to the form in which they are compared: texts, or numbers of bins."""
        keys = {}
        for name, values in self.keys.items():
            if name.startswith(("key", "call")):
                keys[name] = values.astype(np.float64) + 0.0  # which makes −0 and 0 one key
            else:
                keys[name] = _each(values, (lambda value: text_of(value) or NO_GROUP) if name == "group" else text_of)
        return replace(self, keys=keys)

    def by(self, *names: str) -> Summary:
        """Add up over all keys but these."""
        return self.keyed(**{name: self.keys[name] for name in names})

    @property
    def tables(self) -> tuple[dict[str, np.ndarray], ...]:
        """Keys, sums, lowest and highest."""
        return self.keys, self.sums, self.lowest, self.highest


class Grouped:
    """Groups and the effective number of rows, of counts of labels, of scores and of estimates."""

    summary: Summary

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups in their natural order; none without a column of groups."""
        return ordered(tuple(set(self.summary.keys.get("group", np.array([])).tolist())))

    def of_group(self, name: str) -> Self:
        """The rows of one group, with none left out."""
        if name not in self.groups:
            raise ReadProblem(f"There is no group {named(name)}. Choose {listed(self.groups)}.")
        rows, this = self.summary.keys["group"] == name, cast(Any, self)
        return replace(this, summary=self.summary[rows], left_out=type(this.left_out)())

    @property
    def effective(self) -> float:
        """Effective number of rows for intervals if weights are importances (Kish); the count without weights."""
        sums = self.summary.sums
        total = float(sums["count"].sum())
        squares = float(sums["squares"].sum()) if "squares" in sums else total
        return total * (total / squares) if squares else total


def chosen(**parts: str | None) -> dict[str, str]:
    """The parts for which a column is chosen, with this column."""
    return {part: column for part, column in parts.items() if column is not None}


def _each(values: np.ndarray, function: Callable[[Any], str]) -> np.ndarray:
    """The text that a function makes of each value, called once for equal values; missing ones are None."""
    named: dict[Any, str] = {}
    rows = [None if value != value else value for value in values.tolist()]
    # True and 1 are one key of a dictionary, and two labels.
    rows = [named.setdefault((type(row), row), function(row)) for row in rows]
    return np.array(rows, dtype=object)


def grouped_rows(keys: list[np.ndarray], rows: int) -> tuple[Indices, Indices]:
    """The group of each row by all keys, counted from 0 in their order, and the first row of each group."""
    codes = np.zeros(rows, dtype=np.intp)
    for values in keys:
        if values.dtype == object:
            order = {text: code for code, text in enumerate(sorted(set(values.tolist()), key=str))}
            own = np.array([order[text] for text in values.tolist()], dtype=np.intp)
        else:
            own = np.unique(values, return_inverse=True)[1].astype(np.intp)
        codes = np.unique(codes * (own.max(initial=0) + 1) + own, return_inverse=True)[1].astype(np.intp)
    first = np.unique(codes, return_index=True)[1]
    return codes, first


WEIGHT_SUMS = ["weight", "squares"]


def usable_weights(table: nw.LazyFrame[Any], column: str) -> tuple[nw.LazyFrame[Any], float]:
    """Rows with a weight, with its square, and the number of rows without one.

    Raises ReadProblem if a weight is negative or infinite.
    """
    weight = nw.col("weight")
    known = ~weight.is_null() & ~weight.is_nan()
    marks = {"missing": ~known, "wrong": known & ((weight < 0) | (weight == float("inf")))}
    table = table.with_columns(**{name: nw.when(rows).then(1).otherwise(0) for name, rows in marks.items()})
    sums = Summary.of(table, (), list(marks)).sums
    if wrong := int(sums["wrong"][0]):
        raise ReadProblem(
            f"Column {named(column)} holds a negative or infinite weight in {rows_text(wrong)}. A weight is how many "
            "times a row counts, 0 or more; correct the table or choose no weight column."
        )
    used = table.filter(nw.col("missing") == 0)
    return used.with_columns(squares=nw.col("weight") * nw.col("weight")), float(sums["missing"][0])


def weights_are(frame: Any, column: str) -> str:
    """Return the usual use of weights: "counts" if all are whole numbers, else "importance"."""
    table, _ = usable_weights(columns(frame, {"weight": (column, "number")}), column)
    parts = table.with_columns(part=nw.when(nw.col("weight") % 1 > 0).then(1).otherwise(0))
    return "importance" if Summary.of(parts, (), ["part"]).sums["part"][0] else "counts"


def by_weight(summary: Summary) -> Summary:
    """Return a summary that counts weights, if rows have some, with the number of rows beside."""
    if "weight" not in summary.sums:
        return summary
    sums = {name: values for name, values in summary.sums.items() if name not in ("count", "weight")}
    return replace(summary, sums={"count": summary.sums["weight"], "rows": summary.sums["count"], **sums})


def expanded_rows(sums: Array, squares: Array, most: int) -> tuple[Indices, Array]:
    """Entries and weights of rows that reproduce the sum and the sum of squares of the weights of each entry.

    So many rows of one weight, and one of another, tell as much as the rows themselves, whatever their weights were.
    Of more than `most` rows each entry has fewer, all of one weight: then they tell less.

    >>> entries, weights = expanded_rows(np.array([6.0, 2.0]), np.array([14.0, 4.0]), 10)
    >>> entries.tolist(), round(float(np.square(weights[:3]).sum()), 9), round(float(weights[:3].sum()), 9)
    ([0, 0, 0, 1], 14.0, 6.0)
    """
    alike = np.divide(sums**2, squares, out=np.zeros(len(sums)), where=sums > 0)
    # Rows of one weight only, as many as that makes, would not be a whole number.
    rows = np.ceil(alike - 1e-9)
    if rows.sum() > most:
        rows = np.ceil(alike * (most / alike.sum()))
        squares = np.divide(sums**2, rows, out=np.zeros(len(sums)), where=rows > 0)
    n, others = np.maximum(rows, 1), np.maximum(rows - 1, 0)
    apart = np.sqrt(np.maximum(n * squares - sums**2, 0) / np.maximum(others, 1)) * (others > 0)
    entries = np.repeat(np.arange(len(sums)), rows.astype(np.intp))
    weights = ((sums + apart) / n)[entries]
    first = np.flatnonzero(np.diff(entries, prepend=-1))
    weights[first] = ((sums - others * apart) / n)[entries[first]]
    return entries, weights


def refuse_without_unit(summary: Summary) -> Summary:
    """Raise if weighted rows have no unit: their sum would count as one row."""
    if "rows" in summary.sums and "unit" in summary.keys and (summary.keys["unit"] == "").any():
        raise ReadProblem(
            "Some rows do not say what they belong to, and rows with weights are added up by that. Fill in the "
            "column, or leave out these rows."
        )
    return summary
