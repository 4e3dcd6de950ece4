"""The 2×2 table in the layout of textbooks, as data for its script in the browser."""

import math

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses import CELLS, NamedCounts, interval_heading, interval_text
from evalcore.classification import ConfusionCounts, ConfusionMatrix, shares
from evalcore.figures.base.colours import OUTCOMES, letters_on, mixed
from evalcore.figures.base.theme import Ink, framed
from evalcore.inference import IntervalChoice
from evalcore.registry import METRICS
from evalcore.wording import UNDEFINED, one_line, share_text, short_names
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import count_text, outcome_word

__all__ = ["MOST_MAPPED", "confusion_map_figure", "dots_figure", "frame_data", "tree_figure"]


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
    """Rows, columns, cells and marginal ratios of the table, with every number as text.

    Actual classes are in the rows, else in the columns; the explanations hold intervals.
    """
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
        bounds, n = interval_text(measure, counts, intervals)
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
            colorscale=[[0, colours.paper], [1, mixed(colours.accent, colours.paper, 1 - _STRONG)]],
        )
    )  # fmt: skip
    framed(figure, colours, 120 + 30 * min(len(names), 20), "predicted", "actual", showlegend=False)
    ticks = {"tickvals": places, "ticktext": written, "showgrid": False}
    figure.update_xaxes(range=[-0.5, len(names) - 0.5], **ticks)
    figure.update_yaxes(range=[len(names) - 0.5, -0.5], **ticks)
    if len(names) <= _COUNTED:
        words = []
        for (row, column), count in np.ndenumerate(counts):
            ground = mixed(colours.paper, colours.accent, _STRONG * float(share[row, column]))
            words.append({
                "x": column, "y": row, "text": count_text(float(count)), "showarrow": False,
                "font": {"size": 12, "color": letters_on(ground)},
            })  # fmt: skip
        figure.update_layout(annotations=words)
    return figure


ROWS, DOTS = 20, 1000
"""Dots in a column of the crowd, and in all of it."""

_ORDER = ("tp", "fn", "fp", "tn")

# Errors differ in shape too; the many dismissed ones step back so that the others can be counted.
_SYMBOLS = {"tp": "circle", "fn": "square", "fp": "diamond", "tn": "circle-open"}

_OPACITIES = {"tp": 1, "fn": 1, "fp": 1, "tn": 0.45}


def dots_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink) -> go.Figure:
    """One dot per case, column by column: found, missed, alarmed, dismissed.

    The counts are whole numbers; the names of the positive and the negative class are escaped here. Of more than a
    thousand a dot stands for several, and an outcome that occurs has at least one.
    """
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
    return framed(figure, colours, height=260, xaxis=hidden, yaxis=hidden, legend=legend, dragmode=False)


def tree_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink, unit: str = "cases") -> go.Figure:
    """From all cases over the two classes to the four outcomes, each node with its count.

    The counts are whole numbers; the names of the classes and of the unit are escaped here.
    """
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
    return framed(
        figure, colours, height=260, annotations=labels, showlegend=False, dragmode=False,
        xaxis={"visible": False, "range": [-0.5, 3.5]}, yaxis={"visible": False, "range": [-0.35, 2.35]},
    )  # fmt: skip
