"""Lines, areas and the reach of intervals in SVG."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evalcore.figures.svg.axis import Axis, numbers_of
from evalcore.figures.svg.hatches import Hatches
from evalcore.figures.svg.markers import markers, texts_beside
from evalcore.figures.svg.paint import paint
from evalcore.numeric import Array

__all__ = ["DASHES", "path_of", "room_of_scatter", "scatter"]

DASHES = {"dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3", "longdash": "11 4", "longdashdot": "11 3 2 3"}


def room_of_scatter(trace: Mapping[str, Any], x: Axis, y: Axis) -> None:
    """Make room for lines and markers on their axes."""
    across, up = x.along(trace.get("x")), y.along(trace.get("y"))
    dots = "markers" in _mode(trace)
    x.widen(across, dots)
    y.widen(up, dots)
    y.from_zero |= trace.get("fill") == "tozeroy"


def _mode(trace: Mapping[str, Any]) -> str:
    return trace.get("mode") or ("lines+markers" if len(numbers_of(trace.get("x"))) < 20 else "lines")


def scatter(trace: Mapping[str, Any], x: Axis, y: Axis, hatches: Hatches, before: Sequence[Array]) -> str:
    """Lines, areas, markers and texts; `before` is the line that `tonexty` fills to, in pixels."""
    across, up = x.pixels(trace.get("x")), y.pixels(trace.get("y"))
    opacity, mode, parts = float(trace.get("opacity") or 1), _mode(trace), []
    line = trace.get("line") or {}
    shape = line.get("shape") or "linear"
    if fill := trace.get("fill"):
        parts.append(_area(trace, fill, across, up, shape, y, hatches, before))
    for name in ("error_x", "error_y"):
        if bars_of := trace.get(name):
            parts.append(_errors(trace, bars_of, x, y, name == "error_x"))
    if "lines" in mode and (line.get("width") is None or line["width"] > 0):
        dash = f' stroke-dasharray="{DASHES[line["dash"]]}"' if line.get("dash") in DASHES else ""
        looks = f'{paint("stroke", line.get("color") or "#444444")} stroke-width="{line.get("width") or 2:g}"'
        parts.append(f'<path d="{path_of(across, up, shape)}" fill="none"{looks}{dash} stroke-linejoin="round"/>')
    if "markers" in mode:
        parts.append(markers(trace, across, up))
    if "text" in mode:
        parts.append(texts_beside(trace, across, up))
    body = "".join(parts)
    return f'<g opacity="{opacity:g}">{body}</g>' if opacity < 1 else body


def path_of(x: Array, y: Array, shape: str = "linear") -> str:
    """A line through points in pixels, interrupted where one is unknown; steps go across first ("hv") or up ("vh").

    >>> import numpy as np
    >>> path_of(np.array([0, 10, 20.0]), np.array([0, 0, 5.0])), path_of(np.array([0, 9.0]), np.array([1, 2.0]), "hv")
    ('M0 0L10 0L20 5', 'M0 1H9V2')
    """
    parts, pen, last = [], False, ""
    for left, top in zip(np.round(x, 1).tolist(), np.round(y, 1).tolist(), strict=True):
        if left != left or top != top:
            pen = False
            continue
        point = f"{left:g} {top:g}"
        if pen and point == last:
            continue
        if not pen:
            parts.append(f"M{point}")
        elif shape == "hv":
            parts.append(f"H{left:g}V{top:g}")
        elif shape == "vh":
            parts.append(f"V{top:g}H{left:g}")
        else:
            parts.append(f"L{point}")
        pen, last = True, point
    return "".join(parts)


def _area(
    trace: Mapping[str, Any], fill: str, x: Array, y: Array, shape: str, axis: Axis, hatches: Hatches,
    before: Sequence[Array],
) -> str:  # fmt: skip
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return ""
    # What goes round itself may be in several pieces; what lies over another line is one.
    path = path_of(x, y, shape) if fill == "toself" else path_of(x[known], y[known], shape)
    if fill == "toself":
        path = path.replace("M", "ZM")[1:]
    elif fill == "tonexty" and len(before):
        path += path_of(before[0][::-1], before[1][::-1]).replace("M", "L")
    else:
        zero = float(axis.place(0.0))
        path += f"V{zero:.1f}H{x[known][0]:.1f}"
    pattern = trace.get("fillpattern") or {}
    colour = trace.get("fillcolor") or f"{(trace.get('line') or {}).get('color', '#888888')}80"
    return f'<path d="{path}Z"{hatches.fill(colour, pattern, str(pattern.get("shape") or ""))}/>'


def _errors(trace: Mapping[str, Any], of: Mapping[str, Any], x: Axis, y: Axis, across: bool) -> str:
    if of.get("visible") is False or of.get("array") is None:
        return ""
    axis, other = (x, y) if across else (y, x)
    middle = axis.along(trace["x" if across else "y"])
    place = other.pixels(trace["y" if across else "x"])
    more = numbers_of(of["array"])
    less = more if of.get("arrayminus") is None else numbers_of(of["arrayminus"])
    ends = axis.place(middle - less), axis.place(middle + more)
    rows = zip(*(np.round(values, 1).tolist() for values in (*ends, place)), strict=True)
    lines = [(f"M{a:g} {p:g}H{b:g}" if across else f"M{p:g} {a:g}V{b:g}") for a, b, p in rows if a == a and b == b]
    colour = of.get("color") or (trace.get("marker") or {}).get("color")
    looks = paint("stroke", colour if isinstance(colour, str) else "#888888")
    return f'<path d="{"".join(lines)}" fill="none"{looks} stroke-width="{of.get("thickness") or 2:g}"/>'
