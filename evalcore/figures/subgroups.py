"""Figure of one measure in each group: a dot with its interval, and a line for all rows together."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.subgroups import FEW, Subgroups
from evalcore.figures.systems import label
from evalcore.figures.theme import Ink, framed
from evalcore.inference import Interval
from evalcore.numeric import Array
from evalcore.registry import MetricDef
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import count_text, value_text

__all__ = ["groups_figure"]

ROW = 46
"""Pixels of a group: as tall as a line of two rows of text in a table beside it."""


def groups_figure(groups: Subgroups, measure: MetricDef, colours: Ink) -> go.Figure:
    """One line per group, the first at the top: a dot with its interval, and a line for all rows.

    A dot is filled where the group differs from the rest by more than chance, and grey where it rests on too few rows.
    The measure is one of `evalcore.analyses.GROUP_RATES`; the names of the groups are escaped here.
    """
    interval, rows = groups.rate(measure, groups.shown)
    names, whole = groups.names[: groups.shown], groups.of_all(measure)[0]
    differs, few = groups.differs(measure), rows < FEW
    figure = go.Figure()
    write = partial(value_text, measure)
    places = np.arange(len(names))
    for grey in (True, False):
        chosen = places[(few == grey) & ~np.isnan(interval.estimate)]
        colour = colours.grey if grey else colours.accent
        fill = [colour if differs[place] else colours.paper for place in chosen]
        figure.add_trace(
            go.Scatter(
                x=np.asarray(interval.estimate)[chosen], y=chosen, mode="markers", showlegend=False,
                error_x=_reach(interval, chosen, colour),
                marker={"size": 10, "color": fill, "line": {"color": colour, "width": 2}},
                text=[_hover(place, names, interval, rows, write) for place in chosen],
                hovertemplate="%{text}<extra></extra>",
            )
        )  # fmt: skip
    framed(figure, colours, height=ROW * len(names) + 76, x=measure.name)
    if not math.isnan(whole):
        figure.add_vline(x=whole, line={"color": colours.grey, "width": 1, "dash": "dash"})
        figure.add_annotation(x=whole, y=-0.75, text=f"all {write(whole)}", bgcolor=colours.paper, **label(colours))
    for place in places[np.isnan(interval.estimate)]:
        figure.add_annotation(x=0.5, xref="x domain", y=place, text="undefined", **label(colours))
    labels = [plotly_text(name, 24) for name in names]
    figure.update_yaxes(
        range=[len(names) - 0.5, -1.1], tickvals=places, ticktext=labels, showgrid=False, tickfont_color=colours.text
    )
    figure.update_xaxes(range=_span(interval, whole), tickformat=".0%" if measure.percent else ".2f", nticks=6)
    return figure.update_layout(dragmode=False)


def _reach(interval: Interval, chosen: np.ndarray, colour: str) -> dict:
    """How far the bounds lie from the estimate; where there are none nothing is drawn."""
    above = np.nan_to_num(np.subtract(interval.high, interval.estimate))[chosen]
    below = np.nan_to_num(np.subtract(interval.estimate, interval.low))[chosen]
    return {
        "type": "data", "symmetric": False, "array": np.maximum(above, 0), "arrayminus": np.maximum(below, 0),
        "color": colour, "thickness": 2, "width": 0,
    }  # fmt: skip


def _hover(place: int, names: Sequence[str], interval: Interval, rows: Array, write: Callable[[float], str]) -> str:
    estimate, low, high = (float(np.ravel(v)[place]) for v in (interval.estimate, interval.low, interval.high))
    bounds = "no interval" if np.isnan(low) else f"{write(low)} to {write(high)}"
    name, value = plotly_text(names[place], 60), write(estimate)
    return f"<b>{name}</b><br>{value} ({bounds})<br>n = {count_text(float(rows[place]))}"


def _span(interval: Interval, whole: float) -> list[float]:
    """From the lowest bound to the highest with some air, inside 0 … 1."""
    ends = np.concatenate([interval.low, interval.high, interval.estimate, [whole]])
    ends = ends[~np.isnan(ends)]
    low, high = (float(ends.min()), float(ends.max())) if len(ends) else (0.0, 1.0)
    air = 0.06 * max(high - low, 0.02)
    return [max(low - air, -0.02), min(high + air, 1.02)]
