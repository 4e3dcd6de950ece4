"""Prediction intervals and tolerances as pictures: observed against claimed quantiles, and rows right by tolerance."""

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses import QuantileLine, Tolerance
from evalcore.figures.theme import PERCENT_TICKS, Ink, framed
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import share_text

__all__ = ["quantile_reliability", "tolerance_figure"]

_HEIGHT = 360


def quantile_reliability(lines: list[QuantileLine], colours: Ink) -> go.Figure:
    """The share of true numbers at or below each quantile over the share that should be, with intervals."""
    x = np.array([one.share for one in lines])
    y, low, high = np.array([one.observed.ends for one in lines], dtype=float).T
    figure = go.Figure()
    dotted = {"color": colours.text, "width": 1, "dash": "dot"}
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", line=dotted, hoverinfo="skip")
    words = [
        f"{plotly_text(one.column, 40)}<br>{share_text(one.share)} should lie at or below, "
        f"{share_text(float(one.observed.estimate))} do"
        for one in lines
    ]
    reach = {"type": "data", "symmetric": False, "array": high - y, "arrayminus": y - low, "color": colours.accent}
    figure.add_scatter(
        x=x, y=y, mode="markers+lines", error_y=reach | {"thickness": 1.5, "width": 0}, text=words,
        line={"color": colours.accent, "width": 1}, marker={"color": colours.accent, "size": 8},
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    return framed(
        figure, colours, _HEIGHT, "quantile", "true numbers at or below it", showlegend=False, dragmode=False,
        xaxis={"range": [-0.02, 1.02]} | PERCENT_TICKS, yaxis={"range": [-0.02, 1.02]} | PERCENT_TICKS,
    )  # fmt: skip


def tolerance_figure(tolerance: Tolerance, colours: Ink) -> go.Figure:
    """The share of rows that are right, over the tolerance, with the chosen one marked."""
    x, y = tolerance.curve
    figure = go.Figure()
    figure.add_scatter(
        x=np.append(0, x), y=np.append(np.nan if not len(y) else 0, y), mode="lines",
        line={"color": colours.accent, "width": 2, "shape": "hv"},
        hovertemplate="within %{x:.4~g}: %{y:.1%}<extra></extra>",
    )  # fmt: skip
    figure.add_vline(x=tolerance.size, line={"color": colours.text, "width": 1, "dash": "dot"})
    share = float(tolerance.share.estimate)
    figure.add_scatter(
        x=[tolerance.size], y=[share], mode="markers+text",
        text=[f"{tolerance.size_text}: {share_text(share)}"],
        textposition="bottom right", textfont={"color": colours.text}, hoverinfo="skip",
        marker={"color": colours.text, "size": 9},
    )  # fmt: skip
    most = float(np.quantile(x, 0.98)) if len(x) else 1.0
    title = "distance from the truth, as a share of it" if tolerance.relative else "distance from the truth"
    across = {"range": [0, max(most, 1.15 * tolerance.size)], "nticks": 7}
    return framed(
        figure, colours, _HEIGHT, title, "share of the rows", showlegend=False, dragmode=False,
        xaxis=across | (PERCENT_TICKS if tolerance.relative else {}), yaxis={"range": [0, 1.02]} | PERCENT_TICKS,
    )  # fmt: skip
