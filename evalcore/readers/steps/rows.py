"""Steps that change which rows there are: filters, and a long table made wide."""

import re
from dataclasses import dataclass
from datetime import date

import numpy as np
import pandas as pd

from evalcore.readers.base import listed, named, text_of
from evalcore.readers.steps.step import Change, Step, existing, holds, numbers_in, refuse, values_at
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["Days", "Filter", "Leave", "Missing", "Numbered", "Only", "Present", "Range", "Wide", "days_in"]
__all__ += ["period_limits"]

_MOST_WIDE = 200
_LONGEST, _MOST_VALUES = 30, 3


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
    """Keep rows by their numbers, where no values of columns tell them from the rest; `column` says what they are.

    Numbers count from 1, those that follow each other as "5-9". `of` is the number of rows that the table then had:
    in another table the numbers would be those of other rows.
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
    """Make one row per case of a table with one row per case and system, with a column of values for each system.

    Other columns stay if they are the same in all rows of a case.
    """

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
