"""Losses of probabilities as pictures: the Brier score as a sum of bars, and the logarithmic loss as a curve."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.classification import BrierParts, WorstRows, surprise
from evalcore.figures.theme import Ink, framed
from evalcore.numeric import Array
from evalcore.wording.numbers import loss_text, number_text, share_text, threshold_text

__all__ = ["brier_figure", "loss_figure"]

_POINTS = 600


def brier_figure(parts: BrierParts, colours: Ink) -> go.Figure:
    """The parts of a Brier score, each bar beginning where the one above it ends, and the score they add up to."""
    within = parts.within_variance - parts.within_covariance
    steps = [
        ("uncertainty", parts.uncertainty, colours.grey),
        ("− resolution", -parts.resolution, colours.accent),
        ("+ reliability", parts.reliability, colours.systems[4]),
        ("+ within the bins" if within >= 0 else "− within the bins", within, colours.systems[5]),
    ]
    names, sizes, paints = map(list, zip(*steps, ("= Brier score", parts.score, colours.text), strict=True))
    starts = [*np.cumsum([0.0, *sizes[:3]]).tolist(), 0.0]
    written = [*(number_text(abs(size)) for size in sizes[:-1]), f"<b>{number_text(parts.score)}</b>"]
    figure = go.Figure()
    figure.add_bar(
        y=names, x=sizes, base=starts, orientation="h", width=0.62, marker={"color": paints, "line": {"width": 0}},
        hovertext=written, hovertemplate="%{y}: %{hovertext}<extra></extra>",
    )  # fmt: skip
    ends = [max(start, start + size) for start, size in zip(starts, sizes, strict=True)]
    for label, end, text in zip(names, ends, written, strict=True):
        figure.add_annotation(
            x=end, y=label, text=text, showarrow=False, xanchor="left", xshift=5,
            font={"color": colours.text, "size": 12},
        )  # fmt: skip
    framed(figure, colours, height=270)
    figure.update_yaxes(autorange="reversed", tickfont={"size": 12, "color": colours.text}, showgrid=False)
    figure.update_xaxes(range=[0, 1.16 * max(*ends, 1e-12)], nticks=5)
    return figure.update_layout(showlegend=False)


def loss_figure(
    worst: WorstRows,
    own: Array,
    names: Sequence[str],
    picked: int | None,
    colours: Ink,
    base: float = math.e,
    clip: float = 0.0,
) -> go.Figure:
    """What a row costs, by the probability it gave to its own class, with the worst rows as points.

    `own` are those probabilities of the worst rows, shape (m,), and `names` what they are called: "line 12". The row at
    the place `picked` among them is marked. Base and clipping are those of the logarithm.
    """
    finite = worst.losses[np.isfinite(worst.losses)]
    top = 1.1 * max(float(finite.max(initial=0.0)), 4 / math.log(base))
    least = max(math.exp(-top * math.log(base)), 1e-300)
    x = np.unique(np.append(np.geomspace(least, 1, _POINTS), np.linspace(0.001, 1, _POINTS)))
    figure = go.Figure()
    figure.add_scatter(
        x=x, y=surprise(x, clip) / math.log(base), mode="lines", line={"color": colours.grey, "width": 1.5},
        hovertemplate="%{x:.3~g} costs %{y:.3f}<extra></extra>",
    )  # fmt: skip
    indices = np.flatnonzero(np.isfinite(worst.losses))
    hover = [
        f"{names[index]}: gave {number_text(float(own[index]))}, costs {loss_text(float(worst.losses[index]))}, "
        f"{share_text(float(worst.shares[index]))} of the whole"
        for index in indices.tolist()
    ]
    figure.add_scatter(
        x=own[indices], y=worst.losses[indices], mode="markers", customdata=hover,
        marker={"color": colours.accent, "size": 8, "opacity": 0.75}, hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
    if picked is not None and math.isfinite(worst.losses[picked]):
        _add_picked(figure, float(own[picked]), float(worst.losses[picked]), names[picked], colours, base, clip)
    unit = "bits" if base == 2 else "nats"
    framed(figure, colours, 400, "probability given to the class the row has", f"loss of the row ({unit})")
    figure.update_xaxes(range=[-0.02, 1.02], dtick=0.2, tickformat=".1f")
    figure.update_yaxes(range=[-0.02 * top, top])
    return figure.update_layout(showlegend=False)


def _add_picked(figure: go.Figure, own: float, loss: float, name: str, colours: Ink, base: float, clip: float) -> None:
    dotted = {"color": colours.accent, "width": 1, "dash": "dot"}
    for x, y in ([own, own], [0, loss]), ([0, own], [loss, loss]):
        figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=dotted, hoverinfo="skip"))
    ring = {"color": colours.paper, "size": 14, "line": {"color": colours.accent, "width": 3}}
    figure.add_trace(go.Scatter(x=[own], y=[loss], mode="markers", hoverinfo="skip", marker=ring))
    logarithm, probability = "log₂" if base == 2 else "ln", min(max(own, clip), 1 - clip)
    figure.add_annotation(
        x=own, y=loss, text=f"{name}: −{logarithm} {threshold_text(probability)} = {loss_text(loss)}", showarrow=False,
        xanchor="left", xshift=14, yanchor="bottom", font={"color": colours.text, "size": 12},
    )  # fmt: skip
