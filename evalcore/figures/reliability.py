"""Reliability diagrams: what came true against what was said, over how often it was said."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from evalcore.classification import ReliabilityBins
from evalcore.figures.theme import DASHES, Ink, framed
from evalcore.numeric import Array
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import THIN, count_text, number_text, share_text, threshold_text

__all__ = ["Calibrated", "mapping_figure", "reliability_figure"]

_MOST_COUNTS = 12
"""Bars that have room for their count."""

_POINTS = 401


@dataclass(frozen=True, eq=False)
class Calibrated:
    """One set of probabilities in a reliability diagram.

    Attributes
    ----------
    name : str
        What to call it in the legend; ours, not from a file.
    bins : ReliabilityBins
    low, high : Array, shape (b,)
        Interval of the observed share of each bin.
    """

    name: str
    bins: ReliabilityBins
    low: Array
    high: Array


def reliability_figure(
    shown: Sequence[Calibrated],
    counts: ReliabilityBins,
    colours: Ink,
    said: str,
    came_true: str,
    line: Callable[[Array], Array] | None = None,
) -> go.Figure:
    """Dots with intervals around the line where what is said comes true, over bars of the rows.

    Parameters
    ----------
    shown : sequence of Calibrated
        The last one is drawn strong, those before it grey.
    counts : ReliabilityBins
        The bars under the diagram: how many rows say so.
    colours : Ink
    said, came_true : str
        What the two axes are called. May come from a file.
    line : callable, optional
        A curve from what is said to what came true that needs no bins.
    """
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, row_heights=[0.78, 0.22], vertical_spacing=0.05)
    figure.add_trace(
        go.Scatter(
            x=[0, 1], y=[0, 1], mode="lines", line={"color": colours.grey, "width": 1, "dash": "dot"},
            hoverinfo="skip", showlegend=False,
        ),
        1, 1,
    )  # fmt: skip
    if line is not None:
        x = np.linspace(float(counts.low.min(initial=0.0)), 1, _POINTS)
        y = line(x)
        figure.add_trace(
            go.Scatter(
                x=x, y=y, mode="lines", name="without bins", line={"color": colours.systems[1], "width": 1.5},
                hovertemplate="said %{x:.3f}, comes true %{y:.3f}<extra>without bins</extra>",
            ),
            1, 1,
        )  # fmt: skip
    for place, one in enumerate(shown):
        strong = place == len(shown) - 1
        figure.add_trace(_dots(one, colours.accent if strong else colours.grey, strong, len(shown) > 1), 1, 1)
    figure.add_trace(_bars(counts, colours), 2, 1)
    framed(figure, colours, height=520, x=plotly_text(said))
    figure.update_layout(showlegend=len(shown) > 1 or line is not None, bargap=0, legend_y=1.01)
    if figure.layout.showlegend:
        figure.update_layout(margin_t=34)
    figure.update_xaxes(range=[-0.02, 1.02], dtick=0.2, tickformat=".1f")
    figure.update_xaxes(title_text="", row=1, col=1)
    figure.update_yaxes(range=[-0.02, 1.02], dtick=0.2, tickformat=".1f", title_text=plotly_text(came_true), row=1)
    figure.update_yaxes(
        title_text="rows", nticks=3, tickformat=",~g", showgrid=False, row=2,
        range=[0, 1.3 * float(counts.n.max(initial=1.0))],
    )  # fmt: skip
    words = {"showarrow": False, "font": {"color": colours.grey, "size": 11}, "row": 1, "col": 1}
    figure.add_annotation(x=0.02, y=0.98, text="comes true more often", xanchor="left", yanchor="top", **words)
    figure.add_annotation(x=0.98, y=0.02, text="comes true less often", xanchor="right", yanchor="bottom", **words)
    return figure


def _dots(one: Calibrated, colour: str, strong: bool, several: bool) -> go.Scatter:
    bins = one.bins
    hover = [
        f"between {threshold_text(low)} and {threshold_text(high)}: said {number_text(said)}, "
        f"came true {share_text(share)}<br>{count_text(happened)} of {count_text(n)}, "
        f"interval {share_text(least)} – {share_text(most)}"
        for low, high, said, share, happened, n, least, most in zip(
            bins.low, bins.high, bins.mean_probability, bins.observed, bins.happened, bins.n, one.low, one.high,
            strict=True,
        )
    ]  # fmt: skip
    return go.Scatter(
        x=bins.mean_probability,
        y=bins.observed,
        mode="lines+markers",
        name=one.name,
        opacity=1 if strong else 0.75,
        line={"color": colour, "width": 1, "dash": "solid" if strong else "dash"},
        marker={"color": colour, "size": 8 if strong else 6, "symbol": "circle" if strong else "circle-open"},
        error_y={
            "array": np.maximum(one.high - bins.observed, 0),
            "arrayminus": np.maximum(bins.observed - one.low, 0),
            "color": colour,
            "thickness": 1.2 if strong else 0.8,
            "width": 3 if strong else 0,
        },
        customdata=hover,
        hovertemplate="%{customdata}" + (f"<extra>{one.name}</extra>" if several else "<extra></extra>"),
    )


def _bars(counts: ReliabilityBins, colours: Ink) -> go.Bar:
    written = [count_text(round(n)) for n in counts.n.tolist()]
    room = len(written) <= _MOST_COUNTS and max(map(len, written), default=0) <= 5
    return go.Bar(
        x=(counts.low + counts.high) / 2,
        y=counts.n,
        width=counts.high - counts.low,
        marker={"color": colours.grey, "opacity": 0.55, "line": {"width": 1, "color": colours.paper}},
        text=written if room else None,
        textposition="outside",
        textangle=0,
        textfont={"size": 11, "color": colours.grey},
        cliponaxis=False,
        customdata=[
            f"{count} rows between {threshold_text(low)} and {threshold_text(high)}"
            for count, low, high in zip(written, counts.low, counts.high, strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )


def mapping_figure(
    curves: Sequence[tuple[str, Callable[[Array], Array]]], ends: tuple[float, float], colours: Ink, said: str
) -> go.Figure:
    """What recalibration makes of what was said: one curve, or one a class.

    Parameters
    ----------
    curves : sequence of (name, callable)
        The names may come from a file.
    ends : (float, float)
        From where to where they are drawn: 0 and 1 for probabilities.
    colours : Ink
    said : str
        What the horizontal axis is called. May come from a file.
    """
    figure = go.Figure()
    if ends == (0.0, 1.0):
        figure.add_trace(
            go.Scatter(
                x=[0, 1], y=[0, 1], mode="lines", line={"color": colours.grey, "width": 1, "dash": "dot"},
                hoverinfo="skip", showlegend=False,
            )
        )  # fmt: skip
    x = np.linspace(*ends, _POINTS)
    for place, (name, curve) in enumerate(curves):
        colour = colours.accent if len(curves) == 1 else colours.system(place)
        dash = DASHES[place // len(colours.systems) % len(DASHES)]
        figure.add_trace(
            go.Scatter(
                x=x, y=curve(x), mode="lines", name=plotly_text(name, 24),
                line={"color": colour, "width": 2 if len(curves) == 1 else 1.4, "dash": dash},
                hovertemplate=f"%{{x:.3~g}} becomes %{{y:.3f}}<extra>{plotly_text(name, 24)}</extra>",
            )
        )  # fmt: skip
    framed(figure, colours, height=520, x=plotly_text(said), y="probability after recalibration")
    figure.update_layout(showlegend=len(curves) > 1, separators=f".{THIN}")
    if len(curves) > 1:
        figure.update_layout(margin_t=34)
    figure.update_yaxes(range=[-0.02, 1.02], dtick=0.2, tickformat=".1f")
    if ends == (0.0, 1.0):
        figure.update_xaxes(range=[-0.02, 1.02], dtick=0.2, tickformat=".1f")
    return figure
