"""How the guesses of a class spread over the answers of a question."""

import html
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.learning import Choice, Mark, Number, Question
from evalcore.wording import plotly_text

from .theme import PERCENT_TICKS, Ink, framed

__all__ = ["guesses_alt", "guesses_figure"]

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
