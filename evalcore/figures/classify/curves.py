"""ROC and precision–recall curves as pictures, and decisions without scores as points of the ROC plane."""

from collections.abc import Sequence

import numpy as np

from evalcore import analyses, classification
from evalcore.classification import fall_out, line_points, precision_recall_curve, prevalence, recall, roc_points
from evalcore.classification.binary.curves import FEW
from evalcore.figures import graph_objects as go
from evalcore.figures.systems import System, chosen_of, diagonal, drawn, fineness, frame_square, guessing, label
from evalcore.figures.theme import Ink, apply_frame
from evalcore.inference import Band, precision_recall_band, roc_band
from evalcore.numeric import Array
from evalcore.wording import level_text, plotly_text, share_text, short_names

__all__ = ["band_of", "overlaid_figure", "precision_recall_figure", "roc_figure", "roc_points_figure", "steps_figure"]
__all__ += ["systems_of"]

_ROC_CORNERS = {
    (0, 0): "nothing is positive", (1, 1): "everything is positive", (0, 1): "perfect", (1, 0): "always wrong",
}  # fmt: skip

_PR_CORNERS = {
    (0, 0): "neither: guessing on rare positives", (1, 1): "both: what everybody wants",
    (0, 1): "no wrong one: edible mushrooms, the first page of a web search",
    (1, 0): "miss none: patent search, screening",
}  # fmt: skip
"""What lies in the corners of the planes, by the corner."""


def add_contours(figure: go.Figure, field: classification.MeasureField, name: str, colours: Ink) -> None:
    """Lines of equal value of a measure, behind everything, each labelled with its value."""
    if not len(levels := field.levels()):
        return
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


def add_regions(
    figure: go.Figure, requirements: Sequence[analyses.Requirement], own: float, colours: Ink,
    share: float | None = None, over_roc: bool = True,
) -> None:  # fmt: skip
    """Add hatched, named regions that meet requirements at a prevalence (`share`, else `own`), in ROC or PR."""
    for one in requirements:
        x, y = one.region(own, share, over_roc)
        if not len(x):
            continue
        rules_in = one.side == "in"
        colour = colours.words["tp" if rules_in else "tn"]
        hatch = {"shape": "\\" if rules_in else "/", "fgcolor": f"{colour}40", "bgcolor": f"{colour}10", "size": 9}
        figure.traces.insert(0, go.Scatter(
            x=x, y=y, mode="lines", fill="toself", line={"width": 1, "color": colour, "dash": "dot"},
            fillcolor=f"{colour}14", fillpattern=hatch | {"solidity": 0.12}, hoverinfo="skip", showlegend=False,
            meta={"region": one.words},
        ))  # fmt: skip
        # One that rules in hangs at the left, one that rules out lies at the top.
        at_top = {"x": float(x.max()) - 0.01, "y": 0.985, "xanchor": "right", "yanchor": "top"}
        inside = {"x": float(x.min()) + 0.01, "y": 0.9, "xanchor": "left"} if rules_in else at_top
        look = {"showarrow": False, "font": {"color": colour, "size": 11}, "bgcolor": colours.paper, "borderpad": 1}
        figure.add_annotation(text=one.words, **look, **inside)


def add_band(figure: go.Figure, band: Band, system: System, colours: Ink) -> None:
    """Add the confidence band of a system's curve, behind all curves, if it has bounds."""
    known = ~(np.isnan(band.low) | np.isnan(band.high))
    if known.any():
        at = band.at[known]
        figure.traces.insert(0, go.Scatter(
            x=np.append(at, at[::-1]), y=np.append(band.low[known], band.high[known][::-1]), mode="lines",
            fill="toself", fillcolor=f"{colours.system(system.index)}2e", line={"width": 0}, hoverinfo="skip",
            name=f"{level_text(band.level)} band", showlegend=False, meta={"band": band.method},
        ))  # fmt: skip


def add_corners(figure: go.Figure, colours: Ink, roc: bool) -> None:
    """The corners of the plane by their names."""
    for (x, y), words in (_ROC_CORNERS if roc else _PR_CORNERS).items():
        head, colon, rest = words.partition(":")
        figure.add_annotation(
            x=x, y=y, text=f"<b>{head}</b>" + (f"<br>{rest.strip().replace(', ', ',<br>')}" if colon else ""),
            xanchor="right" if x else "left", yanchor="top" if y else "bottom", align="right" if x else "left",
            showarrow=False, font={"size": 11, "color": colours.text}, bgcolor=colours.paper, borderpad=2, opacity=0.9,
        )  # fmt: skip


def add_hull(figure: go.Figure, system: System, colours: Ink) -> None:
    """The convex hull of the ROC curve of a system: its corners are the thresholds that are best at some costs."""
    rows = classification.roc_hull(system.table)
    trace = system.line(rows, *system.rates(rows), colours, _ROC_HOVER, showlegend=False)
    figure.add_trace(trace.update(
        line={"color": colours.text, "width": 1.2, "dash": "solid"}, meta=trace["meta"] | {"overlay": "hull"},
        mode="lines+markers" if len(rows) <= 60 else "lines", marker={"symbol": "diamond-open", "color": colours.text},
        hovertemplate=f"<i>convex hull</i><br>{trace['hovertemplate']}",
    ))  # fmt: skip


def add_inverted(figure: go.Figure, system: System, colours: Ink) -> None:
    """Add the ROC curve of the reversed scores of a system."""
    curve = classification.inverted_roc_curve(system.table)
    rows = line_points(curve.fpr, curve.tpr, *fineness(()))
    x, y = curve.fpr[rows], curve.tpr[rows]
    line = {"color": colours.system(system.index), "width": 2, "dash": "dot"}
    figure.add_still_line(x, y, line, meta={"overlay": "inverted"})
    middle = {"x": float(x[len(rows) // 2]), "y": float(y[len(rows) // 2]), "xanchor": "left", "yanchor": "top"}
    figure.add_annotation(text="the opposite decision", **middle, **label(colours))


def add_averages(
    figure: go.Figure, averages: classification.AveragedCurves, colours: Ink, roc: bool, interpolated: bool = True
) -> go.Figure:
    """The micro and the macro average of several classes."""
    if roc:
        counts, end = averages.micro.counts, averages.micro.counts[-1]
        # Both classes are there: each row is positive in one question and negative in the others.
        micro, macro = (counts.fp / end.actual_negatives, counts.tp / end.actual_positives), averages.macro_roc
    else:
        curve = precision_recall_curve(averages.micro)
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
        rows = line_points(x, y, *fineness(()))
        figure.add_scatter(
            x=x[rows].astype(np.float32), y=y[rows].astype(np.float32), mode="lines", name=name, legendrank=2000,
            line={"color": colours.text, "width": 2, "dash": broken}, meta={"mean": name},
            hovertemplate=f"<b>{name}</b><br>%{{x:.1%}} · %{{y:.1%}}<extra></extra>",
        )  # fmt: skip
    return figure


def _steps(recall: Array, precision: Array) -> tuple[Array, Array]:
    """Both ends of each step, from recall 0 on: a precision holds up to and including its recall."""
    return np.append(0.0, recall).repeat(2)[1:-1], precision.repeat(2)


def zoom_to_corner(figure: go.Figure, corner: analyses.Corner, plane: str, colours: Ink) -> None:
    """Show only a corner of a plane, and say so where its curves leave room."""
    if (part := corner.parts.get(plane)) is None:
        return
    air = [0.012 * (high - low) for low, high in part]
    ranges = [{"range": (low - more, high + more)} for (low, high), more in zip(part, air, strict=True)]
    side = {"x": 0.97, "xanchor": "right"} if plane == "roc" else {"x": 0.03, "xanchor": "left"}
    where = {"xref": "paper", "yref": "paper", "y": 0.03, "yanchor": "bottom", **side}
    figure.add_annotation(text=corner.text(plane), **where, **label(colours))
    # A zoom by hand lasts as long as the corner is open or closed.
    figure.update_layout(xaxis=ranges[0], yaxis=ranges[1], uirevision=corner.text(plane))


_ROC_HOVER = "false positive rate %{x:.1%} · recall %{y:.1%}"
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "pentagon", "hexagon", "star", "cross")


def systems_of(shown: Sequence[analyses.Scores], chosen: str | None) -> list[System]:
    """Scores of one data set as systems to draw, each in the colour of its place there; one of them is chosen."""
    short = short_names(map(analyses.curve_name, shown), 28)
    return [
        System(short[analyses.curve_name(s)], s.current.dataset.systems.index(s.system), s.table, s.system == chosen)
        for s in shown
    ]


def roc_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """True against false positive rate, straight between distinct thresholds; the chosen system is drawn last."""
    figure = diagonal(colours)
    for system in drawn(systems):
        rows, shade = roc_points(system.table, *fineness(systems)), f"{colours.system(system.index)}12"
        area = {"fill": "tozeroy", "fillcolor": shade, "hoveron": "points"} if system.chosen else {}
        figure.add_trace(system.line(rows, *system.rates(rows), colours, _ROC_HOVER, **area))
    # Room for the handles of the ranges that are dragged along the axes.
    room = {"xaxis": {"ticklabelstandoff": 3}, "yaxis": {"ticklabelstandoff": 8}}
    return frame_square(figure, systems, colours, "false positive rate", "true positive rate (recall)", **room)


def precision_recall_figure(systems: Sequence[System], colours: Ink, line: str = "both") -> go.Figure:
    """Precision against recall, above the prevalence that guessing gives.

    The interpolated line is the highest precision at any recall of at least as much: a step down after each point that
    holds it. It starts at recall 0 with the best precision there is, not at an invented 1. The line is one of
    `PRECISION_LINES`; "both" puts the counted sawtooth of the chosen system thinly behind the interpolated lines.
    """
    figure = go.Figure()
    for system in drawn(systems):
        if line == "sawtooth" or (line == "both" and system.chosen):
            curve = precision_recall_curve(system.table)
            rows = line_points(curve.recall, curve.precision, *fineness(systems))
            words = "recall %{x:.1%} · precision %{y:.1%}"
            trace = system.line(rows + 1, curve.recall[rows], curve.precision[rows], colours, words)
            behind = {"opacity": 0.55, "showlegend": False, "line_width": 1.0} if line == "both" else {}
            figure.add_trace(trace.update(**behind))
    if line != "sawtooth":
        figure.add_traces([_envelope(system, colours, fineness(systems)) for system in drawn(systems)])
    if (chosen := chosen_of(systems)) is not None:
        _add_prevalence(figure, float(prevalence(chosen.table.counts[0])), colours)
    return frame_square(figure, systems, colours, "recall", "precision")


def _envelope(system: System, colours: Ink, fine: tuple[int, float]) -> go.Scatter:
    curve = precision_recall_curve(system.table)
    highest = curve.interpolated
    # A corner is where a recall is first reached; later rows of the same recall only have more false alarms.
    rows = np.flatnonzero((curve.precision == highest) & (np.diff(curve.recall, prepend=0.0) > 0))
    hover = "precision %{y:.1%} at recall %{x:.1%} or more"
    # The line of one point more: from recall 0 the best precision of all holds until the first corner.
    x, y = np.append([0.0] * len(rows[:1]), curve.recall[rows]), np.append(highest[rows[:1]], highest[rows])
    rows, shape = np.append(rows[:1], rows) + 1, "vh"
    if len(x) > FEW:
        # So many steps that each is smaller than a pixel or few are needed: both ends of each, and of these the few.
        x, y, rows = x.repeat(2)[:-1], np.append(y[0], y[1:].repeat(2)), np.append(rows[0], rows[1:].repeat(2))
        indices = line_points(x, y, *fine)
        x, y, rows, shape = x[indices], y[indices], rows[indices], "linear"
    return system.line(rows, x, y, colours, hover, line_shape=shape).update(mode="lines")


def _add_prevalence(figure: go.Figure, share: float, colours: Ink) -> None:
    figure.add_trace(guessing([0, 1], [share, share], colours))
    # Curves worth having lie above the line, so its label stands below it where there is room.
    where = {"x": 0.01, "y": share, "xanchor": "left", "yanchor": "top" if share > 0.1 else "bottom"}
    figure.add_annotation(text=f"guessing: prevalence {share_text(share)}", **where, **label(colours))


def roc_points_figure(
    analysis: analyses.RocPoints, requirements: Sequence[analyses.Requirement], colours: Ink, share: float | None = None
) -> go.Figure:
    """Each decision as a point over regions of requirements; from below the diagonal an arrow leads to the opposite.

    The regions are those of a prevalence (`share`), by default of the chosen point, which has a ring among several.
    Points without a positive or a negative row have no place and are left out.
    """
    figure = diagonal(colours)
    hover = "<b>%{meta.name}</b><br>TP %{customdata[0]:,.2~f} · FP %{customdata[1]:,.2~f}<br>FN %{customdata[2]:,.2~f} "
    hover += f"· TN %{{customdata[3]:,.2~f}}<br>{_ROC_HOVER}<extra></extra>"
    points = analysis.points[: analyses.MOST_POINTS]
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
            _add_opposite(figure, point, (x, y), name, mark, colours)
    if analysis.chosen is not None:
        add_regions(figure, requirements, float(prevalence(analysis.chosen.counts)), colours, share)
    return frame_square(figure, (), colours, "false positive rate", "true positive rate (recall)", showlegend=False)


def _add_opposite(
    figure: go.Figure, point: analyses.RocPoint, tail: tuple[float, float], name: str, mark: dict, colours: Ink
) -> None:
    x, y = float(fall_out(point.opposite.counts)), float(recall(point.opposite.counts))
    figure.add_annotation(
        x=x, y=y, ax=tail[0], ay=tail[1], xref="x", yref="y", axref="x", ayref="y", showarrow=True, arrowhead=2,
        arrowwidth=1.4, arrowcolor=mark["color"], standoff=8, startstandoff=8, text="",
    )  # fmt: skip
    figure.add_scatter(
        x=[x], y=[y], mode="markers+text", text=[f"not {name}"], textposition="top left", name=f"not {name}",
        marker=mark | {"symbol": f"{mark['symbol']}-open", "line": {"width": 2}}, meta={"overlay": "inverted"},
        textfont={"color": colours.grey}, cliponaxis=False,
        hovertemplate=f"<b>the opposite of {name}</b><br>{_ROC_HOVER}<extra></extra>",
    )  # fmt: skip


def steps_figure(steps: analyses.CurveSteps, gone: int, colours: Ink) -> go.Figure:
    """The curve after some steps, with a dot at each and a ring around the last."""
    x, y = steps.x[: gone + 1], steps.y[: gone + 1]
    line, marker = {"color": colours.accent, "width": 2}, {"color": colours.accent, "size": 5}
    figure = go.Figure()
    figure.add_scatter(x=x, y=y, mode="lines+markers", line=line, marker=marker, hoverinfo="x+y", showlegend=False)
    figure.add_ring(x[-1:], y[-1:], colours.paper, colours.text)
    axis = {"range": [-0.04, 1.04], "tickvals": np.linspace(0, 1, 6).round(1).tolist(), "fixedrange": True}
    return apply_frame(figure, colours, 330, *steps.axes, xaxis=axis, yaxis=axis)


def overlaid_figure(
    plane: str, systems: Sequence[System], scores: analyses.Scores, overlays: analyses.CurveOverlays, colours: Ink, *,
    averages: classification.AveragedCurves | None = None, band: Band | None = None, inverted: bool = False,
    corner: analyses.Corner | None = None,
) -> go.Figure:  # fmt: skip
    """Curves of systems in a plane, "roc" or "pr", or in its corner, with what is laid over the chosen one."""
    roc, chosen, state = plane == "roc", chosen_of(systems), scores.scored
    figure = roc_figure(systems, colours) if roc else precision_recall_figure(systems, colours, overlays.line)
    if averages is not None:
        add_averages(figure, averages, colours, roc, interpolated=overlays.line != "sawtooth")
    if corner is not None:
        zoom_to_corner(figure, corner, plane, colours)
    if chosen is None:
        return figure
    if roc and overlays.hull:
        add_hull(figure, chosen, colours)
    if roc and inverted:
        add_inverted(figure, chosen, colours)
    if band is not None:
        add_band(figure, band, chosen, colours)
    if overlays.corners:
        add_corners(figure, colours, roc)
    if state.negatives:
        add_regions(figure, overlays.requirements, scores.prevalence, colours, overlays.share, over_roc=roc)
    if overlays.measure is not None:
        field = classification.measure_over_roc if roc else classification.measure_over_pr
        # At 71 places along each axis the measure is worked out.
        add_contours(figure, field(overlays.value, state.positives, state.negatives, 71), overlays.contours, colours)
    return figure


def band_of(plane: str, scores: analyses.Scores, overlays: analyses.CurveOverlays) -> Band | None:
    """Band chosen for the curve of a system in a plane; None without one."""
    make, simultaneous = roc_band if plane == "roc" else precision_recall_band, overlays.band == "simultaneous"
    drawn = overlays.band != analyses.BANDS[0]
    return make(scores.table, simultaneous=simultaneous, scored=scores.scored) if drawn else None
