"""The mean precision over recall of ranked lists as one figure, for a report: the page has its own script."""

import plotly.graph_objects as go

from evalcore.analyses import Rankings
from evalcore.figures.theme import DASHES, Ink, framed
from evalcore.retrieval import mean_curve
from evalcore.wording import plotly_text

__all__ = ["mean_curves_figure"]

_MOST = 9
_HEIGHT = 400


def mean_curves_figure(rankings: Rankings, colours: Ink) -> go.Figure:
    """Interpolated precision at eleven levels of recall, the mean over the queries of each of the first systems."""
    figure = go.Figure()
    for index, system in enumerate(rankings.systems[:_MOST]):
        curve = mean_curve(rankings.hits(system), rel=rankings.level)
        chosen = system == rankings.system
        figure.add_scatter(
            x=list(curve.levels), y=curve.interpolated, mode="lines+markers", name=plotly_text(system, 28),
            line={"color": colours.system(index), "width": 2.6 if chosen else 1.6, "dash": DASHES[index % len(DASHES)]},
            marker={"color": colours.system(index), "size": 5}, hoverinfo="skip",
        )  # fmt: skip
    framed(figure, colours, _HEIGHT, "recall", "interpolated precision", showlegend=len(rankings.systems) > 1)
    return figure.update_xaxes(range=[-0.02, 1.02]).update_yaxes(range=[-0.02, 1.02])
