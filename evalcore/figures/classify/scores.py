"""Pictures of scores beside ROC and precision–recall: curves, certainty of a choice, referral, and costs."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from evalcore import classification
from evalcore.analyses import ChoiceCertainty, CostSensitivity, NetBenefit, ReferralBand
from evalcore.classification import ScoreAxis, fall_out, line_points, prevalence, probit, recall, roc_points
from evalcore.figures import graph_objects as go
from evalcore.figures.systems import System, chosen_of, diagonal, drawn, fineness, frame_square, guessing, label
from evalcore.figures.theme import HATCHES, OUTCOMES, PERCENT_TICKS, Ink, apply_frame, mix
from evalcore.numeric import Array
from evalcore.wording import count_text, number_text, plotly_text, share_text, threshold_text
from evalcore.wording.numbers import THIN, level_text, range_text, ratio_text

__all__ = ["certainty_figure", "cost_figure", "decision_figure", "det_figure", "gain_figure", "gain_scale_figure"]
__all__ += ["ks_figure", "lift_figure", "ratio_map_figure", "risk_coverage_figure", "zones_figure"]


def gain_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Share of the positives found against share of the rows picked, the highest scores first."""
    figure = diagonal(colours)
    if not math.isnan(share := _prevalence(systems)):  # the perfect curve
        figure.add_trace(guessing([0, share, 1], [0, 1, 1], colours).update(line_dash="dot"))
    hover = "%{x:.1%} of the rows hold %{y:.1%} of the positives"
    for system in drawn(systems):
        picked, gain = classification.predicted_prevalence(system.table.counts), recall(system.table.counts)
        rows = line_points(picked, gain, *fineness(systems))
        figure.add_trace(system.line(rows, picked[rows], gain[rows], colours, hover))
    return frame_square(figure, systems, colours, "share of the rows picked", "share of the positives found")


def lift_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Lift: positives among the picked rows, relative to the same number of random rows."""
    figure = go.Figure(guessing([0, 1], [1, 1], colours))
    hover = "the first %{x:.1%} of the rows hold %{y:.2f} times as many positives as random ones"
    top = 1.0
    for system in drawn(systems):
        counts = system.table.counts
        share, lifts = classification.predicted_prevalence(counts), classification.lift(counts)
        known = np.flatnonzero(~np.isnan(lifts))
        if not len(known):
            continue
        highest = max(float(lifts[known].max()), 1.0)
        rows = known[line_points(share[known], lifts[known] / highest, *fineness(systems))]
        figure.add_trace(system.line(rows, share[rows], lifts[rows], colours, hover))
        # Below this share of the rows the lift rests on so few of them that it is noise.
        top = max(top, float(lifts[known][share[known] >= 0.0025].max(initial=1.0)))
    figure.add_annotation(x=0.005, y=1, xanchor="left", yanchor="top", text="guessing", **label(colours))
    return frame_square(figure, systems, colours, "share of the rows picked", "lift", yaxis={"range": [0, 1.06 * top]})


def ks_figure(systems: Sequence[System], names: tuple[str, str], colours: Ink) -> go.Figure:
    """Cumulative distributions of both classes of the chosen system, with their largest distance; names are escaped."""
    figure, system = go.Figure(), chosen_of(systems)
    side, shares = "lower", None
    if system is not None and len(system.table) > 1:
        side, shares = "lower" if system.table.higher_is_positive else "higher", [-0.02, 1.02]
        curve = classification.ks_curve(system.table)
        _add_classes(figure, system, curve, names, side, colours)
        _add_gap(figure, system, curve, colours)
    return frame_square(
        figure, (), colours, "score", f"share of the class with a {side} score", showlegend=shares is not None,
        xaxis={"range": None, "nticks": None}, yaxis={"range": shares, "nticks": None},
    )  # fmt: skip


def _add_classes(
    figure: go.Figure, system: System, curve: classification.KsCurve, names: tuple[str, str], side: str, colours: Ink
) -> None:
    some = classification.step_points(system.table, fineness(())[0])
    thresholds = system.table.thresholds[some]
    halves = thresholds / 2  # the range of the largest scores would overflow
    whole = abs(float(halves[0] - halves[-1]))
    along = abs(halves - halves[0]) / whole if whole else np.zeros(len(halves))
    # As corners of straight pieces: the share of a score holds down to just above the next one.
    corners = np.arange(len(along)).repeat(2)[1:]
    for name, below, colour, broken in (
        (names[1], curve.negatives_below, colours.words["tn"], "dash"),
        (names[0], curve.positives_below, colours.words["tp"], "solid"),
    ):
        if np.isnan(below).any():
            continue
        share = below[some].repeat(2)[:-1]
        indices = line_points(along[corners], share, *fineness(()))
        rows = corners[indices]
        # Scores keep all their digits: some tell apart what seven would not.
        figure.add_trace(system.line(some[rows], thresholds[rows], share[indices], colours, "").update(
            x=thresholds[rows], name=name, showlegend=True, legendrank=None, mode="lines",
            line={"color": colour, "width": 2.2, "dash": broken},
            hovertemplate=f"<b>{name}</b><br>score %{{x:.6~g}}<br>%{{y:.1%}} score {side}<extra></extra>",
        ))  # fmt: skip


def _add_gap(figure: go.Figure, system: System, curve: classification.KsCurve, colours: Ink) -> None:
    at, gap = float(system.table.thresholds[curve.widest]), float(curve.gap[curve.widest])
    if np.isfinite([at, gap]).all():
        ends = [float(side[curve.widest]) for side in (curve.positives_below, curve.negatives_below)]
        figure.add_shape(type="line", x0=at, x1=at, y0=ends[0], y1=ends[1], line={"color": colours.text, "width": 2})
        figure.add_annotation(
            x=at, y=sum(ends) / 2, xanchor="left", xshift=6, text=f"KS {number_text(abs(gap))} at {threshold_text(at)}",
            showarrow=False, font={"color": colours.text, "size": 12}, bgcolor=colours.paper, opacity=0.9,
        )  # fmt: skip


def _prevalence(systems: Sequence[System]) -> float:
    """The prevalence of the chosen system; nan without one."""
    system = chosen_of(systems)
    return float(prevalence(system.table.counts[0])) if system else math.nan


_MARKS = (0.0001, 0.001, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.99, 0.999)

_FEW_MARKS = (0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99)
"""Where the axes reach beyond 90 %, more would run into each other on a phone."""


def det_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Miss rate against false positive rate on probit axes: normal scores give a straight line."""
    low, high = _det_range(systems)
    figure = go.Figure(guessing([low, high], [low, high], colours).update(line_dash="dot"))
    hover = "false positive rate %{customdata[3]:.3~p} · miss rate %{customdata[4]:.3~p}"
    for system in drawn(systems):
        rows = classification.det_points(system.table, low, high, *fineness(systems))
        counts = system.table.counts[rows]
        rates = np.array([fall_out(counts), classification.miss_rate(counts)])
        if np.isnan(rates).any():
            continue
        # Rates of nothing and of all lie at infinity; the line leaves the picture where they would.
        x, y = np.clip(probit(rates), low - 1, high + 1)
        figure.add_trace(system.line(rows, x, y, colours, hover, *rates))
    marks = {float(probit(mark)): level_text(mark) for mark in (_FEW_MARKS if high > float(probit(0.9)) else _MARKS)}
    marks = {place: text for place, text in marks.items() if low <= place <= high}
    axis = {"range": [low, high], "tickvals": [*marks], "ticktext": [*marks.values()]}
    figure.add_annotation(
        x=high, y=high, xanchor="right", yanchor="top", text="equal error rates", textangle=-45, xshift=-8, yshift=-4,
        **label(colours),
    )  # fmt: skip
    return frame_square(figure, systems, colours, "false positive rate", "miss rate", xaxis=axis, yaxis=axis)


def cost_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """The lowest expected cost of each system at any costs and prevalence; the triangle is the cost without scores."""
    figure = go.Figure(guessing([0, 0.5, 1], [0, 0.5, 0], colours))
    hover = "probability cost %{x:.3f} · cost %{y:.3f}"
    for system in drawn(systems):
        curve = classification.cost_curve(system.table)
        if np.isnan(curve.cost).any():
            continue
        # The corner between two pieces belongs to the threshold that takes over there.
        owners = system.table.rows(np.append(curve.thresholds, curve.thresholds[-1]))
        rows = line_points(curve.probability_cost, curve.cost, *fineness(systems))
        x, y = curve.probability_cost[rows], curve.cost[rows]
        figure.add_trace(system.line(owners[rows], x, y, colours, hover))
    if not math.isnan(share := _prevalence(systems)):
        line = {"color": colours.grey, "width": 1, "dash": "dot"}
        figure.add_shape(type="line", x0=share, x1=share, y0=0, y1=0.5, line=line)
        words = f"equal costs: {share_text(share)}"
        side = "left" if share < 0.3 else "right" if share > 0.7 else "center"
        figure.add_annotation(x=share, y=0.5, xanchor=side, yanchor="bottom", text=words, **_word(colours))
    # Outside of the triangle, where no curve comes.
    for x, text, side in ((0.41, "nothing positive", "right"), (0.59, "everything positive", "left")):
        figure.add_annotation(x=x, y=0.43, xanchor=side, text=text, **_word(colours))
    costs = {"range": [-0.01, 0.55]}
    return frame_square(figure, systems, colours, "probability cost", "normalised expected cost", yaxis=costs)


def gain_scale_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Precision gain against recall gain: 0 is calling everything positive, 1 is perfect, areas may be compared."""
    figure = go.Figure(guessing([0, 1], [0, 0], colours))
    hover = "recall gain %{x:.3f} · precision gain %{y:.3f}"
    for system in drawn(systems):
        curve = classification.precision_recall_gain_curve(system.table)
        if not len(curve.recall_gain):
            continue
        x, y = curve.recall_gain, np.clip(curve.precision_gain, -2.0, 1.0)
        indices = line_points(x, y, *fineness(systems))
        # The curve holds the last rows of the table; where it enters between two of them, the stricter one is named.
        rows = np.maximum(indices + len(system.table) - len(x), 0)
        figure.add_trace(system.line(rows, x[indices], y[indices], colours, hover))
    words = "calling everything positive"
    figure.add_annotation(x=0.005, y=0, xanchor="left", yanchor="top", text=words, **label(colours))
    gains = {"range": [-0.25, 1.012], "nticks": 7}
    return frame_square(figure, systems, colours, "recall gain", "precision gain", yaxis=gains)


def _det_range(systems: Sequence[System]) -> tuple[float, float]:
    """Range of both axes: from the smallest rate to 60 %, or beyond if no system falls below 20 %."""
    fewest, worse = 1.0, [1.0]
    for system in systems:
        hits, alarms = float(system.table.counts.fn[0]), float(system.table.counts.tn[0])
        if hits and alarms:
            fewest = min(fewest, 1 / hits, 1 / alarms)
            fall_out, recall = system.rates(roc_points(system.table, *fineness(())))
            worse.append(float(np.maximum(fall_out, 1 - recall).min()))
    low = float(probit(min(max(fewest, 0.0001), 0.1))) - 0.15
    return low, float(probit(0.6 if min(worse) < 0.2 else 0.99))


_AXIS_HEIGHT = 330
BINS = 60  # steps of the axis; up to here each threshold that was chosen has its own bar
DOTS = 40  # up to so many bands, each is a dot on the risk–coverage curve


def scale_divisor(low: float, high: float) -> float:
    """Divisor of scores before drawing: 1, or a power of two that brings a huge range within reach.

    Plotly subtracts the ends of an axis, which overflows where they are huge.

    >>> scale_divisor(0.0, 1e9), scale_divisor(-1.7e308, 1.7e308)
    (1.0, 1099511627776.0)
    """
    return 1.0 if high / 2 - low / 2 <= 1e300 / 2 else 2.0**40


def _score_axis(low: float, high: float, shrink: float) -> dict[str, Any]:
    """Axis from low to high; the ticks of a rescaled axis name the original scores."""
    axis: dict[str, Any] = {"range": [low / shrink, high / shrink]}
    if shrink != 1:
        marks = ScoreAxis(low, high).ticks()
        axis |= {"tickvals": marks / shrink, "ticktext": [*map(threshold_text, marks.tolist())]}
    return axis


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
    top = float(max(y, default=0.0)) * 1.25 or 1.0
    apply_frame(
        figure, colours, 210, "threshold", "share of resamples", showlegend=False, bargap=0, margin={"t": 26},
        xaxis={"showgrid": False, **_score_axis(low, high, shrink)},
        yaxis={"range": [-0.16 * top, top], "nticks": 4, **PERCENT_TICKS},
    )  # fmt: skip
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
    # Calling nothing positive has no place on the axis.
    if (beyond := float(shares[np.isinf(thresholds)].sum())) > 0:
        figure.add_annotation(
            x=1, y=1, xref="paper", yref="paper", xanchor="right", yanchor="bottom", **label(colours),
            text=f"{share_text(beyond)} choose to call nothing positive",
        )  # fmt: skip
    return figure


def _ends(values: Array) -> tuple[float, float]:
    """Padded range of the axis."""
    finite, largest = values[np.isfinite(values)], float(np.finfo(float).max)
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.5, 0.5)
    room = (0.12 * (high / 2 - low / 2) or 0.05 * abs(high) or 0.5) if len(finite) else 0.5
    return max(low - room, -largest), min(high + room, largest)


def zones_figure(analysis: ReferralBand, colours: Ink) -> go.Figure:
    """The scores of both classes, one up and one down; grey between the thresholds, in the outcome's colour outside."""
    scores = analysis.scores
    band = float(analysis.band.low), float(analysis.band.high)
    bins = classification.zone_bins(scores.scored, *band)
    ends = np.column_stack([bins.edges[:-1], bins.edges[1:]])
    lowest, highest = float(ends.min()), float(ends.max())
    shrink = scale_divisor(lowest, highest)
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
    down, up = float(bins.negatives.max()), float(bins.positives.max())
    least = 0.25 * max(down, up, 1.0)
    apply_frame(
        figure, colours, _AXIS_HEIGHT, "score", xaxis=_score_axis(lowest, highest, shrink), barmode="overlay",
        yaxis={"range": [-1.2 * max(down, least), 1.2 * max(up, least)], "showticklabels": False, "showgrid": False},
        bargap=0.06, margin={"t": 30},
    )  # fmt: skip
    left, right = lowest / shrink, highest / shrink
    low, high = (min(max(edge / shrink, left), right) for edge in band)
    figure.add_hline(y=0, line={"color": colours.grey, "width": 1})
    figure.add_vrect(x0=low, x1=high, fillcolor=colours.grey, opacity=0.12, line_width=0, layer="below")
    # The flags turn away from one another, and inwards where they would leave the picture.
    room = 0.15 * (right - left)
    show_flag(figure, low, band[0], colours, "left" if low - left < room else "right")
    if band[0] != band[1]:
        show_flag(figure, high, band[1], colours, "right" if right - high < room else "left")
    for name, y, anchor in ((scores.positive, 1, "top"), (scores.negative, 0, "bottom")):
        figure.add_annotation(
            x=0.005, y=y, xref="paper", yref="paper", xanchor="left", yanchor=anchor,
            text=f"actual {plotly_text(name, 24)}", **label(colours),
        )  # fmt: skip
    return figure


def risk_coverage_figure(analysis: ReferralBand, bands: classification.Referral, colours: Ink) -> go.Figure:
    """Share of wrong decisions against the share of rows decided, over nested bands, with points for two of them."""
    coverage, error = np.asarray(bands.coverage), np.asarray(bands.error)
    rows = np.flatnonzero(~np.isnan(error))
    rows = rows[classification.drawn_points(coverage[rows], error[rows], 480)]
    figure = go.Figure()
    figure.add_scatter(
        x=coverage[rows], y=error[rows], mode="lines+markers" if len(rows) <= DOTS else "lines", showlegend=False,
        marker={"size": 5}, line={"color": colours.accent, "width": 2},
        customdata=np.column_stack([bands.low, bands.high, bands.referred])[rows],
        hovertemplate="%{x:.1%} decided, %{y:.2%} of these wrongly<br>"
        "referred: %{customdata[2]:,} rows from %{customdata[0]:.5~g} to %{customdata[1]:.5~g}<extra></extra>",
    )  # fmt: skip
    now, alone = analysis.band, analysis.alone
    for name, band, fill in (("one threshold", alone, colours.paper), ("this band", now, colours.accent)):
        figure.add_scatter(
            x=[float(band.coverage)], y=[float(band.error)], mode="markers", name=name, cliponaxis=False,
            hovertemplate=f"{name}: {count_text(float(band.referred))} referred<br>"
            "%{x:.1%} decided, %{y:.2%} of these wrongly<extra></extra>",
            marker={"size": 11, "color": fill, "line": {"color": colours.accent, "width": 2.5}},
        )  # fmt: skip
    top = float(np.fmax.reduce([*error[rows], now.error, alone.error], initial=0.0)) or 1  # ignores nan
    return apply_frame(
        figure, colours, _AXIS_HEIGHT, "share of rows decided", "error rate of the decided rows",
        xaxis={"range": [-0.02, 1.02], "tickvals": [0, 0.25, 0.5, 0.75, 1], "tickformat": ".0%"},
        yaxis={"range": [-0.04 * top, 1.12 * top], **PERCENT_TICKS}, margin={"t": 12, "r": 24},
    )  # fmt: skip


COLUMNS, ROWS = 81, 51  # cells of the map that can be pointed at, few enough to be sent with every change


def ratio_map_figure(analysis: CostSensitivity, colours: Ink) -> go.Figure:
    """Map of the cheapest threshold over cost ratio and prevalence; darker where it calls more rows positive.

    Both axes are logarithmic, of the ratio and of the odds of being positive. Only their product decides, so the
    regions are slanted bands. The ratio and the prevalence of the analysis have a ring, that of the sample has a line.
    """
    cheapest, texts, share, own = analysis.cheapest, analysis.names, analysis.share, analysis.scores.prevalence
    here = np.log10([analysis.ratio, share / (1 - share), own / (1 - own)])
    x = np.linspace(min(-2.0, here[0] - 0.3), max(2.0, here[0] + 0.3), COLUMNS)
    y = np.linspace(min(-3.0, here[1:].min() - 0.3), max(1.0, here[1:].max() + 0.3), ROWS)
    figure = go.Figure(_cells(cheapest, texts, x, y)).add_ring(here[:1], here[1:2], colours.paper, colours.text)
    with np.errstate(divide="ignore"):
        sums = np.log10(cheapest.breaks * cheapest.own_odds)
    line = {"color": colours.text, "width": 1, "dash": "dash"}
    sample = {"type": "line", "x0": x[0], "x1": x[-1], "y0": here[2], "y1": here[2], "line": line, "layer": "below"}
    named = {"x": x[0], "y": here[2], "xanchor": "left", "yanchor": "bottom", "text": f"this sample: {share_text(own)}"}
    ratios = {tick: ratio_text(10.0**tick) for tick in range(-9, 10) if x[0] <= tick <= x[-1]}
    marks = {np.log10(tick / (1 - tick)): level_text(tick) for tick in _FEW_MARKS}
    marks = {odds: text for odds, text in marks.items() if y[0] <= odds <= y[-1]}
    return apply_frame(
        figure, colours, 430, "cost of a miss, in false alarms", "prevalence", margin={"r": 28},
        shapes=[*_regions(sums, x, y, colours), sample],
        annotations=[named | _word(colours), *_names(sums, texts, x, y, colours)],
        xaxis={"range": [x[0], x[-1]], "tickvals": [*ratios], "ticktext": [*ratios.values()], "showgrid": False},
        yaxis={"range": [y[0], y[-1]], "tickvals": [*marks], "ticktext": [*marks.values()], "showgrid": False},
    )  # fmt: skip


def _cells(cheapest: classification.CheapestThresholds, texts: Sequence[str], x: Array, y: Array) -> go.Heatmap:
    """An invisible heatmap that carries the hover texts; the visible regions have exact edges."""
    shares, ratios = (10**y / (1 + 10**y))[:, None], 10 ** x[None, :]
    index = cheapest.index(ratios, shares)
    hits, alarms = np.asarray(recall(cheapest.counts))[index], np.asarray(fall_out(cheapest.counts))[index]
    paid = 1000 * (shares * ratios * (1 - hits) + (1 - shares) * alarms)
    numbers = [100 * hits, 100 * alarms, paid, np.broadcast_to(100 * shares, index.shape)]
    return go.Heatmap(
        x=x, y=y, z=np.zeros(index.shape, dtype=np.int8), opacity=0, showscale=False,
        text=np.array(texts, dtype=object)[index], customdata=np.dstack(numbers).astype(np.float32),
        hovertemplate="<b>%{text}</b><br>recall %{customdata[0]:.1f} % · false positive rate %{customdata[1]:.1f} %<br>"
        f"per 1{THIN}000 cases the cost is %{{customdata[2]:,.4~g}} false alarms<br>"
        "at a prevalence of %{customdata[3]:.3~g} %<extra></extra>",
    )  # fmt: skip


def _regions(sums: Array, x: Array, y: Array, colours: Ink) -> list[dict]:
    """Visible region of each threshold, from the ground colour to the accent."""
    last = len(sums) - 2
    first, end = x[0] + y[0], x[-1] + y[-1]
    edges = np.clip(sums, first, end)
    pieces: list[list[int]] = []
    for index in np.flatnonzero(edges[:-1] < edges[1:]).tolist():
        # Very narrow regions share one of at most 120 pieces, besides those at both ends.
        if pieces and 0 < index < last and edges[index] - edges[pieces[-1][0]] < (end - first) / 120:
            pieces[-1][1] = index
        else:
            pieces.append([index, index])
    shades = np.linspace(0.12, 0.85, len(pieces)) if len(pieces) > 1 else [0.45]
    shapes = []
    for (low, high), shade in zip(pieces, shades, strict=True):
        corners = [(x[0], y[0]), (x[-1], y[0]), (x[-1], y[-1]), (x[0], y[-1])]
        corners = _clipped(_clipped(corners, float(edges[low]), 1), float(edges[high + 1]), -1)
        fill = mix(colours.grid, colours.accent, {0: 0.0, last: 1.0}.get(low, float(shade))).lower()
        path = "M" + "L".join(f"{a:.5f},{b:.5f}" for a, b in corners) + "Z"
        # So many that lines between them would hide them: then colour alone tells.
        line = {"color": colours.paper if len(pieces) <= 30 else fill, "width": 1}
        shapes.append({"type": "path", "path": path, "fillcolor": fill, "line": line, "layer": "below"})
    return shapes


def _clipped(corners: list[tuple[float, float]], total: float, side: int) -> list[tuple[float, float]]:
    """Part of a convex polygon with x + y at least `total` (side 1) or at most `total` (side −1)."""
    inside = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        before, after = side * (x0 + y0 - total), side * (x1 + y1 - total)
        if before >= 0:
            inside.append((x0, y0))
        if before * after < 0:
            share = before / (before - after)
            inside.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
    return inside


def _names(sums: Array, texts: Sequence[str], x: Array, y: Array, colours: Ink) -> list[dict]:
    """Annotations that name the regions wide enough for it, along the diagonal through all of them."""
    first, last = x[0] + y[0], x[-1] + y[-1]
    edges = np.clip(sums, first, last)
    wide = np.flatnonzero(np.diff(edges) >= 0.09 * (last - first))
    along = np.clip(((edges[wide] + edges[wide + 1]) / 2 - first) / (last - first), 0.08, 0.92)
    at = zip(x[0] + along * (x[-1] - x[0]), y[0] + along * (y[-1] - y[0]), wide.tolist(), strict=True)
    return [{"x": a, "y": b, "text": texts[index]} | _word(colours) for a, b, index in at]


def _word(colours: Ink) -> dict:
    font = {"color": colours.text, "size": 11}
    return {"showarrow": False, "font": font, "bgcolor": colours.paper, "borderpad": 2, "opacity": 0.9}


def decision_figure(analysis: NetBenefit, colours: Ink) -> go.Figure:
    """Net benefit against the risk threshold, for the model, treating all and treating none."""
    lines = list(analysis.curves.items())
    risks = lines[0][1].probabilities
    figure = go.Figure()

    def add(name: str, values: Array, more: str = "", **properties: Any) -> None:
        hover = f"{name}: %{{y:.4f}} at %{{x:.1%}}{more}<extra></extra>"
        figure.add_scatter(x=risks, y=values, mode="lines", name=name, hovertemplate=hover, **properties)

    add("treat all", lines[0][1].treat_all, line={"color": colours.grey, "width": 1.4, "dash": "dash"})
    add("treat none", np.zeros_like(risks), line={"color": colours.grey, "width": 1.4, "dash": "dot"})
    for index, (name, curve) in enumerate(lines):
        line = {"color": colours.system(index), "width": 1.8} if index else {"color": colours.accent, "width": 2.4}
        more = "<br>%{customdata:.1f} interventions avoided per 100"
        add(name, curve.model, more, line=line, customdata=100 * curve.avoided)
    benefits = [values for _, curve in lines for values in (curve.model, curve.treat_all)]
    top = float(np.fmax.reduce(benefits, axis=None, initial=1e-9))  # ignores nan
    end = 1.0 if risks[-1] > 0.9 else float(risks[-1])
    ticks = {"tickvals": [0, 0.25, 0.5, 0.75, 1], "tickformat": ".0%"} if end == 1 else {"nticks": 6} | PERCENT_TICKS
    apply_frame(
        figure, colours, 360, "risk threshold", "net benefit", xaxis={"range": [0, end]} | ticks,
        # Below zero a line only says how bad it gets; a little of that is enough.
        yaxis={"range": [-0.3 * top, 1.1 * top], "zeroline": False}, legend={"y": -0.24, "yanchor": "top"},
        margin={"t": 12, "r": 24},
    )  # fmt: skip
    for name, risk in analysis.marks:
        figure.add_vline(x=risk, line={"color": colours.text, "width": 1, "dash": "dash"})
        # The words of two lines turn away from one another, where there is room.
        before = any(0.15 * end < risk < other for _, other in analysis.marks)
        side = {"xanchor": "right" if before or risk > 0.6 * end else "left"}
        figure.add_annotation(x=risk, y=1, yref="paper", yanchor="top", text=name, **side, **_word(colours))
    return figure
