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
    near = (apart**2 + first**2 - second**2) / (2 * apart)
    far = apart - near
    half = math.sqrt(max(first**2 - near**2, 0.0))
    angles = [math.acos(max(-1.0, min(1.0, part / radius))) for part, radius in ((near, first), (far, second))]
    return first**2 * angles[0] + second**2 * angles[1] - apart * half


def circle_outline(centre: float, radius: float) -> Array:
    """Corners of a circle, shape (c, 2); none without a radius."""
    if not radius:
        return np.empty((0, 2))
    angle = np.linspace(0, 2 * math.pi, _CORNERS)
    return np.column_stack([centre + radius * np.cos(angle), radius * np.sin(angle)])


def overlap_outline(pair: Circles) -> Array:
    """Corners of what the two circles share, shape (c, 2)."""
    first, second, apart = pair.retrieved, pair.relevant, pair.apart
    if apart >= first + second:
        return np.empty((0, 2))
    if apart <= abs(first - second):
        return circle_outline(0, first) if first <= second else circle_outline(apart, second)
    near = (apart**2 + first**2 - second**2) / (2 * apart)
    wide = math.acos(max(-1.0, min(1.0, near / first)))
    narrow = math.acos(max(-1.0, min(1.0, (apart - near) / second)))
    right, left = np.linspace(-wide, wide, _CORNERS), np.linspace(math.pi - narrow, math.pi + narrow, _CORNERS)
    return np.vstack(
        [
            np.column_stack([first * np.cos(right), first * np.sin(right)]),
            np.column_stack([apart + second * np.cos(left), second * np.sin(left)]),
        ]
    )
