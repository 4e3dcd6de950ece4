"""The two densities for the browser: bars, smooth lines or dots, every place and height between 0 and 1."""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.classification import ScoreAxis, ScoredLabels, ThresholdTable, score_bars, score_dots
from evalcore.figures.cockpit.columns import codes
from evalcore.inference import kernel_density, silverman
from evalcore.wording import count_text, number_text, threshold_text

__all__ = ["FEW_DOTS", "MOST_DOTS", "Drawing"]

FEW_DOTS, MOST_DOTS = 60, 300
"""Rows up to which dots are what is drawn first, and up to which they can be chosen."""

_DOT, _LARGE_DOT = 1 / 64, 1 / 40
"""Width of a dot, as a share of the axis; the second where rows are few."""

_NARROWEST = 1 / 400
"""Least width of a kernel: narrower ones would be needles that no picture shows."""


@dataclass(frozen=True)
class Drawing:
    """The settings of the cockpit."""

    density: str = "histogram"  # or "smooth" or "dots"
    bins: int = 40
    width: float = 1.0  # times the bandwidth of the smooth density
    height: str = "rows"  # or "share"
    extent: str = "all"  # or "central" or "log"
    lines: tuple[str, ...] = ("recall", "precision", "specificity", "f_beta")  # keys of the measures that are drawn
    bands: bool = False  # around each of them


def densities(
    scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, grid: ThresholdTable, names: tuple[str, str]
) -> dict:
    """What stands above and below the base line, and the notes that belong to it."""
    if drawing.density == "dots" and len(grid) == len(scored.thresholds()):
        shape, note = _dots(scored, axis, grid)
    elif drawing.density == "smooth" and _rows(scored):
        shape, note = _smooth(scored, axis, drawing, names)
    else:
        shape, note = _bars(scored, axis, drawing, names)
    return shape | {"notes": [text for text in (note, _left_out(axis, drawing)) if text]}


def _bars(scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, names: tuple[str, str]) -> tuple[dict, str]:
    bars = score_bars(scored, axis, drawing.bins)
    up, down, by_share = bars.positives, bars.negatives, drawing.height == "share"
    if by_share:
        up, down = up / (scored.positives or 1.0), down / (scored.negatives or 1.0)
    top = max(up.max(initial=0), down.max(initial=0)) or 1.0
    tips = []
    for low, high, *rows in zip(bars.low, bars.high, bars.positives, bars.negatives, strict=True):
        ends = threshold_text(low) if low == high else f"{threshold_text(low)} – {threshold_text(high)}"
        counts = ", ".join(f"{count_text(count)} {name}" for count, name in zip(rows, names, strict=True))
        tips.append(f"{ends}: {counts}")
    sides = {"left": bars.left, "right": bars.right, "up": up / top, "down": down / top}
    coded = {side: codes(values) for side, values in sides.items()}
    return {"kind": "bars", **coded, "tips": tips}, "Height: share of the class" if by_share else ""


def _smooth(scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, names: tuple[str, str]) -> tuple[dict, str]:
    sides, widths = [], []
    classes = (
        (scored.positive_scores, scored.positive_weights, scored.positives),
        (scored.negative_scores, scored.negative_weights, scored.negatives),
    )
    for scores, cumulated, total in classes:
        along = axis.along(scores)
        weights = None if cumulated is None else np.abs(np.diff(cumulated))
        shown = np.isfinite(along)
        if not shown.all():
            along, weights = along[shown], None if weights is None else weights[shown]
        width = max(drawing.width * silverman(along, weights), _NARROWEST) if len(along) else None
        density = kernel_density(along, weights, low=0, high=1, bandwidth=width)
        sides.append(density.values * (1 if drawing.height == "share" else total))
        widths.append(density.bandwidth)
    top = max(side.max() for side in sides) or 1.0
    x = axis.x(axis.scores_at(np.linspace(0, 1, len(sides[0]))))
    named = zip(widths, names, strict=True)
    known = [f"{_width_text(axis, width)} ({name})" for width, name in named if not math.isnan(width)]
    shape = {"kind": "smooth", "x": codes(x), "up": codes(sides[0] / top), "down": codes(sides[1] / top)}
    return shape, f"Gaussian kernel, bandwidth {', '.join(known)}" if known else ""


def _width_text(axis: ScoreAxis, width: float) -> str:
    if axis.log:
        return f"{number_text(width * np.log10(axis.high / axis.low))} decades"
    return threshold_text(float(f"{width * (axis.high - axis.low):.2g}"))


def _dots(scored: ScoredLabels, axis: ScoreAxis, grid: ThresholdTable) -> tuple[dict, str]:
    width = _LARGE_DOT if _rows(scored) <= FEW_DOTS else _DOT
    dots = score_dots(scored, axis, width)
    most = max((dot[4] for dot in dots), default=1.0)
    rows = grid.rows([dot[1] for dot in dots])
    shape = {
        "kind": "dots",
        "width": width,
        "up": [int(dot[0]) for dot in dots],
        "x": codes([dot[2] for dot in dots]),
        "level": [dot[3] for dot in dots],
        "size": codes([(dot[4] / most) ** 0.5 for dot in dots]),
        "stop": (len(grid) - 1 - rows if axis.higher else rows).tolist(),
    }
    return shape, "One dot per row" + ("; its area is the weight" if scored.positive_weights is not None else "")


def _rows(scored: ScoredLabels) -> int:
    return len(scored.positive_scores) + len(scored.negative_scores)


def _left_out(axis: ScoreAxis, drawing: Drawing) -> str:
    """What the axis does not show, in a sentence."""
    if drawing.extent == "log" and not axis.log:
        return "No score is above 0, so the axis is not logarithmic"
    if not axis.left_out:
        return ""
    scores = "1 score is" if axis.left_out == 1 else f"{count_text(axis.left_out)} scores are"
    return f"{scores} {'at or below 0' if axis.log else 'outside the axis'} and not drawn"
