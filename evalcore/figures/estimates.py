"""Rows of estimates as points, or as a density where they are many."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses import Brush, Cloud, EstimateRows
from evalcore.figures.theme import Ink, framed
from evalcore.inference import Interval
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import count_text, number_text, signed

__all__ = ["cloud_figure"]

_HEIGHT = 400


def cloud_figure(
    cloud: Cloud,
    estimates: EstimateRows,
    colours: Ink,
    brush: Brush | None = None,
    lines: Sequence[Interval] = (),
    dragmode: str = "select",
) -> go.Figure:
    """A point per row, or a density of many, with the line of perfect estimates and the mean along the x axis.

    Rows can be brushed: also over a density, where invisible points lie at the middle of the bins. Lines lie across the
    picture, each in the band of its interval. Dragging selects or moves ("pan"), which leaves clicks to points.
    """
    figure = go.Figure()
    if cloud.is_density:
        _add_density(figure, cloud, colours)
    else:
        _add_points(figure, cloud, estimates, colours)
    if cloud.line:
        ends = np.array([cloud.x.min(), cloud.x.max()])
        figure.add_scatter(
            x=ends, y=ends if cloud.line == "equal" else np.zeros(2), mode="lines", hoverinfo="skip",
            line={"color": colours.text, "width": 1, "dash": "dot"},
        )  # fmt: skip
    if cloud.trend:
        x, y = cloud.trend_line
        figure.add_scatter(
            x=x, y=y, mode="markers" if cloud.categories else "lines",
            line={"color": colours.systems[4], "width": 2.5},
            marker={"size": 34, "symbol": "line-ew", "line": {"width": 3, "color": colours.systems[4]}},
            hovertemplate="mean of the rows around %{x:.4~g}: %{y:.4~g}<extra></extra>",
        )  # fmt: skip
    for one in lines:
        figure.add_hline(y=one.estimate, line={"color": colours.text, "width": 1.2, "dash": "dash"})
        if not math.isnan(one.low):
            figure.add_hrect(y0=one.low, y1=one.high, fillcolor=colours.grey, opacity=0.18, line_width=0)
    if brush is not None and brush.cloud == cloud.key:
        _mark(figure, cloud, brush, colours)
    titles = [plotly_text(title, 60) for title in cloud.titles]
    axis = {
        "tickvals": [*range(len(cloud.categories))],
        "ticktext": [plotly_text(name, 16) for name in cloud.categories],
    }
    return framed(
        figure, colours, _HEIGHT, *titles, showlegend=False, dragmode=dragmode,
        xaxis={"nticks": 7} | (axis if cloud.categories else {}), yaxis={"nticks": 7},
    )  # fmt: skip


def _add_points(figure: go.Figure, cloud: Cloud, estimates: EstimateRows, colours: Ink) -> None:
    state = estimates.state if cloud.places is None else estimates.state[cloud.places]
    places = np.arange(len(state)) if cloud.places is None else cloud.places
    hover = [
        f"{plotly_text(estimates.line(row), 40)}<br>truth {number_text(y)}, estimate {number_text(p)}, error "
        f"{signed(number_text)(p - y)}"
        for row, y, p in zip(places.tolist(), state.truth.tolist(), state.estimate.tolist(), strict=True)
    ]
    many = min(max(len(cloud.x) / 2_000, 0), 1)
    figure.add_scatter(
        x=cloud.x, y=cloud.y, mode="markers", text=hover, hovertemplate="%{text}<extra></extra>",
        marker={"color": colours.accent, "size": 7 - 2 * many, "opacity": 0.7 - 0.35 * many},
    )  # fmt: skip


def _add_density(figure: go.Figure, cloud: Cloud, colours: Ink) -> None:
    z, (x, y) = cloud.density, cloud.edges
    middle_x, middle_y = (x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2
    words = np.array([[count_text(count) for count in row] for row in z.tolist()], dtype=object)
    figure.add_heatmap(
        x=middle_x, y=middle_y, z=np.where(z > 0, np.sqrt(z), np.nan), customdata=words, showscale=False,
        colorscale=[[0, colours.grid], [0.12, f"{colours.accent}66"], [1, colours.accent]],
        hovertemplate="about %{x:.4~g}, %{y:.4~g}: %{customdata} rows<extra></extra>",
    )  # fmt: skip
    rows, columns = np.nonzero(z)
    figure.add_scatter(
        x=middle_x[columns], y=middle_y[rows], mode="markers", marker={"opacity": 0, "size": 4}, hoverinfo="skip"
    )


def _mark(figure: go.Figure, cloud: Cloud, brush: Brush, colours: Ink) -> None:
    (left, right), (bottom, top) = brush.x, brush.y
    if left == right and bottom == top:
        ring = {"color": "rgba(0,0,0,0)", "size": 15, "line": {"color": colours.text, "width": 2}}
        figure.add_scatter(x=[left], y=[bottom], mode="markers", marker=ring, hoverinfo="skip")
    else:
        line = {"color": colours.text, "width": 1.5, "dash": "dash"}
        figure.add_shape(type="rect", x0=left, x1=right, y0=bottom, y1=top, line=line, layer="above")
