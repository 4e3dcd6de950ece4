"""Distributions of scores to play with: skew normal hills, and bars drawn by hand."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array

__all__ = ["DrawnBars", "SkewNormal"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
_LARGEST_SKEWNESS = 0.9


@dataclass(frozen=True)
class SkewNormal:
    """A normal distribution that may lean to one side (Azzalini's skew normal).

    Parameters
    ----------
    mean, sd
        Mean and standard deviation, in the unit of the scores.
    skewness
        Third standardised moment, from -0.9 to 0.9; 0 is the normal distribution, above 0 the long tail is on the
        right.

    Raises
    ------
    ValueError
        Where the standard deviation is not above 0 or the skewness is out of its range.

    Examples
    --------
    >>> SkewNormal(50, 10).above(60).round(4).item()  # one standard deviation above the mean
    0.1587
    """

    mean: float
    sd: float
    skewness: float = 0.0

    def __post_init__(self) -> None:
        if not (0 < self.sd < math.inf and math.isfinite(self.mean)):
            raise ValueError(f"mean {self.mean}, sd {self.sd}: the mean must be finite and the sd above 0")
        if not abs(self.skewness) <= _LARGEST_SKEWNESS:
            raise ValueError(f"skewness {self.skewness}: it must lie from -{_LARGEST_SKEWNESS} to {_LARGEST_SKEWNESS}")

    @cached_property
    def lean(self) -> float:
        """Correlation δ with the hidden normal whose sign makes the distribution lean, in (-1, 1)."""
        share = abs(self.skewness) ** (2 / 3)
        lean = math.sqrt(math.pi / 2 * share / (share + ((4 - math.pi) / 2) ** (2 / 3)))
        return math.copysign(lean, self.skewness)

    @property
    def slope(self) -> float:
        """Azzalini's shape α; 0 is the normal distribution."""
        return self.lean / math.sqrt(1 - self.lean**2)

    @property
    def scale(self) -> float:
        """Azzalini's scale ω; the standard deviation where nothing leans."""
        return self.sd / math.sqrt(1 - 2 / math.pi * self.lean**2)

    @property
    def location(self) -> float:
        """Azzalini's location ξ; the mean where nothing leans."""
        return self.mean - self.scale * self.lean * math.sqrt(2 / math.pi)

    def density(self, scores: npt.ArrayLike) -> Array:
        """Density at some scores, in their shape."""
        z = self._standard(scores)
        return 2 / self.scale * np.exp(-z * z / 2) / math.sqrt(2 * math.pi) * _upper_normal(-self.slope * z)

    def above(self, scores: npt.ArrayLike) -> Array:
        """Share of the distribution at or above some scores: the area under the density to the right of each."""
        z = self._standard(scores)
        return np.clip(_upper_normal(z) + 2 * _owens_t(z, self.slope), 0.0, 1.0)

    def draw(self, first: Array, second: Array) -> Array:
        """Scores from two arrays of uniform numbers in (0, 1) of one shape, by Box and Muller."""
        radius = np.sqrt(-2 * np.log(first))
        hidden, other = radius * np.cos(2 * math.pi * second), radius * np.sin(2 * math.pi * second)
        return self.location + self.scale * (self.lean * np.abs(hidden) + math.sqrt(1 - self.lean**2) * other)

    def _standard(self, scores: npt.ArrayLike) -> Array:
        return (np.asarray(scores, float) - self.location) / self.scale


@dataclass(frozen=True)
class DrawnBars:
    """A distribution drawn as bars of one width: within a bar all scores are equally likely.

    Parameters
    ----------
    heights
        Height of each bar from left to right, not negative and not all 0, in any unit.
    low, high
        Where the first bar begins and the last one ends.

    Examples
    --------
    >>> DrawnBars((1, 3), 0, 10).above([0, 5, 7.5]).tolist()
    [1.0, 0.75, 0.375]
    """

    heights: tuple[float, ...]
    low: float = 0.0
    high: float = 100.0

    def __post_init__(self) -> None:
        if not all(0 <= height < math.inf for height in self.heights) or not sum(self.heights):
            raise ValueError("the heights of bars must not be negative, and not all 0")

    @cached_property
    def edges(self) -> Array:
        """Where bars begin and end, one more than there are bars."""
        return np.linspace(self.low, self.high, len(self.heights) + 1)

    @cached_property
    def shares(self) -> Array:
        """Share of the scores in each bar."""
        return np.array(self.heights, float) / sum(self.heights)

    @cached_property
    def _below(self) -> Array:
        return np.append(0.0, np.cumsum(self.shares))

    def density(self, scores: npt.ArrayLike) -> Array:
        """Density at some scores, in their shape."""
        x = np.asarray(scores, float)
        bar = np.clip(np.searchsorted(self.edges, x, side="right") - 1, 0, len(self.shares) - 1)
        inside = (self.low <= x) & (x < self.high)
        return np.where(inside, self.shares[bar] / (self.edges[1] - self.edges[0]), 0.0)

    def above(self, scores: npt.ArrayLike) -> Array:
        """Share of the distribution at or above some scores: the area under the bars to the right of each."""
        return 1 - np.interp(np.asarray(scores, float), self.edges, self._below / self._below[-1])

    def draw(self, first: Array, second: Array) -> Array:
        """Scores from two arrays of uniform numbers in (0, 1): the first chooses a bar, the second a score in it."""
        # The last bar that has a height takes what rounding leaves over.
        last = int(np.flatnonzero(self.shares)[-1])
        bar = np.minimum(np.searchsorted(self._below[1:], first, side="right"), last)
        return self.edges[bar] + second * (self.edges[1] - self.edges[0])


_erfc = np.frompyfunc(math.erfc, 1, 1)


def _upper_normal(z: Array) -> Array:
    """Share of the standard normal distribution above z."""
    return np.asarray(_erfc(np.asarray(z) / math.sqrt(2)), float) / 2


def _owens_t(z: Array, slope: float) -> Array:
    """Owen's T function, by Gauss and Legendre's quadrature with 32 nodes."""
    if not slope:
        return np.zeros(np.shape(z))
    nodes = slope * (_NODES + 1) / 2
    inner = np.exp(-np.multiply.outer(np.asarray(z) ** 2, 1 + nodes**2) / 2) / (1 + nodes**2)
    return inner @ _WEIGHTS * slope / 2 / (2 * math.pi)
