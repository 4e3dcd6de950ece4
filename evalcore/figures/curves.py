"""ROC and precision–recall curves as pictures: all systems over each other, the chosen one strong.

No figure here knows the threshold in use. A figure that changes is mounted anew by the browser and loses its zoom; the
ring that marks the threshold is laid over the figure instead. Each point of a curve carries its threshold and counts
in ``customdata`` and each curve its place in ``meta``, which is all that a click has to tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evalcore.classification import ThresholdTable, drawn_points, precision_recall_curve, prevalence, roc_curve
from evalcore.figures.numbers import share_text
from evalcore.figures.text import plotly_text
from evalcore.figures.theme import DASHES, Ink, framed
from evalcore.numeric import Array

HEIGHT, PIXELS = 430, 480
STRONG, THIN, FAINT = 2.6, 1.4, 1.0
LEGEND = 4
"""Of more systems than this a legend would take the room of the curves; a table has to say which line is which."""
DOTS = 40
"""Up to so many thresholds, each is a dot on the chosen curve."""
LINES = ("both", "interpolated", "as counted")
"""Ways to draw precision against recall."""

_RANGE = (-0.012, 1.012)
_HOVER = (
    "<b>%{meta.name}</b><br>threshold %{meta.rule} %{customdata[0]:.6~g}<br>"
    "TP %{customdata[1]:,.2~f} · FP %{customdata[2]:,.2~f}<br>FN %{customdata[3]:,.2~f} · TN %{customdata[4]:,.2~f}<br>"
)
_STROKES = {"solid": "", "dash": "9 5", "dot": "2 4", "dashdot": "9 4 2 4", "longdash": "14 6"}
_STROKES["longdashdot"] = "14 5 2 5"


@dataclass(frozen=True, eq=False)
class System:
    """One system as it is drawn.

    Attributes
    ----------
    name : str
        May come from a file.
    place : int
        Its place among all systems, which gives it its colour and dash everywhere.
    table : ThresholdTable
    thresholds : Array, shape (t,)
        Those of the table on the scale of the file.
    rule : str
        What a score has to be to the threshold to be called positive, "≥" or "≤".
    chosen : bool
        Whether it is the one the page is about.
    """

    name: str
    place: int
    table: ThresholdTable
    thresholds: Array
    rule: str = "≥"
    chosen: bool = False


def roc_figure(systems: Sequence[System], colours: Ink) -> go.Figure:
    """True positive rate against false positive rate, straight between distinct thresholds; the diagonal is guessing.

    Parameters
    ----------
    systems : sequence of System
        The chosen one is drawn over the others.
    colours : Ink
    """
    figure = go.Figure(_guessing([0, 1], [0, 1], colours))
    for system in _chosen_last(systems):
        curve = roc_curve(system.table)
        rows = drawn_points(curve.fpr, curve.tpr, PIXELS)
        hover = _HOVER + "false positive rate %{x:.1%} · recall %{y:.1%}<extra></extra>"
        shade = f"{colours.system(system.place)}12"
        area = {"fill": "tozeroy", "fillcolor": shade, "hoveron": "points"} if system.chosen else {}
        style = {"dots": system.chosen, "hovertemplate": hover} | area
        figure.add_trace(_line(system, rows, curve.fpr[rows], curve.tpr[rows], colours, **style))
    figure.add_annotation(x=0.66, y=0.66, text="guessing", textangle=-45, yshift=-10, **_label(colours))
    return _squared(figure, systems, colours, "false positive rate (fall-out)", "true positive rate (recall)")


def precision_recall_figure(systems: Sequence[System], colours: Ink, line: str = "both") -> go.Figure:
    """Precision against recall over the prevalence, which is what guessing gives.

    The interpolated line is the highest precision at any recall of at least as much: a step down after each point that
    holds it. It starts at recall 0 with the best precision there is, not at an invented 1.

    Parameters
    ----------
    systems : sequence of System
    colours : Ink
    line : {"both", "interpolated", "as counted"}
        "both" puts the counted sawtooth of the chosen system thinly behind the interpolated lines.
    """
    figure = go.Figure()
    for system in _chosen_last(systems):
        if line == "as counted" or (line == "both" and system.chosen):
            figure.add_trace(_sawtooth(system, colours, behind=line == "both"))
    if line != "as counted":
        figure.add_traces([_envelope(system, colours) for system in _chosen_last(systems)])
    for system in systems:
        if system.chosen:
            _add_prevalence(figure, float(prevalence(system.table.counts[0])), colours)
    return _squared(figure, systems, colours, "recall", "precision")


def compact(figure: go.Figure, x: str, y: str) -> go.Figure:
    """A copy of a curve for a place of the size of a stamp: three marks an axis, short titles, no words inside."""
    small = go.Figure(figure)
    few = {"tickvals": [0, 0.5, 1], "tickfont_size": 10, "title_font_size": 11, "title_standoff": 4}
    small.update_xaxes(title_text=x, **few)
    small.update_yaxes(title_text=y, **few)
    small.layout.annotations = ()
    return small.update_layout(showlegend=False, margin_t=10)


def line_sample(place: int, colours: Ink) -> str:
    """A short piece of the line of a system as SVG, for a table or a legend."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="24" viewBox="0 0 64 24">'
        f'<path d="M2 12H62" stroke="{colours.system(place)}" stroke-width="4" '
        f'stroke-dasharray="{_STROKES[_dash(place)]}"/></svg>'
    )


def _sawtooth(system: System, colours: Ink, behind: bool) -> go.Scatter:
    curve = precision_recall_curve(system.table)
    rows = drawn_points(curve.recall, curve.precision, PIXELS)
    style = {"hovertemplate": _HOVER + "recall %{x:.1%} · precision %{y:.1%}<extra></extra>"}
    if behind:
        style |= {"opacity": 0.55, "showlegend": False}
    trace = _line(system, rows + 1, curve.recall[rows], curve.precision[rows], colours, dots=system.chosen, **style)
    return trace.update(line_width=FAINT) if behind else trace


def _envelope(system: System, colours: Ink) -> go.Scatter:
    curve = precision_recall_curve(system.table)
    highest = curve.interpolated
    # A corner is where a recall is first reached; later rows of the same recall only have more false alarms.
    corners = np.flatnonzero((curve.precision == highest) & (np.diff(curve.recall, prepend=0.0) > 0))
    rows = corners[drawn_points(curve.recall[corners], highest[corners], PIXELS)]
    hover = _HOVER + "precision %{y:.1%} at recall %{x:.1%} or more<extra></extra>"
    # The line of one point more: from recall 0 the best precision of all holds until the first corner.
    x, y = np.append([0.0] * len(rows[:1]), curve.recall[rows]), np.append(highest[rows[:1]], highest[rows])
    return _line(system, np.append(rows[:1], rows) + 1, x, y, colours, hovertemplate=hover, line_shape="vh")


def _line(
    system: System, rows: np.ndarray, x: Array, y: Array, colours: Ink, dots: bool = False, **style: object
) -> go.Scatter:
    counts = system.table.counts[rows]
    name = plotly_text(system.name, limit=28)
    return go.Scatter(
        x=x,
        y=y,
        mode="lines+markers" if dots and len(rows) <= DOTS else "lines",
        marker={"size": 6},
        name=f"<b>{name}</b>" if system.chosen else name,
        legendrank=system.place,
        meta={"system": system.place, "name": name, "rule": system.rule},
        customdata=np.column_stack([system.thresholds[rows], counts.tp, counts.fp, counts.fn, counts.tn]),
        line={
            "color": colours.system(system.place),
            "width": STRONG if system.chosen else THIN,
            "dash": _dash(system.place),
        },
        **style,
    )


def _chosen_last(systems: Sequence[System]) -> list[System]:
    return sorted(systems, key=lambda system: system.chosen)


def _dash(place: int) -> str:
    return DASHES[place % len(DASHES)]


def _guessing(x: Sequence[float], y: Sequence[float], colours: Ink) -> go.Scatter:
    line = {"color": colours.grey, "width": 1, "dash": "dash"}
    return go.Scatter(x=x, y=y, mode="lines", line=line, opacity=0.7, hoverinfo="skip", showlegend=False)


def _add_prevalence(figure: go.Figure, share: float, colours: Ink) -> None:
    figure.add_trace(_guessing([0, 1], [share, share], colours))
    # Curves worth having lie above the line, so its label stands below it where there is room.
    side = {"yanchor": "top"} if share > 0.1 else {"yanchor": "bottom"}
    text = f"guessing: prevalence {share_text(share)}"
    figure.add_annotation(x=0.01, y=share, xanchor="left", text=text, **side, **_label(colours))


def _label(colours: Ink) -> dict:
    return {"showarrow": False, "font": {"color": colours.grey, "size": 11}}


def _squared(figure: go.Figure, systems: Sequence[System], colours: Ink, x: str, y: str) -> go.Figure:
    framed(figure, colours, HEIGHT, x, y)
    shares = {"range": _RANGE, "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1], "tickformat": ".1~f"}
    figure.update_xaxes(**shares)
    figure.update_yaxes(**shares)
    # The buttons get a strip of their own, or they would lie over the best part of the curves.
    return figure.update_layout(
        margin_t=26,
        showlegend=1 < len(systems) <= LEGEND,
        legend={"yref": "container", "y": 0, "yanchor": "bottom"},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": colours.grey, "activecolor": colours.text},
        hoverdistance=30,
    )
