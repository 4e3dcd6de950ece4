"""Axes of a figure in SVG: range, pixel positions, ticks and title."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evalcore.numeric import Array
from evalcore.wording.numbers import THIN

__all__ = ["Axis", "numbers_of"]

_FORMAT = re.compile(r"(?P<sign>\+)?(?P<comma>,)?(?:\.(?P<decimals>\d+))?(?P<trim>~)?(?P<kind>[%fgd])?")
_AIR = 0.05
"""Share of the range that is left free around markers, as Plotly leaves it."""


def numbers_of(values: Any) -> Array:
    """Values of a trace as numbers, nan for anything else."""
    if values is None:
        return np.empty(0)
    array = np.asarray(values)
    if array.dtype.kind in "iufb":
        return array.astype(np.float64)
    return np.array([_number(value) for value in array.tolist()], dtype=np.float64)


def _number(value: Any) -> float:
    try:
        return math.nan if value is None else float(value)
    except (TypeError, ValueError):
        return math.nan


@dataclass
class Axis:
    """Axis of a figure; `of` holds its settings under Plotly's names."""

    name: str  # "x", "y2"
    of: Mapping[str, Any]
    categories: list[str] = field(default_factory=list)
    low: float = math.inf
    high: float = -math.inf
    padded: bool = False
    from_zero: bool = False  # bars stand on it
    start: float = 0.0  # pixels of the low end and of the high end
    end: float = 1.0

    @property
    def across(self) -> bool:
        """Whether it is an x axis."""
        return self.name.startswith("x")

    @property
    def log(self) -> bool:
        """Whether it is logarithmic; its range is then in powers of ten."""
        return self.of.get("type") == "log"

    @property
    def visible(self) -> bool:
        """Whether any part of it is drawn."""
        return self.of.get("visible") is not False

    @property
    def labelled(self) -> bool:
        """Whether it has tick labels."""
        return self.visible and self.of.get("showticklabels") is not False

    @property
    def title(self) -> str:
        """Title of the axis."""
        return (self.of.get("title") or {}).get("text") or "" if self.visible else ""

    def take(self, values: Any) -> None:
        """Extend the axis to values; texts become categories unless the axis is numeric."""
        if values is None:
            return
        array = np.asarray(values)
        if array.dtype.kind in "OUS" and self.of.get("type") in (None, "-", "category"):
            texts = [value for value in array.tolist() if isinstance(value, str)]
            self.categories += [text for text in dict.fromkeys(texts) if text not in self.categories]

    def along(self, values: Any) -> Array:
        """Values in axis units: indices of categories, powers of ten on a logarithmic axis."""
        if self.categories:
            places = {name: index for index, name in enumerate(self.categories)}
            return np.array([places.get(v, _number(v)) for v in np.asarray(values).tolist()], dtype=np.float64)
        numbers = numbers_of(values)
        if not self.log:
            return numbers
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(numbers > 0, np.log10(numbers), np.nan)

    def widen(self, values: Array, padded: bool = False) -> None:
        """Extend the range to numbers on the axis, with padding for markers."""
        shown = values[np.isfinite(values)]
        if len(shown):
            self.low, self.high = min(self.low, float(shown.min())), max(self.high, float(shown.max()))
            self.padded |= padded

    def settle(self, other: "Axis | None" = None) -> None:
        """Set the range: as given, as of a matching axis, or from the values."""
        if other is not None and not self.of.get("range"):
            self.low, self.high = other.low, other.high
            return
        limits = self.of.get("range")
        if limits and all(end is not None for end in limits):
            self.low, self.high = map(float, limits)
            return
        if self.categories:
            self.low, self.high = -0.5, len(self.categories) - 0.5
        elif not math.isfinite(self.low):
            self.low, self.high = 0.0, 1.0
        elif self.low == self.high:
            self.low, self.high = self.low - 1, self.high + 1
        else:
            air = _AIR * (self.high - self.low) if self.padded or not self.across else 0.0
            zero = self.from_zero or self.of.get("rangemode") == "tozero"
            low = 0.0 if zero and self.low >= 0 else self.low - air
            self.high, self.low = (0.0 if zero and self.high <= 0 else self.high + air), low
        if self.of.get("autorange") == "reversed":
            self.low, self.high = self.high, self.low

    def pixels(self, values: Any) -> Array:
        """Pixel positions of values in data units."""
        return self.place(self.along(values))

    def place(self, numbers: Array | float) -> Array:
        """Pixel positions of numbers on the axis."""
        share = (np.asarray(numbers, dtype=np.float64) - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """Positions and texts of the ticks within the range."""
        low, high = sorted((self.low, self.high))
        room = 1e-9 * (high - low)
        ticks = self._set() if self.of.get("tickvals") is not None else self._tick_step_texts(low, high)
        return [(at, text) for at, text in ticks if low - room <= at <= high + room]

    def _set(self) -> list[tuple[float, str]]:
        values = self.along(self.of["tickvals"]).tolist()
        texts = self.of.get("ticktext")
        step = min(np.diff(sorted(values)).tolist(), default=1.0)
        words = [str(text) for text in texts] if texts is not None else [self._tick_text(v, step) for v in values]
        return list(zip(values, words, strict=False))

    def _tick_step_texts(self, low: float, high: float) -> list[tuple[float, str]]:
        length = abs(self.end - self.start)
        if self.categories:
            step = max(1, math.ceil(len(self.categories) / max(length / (46 if self.across else 16), 1)))
            return [(float(index), name) for index, name in enumerate(self.categories)][::step]
        if self.log:
            return self._powers(low, high)
        most = self.of.get("nticks") or max(2.0, min(9.0, length / (70 if self.across else 46)))
        step = float(self.of.get("dtick") or _round_step((high - low) / most))
        first = math.ceil(low / step - 1e-9)
        places = [step * index for index in range(first, math.floor(high / step + 1e-9) + 1)]
        return [(0.0 if abs(at) < step * 1e-9 else at, self._tick_text(at, step)) for at in places[:200]]

    def _powers(self, low: float, high: float) -> list[tuple[float, str]]:
        factors: Sequence[int] = (1,) if high - low > 2 else (1, 2, 5)
        powers = range(math.floor(low), math.ceil(high) + 1)
        every = max(1, math.ceil((high - low) / 8))
        at = [(factor, power) for power in powers if power % every == 0 for factor in factors]
        return [(math.log10(factor) + power, self._plain(factor * 10.0**power)) for factor, power in at]

    def _plain(self, value: float) -> str:
        text = f"{value:,.0f}".replace(",", THIN) if value >= 1 else f"{value:.3g}"
        return text

    def _tick_text(self, value: float, step: float) -> str:
        pattern = self.of.get("tickformat") or next(
            (
                stop["value"]
                for stop in self.of.get("tickformatstops") or ()
                if (stop["dtickrange"][0] or 0) <= step < (stop["dtickrange"][1] or math.inf)
            ),
            "",
        )
        if abs(value) < abs(step) * 1e-9:
            value = 0.0
        return number_as(value, pattern, step) + (self.of.get("ticksuffix") or "")


def same_scale(axis: Axis, other: Axis) -> None:
    """Shorten the axis that has more pixels for one unit, around its middle."""
    pixels = [abs(one.end - one.start) / (abs(one.high - one.low) or 1) for one in (axis, other)]
    long, least = (axis, pixels[1]) if pixels[0] > pixels[1] else (other, pixels[0])
    middle, half = (long.start + long.end) / 2, least * abs(long.high - long.low) / 2
    way = 1 if long.end > long.start else -1
    long.start, long.end = middle - way * half, middle + way * half


def number_as(value: float, pattern: str, step: float = 1.0) -> str:
    """A number in a format of Plotly's ticks, or with as many decimals as a step between ticks needs.

    >>> number_as(0.25, ".0%"), number_as(-1234.5, ",d"), number_as(0.3, "+.2f"), number_as(0.5, "", 0.05)
    ('25\u202f%', '−1\u202f234', '+0.30', '0.50')
    """
    match = _FORMAT.fullmatch(pattern)
    sign, decimals, trim, kind = match.group("sign", "decimals", "trim", "kind") if match else (None,) * 4
    if kind == "%":
        text = f"{100 * value:.{int(decimals or 0)}f}{THIN}%"
    elif kind == "d":
        text = f"{value:,.0f}"
    elif kind == "f":
        text = f"{value:,.{int(decimals or 6)}f}"
        text = text.rstrip("0").rstrip(".") if trim and "." in text else text
    elif kind == "g":
        text = f"{value:,.{int(decimals or 12)}g}"
        text = f"{value:,.0f}" if "e" in text and abs(value) < 1e15 else text
    else:
        places = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
        text = f"{value:,.{min(places, 9)}f}"
    plus = "+" if sign and value > 0 else ""
    return plus + text.replace(",", THIN).replace("-", "−")


def _round_step(rough: float) -> float:
    """Smallest step of 2, 5 or 10 times a power of ten that is at least a given length."""
    if not rough > 0:
        return 1.0
    base = 10.0 ** math.floor(math.log10(rough))
    return base * next((nice for nice in (1, 2, 5) if rough <= nice * base * (1 + 1e-9)), 10)
