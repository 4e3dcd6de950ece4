"""Estimates against the truth, masks as the outcomes of their pixels, and two distributions side by side."""

import base64
import math
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.analyses import ErrorDistribution, EstimateRows, Overlap, QuantileLine, Tolerance, TwoDistributions
from evalcore.analyses.estimate import Brush, Cloud, DistanceParts, DistributionComparison, RowsOfErrors
from evalcore.estimation import LOSS_FAMILIES, LOSS_FUNCTIONS
from evalcore.figures import graph_objects as go
from evalcore.figures.theme import DASHES, OUTCOMES, PERCENT_TICKS, Ink, apply_frame, mix
from evalcore.inference import Interval
from evalcore.numeric import Array, Indices
from evalcore.wording import count_text, number_text, plotly_text, share_text, signed, threshold_text

__all__ = ["bins_figure", "by_bins_figure", "by_smoothing_figure", "cloud_figure", "error_histogram"]
__all__ += ["loss_curves_figure", "mask_colours", "outcome_picture", "quantile_plot", "quantile_reliability"]
__all__ += ["threshold_curve", "tolerance_figure", "transport_figure"]


def cloud_figure(
    cloud: Cloud, estimates: EstimateRows, colours: Ink, chosen: Brush | RowsOfErrors | None = None,
    lines: Sequence[Interval] = (), dragmode: str = "select",
) -> go.Figure:  # fmt: skip
    """A point per row, or a density of many, with the line of perfect estimates and the mean along the x axis.

    Rows can be brushed: also over a density, where invisible points lie at the middle of the bins; the chosen ones are
    marked. Lines lie across the picture, each in the band of its interval. Dragging selects or moves ("pan"), which
    leaves clicks to points.
    """
    figure = go.Figure()
    if cloud.is_density:
        _add_density(figure, cloud, colours)
    else:
        _add_points(figure, cloud, estimates, colours)
    if cloud.line:
        ends = np.array([cloud.x.min(), cloud.x.max()])
        figure.add_still_line(ends, ends if cloud.line == "equal" else np.zeros(2), _dotted(colours))
    if cloud.trend:
        x, y = cloud.trend_line
        figure.add_scatter(
            x=x, y=y, mode="markers" if cloud.categories else "lines",
            line={"color": colours.systems[4], "width": 2.5},
            marker={"size": 34, "symbol": "line-ew", "line": {"width": 3, "color": colours.systems[4]}},
            hovertemplate="mean of the rows around %{x:.4~g}: %{y:.4~g}<extra></extra>",
        )  # fmt: skip
    for one in lines:
        figure.add_hline(y=one.estimate, line={"color": colours.text, "width": 1.2, "dash": "dash"})
        if not math.isnan(one.low):
            figure.add_hrect(y0=one.low, y1=one.high, fillcolor=colours.grey, opacity=0.18, line_width=0)
    if chosen is not None:
        _mark(figure, cloud, chosen, colours)
    titles = [plotly_text(title, 60) for title in cloud.titles]
    names = [plotly_text(name, 16) for name in cloud.categories]
    axis = {"tickvals": [*range(len(names))], "ticktext": names} if names else {}
    return apply_frame(
        figure, colours, 400, *titles, showlegend=False, dragmode=dragmode, xaxis={"nticks": 7, **axis},
        yaxis={"nticks": 7},
    )  # fmt: skip


def _dotted(colours: Ink) -> dict[str, Any]:
    """The line of what should be."""
    return {"color": colours.text, "width": 1, "dash": "dot"}


def _add_points(figure: go.Figure, cloud: Cloud, estimates: EstimateRows, colours: Ink) -> None:
    state = estimates.state if cloud.places is None else estimates.state[cloud.places]
    places = np.arange(len(state)) if cloud.places is None else cloud.places
    hover = [
        f"{plotly_text(estimates.line(row), 40)}<br>truth {number_text(y)}, estimate {number_text(p)}, error "
        f"{signed(number_text)(p - y)}"
        for row, y, p in zip(places.tolist(), state.truth.tolist(), state.estimate.tolist(), strict=True)
    ]
    many = min(max(len(cloud.x) / 2_000, 0), 1)
    figure.add_scatter(
        x=cloud.x, y=cloud.y, mode="markers", text=hover, hovertemplate="%{text}<extra></extra>",
        marker={"color": colours.accent, "size": 7 - 2 * many, "opacity": 0.7 - 0.35 * many},
    )  # fmt: skip


def _add_density(figure: go.Figure, cloud: Cloud, colours: Ink) -> None:
    z, (x, y) = cloud.density, cloud.edges
    middle_x, middle_y = (x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2
    words = np.array([[count_text(count) for count in row] for row in z.tolist()], dtype=object)
    figure.add_heatmap(
        x=middle_x, y=middle_y, z=np.where(z > 0, np.sqrt(z), np.nan), customdata=words, showscale=False,
        colorscale=[[0, colours.grid], [0.12, f"{colours.accent}66"], [1, colours.accent]],
        hovertemplate="about %{x:.4~g}, %{y:.4~g}: %{customdata} rows<extra></extra>",
    )  # fmt: skip
    rows, columns = np.nonzero(z)
    figure.add_scatter(
        x=middle_x[columns], y=middle_y[rows], mode="markers", marker={"opacity": 0, "size": 4}, hoverinfo="skip"
    )


def _mark(figure: go.Figure, cloud: Cloud, chosen: Brush | RowsOfErrors, colours: Ink) -> None:
    if isinstance(chosen, RowsOfErrors):
        some = np.isin(np.arange(len(cloud.x)) if cloud.places is None else cloud.places, chosen.places)
        x, y = cloud.x[some], cloud.y[some]
    elif chosen.x[0] == chosen.x[1] and chosen.y[0] == chosen.y[1]:
        x, y = chosen.x[:1], chosen.y[:1]
    else:
        (left, right), (bottom, top) = chosen.x, chosen.y
        line = {"color": colours.text, "width": 1.5, "dash": "dash"}
        figure.add_shape(type="rect", x0=left, x1=right, y0=bottom, y1=top, line=line, layer="above")
        return
    figure.add_ring(x, y, "rgba(0,0,0,0)", colours.text, 15, 2)


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
        density = np.array([*map(NormalDist(errors.mean, errors.deviation).pdf, x.tolist())])
        figure.add_still_line(x, density * counts.sum() * width, {"color": colours.systems[4], "width": 2})
    figure.add_vline(x=0, line=_dotted(colours))
    return apply_frame(
        figure, colours, 340, "error (estimate − truth)", "rows", showlegend=False, dragmode=False,
        xaxis={"nticks": 7}, yaxis={"nticks": 5},
    )  # fmt: skip


def quantile_plot(errors: ErrorDistribution, colours: Ink) -> go.Figure:
    """Quantiles of the errors against those of the normal distribution: a straight line for normal errors."""
    normal, own = errors.quantiles
    ends, figure = np.array([normal.min(), normal.max()]), go.Figure()
    figure.add_still_line(ends, errors.mean + errors.deviation * ends, {"color": colours.systems[4], "width": 2})
    figure.add_scatter(
        x=normal, y=own, mode="markers", marker={"color": colours.accent, "size": 5},
        hovertemplate="normal %{x:.3f}, error %{y:.4~g}<extra></extra>",
    )  # fmt: skip
    return apply_frame(
        figure, colours, 340, "quantile of the normal distribution", "quantile of the errors",
        showlegend=False, dragmode=False, xaxis={"nticks": 7}, yaxis={"nticks": 6},
    )  # fmt: skip


def quantile_reliability(lines: list[QuantileLine], colours: Ink) -> go.Figure:
    """The share of true numbers at or below each quantile over the share that should be, with intervals."""
    x = np.array([one.share for one in lines])
    y, low, high = np.array([one.observed.ends for one in lines], dtype=float).T
    figure = go.Figure().add_still_line([0, 1], [0, 1], _dotted(colours))
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
    return apply_frame(
        figure, colours, 360, "quantile", "true numbers at or below it", showlegend=False, dragmode=False,
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
    figure.add_vline(x=tolerance.size, line=_dotted(colours))
    share = float(tolerance.share.estimate)
    figure.add_scatter(
        x=[tolerance.size], y=[share], mode="markers+text", text=[f"{tolerance.size_text}: {share_text(share)}"],
        textposition="bottom right", textfont={"color": colours.text}, hoverinfo="skip",
        marker={"color": colours.text, "size": 9},
    )  # fmt: skip
    most = float(np.quantile(x, 0.98)) if len(x) else 1.0
    title = "distance from the truth, as a share of it" if tolerance.relative else "distance from the truth"
    across = {"range": [0, max(most, 1.15 * tolerance.size)], "nticks": 7}
    return apply_frame(
        figure, colours, 360, title, "share of the rows", showlegend=False, dragmode=False,
        xaxis=across | (PERCENT_TICKS if tolerance.relative else {}), yaxis={"range": [0, 1.02]} | PERCENT_TICKS,
    )  # fmt: skip


_FAMILIES = {
    "of the error": ("error p − y, in units of δ", np.linspace(-3, 3, 301), 0.0, {}),
    "of the margin": ("margin y · p", np.linspace(-2.5, 2.5, 301), 1.0, {"range": [0, 5]}),
    "of counts": ("stated p, for y = 3", np.linspace(0.05, 10, 300), 3.0, {}),
}
"""Axes of each family of losses: title and places across, the true number, and settings of the axis of losses."""


def loss_curves_figure(family: str, tau: float, colours: Ink) -> go.Figure:
    """The losses of a family of `LOSS_FAMILIES` as curves, errors in units of δ."""
    figure, (title, x, truth, axis) = go.Figure(), _FAMILIES[family]
    for index, key in enumerate(LOSS_FAMILIES[family]):
        loss = LOSS_FUNCTIONS[key]
        parameter = np.nan if family != "of the error" else tau if key == "quantile" else 1.0
        line = {"color": colours.system((0, 1, 4, 6)[index]), "width": 2, "dash": DASHES[index]}
        figure.add_scatter(
            x=x, y=loss.loss(x, truth, parameter), mode="lines", name=loss.name, line=line,
            hovertemplate="%{x:.3g}: %{y:.3g}<extra></extra>",
        )  # fmt: skip
    return apply_frame(figure, colours, 340, title, "loss", yaxis=axis)


def mask_colours(ground: str) -> dict[str, str]:
    """Colours of the four outcomes in an image of masks; true negatives, which are most, let the image show through."""
    return OUTCOMES | {"tn": mix(OUTCOMES["tn"], ground, 0.65)}


def outcome_picture(outcomes: npt.NDArray[np.uint8], ground: str, actual: bool = False) -> str:
    """A PNG as a data URI: outcomes of pixels (0 TN, 1 TP, 2 FP, 3 FN) in their colours, or the actual mask alone."""
    colours = [mask_colours(ground)[outcome] for outcome in ("tn", "tp", "fp", "fn")]
    if actual:
        colours = [ground, OUTCOMES["tp"], ground, OUTCOMES["tp"]]
    palette = b"".join(bytes.fromhex(colour.removeprefix("#")) for colour in colours)
    height, width = outcomes.shape
    lines = np.pad(outcomes, ((0, 0), (1, 0)))  # each line after a byte for its filter
    header, pixels = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0), zlib.compress(lines.tobytes(), 6)
    png = b"\x89PNG\r\n\x1a\n"
    for kind, body in ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", pixels), (b"IEND", b"")):
        png += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def threshold_curve(overlap: Overlap, colours: Ink) -> go.Figure:
    """The mean Dice by the threshold, with the threshold of the page."""
    (x, y), line, hover = overlap.by_threshold, {"color": colours.systems[0], "width": 2}, "≥ %{x:.2f}: %{y:.3f}"
    figure = go.Figure()
    figure.add_scatter(x=x, y=y, mode="lines+markers", line=line, hovertemplate=f"{hover}<extra></extra>")
    figure.add_vline(x=overlap.settings.threshold, line={"color": colours.accent, "width": 2})
    axes = {"xaxis": {"range": [0, 1]}, "yaxis": {"range": [0, 1.02]}}
    return apply_frame(figure, colours, 300, "threshold", "mean Dice", showlegend=False, **axes)


_MOST_TICKS = 8
_SECOND = 4  # the system whose colour Q has, far from that of P for every eye
_CURVE = (1 - np.cos(np.linspace(0, math.pi, 13))) / 2


def bins_figure(comparison: DistributionComparison, colours: Ink) -> go.Figure:
    """Shares of both distributions per bin, and the contribution of each bin below; infinite terms are marked."""
    pair, two, bins, terms = comparison.pair, comparison.two, comparison.two.bins, comparison.terms
    figure = go.Figure(layout={"yaxis2": {"anchor": "x"}})
    for index, (name, shares) in enumerate(zip(two.names, (pair.shares_p, pair.shares_q), strict=True)):
        style = _marker(index, colours)
        _add_bars(figure, bins, shares, style, offset=0.4 * index - 0.4, width=0.4, name=_title(index, name))
    finite = np.where(np.isfinite(terms), terms, 0.0)
    top = float(max(np.abs(finite).max(initial=0.0), 1e-12))
    infinite = np.isinf(terms)
    _add_bars(
        figure, bins, terms, {"color": colours.accent, "pattern": {"shape": ["x" if one else "" for one in infinite]}},
        number_text, y=np.where(infinite, 1.1 * top, finite), width=0.8, yaxis="y2", showlegend=False,
    )  # fmt: skip
    for place in np.flatnonzero(infinite)[:20].tolist():
        figure.add_annotation(
            x=place, y=1.1 * top, yref="y2", text="∞", showarrow=False, yshift=9,
            font={"color": colours.text, "size": 15},
        )  # fmt: skip
    return apply_frame(
        figure, colours, 470, y="share", bargap=0.2, barmode="overlay",
        yaxis={"domain": [0.45, 1], "rangemode": "tozero", **PERCENT_TICKS},
        yaxis2={
            "domain": [0, 0.36], "title": {"text": comparison.terms_title}, "nticks": 5, "anchor": "x",
            "zeroline": True, "zerolinecolor": colours.grey,
        },
        xaxis=_bin_axis(two) | {"anchor": "y2"},
    )  # fmt: skip


def transport_figure(parts: DistanceParts, colours: Ink) -> go.Figure:
    """Optimal transport: P above, Q below, and the mass moved between them."""
    figure, plan, pair, two = go.Figure(), parts.plan, parts.comparison.pair, parts.comparison.two
    highest = float(max(pair.shares_p.max(), pair.shares_q.max()))
    top, bottom = 0.3, -0.3
    width = plan.mass / highest * 0.8
    left_p, left_q = _starts(plan.origin, plan.target, width), _starts(plan.target, plan.origin, width)
    for title, some, colour, opacity in (
        ("stays", plan.target == plan.origin, colours.grey, 0.35),
        ("moves up", plan.target > plan.origin, colours.systems[1], 0.6),
        ("moves down", plan.target < plan.origin, colours.systems[6], 0.6),
    ):
        if some.any():
            x, y = _ribbons(left_p[some], left_q[some], width[some], top, bottom)
            figure.add_scatter(
                x=x, y=y, fill="toself", mode="lines", line={"width": 0}, fillcolor=colour, opacity=opacity,
                name=f"{title} ({share_text(float(plan.mass[some].sum()))})", hoverinfo="skip",
            )  # fmt: skip
    for index, (shares, base, sign) in enumerate(((pair.shares_p, top, 1), (pair.shares_q, bottom, -1))):
        style, heights = _marker(index, colours), sign * shares / highest
        _add_bars(figure, two.bins, shares, style, y=heights, base=base, width=0.8, showlegend=False)
        figure.add_annotation(
            x=0, xref="paper", xanchor="left", y=base + sign * 1.13, yanchor="middle", showarrow=False,
            text=_title(index, two.names[index]), font={"color": colours.text, "size": 12},
        )  # fmt: skip
    hidden = {"visible": False, "range": [bottom - 1.25, top + 1.25]}
    return apply_frame(figure, colours, 420, barmode="overlay", xaxis=_bin_axis(two), yaxis=hidden)


def by_bins_figure(parts: DistanceParts, colours: Ink) -> go.Figure:
    """A measure by the number of bins, of equal width and of equal count, with the bins of the page marked."""
    comparison, measure = parts.comparison, parts.comparison.measure
    named = {"equal width" if rule == "width" else rule: curve for rule, curve in parts.by_bins.items()}
    figure = _curves_figure(named, "%{x} bins: %{y:.4g}<extra></extra>", colours)
    if comparison.state_of(measure.key) is not comparison.pair:
        exact = comparison.value(measure)
        figure.add_hline(y=exact, line={"color": colours.grey, "width": 1, "dash": "dot"}).add_annotation(
            x=1, xref="x domain", xanchor="right", y=exact, yanchor="bottom", text="without bins", showarrow=False
        )
    if math.isfinite(now := float(measure(comparison.pair))):
        ring = {"color": colours.paper, "size": 12, "line": {"color": colours.accent, "width": 3}}
        look = {"mode": "markers", "marker": ring, "name": "bins of this page", "hoverinfo": "skip"}
        figure.add_scatter(x=[len(comparison.two.bins)], y=[now], **look)
    title = f"{measure.symbol}{comparison.unit}"
    return apply_frame(figure, colours, 340, "number of bins", title, yaxis={"rangemode": "tozero"})


def by_smoothing_figure(parts: DistanceParts, colours: Ink) -> go.Figure:
    """Measures by the constant added to each bin, on a logarithmic axis, with the constant of the page marked."""
    (constants, curves), comparison = parts.by_smoothing, parts.comparison
    added = constants > 0
    named = {plotly_text(name): (constants[added], values[added]) for name, values in curves.items()}
    figure = _curves_figure(named, "%{x} added: %{y:.4g}<extra></extra>", colours)
    if (now := comparison.settings.smoothing) > 0:
        figure.add_vline(x=now, line={"color": colours.accent, "width": 2})
    ticks = [0.001, 0.01, 0.1, 1, 10]
    across = {"type": "log", "tickvals": ticks, "ticktext": [*map(str, ticks)]}
    title, axes = comparison.unit.strip() or "value", {"xaxis": across, "yaxis": {"rangemode": "tozero"}}
    return apply_frame(figure, colours, 340, "added to each bin", title, **axes)


def _curves_figure(curves: Mapping[str, tuple[Array, Array]], hover: str, colours: Ink) -> go.Figure:
    """Figure of a line with dots for each curve, broken where it is not finite."""
    figure = go.Figure()
    for index, (name, (x, y)) in enumerate(curves.items()):
        figure.add_scatter(
            x=x, y=np.where(np.isfinite(y), y, np.nan), mode="lines+markers", name=name, hovertemplate=hover,
            line={"color": colours.system(2 * index), "width": 2, "dash": DASHES[index]}, marker={"size": 5},
        )  # fmt: skip
    return figure


def _marker(index: int, colours: Ink) -> dict:
    """Marker of the bars of P or of Q, which are hatched."""
    hatch = {"shape": "/", "fillmode": "overlay", "fgcolor": colours.paper, "fgopacity": 0.6, "solidity": 0.25}
    return {"color": colours.system(_SECOND * index)} | ({"pattern": hatch} if index else {})


def _title(index: int, name: str) -> str:
    return plotly_text(name if name == "PQ"[index] else f"{'PQ'[index]}: {name}", 40)


def _add_bars(
    figure: go.Figure, bins: Sequence[str], values: Array, marker: dict, write: Callable[[float], str] = share_text,
    **properties: Any,
) -> None:  # fmt: skip
    """A bar per bin, as high as its value or as `y`, which tells the value."""
    words = [f"{plotly_text(name, 40)}: {write(value)}" for name, value in zip(bins, values.tolist(), strict=True)]
    bars = {"x": np.arange(len(bins)), "y": values, "customdata": words, **properties}
    figure.add_bar(**bars, marker=marker, hovertemplate="%{customdata}<extra></extra>")


def _bin_axis(two: TwoDistributions) -> dict:
    """Axis ticks: some edges if the bins are intervals of numbers, else the names of the bins."""
    bins, edges = two.bins, two.edges
    if edges is not None and two.is_number:
        ticks = _round_numbers(float(edges[0]), float(edges[-1]))
        at, texts = [], []
        for tick, place in zip(ticks.tolist(), np.interp(ticks, edges, np.arange(len(edges)) - 0.5), strict=True):
            if not at or place - at[-1] > len(bins) / 15:  # between wide bins ticks would lie on each other
                at.append(float(place))
                texts.append(threshold_text(tick))
    else:
        at = list(range(0, len(bins), math.ceil(len(bins) / 25)))
        texts = [plotly_text(bins[place], 16) for place in at]
    return {"tickvals": at, "ticktext": texts, "showgrid": False, "range": [-0.6, len(bins) - 0.4]}


def _round_numbers(low: float, high: float) -> Array:
    """At most `_MOST_TICKS` multiples of 1, 2 or 5 times a power of ten between two ends.

    >>> _round_numbers(0.14, 1.02).tolist()
    [0.2, 0.4, 0.6, 0.8, 1.0]
    """
    size = 10.0 ** math.floor(math.log10((high - low) / _MOST_TICKS))
    step = next(step for step in (size * factor for factor in (1, 2, 5, 10, 20)) if (high - low) / step < _MOST_TICKS)
    places = np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return np.array([float(f"{tick:.12g}") for tick in (places * step).tolist()])


def _starts(own: Indices, other: Indices, mass: Array) -> Array:
    """Left end of each parcel of mass within its own bar, where it lies in the order of the others."""
    order = np.lexsort((other, own))
    before = np.cumsum(mass[order]) - mass[order]
    first = np.concatenate([[True], own[order][1:] != own[order][:-1]])
    within = before - np.maximum.accumulate(np.where(first, before, -np.inf))
    left = np.empty(len(own))
    left[order] = own[order] - np.bincount(own, mass)[own[order]] / 2 + within
    return left


def _ribbons(left_p: Array, left_q: Array, width: Array, top: float, bottom: float) -> tuple[Array, Array]:
    """Outlines of parcels in one path, separated by gaps."""
    along = left_p[:, None] + (left_q - left_p)[:, None] * _CURVE
    across = np.broadcast_to(top + (bottom - top) * np.linspace(0, 1, len(_CURVE)), along.shape)
    gap = np.full((len(width), 1), np.nan)
    x = np.hstack([along, (along + width[:, None])[:, ::-1], along[:, :1], gap])
    y = np.hstack([across, across[:, ::-1], across[:, :1], gap])
    return x.ravel(), y.ravel()
