"""Pictures over the axis of scores: how sure a threshold is, and the zones and errors of two thresholds."""

import math
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.choice_certainty import ChoiceCertainty
from evalcore.analyses.referral_band import ReferralBand
from evalcore.classification import Referral, drawn_points, zone_bins
from evalcore.classification.axis import ScoreAxis
from evalcore.figures.colours import OUTCOMES
from evalcore.figures.systems import label
from evalcore.figures.theme import HATCHES, PERCENT_TICKS, Ink, framed
from evalcore.numeric import Array
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import count_text, share_text, threshold_text

__all__ = ["certainty_figure", "risk_coverage_figure", "zones_figure"]

HEIGHT = 330
BINS = 60
"""Steps of the axis; up to here each threshold that was chosen has its own bar."""
DOTS = 40
"""Up to so many bands, each is a dot on the risk–coverage curve."""
WIDEST = 1e300
"""An axis as wide as this is still drawn as it is: Plotly subtracts its ends, which overflows where they are huge."""

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
    figure = go.Figure()
    figure.add_bar(
        x=x / shrink, y=y, width=np.full(len(x), width / shrink), hovertemplate="%{customdata}<extra></extra>",
        customdata=[f"{name}: {share_text(share)} of the resamples" for name, share in zip(names, y, strict=True)],
        marker={"color": colours.grey, "line": {"width": 0}},
    )  # fmt: skip
    framed(figure, colours, height=210, x="threshold", y="share of resamples")
    top = float(max(y, default=0.0)) * 1.25 or 1.0
    figure.update_layout(showlegend=False, bargap=0, margin_t=26)
    figure.update_xaxes(showgrid=False)
    show_range(figure, low, high, shrink)
    figure.update_yaxes(range=[-0.16 * top, top], nticks=4, **PERCENT_TICKS)
    for start, end in (np.clip(certainty.bootstrap.plateau, low, high) / shrink).tolist():
        figure.add_vrect(x0=start, x1=end, fillcolor=colours.accent, opacity=0.13, line_width=0, layer="below")
    spread = np.clip(certainty.ends, low, high)
    if not np.isnan(spread).any():
        ends = " – ".join(map(threshold_text, spread.tolist()))
        figure.add_scatter(
            x=spread / shrink, y=[-0.08 * top] * 2, mode="lines+markers",
            line={"color": colours.accent, "width": 6}, marker={"color": colours.accent, "size": 6},
            hovertemplate=f"two thirds of resamples: {ends}<extra></extra>",
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


def zones_figure(analysis: ReferralBand, colours: Ink) -> go.Figure:
    """The scores of both classes, one up and one down; grey between the thresholds, in the outcome's colour outside."""
    scores = analysis.scores
    band = float(analysis.band.low), float(analysis.band.high)
    bins = zone_bins(scores.scored, *band)
    ends = np.column_stack([bins.edges[:-1], bins.edges[1:]])
    shrink = shrinking(float(ends.min()), float(ends.max()))
    # In halves: the sum of two large scores may overflow.
    middles, widths = (ends / 2 / shrink).sum(axis=1), np.diff(ends / shrink, axis=1)[:, 0]
    figure = go.Figure()
    for rows, side, outcomes in ((bins.positives, 1, ("fn", "", "tp")), (bins.negatives, -1, ("tn", "", "fp"))):
        for zone, outcome in enumerate(outcomes):
            chosen = bins.zone == zone
            word = outcome.upper() or "referred"
            pattern = {"shape": HATCHES.get(outcome, ""), "fillmode": "overlay", "fgcolor": colours.paper, "size": 6}
            figure.add_bar(
                x=middles[chosen], y=side * rows[chosen], width=widths[chosen], name=word, showlegend=False,
                customdata=np.column_stack([ends[chosen], rows[chosen]]),
                hovertemplate=f"{word}: %{{customdata[2]:,}} rows<br>"
                "score %{customdata[0]:.4g} to %{customdata[1]:.4g}<extra></extra>",
                marker={"color": OUTCOMES.get(outcome, colours.grey), "line": {"width": 0}, "pattern": pattern},
            )  # fmt: skip
    framed(figure, colours, HEIGHT, "score")
    left, right = float(ends.min()) / shrink, float(ends.max()) / shrink
    low, high = (min(max(edge / shrink, left), right) for edge in band)
    figure.add_hline(y=0, line={"color": colours.grey, "width": 1})
    figure.add_vrect(x0=low, x1=high, fillcolor=colours.grey, opacity=0.12, line_width=0, layer="below")
    # The flags turn away from one another, and inwards where they would leave the picture.
    room = 0.15 * (right - left)
    show_flag(figure, low, band[0], colours, "left" if low - left < room else "right")
    if band[0] != band[1]:
        show_flag(figure, high, band[1], colours, "right" if right - high < room else "left")
    down, up = float(bins.negatives.max()), float(bins.positives.max())
    least = 0.25 * max(down, up, 1.0)
    figure.update_yaxes(range=[-1.2 * max(down, least), 1.2 * max(up, least)], showticklabels=False, showgrid=False)
    show_range(figure, float(ends.min()), float(ends.max()), shrink)
    for name, y, anchor in ((scores.positive, 1, "top"), (scores.negative, 0, "bottom")):
        figure.add_annotation(
            x=0.005, y=y, xref="paper", yref="paper", xanchor="left", yanchor=anchor,
            text=f"actual {plotly_text(name, 24)}", **label(colours),
        )  # fmt: skip
    return figure.update_layout(barmode="overlay", bargap=0.06, margin_t=30)


def risk_coverage_figure(analysis: ReferralBand, bands: Referral, colours: Ink) -> go.Figure:
    """Share of wrong decisions against the share of rows that are decided, over nested bands, coverage falling.

    The band of the analysis and its one threshold each have a point.
    """
    now, alone = analysis.band, analysis.alone
    coverage, error = np.asarray(bands.coverage), np.asarray(bands.error)
    rows = np.flatnonzero(~np.isnan(error))
    rows = rows[drawn_points(coverage[rows], error[rows], 480)]
    figure = go.Figure()
    figure.add_scatter(
        x=coverage[rows], y=error[rows], mode="lines+markers" if len(rows) <= DOTS else "lines", showlegend=False,
        marker={"size": 5}, line={"color": colours.accent, "width": 2},
        customdata=np.column_stack([bands.low, bands.high, bands.referred])[rows],
        hovertemplate="%{x:.1%} decided, %{y:.2%} of them wrongly<br>"
        "referred: %{customdata[2]:,} rows from %{customdata[0]:.5~g} to %{customdata[1]:.5~g}<extra></extra>",
    )  # fmt: skip
    for name, band, fill in (("one threshold", alone, colours.paper), ("this band", now, colours.accent)):
        figure.add_scatter(
            x=[float(band.coverage)], y=[float(band.error)], mode="markers", name=name, cliponaxis=False,
            hovertemplate=f"{name}: {count_text(float(band.referred))} referred<br>"
            "%{x:.1%} decided, %{y:.2%} of them wrongly<extra></extra>",
            marker={"size": 11, "color": fill, "line": {"color": colours.accent, "width": 2.5}},
        )  # fmt: skip
    framed(figure, colours, HEIGHT, "share of rows decided", "share of those wrong")
    seen = [*error[rows].tolist(), *(float(band.error) for band in (now, alone))]
    top = max([value for value in seen if not math.isnan(value)], default=0.0)
    figure.update_xaxes(range=[-0.02, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    figure.update_yaxes(range=[-0.04 * (top or 1), 1.12 * (top or 1)], **PERCENT_TICKS)
    return figure.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin_t=12, margin_r=24)
