"""Two systems query by query: the differences in order, and the values of one against those of the other.

Both are colours of the two systems: what lies on the side of a system, it does better. Each mark carries the place of a
query in ``customdata``, which is all that a click has to tell.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.retrieve.comparison import QueryDifferences
from evalcore.analyses.retrieve.paired_rankings import POWER, QueryVariance
from evalcore.figures.base.systems import dash
from evalcore.figures.base.theme import SIGNED_TICKS, Ink, framed
from evalcore.numeric import Array
from evalcore.wording.escaping import plotly_text, short_names
from evalcore.wording.numbers import THIN, count_text, number_text, share_text, signed

__all__ = ["BARS", "differences_figure", "power_figure", "query_spread_figure", "scatter_figure"]


BARS = 1_500
"""Queries up to which each is a bar; of more, bars at even distances stand for all."""

HEIGHT, SQUARE = 270, 380

_FEW = 20

_BESIDE = 20
"""Letters of both names together from which on the words over the bars stand below each other."""

_SMALLEST, _LARGEST = 7, 24


def differences_figure(pair: QueryDifferences, colours: Ink) -> go.Figure:
    """The difference of each query as a bar, the largest gain of B at the left."""
    order = np.argsort(-pair.differences, kind="stable")
    n = len(order)
    if n > BARS:
        order = order[np.unique(np.linspace(0, n - 1, BARS).round().astype(int))]
    x = np.arange(1, len(order) + 1) if n <= BARS else np.linspace(1, n, len(order))
    shown = pair.differences[order]
    figure = go.Figure()
    figure.add_bar(
        # Bars that are nearly as thin as a pixel would lose their gaps by chance.
        x=x, y=shown, width=(0.82 if n <= 150 else 1.0) * (n / max(len(order), 1)),
        marker={"color": [_colour(pair, side, colours) for side in shown.tolist()], "line": {"width": 0}},
        customdata=[[index] for index in order.tolist()], text=[_words(pair, index) for index in order.tolist()],
        textposition="none", hovertemplate="%{text}<extra></extra>", showlegend=False,
    )  # fmt: skip
    words = [_side(pair, side, colours) for side in (1, -1)]
    across = "queries, in the order of their difference"
    if equal := int(np.count_nonzero(pair.differences == 0)):  # bars of no height cannot be seen
        across += f" ({count_text(equal)} equal)"
    # Beside each other on a phone too, or below each other.
    long = len(pair.a) + len(pair.b) > _BESIDE
    figure.add_annotation(
        x=0, y=1, xref="paper", yref="paper", xanchor="left", yanchor="bottom", align="left",
        text=("<br>" if long else "   ").join(words), showarrow=False, font={"size": 12, "color": colours.text},
    )  # fmt: skip
    framed(figure, colours, HEIGHT, across, f"difference in {pair.heading}")
    figure.add_hline(y=0, line={"color": colours.text, "width": 1})
    low, high = float(pair.differences.min(initial=0)), float(pair.differences.max(initial=0))
    air = 0.06 * (high - low) or 0.1
    figure.update_yaxes(range=[low - air, high + air], nticks=7, **SIGNED_TICKS)
    # A few bars keep the width of bars, and every place is a whole number.
    last = max(n, _FEW)
    few: dict[str, Any] = {"tickvals": list(range(1, n + 1))} if n <= _FEW else {"nticks": 8}
    figure.update_xaxes(showgrid=False, range=[0.4 - last * 0.004, last + 0.6 + last * 0.004], tickformat=",d", **few)
    figure.update_layout(bargap=0, margin_t=26 if not long else 10 + 16 * len(words))
    return figure


def scatter_figure(pair: QueryDifferences, colours: Ink) -> go.Figure:
    """The value of B over that of A, a dot a query; queries with the same two values share a larger one."""
    values = np.column_stack([pair.values_a, pair.values_b])
    if len(np.unique(values, axis=0)) > BARS:  # as near as a picture can tell
        values = values.round(2)
    dots, first, counts = np.unique(values, axis=0, return_index=True, return_counts=True)
    sides = pair.differences[first]
    figure = go.Figure()
    low, high = _range(values)
    diagonal = {"color": colours.grey, "width": 1, "dash": "dash"}
    figure.add_scatter(x=[low, high], y=[low, high], mode="lines", line=diagonal, hoverinfo="skip", showlegend=False)
    for sign in (0, 1, -1):
        rows = np.flatnonzero(np.sign(sides) == sign)
        marker = {
            "size": _sizes(counts[rows], int(counts.max(initial=1))), "color": _colour(pair, sign, colours),
            "symbol": {0: "diamond", 1: "circle", -1: "square"}[sign], "opacity": 0.62,
            "line": {"color": colours.paper, "width": 0.6},
        }  # fmt: skip
        figure.add_scatter(
            x=dots[rows, 0], y=dots[rows, 1], mode="markers", marker=marker, showlegend=False,
            customdata=[[index] for index in first[rows].tolist()], hovertemplate="%{text}<extra></extra>",
            text=[_shared(pair, index, count) for index, count in zip(first[rows], counts[rows], strict=True)],
        )  # fmt: skip
    framed(figure, colours, SQUARE, *(f"{pair.heading} of {plotly_text(name, 30)}" for name in (pair.a, pair.b)))
    axis = {"range": [low, high], "nticks": 6}
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    higher = "lower" if pair.better == "lower" else "higher"
    for x, y, anchor, side in ((0.02, 0.98, "left", 1), (0.98, 0.02, "right", -1)):
        figure.add_annotation(
            x=x, y=y, xref="paper", yref="paper", xanchor=anchor, text=f"{plotly_text(_better(pair, side), 24)} better",
            showarrow=False, font={"size": 11, "color": colours.grey}, hovertext=f"{higher} is better",
        )  # fmt: skip
    return figure.update_layout(margin_t=26)


def _better(pair: QueryDifferences, side: float) -> str:
    """The system that does better where the difference has this sign."""
    return pair.b if (side > 0) != (pair.better == "lower") else pair.a


def _colour(pair: QueryDifferences, side: float, colours: Ink) -> str:
    """That of the better system, grey where neither is."""
    if not side:
        return colours.grey
    return colours.system(pair.place_b if _better(pair, side) is pair.b else pair.place_a)


def _side(pair: QueryDifferences, side: int, colours: Ink) -> str:
    """How many queries lie on a side, in words, with a square in its colour."""
    count = int(np.count_nonzero(np.sign(pair.differences) == side))
    square = f'<span style="color:{_colour(pair, side, colours)}">■</span>'
    return f"{square} {plotly_text(_better(pair, side), 28)} better: {count_text(count)}"


def _words(pair: QueryDifferences, index: int) -> str:
    a, b, difference = (float(v[index]) for v in (pair.values_a, pair.values_b, pair.differences))
    texts = pair.faces.get("text", ())
    text = f"{plotly_text(texts[index], 60)}<br>" if texts and texts[index] else ""
    return (
        f"<b>{plotly_text(pair.queries[index], 40)}</b><br>{text}{plotly_text(pair.a, 24)} {number_text(a)}<br>"
        f"{plotly_text(pair.b, 24)} {number_text(b)}<br>{signed(number_text)(difference)}"
    )


def _shared(pair: QueryDifferences, index: int, count: int) -> str:
    words = _words(pair, int(index))
    return words if count == 1 else words.replace("</b>", f" and {count_text(count - 1)}{THIN}more</b>", 1)


def _sizes(counts: np.ndarray, most: int) -> list[float]:
    """Areas as the counts, from a size that can be hit to one that hides little."""
    if most <= 1:
        return [_SMALLEST] * len(counts)
    return (_SMALLEST + (_LARGEST - _SMALLEST) * np.sqrt((counts - 1) / (most - 1))).round(1).tolist()


def _range(values: Array) -> tuple[float, float]:
    """Both axes alike, 0 and 1 among them where the measure is such."""
    low, high = min(float(values.min(initial=0)), 0.0), max(float(values.max(initial=0)), 1e-9)
    high = 1.0 if 0.25 < high <= 1 else high
    air = 0.03 * (high - low)
    return low - air, high + air


_VARIANCE_HEIGHT = 300

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
    framed(figure, colours, _VARIANCE_HEIGHT, "queries, from the hardest to the easiest", plotly_text(pairs.heading))
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
    framed(figure, colours, _VARIANCE_HEIGHT, "queries", "chance to find the difference")
    figure.update_xaxes(rangemode="tozero", tickformat=",d", nticks=6)
    return figure.update_yaxes(range=[-0.02, 1.04], tickformat=".0%", nticks=6).update_layout(margin_t=26)
