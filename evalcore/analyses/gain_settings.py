"""What a grade is worth and how much a rank discounts it, with the texts that stand for both in addresses and names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalcore.retrieval import GAIN

__all__ = ["GainSettings", "gain_table", "gains_by_grade", "usable_gain", "writable"]

_HIGHEST_POWER = 100
"""Grades above this have no exponential gain: one document of the highest grade would hide all others."""

_MOST_CHARACTERS, _HIGHEST_GAIN = 500, 1e6


@dataclass(frozen=True)
class GainSettings:
    """Gain and discount of the graded measures.

    Parameters
    ----------
    gain : str
        "linear", "exp", or a table such as "1:3;2:7".
    discount : str
        "log", "original" or "none".
    base : float
        Base of the logarithm in the discount, above 1.
    """

    gain: str = "linear"
    discount: str = "log"
    base: float = 2.0

    def name_of(self, symbol: str, cut: object) -> str:
        """The name of a measure cut at a rank with these settings, as `find` reads it; CG and nCG have no discount.

        >>> GainSettings(gain="exp").name_of("nDCG", 10)
        'nDCG(gain=exp,discount=log,base=2)@10'
        """
        discount = f",discount={self.discount},base={self.base:.12g}" if "D" in symbol else ""
        return f"{symbol}(gain={self.gain}{discount})@{cut}"

    @property
    def formulas(self) -> dict[str, str]:
        """Gain and discount as TeX, by what they are."""
        pairs = r",\quad ".join(f"g({grade:g}) = {gain:g}" for grade, gain in gains_by_grade(self.gain).items())
        discounts = {
            "log": rf"d(i) = \frac{{1}}{{\log_{{{self.base:g}}}(i + 1)}}",
            "original": rf"d(i) = \frac{{1}}{{\max(1,\ \log_{{{self.base:g}}} i)}}",
            "none": "d(i) = 1",
        }
        gain = {"linear": "g(v) = v", "exp": "g(v) = 2^v - 1"}.get(self.gain, pairs)
        return {"Gain of a grade": gain, "Discount of a rank": discounts[self.discount]}

    def own_gains(self, grades: Sequence[float], most: int) -> dict[float, float]:
        """A table of gains for a few grades to start from, which leaves their gains as they are."""
        exponential = self.gain == "exp"
        listed = writable(grades)[:most] or [1.0]
        return {grade: min(2.0**grade - 1, _HIGHEST_GAIN) if exponential and grade < 30 else grade for grade in listed}


def gains_by_grade(gain: str) -> dict[float, float]:
    """A table of gains read; empty for "linear" and "exp".

    >>> gains_by_grade("1:3;2:7")
    {1.0: 3.0, 2.0: 7.0}
    """
    pairs = (part.split(":") for part in gain.split(";")) if gain not in GAIN.choices else ()
    return {float(grade): float(value) for grade, value in pairs}


def gain_table(gains: Mapping[float, float]) -> str:
    """A table of gains written.

    >>> gain_table({1.0: 3.0, 2.5: 7.25})
    '1:3;2.5:7.25'
    """
    return ";".join(f"{_decimal(grade)}:{_decimal(gain)}" for grade, gain in gains.items())


def usable_gain(gain: str, grades: Sequence[float]) -> bool:
    """Whether a gain is written as the measures read it, and small enough to be summed for these grades.

    >>> usable_gain("1:3", [1, 2]), usable_gain("exp", [1, 2000]), usable_gain("0:1", [1]), usable_gain("cubic", [1])
    (True, False, False, False)
    """
    if gain == "exp":
        return max(grades, default=0) <= _HIGHEST_POWER
    if len(gain) >= _MOST_CHARACTERS:
        return False
    try:
        GAIN.checked(gain, "nDCG")
    except ValueError:
        return False
    # An irrelevant document gains nothing, judged or not.
    return all(grade > 0 and value <= _HIGHEST_GAIN for grade, value in gains_by_grade(gain).items())


def writable(grades: Sequence[float]) -> list[float]:
    """The grades that can stand in a table of gains: their decimals give them back."""
    return [grade for grade in grades if float(_decimal(grade)) == grade]


def _decimal(value: float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".")
