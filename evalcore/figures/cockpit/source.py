"""What the cockpit runs in the browser: scripts and rules of style, read by the pages and by a report."""

import json
from pathlib import Path

import numpy as np
import plotly.graph_objects as go

from evalcore.analyses import OperatingPoint, Scores
from evalcore.classification import score_axis, score_bars
from evalcore.figures.base.colours import OUTCOMES
from evalcore.figures.base.theme import HATCHES, Ink, framed
from evalcore.wording import count_text, outcome_word, plotly_text

__all__ = ["CAMERA", "ELEMENT", "PICTURE", "THRESHOLD", "THRESHOLD_STYLE", "add_point"]
__all__ += ["cockpit_ink", "cockpit_program", "densities_figure", "text_of_files"]


_FOLDER = Path(__file__).with_name("program")

ELEMENT, PICTURE, CAMERA = (str(_FOLDER / name) for name in ("element.js", "picture.js", "camera.css"))
"""What several components share: elements and names of measures as links, a saved picture, its button."""

THRESHOLD = tuple(str(_FOLDER / "threshold" / f"{part}.js") for part in ("drawing", "drag"))

THRESHOLD_STYLE = str(_FOLDER / "threshold" / "picture.css")
"""Scores of both classes with a line that cuts them and the curves it runs on, as several components draw them."""

_PARTS = tuple(str(_FOLDER / f"{part}.js") for part in ("layout", "numbers", "main"))


def text_of_files(*files: str) -> str:
    """The text of some files as one."""
    return "".join(Path(file).read_text(encoding="utf-8") for file in files)


def cockpit_program() -> tuple[str, str]:
    """The script of the cockpit, a module that exports a function of the component, and its rules of style.

    >>> program, style = cockpit_program()
    >>> program.count("export default"), ".cockpit" in style
    (1, True)
    """
    style = text_of_files(THRESHOLD_STYLE)
    # One program of many files; the rules of style go along, so that a saved picture looks the same.
    program = text_of_files(ELEMENT, PICTURE, *THRESHOLD, *_PARTS)
    return f"{program}\nconst STYLE = {json.dumps(style)}\n", style + text_of_files(CAMERA)


_HEIGHT = 300


def cockpit_ink(colours: Ink, lines: int, turned: bool) -> dict:
    """The colours of the cockpit as its script takes them, of so many lines of measures; turned, actual is in rows."""
    named = {name: getattr(colours, name) for name in ("text", "grey", "grid", "accent", "paper")}
    words = {f"{cell}-word": colour for cell, colour in colours.words.items()}
    return {
        "colours": named | OUTCOMES | words,
        "lines": [colours.system(index) for index in range(lines)],
        "turned": turned,
    }


def densities_figure(scores: Scores, threshold: float, colours: Ink) -> go.Figure:
    """The scores of actual positives upwards and of actual negatives downwards, cut into outcomes at a threshold."""
    axis = score_axis(scores.scored)
    bars, cut = score_bars(scores.scored, axis), float(axis.x([threshold])[0])
    counts, figure = scores.counts_at(threshold), go.Figure()
    for outcome in ("tp", "fn", "fp", "tn"):
        sign = 1 if outcome in ("tp", "fn") else -1
        # Called positive lies on the side of the threshold where scores speak for it.
        right = (outcome in ("tp", "fp")) == scores.higher
        left_ends = np.maximum(bars.left, cut) if right else bars.left
        right_ends = bars.right if right else np.minimum(bars.right, cut)
        inside = right_ends > left_ends
        heights = sign * (bars.positives if sign > 0 else bars.negatives)[inside]
        count = float(getattr(counts, outcome))
        pattern = {
            "shape": HATCHES[outcome],
            "fillmode": "overlay",
            "fgcolor": colours.paper,
            "size": 6,
            "solidity": 0.25,
        }
        figure.add_bar(
            x=((left_ends + right_ends) / 2)[inside], y=heights, width=(right_ends - left_ends)[inside],
            marker={"color": OUTCOMES[outcome], "line": {"width": 0}, "pattern": pattern}, hoverinfo="skip",
            name=f"{count_text(count)} {outcome_word(outcome, count)} ({outcome.upper()})",
        )  # fmt: skip
    ticks = axis.ticks()
    highest = float(max(bars.positives.max(initial=0), bars.negatives.max(initial=0))) or 1.0
    framed(figure, colours, _HEIGHT, plotly_text(scores.system), "rows", barmode="overlay", bargap=0, showlegend=True)
    figure.add_hline(y=0, line={"color": colours.grey, "width": 1})
    figure.add_vline(x=cut, line={"color": colours.text, "width": 2})
    figure.add_annotation(
        x=cut, y=1, yref="paper", yanchor="top", xanchor="left", xshift=6, showarrow=False,
        text=f"<b>{scores.text(threshold)}</b>", bgcolor=colours.paper, font={"size": 12, "color": colours.text},
    )  # fmt: skip
    figure.update_xaxes(range=[0, 1], tickvals=axis.x(ticks), ticktext=[scores.text(float(t)) for t in ticks])
    return figure.update_yaxes(range=[-1.12 * highest, 1.12 * highest], showticklabels=False, showgrid=False)


def add_point(figure: go.Figure, plane: str, scores: Scores, threshold: float, colours: Ink) -> go.Figure:
    """Mark a threshold on the curve of a plane, "roc" or "pr", where it has a place there."""
    x, y = OperatingPoint(scores, threshold).coordinates[plane]
    marker = {"symbol": "circle", "size": 11, "color": colours.paper, "line": {"color": colours.text, "width": 3}}
    return figure.add_scatter(
        x=[x], y=[y], mode="markers", marker=marker, showlegend=False, cliponaxis=False, hoverinfo="skip"
    )
