"""Systems as lines over each other: colours and dashes, hover texts, and how many points are drawn.

No figure here knows the threshold in use. A figure that changes is mounted anew by the browser and loses its zoom; the
ring that marks the threshold is laid over the figure instead. Each point of a line carries its threshold and counts in
``customdata`` and each line its index in ``meta``, which is all that a click has to tell.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.analyses.curves.curves import LEGEND
from evalcore.classification import ThresholdTable
from evalcore.classification.binary.curves import FEW
from evalcore.figures import graph_objects as go
from evalcore.figures.theme import DASHES, Ink, apply_frame
from evalcore.numeric import Array, ratio
from evalcore.wording.escaping import plotly_text

__all__ = ["System", "line_samples"]

PIXELS = 560
DOTS = 40  # up to so many thresholds, each is a dot on the chosen curve
MEANS = {-1: "dot", -2: "dash"}  # how the lines of the micro and of the macro average are broken
_STROKES: dict[str, str] = dict(zip(DASHES, ("", "9 5", "2 4", "9 4 2 4", "14 6", "14 5 2 5"), strict=True))
_HOVER = (
    "<b>%{meta.name}</b><br>threshold %{meta.rule} %{customdata[0]:.6~g}<br>"
    "TP %{customdata[1]:,.2~f} of %{meta.positives:,.2~f}<br>FP %{customdata[2]:,.2~f} of %{meta.negatives:,.2~f}<br>"
)


@dataclass(frozen=True, eq=False)
class System:
    """A system to draw, in the colour and dash of its index; its name may be unescaped text from a file."""

    name: str
    index: int
    table: ThresholdTable
    chosen: bool = False

    def line(
        self, rows: np.ndarray, x: Array, y: Array, colours: Ink, hover: str, *more: Array, **style: object
    ) -> go.Scatter:
        """Line through rows of the threshold table; `more`, shape (m,), are further columns of customdata."""
        counts, end, thresholds = self.table.counts[rows], self.table.counts[-1], self.table.thresholds[rows]
        name = plotly_text(self.name, limit=28)
        # Where points were left out, a line has no more digits than a picture can show; thresholds keep all of theirs.
        kind = np.float32 if len(self.table) > FEW else np.float64
        return go.Scatter(
            x=x.astype(kind), y=y.astype(kind), name=f"<b>{name}</b>" if self.chosen else name, legendrank=self.index,
            mode="lines+markers" if self.chosen and len(rows) <= DOTS else "lines", marker={"size": 6},
            meta={
                "system": self.index, "name": name, "rule": "≥" if self.table.higher_is_positive else "≤",
                "positives": float(end.actual_positives), "negatives": float(end.actual_negatives),
            },
            customdata=np.column_stack([thresholds, counts.tp, counts.fp, *more]),
            line={"color": colours.system(self.index), "width": 2.6 if self.chosen else 1.4, "dash": dash(self.index)},
            hovertemplate=f"{_HOVER}{hover}<extra></extra>", **style,
        )  # fmt: skip

    def rates(self, rows: np.ndarray) -> tuple[Array, Array]:
        """False positive rate and recall at some rows of the table."""
        counts, end = self.table.counts[rows], self.table.counts[-1]
        return ratio(counts.fp, end.actual_negatives), ratio(counts.tp, end.actual_positives)


def fineness(systems: Sequence[System]) -> tuple[int, float]:
    """Pixels of a picture, and from point to point of a long line: all lines together send about as much as three."""
    return PIXELS, max(2.0, 1.0 * len(systems))


def drawn(systems: Sequence[System]) -> list[System]:
    """Order in which systems are drawn, the chosen one last."""
    return sorted(systems, key=lambda system: system.chosen)


def chosen_of(systems: Sequence[System]) -> System | None:
    """The chosen system of the page; None if it is not among these."""
    return next((system for system in systems if system.chosen), None)


def dash(index: int) -> str:
    """Dash pattern of the line of the system at an index."""
    return DASHES[index % len(DASHES)]


def line_samples(systems: Sequence[str], subset: Sequence[str], averages: int, colours: Ink) -> list[str]:
    """Samples of the lines of systems and of averages as image addresses; empty for systems without a curve."""
    indices = [index if name in subset else None for index, name in enumerate(systems)]
    samples = ["" if index is None else line_sample(index, colours) for index in [*indices, *[-1, -2][:averages]]]
    return [f"data:image/svg+xml;base64,{b64encode(one.encode()).decode()}" if one else "" for one in samples]


def line_sample(index: int, colours: Ink) -> str:
    """Sample of the line of a system as SVG; index −1 is the micro and −2 the macro average."""
    colour, broken = (colours.system(index), dash(index)) if index >= 0 else (colours.text, MEANS[index])
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="24" viewBox="0 0 64 24">'
        f'<path d="M2 12H62" stroke="{colour}" stroke-width="4" stroke-dasharray="{_STROKES[broken]}"/></svg>'
    )


def guessing(x: Sequence[float], y: Sequence[float], colours: Ink) -> go.Scatter:
    """The dashed line of guessing."""
    line = {"color": colours.grey, "width": 1, "dash": "dash"}
    return go.Scatter(x=x, y=y, mode="lines", line=line, opacity=0.7, hoverinfo="skip", showlegend=False)


def diagonal(colours: Ink) -> go.Figure:
    """A figure with the line of guessing from corner to corner, and its name."""
    figure = go.Figure(guessing([0, 1], [0, 1], colours))
    return figure.add_annotation(x=0.66, y=0.66, text="guessing", textangle=-45, yshift=-10, **label(colours))


def label(colours: Ink) -> dict:
    """Style of a word inside a figure."""
    return {"showarrow": False, "font": {"color": colours.grey, "size": 11}}


def frame_square(
    figure: go.Figure, systems: Sequence[System], colours: Ink, x: str, y: str, **layout: Any
) -> go.Figure:
    """A frame with two axes of shares and the legend below; `layout` is what a picture wants otherwise."""
    shares = {"range": (-0.012, 1.012), "nticks": 6}
    has_legend = 1 < len(systems) <= LEGEND
    # The buttons get a strip of their own, or they would lie over the best part of the curves. At the other sides most
    # labels find the room that they need, so that Plotly does not draw everything again to make it.
    margin = {"t": 26, "l": 60, "r": 18, "b": 82 if has_legend else 52}
    return apply_frame(
        figure, colours, 430, x, y, xaxis=shares, yaxis=shares, margin=margin, hoverdistance=30,
        showlegend=has_legend, legend={"yref": "container", "y": 0, "yanchor": "bottom"},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": colours.grey, "activecolor": colours.text},
    ).update_layout(**layout)  # fmt: skip
