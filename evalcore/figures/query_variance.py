"""Every query with the values of all systems, and the power to find a difference over the number of queries."""

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.query_variance import POWER, QueryVariance
from evalcore.figures.systems import dash
from evalcore.figures.theme import Ink, framed
from evalcore.wording.escaping import plotly_text
from evalcore.wording.names import short_names
from evalcore.wording.numbers import count_text, number_text, share_text

__all__ = ["power_figure", "query_spread_figure"]

HEIGHT = 300
_MOST = 300
"""Queries that are drawn; of more, so many at even distances."""
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "pentagon")


def query_spread_figure(variance: QueryVariance, colours: Ink) -> go.Figure:
    """A dot per query and system, the easiest query at the right, and a line at the mean of each system."""
    figure, values, pairs = go.Figure(), variance.values, variance.pairs
    order = np.argsort(values.mean(axis=0), kind="stable")
    n = len(order)
    chosen = np.unique(np.linspace(0, n - 1, min(n, _MOST)).round().astype(int)) if n else order
    short = short_names(pairs.systems, 20)
    for index, (system, position) in enumerate(zip(pairs.systems, pairs.positions, strict=True)):
        colour, mean = colours.system(position), float(values[index].mean()) if n else np.nan
        shared = {"legendgroup": str(index), "name": plotly_text(short[system])}
        figure.add_scatter(
            x=chosen + 1, y=values[index][order[chosen]], mode="markers", **shared,
            marker={"size": 5 if n > 60 else 8, "color": colour, "opacity": 0.6,
                    "symbol": _SYMBOLS[index % len(_SYMBOLS)]},
            hovertemplate=f"<b>{plotly_text(system, 40)}</b><br>{plotly_text(pairs.heading)} %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        figure.add_scatter(
            x=[0.5, n + 0.5], y=[mean, mean], mode="lines", showlegend=False, **shared,
            line={"color": colour, "width": 2.5, "dash": dash(position)},
            hovertemplate=f"<b>{plotly_text(system, 40)}</b><br>mean {number_text(mean)}<extra></extra>",
        )  # fmt: skip
    framed(figure, colours, HEIGHT, "queries, from the hardest to the easiest", plotly_text(pairs.heading))
    figure.update_xaxes(range=[0.5, n + 0.5], showgrid=False, tickformat=",d", nticks=6)
    figure.update_yaxes(nticks=6)
    return figure.update_layout(margin_t=26)


def power_figure(variance: QueryVariance, colours: Ink) -> go.Figure:
    """The chance to find the difference over the number of queries, with what there is and what is needed."""
    figure, (numbers, power) = go.Figure(), variance.curve
    figure.add_scatter(
        x=numbers, y=power, mode="lines", line={"color": colours.accent, "width": 2.5}, showlegend=False,
        hovertemplate="%{x:,d} queries<br>power %{y:.1%}<extra></extra>",
    )  # fmt: skip
    figure.add_hline(y=POWER, line={"color": colours.grey, "width": 1, "dash": "dash"})
    marks = [("here", variance.queries, "circle"), ("needed", variance.needed, "diamond")]
    for word, queries, symbol in marks:
        if queries is None or queries > numbers[-1] or queries < 2:
            continue
        chance = variance.power(queries)
        figure.add_scatter(
            x=[queries], y=[chance], mode="markers", showlegend=False,
            marker={"size": 12, "symbol": symbol, "color": colours.paper if word == "needed" else colours.accent,
                    "line": {"width": 2, "color": colours.accent}},
            hovertemplate=f"{word}: {count_text(queries)} queries, power {share_text(chance)}<extra></extra>",
        )  # fmt: skip
    framed(figure, colours, HEIGHT, "queries", "chance to find the difference")
    figure.update_xaxes(rangemode="tozero", tickformat=",d", nticks=6)
    return figure.update_yaxes(range=[-0.02, 1.04], tickformat=".0%", nticks=6).update_layout(margin_t=26)
