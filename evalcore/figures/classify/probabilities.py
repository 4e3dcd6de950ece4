"""Reliability diagrams: the observed share against the predicted probability, over the number of rows."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from evalcore.analyses.probabilities.losses import Reliability
from evalcore.classification import BrierParts, ReliabilityBins, WorstRows, surprise
from evalcore.figures.base import graph_objects as go
from evalcore.figures.base.theme import DASHES, Ink, apply_frame
from evalcore.numeric import Array
from evalcore.wording import range_text
from evalcore.wording.escaping import plotly_text, short_names
from evalcore.wording.numbers import THIN, count_text, loss_text, number_text, share_text, threshold_text

__all__ = ["brier_figure", "loss_figure", "mapping_figure", "reliability_figure"]


_MOST_COUNTS = 12  # bars that have room for their count
_POINTS = 401


def reliability_figure(
    shown: Mapping[str, Reliability], colours: Ink, line: Callable[[Array], Array] | None = None
) -> go.Figure:
    """Dots with intervals around the line of perfect calibration, over bars of the rows.

    By name in the legend, the last one is drawn strong and has its rows below, those before it are grey. The line is a
    curve of the observed share over the probability that needs no bins.
    """
    *_, last = shown.values()
    counts, axes = last.histogram, last.axes
    traces = [_diagonal(colours)]
    if line is not None:
        x = np.linspace(float(counts.low.min(initial=0.0)), 1, _POINTS)
        traces.append(
            go.Scatter(
                x=x, y=line(x), mode="lines", name="without bins", line={"color": colours.systems[1], "width": 1.5},
                hovertemplate="predicted %{x:.3f}, observed %{y:.3f}<extra>without bins</extra>",
            )
        )  # fmt: skip
    traces += [_dots(name, one, colours, one is last, len(shown) > 1) for name, one in shown.items()]
    figure = go.Figure([*traces, _bars(counts, colours)], {"xaxis2": {"anchor": "y2"}, "yaxis2": {"anchor": "x2"}})
    legend = len(shown) > 1 or line is not None
    share = {"range": [-0.02, 1.02], "dtick": 0.2, "tickformat": ".1f"}
    words = {"showarrow": False, "font": {"color": colours.grey, "size": 11}, "xref": "x", "yref": "y"}
    places = {"more": (0.02, "left", "top"), "less": (0.98, "right", "bottom")}
    return apply_frame(
        figure, colours, height=520, x=plotly_text(axes[0]), showlegend=legend, bargap=0, legend={"y": 1.01},
        margin={"t": 34 if legend else 8},
        xaxis={"anchor": "y", "matches": "x2", "showticklabels": False, "title": {"text": ""}, **share},
        xaxis2=share,
        yaxis={"anchor": "x", "domain": [0.259, 1.0], "title": {"text": plotly_text(axes[1])}, **share},
        yaxis2={
            "domain": [0.0, 0.209], "title": {"text": "rows"}, "nticks": 3, "tickformat": ",~g", "showgrid": False,
            "range": [0, 1.3 * float(counts.n.max(initial=1.0))],
        },
        annotations=[
            {"x": at, "y": 1 - at, "text": f"{word} often than predicted", "xanchor": side, "yanchor": end, **words}
            for word, (at, side, end) in places.items()
        ],
    )  # fmt: skip


def _diagonal(colours: Ink) -> go.Scatter:
    line = {"color": colours.grey, "width": 1, "dash": "dot"}
    return go.Scatter(x=[0, 1], y=[0, 1], mode="lines", line=line, hoverinfo="skip", showlegend=False)


def _dots(name: str, one: Reliability, colours: Ink, strong: bool, several: bool) -> go.Scatter:
    bins, interval, colour = one.bins, one.interval, colours.accent if strong else colours.grey
    hover = [
        f"between {threshold_text(low)} and {threshold_text(high)}: predicted {number_text(predicted)}, "
        f"observed {share_text(share)}<br>{count_text(happened)} of {count_text(n)}, "
        f"interval {range_text(share_text(least), share_text(most))}"
        for low, high, predicted, share, happened, n, least, most in zip(
            bins.low, bins.high, bins.mean_probability, bins.observed, bins.happened, bins.n, interval.low,
            interval.high, strict=True,
        )
    ]  # fmt: skip
    above, below = np.maximum(interval.high - bins.observed, 0), np.maximum(bins.observed - interval.low, 0)
    thickness, width = (1.2, 3) if strong else (0.8, 0)
    return go.Scatter(
        x=bins.mean_probability, y=bins.observed, mode="lines+markers", name=name, opacity=1 if strong else 0.75,
        line={"color": colour, "width": 1, "dash": "solid" if strong else "dash"},
        marker={"color": colour, "size": 8 if strong else 6, "symbol": "circle" if strong else "circle-open"},
        unselected={"marker": {"opacity": 1}},
        error_y={"array": above, "arrayminus": below, "color": colour, "thickness": thickness, "width": width},
        customdata=hover,
        hovertemplate="%{customdata}" + (f"<extra>{name}</extra>" if several else "<extra></extra>"),
    )  # fmt: skip


def _bars(counts: ReliabilityBins, colours: Ink) -> go.Bar:
    written = [count_text(round(n)) for n in counts.n.tolist()]
    room = len(written) <= _MOST_COUNTS and max(map(len, written), default=0) <= 5
    return go.Bar(
        x=(counts.low + counts.high) / 2,
        y=counts.n,
        width=counts.high - counts.low,
        marker={"color": colours.grey, "opacity": 0.55, "line": {"width": 1, "color": colours.paper}},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0.55}},
        text=written if room else None, textposition="outside", textangle=0, cliponaxis=False,
        textfont={"size": 11, "color": colours.grey},
        customdata=[
            f"{count} rows between {threshold_text(low)} and {threshold_text(high)}"
            for count, low, high in zip(written, counts.low, counts.high, strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>", showlegend=False, xaxis="x2", yaxis="y2",
    )  # fmt: skip


def mapping_figure(
    curves: Sequence[tuple[str, Callable[[Array], Array]]], ends: tuple[float, float], colours: Ink, title: str
) -> go.Figure:
    """Recalibrated against original probabilities or scores: one curve, or one per class.

    The curves are drawn between the ends, which are 0 and 1 for probabilities. Their names and the title of the
    horizontal axis may come from a file: escaped here.
    """
    figure = go.Figure()
    if ends == (0.0, 1.0):
        figure.add_trace(_diagonal(colours))
    x = np.linspace(*ends, _POINTS)
    short = short_names(name for name, _ in curves)
    for index, (name, curve) in enumerate(curves):
        colour = colours.accent if len(curves) == 1 else colours.system(index)
        dash = DASHES[index // len(colours.systems) % len(DASHES)]
        figure.add_scatter(
            x=x, y=curve(x), mode="lines", name=plotly_text(short[name]),
            line={"color": colour, "width": 2 if len(curves) == 1 else 1.4, "dash": dash},
            hovertemplate=f"%{{x:.3~g}} becomes %{{y:.3f}}<extra>{plotly_text(name, 40)}</extra>",
        )  # fmt: skip
    apply_frame(figure, colours, height=520, x=plotly_text(title), y="probability after recalibration")
    figure.update_layout(showlegend=len(curves) > 1, separators=f".{THIN}")
    if len(curves) > 1:
        figure.update_layout(margin_t=34)
    figure.update_yaxes(range=[-0.02, 1.02], dtick=0.2, tickformat=".1f")
    if ends == (0.0, 1.0):
        figure.update_xaxes(range=[-0.02, 1.02], dtick=0.2, tickformat=".1f")
    return figure


_LOSS_POINTS = 600


def brier_figure(parts: BrierParts, colours: Ink) -> go.Figure:
    """Waterfall of the components of a Brier score, with the score that they add up to."""
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
    apply_frame(figure, colours, height=270)
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
    """Loss of a row by the probability of its own class, with the worst rows as points.

    `own` are those probabilities of the worst rows, shape (m,), and `names` what they are called: "line 12". The row at
    the place `picked` among them is marked. Base and clipping are those of the logarithm.
    """
    finite = worst.losses[np.isfinite(worst.losses)]
    top = 1.1 * max(float(finite.max(initial=0.0)), 4 / math.log(base))
    least = max(math.exp(-top * math.log(base)), 1e-300)
    x = np.unique(np.append(np.geomspace(least, 1, _LOSS_POINTS), np.linspace(0.001, 1, _LOSS_POINTS)))
    figure = go.Figure()
    figure.add_scatter(
        x=x, y=surprise(x, clip) / math.log(base), mode="lines", line={"color": colours.grey, "width": 1.5},
        hovertemplate="%{x:.3~g} costs %{y:.3f}<extra></extra>",
    )  # fmt: skip
    indices = np.flatnonzero(np.isfinite(worst.losses))
    hover = [
        f"{names[index]}: probability {number_text(float(own[index]))}, loss {loss_text(float(worst.losses[index]))}, "
        f"{share_text(float(worst.shares[index]))} of the total"
        for index in indices.tolist()
    ]
    figure.add_scatter(
        x=own[indices], y=worst.losses[indices], mode="markers", customdata=hover,
        marker={"color": colours.accent, "size": 8, "opacity": 0.75}, hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
    if picked is not None and math.isfinite(worst.losses[picked]):
        _add_picked(figure, float(own[picked]), float(worst.losses[picked]), names[picked], colours, base, clip)
    unit = "bits" if base == 2 else "nats"
    apply_frame(figure, colours, 400, "probability given to the actual class", f"loss of the row ({unit})")
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
