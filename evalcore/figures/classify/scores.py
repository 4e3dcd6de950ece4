"""Curves of scores beside ROC and precision–recall: gain, lift, both classes, error trade-off, cost, gain scale."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses import ChoiceCertainty, ReferralBand
from evalcore.classification import (
    KsCurve,
    Referral,
    cost_curve,
    det_points,
    drawn_points,
    fall_out,
    ks_curve,
    lift,
    line_points,
    miss_rate,
    precision_recall_gain_curve,
    predicted_prevalence,
    prevalence,
    probit,
    recall,
    roc_points,
    step_points,
    zone_bins,
)
from evalcore.classification.binary.axis import ScoreAxis
from evalcore.figures.base.systems import (
    HEIGHT,
    HOVER,
    PIXELS,
    System,
    chosen_last,
    chosen_of,
    diagonal,
    frame_square,
    guessing_line,
    label,
    legend_layout,
    roc_rates,
    spacing,
    system_line,
)
from evalcore.figures.base.theme import HATCHES, OUTCOMES, PERCENT_TICKS, Ink, apply_frame
from evalcore.numeric import Array
from evalcore.wording import count_text, level_text, number_text, plotly_text, range_text, share_text, threshold_text

__all__ = ["certainty_figure", "cost_figure", "det_figure", "gain_figure", "gain_scale_figure", "ks_figure"]
__all__ += ["lift_figure", "risk_coverage_figure", "zones_figure"]

_FIRST = 0.0025  # share of the rows below which the lift rests on so few of them that it is noise


def gain_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Share of the positives found against share of the rows picked, the highest scores first."""
    figure = diagonal(colours)
    _add_perfect(figure, systems, colours)
    hover = HOVER + "%{x:.1%} of the rows hold %{y:.1%} of the positives<extra></extra>"
    for system in chosen_last(systems):
        share, gain = predicted_prevalence(system.table.counts), recall(system.table.counts)
        rows = line_points(share, gain, PIXELS, spacing(systems))
        figure.add_trace(system_line(system, rows, share[rows], gain[rows], colours, hover, system.chosen))
    return frame_square(figure, systems, colours, "share of the rows picked", "share of the positives found")


def lift_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Lift: positives among the picked rows, relative to the same number of random rows."""
    figure = go.Figure(guessing_line([0, 1], [1, 1], colours))
    hover = HOVER + "the first %{x:.1%} of the rows hold %{y:.2f} times as many positives as random ones<extra></extra>"
    top = 1.0
    for system in chosen_last(systems):
        share, lifts = predicted_prevalence(system.table.counts), lift(system.table.counts)
        known = np.flatnonzero(~np.isnan(lifts))
        if not len(known):
            continue
        highest = max(float(lifts[known].max()), 1.0)
        rows = known[line_points(share[known], lifts[known] / highest, PIXELS, spacing(systems))]
        figure.add_trace(system_line(system, rows, share[rows], lifts[rows], colours, hover, system.chosen))
        settled = lifts[known][share[known] >= _FIRST]
        top = max(top, float(settled.max(initial=1.0)))
    figure.add_annotation(x=0.005, y=1, xanchor="left", yanchor="top", text="guessing", **label(colours))
    lifts = {"range": [0, 1.06 * top]}
    return frame_square(figure, systems, colours, "share of the rows picked", "lift", yaxis=lifts)


def ks_figure(systems: Sequence[System], names: tuple[str, str], colours: Ink) -> go.Figure:
    """Cumulative distributions of both classes of the chosen system, with their largest distance; names are escaped."""
    figure = go.Figure()
    system = chosen_of(systems)
    layout = legend_layout((), colours)
    if system is None or len(system.table) < 2:
        return apply_frame(figure, colours, HEIGHT, "score", "share of the class with a lower score", **layout)
    curve = ks_curve(system.table)
    some = step_points(system.table, PIXELS)
    thresholds, higher = system.table.thresholds[some], system.table.higher_is_positive
    spread = _spread(thresholds)
    for name, below, colour, broken in (
        (names[1], curve.negatives_below, colours.words["tn"], "dash"),
        (names[0], curve.positives_below, colours.words["tp"], "solid"),
    ):
        if np.isnan(below).any():
            continue
        # As corners of straight pieces: the share of a score holds down to just above the next one.
        rows, along, share = _corners(spread, below[some])
        indices = line_points(along, share, PIXELS)
        rows, share = rows[indices], share[indices]
        hover = (
            f"<b>{name}</b><br>score %{{x:.6~g}}<br>%{{y:.1%}} score {'lower' if higher else 'higher'}<extra></extra>"
        )
        line = system_line(system, some[rows], thresholds[rows], share, colours, hover)
        # Scores keep all their digits: some tell apart what seven would not.
        line.update(x=thresholds[rows], name=name, showlegend=True, legendrank=None)
        figure.add_trace(line.update(line={"color": colour, "width": 2.2, "dash": broken}))
    _add_gap(figure, system, curve, colours)
    layout |= {"showlegend": True, "yaxis": {"range": [-0.02, 1.02]}}
    side = "lower" if higher else "higher"
    return apply_frame(figure, colours, HEIGHT, "score", f"share of the class with a {side} score", **layout)


def _add_gap(figure: go.Figure, system: System, curve: KsCurve, colours: Ink) -> None:
    widest = curve.widest
    at, gap = float(system.table.thresholds[widest]), float(curve.gap[widest])
    if not np.isfinite([at, gap]).all():
        return
    ends = [float(curve.positives_below[widest]), float(curve.negatives_below[widest])]
    figure.add_shape(type="line", x0=at, x1=at, y0=ends[0], y1=ends[1], line={"color": colours.text, "width": 2})
    figure.add_annotation(
        x=at, y=sum(ends) / 2, xanchor="left", xshift=6, text=f"KS {number_text(abs(gap))} at {threshold_text(at)}",
        showarrow=False, font={"color": colours.text, "size": 12}, bgcolor=colours.paper, opacity=0.9,
    )  # fmt: skip


def _corners(x: Array, y: Array) -> tuple[np.ndarray, Array, Array]:
    """Rows, places and heights of both ends of each step of a line that is level first and then changes."""
    rows = np.arange(len(x)).repeat(2)[1:]
    return rows, x[rows], y.repeat(2)[:-1]


def _spread(thresholds: Array) -> Array:
    """Thresholds scaled to 0 … 1; in halves, because the range of the largest scores would overflow."""
    halves = thresholds / 2
    whole = abs(float(halves[0] - halves[-1]))
    return abs(halves - halves[0]) / whole if whole else np.zeros(len(halves))


def _add_perfect(figure: go.Figure, systems: Sequence[System], colours: Ink) -> None:
    system = chosen_of(systems)
    share = float(prevalence(system.table.counts[0])) if system else float("nan")
    if not math.isnan(share):
        figure.add_trace(guessing_line([0, share, 1], [0, 1, 1], colours).update(line_dash="dot"))


_MARKS = (0.0001, 0.001, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.99, 0.999)

_FEW_MARKS = (0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99)
"""Where the axes reach beyond 90 %, more would run into each other on a phone."""

_LOWEST_GAIN = -0.25


def det_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Miss rate against false positive rate on probit axes: normal scores give a straight line."""
    low, high = _det_range(systems)
    figure = go.Figure(guessing_line([low, high], [low, high], colours).update(line_dash="dot"))
    hover = HOVER + "false positive rate %{customdata[3]:.3~p} · miss rate %{customdata[4]:.3~p}<extra></extra>"
    for system in chosen_last(systems):
        rows = det_points(system.table, low, high, PIXELS, spacing(systems))
        rates = np.array([fall_out(system.table.counts[rows]), miss_rate(system.table.counts[rows])])
        if np.isnan(rates).any():
            continue
        # Rates of nothing and of all lie at infinity; the line leaves the picture where they would.
        x, y = np.clip(probit(rates), low - 1, high + 1)
        figure.add_trace(system_line(system, rows, x, y, colours, hover, system.chosen, rates.T))
    choice = _FEW_MARKS if high > float(probit(0.9)) else _MARKS
    marks = [mark for mark in choice if low <= float(probit(mark)) <= high]
    positions, texts = [float(probit(mark)) for mark in marks], [level_text(mark) for mark in marks]
    axis = {"range": [low, high], "tickvals": positions, "ticktext": texts}
    figure.add_annotation(x=high, y=high, xanchor="right", yanchor="top", text="equal error rates", textangle=-45,
                          xshift=-8, yshift=-4, **label(colours))  # fmt: skip
    return frame_square(figure, systems, colours, "false positive rate", "miss rate", xaxis=axis, yaxis=axis)


def cost_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """The lowest expected cost of each system at any costs and prevalence; the triangle is the cost without scores."""
    figure = go.Figure(guessing_line([0, 0.5, 1], [0, 0.5, 0], colours))
    hover = HOVER + "probability cost %{x:.3f} · cost %{y:.3f}<extra></extra>"
    for system in chosen_last(systems):
        curve = cost_curve(system.table)
        if np.isnan(curve.cost).any():
            continue
        # The corner between two pieces belongs to the threshold that takes over there.
        owners = np.append(curve.thresholds, curve.thresholds[-1])
        table_rows = system.table.rows(owners)
        rows = line_points(curve.probability_cost, curve.cost, PIXELS, spacing(systems))
        x, y = curve.probability_cost[rows], curve.cost[rows]
        figure.add_trace(system_line(system, table_rows[rows], x, y, colours, hover, system.chosen))
    chosen = chosen_of(systems)
    share = float(prevalence(chosen.table.counts[0])) if chosen else float("nan")
    if not math.isnan(share):
        line = {"color": colours.grey, "width": 1, "dash": "dot"}
        figure.add_shape(type="line", x0=share, x1=share, y0=0, y1=0.5, line=line)
        words = f"equal costs: {share_text(share)}"
        side = "left" if share < 0.3 else "right" if share > 0.7 else "center"
        figure.add_annotation(x=share, y=0.5, xanchor=side, yanchor="bottom", text=words, **label(colours))
    # Outside of the triangle, where no curve comes.
    for x, y, text, side in ((0.41, 0.43, "nothing positive", "right"), (0.59, 0.43, "everything positive", "left")):
        figure.add_annotation(x=x, y=y, xanchor=side, text=text, **label(colours))
    costs = {"range": [-0.01, 0.55]}
    return frame_square(figure, systems, colours, "probability cost", "normalised expected cost", yaxis=costs)


def gain_scale_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Precision gain against recall gain: 0 is calling everything positive, 1 is perfect, areas may be compared."""
    figure = go.Figure(guessing_line([0, 1], [0, 0], colours))
    hover = HOVER + "recall gain %{x:.3f} · precision gain %{y:.3f}<extra></extra>"
    for system in chosen_last(systems):
        curve = precision_recall_gain_curve(system.table)
        if not len(curve.recall_gain):
            continue
        y = np.clip(curve.precision_gain, -2.0, 1.0)
        indices = line_points(curve.recall_gain, y, PIXELS, spacing(systems))
        # The curve holds the last rows of the table; where it enters between two of them, the stricter one is named.
        rows = np.maximum(indices + len(system.table) - len(curve.recall_gain), 0)
        x = curve.recall_gain[indices]
        figure.add_trace(system_line(system, rows, x, y[indices], colours, hover, system.chosen))
    words = "calling everything positive"
    figure.add_annotation(x=0.005, y=0, xanchor="left", yanchor="top", text=words, **label(colours))
    gains = {"range": [_LOWEST_GAIN, 1.012], "nticks": 7}
    return frame_square(figure, systems, colours, "recall gain", "precision gain", yaxis=gains)


def _det_range(systems: Sequence[System]) -> tuple[float, float]:
    """Range of both axes: from the smallest rate to 60 %, or beyond if no system falls below 20 %."""
    fewest, worse = 1.0, [1.0]
    for system in systems:
        hits, alarms = (float(total) for total in (system.table.counts.fn[0], system.table.counts.tn[0]))
        if hits and alarms:
            fewest = min(fewest, 1 / hits, 1 / alarms)
            fall_out, recall = roc_rates(system, roc_points(system.table, PIXELS))
            worse.append(float(np.maximum(fall_out, 1 - recall).min()))
    low = float(probit(min(max(fewest, 0.0001), 0.1))) - 0.15
    return low, float(probit(0.6 if min(worse) < 0.2 else 0.99))


_AXIS_HEIGHT = 330
BINS = 60  # steps of the axis; up to here each threshold that was chosen has its own bar
DOTS = 40  # up to so many bands, each is a dot on the risk–coverage curve

WIDEST = 1e300
"""An axis as wide as this is still drawn as it is: Plotly subtracts its ends, which overflows where they are huge."""

_LESS = 2.0**40


def scale_divisor(low: float, high: float) -> float:
    """Divisor of scores before drawing: 1, or a power of two that brings a huge range within reach.

    >>> scale_divisor(0.0, 1e9), scale_divisor(-1.7e308, 1.7e308)
    (1.0, 1099511627776.0)
    """
    return 1.0 if high / 2 - low / 2 <= WIDEST / 2 else _LESS


def show_range(figure: go.Figure, low: float, high: float, shrink: float) -> None:
    """Set the range of the axis, low < high; the ticks of a rescaled axis name the original scores."""
    figure.update_xaxes(range=[low / shrink, high / shrink])
    if shrink != 1:
        marks = ScoreAxis(low, high).ticks()
        figure.update_xaxes(tickvals=marks / shrink, ticktext=[threshold_text(float(mark)) for mark in marks])


def show_flag(figure: go.Figure, x: float, threshold: float, colours: Ink, side: str | None = None) -> None:
    """Draw a line at a threshold with its value in a flag above it, or beside it if a side is given."""
    figure.add_vline(x=x, line={"color": colours.text, "width": 2})
    figure.add_annotation(
        x=x, y=1, yref="paper", yanchor="bottom", xanchor=side, text=f"<b>{threshold_text(threshold)}</b>",
        showarrow=False, font={"color": colours.paper, "size": 12}, bgcolor=colours.text, borderpad=3,
    )  # fmt: skip


def certainty_figure(certainty: ChoiceCertainty, colours: Ink) -> go.Figure:
    """Bars of the share of resamples that choose each threshold, with central range and plateau."""
    thresholds, shares, choice = certainty.thresholds, certainty.shares, certainty.chosen.choice
    best = math.nan if choice is None else choice.threshold
    visible = (shares > 0) & np.isfinite(thresholds)
    x, y = thresholds[visible], shares[visible]
    low, high = _ends(np.append(x, best))
    shrink = scale_divisor(low, high)
    if len(x) > BINS:
        # In halves: the sum of two large scores may overflow.
        y, half = np.histogram(x / 2, BINS, weights=y)
        edges = 2 * half
        names = [range_text(threshold_text(a), threshold_text(b)) for a, b in pairwise(edges.tolist())]
        x, width = half[:-1] + half[1:], 2 * (half[1] - half[0])
    else:
        names, width = [threshold_text(one) for one in x.tolist()], (high / 160 - low / 160)
    figure = go.Figure()
    figure.add_bar(
        x=x / shrink, y=y, width=np.full(len(x), width / shrink), hovertemplate="%{customdata}<extra></extra>",
        customdata=[f"{name}: {share_text(share)} of the resamples" for name, share in zip(names, y, strict=True)],
        marker={"color": colours.grey, "line": {"width": 0}},
    )  # fmt: skip
    apply_frame(figure, colours, height=210, x="threshold", y="share of resamples")
    top = float(max(y, default=0.0)) * 1.25 or 1.0
    figure.update_layout(showlegend=False, bargap=0, margin_t=26)
    figure.update_xaxes(showgrid=False)
    show_range(figure, low, high, shrink)
    figure.update_yaxes(range=[-0.16 * top, top], nticks=4, **PERCENT_TICKS)
    for start, end in (np.clip(certainty.bootstrap.plateau, low, high) / shrink).tolist():
        figure.add_vrect(x0=start, x1=end, fillcolor=colours.accent, opacity=0.13, line_width=0, layer="below")
    spread = np.clip(certainty.ends, low, high)
    if not np.isnan(spread).any():
        ends = range_text(*map(threshold_text, spread.tolist()))
        figure.add_scatter(
            x=spread / shrink, y=[-0.08 * top] * 2, mode="lines+markers",
            line={"color": colours.accent, "width": 6}, marker={"color": colours.accent, "size": 6},
            hovertemplate=f"67 % of resamples: {ends}<extra></extra>",
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
    """Padded range of the axis."""
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
    shrink = scale_divisor(float(ends.min()), float(ends.max()))
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
    apply_frame(figure, colours, _AXIS_HEIGHT, "score")
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
    """Share of wrong decisions against the share of rows decided, over nested bands, with points for two of them."""
    now, alone = analysis.band, analysis.alone
    coverage, error = np.asarray(bands.coverage), np.asarray(bands.error)
    rows = np.flatnonzero(~np.isnan(error))
    rows = rows[drawn_points(coverage[rows], error[rows], 480)]
    figure = go.Figure()
    figure.add_scatter(
        x=coverage[rows], y=error[rows], mode="lines+markers" if len(rows) <= DOTS else "lines", showlegend=False,
        marker={"size": 5}, line={"color": colours.accent, "width": 2},
        customdata=np.column_stack([bands.low, bands.high, bands.referred])[rows],
        hovertemplate="%{x:.1%} decided, %{y:.2%} of these wrongly<br>"
        "referred: %{customdata[2]:,} rows from %{customdata[0]:.5~g} to %{customdata[1]:.5~g}<extra></extra>",
    )  # fmt: skip
    for name, band, fill in (("one threshold", alone, colours.paper), ("this band", now, colours.accent)):
        figure.add_scatter(
            x=[float(band.coverage)], y=[float(band.error)], mode="markers", name=name, cliponaxis=False,
            hovertemplate=f"{name}: {count_text(float(band.referred))} referred<br>"
            "%{x:.1%} decided, %{y:.2%} of these wrongly<extra></extra>",
            marker={"size": 11, "color": fill, "line": {"color": colours.accent, "width": 2.5}},
        )  # fmt: skip
    apply_frame(figure, colours, _AXIS_HEIGHT, "share of rows decided", "error rate of the decided rows")
    error_rates = [*error[rows].tolist(), *(float(band.error) for band in (now, alone))]
    top = max([value for value in error_rates if not math.isnan(value)], default=0.0)
    figure.update_xaxes(range=[-0.02, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    figure.update_yaxes(range=[-0.04 * (top or 1), 1.12 * (top or 1)], **PERCENT_TICKS)
    return figure.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin_t=12, margin_r=24)
