"""A curve as far as its steps have been gone."""

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.curve_steps import CurveSteps
from evalcore.figures.theme import Ink, framed

__all__ = ["steps_figure"]


def steps_figure(steps: CurveSteps, gone: int, colours: Ink) -> go.Figure:
    """The curve after some steps, with a dot at each and a ring around the last."""
    x, y = steps.x[: gone + 1], steps.y[: gone + 1]
    line = {"color": colours.accent, "width": 2}
    marker = {"color": colours.accent, "size": 5}
    figure = go.Figure([
        go.Scatter(x=x, y=y, mode="lines+markers", line=line, marker=marker, hoverinfo="x+y", showlegend=False),
        go.Scatter(
            x=x[-1:], y=y[-1:], mode="markers", showlegend=False, hoverinfo="skip",
            marker={"size": 13, "color": colours.paper, "line": {"color": colours.text, "width": 3}},
        ),
    ])  # fmt: skip
    axis = {"range": [-0.04, 1.04], "tickvals": np.linspace(0, 1, 6).round(1).tolist(), "fixedrange": True}
    return framed(figure, colours, 330, *steps.axes, xaxis=axis, yaxis=axis)
