"""Forest plots: estimates with their intervals, one line each: differences of two systems, and a measure by group."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from evalcore.analyses import Difference, Margin, Subgroups, system_titles
from evalcore.analyses.subgroups import FEW
from evalcore.figures import graph_objects as go
from evalcore.figures.systems import label
from evalcore.figures.theme import PERCENT_TICKS, Ink, apply_frame
from evalcore.numeric import Array
from evalcore.registry import MetricDef
from evalcore.wording import UNDEFINED, count_text, p_text, plotly_text, range_text, short_names, value_text

__all__ = ["ForestLine", "forest_figure", "groups_figure", "pair_lines"]

# Pixels of a line with its words over its interval, and of a group, as tall as its row in the table beside it.
LINE, GROUP = 42, 46
_ACROSS = 48  # letters that a phone has across


@dataclass(frozen=True)
class ForestLine:
    """One difference under its title, which is escaped here; the dot is filled where it is more than chance."""

    difference: Difference
    title: str
    filled: bool
    strong: bool = False
    limits: tuple[float, ...] = ()  # of a margin: where a dashed line is drawn through the line

    @property
    def text(self) -> str:
        """Text at the right of the line."""
        one = self.difference
        if np.isnan(one.estimate):
            return UNDEFINED
        return f"<b>{one.text}</b>{'' if np.isnan(one.low) else f'  {one.bounds}'}"

    @property
    def ends(self) -> tuple[float, float, float]:
        """The difference and its bounds."""
        return self.difference.estimate, self.difference.low, self.difference.high

    @property
    def hover(self) -> str:
        """The two values, the difference and its test."""
        one, test = self.difference, self.difference.test
        corrected = "" if np.isnan(one.corrected) else f", corrected {p_text(one.corrected)}"
        record = "<br>{} won, {} tied, {} lost".format(*map(count_text, one.record)) if one.record else ""
        return (
            f"<b>{plotly_text(self.title, 80)}</b><br>{' → '.join(one.values)}<br>{one.text} ({one.bounds})<br>"
            f"{p_text(test.p_value)}{corrected}<br>{test.method}<br>n = {count_text(test.n)}{record}"
        )


def pair_lines(
    differences: Sequence[Difference], level: float, b: str | None = None, margin: Margin | None = None
) -> list[ForestLine]:
    """One line per pair of systems, filled if significant; compared with one system, titles name the second only."""
    short = system_titles([name for one in differences for name in (one.a, one.b)], 11 if b is None else 22)
    titles = [f"{short[one.b]} − {short[one.a]}" if b is None else short[one.b] for one in differences]
    return [
        ForestLine(one, title, one.p <= 1 - level + 1e-12, one.b == b, (margin or Margin()).limits(one))
        for one, title in zip(differences, titles, strict=True)
    ]


def forest_figure(lines: Sequence[ForestLine], sides: tuple[str, str], unit: str, colours: Ink) -> go.Figure:
    """One line per difference, the first at the top, over an axis that shows a unit.

    The sides say what lies left and right of 0: "A better", "B better". Ratios have a logarithmic axis around 1; beside
    differences they have words and no dot. Names from a file are escaped here.
    """
    figure = go.Figure()
    ratios = bool(lines) and all(one.difference.is_ratio for one in lines)
    drawn = [one for one in lines if one.difference.is_ratio == ratios]
    span = _span(drawn, max(map(len, sides)), ratios)
    shown = (10 ** span[0], 10 ** span[1]) if ratios else span
    numbered = [(y, one) for y, one in enumerate(lines) if one in drawn and not np.isnan(one.difference.estimate)]
    for filled, colour, inside in ((True, colours.accent, colours.accent), (False, colours.grey, colours.paper)):
        chosen = [(y, one) for y, one in numbered if one.filled == filled]
        ends = np.array([one.ends for _, one in chosen]).reshape(-1, 3)
        words = [one.hover for _, one in chosen]
        figure.add_trace(_dots(np.clip(ends.T, *shown), [y for y, _ in chosen], inside, colour, words))
    figure.add_vline(x=1 if ratios else 0, line={"color": colours.text, "width": 1})
    for y, one in enumerate(lines):
        for limit in one.limits if one in drawn else ():
            dashed = {"color": colours.grey, "width": 2, "dash": "dash"}
            figure.add_shape(type="line", x0=limit, x1=limit, y0=y - 0.5, y1=y + 0.5, line=dashed)
        # The symbol of its measure where a phone has no room for both.
        is_long = len(one.title) + len(one.text) - len("<b></b>") > _ACROSS and one.title == one.difference.heading
        title = plotly_text(one.difference.measure.label if is_long else one.title, 26)
        title = f"<b>{title}</b>" if one.strong else title
        shade = colours.text if one.filled else colours.grey
        for x, anchor, text, colour in ((0, "left", title, colours.text), (1, "right", one.text, shade)):
            figure.add_annotation(
                x=x, xref="paper", xanchor=anchor, y=y - 0.4, text=text, showarrow=False, bgcolor=colours.paper,
                font={"color": colour, "size": 11}, borderpad=1,
            )  # fmt: skip
    left, right = (plotly_text(side, 24) for side in sides)
    for text, anchor, shift in ((f"← {left}", "right", -6), (f"{right} →", "left", 6)):
        figure.add_annotation(x=0, y=-0.95, text=text, xanchor=anchor, xshift=shift, **label(colours))
    return apply_frame(
        figure, colours, LINE * len(lines) + 84, plotly_text(unit, 120), dragmode=False,
        xaxis={"range": span, "nticks": 7} | ({"type": "log", "tickformat": ".3~g"} if ratios else {}),
        yaxis={"range": [len(lines) - 0.55, -1.25], "showticklabels": False, "showgrid": False, "showline": False},
    )  # fmt: skip


def _dots(ends: Array, y: Sequence[int] | np.ndarray, fill: object, colour: str, words: Sequence[str]) -> go.Scatter:
    """Estimates and their bounds, if any, to draw as dots with lines, shape (3, n)."""
    estimate, low, high = ends
    above, below = (np.maximum(np.nan_to_num(reach), 0) for reach in (high - estimate, estimate - low))
    lengths = {"type": "data", "symmetric": False, "array": above, "arrayminus": below}
    return go.Scatter(
        x=estimate, y=y, mode="markers", error_x=lengths | {"color": colour, "thickness": 2, "width": 0},
        marker={"size": 10, "color": fill, "line": {"color": colour, "width": 2}}, showlegend=False,
        text=words, hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip


def _span(lines: Sequence[ForestLine], letters: int, ratios: bool) -> tuple[float, float]:
    """Range of finite bounds with 0 and room for a word of so many letters; of ratios, logarithms to base 10."""
    ends = np.array([end for one in lines for end in (*one.ends, *one.limits)])
    if ratios:
        ends = np.log10(ends[ends > 0])
    ends = ends[np.isfinite(ends)]
    low, high = min(float(ends.min(initial=0)), 0.0), max(float(ends.max(initial=0)), 0.0)
    width, share = max(high - low, 0.02), min((letters + 3) / _ACROSS, 0.45)
    room = 1.06 * width * share / (1 - share)
    return min(low - 0.06 * width, -room), max(high + 0.06 * width, room)


def groups_figure(groups: Subgroups, measure: MetricDef, colours: Ink) -> go.Figure:
    """One line per group: a dot with its interval, filled beyond chance and grey with too few rows; and all rows."""
    interval, rows = groups.rate(measure, groups.shown)
    names, whole = groups.names[: groups.shown], groups.of_all(measure)[0]
    differs, few = groups.differs(measure), rows < FEW
    figure, write = go.Figure(), partial(value_text, measure)
    indices, ends = np.arange(len(names)), np.array([interval.estimate, interval.low, interval.high])
    for grey in (True, False):
        chosen = indices[(few == grey) & ~np.isnan(interval.estimate)]
        colour = colours.grey if grey else colours.accent
        fill = [colour if differs[index] else colours.paper for index in chosen]
        words = [_hover(names[index], ends[:, index], float(rows[index]), write) for index in chosen]
        figure.add_trace(_dots(ends[:, chosen], chosen, fill, colour, words))
    if not math.isnan(whole):
        figure.add_vline(x=whole, line={"color": colours.grey, "width": 1, "dash": "dash"})
        figure.add_annotation(x=whole, y=-0.75, text=f"all {write(whole)}", bgcolor=colours.paper, **label(colours))
    for y in indices[np.isnan(interval.estimate)]:
        figure.add_annotation(x=0.5, xref="x domain", y=y, text="undefined", **label(colours))
    known = np.append(ends, whole)
    low, high = (0.0, 1.0) if np.isnan(known).all() else (float(np.nanmin(known)), float(np.nanmax(known)))
    air = 0.06 * max(high - low, 0.02)
    across = {"range": [max(low - air, -0.02), min(high + air, 1.02)], "nticks": 6}
    return apply_frame(
        figure, colours, GROUP * len(names) + 76, measure.name, dragmode=False,
        xaxis=across | (PERCENT_TICKS if measure.percent else {}),
        yaxis={
            "range": [len(names) - 0.5, -1.1], "tickvals": indices, "showgrid": False,
            "ticktext": [*map(plotly_text, short_names(names).values())], "tickfont": {"color": colours.text},
        },
    )  # fmt: skip


def _hover(name: str, ends: Array, n: float, write: Callable[[float], str]) -> str:
    estimate, low, high = ends.tolist()
    bounds = "no interval" if np.isnan(low) else range_text(write(low), write(high))
    return f"<b>{plotly_text(name, 60)}</b><br>{write(estimate)} ({bounds})<br>n = {count_text(n)}"
