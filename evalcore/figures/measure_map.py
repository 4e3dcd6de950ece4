"""The map of measures: which cells of the 2×2 table each one counts, and what joins one to another."""

import plotly.graph_objects as go

from evalcore.figures.colours import OUTCOMES, mixed
from evalcore.figures.theme import Ink, framed
from evalcore.glossary import MeasureMap, cells_read, relations, relations_of
from evalcore.registry import METRICS, MetricDef

__all__ = ["map_figure"]

_SIDE = 13
"""Pixels of a cell of the small 2×2 tables."""
_CORNERS = {"tp": (-1, 1), "fp": (0, 1), "fn": (-1, 0), "tn": (0, 0)}
"""Left edge and upper edge of each cell, in sides from the middle: the actual classes stand in the columns."""
_ROW = 92


def map_figure(chart: MeasureMap, chosen: str, colours: Ink) -> go.Figure:
    """The measures of a map, one joined to another by lines; the chosen one and its lines stand out.

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
    """What is clicked: a square around each measure, and what it says under the pointer."""
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
    """A small 2×2 table: full colour above the line or in the formula, pale below the line, empty where ignored."""
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
