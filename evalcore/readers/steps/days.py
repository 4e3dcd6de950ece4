"""The filter by dates, and the dates in a column of text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

import numpy as np
import pandas as pd

from evalcore.readers.problems import named
from evalcore.readers.steps.row_steps import Filter, short
from evalcore.readers.steps.step import refuse

__all__ = ["Days", "days_in", "period_limits"]

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
    """The first and the last day of so many months from one on, as `Days` takes them.

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

    word: ClassVar[str] = "days"
    first: str
    last: str

    @property
    def condition(self) -> str:
        """See `Filter`."""
        if period := _period(self.first, self.last):
            return f"{short(self.column)} {period}"
        if self.first and self.last:
            return f"{short(self.column)} {short(self.first)} to {short(self.last)}"
        return f"{short(self.column)} {'from ' + short(self.first) if self.first else 'until ' + short(self.last)}"

    def mask(self, frame: pd.DataFrame) -> np.ndarray:
        """See `Filter`."""
        days = days_in(frame[self.column])
        if days is None:
            refuse(f"Column {named(self.column)} holds no dates.")
        kept = ~np.isnat(days)
        for limit, within in ((self.first, np.greater_equal), (self.last, np.less_equal)):
            if limit:
                try:
                    kept &= within(days, np.datetime64(date.fromisoformat(limit)))
                except ValueError:
                    refuse(f"{named(limit)} is no date such as 2024-05-01.")
        return kept
