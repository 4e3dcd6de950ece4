"""Cumulative gain, lift and the two distributions of the scores as pictures."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.classification import (
    KsCurve,
    ks_curve,
    lift,
    line_points,
    predicted_prevalence,
    prevalence,
    recall,
    step_points,
)
from evalcore.figures.systems import (
    HEIGHT,
    HOVER,
    PIXELS,
    System,
    chosen_last,
    chosen_of,
    diagonal,
    guessing,
    label,
    legended,
    spacing,
    squared,
    system_line,
)
from evalcore.figures.theme import Ink, framed
from evalcore.numeric import Array
from evalcore.wording.numbers import number_text, threshold_text

__all__ = ["gain_figure", "ks_figure", "lift_figure"]

_FIRST = 0.0025
"""Share of the rows below which the lift rests on so few of them that it is noise."""


def gain_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Share of the positives found against share of the rows picked, the highest scores first."""
    figure = diagonal(colours)
    _add_perfect(figure, systems, colours)
    hover = HOVER + "%{x:.1%} of the rows hold %{y:.1%} of the positives<extra></extra>"
    for system in chosen_last(systems):
        share, gain = predicted_prevalence(system.table.counts), recall(system.table.counts)
        rows = line_points(share, gain, PIXELS, spacing(systems))
        figure.add_trace(
            system_line(system, rows, share[rows], gain[rows], colours, system.chosen, hovertemplate=hover)
        )
    return squared(figure, systems, colours, "share of the rows picked", "share of the positives found")


def lift_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """How many times as many positives the picked rows hold as the same number of random rows."""
    figure = go.Figure(guessing([0, 1], [1, 1], colours))
    hover = HOVER + "the first %{x:.1%} of the rows hold %{y:.2f} times as many positives<extra></extra>"
    top = 1.0
    for system in chosen_last(systems):
        share, lifts = predicted_prevalence(system.table.counts), lift(system.table.counts)
        known = np.flatnonzero(~np.isnan(lifts))
        if not len(known):
            continue
        highest = max(float(lifts[known].max()), 1.0)
        rows = known[line_points(share[known], lifts[known] / highest, PIXELS, spacing(systems))]
        figure.add_trace(
            system_line(system, rows, share[rows], lifts[rows], colours, system.chosen, hovertemplate=hover)
        )
        settled = lifts[known][share[known] >= _FIRST]
        top = max(top, float(settled.max(initial=1.0)))
    figure.add_annotation(x=0.005, y=1, xanchor="left", yanchor="top", text="guessing", **label(colours))
    squared(figure, systems, colours, "share of the rows picked", "lift")
    return figure.update_yaxes(range=[0, 1.06 * top], tickvals=None, tickformat=".3~g")


def ks_figure(systems: Sequence[System], names: tuple[str, str], colours: Ink) -> go.Figure:
    """The share of each class with a lower score, and where the two are furthest apart, of the chosen system.

    The names are those of the positive and the negative class, safe to stand in a figure.
    """
    figure = go.Figure()
    system = chosen_of(systems)
    framed(figure, colours, HEIGHT, "score", "share of the class with a lower score")
    if system is None or len(system.table) < 2:
        return legended(figure, (), colours)
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
        kept = line_points(along, share, PIXELS)
        rows, share = rows[kept], share[kept]
        hover = (
            f"<b>{name}</b><br>score %{{x:.6~g}}<br>%{{y:.1%}} score {'lower' if higher else 'higher'}<extra></extra>"
        )
        line = system_line(system, some[rows], thresholds[rows], share, colours, hovertemplate=hover)
        # Scores keep all their digits: some tell apart what seven would not.
        line.update(x=thresholds[rows], name=name, showlegend=True, legendrank=None)
        figure.add_trace(line.update(line={"color": colour, "width": 2.2, "dash": broken}))
    _add_gap(figure, system, curve, colours)
    if not higher:
        figure.update_yaxes(title_text="share of the class with a higher score")
    figure.update_yaxes(range=[-0.02, 1.02], tickformat=".1~f")
    return legended(figure, (), colours).update_layout(showlegend=True)


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
        figure.add_trace(guessing([0, share, 1], [0, 1, 1], colours).update(line_dash="dot"))
