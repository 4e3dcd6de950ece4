"""Stability of the order of systems with fewer judgments, and bounds of measures over unjudged documents."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from evalcore.analyses.retrieve import JUDGED, POWER, Bounds, JudgmentMap, QueryDifferences, QueryVariance
from evalcore.figures import graph_objects as go
from evalcore.figures.systems import dash
from evalcore.figures.theme import SIGNED_TICKS, Ink, apply_frame
from evalcore.numeric import Array, Flags
from evalcore.retrieval import OrderStability
from evalcore.wording import THIN, count_text, number_text, plotly_text, share_text, short_names, signed

__all__ = ["BARS", "bounds_figure", "differences_figure", "judgment_map_figure", "means_figure", "power_figure"]
__all__ += ["query_spread_figure", "scatter_figure", "step_text", "tau_figure"]

_JUDGMENTS_HEIGHT = 330
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
    figure, lines = go.Figure(), {name: order.mean_tau(name) for name in order.tau}
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
    """Mean of one measure over the steps with the range of the draws, by system: (name, index) pairs, escaped here."""
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
    figure.update_layout(height=_JUDGMENTS_HEIGHT + 12 * max(len(systems) - 2, 0))
    return figure.update_yaxes(rangemode="tozero", nticks=6)


def bounds_figure(lines: Sequence[Bounds], heading: str, colours: Ink) -> go.Figure:
    """Bounds of a measure per system, from all unjudged irrelevant to all relevant, with plain and condensed value."""
    figure, short = go.Figure(), short_names((one.name for one in lines), 40)
    for y, one in enumerate(lines):
        colour, name = colours.system(one.position), plotly_text(short[one.name])
        words = (
            f"<b>{name}</b><br>unjudged irrelevant {number_text(one.value)}<br>bounds {number_text(one.low)} … "
            f"{number_text(one.high)}<br>condensed lists {number_text(one.condensed)}<extra></extra>"
        )
        shared, line = {"y": [y, y], "hovertemplate": words, "showlegend": False}, {"color": colour, "width": 7}
        figure.add_scatter(x=[one.low, one.high], mode="lines", line=line, opacity=0.3, **shared)
        figure.add_scatter(
            x=[one.value, one.condensed], mode="markers", marker_size=12, marker_symbol=["circle", "diamond-open"],
            marker_color=colour, marker_line={"width": 2, "color": colour}, **shared,
        )  # fmt: skip
        font, at = {"color": colours.text}, {"xref": "paper", "xanchor": "left"}
        figure.add_annotation(x=0, y=y - 0.4, text=name, showarrow=False, font=font, **at)
    ends = np.array([end for one in lines for end in (one.low, one.high, one.value, one.condensed)])
    ends = ends[np.isfinite(ends)]
    air = max(0.08 * float(np.ptp(ends)), 0.01) if len(ends) else 0
    xaxis = {"range": [float(ends.min()) - air, float(ends.max()) + air], "nticks": 7} if len(ends) else {}
    return apply_frame(
        figure, colours, 46 * len(lines) + 62, x=heading, xaxis=xaxis, dragmode=False,
        yaxis={"range": [len(lines) - 0.5, -0.8], "showticklabels": False, "showgrid": False, "showline": False},
    )  # fmt: skip


def step_text(way: str, step: float) -> str:
    """Name of a step on an axis or a slider."""
    return f"{100 * step:.0f}{THIN}%" if way in ("random", "queries") else count_text(step)


def _framed(figure: go.Figure, order: OrderStability, way: str, colours: Ink, y: str) -> None:
    apply_frame(figure, colours, _JUDGMENTS_HEIGHT, _WORDS[way][0], y)
    if way in ("random", "queries"):
        figure.update_xaxes(tickformat=".0%", range=[-0.02, 0.98], nticks=6)
    else:
        figure.update_xaxes(tickvals=_positions(order, way), ticktext=[count_text(step) for step in order.steps])
    figure.update_layout(margin_t=26, legend={"yref": "container", "y": 0, "yanchor": "bottom"})


def _positions(order: OrderStability, way: str) -> list[float]:
    """Positions of the steps: shares to scale, numbers at even distances, the most judgments at the left."""
    return list(order.steps) if way in ("random", "queries") else list(map(float, range(len(order.steps))))


def _step_words(way: str, step: float) -> str:
    return _WORDS[way][1].format(step_text(way, step))


def _tau_words(order: OrderStability, name: str, row: int, way: str) -> str:
    draws, tau = order.tau[name].shape[1], number_text(float(order.mean_tau(name)[row]))
    same = f"the same order in {int(order.same_order(name)[row])} of {draws} {'draw' if draws == 1 else 'draws'}"
    return f"<b>{plotly_text(name)}</b><br>{_step_words(way, order.steps[row])}<br>τ {tau}<br>{same}"


def judgment_map_figure(drawn: JudgmentMap, colours: Ink) -> go.Figure:
    """Grid of queries by ranks, pale, mid or dark by judgment; empty beyond the end of a list."""
    count, ranks = drawn.grid.shape
    shades = enumerate((colours.grid, colours.grey, colours.accent))
    scale = [((place + side) / 3, shade) for place, shade in shades for side in (0, 1)]
    words = [
        [f"{name}, rank {rank}: {JUDGED[state]}" if state >= 0 else "" for rank, state in enumerate(row, 1)]
        for name, row in zip((plotly_text(query, 40) for query in drawn.queries), drawn.grid.tolist(), strict=True)
    ]
    figure = go.Figure().add_heatmap(
        x=list(range(1, ranks + 1)), y=list(range(count)),
        z=[[state if state >= 0 else None for state in row] for row in drawn.grid.tolist()], zmin=-0.5, zmax=2.5,
        colorscale=scale, showscale=False, xgap=1, ygap=1, text=words, hovertemplate="%{text}<extra></extra>",
        hoverongaps=False,
    )  # fmt: skip
    return apply_frame(
        figure, colours, min(max(14 * count + 60, 160), 420), "rank", "queries",
        xaxis={"range": [0.5, ranks + 0.5], "showgrid": False, "nticks": 8, "tickformat": ",d"},
        yaxis={"range": [count - 0.5, -0.5], "showgrid": False, "showticklabels": False},
    )  # fmt: skip


BARS = 1_500
"""Queries up to which each is a bar; of more, bars at even distances stand for all."""

_FEW = 20
_BESIDE = 20  # letters of both names together from which on the words over the bars stand below each other
_SMALLEST, _LARGEST = 7, 24


def differences_figure(pair: QueryDifferences, colours: Ink, opened: int | None = None) -> go.Figure:
    """The difference of each query as a bar, the largest gain of B at the left; pale but that of an open query."""
    order = np.argsort(-pair.differences, kind="stable")
    n = len(order)
    if n > BARS:
        order = order[np.unique(np.linspace(0, n - 1, BARS).round().astype(int))]
    x = np.arange(1, len(order) + 1) if n <= BARS else np.linspace(1, n, len(order))
    shown, pale = pair.differences[order], (order != opened) & np.any(order == opened)
    ink = _pale([_colour(pair, side, colours) for side in shown.tolist()], pale)
    figure = go.Figure().add_bar(
        # Bars that are nearly as thin as a pixel would lose their gaps by chance.
        x=x, y=shown, width=(0.82 if n <= 150 else 1.0) * (n / max(len(order), 1)),
        marker={"color": ink, "line": {"width": 0}}, **_unselectable(1),
        customdata=[[index] for index in order.tolist()], text=[_words(pair, index) for index in order.tolist()],
        textposition="none", hovertemplate="%{text}<extra></extra>", showlegend=False,
    )  # fmt: skip
    across = "queries, in the order of their difference"
    if equal := int(np.count_nonzero(pair.differences == 0)):  # bars of no height cannot be seen
        across += f" ({count_text(equal)} equal)"
    # Beside each other on a phone too, or below each other.
    long = len(pair.a) + len(pair.b) > _BESIDE
    figure.add_annotation(
        x=0, y=1, xref="paper", yref="paper", xanchor="left", yanchor="bottom", align="left",
        text=("<br>" if long else "   ").join(_side(pair, side, colours) for side in (1, -1)), showarrow=False,
        font={"size": 12, "color": colours.text},
    )  # fmt: skip
    figure.add_hline(y=0, line={"color": colours.text, "width": 1})
    low, high = float(pair.differences.min(initial=0)), float(pair.differences.max(initial=0))
    air = 0.06 * (high - low) or 0.1
    # A few bars keep the width of bars, and every place is a whole number.
    last, few = max(n, _FEW), {"nticks": 8}
    if n <= _FEW:
        queries = [str(pair.queries[index]) for index in order.tolist()]
        short = short_names(queries, 12)
        few = {"tickvals": x, "ticktext": [plotly_text(short[query]) for query in queries]}
    beyond = 0.6 + last * 0.004
    return apply_frame(
        figure, colours, 270, across, f"difference in {pair.heading}", bargap=0, margin_t=42 if long else 26,
        xaxis={"showgrid": False, "range": [1 - beyond, last + beyond], "tickformat": ",d", **few},
        yaxis={"range": [low - air, high + air], "nticks": 7, **SIGNED_TICKS},
    )  # fmt: skip


def scatter_figure(pair: QueryDifferences, colours: Ink, opened: int | None = None) -> go.Figure:
    """Values of B against A, one dot per query; equal ones share a larger dot. Pale but the dot of an open query."""
    values = np.column_stack([pair.values_a, pair.values_b])
    if len(np.unique(values, axis=0)) > BARS:  # as near as a picture can tell
        values = values.round(2)
    dots, first, counts = np.unique(values, axis=0, return_index=True, return_counts=True)
    others = np.zeros(len(dots), bool) if opened is None else (dots != values[opened]).any(axis=1)
    sides, (low, high) = pair.differences[first], _range(values)
    figure = go.Figure()
    figure.add_still_line([low, high], [low, high], {"color": colours.grey, "width": 1, "dash": "dash"})
    for sign in (0, 1, -1):
        rows = np.flatnonzero(np.sign(sides) == sign)
        marker = {
            "size": _sizes(counts[rows], int(counts.max(initial=1))), "opacity": 0.62,
            "color": _pale([_colour(pair, sign, colours)] * len(rows), others[rows]),
            "symbol": {0: "diamond", 1: "circle", -1: "square"}[sign],
            "line": {"color": colours.paper, "width": 0.6},
        }  # fmt: skip
        figure.add_scatter(
            x=dots[rows, 0], y=dots[rows, 1], mode="markers", marker=marker, showlegend=False, **_unselectable(0.62),
            customdata=[[index] for index in first[rows].tolist()], hovertemplate="%{text}<extra></extra>",
            text=[_tie_text(pair, index, count) for index, count in zip(first[rows], counts[rows], strict=True)],
        )  # fmt: skip
    if equal := int(np.count_nonzero(pair.differences == 0)):
        figure.add_annotation(
            x=1, y=1, xref="paper", yref="paper", xanchor="right", yanchor="bottom", showarrow=False,
            text=f"◆ equal: {count_text(equal)}", font={"size": 11, "color": colours.grey},
        )  # fmt: skip
    higher = "lower" if pair.better == "lower" else "higher"
    for x, y, anchor, side in ((0.02, 0.98, "left", 1), (0.98, 0.02, "right", -1)):
        figure.add_annotation(
            x=x, y=y, xref="paper", yref="paper", xanchor=anchor, text=f"{plotly_text(_better(pair, side), 24)} better",
            showarrow=False, font={"size": 11, "color": colours.grey}, hovertext=f"{higher} is better",
        )  # fmt: skip
    axis = {"range": [low, high], "nticks": 6}
    titles = (f"{pair.heading} of {plotly_text(name, 30)}" for name in (pair.a, pair.b))
    return apply_frame(figure, colours, 380, *titles, xaxis=axis, yaxis=axis, margin_t=26)


def _better(pair: QueryDifferences, side: float) -> str:
    """The system that is better by a difference of this sign."""
    return pair.b if (side > 0) != (pair.better == "lower") else pair.a


def _colour(pair: QueryDifferences, side: float, colours: Ink) -> str:
    """Colour of the better system, grey for a tie."""
    if not side:
        return colours.grey
    return colours.system(pair.place_b if _better(pair, side) is pair.b else pair.place_a)


def _pale(inks: list[str], others: Flags) -> list[str]:
    """Colours of queries, pale for others than the open one."""
    return [f"{ink}33" if other else ink for ink, other in zip(inks, others.tolist(), strict=True)]


def _unselectable(opacity: float) -> dict[str, Any]:
    """Opacity of markers whether Plotly counts them as selected or not: it selects the last click, not what is open."""
    return {kind: {"marker": {"opacity": opacity}} for kind in ("selected", "unselected")}


def _side(pair: QueryDifferences, side: int, colours: Ink) -> str:
    """Number of queries on a side, in words, with a square in its colour."""
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


def _tie_text(pair: QueryDifferences, index: int, count: int) -> str:
    more = f" and {count_text(count - 1)}{THIN}more" if count > 1 else ""
    return _words(pair, int(index)).replace("</b>", f"{more}</b>", 1)


def _sizes(counts: np.ndarray, most: int) -> list[float]:
    """Areas as the counts, from a size that can be hit to one that hides little."""
    return (_SMALLEST + (_LARGEST - _SMALLEST) * np.sqrt((counts - 1) / max(most - 1, 1))).round(1).tolist()


def _range(values: Array) -> tuple[float, float]:
    """Common range of both axes, from 0 to 1 for measures within it."""
    low, high = min(float(values.min(initial=0)), 0.0), max(float(values.max(initial=0)), 1e-9)
    high = 1.0 if 0.25 < high <= 1 else high
    air = 0.03 * (high - low)
    return low - air, high + air


_VARIANCE_HEIGHT = 300
_MOST = 300  # queries that are drawn; of more, so many at even distances


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
    return apply_frame(
        figure, colours, _VARIANCE_HEIGHT, "queries, from the hardest to the easiest", plotly_text(pairs.heading),
        xaxis={"range": [0.5, n + 0.5], "showgrid": False, "tickformat": ",d", "nticks": 6}, yaxis={"nticks": 6},
        margin_t=26,
    )  # fmt: skip


def power_figure(variance: QueryVariance, colours: Ink) -> go.Figure:
    """Power by number of queries, with the present and the needed number."""
    figure, (numbers, power) = go.Figure(), variance.curve
    figure.add_scatter(
        x=numbers, y=power, mode="lines", line={"color": colours.accent, "width": 2.5}, showlegend=False,
        hovertemplate="%{x:,d} queries<br>power %{y:.1%}<extra></extra>",
    )  # fmt: skip
    figure.add_hline(y=POWER, line={"color": colours.grey, "width": 1, "dash": "dash"})
    for word, queries, symbol in (("here", variance.queries, "circle"), ("needed", variance.needed, "diamond")):
        if queries is None or queries > numbers[-1] or queries < 2:
            continue
        chance = variance.power(queries)
        figure.add_scatter(
            x=[queries], y=[chance], mode="markers", showlegend=False,
            marker={"size": 12, "symbol": symbol, "color": colours.paper if word == "needed" else colours.accent,
                    "line": {"width": 2, "color": colours.accent}},
            hovertemplate=f"{word}: {count_text(queries)} queries, power {share_text(chance)}<extra></extra>",
        )  # fmt: skip
    return apply_frame(
        figure, colours, _VARIANCE_HEIGHT, "queries", "chance to find the difference", margin_t=26,
        xaxis={"rangemode": "tozero", "tickformat": ",d", "nticks": 6},
        yaxis={"range": [-0.02, 1.04], "tickformat": ".0%", "nticks": 6},
    )  # fmt: skip
