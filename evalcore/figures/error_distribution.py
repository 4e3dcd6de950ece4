"""The distribution of errors: a histogram, and their quantiles against those of the normal distribution."""

from statistics import NormalDist

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses import ErrorDistribution
from evalcore.figures.theme import Ink, framed
from evalcore.wording.numbers import count_text

__all__ = ["error_histogram", "quantile_plot"]

_HEIGHT = 340


def error_histogram(errors: ErrorDistribution, colours: Ink) -> go.Figure:
    """Rows by error, with the normal distribution of the same mean and standard deviation."""
    counts, edges = errors.histogram
    middle, width = (edges[1:] + edges[:-1]) / 2, float(edges[1] - edges[0])
    figure = go.Figure()
    figure.add_bar(
        x=middle, y=counts, width=width * 0.96, marker={"color": colours.accent, "opacity": 0.6, "line": {"width": 0}},
        customdata=[count_text(count) for count in counts.tolist()],
        hovertemplate="error about %{x:.4~g}: %{customdata} rows<extra></extra>",
    )  # fmt: skip
    if errors.deviation > 0:
        x = np.linspace(edges[0], edges[-1], 200)
        normal = NormalDist(errors.mean, errors.deviation)
        height = np.array([normal.pdf(value) for value in x.tolist()]) * counts.sum() * width
        line = {"color": colours.systems[4], "width": 2}
        figure.add_scatter(x=x, y=height, mode="lines", line=line, hoverinfo="skip")
    figure.add_vline(x=0, line={"color": colours.text, "width": 1, "dash": "dot"})
    return framed(
        figure, colours, _HEIGHT, "error (estimate − truth)", "rows", showlegend=False, dragmode=False,
        xaxis={"nticks": 7}, yaxis={"nticks": 5},
    )  # fmt: skip


def quantile_plot(errors: ErrorDistribution, colours: Ink) -> go.Figure:
    """Quantiles of the errors over those of the normal distribution: a straight line where errors are normal."""
    normal, own = errors.quantiles
    ends = np.array([normal.min(), normal.max()])
    figure = go.Figure()
    line = {"color": colours.systems[4], "width": 2}
    figure.add_scatter(x=ends, y=errors.mean + errors.deviation * ends, mode="lines", line=line, hoverinfo="skip")
    figure.add_scatter(
        x=normal, y=own, mode="markers", marker={"color": colours.accent, "size": 5},
        hovertemplate="normal %{x:.3f}, error %{y:.4~g}<extra></extra>",
    )  # fmt: skip
    return framed(
        figure, colours, _HEIGHT, "quantile of the normal distribution", "quantile of the errors", showlegend=False,
        dragmode=False, xaxis={"nticks": 7}, yaxis={"nticks": 6},
    )  # fmt: skip
