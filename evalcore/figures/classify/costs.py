"""Figures of costs: map of the cheapest thresholds, cost curves, and net benefit."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.threshold.costs import CostSensitivity, NetBenefit
from evalcore.classification import CheapestThresholds, fall_out, recall
from evalcore.figures.base.theme import PERCENT_TICKS, Ink, apply_frame, mix
from evalcore.numeric import Array
from evalcore.wording.numbers import THIN, level_text, ratio_text, share_text

__all__ = ["decision_figure", "ratio_map_figure"]

MAP_HEIGHT, CURVE_HEIGHT = 430, 360
COLUMNS, ROWS = 81, 51  # cells of the map that can be pointed at, few enough to be sent with every change
PIECES = 120  # pieces that the map is divided into at most, besides those at both ends
LABELLED = 0.09  # share of the width of the map from which a region has room for its name
_TICKS = (0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99)


def ratio_map_figure(analysis: CostSensitivity, colours: Ink) -> go.Figure:
    """Map of the cheapest threshold over cost ratio and prevalence; darker where it calls more rows positive.

    Both axes are logarithmic, of the ratio and of the odds of being positive. Only their product decides, so the
    regions are slanted bands. The ratio and the prevalence of the analysis have a ring, that of the sample has a line.
    """
    cheapest, texts, share, own = analysis.cheapest, analysis.names, analysis.share, analysis.scores.prevalence
    here = np.log10([analysis.ratio, share / (1 - share), own / (1 - own)])
    x = np.linspace(min(-2.0, here[0] - 0.3), max(2.0, here[0] + 0.3), COLUMNS)
    y = np.linspace(min(-3.0, here[1:].min() - 0.3), max(1.0, here[1:].max() + 0.3), ROWS)
    figure = go.Figure(_cells(cheapest, texts, x, y))
    with np.errstate(divide="ignore"):
        sums = np.log10(cheapest.breaks * cheapest.own_odds)
    line = {"color": colours.text, "width": 1, "dash": "dash"}
    sample = {"type": "line", "x0": x[0], "x1": x[-1], "y0": here[2], "y1": here[2], "line": line, "layer": "below"}
    named = {"x": x[0], "y": here[2], "xanchor": "left", "yanchor": "bottom", "text": f"this sample: {share_text(own)}"}
    # All at once: Plotly checks all that is there with each one that is added.
    figure.update_layout(
        shapes=[*_regions(sums, x, y, colours), sample],
        annotations=[named | _word(colours), *_names(sums, texts, x, y, colours)],
    )
    figure.add_scatter(
        x=here[:1], y=here[1:2], mode="markers", hoverinfo="skip", showlegend=False,
        marker={"size": 13, "color": colours.paper, "line": {"color": colours.text, "width": 3}},
    )  # fmt: skip
    apply_frame(figure, colours, MAP_HEIGHT, "cost of a miss, in false alarms", "prevalence")
    ticks = [tick for tick in range(-9, 10) if x[0] <= tick <= x[-1]]
    ratios = [ratio_text(10.0**tick) for tick in ticks]
    figure.update_xaxes(range=[x[0], x[-1]], tickvals=ticks, ticktext=ratios, showgrid=False)
    marks = {np.log10(tick / (1 - tick)): level_text(tick) for tick in _TICKS}
    marks = {odds: text for odds, text in marks.items() if y[0] <= odds <= y[-1]}
    figure.update_yaxes(range=[y[0], y[-1]], tickvals=list(marks), ticktext=list(marks.values()), showgrid=False)
    return figure.update_layout(margin_r=28)


def _cells(cheapest: CheapestThresholds, texts: Sequence[str], x: Array, y: Array) -> go.Heatmap:
    """An invisible heatmap that carries the hover texts; the visible regions have exact edges."""
    shares, ratios = (10**y / (1 + 10**y))[:, None], 10 ** x[None, :]
    index = cheapest.index(ratios, shares)
    hits, alarms = np.asarray(recall(cheapest.counts))[index], np.asarray(fall_out(cheapest.counts))[index]
    paid = 1000 * (shares * ratios * (1 - hits) + (1 - shares) * alarms)
    numbers = [100 * hits, 100 * alarms, paid, np.broadcast_to(100 * shares, index.shape)]
    return go.Heatmap(
        x=x, y=y, z=np.zeros(index.shape, dtype=np.int8), opacity=0, showscale=False,
        text=np.array(texts, dtype=object)[index], customdata=np.dstack(numbers).astype(np.float32),
        hovertemplate="<b>%{text}</b><br>recall %{customdata[0]:.1f} % · false positive rate %{customdata[1]:.1f} %<br>"
        f"per 1{THIN}000 cases the cost is %{{customdata[2]:,.4~g}} false alarms<br>"
        "at a prevalence of %{customdata[3]:.3~g} %<extra></extra>",
    )  # fmt: skip


def _regions(sums: Array, x: Array, y: Array, colours: Ink) -> list[dict]:
    """Visible region of each threshold, from the ground colour to the accent; very narrow regions share one piece."""
    last = len(sums) - 2
    first, end = x[0] + y[0], x[-1] + y[-1]
    edges = np.clip(sums, first, end)
    pieces: list[list[int]] = []
    for index in np.flatnonzero(edges[:-1] < edges[1:]).tolist():
        if pieces and 0 < index < last and edges[index] - edges[pieces[-1][0]] < (end - first) / PIECES:
            pieces[-1][1] = index
        else:
            pieces.append([index, index])
    shades = np.linspace(0.12, 0.85, len(pieces)) if len(pieces) > 1 else [0.45]
    shapes = []
    for (low, high), shade in zip(pieces, shades, strict=True):
        corners = [(x[0], y[0]), (x[-1], y[0]), (x[-1], y[-1]), (x[0], y[-1])]
        corners = _clipped(_clipped(corners, float(edges[low]), 1), float(edges[high + 1]), -1)
        fill = mix(colours.grid, colours.accent, {0: 0.0, last: 1.0}.get(low, float(shade))).lower()
        path = "M" + "L".join(f"{a:.5f},{b:.5f}" for a, b in corners) + "Z"
        # So many that lines between them would hide them: then colour alone tells.
        line = {"color": colours.paper if len(pieces) <= 30 else fill, "width": 1}
        shapes.append({"type": "path", "path": path, "fillcolor": fill, "line": line, "layer": "below"})
    return shapes


def _clipped(corners: list[tuple[float, float]], total: float, side: int) -> list[tuple[float, float]]:
    """Part of a convex polygon with x + y at least `total` (side 1) or at most `total` (side −1)."""
    inside = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        before, after = side * (x0 + y0 - total), side * (x1 + y1 - total)
        if before >= 0:
            inside.append((x0, y0))
        if before * after < 0:
            share = before / (before - after)
            inside.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
    return inside


def _names(sums: Array, texts: Sequence[str], x: Array, y: Array, colours: Ink) -> list[dict]:
    """Annotations that name the regions with enough room, along the diagonal through all of them."""
    first, last = x[0] + y[0], x[-1] + y[-1]
    edges = np.clip(sums, first, last)
    names = []
    for index in np.flatnonzero(np.diff(edges) >= LABELLED * (last - first)).tolist():
        along = min(max(((edges[index] + edges[index + 1]) / 2 - first) / (last - first), 0.08), 0.92)
        at = {"x": x[0] + along * (x[-1] - x[0]), "y": y[0] + along * (y[-1] - y[0]), "text": texts[index]}
        names.append(at | _word(colours))
    return names


def _word(colours: Ink) -> dict:
    font = {"color": colours.text, "size": 11}
    return {"showarrow": False, "font": font, "bgcolor": colours.paper, "borderpad": 2, "opacity": 0.9}


def decision_figure(analysis: NetBenefit, colours: Ink) -> go.Figure:
    """Net benefit against the risk threshold, for the model, treating all and treating none."""
    lines = list(analysis.curves.items())
    risks = lines[0][1].probabilities
    figure = go.Figure()
    references = (("treat all", lines[0][1].treat_all, "dash"), ("treat none", np.zeros_like(risks), "dot"))
    for name, values, dash in references:
        figure.add_trace(_curve(name, risks, values, {"color": colours.grey, "width": 1.4, "dash": dash}, None))
    for index, (name, curve) in enumerate(lines):
        style = {"color": colours.accent if index == 0 else colours.system(index), "width": 2.4 if index == 0 else 1.8}
        figure.add_trace(_curve(name, risks, curve.model, style, 100 * curve.avoided))
    apply_frame(figure, colours, CURVE_HEIGHT, "risk threshold", "net benefit")
    benefits = [values for _, curve in lines for values in (curve.model, curve.treat_all)]
    top = float(np.fmax.reduce(benefits, axis=None, initial=1e-9))  # ignores nan
    end = 1.0 if risks[-1] > 0.9 else float(risks[-1])
    ticks: dict[str, Any] = (
        {"tickvals": [0, 0.25, 0.5, 0.75, 1], "tickformat": ".0%"} if end == 1 else {"nticks": 6} | PERCENT_TICKS
    )
    figure.update_xaxes(range=[0, end], **ticks)
    # Below zero a line only says how bad it gets; a little of that is enough.
    figure.update_yaxes(range=[-0.3 * top, 1.1 * top], zeroline=False)
    for name, risk in analysis.marks:
        figure.add_vline(x=risk, line={"color": colours.text, "width": 1, "dash": "dash"})
        # The words of two lines turn away from one another, where there is room.
        before = any(0.15 * end < risk < other for _, other in analysis.marks)
        side = {"xanchor": "right" if before or risk > 0.6 * end else "left"}
        figure.add_annotation(x=risk, y=1, yref="paper", yanchor="top", text=name, **side, **_word(colours))
    return figure.update_layout(legend={"y": -0.24, "yanchor": "top"}, margin_t=12, margin_r=24)


def _curve(name: str, risks: Array, values: Array, line: dict, avoided: Array | None) -> go.Scatter:
    more = "" if avoided is None else "<br>%{customdata:.1f} interventions avoided per 100"
    hover = f"{name}: %{{y:.4f}} at %{{x:.1%}}{more}<extra></extra>"
    return go.Scatter(x=risks, y=values, mode="lines", name=name, line=line, customdata=avoided, hovertemplate=hover)
