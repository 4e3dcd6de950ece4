"""Losses as curves: of the error, of the margin, and of counts."""

import numpy as np
import plotly.graph_objects as go

from evalcore.estimation import LOSS_FAMILIES, LOSS_FUNCTIONS
from evalcore.figures.theme import DASHES, Ink, framed

__all__ = ["loss_curves_figure"]

_COUNT = 3.0
_TITLES = {
    "of the error": "error p − y, in units of δ",
    "of the margin": "margin y · p",
    "of counts": "stated p, for y = 3",
}


def loss_curves_figure(family: str, tau: float, delta: float, colours: Ink) -> go.Figure:
    """The losses of a family of `LOSS_FAMILIES` as curves, errors in units of δ."""
    figure = go.Figure()
    for index, key in enumerate(LOSS_FAMILIES[family]):
        loss = LOSS_FUNCTIONS[key]
        if family == "of counts":
            x = np.linspace(0.05, 10, 300)
            y = loss.loss(x, _COUNT, np.nan)
        elif family == "of the margin":
            x = np.linspace(-2.5, 2.5, 301)
            y = loss.loss(x, 1.0, np.nan)
        else:
            x = np.linspace(-3, 3, 301)
            y = loss.loss(x, 0.0, tau if key == "quantile" else 1.0)
        figure.add_scatter(
            x=x, y=y, mode="lines", name=loss.name, line={"color": colours.system((0, 1, 4, 6)[index]), "width": 2,
            "dash": DASHES[index]}, hovertemplate="%{x:.3g}: %{y:.3g}<extra></extra>",
        )  # fmt: skip
    framed(figure, colours, 340, _TITLES[family], "loss")
    if family == "of the margin":
        figure.update_yaxes(range=[0, 5])
    return figure
