"""Forest plot: differences of two systems, each a dot with its interval on one scale, around the line of 0."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses.label_pairs import system_title
from evalcore.analyses.paired_comparison import Difference
from evalcore.figures.theme import Ink, framed
from evalcore.wording.escaping import plotly_text
from evalcore.wording.numbers import UNDEFINED, count_text, p_text

__all__ = ["ForestLine", "forest_figure", "pair_lines"]

ROW = 42
"""Pixels of a line: its words over its interval."""


@dataclass(frozen=True)
class ForestLine:
    """One difference under a title, which may come from a file and is escaped here.

    The dot is filled where the difference is more than chance; a strong title is bold.
    """

    difference: Difference
    title: str
    filled: bool
    strong: bool = False

    @property
    def text(self) -> str:
        """What is written at its right."""
        one = self.difference
        if np.isnan(one.estimate):
            return UNDEFINED
        return f"<b>{one.text}</b>" if np.isnan(one.low) else f"<b>{one.text}</b>  {one.bounds}"

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


def pair_lines(differences: Sequence[Difference], level: float, b: str | None = None) -> list[ForestLine]:
    """A line for each pair of systems, filled where the difference is more than chance at a level of confidence.

    Where all are compared with one, the line of `b` is bold and titles name the second system only.
    """
    lines = []
    for one in differences:
        both = f"{system_title(one.b, 18)} − {system_title(one.a, 18)}"
        title = both if b is None else system_title(one.b, 40)
        lines.append(ForestLine(one, title, one.p <= 1 - level + 1e-12, one.b == b))
    return lines


def forest_figure(lines: Sequence[ForestLine], sides: tuple[str, str], unit: str, colours: Ink) -> go.Figure:
    """One line per difference, the first at the top, over an axis that shows a unit.

    The sides say what lies left and right of 0: "A better", "B better". Names from a file are escaped here.
    """
    figure = go.Figure()
    span = _span([one.difference for one in lines])
    numbered = [(y, one) for y, one in enumerate(lines) if not np.isnan(one.difference.estimate)]
    for filled in (True, False):
        chosen = [(y, one) for y, one in numbered if one.filled == filled]
        colour, inside = (colours.accent, colours.accent) if filled else (colours.grey, colours.paper)
        figure.add_trace(
            go.Scatter(
                x=[np.clip(one.difference.estimate, *span) for _, one in chosen], y=[y for y, _ in chosen],
                mode="markers", error_x=_reach([one.difference for _, one in chosen], span, colour),
                marker={"size": 10, "color": inside, "line": {"color": colour, "width": 2}}, showlegend=False,
                text=[one.hover for _, one in chosen], hovertemplate="%{text}<extra></extra>",
            )
        )  # fmt: skip
    framed(figure, colours, height=ROW * len(lines) + 84, x=plotly_text(unit, 120))
    figure.add_vline(x=0, line={"color": colours.text, "width": 1})
    words = []
    for y, one in enumerate(lines):
        title = plotly_text(one.title, 44)
        words += [
            _words(0, "left", y, f"<b>{title}</b>" if one.strong else title, colours.text, colours.paper),
            _words(1, "right", y, one.text, colours.text if one.filled else colours.grey, colours.paper),
        ]
    for place, (anchor, side) in enumerate(zip(("right", "left"), sides, strict=True)):
        side = plotly_text(side, 24)
        words.append({
            "x": 0, "y": -0.95, "text": f"← {side}" if not place else f"{side} →", "showarrow": False,
            "xanchor": anchor, "xshift": -6 if not place else 6, "font": {"color": colours.grey, "size": 11},
        })  # fmt: skip
    figure.update_yaxes(range=[len(lines) - 0.55, -1.25], showticklabels=False, showgrid=False, showline=False)
    figure.update_xaxes(range=span, nticks=7, tickformat=".3~g")
    # All words at once: added one by one, each would have plotly check all those before it again.
    figure.update_layout(dragmode=False, annotations=words)
    return figure


def _words(x: float, anchor: str, y: int, text: str, colour: str, ground: str) -> dict:
    return {
        "x": x, "xref": "paper", "xanchor": anchor, "y": y - 0.4, "text": text, "showarrow": False,
        "font": {"color": colour, "size": 12}, "bgcolor": ground, "borderpad": 1,
    }  # fmt: skip


def _reach(differences: Sequence[Difference], span: tuple[float, float], colour: str) -> dict:
    """How far the bounds lie from the dots, inside the picture; where there are none nothing is drawn."""
    at = np.clip([one.estimate for one in differences], *span)
    above = np.nan_to_num(np.clip([one.high for one in differences], *span) - at)
    below = np.nan_to_num(at - np.clip([one.low for one in differences], *span))
    return {
        "type": "data", "symmetric": False, "color": colour, "thickness": 2, "width": 0,
        "array": np.maximum(above, 0), "arrayminus": np.maximum(below, 0),
    }  # fmt: skip


def _span(differences: Sequence[Difference]) -> tuple[float, float]:
    """From the lowest bound to the highest, 0 among them, with some air; infinite ones are cut off."""
    ends = np.array([end for one in differences for end in (one.estimate, one.low, one.high)])
    ends = ends[np.isfinite(ends)]
    low, high = min(float(ends.min(initial=0)), 0.0), max(float(ends.max(initial=0)), 0.0)
    # Room on both sides of 0 for the words over it.
    width = max(high - low, 0.02)
    return min(low - 0.06 * width, -0.3 * width), max(high + 0.06 * width, 0.3 * width)
