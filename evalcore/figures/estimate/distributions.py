"""Two distributions as pictures: bins and what each adds, the mass carried, and what bins and smoothing change."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.estimation import DistributionPair, TransportPlan
from evalcore.figures.base.theme import DASHES, PERCENT_TICKS, Ink, framed
from evalcore.numeric import Array
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import number_text, share_text, threshold_text

__all__ = ["bins_figure", "by_bins_figure", "by_smoothing_figure", "transport_figure"]

_MOST_TICKS = 8
_SECOND = 4  # the system whose colour Q has, far from that of P for every eye
_CURVE = (1 - np.cos(np.linspace(0, math.pi, 13))) / 2


def bins_figure(
    pair: DistributionPair,
    names: tuple[str, str],
    bins: Sequence[str],
    edges: Array | None,
    terms: Array,
    terms_title: str,
    colours: Ink,
) -> go.Figure:
    """Shares of both distributions per bin, and the contribution of each bin below; infinite terms are marked."""
    at, figure = np.arange(len(bins)), go.Figure(layout={"yaxis2": {"anchor": "x"}})
    labels = [plotly_text(name, 40) for name in bins]
    for index, (name, shares) in enumerate(zip(names, (pair.shares_p, pair.shares_q), strict=True)):
        figure.add_bar(
            x=at, y=shares, offset=0.4 * index - 0.4, width=0.4, name=_title(index, name),
            customdata=_hover(labels, shares, share_text),
            marker=_marker(index, colours),
            hovertemplate="%{customdata}<extra></extra>",
        )  # fmt: skip
    finite = np.where(np.isfinite(terms), terms, 0.0)
    top = float(max(np.abs(finite).max(initial=0.0), 1e-12))
    infinite = np.isinf(terms)
    figure.add_bar(
        x=at, y=np.where(infinite, 1.1 * top, finite), width=0.8, yaxis="y2", showlegend=False,
        customdata=_hover(labels, terms, number_text), hovertemplate="%{customdata}<extra></extra>",
        marker={"color": colours.accent, "pattern": {"shape": ["x" if one else "" for one in infinite]}},
    )  # fmt: skip
    for place in np.flatnonzero(infinite)[:20].tolist():
        figure.add_annotation(
            x=place,
            y=1.1 * top,
            yref="y2",
            text="∞",
            showarrow=False,
            yshift=9,
            font={"color": colours.text, "size": 15},
        )
    return framed(
        figure, colours, 470, y="share", bargap=0.2, barmode="overlay",
        yaxis={"domain": [0.45, 1], "rangemode": "tozero", **PERCENT_TICKS},
        yaxis2={
            "domain": [0, 0.36], "title": {"text": terms_title}, "nticks": 5, "anchor": "x", "zeroline": True,
            "zerolinecolor": colours.grey,
        },
        xaxis=_bin_axis(bins, edges) | {"anchor": "y2"},
    )  # fmt: skip


def transport_figure(
    pair: DistributionPair,
    plan: TransportPlan,
    names: tuple[str, str],
    bins: Sequence[str],
    edges: Array | None,
    colours: Ink,
) -> go.Figure:
    """Optimal transport: P above, Q below, and the mass moved between them."""
    figure = go.Figure()
    highest = float(max(pair.shares_p.max(), pair.shares_q.max()))
    top, bottom = 0.3, -0.3
    moves = {
        "stays": (plan.target == plan.origin, colours.grey, 0.35),
        "moves up": (plan.target > plan.origin, colours.systems[1], 0.6),
        "moves down": (plan.target < plan.origin, colours.systems[6], 0.6),
    }
    left_p, left_q = _starts(plan, highest)
    width = plan.mass / highest * 0.8
    for title, (some, colour, opacity) in moves.items():
        if some.any():
            x, y = _ribbons(left_p[some], left_q[some], width[some], top, bottom)
            figure.add_scatter(
                x=x, y=y, fill="toself", mode="lines", line={"width": 0}, fillcolor=colour, opacity=opacity,
                name=f"{title} ({share_text(float(plan.mass[some].sum()))})", hoverinfo="skip",
            )  # fmt: skip
    at = np.arange(len(bins))
    labels = [plotly_text(name, 40) for name in bins]
    for index, (shares, base, sign) in enumerate(((pair.shares_p, top, 1), (pair.shares_q, bottom, -1))):
        figure.add_bar(
            x=at, y=sign * shares / highest, base=base, width=0.8, showlegend=False,
            marker=_marker(index, colours),
            hovertemplate="%{customdata}<extra></extra>",
            customdata=_hover(labels, shares, share_text),
        )  # fmt: skip
        figure.add_annotation(
            x=0, xref="paper", xanchor="left", y=base + sign * 1.13, yanchor="middle", showarrow=False,
            text=_title(index, names[index]),
            font={"color": colours.text, "size": 12},
        )  # fmt: skip
    framed(figure, colours, 420, barmode="overlay")
    figure.update_layout(
        xaxis=_bin_axis(bins, edges), yaxis={"visible": False, "range": [bottom - 1.25, top + 1.25]},
    )  # fmt: skip
    return figure


def by_bins_figure(
    curves: Mapping[str, tuple[Array, Array]], now: tuple[int, float], exact: float | None, title: str, colours: Ink
) -> go.Figure:
    """A measure by the number of bins, of equal width and of equal count, with the bins of the page marked."""
    figure = go.Figure()
    for index, (rule, (bins, values)) in enumerate(curves.items()):
        name = {"width": "equal width", "quantiles": "quantiles"}[rule]
        figure.add_scatter(
            x=bins, y=np.where(np.isfinite(values), values, np.nan), mode="lines+markers", name=name,
            line={"color": colours.system(2 * index), "width": 2, "dash": DASHES[index]}, marker={"size": 5},
            hovertemplate="%{x} bins: %{y:.4g}<extra></extra>",
        )  # fmt: skip
    if exact is not None:
        figure.add_hline(
            y=exact, line={"color": colours.grey, "width": 1, "dash": "dot"}, annotation_text="without bins"
        )
    if math.isfinite(now[1]):
        ring = {"color": colours.paper, "size": 12, "line": {"color": colours.accent, "width": 3}}
        figure.add_scatter(
            x=[now[0]], y=[now[1]], mode="markers", marker=ring, name="bins of this page", hoverinfo="skip"
        )
    framed(figure, colours, 340, "number of bins", title)
    figure.update_yaxes(rangemode="tozero")
    return figure


def by_smoothing_figure(
    constants: Array, curves: Mapping[str, Array], now: float, title: str, colours: Ink
) -> go.Figure:
    """Measures by the constant added to each bin, on a logarithmic axis, with the constant of the page marked."""
    figure, added = go.Figure(), constants > 0
    for index, (name, values) in enumerate(curves.items()):
        figure.add_scatter(
            x=constants[added], y=np.where(np.isfinite(values), values, np.nan)[added], mode="lines+markers",
            name=plotly_text(name), line={"color": colours.system(2 * index), "width": 2, "dash": DASHES[index]},
            marker={"size": 5},
            hovertemplate="%{x} added: %{y:.4g}<extra></extra>",
        )  # fmt: skip
    if now > 0:
        figure.add_vline(x=now, line={"color": colours.accent, "width": 2})
    framed(figure, colours, 340, "added to each bin", title)
    figure.update_xaxes(type="log", tickvals=[0.001, 0.01, 0.1, 1, 10], ticktext=["0.001", "0.01", "0.1", "1", "10"])
    figure.update_yaxes(rangemode="tozero")
    return figure


def _marker(index: int, colours: Ink) -> dict:
    """Marker of the bars of P or of Q, which are hatched."""
    hatch = {"shape": "/", "fillmode": "overlay", "fgcolor": colours.paper, "fgopacity": 0.6, "solidity": 0.25}
    return {"color": colours.system(_SECOND * index)} | ({"pattern": hatch} if index else {})


def _title(index: int, name: str) -> str:
    return plotly_text(name if name == "PQ"[index] else f"{'PQ'[index]}: {name}", 40)


def _hover(labels: Sequence[str], values: Array, written: Callable[[float], str]) -> list[str]:
    return [f"{label}: {written(float(value))}" for label, value in zip(labels, values, strict=True)]


def _bin_axis(bins: Sequence[str], edges: Array | None) -> dict:
    """Axis ticks: some edges if the bins are intervals of numbers, else the names of the bins."""
    if edges is not None:
        step = -(-len(edges) // _MOST_TICKS)
        places = np.arange(0, len(edges), step)
        texts = [threshold_text(float(f"{edges[place]:.3g}")) for place in places]
        return {"tickvals": places - 0.5, "ticktext": texts, "showgrid": False, "range": [-0.6, len(bins) - 0.4]}
    step = -(-len(bins) // 25)
    places = list(range(0, len(bins), step))
    texts = [plotly_text(bins[place], 16) for place in places]
    return {"tickvals": places, "ticktext": texts, "showgrid": False, "range": [-0.6, len(bins) - 0.4]}


def _starts(plan: TransportPlan, highest: float) -> tuple[Array, Array]:
    """Left end of each parcel within its bar of P and its bar of Q."""
    starts = []
    for own, other in ((plan.origin, plan.target), (plan.target, plan.origin)):
        order = np.lexsort((other, own))
        mass = plan.mass[order] / highest * 0.8
        before = np.cumsum(mass) - mass
        sums = np.bincount(own, plan.mass / highest * 0.8)
        first = np.concatenate([[True], own[order][1:] != own[order][:-1]])
        within = before - np.maximum.accumulate(np.where(first, before, -np.inf))
        left = np.empty(len(own))
        left[order] = own[order] - sums[own[order]] / 2 + within
        starts.append(left)
    return starts[0], starts[1]


def _ribbons(left_p: Array, left_q: Array, width: Array, top: float, bottom: float) -> tuple[Array, Array]:
    """Outlines of parcels in one path, separated by gaps."""
    along = left_p[:, None] + (left_q - left_p)[:, None] * _CURVE
    across = np.broadcast_to(top + (bottom - top) * np.linspace(0, 1, len(_CURVE)), along.shape)
    gap = np.full((len(width), 1), np.nan)
    x = np.hstack([along, (along + width[:, None])[:, ::-1], along[:, :1], gap])
    y = np.hstack([across, across[:, ::-1], across[:, :1], gap])
    return x.ravel(), y.ravel()
