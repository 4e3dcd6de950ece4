"""What is set on the playground of curves: two distributions, a sample, a threshold, a game, as a link holds them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from evalcore.classification import ConfusionCounts, ScoredLabels
from evalcore.learning.score_distributions import DrawnBars, ScoreModel, SkewNormal

__all__ = ["LIMITS", "PRESETS", "Playground", "Preset"]

LIMITS = {
    "mean": (25.0, 75.0), "spread": (2.0, 10.0), "skew": (-0.9, 0.9), "prevalence": (0.005, 0.995),
    "rows": (10.0, 2000.0), "seed": (1.0, 9999.0), "threshold": (0.0, 100.0), "pairs": (0.0, 10_000.0),
}  # fmt: skip
"""The least and the largest value of each setting."""

_BARS, _HEIGHTS = 20, "0123456789abcdefghijklmnopqrstuvwxyz"
_MOST_GUESSES = 200

Lists = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Playground:
    """Two distributions with a sample of them, the threshold, and the pairs that were drawn.

    Parameters
    ----------
    model
        Where scores come from.
    rows, seed
        How many rows a sample has, and which sample it is.
    threshold
        Scores from it on are predicted positive; the least and the largest one stand for −∞ and ∞.
    as_they_occur
        Whether the hills are as large as their share of the rows, in place of equally large.
    guesses
        "A" or "B" for each pair that the reader has judged.
    pairs
        How many pairs the scores have judged.
    kept
        Another model whose curves stay to be compared.

    Examples
    --------
    >>> Playground.of((("60", "8", "0"), ("45", "8", "0"), ("0.5", "200", "1", "52"))).threshold
    52.0
    """

    model: ScoreModel = ScoreModel(SkewNormal(60, 8), SkewNormal(45, 8))  # noqa: RUF009 (frozen)
    rows: int = 200
    seed: int = 1
    threshold: float = 52.0
    as_they_occur: bool = False
    guesses: str = ""
    pairs: int = 0
    kept: ScoreModel | None = None

    @classmethod
    def of(cls, lists: Sequence[Sequence[str]]) -> "Playground":
        """What `lists` wrote: positives, negatives, numbers, and where they differ from the first, game and kept model.

        Raises
        ------
        ValueError
            Where something is missing, no number, or outside its limits.
        """
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
            kept = _model(parts[:half], parts[half:], _limited(prevalence, "prevalence"))
            made = replace(made, kept=kept)
        return made

    @property
    def lists(self) -> Lists:
        """All of it as lists of texts, for a link and for the browser."""
        numbers = f"{self.model.prevalence:g}", str(self.rows), str(self.seed), f"{self.threshold:g}"
        lists = [_texts(self.model.positives), _texts(self.model.negatives), numbers]
        if self.as_they_occur or self.guesses or self.pairs or self.kept:
            lists.append(("all" if self.as_they_occur else "own", self.guesses, str(self.pairs)))
        if self.kept:
            parts = _texts(self.kept.positives) + _texts(self.kept.negatives)
            lists.append((*parts, f"{self.kept.prevalence:g}"))
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

    @property
    def counts(self) -> ConfusionCounts:
        """The sample's counts at the threshold."""
        return self.sample.counts_at([self.cut])


@dataclass(frozen=True)
class Preset:
    """Settings worth a look, and what to look at."""

    name: str
    playground: Playground
    look: str


def _preset(
    name: str, look: str, positives: tuple, negatives: tuple, prevalence: float = 0.5, rows: int = 200,
    threshold: float = 52.0, kept: tuple[tuple, tuple, float] | None = None,
) -> Preset:  # fmt: skip
    model = ScoreModel(SkewNormal(*positives), SkewNormal(*negatives), prevalence)
    other = ScoreModel(SkewNormal(*kept[0]), SkewNormal(*kept[1]), kept[2]) if kept else None
    return Preset(name, Playground(model, rows, threshold=threshold, kept=other), look)


PRESETS = (
    _preset(
        "Overlap",
        "Most positives score higher than most negatives, but the hills overlap: wherever the threshold stands, it "
        "makes errors of one kind or the other. Sweep it from high to low and watch both curves grow.",
        (60, 8), (45, 8),
    ),
    _preset(
        "Well apart",
        "One threshold separates the classes. ROC runs through the upper left corner, and PR through the upper right.",
        (70, 5), (35, 5),
    ),
    _preset(
        "Useless",
        "Both classes have the same scores. ROC follows the diagonal and precision stays at the prevalence: the score "
        "is no better than a coin.",
        (50, 8), (50, 8),
    ),
    _preset(
        "Long tail",
        "One positive in seven scores below nearly all negatives. At its upper right ROC dips under the diagonal: "
        "finding those last positives costs more false alarms than guessing would.",
        (58, 10, -0.9), (53, 3),
        threshold=47.0,
    ),
    _preset(
        "Rare positives",
        "The same two hills as under Overlap (kept as the dotted curve), but 1 row in 50 is positive. ROC does not "
        "change; PR falls, for the few true positives stand against false alarms from many negatives.",
        (60, 8), (45, 8),
        prevalence=0.02, rows=2000, kept=((60, 8), (45, 8), 0.5),
    ),
    _preset(
        "Crossing",
        "Two models with the same AUC (the other is dotted). With few false alarms allowed this one finds more "
        "positives; with many allowed, the other does. The AUC alone cannot choose.",
        (61, 10), (45, 5.3),
        kept=((61, 8), (45, 8), 0.5),
    ),
)  # fmt: skip
"""Where to begin, the first as the page opens."""


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
