"""Pictures of the 2×2 table: the table, the cells that each measure counts, and guesses at them."""

import html
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from evalcore.analyses import CELLS, NamedCounts, interval_heading, interval_text
from evalcore.classification import ConfusionCounts, ConfusionMatrix, shares
from evalcore.figures.base import graph_objects as go
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
        "cells": [_count(counts, key, words, [key]) | {"letters": key.upper()} for key, words in CELLS.items()],
        "ratios": [_ratio(key, counts, intervals) for key in keys],
    }  # fmt: skip


def _side(counts: ConfusionCounts, name: str, side: Side) -> dict:
    _, letter, words, cells, ratios = side
    return {"name": name, "sum": _count(counts, letter, words, cells), "cells": cells, "ratios": ratios}


def _count(counts: ConfusionCounts, key: str, words: str, cells: Sequence[str]) -> dict:
    value = float(sum(getattr(counts, cell) for cell in cells))
    return {"key": key, "value": value, "text": count_text(value), "words": words}


def _ratio(key: str, counts: ConfusionCounts, intervals: IntervalChoice) -> dict:
    measure = METRICS[key]
    value, name = float(measure(counts)), measure.name.lower()
    if math.isnan(value):
        formula, sentence = f"{name} is {UNDEFINED}: {measure.undefined_when}", measure.summary
    else:
        parts = measure.numerator, measure.denominator
        letters = " / ".join(_sum([cell.upper() for cell in part]) for part in parts)
        numbers = " / ".join(_sum([count_text(float(getattr(counts, cell))) for cell in part]) for part in parts)
        formula = f"{name} = {letters} = {numbers} = {share_text(value)}"
        bounds, n = interval_text(measure, counts, intervals, unit=True)
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

_STRONG = 0.85


def confusion_map_figure(matrix: ConfusionMatrix, colours: Ink) -> go.Figure:
    """Heat map of the shares of the actual class, with counts where there is room; actual classes in rows."""
    counts, share = matrix.counts, np.nan_to_num(shares(matrix, "actual"))
    written = [plotly_text(name, 18) for name in short_names(matrix.classes, 18).values()]
    places = np.arange(len(written), dtype=np.float64)
    figure = go.Figure().add_heatmap(
        z=share, x=places, y=places, zmin=0, zmax=1, showscale=False, hoverinfo="skip",
        colorscale=[[0, colours.paper], [1, mix(colours.accent, colours.paper, 1 - _STRONG)]],
    )  # fmt: skip
    ticks, ends = {"tickvals": places, "ticktext": written, "showgrid": False}, [-0.5, len(written) - 0.5]
    apply_frame(
        figure, colours, 120 + 30 * min(len(written), 20), "predicted", "actual", showlegend=False,
        xaxis=ticks | {"range": ends}, yaxis=ticks | {"range": ends[::-1]},
    )  # fmt: skip
    for (row, column), count in np.ndenumerate(counts) if len(written) <= 14 else ():
        ground = mix(colours.paper, colours.accent, _STRONG * float(share[row, column]))
        words = {"size": 12, "color": letters_on(ground)}
        figure.add_annotation(x=column, y=row, text=count_text(float(count)), showarrow=False, font=words)
    return figure


ROWS, DOTS = 20, 1000  # dots in a column of the crowd, and in all of it

# Errors differ in shape too.
_SYMBOLS = {"tp": "circle", "fn": "square", "fp": "diamond", "tn": "circle-open"}


def dots_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink) -> go.Figure:
    """One dot per case, column by column: found, missed, alarmed, dismissed; of many cases a dot stands for several."""
    figure = go.Figure()
    start, each = 0, max(float(people.total) / DOTS, 1.0)
    for cell, symbol in _SYMBOLS.items():
        count = int(getattr(people, cell))
        dots = math.ceil(count / each)
        columns, rows = np.divmod(np.arange(start, start + dots), ROWS)
        start += dots
        actual = plotly_text(names[0 if cell in ("tp", "fn") else 1], 24)
        # The many dismissed ones step back so that the others can be counted.
        marker = {"color": OUTCOMES[cell], "symbol": symbol, "size": 6, "opacity": 0.45 if cell == "tn" else 1}
        figure.add_scatter(
            x=columns, y=-rows, mode="markers", marker=marker, name=f"{count_text(count)} {outcome_word(cell, count)}",
            hovertemplate=f"{outcome_word(cell, 1)}: actually {actual}<extra></extra>",
        )  # fmt: skip
    legend = {"y": -0.02, "yanchor": "top", "itemsizing": "constant", "traceorder": "normal"}
    hidden = {"visible": False}
    return apply_frame(figure, colours, height=260, xaxis=hidden, yaxis=hidden, legend=legend, dragmode=False)


def tree_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink, unit: str = "cases") -> go.Figure:
    """Tree of whole numbers from all cases through the two classes to the four outcomes; names are escaped here."""
    nodes: list[tuple[float, int, float, str, str | None]] = [
        (1.5, 2, float(people.total), plotly_text(unit, 16), None),
        (0.5, 1, float(people.actual_positives), plotly_text(names[0], 16), None),
        (2.5, 1, float(people.actual_negatives), plotly_text(names[1], 16), None),
    ]
    for x, cell in enumerate(_SYMBOLS):
        count = float(getattr(people, cell))
        nodes.append((x, 0, count, outcome_word(cell, count), cell))
    lines = [(nodes[parent], nodes[child]) for parent, child in ((0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6))]
    figure = go.Figure().add_still_line(*_pieces(lines), {"color": colours.grey, "width": 1})
    for x, y, count, word, cell in nodes:
        figure.add_annotation(
            x=x, y=y, showarrow=False, borderpad=5, bgcolor=colours.paper, text=f"<b>{count_text(count)}</b><br>{word}",
            bordercolor=OUTCOMES[cell] if cell else colours.grey, borderwidth=2 if cell else 1,
            font={"size": 12, "color": colours.words[cell] if cell else colours.text},
        )  # fmt: skip
    return apply_frame(
        figure, colours, height=260, showlegend=False, dragmode=False,
        xaxis={"visible": False, "range": [-0.5, 3.5]}, yaxis={"visible": False, "range": [-0.35, 2.35]},
    )  # fmt: skip


def _pieces(lines: Sequence[tuple[tuple, tuple]]) -> list[list[float | None]]:
    """The x and the y of lines from point to point, with gaps between them."""
    return [[at for one, other in lines for at in (one[axis], other[axis], None)] for axis in (0, 1)]


_SIDE = 13  # pixels of a cell of the small 2×2 tables

_CORNERS = {"tp": (-1, 1), "fp": (0, 1), "fn": (-1, 0), "tn": (0, 0)}
"""Left edge and upper edge of each cell, in sides from the middle: the actual classes stand in the columns."""


def map_figure(chart: MeasureMap, chosen: str, colours: Ink) -> go.Figure:
    """Map of measures joined by lines, the chosen one emphasised; the last trace has the points of `chart.keys`."""
    at = {
        key: ((column + 0.5) / len(row), -float(index))
        for index, row in enumerate(chart.rows)
        for column, key in enumerate(row)
    }
    near = {each.other if each.one == chosen else each.one for each in relations_of(chosen)}
    figure = go.Figure()
    pairs = {frozenset((each.one, each.other)) for each in relations() if each.one in at and each.other in at}
    for ours, colour, width in ((False, colours.grid, 1.5), (True, colours.accent, 2)):
        lines = [(at[one], at[other]) for one, other in map(sorted, pairs) if (chosen in (one, other)) == ours]
        figure.add_still_line(*_pieces(lines), {"color": colour, "width": width})
    edged = chosen if METRICS[chosen].family == "counts" else None
    edges = {"color": [colours.accent if key == edged else colours.paper for key in at], "width": 2}
    figure.add_scatter(  # squares around the measures, which can be clicked
        x=[x for x, _ in at.values()], y=[y for _, y in at.values()], mode="markers", hoverinfo="text",
        hovertext=[f"<b>{METRICS[key].name}</b><br>{METRICS[key].summary}" for key in at], showlegend=False,
        unselected={"marker": {"opacity": 1}}, selected={"marker": {"opacity": 1}},
        marker={"symbol": "square", "size": 2 * _SIDE + 10, "color": colours.paper, "line": edges},
    )  # fmt: skip
    shapes = [shape for key, point in at.items() for shape in _glyph(METRICS[key], point, colours)]
    labels = [_label(METRICS[key], point, key == chosen, key in near, colours) for key, point in at.items()]
    hidden = {"visible": False, "fixedrange": True}
    return apply_frame(
        figure, colours, 92 * len(chart.rows), dragmode=False, shapes=shapes, annotations=labels,
        xaxis=hidden | {"range": [0, 1]}, yaxis=hidden | {"range": [0.5 - len(chart.rows), 0.5]},
        clickmode="event+select",
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
    shades = [colours.accent if answer.right(guess) else colours.grey for guess in guesses]
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
    frequent = [value for value, _ in counts.most_common(_MOST_BARS)]
    values = [*range(len(answer.options))] if isinstance(answer, Choice) else frequent
    places, right = [f"{place} " for place in range(len(values))], [answer.right(value) for value in values]
    names = [plotly_text(html.unescape(answer.text(value)), 60) for value in values]
    figure = go.Figure().add_bar(
        y=places, x=[counts[value] for value in values], text=[str(counts[value]) for value in values],
        orientation="h", marker={"color": [colours.accent if one else colours.grey for one in right]},
        hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    return apply_frame(
        figure, colours, 60 + 40 * min(len(values), _MOST_BARS), "guesses", bargap=0.35,
        xaxis={"tickformat": "d", "rangemode": "tozero", "dtick": max(1, max(counts.values(), default=1) // 5)},
        yaxis={
            "autorange": "reversed", "tickvals": places,
            "ticktext": [f"✓ {name}" if one else name for name, one in zip(names, right, strict=True)],
        },
    )  # fmt: skip


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
    figure = go.Figure().add_scatter(
        x=low + columns * width, y=heights, mode="markers", marker={"size": 13, "color": shades},
        text=[answer.text(value) for value in guesses], hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    figure.add_vline(x=answer.value, line_color=colours.accent, line_dash="dash").add_annotation(
        x=answer.value, xanchor="left", y=1, yref="y domain", yanchor="top", text=answer.text(answer.value),
        showarrow=False,
    )  # fmt: skip
    top, step = max(4, heights.max(initial=0)) + 1, max(1, heights.max(initial=1) // 5)
    return apply_frame(
        figure, colours, 240, "", "guesses", yaxis={"range": [0, top], "tickformat": "d", "dtick": step},
        xaxis=PERCENT_TICKS if answer.is_share and answer.percent else {},
    )  # fmt: skip


def _points(answer: Mark, guesses: Sequence[Sequence[float]], shades: Sequence[str], colours: Ink) -> go.Figure:
    places, marker = ([x for x, _ in guesses], [y for _, y in guesses]), {"size": 11, "color": shades}
    figure = go.Figure().add_scatter(x=places[0], y=places[1], mode="markers", marker=marker, hoverinfo="skip")
    x, y, reach = answer.x, answer.y, answer.reach
    figure.add_shape(type="circle", x0=x - reach, x1=x + reach, y0=y - reach, y1=y + reach, line_color=colours.accent)
    share = {"range": [-0.03, 1.03], **PERCENT_TICKS}
    return apply_frame(figure, colours, 380, *map(plotly_text, answer.axes), xaxis=share, yaxis=share)
