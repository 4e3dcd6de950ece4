"""Two circles whose areas, and the area of whose overlap, are three counts."""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.classification import ConfusionCounts
from evalcore.numeric import Array

_CORNERS = 181


@dataclass(frozen=True)
class Circles:
    """Radii of two circles of the areas of two sets, in documents, whose overlap has the area of what they share.

    The centre of the retrieved set stands at 0, that of the relevant one at its right, `apart` from it.
    """

    retrieved: float
    relevant: float
    apart: float

    @property
    def left(self) -> float:
        """Its left end."""
        return min(-self.retrieved, self.apart - self.relevant)

    @property
    def right(self) -> float:
        """Its right end."""
        return max(self.retrieved, self.apart + self.relevant)

    @property
    def height(self) -> float:
        """From the lowest to the highest point."""
        return 2 * max(self.retrieved, self.relevant)


def circles(counts: ConfusionCounts) -> Circles:
    """The circles of one query's sets, from counts of shape (); here half of each of two equal sets is shared.

    >>> pair = circles(ConfusionCounts(50, 50, 50, 0))
    >>> round(pair.retrieved, 3), round(pair.apart / pair.retrieved, 3)
    (5.642, 0.808)
    """
    first, second = (math.sqrt(float(area) / math.pi) for area in (counts.predicted_positives, counts.actual_positives))
    shared = float(counts.tp)
    if not shared:
        return Circles(first, second, (first + second) * 1.06)
    low, high = abs(first - second), first + second
    # The shared area only falls with the distance, so halving finds it.
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _lens(first, second, middle) > shared else (low, middle)
    inside = shared >= min(float(counts.predicted_positives), float(counts.actual_positives))
    return Circles(first, second, abs(first - second) if inside else high)


def _lens(first: float, second: float, apart: float) -> float:
    """Area that two circles share."""
    if apart >= first + second:
        return 0.0
    if apart <= abs(first - second):
        return math.pi * min(first, second) ** 2
    wide, narrow = _half_angles(first, second, apart)
    return first**2 * wide + second**2 * narrow - apart * first * math.sin(wide)


def _half_angles(first: float, second: float, apart: float) -> tuple[float, float]:
    """Half the angle of the arc that each of two circles has inside the other."""
    near = (apart**2 + first**2 - second**2) / (2 * apart)
    wide, narrow = (max(-1.0, min(1.0, part / radius)) for part, radius in ((near, first), (apart - near, second)))
    return math.acos(wide), math.acos(narrow)


def circle_outline(centre: float, radius: float) -> Array:
    """Corners of a circle, shape (c, 2); none without a radius."""
    return _arc(centre, radius, 0, 2 * math.pi) if radius else np.empty((0, 2))


def _arc(centre: float, radius: float, start: float, end: float) -> Array:
    angle = np.linspace(start, end, _CORNERS)
    return np.column_stack([centre + radius * np.cos(angle), radius * np.sin(angle)])


def overlap_outline(pair: Circles) -> Array:
    """Corners of what the two circles share, shape (c, 2)."""
    first, second, apart = pair.retrieved, pair.relevant, pair.apart
    if apart >= first + second:
        return np.empty((0, 2))
    if apart <= abs(first - second):
        return circle_outline(0, first) if first <= second else circle_outline(apart, second)
    wide, narrow = _half_angles(first, second, apart)
    return np.vstack([_arc(0, first, -wide, wide), _arc(apart, second, math.pi - narrow, math.pi + narrow)])
