"""Small pictures as SVG, for links to what they show: a matrix, two histograms and their threshold, an ROC curve."""

from base64 import b64decode
from collections.abc import Iterable
from functools import cache

import numpy as np

from evalcore.analyses import Scores, Source
from evalcore.classification import ConfusionMatrix, ScoredLabels, roc_auc, roc_curve, score_axis, score_bars
from evalcore.figures.base.colours import OUTCOMES
from evalcore.figures.base.matrix import Look, matrix_picture
from evalcore.figures.base.theme import Ink, ink
from evalcore.numeric import Array
from evalcore.readers import read_sample
from evalcore.wording import count_text, number_text

__all__ = ["SMALL_THRESHOLD", "sample_picture", "small_histograms", "small_matrix", "small_roc_curve"]

SMALL_THRESHOLD = 0.35
"""The threshold that the small picture of one shows."""
WIDTH, HEIGHT = 240, 100
_EDGE, _BINS = 4, 24


def small_matrix(matrix: ConfusionMatrix, colours: Ink) -> str:
    """The cells of a confusion matrix in their shades, without words.

    >>> from evalcore.figures import ink
    >>> small_matrix(ConfusionMatrix.from_labels(["a", "b"], ["a", "a"]), ink(dark=False)).count("<rect")
    4
    """
    k, data = len(matrix.classes), matrix_picture(matrix, Look(), colours)
    shades = np.frombuffer(b64decode(data["shade"]), np.uint8).reshape(k, k)
    palettes = [data["palettes"][name] for name in ("wrong", "right")]
    wide, high = WIDTH / k, HEIGHT / k
    return _picture(
        _rectangle(column * wide, row * high, wide - 1, high - 1, palettes[row == column][shades[row, column]][0])
        for row, column in np.ndindex(k, k)
    )


def small_histograms(scored: ScoredLabels, threshold: float, colours: Ink) -> str:
    """Histogram of positives upwards and negatives downwards, in the colours of the four outcomes.

    Heights are the square roots of the counts (Tukey's rootogram), so that a few errors are seen beside many hits.

    >>> from evalcore.figures import ink
    >>> scored = ScoredLabels.from_arrays([1, 0], [0.8, 0.3], positive=1)
    >>> small_histograms(scored, 0.5, ink(dark=False)).count("<rect")
    2
    """
    axis = score_axis(scored)
    bars = score_bars(scored, axis, _BINS)
    at, middle = float(axis.x(threshold)), HEIGHT / 2
    heights = np.sqrt([bars.positives, bars.negatives])
    heights *= (middle - _EDGE) / heights.max()
    marks = []
    for left, right, up, down in zip(bars.left, bars.right, *heights, strict=True):
        positive = ((left + right) / 2 >= at) == axis.higher
        x, wide = left * WIDTH, (right - left) * WIDTH - 1
        if up:
            marks.append(_rectangle(x, middle - up, wide, up, OUTCOMES["tp" if positive else "fn"]))
        if down:
            marks.append(_rectangle(x, middle, wide, down, OUTCOMES["fp" if positive else "tn"]))
    base = _line(np.array([0, WIDTH]), np.array([middle, middle]), colours.grey, 1)
    return _picture([*marks, base, _line(np.array([at, at]) * WIDTH, np.array([0, HEIGHT]), colours.text, 2.5)])


def small_roc_curve(scored: ScoredLabels, colours: Ink) -> str:
    """The ROC curve over its diagonal.

    >>> from evalcore.figures import ink
    >>> scored = ScoredLabels.from_arrays([1, 0], [0.8, 0.3], positive=1)
    >>> small_roc_curve(scored, ink(dark=False)).count("<polyline")
    2
    """
    curve = roc_curve(scored.table())
    ends = np.array([0.0, 1.0])
    diagonal, roc = (
        _line(_EDGE + x * (WIDTH - 2 * _EDGE), HEIGHT - _EDGE - y * (HEIGHT - 2 * _EDGE), colour, thick)
        for x, y, colour, thick in ((ends, ends, colours.grey, 1), (curve.fpr, curve.tpr, colours.accent, 3))
    )
    return _picture([diagonal, roc])


def _picture(marks: Iterable[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" preserveAspectRatio="none"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(marks)}</svg>'


def _rectangle(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'


def _line(x: Array, y: Array, colour: str, thick: float) -> str:
    points = " ".join(f"{one:.1f},{other:.1f}" for one, other in zip(x, y, strict=True))
    look = f'fill="none" stroke="{colour}" stroke-width="{thick}" vector-effect="non-scaling-stroke"'
    return f'<polyline points="{points}" {look}/>'


@cache
def sample_picture(sample: str, shows: str, dark: bool) -> tuple[str, str]:
    """Thumbnail of a sample, its "matrix", "roc" curve or "threshold", and its text alternative."""
    data, colours = read_sample(sample), ink(dark)
    if shows == "matrix":
        matrix = data.matrix()
        right, total = count_text(matrix.counts.trace()), count_text(matrix.counts.sum())
        words = f"Confusion matrix of {len(matrix.classes)} handwritten digits: {right} of {total} on the diagonal"
        return small_matrix(matrix, colours), words
    scores = Scores.of(source := Source.of(data, sample=sample), str(source.system))
    if shows == "roc":
        words = f"ROC curve of {source.size}: area under the curve {number_text(roc_auc(scores.scored))}"
        return small_roc_curve(scores.scored, colours), words
    counts = scores.counts_at(SMALL_THRESHOLD)
    cells = ", ".join(f"{cell.upper()} {count_text(float(getattr(counts, cell)))}" for cell in ("tp", "fp", "fn", "tn"))
    words = f"Scores of {source.size} and the threshold {SMALL_THRESHOLD}: {cells}"
    return small_histograms(scores.scored, SMALL_THRESHOLD, colours), words
