"""Steps that change which rows there are: filters, a long table made wide, and bins divided at thresholds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

import numpy as np
import pandas as pd

from evalcore.numeric import Array, Flags, Indices
from evalcore.readers.base import listed, named, text_of
from evalcore.readers.steps.step import Change, Step, existing, holds, numbers_in, refuse, values_at
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["Days", "Filter", "Leave", "Missing", "Numbered", "Only", "Pair", "Present", "Range", "Split"]
__all__ += ["Wide", "days_in", "period_limits"]

_MOST_WIDE, _LONGEST, _MOST_VALUES = 200, 30, 3


@dataclass(frozen=True)
class Filter(Step):
    """A step that keeps some of the rows, by the values of one column."""

    column: str

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        """Rows that stay, as flags, shape (rows,)."""
        raise NotImplementedError

    @property
    def condition(self) -> str:
        """The rows that stay in a few words: age 40–60. With names from the file: escape them."""
        raise NotImplementedError

    sentence = property(lambda self: f"Rows with {self.condition}")

    def apply(self, frame: pd.DataFrame) -> Change:
        existing(frame, self.column)
        return self._kept(frame)

    def _kept(self, frame: pd.DataFrame) -> Change:
        rows = np.flatnonzero(self.mask(frame))
        if not rows.size:
            refuse(f"No row is left with {self.condition}.")
        note = f"{count_text(rows.size)} of {rows_text(len(frame))}"
        return Change(frame.take(rows).reset_index(drop=True), note, rows)


@dataclass(frozen=True)
class Range(Filter):
    """Keep the rows whose number lies within limits, both included; an open limit is nan."""

    lowest: float
    highest: float

    @property
    def condition(self) -> str:
        if np.isnan(self.lowest):
            return f"{short(self.column)} ≤ {text_of(self.highest)}"
        if np.isnan(self.highest):
            return f"{short(self.column)} ≥ {text_of(self.lowest)}"
        between = "–" if self.lowest >= 0 else " to "
        return f"{short(self.column)} {text_of(self.lowest)}{between}{text_of(self.highest)}"

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        numbers = numbers_in(frame, self.column)
        kept = np.isnan(self.lowest) | (numbers >= self.lowest)
        return ~np.isnan(numbers) & kept & (np.isnan(self.highest) | (numbers <= self.highest))


@dataclass(frozen=True)
class Only(Filter):
    """Keep the rows that have one of some values."""

    values: tuple[str, ...]
    condition = property(lambda self: f"{short(self.column)} {_values(self.values)}")

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        return holds(frame[self.column], self.values)


@dataclass(frozen=True)
class Leave(Only):
    """Leave out the rows that have one of some values, such as those of a class that is dropped."""

    condition = property(lambda self: f"{short(self.column)} not {_values(self.values)}")

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        return ~super().mask(frame)


@dataclass(frozen=True)
class Present(Filter):
    """Keep the rows that have a value."""

    condition = property(lambda self: f"{short(self.column)} {self.word}")

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        return frame[self.column].notna().to_numpy(bool)


@dataclass(frozen=True)
class Missing(Present):
    """Keep the rows that have no value."""

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        return ~super().mask(frame)


@dataclass(frozen=True)
class Numbered(Filter):
    """Keep rows by their numbers from 1, "5-9" for several; `column` says what they are.

    `of` is the number of rows that the table had: in another one the numbers would be those of other rows.
    """

    numbers: tuple[str, ...]
    of: float

    @classmethod
    def of_rows(cls, what: str, rows: np.ndarray, of: int) -> "Numbered":
        """The filter of rows whose numbers count from 0, in ascending order."""
        starts = np.flatnonzero(np.diff(rows, prepend=-2) > 1)
        firsts, lasts = rows[starts] + 1, rows[[*(starts[1:] - 1), len(rows) - 1]] + 1
        pieces = (str(a) if a == b else f"{a}-{b}" for a, b in zip(firsts.tolist(), lasts.tolist(), strict=True))
        return cls(what, tuple(pieces), of)

    condition = property(lambda self: short(self.column))

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        mask = np.zeros(len(frame), bool)
        for piece in self.numbers:
            first, _, last = piece.partition("-")
            mask[int(first) - 1 : int(last or first)] = True
        return mask

    def apply(self, frame: pd.DataFrame) -> Change:
        if len(frame) != self.of or not all(_PIECE.fullmatch(piece) for piece in self.numbers):
            refuse(f"The rows “{short(self.column)}” were selected by row number in a table of {rows_text(self.of)}.")
        return self._kept(frame)


_PIECE = re.compile(r"[1-9]\d{0,9}(-[1-9]\d{0,9})?", re.ASCII)


@dataclass(frozen=True)
class Wide(Step):
    """Make one row per case and a column per system of a table with a row for both; constant columns stay."""

    ids: tuple[str, ...]
    system: str
    value: str

    @property
    def sentence(self) -> str:
        return f"One row per {listed(self.ids)}, one column of {named(self.value)} per {named(self.system)}"

    def apply(self, frame: pd.DataFrame) -> Change:
        existing(frame, *self.ids, self.system, self.value)
        parts = (*self.ids, self.system, self.value)
        if len(set(parts)) < len(parts):
            refuse("The columns of cases, systems and values must be different ones.")
        system_codes, systems = pd.factorize(frame[self.system])
        if not 1 <= len(systems) <= _MOST_WIDE:
            reason = f"Column {named(self.system)} holds {count_text(len(systems))} different values"
            refuse(f"{reason}; it must name 1 to {_MOST_WIDE} systems.")
        cases = frame.groupby(list(self.ids), sort=False).ngroup().to_numpy(np.float64)  # nan where an id is missing
        kept = np.flatnonzero(~np.isnan(cases) & (system_codes >= 0))
        row = pd.factorize(cases[kept])[0]  # cases in the order of their first rows
        first = kept[np.unique(row, return_index=True)[1]]
        cells = row * len(systems) + system_codes[kept]
        if len(twice := np.flatnonzero(pd.Series(cells).duplicated())):
            again = frame.iloc[kept[twice[0]]]
            case = listed(again[name] for name in self.ids)
            refuse(f"System {named(text_of(again[self.system]))} has two rows for {case}.")
        where = np.full(len(first) * len(systems), -1, np.int64)
        where[cells] = kept
        others = [name for name in frame.columns if name not in parts]
        codes = {name: pd.factorize(frame[name])[0] for name in others}
        constant = {name for name, own in codes.items() if (own[kept] == own[first][row]).all()}
        columns = {name: frame[name].take(first) for name in frame.columns if name in {*self.ids, *constant}}
        for index, system in enumerate(systems):
            name = text_of(system)
            name = f"{self.value} {name}" if name in columns else name
            columns[name] = values_at(frame[self.value], where[index :: len(systems)])
        wide = pd.DataFrame({name: column.reset_index(drop=True) for name, column in columns.items()})
        note = f"{rows_text(len(wide))} of {count_text(len(systems))} systems"
        if left := [name for name in others if name not in constant]:
            note += f"; {listed(left, 3)} differs between rows of a case and is left out"
        return Change(wide, note, first, fresh=True)


def short(name: str) -> str:
    """Shorten a condition for a name."""
    text = " ".join(name.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _values(texts: tuple[str, ...]) -> str:
    """The first values, the rest as a count."""
    some = ", ".join(short(text) for text in texts[:_MOST_VALUES])
    return some if len(texts) <= _MOST_VALUES else f"{some} and {count_text(len(texts) - _MOST_VALUES)} more"


_ISO, _POINTS = r"\d{4}-\d\d-\d\d(?:[T ].*)?", r"\d\d?\.\d\d?\.\d{4}(?: .*)?"
_HEAD = 200


def days_in(column: pd.Series) -> np.ndarray | None:
    """The day of each cell, NaT where missing, shape (rows,); None unless all are dates: 2024-05-01 or 1.5.2024.

    >>> days_in(pd.Series(["2024-05-01 12:30", None])), days_in(pd.Series(["1.5.2024"])), days_in(pd.Series(["5"]))
    (array(['2024-05-01',        'NaT'], dtype='datetime64[D]'), array(['2024-05-01'], dtype='datetime64[D]'), None)
    """
    present = column.dropna() if column.dtype.kind not in "iufb" else column.iloc[:0]
    for pattern, form in ((_ISO, "%Y-%m-%d"), (_POINTS, "%d.%m.%Y")):
        if len(present) and all(some.astype("str").str.fullmatch(pattern).all() for some in (present[:_HEAD], present)):
            texts = column.astype("str").str.split(r"[T ]", n=1, regex=True).str[0]
            days = pd.to_datetime(texts.where(column.notna()), format=form, errors="coerce")
            if days.notna().sum() == len(present):
                return days.to_numpy("datetime64[D]")
    return None


def period_limits(period: np.datetime64, months: int) -> tuple[str, str]:
    """First and last day of a period of some months, in the form that `Days` takes.

    >>> period_limits(np.datetime64("2024-01"), 3)
    ('2024-01-01', '2024-03-31')
    """
    first, after = (month.astype("datetime64[D]") for month in (period, period + np.timedelta64(months, "M")))
    return str(first), str(after - np.timedelta64(1, "D"))


def _period(first: str, last: str) -> str:
    """A month, a quarter or a year by its first and last day: "2024-05", "2024 Q2" or "2024"; else empty."""
    for months in (1, 3, 12):
        try:
            month = np.datetime64(first[:7], "M")
        except ValueError:
            return ""
        number = int(month.astype(np.int64)) % 12
        if number % months == 0 and period_limits(month, months) == (first, last):
            return {1: first[:7], 3: f"{first[:4]} Q{number // 3 + 1}", 12: first[:4]}[months]
    return ""


@dataclass(frozen=True)
class Days(Filter):
    """Keep the rows whose date lies within limits, both included, written as 2024-05-01; an open limit is empty."""

    first: str
    last: str

    @property
    def condition(self) -> str:
        if period := _period(self.first, self.last):
            return f"{short(self.column)} {period}"
        if self.first and self.last:
            return f"{short(self.column)} {short(self.first)} to {short(self.last)}"
        return f"{short(self.column)} {'from ' + short(self.first) if self.first else 'until ' + short(self.last)}"

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        if (days := days_in(frame[self.column])) is None:
            refuse(f"Column {named(self.column)} holds no dates.")
        kept = ~np.isnat(days)
        for limit, within in ((self.first, np.greater_equal), (self.last, np.less_equal)):
            if limit:
                try:
                    kept &= within(days, np.datetime64(date.fromisoformat(limit)))
                except ValueError:
                    refuse(f"{named(limit)} is not a date such as 2024-05-01.")
        return kept


@dataclass(frozen=True)
class Split(Step):
    """Divide the bin of scores around a threshold, with the counts of the side that the threshold calls positive.

    The columns are the scores (the lax ends of the bins), their other ends, and the row counts (empty where each row
    counts one). Entries of the bin with the same values in the columns `by`, such as the labels, are counted together;
    `last` is the last score of the bin that is not called positive, `first` the first that is, and `moved` how many
    rows of each combination, in the order of the table, are called positive. Whatever the numbers of a link say, no
    count leaves its certain bounds.

    >>> columns = {"score": [0.1, 0.5, 0.5], "end": [0.4, 0.9, 0.9], "rows": [3, 5, 2], "ill": [0, 1, 0]}
    >>> step = Split("score", "end", "rows", ("ill",), 0.7, 0.6, 0.7, ("4", "0"))
    >>> step.apply(pd.DataFrame(columns)).frame.to_numpy().tolist()
    [[0.1, 0.4, 3.0, 0.0], [0.5, 0.6, 1.0, 1.0], [0.5, 0.6, 2.0, 0.0], [0.7, 0.9, 4.0, 1.0]]
    """

    column: str
    ends: str
    weight: str
    by: tuple[str, ...]
    threshold: float
    last: float
    first: float
    moved: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return f"Counts of {named(self.column)} at {text_of(self.threshold)} are exact, from the table itself"

    target = property(lambda self: (self.word, self.column))

    def apply(self, frame: pd.DataFrame) -> Change:
        edges, others = (numbers_in(frame, name) for name in (self.column, self.ends))
        counts, numbers = counts_of(frame, self.weight).copy(), numbers_of(self.moved)
        inside = np.flatnonzero(_inside(edges, others, self.last, self.first))
        same = combinations(frame.iloc[inside], self.by)
        if len(np.unique(edges[inside])) != 1 or len(numbers) != same.max(initial=-1) + 1:
            refuse(f"There is no such bin of {named(self.column)}.")
        sizes = np.bincount(same, counts[inside]).astype(np.float64)
        if (numbers < 0).any() or (numbers > sizes * (1 + NEAR)).any() or self.last == self.first:
            refuse(f"The bin of {named(self.column)} has fewer rows.")
        if self.weight and frame[self.weight].dtype.kind == "f":
            moved = counts[inside] * np.minimum(numbers / np.where(sizes > 0, sizes, 1), 1)[same]
        else:
            moved = _shared(numbers, sizes, same, counts[inside])
        rows = np.concatenate([np.arange(len(frame)), inside])
        divided = frame.take(rows).reset_index(drop=True)
        counts[inside] -= moved
        divided.loc[inside, self.ends] = self.last
        divided.loc[np.arange(len(frame), len(rows)), self.column] = self.first
        return with_counts(divided, self.weight, np.concatenate([counts, moved]), rows, rows_text(float(moved.sum())))

    @classmethod
    def at(
        cls, frame: pd.DataFrame, columns: tuple[str, str, str], by: tuple[str, ...], cut: tuple[float, float, float],
        called: Array,
    ) -> Self | None:  # fmt: skip
        """The step that makes this many rows of each combination positive; None if no bin is divided.

        The columns are those of scores, other ends and counts, the cut is threshold, last and first score.
        """
        column, end, weight = columns
        near, far = numbers_in(frame, column), numbers_in(frame, end)
        counts, same, (threshold, last, first) = counts_of(frame, weight), combinations(frame, by), cut
        sure = np.bincount(same, np.where(is_called(near, last, first), counts, 0.0), len(called))
        left = called - sure
        inside = _inside(near, far, last, first)
        if not inside.any() or not 0 < abs(first - last) < np.inf:
            if not np.allclose(called, sure, rtol=NEAR, atol=NEAR * counts.sum()):
                refuse(f"The counts of {named(column)} are those of other rows.")
            return None
        # What weights leave of a difference of nothing is nothing.
        moved = np.where(np.abs(left) <= NEAR * called, 0.0, left)[pd.unique(same[inside])]
        return cls(column, end, weight, by, threshold, last, first, tuple(map(text_of, moved.tolist())))


NEAR = 1e-9  # how far sums of weights may lie apart that are equal but for their last digits


def is_called(near: Array, last: float, first: float) -> Flags:
    """Bins called positive, by their lower ends, as flags."""
    return near >= first if first > last else near <= first


def _inside(near: Array, far: Array, last: float, first: float) -> Flags:
    return (np.minimum(near, far) <= min(last, first)) & (np.maximum(near, far) >= max(last, first))


def counts_of(frame: pd.DataFrame, weight: str) -> Array:
    """Number of rows that each line of a table represents; 1 if no column counts them."""
    return numbers_in(frame, weight) if weight else np.ones(len(frame))


def numbers_of(texts: Sequence[str]) -> Array:
    """Parse the numbers of a link; -1 for one that is invalid or negative."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            return -1.0
        return value if 0 <= value < np.inf else -1.0

    return np.array([number(text) for text in texts])


def with_counts(frame: pd.DataFrame, weight: str, counts: Array, rows: Indices, note: str) -> Change:
    """Replace the counts of a table, and drop rows that count none."""
    if weight:
        frame[weight] = pd.Series(counts).astype(frame[weight].dtype)
    left = counts > 1e-12 * counts.max(initial=0.0)
    return Change(frame[left].reset_index(drop=True), note, rows[left])


def combinations(frame: pd.DataFrame, columns: Sequence[str]) -> Indices:
    """Code of each row's combination of values in some columns, from 0 in the order of the table."""
    existing(frame, *columns)
    return frame.groupby(list(columns), sort=False, dropna=False).ngroup().to_numpy().astype(np.intp)


def _shared(numbers: Array, sizes: Array, same: Indices, counts: Array) -> Array:
    """Distribute the rows of each combination over its entries in whole numbers, as evenly as possible."""
    order = np.argsort(same, kind="stable")
    through = np.cumsum(counts[order]) - (np.cumsum(sizes) - sizes)[same[order]]
    ends = np.floor(through * (numbers / np.maximum(sizes, 1))[same[order]] + 0.5)
    shares = np.empty(len(counts))
    shares[order] = np.diff(ends, prepend=0.0)
    first = np.flatnonzero(np.diff(same[order], prepend=-1))
    shares[order[first]] = ends[first]
    return shares


@dataclass(frozen=True)
class Pair(Step):
    """Divide the bins of two systems around their thresholds, with the counts of rows that both, one or none calls.

    The columns are the scores of A and of B, and their other ends: the same where each score is known. `counts` are,
    for each combination of values in the columns `by`, in the order of the table, the rows that both call, only A, only
    B and neither; the others are as in `Split`. Whatever the numbers of a link say, no row is added and no system has
    other counts elsewhere.

    >>> columns = {"ill": [1, 1, 0], "a": [0.1, 0.6, 0.1], "b": [0.2, 0.7, 0.2], "rows": [3, 4, 5]}
    >>> step = Pair(("a", "b"), ("a", "b"), "rows", ("ill",), 0.5, 0.1, 0.6, 0.5, 0.2, 0.7, tuple("31120005"))
    >>> step.apply(pd.DataFrame(columns)).frame.to_numpy().tolist()[-2:]
    [[1.0, 0.6, 0.2, 1.0], [1.0, 0.1, 0.7, 1.0]]
    """

    columns: tuple[str, ...]
    ends: tuple[str, ...]
    weight: str
    by: tuple[str, ...]
    threshold_a: float
    last_a: float
    first_a: float
    threshold_b: float
    last_b: float
    first_b: float
    counts: tuple[str, ...]

    @property
    def sentence(self) -> str:
        a, b = (f"{named(name)} at {text_of(at[0])}" for name, at in zip(self.columns, self.cuts, strict=False))
        return f"Counts of {a} and {b} together are exact, from the table itself"

    target = property(lambda self: (self.word, self.columns))

    @property
    def cuts(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Threshold, last and first score of each system."""
        return (self.threshold_a, self.last_a, self.first_a), (self.threshold_b, self.last_b, self.first_b)

    def apply(self, frame: pd.DataFrame) -> Change:
        same, numbers = combinations(frame, self.by), numbers_of(self.counts)
        if len(self.columns) != 2 or len(self.ends) != 2 or len(numbers) != 4 * (same.max(initial=-1) + 1):
            refuse("These are not counts of two systems.")
        cells, rows = numbers.reshape(-1, 4), np.arange(len(frame))
        of_rows = np.bincount(same, counts_of(frame, self.weight), len(cells))
        if (cells < 0).any() or not np.allclose(cells.sum(axis=1), of_rows, rtol=NEAR):
            refuse(f"The counts of {named(self.columns[0])} and {named(self.columns[1])} are those of other rows.")
        called = cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
        for column, end, cut, of_one in zip(self.columns, self.ends, self.cuts, called, strict=True):
            if (split := Split.at(frame, (column, end, self.weight), self.by, cut, of_one)) is not None:
                change = split.apply(frame)
                frame, rows = change.frame, rows if change.rows is None else rows[change.rows]
        change = self._exchanged(frame, cells)
        return Change(change.frame, change.note, rows if change.rows is None else rows[change.rows])

    def _exchanged(self, frame: pd.DataFrame, cells: Array) -> Change:
        """Exchange scores of B within combinations until both systems call the given numbers of rows positive."""
        near = [numbers_in(frame, column) for column in self.columns]
        calls = [is_called(values, last, first) for values, (_, last, first) in zip(near, self.cuts, strict=True)]
        counts, same = counts_of(frame, self.weight).copy(), combinations(frame, self.by)
        rows_of = lambda called: np.bincount(same, np.where(called, counts, 0.0), len(cells))  # noqa: E731
        both, *of_each = map(rows_of, (calls[0] & calls[1], *calls))
        wanted = cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
        if not np.allclose(of_each, wanted, rtol=NEAR, atol=NEAR * counts.sum()):
            refuse(f"The counts of {named(self.columns[0])} and {named(self.columns[1])} are those of other rows.")
        distance = np.abs(near[1] - self.threshold_b)
        pairs = []
        for code, more in enumerate((cells[:, 0] - both).tolist()):
            called = ((True, more < 0), (False, more > 0))
            sides = ((same == code) & (calls[0] == of_a) & (calls[1] == of_b) for of_a, of_b in called)
            ordered = [np.flatnonzero(side)[np.argsort(distance[side], kind="stable")] for side in sides]
            if abs(more) > NEAR * counts.sum():
                pairs.append(_first_of(ordered[0], ordered[1], counts, abs(more)))
        if not pairs:
            return Change(frame, "")
        one, two, size = (np.concatenate(each) for each in zip(*pairs, strict=True))
        for rows in (one, two):
            np.subtract.at(counts, rows, size)
        own = np.arange(len(frame))
        rows, partners = np.concatenate([own, one, two]), np.concatenate([own, two, one])
        exchanged = frame.take(rows).reset_index(drop=True)
        for name in dict.fromkeys((self.columns[1], self.ends[1])):
            exchanged[name] = frame[name].to_numpy()[partners]
        return with_counts(exchanged, self.weight, np.concatenate([counts, size, size]), rows, "")


def _first_of(one: Indices, two: Indices, counts: Array, size: float) -> tuple[Indices, Indices, Array]:
    """Pair the first rows of both, as many as both have: indices in both, and the rows of each pair of indices."""
    ends = [np.minimum(np.cumsum(counts[rows]), size) for rows in (one, two)]
    cuts = np.unique(np.concatenate(ends))
    sizes = np.diff(cuts, prepend=0.0)
    cuts, sizes = cuts[sizes > 0], sizes[sizes > 0]
    first, second = (rows[of.searchsorted(cuts - sizes / 2)] for rows, of in zip((one, two), ends, strict=True))
    return first, second, sizes
