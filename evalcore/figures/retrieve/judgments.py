"""How the order of systems holds with fewer judgments, and between which values unjudged documents leave a measure."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.retrieve.judgments import JUDGED, Bounds, JudgmentMap
from evalcore.figures.base.systems import dash
from evalcore.figures.base.theme import Ink, framed
from evalcore.retrieval import OrderStability
from evalcore.wording.escaping import plotly_text, short_names
from evalcore.wording.numbers import THIN, count_text, number_text

__all__ = ["bounds_figure", "judgment_map_figure", "means_figure", "step_text", "tau_figure"]


HEIGHT = 330

_ROW = 46

_WORDS = {
    "random": ("judgments hidden at random", "{} of the judgments hidden"),
    "queries": ("queries hidden", "{} of the queries hidden"),
    "pool": ("depth of the pool", "pool to rank {}"),
    "few": ("relevant documents known of each query", "{} relevant a query known"),
}
"""What the steps of each way are: on the axis, and of a point."""

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "pentagon")


def tau_figure(order: OrderStability, way: str, colours: Ink) -> go.Figure:
    """Kendall's tau of each measure against its own order with all judgments, the mean of the draws, over the steps."""
    figure = go.Figure()
    lines = {name: order.mean_tau(name) for name in order.tau}
    for index, (name, line) in enumerate(lines.items()):
        figure.add_scatter(
            x=_positions(order, way), y=line, mode="lines+markers", name=plotly_text(name, 30),
            line={"color": colours.system(index), "dash": dash(index), "width": 2.2 if not index else 1.5},
            marker={"size": 7, "symbol": _SYMBOLS[index % len(_SYMBOLS)]},
            text=[_tau_words(order, name, row, way) for row in range(len(order.steps))],
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    _framed(figure, order, way, colours, "Kendall’s τ with the full judgments")
    lowest = min((tau for line in lines.values() for tau in line.tolist() if not math.isnan(tau)), default=0.0)
    figure.update_yaxes(range=[min(lowest - 0.06, -0.06) if lowest < 0.05 else -0.04, 1.06], nticks=6)
    return figure


def means_figure(
    order: OrderStability, name: str, systems: Sequence[tuple[str, int]], way: str, colours: Ink
) -> go.Figure:
    """The mean of one measure for each system over the steps, with the range of the draws.

    The measure is named as in `order`. Of each system its name, which is escaped here, and its place among all.
    """
    figure, x, short = go.Figure(), _positions(order, way), short_names((name for name, _ in systems), 20)
    for index, (system, colour_index) in enumerate(systems):
        values = order.means[name][:, :, index]
        colour = colours.system(colour_index)
        if values.shape[1] > 1:
            band = np.concatenate([values.max(axis=1), values.min(axis=1)[::-1]])
            figure.add_scatter(
                x=[*x, *x[::-1]], y=band, fill="toself", fillcolor=f"{colour}29", line={"width": 0},
                hoverinfo="skip", showlegend=False,
            )  # fmt: skip
        words = [
            f"<b>{plotly_text(system, 40)}</b><br>{plotly_text(name)} {number_text(float(draws.mean()))}"
            f"<br>{_step_words(way, step)}"
            for step, draws in zip(order.steps, values, strict=True)
        ]
        figure.add_scatter(
            x=x, y=values.mean(axis=1), mode="lines+markers", name=plotly_text(short[system]), marker={"size": 6},
            line={"color": colour, "dash": dash(colour_index), "width": 2}, text=words,
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    _framed(figure, order, way, colours, plotly_text(name))
    # The names of many systems take lines under the picture, which shall not be flattened by them.
    figure.update_layout(height=HEIGHT + 12 * max(len(systems) - 2, 0))
    return figure.update_yaxes(rangemode="tozero", nticks=6)


def bounds_figure(lines: Sequence[Bounds], heading: str, colours: Ink) -> go.Figure:
    """A line per system from all unjudged irrelevant to all of them relevant, with its value and the condensed one."""
    figure = go.Figure()
    short = short_names((one.name for one in lines), 40)
    for y, one in enumerate(lines):
        colour = colours.system(one.position)
        name = plotly_text(short[one.name])
        words = (
            f"<b>{name}</b><br>unjudged irrelevant {number_text(one.value)}<br>bounds {number_text(one.low)} … "
            f"{number_text(one.high)}<br>condensed lists {number_text(one.condensed)}<extra></extra>"
        )
        shared = {"y": [y, y], "hovertemplate": words, "showlegend": False}
        line = {"color": colour, "width": 7}
        figure.add_scatter(x=[one.low, one.high], mode="lines", line=line, opacity=0.3, **shared)
        figure.add_scatter(
            x=[one.value, one.condensed], mode="markers", marker_size=12, marker_symbol=["circle", "diamond-open"],
            marker_color=colour, marker_line={"width": 2, "color": colour}, **shared,
        )  # fmt: skip
        figure.add_annotation(
            x=0, xref="paper", xanchor="left", y=y - 0.4, text=name, showarrow=False, font={"color": colours.text}
        )
    framed(figure, colours, _ROW * len(lines) + 62, x=heading)
    ends = np.array([end for one in lines for end in (one.low, one.high, one.value, one.condensed)])
    ends = ends[np.isfinite(ends)]
    low, high = float(ends.min(initial=np.inf)), float(ends.max(initial=-np.inf))
    if low <= high:
        air = max(0.08 * (high - low), 0.01)
        figure.update_xaxes(range=[low - air, high + air], nticks=7)
    figure.update_yaxes(range=[len(lines) - 0.5, -0.8], showticklabels=False, showgrid=False, showline=False)
    return figure.update_layout(dragmode=False)


def step_text(way: str, step: float) -> str:
    """What a step of a way is called on an axis or a slider.

    >>> step_text("random", 0.3), step_text("pool", 10), step_text("few", 1)
    ('30\\u202f%', '10', '1')
    """
    return f"{100 * step:.0f}{THIN}%" if way in ("random", "queries") else count_text(step)


def _framed(figure: go.Figure, order: OrderStability, way: str, colours: Ink, y: str) -> None:
    framed(figure, colours, HEIGHT, _WORDS[way][0], y)
    if way in ("random", "queries"):
        figure.update_xaxes(tickformat=".0%", range=[-0.02, 0.98], nticks=6)
    else:
        figure.update_xaxes(tickvals=_positions(order, way), ticktext=[count_text(step) for step in order.steps])
    figure.update_layout(margin_t=26, legend={"yref": "container", "y": 0, "yanchor": "bottom"})


def _positions(order: OrderStability, way: str) -> list[float]:
    """Where the steps stand: shares as they are, numbers at even distances, the most judgments at the left."""
    return list(order.steps) if way in ("random", "queries") else list(map(float, range(len(order.steps))))


def _step_words(way: str, step: float) -> str:
    return _WORDS[way][1].format(step_text(way, step))


def _tau_words(order: OrderStability, name: str, row: int, way: str) -> str:
    draws = order.tau[name].shape[1]
    return (
        f"<b>{plotly_text(name)}</b><br>{_step_words(way, order.steps[row])}<br>"
        f"τ {number_text(float(order.mean_tau(name)[row]))}<br>"
        f"the same order in {int(order.same_order(name)[row])} of {draws} {'draw' if draws == 1 else 'draws'}"
    )


_LOWEST, _HIGHEST, _LINE = 160, 420, 14


def judgment_map_figure(drawn: JudgmentMap, colours: Ink) -> go.Figure:
    """A cell per query and rank, pale, mid or dark; no cell where the list has ended."""
    count, ranks = drawn.grid.shape
    shades = [colours.grid, colours.grey, colours.accent]
    steps = [(place + side) / len(shades) for place in range(len(shades)) for side in (0, 1)]
    scale = list(zip(steps, [shade for shade in shades for _ in range(2)], strict=True))
    words = [
        [f"{name}, rank {rank}: {JUDGED[state]}" if state >= 0 else "" for rank, state in enumerate(row, 1)]
        for name, row in zip((plotly_text(query, 40) for query in drawn.queries), drawn.grid.tolist(), strict=True)
    ]
    figure = go.Figure()
    figure.add_heatmap(
        x=list(range(1, ranks + 1)), y=list(range(count)),
        z=[[state if state >= 0 else None for state in row] for row in drawn.grid.tolist()], zmin=-0.5, zmax=2.5,
        colorscale=scale, showscale=False, xgap=1, ygap=1, text=words, hovertemplate="%{text}<extra></extra>",
        hoverongaps=False,
    )  # fmt: skip
    return framed(
        figure, colours, min(max(_LINE * count + 60, _LOWEST), _HIGHEST), "rank", "queries",
        xaxis={"range": [0.5, ranks + 0.5], "showgrid": False, "nticks": 8, "tickformat": ",d"},
        yaxis={"range": [count - 0.5, -0.5], "showgrid": False, "showticklabels": False},
    )  # fmt: skip
