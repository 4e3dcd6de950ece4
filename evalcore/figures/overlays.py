"""What is drawn over and behind ROC and precision–recall curves: contours, regions, bands, hull, opposite decision."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.rulings import Requirement
from evalcore.classification import AveragedCurves, MeasureField, inverted_roc_curve, line_points, roc_hull
from evalcore.classification import precision_recall_curve as pr_curve
from evalcore.figures.systems import HOVER, PIXELS, System, label, roc_rates, system_line
from evalcore.figures.theme import Ink
from evalcore.inference import Band
from evalcore.numeric import Array
from evalcore.wording.numbers import level_text

__all__ = ["add_averages", "add_band", "add_contours", "add_corners", "add_hull", "add_inverted", "add_regions"]
__all__ += ["coloured"]

_HATCHES = ("/", "\\")
_ROC_CORNERS = {
    (0, 0): "nothing is positive", (1, 1): "everything is positive", (0, 1): "perfect", (1, 0): "always wrong",
}  # fmt: skip
_PR_CORNERS = {
    (0, 0): "neither: guessing on rare positives", (1, 1): "both: what everybody wants",
    (0, 1): "no wrong one: edible mushrooms, the first page of a web search",
    (1, 0): "miss none: patent search, screening",
}  # fmt: skip
"""What lies in the corners of the planes, by the corner."""


def add_contours(figure: go.Figure, field: MeasureField, name: str, colours: Ink) -> go.Figure:
    """Lines of equal value of a measure, behind everything, each labelled with its value."""
    levels = field.levels()
    if len(levels) < 1:
        return figure
    step = float(levels[1] - levels[0]) if len(levels) > 1 else 1.0
    contours = {"coloring": "lines", "showlabels": True, "labelfont": {"size": 11, "color": colours.grey}}
    figure.add_contour(
        x=field.x.astype(np.float32), y=field.y.astype(np.float32),
        # Beyond the lines the values only cost room; what is infinite would break the interpolation.
        z=np.clip(field.values, levels[0] - 2 * step, levels[-1] + 2 * step).astype(np.float32),
        colorscale=[[0, colours.grey], [1, colours.grey]], showscale=False, hoverinfo="skip", opacity=0.75,
        line={"width": 1, "smoothing": 0.6}, meta={"contours": name},
        contours=contours | {"start": float(levels[0]), "end": float(levels[-1]), "size": step},
    )  # fmt: skip
    return figure


def add_regions(
    figure: go.Figure,
    requirements: Sequence[Requirement],
    own: float,
    colours: Ink,
    share: float | None = None,
    over_roc: bool = True,
) -> go.Figure:
    """Hatched parts of the plane where requirements hold, behind the curves, each named inside.

    They must hold at a prevalence (`share`), by default that of the sample (`own`); the plane is that of ROC, or of
    precision and recall.
    """
    for one in requirements:
        x, y = one.region(own, share, over_roc)
        if not len(x):
            continue
        rules_in = one.side == "in"
        colour = colours.words["tp" if rules_in else "tn"]
        hatch = {"shape": _HATCHES[rules_in], "fgcolor": f"{colour}40", "bgcolor": f"{colour}10", "size": 9}
        _behind(
            figure,
            go.Scatter(
                x=x, y=y, mode="lines", fill="toself", line={"width": 1, "color": colour, "dash": "dot"},
                fillcolor=f"{colour}14", fillpattern=hatch | {"solidity": 0.12}, hoverinfo="skip", showlegend=False,
                meta={"region": one.words},
            ),
        )  # fmt: skip
        # One that rules in hangs at the left, one that rules out lies at the top.
        inside = {"x": float(x.max()) - 0.01, "y": 0.985, "xanchor": "right", "yanchor": "top"}
        if rules_in:
            inside = {"x": float(x.min()) + 0.01, "y": 0.9, "xanchor": "left"}
        figure.add_annotation(
            text=one.words, showarrow=False, font={"color": colour, "size": 11}, bgcolor=colours.paper, borderpad=1,
            **inside,
        )  # fmt: skip
    return figure


def add_band(figure: go.Figure, band: Band, system: System, colours: Ink) -> go.Figure:
    """The band around the curve of a system, behind all curves; nothing where it has no bounds."""
    known = ~(np.isnan(band.low) | np.isnan(band.high))
    if known.any():
        at = band.at[known]
        _behind(
            figure,
            go.Scatter(
                x=np.append(at, at[::-1]), y=np.append(band.low[known], band.high[known][::-1]), mode="lines",
                fill="toself", fillcolor=f"{colours.system(system.index)}2e", line={"width": 0},
                name=f"{level_text(band.level)} band", hoverinfo="skip", showlegend=False,
                meta={"band": band.method},
            ),
        )  # fmt: skip
    return figure


def add_corners(figure: go.Figure, colours: Ink, roc: bool) -> go.Figure:
    """The corners of the plane by their names."""
    for (x, y), words in (_ROC_CORNERS if roc else _PR_CORNERS).items():
        head, colon, rest = words.partition(":")
        figure.add_annotation(
            x=x, y=y, text=f"<b>{head}</b>" + (f"<br>{rest.strip().replace(', ', ',<br>')}" if colon else ""),
            xanchor="right" if x else "left", yanchor="top" if y else "bottom", align="right" if x else "left",
            showarrow=False, font={"size": 11, "color": colours.text}, bgcolor=colours.paper, borderpad=2, opacity=0.9,
        )  # fmt: skip
    return figure


def add_hull(figure: go.Figure, system: System, colours: Ink) -> go.Figure:
    """The convex hull of the ROC curve of a system: its corners are the thresholds that are best at some costs."""
    rows = roc_hull(system.table)
    hover = "<i>convex hull</i><br>" + HOVER + "false positive rate %{x:.1%} · recall %{y:.1%}<extra></extra>"
    trace = system_line(system, rows, *roc_rates(system, rows), colours, hovertemplate=hover, showlegend=False)
    marks = {"size": 6, "symbol": "diamond-open", "color": colours.text}
    mode = "lines+markers" if len(rows) <= 60 else "lines"
    trace.update(line={"color": colours.text, "width": 1.2, "dash": "solid"}, mode=mode, marker=marks)
    return figure.add_trace(trace.update(meta=cast(dict, trace.meta) | {"overlay": "hull"}))


def add_inverted(figure: go.Figure, system: System, colours: Ink) -> go.Figure:
    """The ROC curve of the opposite decision of a system whose scores point the other way."""
    curve = inverted_roc_curve(system.table)
    rows = line_points(curve.fpr, curve.tpr, PIXELS)
    figure.add_scatter(
        x=curve.fpr[rows], y=curve.tpr[rows], mode="lines", hoverinfo="skip", showlegend=False,
        line={"color": colours.system(system.index), "width": 2, "dash": "dot"}, meta={"overlay": "inverted"},
    )  # fmt: skip
    middle = rows[len(rows) // 2]
    figure.add_annotation(
        x=float(curve.fpr[middle]), y=float(curve.tpr[middle]), text="the opposite decision", xanchor="left",
        yanchor="top", **label(colours),
    )  # fmt: skip
    return figure


def add_averages(
    figure: go.Figure, averages: AveragedCurves, colours: Ink, roc: bool, interpolated: bool = True
) -> go.Figure:
    """The micro and the macro average of several classes."""
    if roc:
        counts, end = averages.micro.counts, averages.micro.counts[-1]
        # Both classes are there: each row is positive in one question and negative in the others.
        micro, macro = (counts.fp / end.actual_negatives, counts.tp / end.actual_positives), averages.macro_roc
    else:
        curve = pr_curve(averages.micro)
        micro = (curve.recall, curve.precision)
        if interpolated:
            highest = curve.interpolated
            # A corner is where a recall is first reached; between two of them the line is level.
            corners = (curve.precision == highest) & (np.diff(curve.recall, prepend=0.0) > 0)
            micro = _steps(curve.recall[corners], highest[corners])
        macro = _steps(*averages.macro_precision_recall)
    for (x, y), name, broken in ((micro, "micro average", "dot"), (macro, "macro average", "dash")):
        if not len(x) or not len(y):
            continue
        rows = line_points(x, y, PIXELS)
        figure.add_scatter(
            x=x[rows].astype(np.float32), y=y[rows].astype(np.float32), mode="lines", name=name, legendrank=2000,
            line={"color": colours.text, "width": 2, "dash": broken}, meta={"mean": name},
            hovertemplate=f"<b>{name}</b><br>%{{x:.1%}} · %{{y:.1%}}<extra></extra>",
        )  # fmt: skip
    return figure


def _steps(recall: Array, precision: Array) -> tuple[Array, Array]:
    """Both ends of each step, from recall 0 on: a precision holds up to and including its recall."""
    return np.append(0.0, recall).repeat(2)[1:-1], precision.repeat(2)


def coloured(figure: go.Figure, colours: Ink, scale: bool) -> go.Figure:
    """The line of the chosen system with its points in the colour of their threshold."""
    for trace in cast(Sequence[go.Scatter], figure.data):
        if trace.customdata is None or (trace.name or "")[:3] != "<b>" or "overlay" in (trace.meta or ()):
            continue
        thresholds = np.asarray(trace.customdata)[:, 0].copy()
        finite = np.isfinite(thresholds)
        if not finite.any():
            continue
        low, high = float(thresholds[finite].min()), float(thresholds[finite].max())
        thresholds = np.clip(thresholds, low, high).astype(np.float32)
        trace.update(
            mode="lines+markers",
            line_width=1,
            marker={
                "color": thresholds, "cmin": low, "cmax": high, "size": 6,
                "colorscale": [[0, colours.system(8)], [0.5, colours.system(3)], [1, colours.system(0)]],
                "showscale": scale,
                "colorbar": {
                    "title": {"text": "threshold", "font": {"size": 11, "color": colours.grey}}, "thickness": 9,
                    "len": 0.42, "x": 0.985, "xanchor": "right", "y": 0.06, "yanchor": "bottom", "outlinewidth": 0,
                    "tickfont": {"size": 11, "color": colours.grey}, "nticks": 5,
                },
            },
        )  # fmt: skip
        scale = False
    return figure


def _behind(figure: go.Figure, trace: go.Scatter) -> None:
    figure.add_trace(trace)
    figure.data = (figure.data[-1], *figure.data[:-1])
