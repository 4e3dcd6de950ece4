"""Map of measures: the cells of the 2×2 table that each one counts, and relations between them."""

import html
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.figures.base.colours import OUTCOMES, mixed
from evalcore.figures.base.theme import PERCENT_TICKS, Ink, framed
from evalcore.glossary import MeasureMap, cells_read, relations, relations_of
from evalcore.learning import Choice, Mark, Number, Question
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import plotly_text

__all__ = ["guesses_alt", "guesses_figure", "map_figure"]


_SIDE = 13
"""Pixels of a cell of the small 2×2 tables."""

_CORNERS = {"tp": (-1, 1), "fp": (0, 1), "fn": (-1, 0), "tn": (0, 0)}
"""Left edge and upper edge of each cell, in sides from the middle: the actual classes stand in the columns."""

_ROW = 92


def map_figure(chart: MeasureMap, chosen: str, colours: Ink) -> go.Figure:
    """Map of measures joined by lines, with the chosen one and its lines emphasised.

    The points of the first trace are those of `chart.keys`.
    """
    at = {
        key: ((column + 0.5) / len(row), -float(index))
        for index, row in enumerate(chart.rows)
        for column, key in enumerate(row)
    }
    near = {each.other if each.one == chosen else each.one for each in relations_of(chosen)}
    figure = go.Figure(_nodes(chart, at, chosen, colours))
    pairs = {frozenset((each.one, each.other)) for each in relations() if each.one in at and each.other in at}
    for ours, colour, width in ((False, colours.grid, 1.5), (True, colours.accent, 2)):
        lines = [(at[one], at[other]) for one, other in map(sorted, pairs) if (chosen in (one, other)) == ours]
        xs, ys = [[x for line in lines for x in (line[0][i], line[1][i], None)] for i in (0, 1)]
        line = {"color": colour, "width": width}
        figure.add_scatter(x=xs, y=ys, mode="lines", line=line, hoverinfo="skip", showlegend=False)
    figure.data = (*figure.data[1:], figure.data[0])
    shapes = [shape for key, point in at.items() for shape in _glyph(METRICS[key], point, colours)]
    labels = [_label(METRICS[key], point, key == chosen, key in near, colours) for key, point in at.items()]
    hidden = {"visible": False, "fixedrange": True}
    return framed(
        figure, colours, _ROW * len(chart.rows), dragmode=False, shapes=shapes, annotations=labels,
        xaxis=hidden | {"range": [0, 1]}, yaxis=hidden | {"range": [0.5 - len(chart.rows), 0.5]},
        clickmode="event+select",
    )  # fmt: skip


def _nodes(chart: MeasureMap, at: dict[str, tuple[float, float]], chosen: str, colours: Ink) -> go.Scatter:
    """Clickable squares around the measures, with their hover texts."""
    words = [f"<b>{METRICS[key].name}</b><br>{METRICS[key].summary}" for key in chart.keys]
    drawn = METRICS[chosen].family == "counts"
    edges = [colours.accent if key == chosen and drawn else colours.paper for key in chart.keys]
    return go.Scatter(
        x=[at[key][0] for key in chart.keys], y=[at[key][1] for key in chart.keys], mode="markers", hovertext=words,
        hoverinfo="text", showlegend=False, unselected={"marker": {"opacity": 1}}, selected={"marker": {"opacity": 1}},
        marker={
            "symbol": "square", "size": 2 * _SIDE + 10, "color": colours.paper, "line": {"color": edges, "width": 2},
        },
    )  # fmt: skip


def _glyph(measure: MetricDef, point: tuple[float, float], colours: Ink) -> list[dict]:
    """Small 2×2 table: cells of the numerator or formula in full colour, of the denominator pale, others empty."""
    if measure.family != "counts":
        return []
    cells = cells_read(measure)
    shapes = []
    for cell, (x, y) in _CORNERS.items():
        strong = cell in cells.numerator or (not cells.numerator and cell in cells.denominator)
        pale = mixed(OUTCOMES[cell], colours.paper, 0.72) if cell in cells.denominator else colours.paper
        shapes.append({
            "type": "rect", "xref": "x", "yref": "y", "xsizemode": "pixel", "ysizemode": "pixel",
            "xanchor": point[0], "yanchor": point[1], "x0": x * _SIDE, "x1": (x + 1) * _SIDE,
            "y0": y * _SIDE, "y1": (y - 1) * _SIDE, "fillcolor": OUTCOMES[cell] if strong else pale,
            "line": {"color": colours.grey, "width": 1},
        })  # fmt: skip
    return shapes


def _label(measure: MetricDef, point: tuple[float, float], chosen: bool, near: bool, colours: Ink) -> dict:
    text = f"<b>{measure.label}</b>" if chosen else measure.label
    colour = colours.accent if chosen else colours.text if near else colours.grey
    drawn = measure.family == "counts"
    return {
        "x": point[0], "y": point[1], "text": text, "showarrow": False, "yshift": -(_SIDE + 14) if drawn else 0,
        "bgcolor": colours.paper, "bordercolor": colours.accent if chosen and not drawn else colours.paper,
        "font": {"size": 12, "color": colour}, "borderpad": 1 if drawn else 4,
    }  # fmt: skip


_COLUMNS, _MOST_BARS, _FAR = 40, 8, 3.0


def guesses_figure(question: Question, guesses: Sequence[Any], colours: Ink) -> go.Figure:
    """Bars of the options, dots of the numbers or of the points; what is right has the accent of the page."""
    answer, height = question.answer, _height(question, guesses)
    if isinstance(answer, Number):
        return _dots(answer, guesses, colours, height)
    if isinstance(answer, Mark):
        return _points(answer, guesses, colours, height)
    return _bars(question, guesses, colours, height)


def guesses_alt(question: Question, guesses: Sequence[Any]) -> str:
    """The figure in a sentence."""
    right = sum(question.answer.right(guess) for guess in guesses)
    return f"{len(guesses)} guesses, {right} of them right"


def _height(question: Question, guesses: Sequence[Any]) -> int:
    if isinstance(question.answer, Number):
        return 240
    if isinstance(question.answer, Mark):
        return 380
    options = question.answer.options if isinstance(question.answer, Choice) else set(guesses)
    return 60 + 40 * min(len(options), _MOST_BARS)


def _bars(question: Question, guesses: Sequence[Any], colours: Ink, height: int) -> go.Figure:
    answer, counts = question.answer, Counter(guesses)
    options = isinstance(answer, Choice)
    values = list(range(len(answer.options))) if options else [value for value, _ in counts.most_common(_MOST_BARS)]
    bars = go.Bar(
        y=[f"{place} " for place in range(len(values))],
        x=[counts[value] for value in values],
        text=[str(counts[value]) for value in values],
        orientation="h",
        marker={"color": [colours.accent if answer.right(value) else colours.grey for value in values]},
        hoverinfo="skip",
        cliponaxis=False,
    )
    names = [
        f"{'✓ ' if answer.right(value) else ''}{plotly_text(html.unescape(answer.text(value)), 60)}" for value in values
    ]
    figure = framed(go.Figure(bars), colours, height, "guesses", bargap=0.35)
    figure.update_yaxes(autorange="reversed", tickvals=[f"{place} " for place in range(len(values))], ticktext=names)
    return figure.update_xaxes(tickformat="d", rangemode="tozero", dtick=max(1, max(counts.values(), default=1) // 5))


def _dots(answer: Number, guesses: Sequence[float], colours: Ink, height: int) -> go.Figure:
    """A dot for each guess over its number, those that are near on top of each other."""
    values = np.array(guesses, dtype=float)
    first, low, high, third = np.quantile(values if len(values) else [answer.value], [0.25, 0.02, 0.98, 0.75])
    far = _FAR * (third - first) or np.inf  # one of few guesses would press all others into a column
    low, high = min(max(low, first - far), answer.value), max(min(high, third + far), answer.value)
    width = (high - low) / _COLUMNS or 1.0
    columns = np.round((np.clip(values, low, high) - low) / width).astype(int)  # far away guesses stand at the ends
    heights = np.zeros(len(values), dtype=int)
    for column in np.unique(columns):
        heights[columns == column] = np.arange(1, np.sum(columns == column) + 1)
    right = [answer.right(value) for value in guesses]
    dots = go.Scatter(
        x=low + columns * width,
        y=heights,
        mode="markers",
        marker={"size": 13, "color": [colours.accent if one else colours.grey for one in right]},
        text=[answer.text(value) for value in guesses],
        hovertemplate="%{text}<extra></extra>",
    )
    figure = framed(go.Figure(dots), colours, height, "", "guesses")
    figure.add_vline(
        answer.value, line_color=colours.accent, line_dash="dash", annotation_text=answer.text(answer.value)
    )
    figure.update_yaxes(
        range=[0, max(4, heights.max(initial=0)) + 1], tickformat="d", dtick=max(1, heights.max(initial=1) // 5)
    )
    return figure.update_xaxes(**(PERCENT_TICKS if answer.is_share else {}))


def _points(answer: Mark, guesses: Sequence[Sequence[float]], colours: Ink, height: int) -> go.Figure:
    points = go.Scatter(
        x=[x for x, _ in guesses],
        y=[y for _, y in guesses],
        mode="markers",
        marker={"size": 11, "color": [colours.accent if answer.right(guess) else colours.grey for guess in guesses]},
        hoverinfo="skip",
    )
    figure = framed(go.Figure(points), colours, height, *map(plotly_text, answer.axes))
    x, y, reach = answer.x, answer.y, answer.reach
    figure.add_shape(type="circle", x0=x - reach, x1=x + reach, y0=y - reach, y1=y + reach, line_color=colours.accent)
    return figure.update_xaxes(range=[-0.03, 1.03], **PERCENT_TICKS).update_yaxes(range=[-0.03, 1.03], **PERCENT_TICKS)
