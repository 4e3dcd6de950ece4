"""ROC and precision–recall curves as pictures, and decisions without scores as points of the ROC plane."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.roc_table import MOST_POINTS, RocPoint, RocPoints
from evalcore.analyses.rulings import Requirement
from evalcore.classification import fall_out, line_points, precision_recall_curve, prevalence, recall, roc_points
from evalcore.classification.plot_points import FEW
from evalcore.figures.overlays import add_regions
from evalcore.figures.systems import (
    FAINT,
    HOVER,
    PIXELS,
    System,
    chosen_last,
    diagonal,
    guessing,
    label,
    roc_rates,
    spacing,
    squared,
    system_line,
)
from evalcore.figures.theme import Ink
from evalcore.wording.escaping import plotly_text
from evalcore.wording.names import short_names
from evalcore.wording.numbers import share_text

__all__ = ["precision_recall_figure", "roc_figure", "roc_points_figure"]

_ROC_HOVER = HOVER + "false positive rate %{x:.1%} · recall %{y:.1%}<extra></extra>"
_PR_HOVER = HOVER + "recall %{x:.1%} · precision %{y:.1%}<extra></extra>"
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "pentagon", "hexagon", "star", "cross")


def roc_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """True positive rate against false positive rate, straight between distinct thresholds; the diagonal is guessing.

    The chosen system is drawn over the others.
    """
    figure = diagonal(colours)
    for system in chosen_last(systems):
        rows = roc_points(system.table, PIXELS, spacing(systems))
        x, y = roc_rates(system, rows)
        shade = f"{colours.system(system.index)}12"
        area = {"fill": "tozeroy", "fillcolor": shade, "hoveron": "points"} if system.chosen else {}
        style: dict[str, Any] = {"dots": system.chosen, "hovertemplate": _ROC_HOVER} | area
        figure.add_trace(system_line(system, rows, x, y, colours, **style))
    # Room for the handles of the ranges that are dragged along the axes.
    room = {"xaxis": {"ticklabelstandoff": 3}, "yaxis": {"ticklabelstandoff": 8}}
    return squared(figure, systems, colours, "false positive rate", "true positive rate (recall)", **room)


def precision_recall_figure(systems: Sequence[System], colours: Ink, line: str = "both") -> go.Figure:
    """Precision against recall over the prevalence, which is what guessing gives.

    The interpolated line is the highest precision at any recall of at least as much: a step down after each point that
    holds it. It starts at recall 0 with the best precision there is, not at an invented 1. The line is one of
    `PRECISION_LINES`; "both" puts the counted sawtooth of the chosen system thinly behind the interpolated lines.
    """
    figure = go.Figure()
    for system in chosen_last(systems):
        if line == "as counted" or (line == "both" and system.chosen):
            figure.add_trace(_sawtooth(system, colours, spacing(systems), behind=line == "both"))
    if line != "as counted":
        figure.add_traces([_envelope(system, colours, spacing(systems)) for system in chosen_last(systems)])
    for system in systems:
        if system.chosen:
            _add_prevalence(figure, float(prevalence(system.table.counts[0])), colours)
    return squared(figure, systems, colours, "recall", "precision")


def _sawtooth(system: System, colours: Ink, apart: float, behind: bool) -> go.Scatter:
    curve = precision_recall_curve(system.table)
    rows = line_points(curve.recall, curve.precision, PIXELS, apart)
    style: dict[str, Any] = {"hovertemplate": _PR_HOVER}
    if behind:
        style |= {"opacity": 0.55, "showlegend": False}
    x, y = curve.recall[rows], curve.precision[rows]
    trace = system_line(system, rows + 1, x, y, colours, dots=system.chosen, **style)
    return trace.update(line_width=FAINT) if behind else trace


def _envelope(system: System, colours: Ink, apart: float) -> go.Scatter:
    curve = precision_recall_curve(system.table)
    highest = curve.interpolated
    # A corner is where a recall is first reached; later rows of the same recall only have more false alarms.
    rows = np.flatnonzero((curve.precision == highest) & (np.diff(curve.recall, prepend=0.0) > 0))
    hover = HOVER + "precision %{y:.1%} at recall %{x:.1%} or more<extra></extra>"
    # The line of one point more: from recall 0 the best precision of all holds until the first corner.
    x, y = np.append([0.0] * len(rows[:1]), curve.recall[rows]), np.append(highest[rows[:1]], highest[rows])
    rows, shape = np.append(rows[:1], rows) + 1, "vh"
    if len(x) > FEW:
        # So many steps that each is smaller than a pixel or few are needed: both ends of each, and of these the few.
        x, y, rows = x.repeat(2)[:-1], np.append(y[0], y[1:].repeat(2)), np.append(rows[0], rows[1:].repeat(2))
        indices = line_points(x, y, PIXELS, apart)
        x, y, rows, shape = x[indices], y[indices], rows[indices], "linear"
    return system_line(system, rows, x, y, colours, hovertemplate=hover, line_shape=shape)


def _add_prevalence(figure: go.Figure, share: float, colours: Ink) -> None:
    figure.add_trace(guessing([0, 1], [share, share], colours))
    # Curves worth having lie above the line, so its label stands below it where there is room.
    side = {"yanchor": "top"} if share > 0.1 else {"yanchor": "bottom"}
    text = f"guessing: prevalence {share_text(share)}"
    figure.add_annotation(x=0.01, y=share, xanchor="left", text=text, **side, **label(colours))


def roc_points_figure(
    analysis: RocPoints, requirements: Sequence[Requirement], colours: Ink, share: float | None = None
) -> go.Figure:
    """Each decision as a point over regions of requirements; from below the diagonal an arrow leads to the opposite.

    The regions are those of a prevalence (`share`), by default of the chosen point, which has a ring among several.
    Points without a positive or a negative row have no place and are left out.
    """
    figure = diagonal(colours)
    hover = (
        "<b>%{meta.name}</b><br>TP %{customdata[0]:,.2~f} · FP %{customdata[1]:,.2~f}<br>"
        "FN %{customdata[2]:,.2~f} · TN %{customdata[3]:,.2~f}<br>"
        "false positive rate %{x:.1%} · recall %{y:.1%}<extra></extra>"
    )
    points = analysis.points[:MOST_POINTS]
    short = short_names((point.name for point in points), 28)
    for index, point in enumerate(points):
        x, y = float(fall_out(point.counts)), float(recall(point.counts))
        if np.isnan([x, y]).any():
            continue
        name = plotly_text(short[point.name])
        mark = {"size": 13, "color": colours.system(index), "symbol": _SYMBOLS[index % len(_SYMBOLS)]}
        if point is analysis.chosen and len(analysis.points) > 1:
            figure.add_scatter(
                x=[x], y=[y], mode="markers", cliponaxis=False, hoverinfo="skip", meta={"overlay": "chosen"},
                marker={"size": 24, "symbol": "circle-open", "color": colours.text, "line": {"width": 2}},
            )  # fmt: skip
        cells = np.array([[float(getattr(point.counts, cell)) for cell in ("tp", "fp", "fn", "tn")]])
        figure.add_scatter(
            x=[x], y=[y], mode="markers+text", text=[f"<b>{name}</b>"], textposition="bottom right", marker=mark,
            name=name, meta={"name": name}, customdata=cells, hovertemplate=hover, cliponaxis=False,
        )  # fmt: skip
        if point.is_below:
            _add_opposite(figure, point, name, mark, colours)
    if analysis.chosen is not None:
        add_regions(figure, requirements, float(prevalence(analysis.chosen.counts)), colours, share)
    return squared(figure, (), colours, "false positive rate", "true positive rate (recall)", showlegend=False)


def _add_opposite(figure: go.Figure, point: RocPoint, name: str, mark: dict, colours: Ink) -> None:
    turned = point.opposite.counts
    x, y = float(fall_out(turned)), float(recall(turned))
    figure.add_annotation(
        x=x, y=y, ax=float(fall_out(point.counts)), ay=float(recall(point.counts)), xref="x", yref="y", axref="x",
        ayref="y", showarrow=True, arrowhead=2, arrowwidth=1.4, arrowcolor=mark["color"], standoff=8, startstandoff=8,
        text="",
    )  # fmt: skip
    figure.add_scatter(
        x=[x], y=[y], mode="markers+text", text=[f"not {name}"], textposition="top left", name=f"not {name}",
        marker=mark | {"symbol": f"{mark['symbol']}-open", "line": {"width": 2}}, meta={"overlay": "inverted"},
        textfont={"color": colours.grey}, cliponaxis=False,
        hovertemplate=f"<b>the opposite of {name}</b><br>false positive rate %{{x:.1%}} · recall %{{y:.1%}}"
        "<extra></extra>",
    )  # fmt: skip
