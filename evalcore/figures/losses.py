"""Losses of probabilities as pictures: the Brier score as a sum of bars, and the curve of the logarithm."""

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


def brier_figure(parts: BrierParts, colours: Ink, name: str = "Brier score") -> go.Figure:
    """The parts of a Brier score, each bar beginning where the one above it ends, and the score they add up to.

    Parameters
    ----------
    parts : BrierParts
    colours : Ink
    name : str
        What the score is called.
    """
    within = parts.within_variance - parts.within_covariance
    steps = [
        ("uncertainty", parts.uncertainty, colours.grey),
        ("− resolution", -parts.resolution, colours.accent),
        ("+ reliability", parts.reliability, colours.systems[4]),
        ("+ within the bins" if within >= 0 else "− within the bins", within, colours.systems[5]),
    ]
    names, starts, sizes, paints, written = [], [], [], [], []
    reached = 0.0
    for label, size, paint in steps:
        names.append(label)
        starts.append(reached)
        sizes.append(size)
        paints.append(paint)
        written.append(number_text(abs(size)))
        reached += size
    names.append(f"= {name}")
    starts.append(0.0)
    sizes.append(parts.score)
    paints.append(colours.text)
    written.append(f"<b>{number_text(parts.score)}</b>")
    figure = go.Figure(
        go.Bar(
            y=names,
            x=sizes,
            base=starts,
            orientation="h",
            width=0.62,
            marker={"color": paints, "line": {"width": 0}},
            hovertext=written,
            hovertemplate="%{y}: %{hovertext}<extra></extra>",
        )
    )
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
    stated: Array,
    names: Sequence[str],
    picked: int | None,
    colours: Ink,
    base: float = math.e,
    clip: float = 0.0,
) -> go.Figure:
    """What a row costs, by the probability it gave to its own class, with the worst rows as points.

    Parameters
    ----------
    worst : WorstRows
    stated : Array, shape (m,)
        The probability that each of them gave to its own class.
    names : sequence of str, length m
        What each row is called: "line 12".
    picked : int or None
        Place among them of the row that is looked at.
    colours : Ink
    base, clip : float
        Of the logarithm.
    """
    finite = worst.losses[np.isfinite(worst.losses)]
    top = 1.1 * max(float(finite.max(initial=0.0)), 4 / math.log(base))
    least = max(math.exp(-top * math.log(base)), 1e-300)
    x = np.unique(np.append(np.geomspace(least, 1, _POINTS), np.linspace(0.001, 1, _POINTS)))
    figure = go.Figure(
        go.Scatter(
            x=x, y=surprise(x, clip) / math.log(base), mode="lines", line={"color": colours.grey, "width": 1.5},
            hovertemplate="%{x:.3~g} costs %{y:.3f}<extra></extra>",
        )
    )  # fmt: skip
    drawn = np.flatnonzero(np.isfinite(worst.losses))
    figure.add_trace(
        go.Scatter(
            x=stated[drawn],
            y=worst.losses[drawn],
            mode="markers",
            marker={"color": colours.accent, "size": 8, "opacity": 0.75},
            customdata=[
                f"{names[place]}: gave {number_text(float(stated[place]))}, costs "
                f"{loss_text(float(worst.losses[place]))}, {share_text(float(worst.shares[place]))} of the whole"
                for place in drawn.tolist()
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    if picked is not None and math.isfinite(worst.losses[picked]):
        at, cost = float(stated[picked]), float(worst.losses[picked])
        kept = min(max(at, clip), 1 - clip)
        for line in ([at, at], [0, cost]), ([0, at], [cost, cost]):
            figure.add_trace(
                go.Scatter(
                    x=line[0], y=line[1], mode="lines", line={"color": colours.accent, "width": 1, "dash": "dot"},
                    hoverinfo="skip",
                )
            )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=[at], y=[cost], mode="markers", hoverinfo="skip",
                marker={"color": colours.paper, "size": 14, "line": {"color": colours.accent, "width": 3}},
            )
        )  # fmt: skip
        figure.add_annotation(
            x=at, y=cost,
            text=f"{names[picked]}: −{_logarithm(base)} {threshold_text(kept)} = {loss_text(cost)}",
            showarrow=False, xanchor="left", xshift=14, yanchor="bottom", font={"color": colours.text, "size": 12},
        )  # fmt: skip
    framed(
        figure, colours, height=400, x="probability given to the class the row has",
        y=f"loss of the row ({'bits' if base == 2 else 'nats'})",
    )  # fmt: skip
    figure.update_xaxes(range=[-0.02, 1.02], dtick=0.2, tickformat=".1f")
    figure.update_yaxes(range=[-0.02 * top, top])
    return figure.update_layout(showlegend=False)


def _logarithm(base: float) -> str:
    return "log₂" if base == 2 else "ln"
