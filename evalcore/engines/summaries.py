"""Small tables of sums by key, which engines return for large tables and which add up over shards and days."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from evalcore.engines.frames import MOST_ROWS, collected, columns
from evalcore.numeric import Array
from evalcore.readers.base.problems import ReadProblem, named
from evalcore.readers.base.values import text_of
from evalcore.readers.table.rows import NO_GROUP
from evalcore.wording.numbers import rows_text

__all__ = ["Summary"]


@dataclass(frozen=True, eq=False)
class Summary:
    """Rows grouped by their keys. ``a + b`` is the summary of the rows of both.

    Attributes
    ----------
    keys : dict of str to array, shape (g,)
        Texts, or numbers; each combination once.
    sums, lowest, highest : dict of str to Array, shape (g,)
        What the rows of each combination add up to, and their smallest and largest values.
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
        lowest: Mapping[str, str] | None = None,
        highest: Mapping[str, str] | None = None,
        most: int = MOST_ROWS,
        what: str = "summary",
    ) -> Summary:
        """Group the rows on their engine; the sum "count" is the number of rows.

        Parameters
        ----------
        keys, sums : iterable of str
            Names of columns. What is computed must be a column already: engines differ in what they group by.
        lowest, highest : mapping of str to str
            The column by the name of its extreme.
        what : str
            The noun for the summary, as `collected` has it.
        """
        keys, sums, lowest, highest = list(keys), list(sums), dict(lowest or {}), dict(highest or {})
        aggregates = [nw.len().alias("count"), *(nw.col(name).sum() for name in sums)]
        aggregates += [nw.col(column).min().alias(name) for name, column in lowest.items()]
        aggregates += [nw.col(column).max().alias(name) for name, column in highest.items()]
        grouped = table.group_by(*keys, drop_null_keys=False).agg(*aggregates) if keys else table.select(*aggregates)
        arrays = collected(grouped, most, what)
        # DuckDB adds whole numbers up to decimals, and a sum of no rows is missing.
        numbers = ({n: np.nan_to_num(floats(arrays[n])) for n in part} for part in (["count", *sums], lowest, highest))
        return cls({name: arrays[name] for name in keys}, *numbers)

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
        """Build a summary from one made elsewhere, such as by SQL; rows of equal keys are added up.

        Parameters
        ----------
        table : table of an engine, or mapping of str to array
        keys, numbers : mapping of str to str
            The column of the table by part.
        lowest, highest : tuple of str
            The `numbers` that are extremes; the others are sums.
        form : str
            What the keys hold, "label" or "id".
        merge : bool
            Whether to add up rows of one combination of keys.

        Raises
        ------
        ReadProblem
            If a column is missing or of another type, a number is missing, or a count is negative.
        """
        if isinstance(table, Mapping):
            table = nw.from_dict({name: np.asarray(values) for name, values in table.items()}, backend="pyarrow")
        forms = {part: (column, form) for part, column in keys.items()}
        arrays = collected(columns(table, forms | {part: (column, "number") for part, column in numbers.items()}))
        for part, column in numbers.items():
            arrays[part] = floats(arrays[part])
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

        def extremes(table: dict[str, Array], take: np.ufunc, start: float) -> dict[str, Array]:
            of = {name: np.full(n, start) for name in table}
            for name, values in table.items():
                take.at(of[name], codes, values)
            return of

        return Summary(
            {name: values[first] for name, values in self.keys.items()},
            {name: np.bincount(codes, values, n).astype(np.float64) for name, values in self.sums.items()},
            extremes(self.lowest, np.minimum, np.inf),
            extremes(self.highest, np.maximum, -np.inf),
        )

    def keyed(self, **keys: np.ndarray) -> Summary:
        """Group the rows by these keys instead of their own."""
        return Summary(keys, self.sums, self.lowest, self.highest).merged()

    def by(self, *names: str) -> Summary:
        """Add up over all keys but these."""
        return self.keyed(**{name: self.keys[name] for name in names})

    @property
    def tables(self) -> tuple[dict[str, np.ndarray], ...]:
        """Keys, sums, lowest and highest."""
        return self.keys, self.sums, self.lowest, self.highest


def floats(values: np.ndarray) -> Array:
    """Numbers as floats, nan where one is missing."""
    return values.astype(np.float64)


def texts(values: np.ndarray) -> np.ndarray:
    """The texts of labels, "" where one is missing, as objects of the same shape."""
    return _each(values, text_of)


def group_names(values: np.ndarray) -> np.ndarray:
    """Names of groups; rows without one form a group."""
    return _each(values, lambda value: text_of(value) or NO_GROUP)


def _each(values: np.ndarray, function: Callable[[Any], str]) -> np.ndarray:
    named: dict[Any, str] = {}
    rows = [None if value != value else value for value in values.tolist()]
    # True and 1 are one key of a dictionary, and two labels.
    rows = [named.setdefault((type(row), row), function(row)) for row in rows]
    return np.array(rows, dtype=object)


def grouped_rows(keys: list[np.ndarray], rows: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
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

POSITIVE_SUMS = ["positives", "positive_squares"]
"""What is summed of the positives alone where rows have weights."""


def usable_weights(table: nw.LazyFrame[Any], column: str) -> tuple[nw.LazyFrame[Any], float]:
    """Rows with a weight, with its square, and the number of rows without one.

    Raises
    ------
    ReadProblem
        If a weight is negative or infinite.
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
    """Return a summary that counts weights, with the number of rows beside."""
    sums = {name: values for name, values in summary.sums.items() if name not in ("count", "weight")}
    return replace(summary, sums={"count": summary.sums["weight"], "rows": summary.sums["count"], **sums})


def expanded_rows(sums: Array, squares: Array, most: int) -> tuple[npt.NDArray[np.intp], Array]:
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


def effective(summary: Summary) -> float:
    """Effective number of rows (Kish); the count if rows have no weights."""
    total = float(summary.sums["count"].sum())
    squares = float(summary.sums["squares"].sum()) if "squares" in summary.sums else total
    return total * (total / squares) if squares else total


def refuse_without_unit(summary: Summary) -> Summary:
    """Raise if weighted rows have no unit: their sum would count as one row."""
    if "rows" in summary.sums and "unit" in summary.keys and (summary.keys["unit"] == "").any():
        raise ReadProblem(
            "Some rows do not say what they belong to, and rows with weights are added up by that. Fill in the "
            "column, or leave out these rows."
        )
    return summary
