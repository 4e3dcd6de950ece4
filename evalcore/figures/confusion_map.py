"""The square table of several classes as one figure: what a report shows where the page has cells to click."""

import numpy as np
import plotly.graph_objects as go

from evalcore.classification import ConfusionMatrix, shares
from evalcore.figures.colours import ink_on, mixed
from evalcore.figures.theme import Ink, framed
from evalcore.wording import count_text, plotly_text, short_names

__all__ = ["MOST_MAPPED", "confusion_map_figure"]

MOST_MAPPED = 60
"""Classes up to which a map can be read."""

_COUNTED = 14
_STRONG = 0.85


def confusion_map_figure(matrix: ConfusionMatrix, colours: Ink) -> go.Figure:
    """Each cell in a shade by its share of the actual class, with its count where there is room; actual in the rows."""
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
                "font": {"size": 12, "color": "#FFFFFF" if ink_on(ground) == "#FFFFFF" else "#10202C"},
            })  # fmt: skip
        figure.update_layout(annotations=words)
    return figure
