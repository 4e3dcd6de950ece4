"""A graded list against its ideal: gains by rank with what the ranks take off, their discounted sum, and systems."""

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses import MeasureOverRanks, Rankings
from evalcore.figures.base.theme import DASHES, Ink, framed
from evalcore.numeric import Array
from evalcore.retrieval import GradedTable, mean_curve
from evalcore.wording.escaping import plotly_text, short_names
from evalcore.wording.numbers import count_text, number_text

__all__ = ["MOST_BARS", "cumulated_figure", "gains_figure", "mean_curves_figure", "over_ranks_figure"]


HEIGHT = 290

MOST_BARS = 40
"""Ranks that are drawn as bars; more are too thin to be told apart."""

_DOTS = 30

_HEAD = 1.12  # room over the highest bar


def gains_figure(table: GradedTable, colours: Ink, retrieved: int) -> go.Figure:
    """The gain at each rank before that of the ideal list, and the discount, for a list of so many retrieved."""
    shown = slice(0, MOST_BARS)
    ranks, grades = table.rank[shown].tolist(), table.grade[shown].tolist()
    gains, ideal, discount = table.gain[shown], table.ideal_gain[shown], table.discount[shown]
    figure = go.Figure()
    figure.add_bar(
        x=ranks, y=ideal, name="ideal list", marker_color="rgba(0,0,0,0)", width=0.82,
        marker_line={"color": colours.grey, "width": 1.2},
        customdata=_texts(ideal), hovertemplate="rank %{x} of the ideal list: gain %{customdata}<extra></extra>",
    )  # fmt: skip
    figure.add_bar(
        x=ranks, y=gains, name="this list", marker_color=colours.accent, width=0.5,
        customdata=[
            f"{_grade(grade, rank, retrieved)}, gain {gain}"
            for rank, grade, gain in zip(ranks, grades, _texts(gains), strict=True)
        ],
        hovertemplate="rank %{x}: %{customdata}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=ranks, y=discount, name="discount", yaxis="y2", mode="lines+markers" if len(ranks) <= _DOTS else "lines",
        line={"color": colours.system(4), "width": 1.5, "dash": "dot"}, marker={"size": 4},
        customdata=_texts(discount),
        hovertemplate="rank %{x} counts × %{customdata}<extra></extra>",
    )  # fmt: skip
    highest = max(float(max(gains, default=0)), float(max(ideal, default=0))) or 1.0
    return framed(
        figure, colours, HEIGHT, x="rank", y="gain", barmode="overlay", yaxis={"range": [0, highest * _HEAD]},
        xaxis={"showgrid": False, "range": [0.4, len(ranks) + 0.6]} | _ticks(len(ranks)),
        yaxis2={
            "overlaying": "y", "side": "right", "range": [0, _HEAD], "showgrid": False, "tickvals": [0, 0.5, 1],
            "title": {"text": "discount", "font": {"color": colours.grey, "size": 12}, "standoff": 8},
            "tickfont": {"color": colours.grey, "size": 11}, "zeroline": False, "automargin": True,
        },
    )  # fmt: skip


def cumulated_figure(table: GradedTable, colours: Ink) -> go.Figure:
    """The discounted cumulated gain of the list under that of the ideal list; their ratio is nDCG.

    >>> from evalcore.figures.base.theme import LIGHT
    >>> from evalcore.retrieval import Hits, graded_table
    >>> figure = cumulated_figure(graded_table(Hits.of_grades([0, 2, 1])), LIGHT)
    >>> [trace.name for trace in figure.data], figure.data[1].customdata[2]
    (['DCG', 'ideal DCG'], 'nDCG 0.670')
    """
    ranks = table.rank.tolist()
    mode = "lines+markers" if len(ranks) <= _DOTS else "lines"
    figure = go.Figure()
    figure.add_scatter(
        x=ranks, y=table.dcg, name="DCG", mode=mode, line={"color": colours.accent, "width": 2.5},
        customdata=_texts(table.dcg), hovertemplate="DCG@%{x} %{customdata}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=ranks, y=table.idcg, name="ideal DCG", mode=mode, line={"color": colours.grey, "width": 1.5, "dash": "dash"},
        fill="tonexty", fillcolor=f"{colours.grey}22",
        customdata=[f"nDCG {text}" for text in _texts(table.ndcg)], text=_texts(table.idcg),
        hovertemplate="ideal DCG@%{x} %{text}<br>%{customdata}<extra></extra>",
    )  # fmt: skip
    return framed(
        figure, colours, HEIGHT, x="rank", y="discounted cumulated gain", xaxis=_ranks_axis(len(ranks)),
        yaxis={"range": _from_nothing(table.idcg.max(initial=0), table.dcg.max(initial=0))},
    )  # fmt: skip


def over_ranks_figure(over: MeasureOverRanks, colours: Ink) -> go.Figure:
    """A measure cut off at each of some ranks, one line per system."""
    ranks, measure, rankings = over.ranks, over.measure, over.rankings
    figure = go.Figure()
    short = short_names(over.values, 28)
    for system, values in sorted(over.values.items(), key=lambda item: item[0] == rankings.system):
        name, index, chosen = plotly_text(short[system]), rankings.systems.index(system), system == rankings.system
        figure.add_scatter(
            x=ranks.tolist(), y=values, name=f"<b>{name}</b>" if chosen else name,
            mode="lines+markers" if len(ranks) <= 2 * _DOTS else "lines", marker={"size": 6 if chosen else 4},
            line={
                "color": colours.system(index), "width": 2.8 if chosen else 1.5,
                "dash": DASHES[index // len(colours.systems) % len(DASHES)],
            },
            customdata=_texts(values), meta={"system": index},
            hovertemplate=f"{measure}@%{{x}} %{{customdata}}<extra>{name}</extra>",
        )  # fmt: skip
    highest = (float(np.nanmax(values, initial=0)) for values in over.values.values())
    return framed(
        figure, colours, 330, x="rank k", y=f"{measure} at k", xaxis=_ranks_axis(int(ranks.max(initial=1))),
        yaxis={"range": _from_nothing(*highest)}, showlegend=len(over.values) > 1,
    )  # fmt: skip


def _texts(values: Array) -> list[str]:
    return [number_text(value) for value in values.tolist()]


def _from_nothing(*highest: float) -> list[float]:
    """From just below 0, so that a point at 0 is seen whole, to just above the highest."""
    top = float(max(highest, default=0)) or 1.0
    return [-0.025 * top, 1.07 * top]


def _ranks_axis(last: int) -> dict[str, Any]:
    margin = max(0.03 * last, 0.4)
    return {"range": [1 - margin, last + margin]} | _ticks(last)


def _ticks(last: int) -> dict[str, Any]:
    """Ticks at rank 1 and at round ranks: a rank 0 does not exist."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if last <= 12 * step)
    marks = [1, *range(step if step > 1 else 2, last + 1, step)]
    return {"tickmode": "array", "tickvals": marks, "ticktext": [count_text(mark) for mark in marks]}


def _grade(grade: float, rank: int, retrieved: int) -> str:
    if rank > retrieved:
        return f"after the end of the list of {count_text(retrieved)}"
    return "unjudged" if math.isnan(grade) or grade < 0 else f"grade {grade:g}"


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
