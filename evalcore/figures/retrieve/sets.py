"""Two overlapping sets in a collection, retrieved and relevant, and the queries that pull averages apart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.analyses import magnitude_decimals
from evalcore.classification import ConfusionCounts
from evalcore.figures import graph_objects as go
from evalcore.figures.theme import OUTCOMES, PLATE, Ink, apply_frame, letters_on
from evalcore.numeric import Array
from evalcore.wording import count_text, outcome_word, plotly_text, short_names, signed_number

__all__ = ["MOST_PULLS", "drawn_to_scale", "pull_figure", "sets_figure"]

MOST_PULLS = 12
"""Queries in the picture of pulls."""

_WIDE = 1.75  # width of the collection over its height
_MARGIN = 1.28  # room around the circles
_SMALL = 0.3  # of the collection's height that the circles must fill, to be drawn to scale with it
_TIGHT = 0.085  # of the picture's width, below which a region has no room for its count
_CORNERS = 181  # of a circle


@dataclass(frozen=True)
class Circles:
    """Two circles whose areas and overlap are proportional to two sets and their intersection.

    The centre of the retrieved set stands at 0, that of the relevant one at its right, `apart` from it.
    """

    retrieved: float
    relevant: float
    apart: float

    @property
    def left(self) -> float:
        """Its left end."""
        return min(-self.retrieved, self.apart - self.relevant)

    @property
    def right(self) -> float:
        """Its right end."""
        return max(self.retrieved, self.apart + self.relevant)

    @property
    def height(self) -> float:
        """Distance from the lowest to the highest point."""
        return 2 * max(self.retrieved, self.relevant)


def circles(counts: ConfusionCounts) -> Circles:
    """The circles of one query's sets, from counts of shape (); here half of each of two equal sets is shared."""
    first, second = (math.sqrt(float(area) / math.pi) for area in (counts.predicted_positives, counts.actual_positives))
    shared = float(counts.tp)
    if not shared:
        return Circles(first, second, (first + second) * 1.06)
    low, high = abs(first - second), first + second
    # The shared area only falls with the distance, so halving finds it.
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _lens(first, second, middle) > shared else (low, middle)
    inside = shared >= min(float(counts.predicted_positives), float(counts.actual_positives))
    return Circles(first, second, abs(first - second) if inside else high)


def _lens(first: float, second: float, apart: float) -> float:
    """Area that two circles share."""
    if apart >= first + second:
        return 0.0
    if apart <= abs(first - second):
        return math.pi * min(first, second) ** 2
    wide, narrow = _half_angles(first, second, apart)
    return first**2 * wide + second**2 * narrow - apart * first * math.sin(wide)


def _half_angles(first: float, second: float, apart: float) -> tuple[float, float]:
    """Half the angle of the arc of each of two circles inside the other."""
    near = (apart**2 + first**2 - second**2) / (2 * apart)
    wide, narrow = (max(-1.0, min(1.0, part / radius)) for part, radius in ((near, first), (apart - near, second)))
    return math.acos(wide), math.acos(narrow)


def circle_outline(centre: float, radius: float) -> Array:
    """Corners of a circle, shape (c, 2); none without a radius."""
    return _arc(centre, radius, 0, 2 * math.pi) if radius else np.empty((0, 2))


def _arc(centre: float, radius: float, start: float, end: float) -> Array:
    angle = np.linspace(start, end, _CORNERS)
    return np.column_stack([centre + radius * np.cos(angle), radius * np.sin(angle)])


def overlap_outline(pair: Circles) -> Array:
    """Corners of what the two circles share, shape (c, 2)."""
    first, second, apart = pair.retrieved, pair.relevant, pair.apart
    if apart >= first + second:
        return np.empty((0, 2))
    if apart <= abs(first - second):
        return circle_outline(0, first) if first <= second else circle_outline(apart, second)
    wide, narrow = _half_angles(first, second, apart)
    return np.vstack([_arc(0, first, -wide, wide), _arc(apart, second, math.pi - narrow, math.pi + narrow)])


def drawn_to_scale(every: Sequence[ConfusionCounts]) -> bool:
    """Whether a collection fits the scale of the sets of several pictures: neither too large for them nor too small."""
    (width, height), total = _extent(every), float(every[0].total)
    room = math.sqrt(total / _WIDE) if total > 0 else 0.0
    fits = room > 0 and width * 1.04 <= room * _WIDE and height * 1.04 <= room
    return fits and max(height, width / _WIDE) >= _SMALL * room


def sets_figure(counts: ConfusionCounts, colours: Ink, beside: Sequence[ConfusionCounts] = ()) -> go.Figure:
    """The retrieved and the relevant set as two circles in their collection; all areas are proportional.

    The counts are those of one table, nan outside both sets where the size of the collection is not known. The pictures
    of the counts `beside` it have the same scale.
    """
    every = [counts, *beside]
    scaled = drawn_to_scale(every)
    width, height = _extent(every)
    room = math.sqrt(float(counts.total) / _WIDE) if scaled else max(width * _MARGIN / _WIDE, height * _MARGIN, 1e-9)
    pair = circles(counts)
    middle = (pair.left + pair.right) / 2
    box = (middle - room * _WIDE / 2, middle + room * _WIDE / 2)
    figure = go.Figure()
    _add_collection(figure, counts, colours, box, room, scaled)
    first, second = circle_outline(0, pair.retrieved), circle_outline(pair.apart, pair.relevant)
    for outcome, outline in (("fp", first), ("fn", second), ("tp", overlap_outline(pair))):
        _add_region(figure, outline, outcome, counts)
    for outline in (first, second):
        if len(outline):
            figure.add_still_line(outline[:, 0], outline[:, 1], {"color": colours.text, "width": 1.5})
    _add_counts(figure, counts, pair, room * _WIDE)
    _add_names(figure, counts, pair, colours)
    hidden = {"visible": False, "fixedrange": True}
    across = [box[0] - 0.01 * room, box[1] + 0.01 * room]
    apply_frame(
        figure, colours, 0, xaxis={"range": across, **hidden}, dragmode=False, margin={"l": 2, "r": 2, "t": 2, "b": 2},
        yaxis={"range": [-0.51 * room, 0.51 * room], "scaleanchor": "x", "constrain": "domain", **hidden},
    )  # fmt: skip
    # Without a height of its own it fills its place, whose shape is that of the collection.
    return figure.update_layout(height=None)


def pull_figure(names: Sequence[str], pulls: Array, colours: Ink) -> go.Figure:
    """Pull of each query on the macro average away from the micro average, the strongest first; names are escaped."""
    order = np.argsort(-np.abs(np.nan_to_num(pulls)), kind="stable")[:MOST_PULLS]
    shown = [plotly_text(name) for name in short_names(names[int(index)] for index in order).values()]
    values, decimals = pulls[order].tolist(), magnitude_decimals(pulls)
    figure = go.Figure().add_bar(
        # Places, not names: two names may be one when they are cut short.
        x=values, y=list(range(len(order))), orientation="h", marker_color=colours.accent,
        customdata=[plotly_text(names[index]) for index in order], text=[signed_number(v, decimals) for v in values],
        textposition="outside", textfont={"size": 11, "color": colours.grey}, cliponaxis=False,
        hovertemplate="%{customdata}<br>pull %{text}<extra></extra>",
    )  # fmt: skip
    # Small pulls have long numbers, which need their room on a phone too.
    room = 1.5 + 0.1 * decimals
    reach = max((abs(value) for value in values if not math.isnan(value)), default=0) * room or 1
    zero = {"zeroline": True, "zerolinewidth": 2, "zerolinecolor": colours.grey}
    ticks = {"tickmode": "array", "tickvals": list(range(len(order))), "ticktext": shown}
    return apply_frame(
        figure, colours, 60 + 24 * len(order), x="← micro higher · pull · macro higher →", bargap=0.35,
        xaxis={"range": [-reach, reach], "nticks": 5, "tickformat": f".{decimals}~f", **zero},
        yaxis={"autorange": "reversed", "showgrid": False, **ticks},
    )  # fmt: skip


def _extent(every: Sequence[ConfusionCounts]) -> tuple[float, float]:
    """Width and height of the widest and the highest of several pairs of circles."""
    pairs = [circles(counts) for counts in every]
    return max(pair.right - pair.left for pair in pairs), max(pair.height for pair in pairs)


def _add_collection(
    figure: go.Figure, counts: ConfusionCounts, colours: Ink, box: tuple[float, float], room: float, scaled: bool
) -> None:
    figure.add_shape(
        type="rect", x0=box[0], x1=box[1], y0=-room / 2, y1=room / 2, layer="below", opacity=1,
        fillcolor=f"{OUTCOMES['tn']}29",
        line={"color": OUTCOMES["tn"], "width": 1.5, "dash": "solid" if scaled else "dot"},
    )  # fmt: skip
    rest = float(counts.tn)
    if not math.isnan(rest):
        figure.add_annotation(
            text=f"{count_text(rest)} {outcome_word('tn', rest)}", x=box[1], y=-room / 2, xanchor="right",
            yanchor="bottom", xshift=-6, yshift=4, showarrow=False, font={"color": colours.words["tn"], "size": 12},
        )  # fmt: skip


def _add_region(figure: go.Figure, outline: Array, outcome: str, counts: ConfusionCounts) -> None:
    """Add a region: errors as whole circles, the hits over both."""
    if not len(outline):
        return
    count = float(getattr(counts, outcome))
    hatch = {"shape": "/", "size": 7, "solidity": 0.42, "bgcolor": f"{OUTCOMES[outcome]}73"}
    figure.add_scatter(
        x=outline[:, 0], y=outline[:, 1], mode="lines", fill="toself", line={"width": 0}, fillcolor=OUTCOMES[outcome],
        hoveron="fills", hoverinfo="text", showlegend=False, text=f"{count_text(count)} {outcome_word(outcome, count)}",
        meta={"outcome": outcome}, **{} if outcome == "tp" else {"fillpattern": hatch | {"fgcolor": OUTCOMES[outcome]}},
    )  # fmt: skip


def _add_counts(figure: go.Figure, counts: ConfusionCounts, pair: Circles, width: float) -> None:
    """Add the count to each region with room for it."""
    begin, end = pair.apart - pair.relevant, pair.retrieved
    spans = {"tp": (max(begin, -pair.retrieved), min(end, pair.apart + pair.relevant))}
    apart = not float(counts.tp)
    spans["fp"] = (-pair.retrieved, pair.retrieved if apart else begin)
    spans["fn"] = (begin if apart else end, pair.apart + pair.relevant)
    for outcome, (left, right) in spans.items():
        count = float(getattr(counts, outcome))
        if not count or right - left < _TIGHT * width:
            continue
        ground = OUTCOMES["tp"] if outcome == "tp" else PLATE
        plate = {} if outcome == "tp" else {"bgcolor": f"{PLATE}DB", "borderpad": 3}
        figure.add_annotation(
            text=f"<b>{count_text(count)}</b>", x=(left + right) / 2, y=0, showarrow=False,
            font={"size": 15, "color": letters_on(ground)}, **plate,
        )  # fmt: skip


def _add_names(figure: go.Figure, counts: ConfusionCounts, pair: Circles, colours: Ink) -> None:
    """Add the name and size of each circle, at the end of a short line."""
    for centre, radius, side, text in (
        (0.0, pair.retrieved, -1, f"retrieved {count_text(float(counts.predicted_positives))}"),
        (pair.apart, pair.relevant, 1, f"relevant {count_text(float(counts.actual_positives))}"),
    ):
        if radius:
            angle = math.radians(128 if side < 0 else 52)
            figure.add_annotation(
                text=text, x=centre + radius * math.cos(angle), y=radius * math.sin(angle), ax=side * 18, ay=-14,
                xanchor="right" if side < 0 else "left", showarrow=True, arrowhead=0, arrowwidth=1,
                arrowcolor=colours.grey, font={"size": 12, "color": colours.text},
            )  # fmt: skip
