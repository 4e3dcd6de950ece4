"""Pictures of two thresholds: the zones they divide the scores into, and the error of what is left to decide."""

import math

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.referral_band import ReferralBand
from evalcore.classification import Referral, drawn_points, zone_bins
from evalcore.figures.score_scale import show_flag, show_range, shrinking
from evalcore.figures.systems import label
from evalcore.figures.theme import HATCHES, OUTCOMES, Ink, framed
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import count_text

__all__ = ["risk_coverage_figure", "zones_figure"]

HEIGHT = 330
DOTS = 40
"""Up to so many bands, each is a dot on the risk–coverage curve."""


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
            figure.add_trace(
                go.Bar(
                    x=middles[chosen], y=side * rows[chosen], width=widths[chosen], name=word, showlegend=False,
                    customdata=np.column_stack([ends[chosen], rows[chosen]]),
                    hovertemplate=f"{word}: %{{customdata[2]:,}} rows<br>"
                    "score %{customdata[0]:.4g} to %{customdata[1]:.4g}<extra></extra>",
                    marker={"color": OUTCOMES.get(outcome, colours.grey), "line": {"width": 0}, "pattern": pattern},
                )
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
    figure = go.Figure(
        go.Scatter(
            x=coverage[rows], y=error[rows], mode="lines+markers" if len(rows) <= DOTS else "lines", showlegend=False,
            marker={"size": 5}, line={"color": colours.accent, "width": 2},
            customdata=np.column_stack([bands.low, bands.high, bands.referred])[rows],
            hovertemplate="%{x:.1%} decided, %{y:.2%} of them wrongly<br>"
            "referred: %{customdata[2]:,} rows from %{customdata[0]:.5~g} to %{customdata[1]:.5~g}<extra></extra>",
        )
    )  # fmt: skip
    for name, band, fill in (("one threshold", alone, colours.paper), ("this band", now, colours.accent)):
        figure.add_trace(
            go.Scatter(
                x=[float(band.coverage)], y=[float(band.error)], mode="markers", name=name, cliponaxis=False,
                hovertemplate=f"{name}: {count_text(float(band.referred))} referred<br>"
                "%{x:.1%} decided, %{y:.2%} of them wrongly<extra></extra>",
                marker={"size": 11, "color": fill, "line": {"color": colours.accent, "width": 2.5}},
            )
        )  # fmt: skip
    framed(figure, colours, HEIGHT, "share of rows decided", "share of those wrong")
    seen = [*error[rows].tolist(), *(float(band.error) for band in (now, alone))]
    top = max([value for value in seen if not math.isnan(value)], default=0.0)
    figure.update_xaxes(range=[-0.02, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    figure.update_yaxes(range=[-0.04 * (top or 1), 1.12 * (top or 1)], tickformat=".1~%")
    return figure.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin_t=12, margin_r=24)
