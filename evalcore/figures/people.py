"""Natural frequencies as pictures: a crowd of dots, and the tree that leads to them."""

import plotly.graph_objects as go

from evalcore.classification import ConfusionCounts
from evalcore.figures.theme import OUTCOMES, Ink, framed
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import count_text, outcome_word

__all__ = ["dots_figure", "tree_figure"]

ROWS = 20
"""Dots in a column of the crowd."""

_ORDER = ("tp", "fn", "fp", "tn")
# Errors differ in shape too; the many dismissed ones step back so that the others can be counted.
_SYMBOLS = {"tp": "circle", "fn": "square", "fp": "diamond", "tn": "circle-open"}


def dots_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink) -> go.Figure:
    """One dot a person, column by column: found, missed, alarmed, dismissed.

    Parameters
    ----------
    people : ConfusionCounts
        Whole numbers, of shape ().
    names : (str, str)
        The positive and the negative class. Come from a file: escaped here.
    colours : Ink
    """
    figure = go.Figure()
    start = 0
    for cell in _ORDER:
        count = int(getattr(people, cell))
        places = range(start, start + count)
        start += count
        actual = plotly_text(names[0 if cell in ("tp", "fn") else 1], 24)
        figure.add_trace(
            go.Scattergl(
                x=[place // ROWS for place in places],
                y=[-(place % ROWS) for place in places],
                mode="markers",
                name=f"{count_text(count)} {outcome_word(cell, count)}",
                marker={
                    "color": OUTCOMES[cell],
                    "symbol": _SYMBOLS[cell],
                    "size": 6,
                    "opacity": 0.45 if cell == "tn" else 1,
                },
                hovertemplate=f"{outcome_word(cell, 1)}: actually {actual}<extra></extra>",
            )
        )
    framed(figure, colours, height=260)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure.update_layout(
        legend={"y": -0.02, "yanchor": "top", "itemsizing": "constant", "traceorder": "normal"}, dragmode=False
    )


def tree_figure(people: ConfusionCounts, names: tuple[str, str], colours: Ink) -> go.Figure:
    """From all people over the two classes to the four outcomes, each node with its count.

    Parameters
    ----------
    people : ConfusionCounts
        Whole numbers, of shape ().
    names : (str, str)
        The positive and the negative class. Come from a file: escaped here.
    colours : Ink
    """
    positive, negative = (plotly_text(name, 16) for name in names)
    nodes = [
        (1.5, 2, float(people.total), "people", None),
        (0.5, 1, float(people.actual_positives), positive, None),
        (2.5, 1, float(people.actual_negatives), negative, None),
        *((x, 0, float(getattr(people, cell)), outcome_word(cell, float(getattr(people, cell))), cell)
          for x, cell in enumerate(_ORDER)),
    ]  # fmt: skip
    lines = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]
    xs, ys = [], []
    for parent, child in lines:
        xs += [nodes[parent][0], nodes[child][0], None]
        ys += [nodes[parent][1], nodes[child][1], None]
    figure = go.Figure(go.Scatter(x=xs, y=ys, mode="lines", line={"color": colours.grey, "width": 1}, hoverinfo="skip"))
    for x, y, count, word, cell in nodes:
        figure.add_annotation(
            x=x, y=y, showarrow=False, borderpad=5, bgcolor=colours.paper,
            bordercolor=OUTCOMES[cell] if cell else colours.grey, borderwidth=2 if cell else 1,
            text=f"<b>{count_text(count)}</b><br>{word}",
            font={"size": 12, "color": colours.words[cell] if cell else colours.text},
        )  # fmt: skip
    framed(figure, colours, height=260)
    figure.update_xaxes(visible=False, range=[-0.5, 3.5])
    figure.update_yaxes(visible=False, range=[-0.35, 2.35])
    return figure.update_layout(showlegend=False, dragmode=False)
