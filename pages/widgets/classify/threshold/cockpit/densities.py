"""The two densities for the browser: bars, smooth lines or dots, every place and height between 0 and 1."""

import numpy as np

from evalcore import Array
from evalcore.classification import ScoreAxis, ScoreBars, ScoredLabels, ThresholdTable, score_bars, score_dots
from evalcore.inference import kernel_density, silverman
from evalcore.wording import count_text, number_text, threshold_text

from .columns import codes
from .settings import FEW, Drawing

_DOT, _LARGE_DOT = 1 / 64, 1 / 40
"""Width of a dot, as a share of the axis; the second where rows are few."""

_NARROWEST = 1 / 400
"""Least width of a kernel: narrower ones would be needles that no picture shows."""


def densities(
    scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, grid: ThresholdTable, names: tuple[str, str]
) -> dict:
    """What stands above and below the base line, and the sentences that belong to it."""
    kind = drawing.density
    rows = len(scored.positive_scores) + len(scored.negative_scores)
    if kind == "dots" and len(grid) == len(scored.thresholds()):
        found = _dots(scored, axis, grid)
    elif kind == "smooth" and rows:
        found = _smooth(scored, axis, drawing, names)
    else:
        found = _bars(scored, axis, drawing, names)
    notes = [found.pop("note", ""), _left_out(axis, drawing)]
    return found | {"notes": [note for note in notes if note]}


def _bars(scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, names: tuple[str, str]) -> dict:
    bars = score_bars(scored, axis, drawing.bins)
    up, down = _per_class(bars.positives, bars.negatives, scored, drawing)
    top = max(up.max(initial=0), down.max(initial=0)) or 1.0
    return {
        "kind": "bars",
        "left": codes(bars.left),
        "right": codes(bars.right),
        "up": codes(up / top),
        "down": codes(down / top),
        "said": _said(bars, names),
        "note": "Height: share of the class" if drawing.height == "share" else "",
    }


def _said(bars: ScoreBars, names: tuple[str, str]) -> list[str]:
    """What a bar is, for whoever points at it."""
    said = []
    for low, high, positives, negatives in zip(bars.low, bars.high, bars.positives, bars.negatives, strict=True):
        ends = threshold_text(low) if low == high else f"{threshold_text(low)} – {threshold_text(high)}"
        said.append(f"{ends}: {count_text(positives)} {names[0]}, {count_text(negatives)} {names[1]}")
    return said


def _smooth(scored: ScoredLabels, axis: ScoreAxis, drawing: Drawing, names: tuple[str, str]) -> dict:
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
        found = kernel_density(along, weights, low=0, high=1, bandwidth=width)
        sides.append(found.values * (1 if drawing.height == "share" else total))
        widths.append(found.bandwidth)
    top = max(side.max() for side in sides) or 1.0
    places = axis.places(axis.scores_at(np.linspace(0, 1, len(sides[0]))))
    known = [(width, name) for width, name in zip(widths, names, strict=True) if width == width]
    if axis.log:
        said = [f"{number_text(width * np.log10(axis.high / axis.low))} decades ({name})" for width, name in known]
    else:
        said = [f"{threshold_text(_short(width * (axis.high - axis.low)))} ({name})" for width, name in known]
    return {
        "kind": "smooth",
        "x": codes(places),
        "up": codes(sides[0] / top),
        "down": codes(sides[1] / top),
        "note": f"Gaussian kernel, bandwidth {', '.join(said)}" if said else "",
    }


def _dots(scored: ScoredLabels, axis: ScoreAxis, grid: ThresholdTable) -> dict:
    rows = len(scored.positive_scores) + len(scored.negative_scores)
    width = _LARGE_DOT if rows <= FEW else _DOT
    dots = score_dots(scored, axis, width)
    most = max((dot[4] for dot in dots), default=1.0)
    rows = grid.rows([dot[1] for dot in dots])
    stops = len(grid) - 1 - rows if axis.higher else rows
    return {
        "kind": "dots",
        "width": width,
        "up": [int(dot[0]) for dot in dots],
        "x": codes([dot[2] for dot in dots]),
        "level": [dot[3] for dot in dots],
        "size": codes([(dot[4] / most) ** 0.5 for dot in dots]),
        "stop": [int(stop) for stop in stops],
        "note": "A dot is a row" + (", its area the weight" if scored.positive_weights is not None else ""),
    }


def _per_class(up: Array, down: Array, scored: ScoredLabels, drawing: Drawing) -> tuple[Array, Array]:
    if drawing.height != "share":
        return up, down
    return up / (scored.positives or 1.0), down / (scored.negatives or 1.0)


def _left_out(axis: ScoreAxis, drawing: Drawing) -> str:
    """What the axis does not show, in a sentence."""
    if drawing.extent == "log" and not axis.log:
        return "No score is above 0, so the axis is not logarithmic"
    if not axis.left_out:
        return ""
    why = "at or below 0" if axis.log else "outside the axis"
    return f"{count_text(axis.left_out)} of the scores {'is' if axis.left_out == 1 else 'are'} {why} and not drawn"


def _short(width: float) -> float:
    return float(f"{width:.2g}")
