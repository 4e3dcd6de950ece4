"""Figure of how sure a threshold is: where the choice falls in resamples, and which thresholds are as good."""

import math
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.choice_certainty import ChoiceCertainty
from evalcore.figures.score_scale import show_flag, show_range, shrinking
from evalcore.figures.systems import label
from evalcore.figures.theme import Ink, framed
from evalcore.numeric import Array
from evalcore.wording.numbers import share_text, threshold_text

__all__ = ["certainty_figure"]

BINS = 60
"""Steps of the axis; up to here each threshold that was chosen has its own bar."""


def certainty_figure(certainty: ChoiceCertainty, colours: Ink) -> go.Figure:
    """Bars of how often each threshold is chosen, the middle two thirds under them, the plateau behind.

    The certainty has to be defined; an infinite choice is said in words.
    """
    thresholds, shares, choice = certainty.thresholds, certainty.shares, certainty.chosen.choice
    best = math.nan if choice is None else choice.threshold
    visible = (shares > 0) & np.isfinite(thresholds)
    x, y = thresholds[visible], shares[visible]
    low, high = _ends(np.append(x, best))
    shrink = shrinking(low, high)
    if len(x) > BINS:
        # In halves: the sum of two large scores may overflow.
        y, half = np.histogram(x / 2, BINS, weights=y)
        edges = 2 * half
        names = [f"{threshold_text(a)} – {threshold_text(b)}" for a, b in pairwise(edges.tolist())]
        x, width = half[:-1] + half[1:], 2 * (half[1] - half[0])
    else:
        names, width = [threshold_text(one) for one in x.tolist()], (high / 160 - low / 160)
    figure = go.Figure(
        go.Bar(
            x=x / shrink, y=y, width=np.full(len(x), width / shrink), hovertemplate="%{customdata}<extra></extra>",
            customdata=[f"{name}: {share_text(share)} of the resamples" for name, share in zip(names, y, strict=True)],
            marker={"color": colours.grey, "line": {"width": 0}},
        )
    )  # fmt: skip
    framed(figure, colours, height=210, x="threshold", y="share of resamples")
    top = float(max(y, default=0.0)) * 1.25 or 1.0
    figure.update_layout(showlegend=False, bargap=0, margin_t=26)
    figure.update_xaxes(showgrid=False)
    show_range(figure, low, high, shrink)
    figure.update_yaxes(range=[-0.16 * top, top], tickformat=".0%", nticks=4)
    for start, end in (np.clip(certainty.bootstrap.plateau, low, high) / shrink).tolist():
        figure.add_vrect(x0=start, x1=end, fillcolor=colours.accent, opacity=0.13, line_width=0, layer="below")
    spread = np.clip(certainty.ends, low, high)
    if not np.isnan(spread).any():
        ends = " – ".join(map(threshold_text, spread.tolist()))
        figure.add_trace(
            go.Scatter(
                x=spread / shrink, y=[-0.08 * top] * 2, mode="lines+markers",
                line={"color": colours.accent, "width": 6}, marker={"color": colours.accent, "size": 6},
                hovertemplate=f"two thirds of resamples: {ends}<extra></extra>",
            )
        )  # fmt: skip
    if np.isfinite(best):
        show_flag(figure, best / shrink, best, colours)
    beyond = float(shares[np.isinf(thresholds)].sum())
    if beyond > 0:
        # Calling nothing positive has no place on the axis.
        words = f"{share_text(beyond)} choose to call nothing positive"
        figure.add_annotation(
            x=1, y=1, xref="paper", yref="paper", xanchor="right", yanchor="bottom", text=words, **label(colours)
        )
    return figure


def _ends(values: Array) -> tuple[float, float]:
    """The axis: what is shown with a little room on both sides."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    room = 0.12 * (high / 2 - low / 2) or 0.05 * abs(high) or 0.5
    largest = float(np.finfo(float).max)
    return max(low - room, -largest), min(high + room, largest)
