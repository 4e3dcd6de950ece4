"""What an answer may be: a number, one of some options, several numbers at once, a mark on a picture."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from evalcore.wording import count_text, number_text, share_text, threshold_text

__all__ = ["Answer", "Choice", "Mark", "Number", "Values", "field_names", "read_number"]

LARGEST = 10**9
"""The largest number that a lecture may name."""

_WRITTEN = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?)(?:/(\d+(?:\.\d*)?))?(%?)")


class Answer(Protocol):
    """What a question expects. `read` takes what was typed or clicked, or a value of a receipt; it may raise ValueError
    with a sentence for the reader. `right` judges what was read, `text` writes it, `solution` is a right one."""

    def read(self, typed: Any) -> Any: ...
    def right(self, value: Any) -> bool: ...
    def text(self, value: Any) -> str: ...
    @property
    def solution(self) -> Any: ...


def read_number(typed: object, is_share: bool = False) -> float:
    """A number as people type it: 0.67, .67, 0,67, 2/3, 67 %, 1 820; of a share, 67 is 67 %. Raises ValueError.

    >>> read_number("2/3") == 2 / 3, read_number("66.7 %"), read_number("0,5"), read_number("67", is_share=True)
    (True, 0.667, 0.5, 0.67)
    """
    if isinstance(typed, float) and math.isfinite(typed):  # read before, such as an answer of a receipt
        return float(typed)
    compact = re.sub(r"[\s\u2009\u202f']", "", str(typed)).replace("−", "-")
    if compact.count(",") == 1 and "." not in compact:
        compact = compact.replace(",", ".")
    match = _WRITTEN.fullmatch(compact) if len(compact) <= 80 else None
    if not match or (match[2] and not float(match[2])):
        raise ValueError(f"“{str(typed)[:40]}” is not a number. Type one such as 0.67, 67 % or 2/3.")
    value = Fraction(match[1]) / Fraction(match[2] or 1)
    if match[3] or (is_share and abs(value) > 1):
        value /= 100
    return float(value)


@dataclass(frozen=True)
class Number:
    """One number; right within the tolerance, which is half of the last digit asked for."""

    value: float
    is_share: bool = True
    tolerance: float = 0.005

    def read(self, typed: object) -> float:
        return read_number(typed, self.is_share)

    def right(self, value: float) -> bool:
        return math.isclose(value, self.value, rel_tol=1e-9, abs_tol=self.tolerance + 1e-9)

    def text(self, value: float) -> str:
        if self.is_share:
            return share_text(value)
        return count_text(value) if value == round(value) else number_text(value)

    def check_range(self, value: float) -> None:
        """Raise ValueError for a share outside 0 to 1, and for a number beyond all that lectures ask for.

        Where the answer itself lies outside, as a kappa below 0 does, the range extends to the next whole number.
        """
        most = 1 if self.is_share else LARGEST
        low, high = min(0 if self.is_share else -most, math.floor(self.value)), max(most, math.ceil(self.value))
        if not low <= value <= high:
            raise ValueError(f"{self.text(value)} is out of range. Guess from {self.text(low)} to {self.text(high)}.")

    @property
    def solution(self) -> float:
        return self.value


@dataclass(frozen=True)
class Choice:
    """One of some options, by its position; one of them is right."""

    options: Sequence[str]
    index: int

    def read(self, typed: object) -> int:
        for index in range(len(self.options)):
            if typed in (index, str(index)):
                return index
        raise ValueError("Choose one of the answers.")

    def right(self, value: int) -> bool:
        return value == self.index

    def text(self, value: int) -> str:
        return self.options[value]

    @property
    def solution(self) -> int:
        return self.index


@dataclass(frozen=True)
class Values:
    """Several numbers that have to satisfy something: the cells of a table, a threshold, grades in their order."""

    names: Sequence[str]
    satisfies: Callable[[Sequence[float]], bool]
    solution: Sequence[float]
    lowest: float = 0
    highest: float = math.inf
    whole: bool = True
    start: Sequence[float] = field(default=())
    numbers: Callable[[Sequence[float]], Sequence[tuple[str, str]]] | None = None
    """Names and values, as text, of what comes of the numbers: shown beside the fields while they are filled in."""
    ranked: Sequence[int] = ()
    """Grades of a ranked list from which the numbers are read: its documents are ordered in place of typing them."""
    of_list: Callable[[Sequence[int]], Sequence[float]] = tuple
    """The numbers of the list with these grades."""

    def read(self, typed: Sequence[object]) -> tuple[float, ...]:
        if isinstance(typed, str) or len(typed) != len(self.names):
            raise ValueError(f"Fill in {', '.join(self.names)}.")
        values = tuple(map(read_number, typed))
        for name, value in zip(self.names, values, strict=True):
            if self.whole and value != round(value):
                raise ValueError(f"{name} is {threshold_text(value)}; type a whole number.")
            if not self.lowest <= value <= self.highest:
                limits = f"{threshold_text(self.lowest)} to {threshold_text(self.highest)}"
                raise ValueError(f"{name} is {threshold_text(value)}; type a number from {limits}.")
        return values

    def right(self, value: Sequence[float]) -> bool:
        return bool(self.satisfies(value))

    def text(self, value: Sequence[float]) -> str:
        pairs = zip(self.names, value, strict=True)
        return ", ".join(f"{name} = {threshold_text(one)}" for name, one in pairs)


@dataclass(frozen=True)
class Mark:
    """A point on a picture with both axes from 0 to 1; right within a distance of the point asked for.

    `points` are drawn beforehand, each with its name.
    """

    x: float
    y: float
    reach: float = 0.05
    axes: tuple[str, str] = ("x", "y")
    points: Sequence[tuple[str, float, float]] = ()

    def read(self, typed: Sequence[object]) -> tuple[float, float]:
        if isinstance(typed, str) or len(typed) != 2:
            raise ValueError("Mark a point on the picture, or type both of its coordinates.")
        x, y = (read_number(one, is_share=True) for one in typed)
        if not (0 <= x <= 1 and 0 <= y <= 1):
            raise ValueError("Both coordinates lie between 0 and 1.")
        return x, y

    def right(self, value: Sequence[float]) -> bool:
        return math.dist(value, (self.x, self.y)) <= self.reach + 1e-9

    def text(self, value: Sequence[float]) -> str:
        return ", ".join(f"{axis} {share_text(one)}" for axis, one in zip(self.axes, value, strict=True))

    @property
    def solution(self) -> tuple[float, float]:
        return self.x, self.y


def field_names(answer: Answer) -> Sequence[str]:
    """The names of the fields in which an answer is typed.

    >>> field_names(Mark(0.2, 0.8, axes=("FPR", "TPR"))), field_names(Number(3))
    (('FPR', 'TPR'), ('Your answer',))
    """
    return answer.names if isinstance(answer, Values) else getattr(answer, "axes", ("Your answer",))
