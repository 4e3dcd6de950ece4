"""Forest plot: differences of two systems, each a dot with its interval on one scale, around the line of 0."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evalcore.figures.theme import Ink, framed
from evalcore.registry import MetricDef
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import THIN, number_text, signed

__all__ = ["ForestLine", "bounds_text", "difference_text", "forest_figure"]

ROW = 42
"""Pixels of a line: its words over its interval."""


@dataclass(frozen=True)
class ForestLine:
    """One difference.

    Attributes
    ----------
    name : str
        What is compared. May come from a file: escaped here.
    estimate, low, high : float
        nan bounds where there is no interval; a nan estimate where there is nothing to draw.
    text : str
        The difference as it is written at the right.
    hover : str
        More of it, in our own words.
    beyond : bool
        Whether it is more than chance: a filled dot, else a hollow one.
    strong : bool
        Whether its name is bold.
    """

    name: str
    estimate: float
    low: float
    high: float
    text: str
    hover: str
    beyond: bool
    strong: bool = False


def forest_figure(lines: Sequence[ForestLine], sides: tuple[str, str], unit: str, colours: Ink) -> go.Figure:
    """One line a difference, the first at the top.

    Parameters
    ----------
    lines : sequence of ForestLine
    sides : (str, str)
        What lies left and right of 0, in words: "A better", "B better". May hold names from a file: escaped here.
    unit : str
        What the axis shows.
    colours : Ink
    """
    figure = go.Figure()
    span = _span(lines)
    for beyond in (True, False):
        chosen = [(y, one) for y, one in enumerate(lines) if one.beyond == beyond and one.estimate == one.estimate]
        colour = colours.accent if beyond else colours.grey
        figure.add_trace(
            go.Scatter(
                x=[np.clip(one.estimate, *span) for _, one in chosen],
                y=[y for y, _ in chosen],
                mode="markers",
                error_x=_reach([one for _, one in chosen], span, colour),
                marker={"size": 10, "color": colour if beyond else colours.paper, "line": _ring(colour)},
                text=[f"<b>{plotly_text(one.name, 80)}</b><br>{one.hover}" for _, one in chosen],
                hovertemplate="%{text}<extra></extra>",
                showlegend=False,
            )
        )
    framed(figure, colours, height=ROW * len(lines) + 84, x=unit)
    figure.add_vline(x=0, line={"color": colours.text, "width": 1})
    words = []
    for y, one in enumerate(lines):
        name = plotly_text(one.name, 44)
        words += [
            _words(0, "left", y, f"<b>{name}</b>" if one.strong else name, colours.text, colours.paper),
            _words(1, "right", y, one.text, colours.text if one.beyond else colours.grey, colours.paper),
        ]
    for place, (anchor, side) in enumerate(zip(("right", "left"), sides, strict=True)):
        side = plotly_text(side, 24)
        words.append({
            "x": 0, "y": -0.95, "text": f"← {side}" if not place else f"{side} →", "showarrow": False,
            "xanchor": anchor, "xshift": -6 if not place else 6, "font": {"color": colours.grey, "size": 11},
        })  # fmt: skip
    figure.update_yaxes(range=[len(lines) - 0.55, -1.25], showticklabels=False, showgrid=False, showline=False)
    figure.update_xaxes(range=span, nticks=7, tickformat=".3~g")
    # All words at once: added one by one, each would have plotly check all those before it again.
    figure.update_layout(dragmode=False, annotations=words)
    return figure


def difference_text(measure: MetricDef, value: float, width: float = math.nan) -> str:
    """A difference with its sign: in percentage points where the measure is a share, else as a number.

    Parameters
    ----------
    measure : MetricDef
    value : float
    width : float
        Of its interval: a narrow one is worth more decimals.

    Examples
    --------
    >>> from evalcore import find
    >>> difference_text(find("recall"), 0.031), difference_text(find("MCC"), -0.05)
    ('+3.1\\u202fpt', '−0.050')
    >>> difference_text(find("recall"), 0.00031, width=0.0002)
    '+0.031\\u202fpt'
    """
    if math.isnan(value) or math.isinf(value) or (abs(value) >= 2 and not measure.percent):
        return signed(number_text)(value)
    scale, least, unit = (100, 1, f"{THIN}pt") if measure.percent else (1, 3, "")
    decimals = least
    if 0 < scale * width < 10 ** (1 - least):
        decimals = min(1 - math.floor(math.log10(scale * width)), 8)
    written = f"{scale * value:+.{decimals}f}"
    if not float(written):
        written = written[1:]
    return written.replace("-", "−") + unit


def bounds_text(measure: MetricDef, low: float, high: float) -> str:
    """Two bounds of a difference: "+1.0 to +6.0"; the unit stands at the difference itself.

    Examples
    --------
    >>> from evalcore import find
    >>> bounds_text(find("recall"), -0.01, 0.06), bounds_text(find("recall"), float("nan"), float("nan"))
    ('−1.0 to +6.0', 'no interval')
    """
    if low != low or high != high:
        return "no interval"
    return " to ".join(difference_text(measure, end, high - low).removesuffix(f"{THIN}pt") for end in (low, high))


def _ring(colour: str) -> dict:
    return {"color": colour, "width": 2}


def _words(x: float, anchor: str, y: int, text: str, colour: str, ground: str) -> dict:
    return {
        "x": x, "xref": "paper", "xanchor": anchor, "y": y - 0.4, "text": text, "showarrow": False,
        "font": {"color": colour, "size": 12}, "bgcolor": ground, "borderpad": 1,
    }  # fmt: skip


def _reach(lines: list[ForestLine], span: tuple[float, float], colour: str) -> dict:
    """How far the bounds lie from the dots, inside the picture; where there are none nothing is drawn."""
    at = np.clip([one.estimate for one in lines], *span)
    above = np.nan_to_num(np.clip([one.high for one in lines], *span) - at)
    below = np.nan_to_num(at - np.clip([one.low for one in lines], *span))
    return {
        "type": "data", "symmetric": False, "color": colour, "thickness": 2, "width": 0,
        "array": np.maximum(above, 0), "arrayminus": np.maximum(below, 0),
    }  # fmt: skip


def _span(lines: Sequence[ForestLine]) -> tuple[float, float]:
    """From the lowest bound to the highest, 0 among them, with some air; infinite ones are cut off."""
    ends = np.array([end for one in lines for end in (one.estimate, one.low, one.high)])
    ends = ends[np.isfinite(ends)]
    low, high = min(float(ends.min(initial=0)), 0.0), max(float(ends.max(initial=0)), 0.0)
    # Room on both sides of 0 for the words over it.
    width = max(high - low, 0.02)
    return min(low - 0.06 * width, -0.3 * width), max(high + 0.06 * width, 0.3 * width)
