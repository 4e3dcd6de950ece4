"""Settings of the playground of curves: two distributions, a sample, a threshold, a game, as a link holds them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.classification import ScoredLabels
from evalcore.learning.questions import texts_of
from evalcore.numeric import Array, Flags, ratio

__all__ = ["LIMITS", "PRESETS", "DrawnBars", "Playground", "ScoreModel", "SkewNormal", "uniform_numbers"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
_LARGEST_SKEWNESS = 0.9


@dataclass(frozen=True)
class SkewNormal:
    """A normal distribution that may lean to one side (Azzalini's skew normal)."""

    mean: float
    sd: float
    skewness: float = 0.0  # third standardised moment, from -0.9 to 0.9; above 0 the long tail is on the right

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
    """A distribution drawn as bars of one width: within a bar all scores are equally likely."""

    heights: tuple[float, ...]  # from left to right, in any unit
    low: float = 0.0
    high: float = 100.0

    def __post_init__(self) -> None:
        if not all(0 <= height < math.inf for height in self.heights) or not sum(self.heights):
            raise ValueError("the heights of bars must not be negative, and not all 0")

    @cached_property
    def edges(self) -> Array:
        """Edges of the bars, one more than there are bars."""
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


_REACH = 9.0  # scales to each side of the location beyond which nothing of a skew normal is left in 64 bits


@dataclass(frozen=True)
class ScoreModel:
    """Distributions of the scores of positives and negatives, both hills or both bars of one width; the prevalence."""

    positives: SkewNormal | DrawnBars
    negatives: SkewNormal | DrawnBars
    prevalence: float = 0.5

    def recall_at(self, thresholds: npt.ArrayLike) -> Array:
        """True positive rate at thresholds: the area of the positives from each threshold on."""
        return self.positives.above(thresholds)

    def fall_out_at(self, thresholds: npt.ArrayLike) -> Array:
        """False positive rate at thresholds: the area of the negatives from each threshold on."""
        return self.negatives.above(thresholds)

    def precision_at(self, thresholds: npt.ArrayLike) -> Array:
        """Precision at thresholds and this prevalence; nan where nothing is flagged."""
        hits = self.prevalence * self.recall_at(thresholds)
        return ratio(hits, hits + (1 - self.prevalence) * self.fall_out_at(thresholds))

    @cached_property
    def roc_auc(self) -> float:
        """Chance that a positive has the higher score: the integral of P(negative < x) over the positives."""
        scores, steps = self._grid
        return float(np.sum(steps * self.positives.density(scores) * (1 - self.negatives.above(scores))))

    @property
    def binormal_auc(self) -> float:
        """AUC of two normal distributions, Φ((μ₁ − μ₀) / √(σ₁² + σ₀²)); nan where one is skewed or drawn."""
        one, other = self.positives, self.negatives
        if not (isinstance(one, SkewNormal) and isinstance(other, SkewNormal)) or one.skewness or other.skewness:
            return math.nan
        return math.erfc((other.mean - one.mean) / math.hypot(one.sd, other.sd) / math.sqrt(2)) / 2

    @cached_property
    def average_precision(self) -> float:
        """Mean precision over the positives: the area under precision against recall at this prevalence."""
        if isinstance(self.positives, DrawnBars) and isinstance(self.negatives, DrawnBars):
            return _average_precision_of_bars(self.positives.shares, self.negatives.shares, self.prevalence)
        scores, steps = self._grid
        return float(np.sum(steps * self.positives.density(scores) * np.nan_to_num(self.precision_at(scores))))

    def auc_error(self, positives: int, negatives: int) -> float:
        """Standard error of the AUC of a sample with these numbers of rows of each class.

        The variance of the Mann–Whitney statistic: A(1 − A) + (n₁ − 1)(Q₁ − A²) + (n₀ − 1)(Q₂ − A²), over n₁n₀, where
        Q₁ is the chance that two positives outrank one negative and Q₂ that one positive outranks two negatives.
        """
        scores, steps = self._grid
        area, ones, others = self.roc_auc, self.positives.above(scores), self.negatives.above(scores)
        two_positives = float(np.sum(steps * self.negatives.density(scores) * ones**2))
        two_negatives = float(np.sum(steps * self.positives.density(scores) * (1 - others) ** 2))
        spread = (positives - 1) * (two_positives - area**2) + (negatives - 1) * (two_negatives - area**2)
        return math.sqrt(max(area * (1 - area) + spread, 0.0) / (positives * negatives))

    def class_sizes(self, size: int) -> tuple[int, int]:
        """Split a number of rows into positives and negatives, at least one of each."""
        positives = min(max(math.floor(size * self.prevalence + 0.5), 1), size - 1)
        return positives, size - positives

    def sample(self, size: int, seed: int) -> tuple[Flags, Array]:
        """Labels (True is positive) and scores of a sample, rounded to one decimal; the same for the same seed."""
        sizes, parts = self.class_sizes(size), []
        for stream, kind in enumerate((self.positives, self.negatives)):
            first, second = (uniform_numbers(seed, 2 * stream + part, sizes[stream]) for part in (0, 1))
            parts.append(np.floor(kind.draw(first, second) * 10 + 0.5) / 10)
        return np.repeat([True, False], sizes), np.concatenate(parts)

    @cached_property
    def _grid(self) -> tuple[Array, Array]:
        """Scores and weights of an integral over the scores: exact for bars (two nodes each), trapezoidal for hills."""
        if isinstance(self.positives, DrawnBars):
            edges = self.positives.edges
            half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
            scores = np.stack([middle - half / math.sqrt(3), middle + half / math.sqrt(3)], axis=1)
            return scores.ravel(), np.repeat(half, 2)
        hills = [hill for hill in (self.positives, self.negatives) if isinstance(hill, SkewNormal)]
        low = min(hill.location - _REACH * hill.scale for hill in hills)
        high = max(hill.location + _REACH * hill.scale for hill in hills)
        step = min(hill.scale / math.hypot(1, hill.slope) for hill in hills) / 3
        count = math.ceil((high - low) / step) + 1
        return low + step * np.arange(count), np.full(count, step)


def uniform_numbers(seed: int, stream: int, count: int) -> Array:
    """Numbers in (0, 1) that any program can draw again from a seed and the number of a stream.

    It is the generator mulberry32, which browsers and NumPy compute alike in whole numbers of 32 bits.

    >>> uniform_numbers(1, 0, 2).round(6).tolist()
    [0.546456, 0.459556]
    """
    index = np.arange(1, count + 1, dtype=np.uint64)
    start = (seed * 0x9E3779B1 + stream * 0x85EBCA77) % 2**32
    with np.errstate(over="ignore"):
        state = (np.uint64(start) + index * np.uint64(0x6D2B79F5)).astype(np.uint32)
        mixed = (state ^ (state >> 15)) * (state | np.uint32(1))
        mixed ^= mixed + (mixed ^ (mixed >> 7)) * (mixed | np.uint32(61))
    return ((mixed ^ (mixed >> 14)) + 0.5) / 2**32


def _average_precision_of_bars(positives: Array, negatives: Array, prevalence: float) -> float:
    """Each bar's integral of (a + bs) / (c + ds) over s in 0 … 1, weighted by its positives, from the right."""
    total, hits, flagged = 0.0, 0.0, 0.0
    for share, other in zip(positives[::-1], negatives[::-1], strict=True):
        more, all_more = prevalence * share, prevalence * share + (1 - prevalence) * other
        if share:
            total += share * _mean_precision(hits, more, flagged, all_more)
        hits, flagged = hits + more, flagged + all_more
    return total


def _mean_precision(a: float, b: float, c: float, d: float) -> float:
    if c <= 0:
        return b / d
    growth = d / c
    if growth < 0.01:  # the closed form would cancel
        return sum((-growth) ** k * (a / (k + 1) + b / (k + 2)) for k in range(8)) / c
    return b / d + (a - b * c / d) / d * math.log1p(growth)


LIMITS = {
    "mean": (25.0, 75.0), "spread": (2.0, 10.0), "skew": (-0.9, 0.9), "prevalence": (0.005, 0.995),
    "rows": (10.0, 2000.0), "seed": (1.0, 9999.0), "threshold": (0.0, 100.0), "pairs": (0.0, 10_000.0),
}  # fmt: skip
"""The least and the largest value of each setting."""

_BARS, _HEIGHTS, _MOST_GUESSES = 20, "0123456789abcdefghijklmnopqrstuvwxyz", 200


@dataclass(frozen=True)
class Playground:
    """Two distributions with a sample of them, the threshold, and the pairs that were drawn."""

    model: ScoreModel = ScoreModel(SkewNormal(60, 8), SkewNormal(45, 8))
    rows: int = 200
    seed: int = 1
    threshold: float = 52.0  # scores from it on are predicted positive; the ends of its range stand for −∞ and ∞
    as_they_occur: bool = False  # the hills are as large as their share of the rows, in place of equally large
    guesses: str = ""  # "A" or "B" for each pair that the reader has judged
    pairs: int = 0  # that the scores have judged
    kept: ScoreModel | None = None  # another model whose curves stay to be compared

    @classmethod
    def of(cls, lists: Sequence[Sequence[str]]) -> "Playground":
        """Read what `lists` wrote: positives, negatives, numbers, and (if changed) the rest, game and kept model."""
        if not 3 <= len(lists) <= 5 or len(lists[2]) != 4:
            raise ValueError("the playground needs two distributions and four numbers")
        prevalence, rows, seed, threshold = map(_limited, lists[2], ("prevalence", "rows", "seed", "threshold"))
        made = cls(_model(lists[0], lists[1], prevalence), int(rows), int(seed), round(threshold, 1))
        if len(lists) > 3:
            heights, guesses, pairs = lists[3]
            if heights not in ("own", "all") or set(guesses) - set("AB") or len(guesses) > _MOST_GUESSES:
                raise ValueError("the game of the playground is unclear")
            made = replace(made, as_they_occur=heights == "all", guesses=guesses, pairs=int(_limited(pairs, "pairs")))
        if len(lists) > 4:
            *parts, prevalence = lists[4]
            half = len(parts) // 2
            made = replace(made, kept=_model(parts[:half], parts[half:], _limited(prevalence, "prevalence")))
        return made

    @property
    def lists(self) -> tuple[tuple[str, ...], ...]:
        """All of it as lists of texts, for a link and for the browser."""
        numbers = f"{self.model.prevalence:g}", str(self.rows), str(self.seed), f"{self.threshold:g}"
        lists = [_texts(self.model.positives), _texts(self.model.negatives), numbers]
        if self.as_they_occur or self.guesses or self.pairs or self.kept:
            lists.append(("all" if self.as_they_occur else "own", self.guesses, str(self.pairs)))
        if self.kept:
            lists.append((*_texts(self.kept.positives) + _texts(self.kept.negatives), f"{self.kept.prevalence:g}"))
        return tuple(lists)

    @property
    def cut(self) -> float:
        """The threshold as a number; infinite at the ends of the axis."""
        low, high = LIMITS["threshold"]
        return -math.inf if self.threshold <= low else math.inf if self.threshold >= high else self.threshold

    @cached_property
    def sample(self) -> ScoredLabels:
        """The sample, sorted once."""
        return ScoredLabels.from_arrays(*self.model.sample(self.rows, self.seed))


def _limited(text: str, name: str) -> float:
    """A number within the limits of a setting; raises ValueError where it is none."""
    value, (low, high) = float(text), LIMITS[name]
    if not low <= value <= high:
        raise ValueError(f"{name} {text}: it must lie from {low:g} to {high:g}")
    return value


def _model(positives: Sequence[str], negatives: Sequence[str], prevalence: float) -> ScoreModel:
    if len(positives) != len(negatives):
        raise ValueError("both distributions must be hills, or both bars")
    return ScoreModel(_distribution(positives), _distribution(negatives), prevalence)


def _distribution(texts: Sequence[str]) -> SkewNormal | DrawnBars:
    if len(texts) == 1:
        if len(texts[0]) != _BARS:
            raise ValueError(f"{len(texts[0])} bars: there must be {_BARS}")
        return DrawnBars(tuple(float(_HEIGHTS.index(letter)) for letter in texts[0]))
    if len(texts) != 3:
        raise ValueError("a hill has a mean, a spread and a skew")
    return SkewNormal(*map(_limited, texts, ("mean", "spread", "skew")))


def _texts(kind: SkewNormal | DrawnBars) -> tuple[str, ...]:
    if isinstance(kind, DrawnBars):
        return ("".join(_HEIGHTS[int(height)] for height in kind.heights),)
    return f"{kind.mean:g}", f"{kind.sd:g}", f"{kind.skewness:g}"


PRESETS = {name: (Playground.of(one["lists"]), one["look"]) for name, one in texts_of("presets.toml").items()}
"""Settings worth a look by name, and what to look for; the first as the page opens."""
