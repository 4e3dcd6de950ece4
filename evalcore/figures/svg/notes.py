"""Annotations and shapes of a figure in SVG."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from evalcore.figures.svg.axis import Axis
from evalcore.figures.svg.lines import DASHES
from evalcore.figures.svg.paint import paint
from evalcore.figures.svg.words import lines_of, text_element, width_of

__all__ = ["annotation", "shape"]

Box = tuple[float, float, float, float]
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


def _where(value: Any, ref: str, axes: Mapping[str, Axis], box: Box, across: bool) -> float:
    """The pixel of a place that is told on an axis, as a share of an axis, or as a share of the whole picture."""
    if ref == "paper":
        return box[0] + value * (box[2] - box[0]) if across else box[3] - value * (box[3] - box[1])
    name, _, domain = ref.partition(" ")
    axis = axes[name]
    if domain:
        return axis.start + value * (axis.end - axis.start)
    if isinstance(value, str):
        return float(axis.pixels([value])[0])
    # On a logarithmic axis Plotly takes the power of ten for words, and values for shapes.
    return float(axis.place(float(value)))


def annotation(of: Mapping[str, Any], axes: Mapping[str, Axis], box: Box) -> str:
    """Words at a place, with an arrow to it where there is one."""
    if of.get("visible") is False or not of.get("text"):
        return ""
    x = _where(of.get("x", 0.5), str(of.get("xref") or "x"), axes, box, True)
    y = _where(of.get("y", 0.5), str(of.get("yref") or "y"), axes, box, False)
    if not np.isfinite([x, y]).all():
        return ""
    x, y = x + float(of.get("xshift") or 0), y - float(of.get("yshift") or 0)
    font = of.get("font") or {}
    size, text = float(font.get("size") or 12), str(of["text"])
    arrow = ""
    if of.get("showarrow") is not False:
        end = x + (-10.0 if of.get("ax") is None else float(of["ax"])), y + float(of.get("ay") or -30)
        colour = paint("stroke", of.get("arrowcolor") or font.get("color") or "#1B2430")
        arrow = f'<path d="M{x:.1f} {y:.1f}L{end[0]:.1f} {end[1]:.1f}" fill="none"{colour}/>'
        x, y = end
    lines = [plain for _, plain in lines_of(text)]
    wide, tall = max(width_of(line, size) for line in lines), 1.3 * size * len(lines)
    side = of.get("xanchor") or "auto"
    if side == "auto":
        far = of.get("xref") == "paper" and of.get("showarrow") is False
        side = "left" if far and of["x"] < 1 / 3 else "right" if far and of["x"] > 2 / 3 else "center"
    up = of.get("yanchor") or "auto"
    if up == "auto":
        far = of.get("yref") == "paper" and of.get("showarrow") is False
        up = "bottom" if far and of["y"] < 1 / 3 else "top" if far and of["y"] > 2 / 3 else "middle"
    turn = float(of.get("textangle") or 0)
    top = y - {"top": 0.0, "middle": tall / 2, "bottom": tall}[up]
    left = x - {"left": 0.0, "center": wide / 2, "right": wide}[side]
    ground = ""
    if of.get("bgcolor") and not turn:
        # Bold letters are wider, and faces differ: no letter may stand on what lies behind the ground.
        room = 3 + wide * (0.1 if "<b>" in text or font.get("weight") else 0.04)
        size_of = f'width="{wide + 2 * room:.1f}" height="{tall:.1f}"'
        ground = f'<rect x="{left - room:.1f}" y="{top:.1f}" {size_of}{paint("fill", of["bgcolor"])}/>'
    first = top + 0.65 * size
    words = text_element(
        x, y if turn and len(lines) == 1 else first, text, size=size, colour=str(font.get("color") or ""),
        anchor=_ANCHORS[side], turn=turn, align=str(of.get("align") or ""),
    )  # fmt: skip
    opacity = float(of.get("opacity") or 1)
    return f'<g opacity="{opacity:g}">{ground}{arrow}{words}</g>' if opacity < 1 else f"{ground}{arrow}{words}"


def shape(of: Mapping[str, Any], axes: Mapping[str, Axis], box: Box) -> str:
    """A line, a rectangle or a path."""
    refs = str(of.get("xref") or "x"), str(of.get("yref") or "y")
    line = of.get("line") or {}
    width = 2.0 if line.get("width") is None else float(line["width"])
    dash = f' stroke-dasharray="{DASHES[line["dash"]]}"' if line.get("dash") in DASHES else ""
    looks = f'{paint("stroke", line.get("color") or "#444444")} stroke-width="{width:g}"{dash}' if width else ""
    opacity = float(of.get("opacity") or 1)
    looks += f' opacity="{opacity:g}"' if opacity < 1 else ""
    fill = paint("fill", of.get("fillcolor"))
    if of.get("type") == "path":
        return f'<path d="{_path(str(of["path"]), refs, axes, box)}"{fill}{looks}/>'
    x = [_where(_placed(of[end], refs[0], axes), refs[0], axes, box, True) for end in ("x0", "x1")]
    y = [_where(_placed(of[end], refs[1], axes), refs[1], axes, box, False) for end in ("y0", "y1")]
    if not np.isfinite([*x, *y]).all():
        return ""
    if of.get("type") == "line":
        return f'<path d="M{x[0]:.1f} {y[0]:.1f}L{x[1]:.1f} {y[1]:.1f}" fill="none"{looks}/>'
    size = f'width="{abs(x[1] - x[0]):.1f}" height="{abs(y[1] - y[0]):.1f}"'
    if of.get("type") == "circle":
        middle = f'cx="{sum(x) / 2:.1f}" cy="{sum(y) / 2:.1f}"'
        return f'<ellipse {middle} rx="{abs(x[1] - x[0]) / 2:.1f}" ry="{abs(y[1] - y[0]) / 2:.1f}"{fill}{looks}/>'
    return f'<rect x="{min(x):.1f}" y="{min(y):.1f}" {size}{fill}{looks}/>'


def _placed(value: Any, ref: str, axes: Mapping[str, Axis]) -> Any:
    """A value of a shape as `_where` reads it: on a logarithmic axis its power of ten."""
    axis = axes.get(ref)
    return float(np.log10(value)) if axis is not None and axis.log and not isinstance(value, str) else value


def _path(path: str, refs: tuple[str, str], axes: Mapping[str, Axis], box: Box) -> str:
    """A path of data in pixels; only M, L and Z with pairs joined by a comma, as ours are."""

    def placed(match: re.Match[str]) -> str:
        x = _where(float(match[1]), refs[0], axes, box, True)
        y = _where(float(match[2]), refs[1], axes, box, False)
        return f"{x:.1f} {y:.1f}"

    return re.sub(r"(-?[\d.]+(?:e-?\d+)?),(-?[\d.]+(?:e-?\d+)?)", placed, path)
