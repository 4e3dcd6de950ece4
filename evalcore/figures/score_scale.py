"""An axis of scores of any size: Plotly subtracts the ends of an axis, which overflows where the scores are huge."""

import plotly.graph_objects as go

from evalcore.classification.axis import ScoreAxis
from evalcore.figures.theme import Ink
from evalcore.wording.numbers import threshold_text

WIDEST = 1e300
"""An axis as wide as this is still drawn as it is."""

_LESS = 2.0**40


def shrinking(low: float, high: float) -> float:
    """What scores are divided by before they are drawn: 1, or a power of two that brings a huge range within reach.

    >>> shrinking(0.0, 1e9), shrinking(-1.7e308, 1.7e308)
    (1.0, 1099511627776.0)
    """
    return 1.0 if high / 2 - low / 2 <= WIDEST / 2 else _LESS


def show_range(figure: go.Figure, low: float, high: float, shrink: float) -> None:
    """Set the range of the axis, low < high; where it was shrunk, its ticks still name the scores themselves."""
    figure.update_xaxes(range=[low / shrink, high / shrink])
    if shrink != 1:
        marks = ScoreAxis(low, high).ticks()
        figure.update_xaxes(tickvals=marks / shrink, ticktext=[threshold_text(float(mark)) for mark in marks])


def show_flag(figure: go.Figure, x: float, threshold: float, colours: Ink, side: str | None = None) -> None:
    """A line at a threshold with its value in a flag above it, or beside it where a side is given."""
    figure.add_vline(x=x, line={"color": colours.text, "width": 2})
    figure.add_annotation(
        x=x, y=1, yref="paper", yanchor="bottom", xanchor=side, text=f"<b>{threshold_text(threshold)}</b>",
        showarrow=False, font={"color": colours.paper, "size": 12}, bgcolor=colours.text, borderpad=3,
    )  # fmt: skip
