"""Decisions without scores as points of the ROC plane, each with the opposite decision where that is better."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.curve_overlays import Requirement
from evalcore.analyses.roc_points import MOST_POINTS, RocPoint, RocPoints
from evalcore.classification import fall_out, inverted, recall
from evalcore.figures.overlays import add_regions
from evalcore.figures.systems import diagonal, squared
from evalcore.figures.theme import Ink
from evalcore.wording.escaping import plotly_text

__all__ = ["roc_points_figure"]

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "pentagon", "hexagon", "star", "cross")


def roc_points_figure(analysis: RocPoints, requirements: Sequence[Requirement], colours: Ink) -> go.Figure:
    """Each decision as a point over regions of requirements; from below the diagonal an arrow leads to the opposite.

    Points without a positive or a negative row have no place and are left out.
    """
    figure = diagonal(colours)
    hover = (
        "<b>%{meta.name}</b><br>TP %{customdata[0]:,.2~f} · FP %{customdata[1]:,.2~f}<br>"
        "FN %{customdata[2]:,.2~f} · TN %{customdata[3]:,.2~f}<br>"
        "false positive rate %{x:.1%} · recall %{y:.1%}<extra></extra>"
    )
    for index, point in enumerate(analysis.points[:MOST_POINTS]):
        x, y = float(fall_out(point.counts)), float(recall(point.counts))
        if np.isnan([x, y]).any():
            continue
        name = plotly_text(point.name, limit=28)
        mark = {"size": 13, "color": colours.system(index), "symbol": _SYMBOLS[index % len(_SYMBOLS)]}
        cells = np.array([[float(getattr(point.counts, cell)) for cell in ("tp", "fp", "fn", "tn")]])
        figure.add_trace(
            go.Scatter(
                x=[x], y=[y], mode="markers+text", text=[f"<b>{name}</b>"], textposition="bottom right", marker=mark,
                name=name, meta={"name": name}, customdata=cells, hovertemplate=hover, cliponaxis=False,
            )
        )  # fmt: skip
        if point.is_below:
            _add_opposite(figure, point, name, mark, colours)
    add_regions(figure, requirements, analysis.prevalence, colours)
    squared(figure, (), colours, "false positive rate", "true positive rate (recall)")
    return figure.update_layout(showlegend=False)


def _add_opposite(figure: go.Figure, point: RocPoint, name: str, mark: dict, colours: Ink) -> None:
    turned = inverted(point.counts)
    x, y = float(fall_out(turned)), float(recall(turned))
    figure.add_annotation(
        x=x, y=y, ax=float(fall_out(point.counts)), ay=float(recall(point.counts)), xref="x", yref="y", axref="x",
        ayref="y", showarrow=True, arrowhead=2, arrowwidth=1.4, arrowcolor=mark["color"], standoff=8, startstandoff=8,
        text="",
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[x], y=[y], mode="markers+text", text=[f"not {name}"], textposition="top left", name=f"not {name}",
            marker=mark | {"symbol": f"{mark['symbol']}-open", "line": {"width": 2}}, meta={"overlay": "inverted"},
            textfont={"color": colours.grey}, cliponaxis=False,
            hovertemplate=f"<b>the opposite of {name}</b><br>false positive rate %{{x:.1%}} · recall %{{y:.1%}}"
            "<extra></extra>",
        )
    )  # fmt: skip
