"""Reliability diagrams: the observed share against the predicted probability, over the number of rows."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from evalcore.analyses.probabilities.losses import Reliability
from evalcore.classification import BrierParts, ReliabilityBins, WorstRows, surprise
from evalcore.figures import graph_objects as go
from evalcore.figures.theme import DASHES, Ink, apply_frame
from evalcore.numeric import Array
from evalcore.wording.escaping import plotly_text, short_names
from evalcore.wording.numbers import count_text, loss_text, number_text, range_text, share_text, threshold_text

__all__ = ["brier_figure", "loss_figure", "mapping_figure", "reliability_figure"]


_POINTS = 401
_SHARE = {"range": [-0.02, 1.02], "dtick": 0.2, "tickformat": ".1f"}  # an axis of shares


def reliability_figure(
    shown: Mapping[str, Reliability], colours: Ink, line: Callable[[Array], Array] | None = None
) -> go.Figure:
    """Dots with intervals around the line of perfect calibration; the last of several is strong, over bars of its rows.

    The line is a curve of the observed share over the probability that needs no bins.
    """
    *_, last = shown.values()
    counts, axes = last.histogram, last.axes
    figure = _with_diagonal(go.Figure(layout={"xaxis2": {"anchor": "y2"}, "yaxis2": {"anchor": "x2"}}), colours)
    if line is not None:
        x = np.linspace(float(counts.low.min(initial=0.0)), 1, _POINTS)
        figure.add_scatter(
            x=x, y=line(x), mode="lines", name="without bins", line={"color": colours.systems[1], "width": 1.5},
            hovertemplate="predicted %{x:.3f}, observed %{y:.3f}<extra>without bins</extra>",
        )  # fmt: skip
    figure.add_traces(_dots(name, one, colours, one is last, len(shown) > 1) for name, one in shown.items())
    figure.add_trace(_bars(counts, colours))
    legend = len(shown) > 1 or line is not None
    words = {"showarrow": False, "font": {"color": colours.grey, "size": 11}, "xref": "x", "yref": "y"}
    places = ("more", 0.02, "left", "top"), ("less", 0.98, "right", "bottom")
    return apply_frame(
        figure, colours, height=520, x=plotly_text(axes[0]), showlegend=legend, bargap=0, legend={"y": 1.01},
        margin={"t": 34 if legend else 8}, xaxis2=_SHARE,
        xaxis={"anchor": "y", "matches": "x2", "showticklabels": False, "title": {"text": ""}, **_SHARE},
        yaxis={"anchor": "x", "domain": [0.259, 1.0], "title": {"text": plotly_text(axes[1])}, **_SHARE},
        yaxis2={
            "domain": [0.0, 0.209], "title": {"text": "rows"}, "nticks": 3, "tickformat": ",~g", "showgrid": False,
            "range": [0, 1.3 * float(counts.n.max(initial=1.0))],
        },
        annotations=[
            {"x": at, "y": 1 - at, "text": f"{word} often than predicted", "xanchor": side, "yanchor": end, **words}
            for word, at, side, end in places
        ],
    )  # fmt: skip


def _with_diagonal(figure: go.Figure, colours: Ink) -> go.Figure:
    return figure.add_still_line([0, 1], [0, 1], {"color": colours.grey, "width": 1, "dash": "dot"})


def _dots(name: str, one: Reliability, colours: Ink, strong: bool, several: bool) -> go.Scatter:
    bins, interval = one.bins, one.interval
    columns = bins.low, bins.high, bins.mean_probability, bins.observed, bins.happened, bins.n, interval.low
    hover = [
        f"between {threshold_text(low)} and {threshold_text(high)}: predicted {number_text(predicted)}, "
        f"observed {share_text(share)}<br>{count_text(happened)} of {count_text(n)}, "
        f"interval {range_text(share_text(least), share_text(most))}"
        for low, high, predicted, share, happened, n, least, most in zip(*columns, interval.high, strict=True)
    ]
    above, below = np.maximum(interval.high - bins.observed, 0), np.maximum(bins.observed - interval.low, 0)
    colour, size, symbol, dash, thickness, width = (
        (colours.accent, 8, "circle", "solid", 1.2, 3) if strong else (colours.grey, 6, "circle-open", "dash", 0.8, 0)
    )
    return go.Scatter(
        x=bins.mean_probability, y=bins.observed, mode="lines+markers", name=name, opacity=1 if strong else 0.75,
        line={"color": colour, "width": 1, "dash": dash}, marker={"color": colour, "size": size, "symbol": symbol},
        error_y={"array": above, "arrayminus": below, "color": colour, "thickness": thickness, "width": width},
        unselected={"marker": {"opacity": 1}}, customdata=hover,
        hovertemplate=f"%{{customdata}}<extra>{name if several else ''}</extra>",
    )  # fmt: skip


def _bars(counts: ReliabilityBins, colours: Ink) -> go.Bar:
    written = [count_text(round(n)) for n in counts.n.tolist()]
    room = len(written) <= 12 and max(map(len, written), default=0) <= 5
    hover = [
        f"{count} rows between {threshold_text(low)} and {threshold_text(high)}"
        for count, low, high in zip(written, counts.low, counts.high, strict=True)
    ]
    return go.Bar(
        x=(counts.low + counts.high) / 2, y=counts.n, width=counts.high - counts.low, xaxis="x2", yaxis="y2",
        marker={"color": colours.grey, "opacity": 0.55, "line": {"width": 1, "color": colours.paper}}, showlegend=False,
        selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 0.55}},
        textfont={"size": 11, "color": colours.grey}, text=written if room else None, textposition="outside",
        textangle=0, cliponaxis=False, customdata=hover, hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip


def mapping_figure(
    curves: Sequence[tuple[str, Callable[[Array], Array]]], ends: tuple[float, float], colours: Ink, title: str
) -> go.Figure:
    """Recalibrated against original probabilities or scores between two ends, a curve per class; names are escaped."""
    figure, of_probabilities, several = go.Figure(), ends == (0.0, 1.0), len(curves) > 1
    if of_probabilities:
        _with_diagonal(figure, colours)
    x = np.linspace(*ends, _POINTS)
    short = short_names(name for name, _ in curves)
    for index, (name, curve) in enumerate(curves):
        dash = DASHES[index // len(colours.systems) % len(DASHES)]
        line = {"color": colours.system(index), "width": 1.4} if several else {"color": colours.accent, "width": 2}
        figure.add_scatter(
            x=x, y=curve(x), mode="lines", name=plotly_text(short[name]), line=line | {"dash": dash},
            hovertemplate=f"%{{x:.3~g}} becomes %{{y:.3f}}<extra>{plotly_text(name, 40)}</extra>",
        )  # fmt: skip
    return apply_frame(
        figure, colours, 520, plotly_text(title), "probability after recalibration", showlegend=several, yaxis=_SHARE,
        xaxis=_SHARE if of_probabilities else {}, margin={"t": 34 if several else 8},
    )  # fmt: skip


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
    words = {"color": colours.text, "size": 12}
    for label, end, text in zip(names, ends, written, strict=True):
        figure.add_annotation(x=end, y=label, text=text, showarrow=False, xanchor="left", xshift=5, font=words)
    return apply_frame(
        figure, colours, height=270, showlegend=False, xaxis={"range": [0, 1.16 * max(*ends, 1e-12)], "nticks": 5},
        yaxis={"autorange": "reversed", "tickfont": words, "showgrid": False},
    )  # fmt: skip


def loss_figure(
    worst: WorstRows, own: Array, names: Sequence[str], picked: int | None, colours: Ink, base: float = math.e,
    clip: float = 0.0,
) -> go.Figure:  # fmt: skip
    """Loss of a row by the probability of its own class, with the worst rows as points.

    `own` are those probabilities of the worst rows, shape (m,), and `names` what they are called: "line 12". The row at
    the place `picked` among them is marked. Base and clipping are those of the logarithm.
    """
    finite = worst.losses[np.isfinite(worst.losses)]
    top = 1.1 * max(float(finite.max(initial=0.0)), 4 / math.log(base))
    least = max(math.exp(-top * math.log(base)), 1e-300)
    x = np.unique(np.append(np.geomspace(least, 1, 600), np.linspace(0.001, 1, 600)))
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
    title = f"loss of the row ({'bits' if base == 2 else 'nats'})"
    return apply_frame(
        figure, colours, 400, "probability given to the actual class", title, showlegend=False, xaxis=_SHARE,
        yaxis={"range": [-0.02 * top, top]},
    )  # fmt: skip


def _add_picked(figure: go.Figure, own: float, loss: float, name: str, colours: Ink, base: float, clip: float) -> None:
    for x, y in ([own, own], [0, loss]), ([0, own], [loss, loss]):
        figure.add_still_line(x, y, {"color": colours.accent, "width": 1, "dash": "dot"})
    figure.add_ring([own], [loss], colours.paper, colours.accent, size=14)
    logarithm, probability = "log₂" if base == 2 else "ln", min(max(own, clip), 1 - clip)
    figure.add_annotation(
        x=own, y=loss, text=f"{name}: −{logarithm} {threshold_text(probability)} = {loss_text(loss)}", showarrow=False,
        xanchor="left", xshift=14, yanchor="bottom", font={"color": colours.text, "size": 12},
    )  # fmt: skip
