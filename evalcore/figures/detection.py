"""The detection error trade-off, the cost curve and the precision–recall-gain curve as pictures."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.classification import (
    cost_curve,
    det_points,
    fall_out,
    line_points,
    miss_rate,
    precision_recall_gain_curve,
    prevalence,
    probit,
    roc_points,
)
from evalcore.figures.systems import (
    HOVER,
    PIXELS,
    System,
    chosen_last,
    chosen_of,
    guessing,
    label,
    roc_rates,
    spacing,
    squared,
    system_line,
)
from evalcore.figures.theme import Ink
from evalcore.wording.numbers import share_text

__all__ = ["cost_figure", "det_figure", "gain_scale_figure"]

_MARKS = (0.0001, 0.001, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.99, 0.999)
_FEW_MARKS = (0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99)
"""Where the axes reach beyond 90 %, more would run into each other on a phone."""

_LOWEST_GAIN = -0.25


def det_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Miss rate against false positive rate on probit axes, where normally distributed scores give a straight line."""
    low, high = _det_range(systems)
    figure = go.Figure(guessing([low, high], [low, high], colours).update(line_dash="dot"))
    hover = HOVER + "false positive rate %{customdata[3]:.3~p} · miss rate %{customdata[4]:.3~p}<extra></extra>"
    for system in chosen_last(systems):
        rows = det_points(system.table, low, high, PIXELS, spacing(systems))
        rates = np.array([fall_out(system.table.counts[rows]), miss_rate(system.table.counts[rows])])
        if np.isnan(rates).any():
            continue
        # Rates of nothing and of all lie at infinity; the line leaves the picture where they would.
        x, y = np.clip(probit(rates), low - 1, high + 1)
        figure.add_trace(system_line(system, rows, x, y, colours, system.chosen, rates.T, hovertemplate=hover))
    squared(figure, systems, colours, "false positive rate", "miss rate")
    choice = _FEW_MARKS if high > float(probit(0.9)) else _MARKS
    marks = [mark for mark in choice if low <= float(probit(mark)) <= high]
    places, texts = [float(probit(mark)) for mark in marks], [f"{100 * mark:g} %" for mark in marks]
    axis = {"range": [low, high], "tickvals": places, "ticktext": texts}
    figure.add_annotation(x=high, y=high, xanchor="right", yanchor="top", text="equal error rates", textangle=-45,
                          xshift=-8, yshift=-4, **label(colours))  # fmt: skip
    return figure.update_xaxes(**axis).update_yaxes(**axis)


def cost_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """The lowest expected cost of each system at any costs and prevalence; the triangle is the cost without scores."""
    figure = go.Figure(guessing([0, 0.5, 1], [0, 0.5, 0], colours))
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
        figure.add_trace(system_line(system, table_rows[rows], x, y, colours, system.chosen, hovertemplate=hover))
    squared(figure, systems, colours, "probability cost", "normalised expected cost")
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
    return figure.update_yaxes(range=[-0.01, 0.55], tickvals=[0, 0.1, 0.2, 0.3, 0.4, 0.5])


def gain_scale_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """Precision gain against recall gain: 0 is calling everything positive, 1 is perfect, areas may be compared."""
    figure = go.Figure(guessing([0, 1], [0, 0], colours))
    hover = HOVER + "recall gain %{x:.3f} · precision gain %{y:.3f}<extra></extra>"
    for system in chosen_last(systems):
        curve = precision_recall_gain_curve(system.table)
        if not len(curve.recall_gain):
            continue
        y = np.clip(curve.precision_gain, -2.0, 1.0)
        kept = line_points(curve.recall_gain, y, PIXELS, spacing(systems))
        # The curve holds the last rows of the table; where it enters between two of them, the stricter one is named.
        rows = np.maximum(kept + len(system.table) - len(curve.recall_gain), 0)
        x = curve.recall_gain[kept]
        figure.add_trace(system_line(system, rows, x, y[kept], colours, system.chosen, hovertemplate=hover))
    words = "calling everything positive"
    figure.add_annotation(x=0.005, y=0, xanchor="left", yanchor="top", text=words, **label(colours))
    squared(figure, systems, colours, "recall gain", "precision gain")
    return figure.update_yaxes(range=[_LOWEST_GAIN, 1.012], tickvals=[-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1])


def _det_range(systems: Sequence[System]) -> tuple[float, float]:
    """Ends of both axes: from the smallest rate to 60 %, or further where no system comes below 20 %."""
    fewest, worse = 1.0, [1.0]
    for system in systems:
        hits, alarms = (float(total) for total in (system.table.counts.fn[0], system.table.counts.tn[0]))
        if hits and alarms:
            fewest = min(fewest, 1 / hits, 1 / alarms)
            fall_out, recall = roc_rates(system, roc_points(system.table, PIXELS))
            worse.append(float(np.maximum(fall_out, 1 - recall).min()))
    low = float(probit(min(max(fewest, 0.0001), 0.1))) - 0.15
    return low, float(probit(0.6 if min(worse) < 0.2 else 0.99))
