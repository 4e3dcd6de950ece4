"""Natural frequencies as pictures: a crowd of dots, and the tree that leads to them."""

import math

import numpy as np
import plotly.graph_objects as go

from evalcore.classification import ConfusionCounts
from evalcore.figures.colours import OUTCOMES
from evalcore.figures.theme import Ink, framed
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import count_text, outcome_word

__all__ = ["dots_figure", "tree_figure"]

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
