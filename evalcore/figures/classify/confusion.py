"""Pictures of the 2×2 table: the table, the cells that each measure counts, and guesses at them."""

import html
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses import CELLS, NamedCounts, interval_heading, interval_text
from evalcore.classification import ConfusionCounts, ConfusionMatrix, shares
from evalcore.figures.base.theme import OUTCOMES, PERCENT_TICKS, Ink, apply_frame, letters_on, mix
from evalcore.glossary import MeasureMap, cells_read, relations, relations_of
from evalcore.inference import IntervalChoice
from evalcore.learning import Choice, Mark, Number, Question
from evalcore.learning.questions import Answer
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import UNDEFINED, count_text, one_line, outcome_word, plotly_text, share_text, short_names

__all__ = ["MOST_MAPPED", "confusion_map_figure", "dots_figure", "frame_data", "guesses_alt"]
__all__ += ["guesses_figure", "map_figure", "tree_figure"]

# What stands where: rows and columns of the table with the ratios at their ends, actual classes in the columns.
Side = tuple[str, str, str, tuple[str, str], tuple[str, str]]

_SAYS = (
    ("positive", "T", "called positive", ("tp", "fp"), ("precision", "false_discovery_rate")),
    ("negative", "F", "called negative", ("fn", "tn"), ("false_omission_rate", "negative_predictive_value")),
)

_IS = (
    ("positive", "P", "actual positives", ("tp", "fn"), ("recall", "miss_rate")),
    ("negative", "N", "actual negatives", ("fp", "tn"), ("fall_out", "specificity")),
)

_CORNER = ("accuracy", "error_rate")
_LABELS = {"recall": "recall · sensitivity (TPR)", "negative_predictive_value": "neg. predictive (NPV)"}


def frame_data(named: NamedCounts, intervals: IntervalChoice, actual_in_rows: bool) -> dict:
    """Rows, columns, cells and marginal ratios of the table, with every number as text and the intervals explained."""
    counts = named.counts
    names = {"positive": one_line(named.positive, 30), "negative": one_line(named.negative, 30)}
    says = [_side(counts, f"says {names[side[0]]}", side) for side in _SAYS]
    actual = [_side(counts, f"actual {names[side[0]]}" if actual_in_rows else names[side[0]], side) for side in _IS]
    rows, columns, over = (actual, says, "the prediction") if actual_in_rows else (says, actual, "actually")
    keys = [key for line in (*_SAYS, *_IS) for key in line[-1]] + list(_CORNER)
    return {
        "rows": rows, "columns": columns, "over": over, "corner": _CORNER, "chosen": "precision",
        "cells": [_cell(counts, key) for key in CELLS],
        "ratios": [_ratio(key, counts, intervals) for key in keys],
    }  # fmt: skip


def _side(counts: ConfusionCounts, name: str, side: Side) -> dict:
    _, letter, words, cells, ratios = side
    value = float(sum(getattr(counts, cell) for cell in cells))
    margin = {"key": letter, "value": value, "text": count_text(value), "words": words}
    return {"name": name, "sum": margin, "cells": cells, "ratios": ratios}


def _cell(counts: ConfusionCounts, key: str) -> dict:
    value = float(getattr(counts, key))
    return {"key": key, "value": value, "text": count_text(value), "letters": key.upper(), "words": CELLS[key]}


def _ratio(key: str, counts: ConfusionCounts, intervals: IntervalChoice) -> dict:
    measure = METRICS[key]
    value, name = float(measure(counts)), measure.name.lower()
    parts = (measure.numerator, measure.denominator)
    letters = " / ".join(_sum([cell.upper() for cell in part]) for part in parts)
    numbers = " / ".join(_sum([count_text(float(getattr(counts, cell))) for cell in part]) for part in parts)
    if math.isnan(value):
        formula, sentence = f"{name} is {UNDEFINED}: {measure.undefined_when}", measure.summary
    else:
        bounds, n = interval_text(measure, counts, intervals, unit=True)
        formula = f"{name} = {letters} = {numbers} = {share_text(value)}"
        interval = f"{interval_heading(intervals.level)}: {bounds} ({intervals.method_name}, n = {n or 0})"
        sentence = f"{measure.summary} {interval}."
    return {
        "key": key, "label": _LABELS.get(key, f"{name} ({measure.symbol})"),
        "value": share_text(value), "defined": not math.isnan(value),
        "numerator": measure.numerator, "denominator": measure.denominator,
        "formula": formula, "sentence": sentence,
    }  # fmt: skip


def _sum(terms: list[str]) -> str:
    return f"({' + '.join(terms)})" if len(terms) > 1 else terms[0]


MOST_MAPPED = 60
"""Classes up to which a map can be read."""

_COUNTED = 14
_STRONG = 0.85


def confusion_map_figure(matrix: ConfusionMatrix, colours: Ink) -> go.Figure:
    """Heat map of the shares of the actual class, with counts where there is room; actual classes in rows."""
    counts, share = matrix.counts, np.nan_to_num(shares(matrix, "actual"))
    names = list(short_names(matrix.classes, 18).values())
    written = [plotly_text(name, 18) for name in names]
    places = np.arange(len(names), dtype=np.float64)
    figure = go.Figure(
        go.Heatmap(
            z=share, x=places, y=places, zmin=0, zmax=1, showscale=False, hoverinfo="skip",
            colorscale=[[0, colours.paper], [1, mix(colours.accent, colours.paper, 1 - _STRONG)]],
        )
    )  # fmt: skip
    apply_frame(figure, colours, 120 + 30 * min(len(names), 20), "predicted", "actual", showlegend=False)
    ticks = {"tickvals": places, "ticktext": written, "showgrid": False}
    figure.update_xaxes(range=[-0.5, len(names) - 0.5], **ticks)
    figure.update_yaxes(range=[len(names) - 0.5, -0.5], **ticks)
    if len(names) <= _COUNTED:
        words = []
        for (row, column), count in np.ndenumerate(counts):
            ground = mix(colours.paper, colours.accent, _STRONG * float(share[row, column]))
            words.append({
                "x": column, "y": row, "text": count_text(float(count)), "showarrow": False,
                "font": {"size": 12, "color": letters_on(ground)},
            })  # fmt: skip
        figure.update_layout(annotations=words)
    return figure


ROWS, DOTS = 20, 1000  # dots in a column of the crowd, and in all of it
_ORDER = ("tp", "fn", "fp", "tn")

# Errors differ in shape too; the many dismissed ones step back so that the others can be counted.
_SYMBOLS = {"tp": "circle", "fn": "square", "fp": "diamond", "tn": "circle-open"}
_OPACITIES = {"tp": 1, "fn": 1, "fp": 1, "tn": 0.45}


def dots_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink) -> go.Figure:
    """One dot per case, column by column: found, missed, alarmed, dismissed; of many cases a dot stands for several."""
    figure = go.Figure()
    start, each = 0, max(float(people.total) / DOTS, 1.0)
    for cell in _ORDER:
        count = int(getattr(people, cell))
        dots = math.ceil(count / each)
        columns, rows = np.divmod(np.arange(start, start + dots), ROWS)
        start += dots
        actual = plotly_text(names[0 if cell in ("tp", "fn") else 1], 24)
        figure.add_scatter(
            x=columns, y=-rows, mode="markers",
            marker={"color": OUTCOMES[cell], "symbol": _SYMBOLS[cell], "size": 6, "opacity": _OPACITIES[cell]},
            name=f"{count_text(count)} {outcome_word(cell, count)}",
            hovertemplate=f"{outcome_word(cell, 1)}: actually {actual}<extra></extra>",
        )  # fmt: skip
    legend = {"y": -0.02, "yanchor": "top", "itemsizing": "constant", "traceorder": "normal"}
    hidden = {"visible": False}
    return apply_frame(figure, colours, height=260, xaxis=hidden, yaxis=hidden, legend=legend, dragmode=False)


def tree_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink, unit: str = "cases") -> go.Figure:
    """Tree of whole numbers from all cases through the two classes to the four outcomes; names are escaped here."""
    positive, negative = (plotly_text(name, 16) for name in names)
    nodes: list[tuple[float, int, float, str, str | None]] = [
        (1.5, 2, float(people.total), plotly_text(unit, 16), None),
        (0.5, 1, float(people.actual_positives), positive, None),
        (2.5, 1, float(people.actual_negatives), negative, None),
    ]
    for x, cell in enumerate(_ORDER):
        count = float(getattr(people, cell))
        nodes.append((x, 0, count, outcome_word(cell, count), cell))
    lines = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]
    xs, ys = [], []
    for parent, child in lines:
        xs += [nodes[parent][0], nodes[child][0], None]
        ys += [nodes[parent][1], nodes[child][1], None]
    figure = go.Figure(go.Scatter(x=xs, y=ys, mode="lines", line={"color": colours.grey, "width": 1}, hoverinfo="skip"))
    words = colours.words
    labels = [
        {
            "x": x, "y": y, "showarrow": False, "borderpad": 5, "bgcolor": colours.paper,
            "bordercolor": OUTCOMES[cell] if cell else colours.grey, "borderwidth": 2 if cell else 1,
            "text": f"<b>{count_text(count)}</b><br>{word}",
            "font": {"size": 12, "color": words[cell] if cell else colours.text},
        }
        for x, y, count, word, cell in nodes
    ]  # fmt: skip
    return apply_frame(
        figure, colours, height=260, annotations=labels, showlegend=False, dragmode=False,
        xaxis={"visible": False, "range": [-0.5, 3.5]}, yaxis={"visible": False, "range": [-0.35, 2.35]},
    )  # fmt: skip


_SIDE = 13  # pixels of a cell of the small 2×2 tables

_CORNERS = {"tp": (-1, 1), "fp": (0, 1), "fn": (-1, 0), "tn": (0, 0)}
"""Left edge and upper edge of each cell, in sides from the middle: the actual classes stand in the columns."""

_ROW = 92


def map_figure(chart: MeasureMap, chosen: str, colours: Ink) -> go.Figure:
    """Map of measures joined by lines, the chosen one emphasised; the first trace has the points of `chart.keys`."""
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
    return apply_frame(
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
        pale = mix(OUTCOMES[cell], colours.paper, 0.72) if cell in cells.denominator else colours.paper
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
    answer = question.answer
    right = [answer.right(guess) for guess in guesses]
    shades = [colours.accent if one else colours.grey for one in right]
    if isinstance(answer, Number):
        return _dots(answer, guesses, shades, colours)
    if isinstance(answer, Mark):
        return _points(answer, guesses, shades, colours)
    return _bars(answer, guesses, colours)


def guesses_alt(question: Question, guesses: Sequence[Any]) -> str:
    """The figure in a sentence."""
    right = sum(question.answer.right(guess) for guess in guesses)
    return f"{len(guesses)} guesses, {right} of them right"


def _bars(answer: Answer, guesses: Sequence[Any], colours: Ink) -> go.Figure:
    counts = Counter(guesses)
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
    figure = apply_frame(go.Figure(bars), colours, 60 + 40 * min(len(values), _MOST_BARS), "guesses", bargap=0.35)
    figure.update_yaxes(autorange="reversed", tickvals=[f"{place} " for place in range(len(values))], ticktext=names)
    return figure.update_xaxes(tickformat="d", rangemode="tozero", dtick=max(1, max(counts.values(), default=1) // 5))


def _dots(answer: Number, guesses: Sequence[float], shades: Sequence[str], colours: Ink) -> go.Figure:
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
    dots = go.Scatter(
        x=low + columns * width,
        y=heights,
        mode="markers",
        marker={"size": 13, "color": shades},
        text=[answer.text(value) for value in guesses],
        hovertemplate="%{text}<extra></extra>",
    )
    figure = apply_frame(go.Figure(dots), colours, 240, "", "guesses")
    figure.add_vline(
        answer.value, line_color=colours.accent, line_dash="dash", annotation_text=answer.text(answer.value)
    )
    figure.update_yaxes(
        range=[0, max(4, heights.max(initial=0)) + 1], tickformat="d", dtick=max(1, heights.max(initial=1) // 5)
    )
    return figure.update_xaxes(**(PERCENT_TICKS if answer.is_share and answer.percent else {}))


def _points(answer: Mark, guesses: Sequence[Sequence[float]], shades: Sequence[str], colours: Ink) -> go.Figure:
    points = go.Scatter(
        x=[x for x, _ in guesses],
        y=[y for _, y in guesses],
        mode="markers",
        marker={"size": 11, "color": shades},
        hoverinfo="skip",
    )
    figure = apply_frame(go.Figure(points), colours, 380, *map(plotly_text, answer.axes))
    x, y, reach = answer.x, answer.y, answer.reach
    figure.add_shape(type="circle", x0=x - reach, x1=x + reach, y0=y - reach, y1=y + reach, line_color=colours.accent)
    return figure.update_xaxes(range=[-0.03, 1.03], **PERCENT_TICKS).update_yaxes(range=[-0.03, 1.03], **PERCENT_TICKS)
