"""Markers and the texts beside them in SVG."""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from evalcore.figures.svg.axis import numbers_of
from evalcore.figures.svg.paint import paint
from evalcore.figures.svg.words import text_element
from evalcore.numeric import Array

__all__ = ["colour_bar", "colour_scale", "each_of", "marker_path", "markers", "texts_beside"]

_ANCHORS = {"left": "end", "center": "middle", "right": "start"}
_STROKED = ("line-ew", "line-ns", "x-thin", "cross-thin")


def each_of(value: Any, n: int, otherwise: Any) -> Iterable[Any]:
    if isinstance(value, (list, tuple, np.ndarray)):
        return (otherwise if one is None else one for one in np.asarray(value, dtype=object).tolist())
    return itertools.repeat(otherwise if value is None else value, n)


def markers(trace: Mapping[str, Any], x: Array, y: Array) -> str:
    marker, n = trace.get("marker") or {}, len(x)
    line = marker.get("line") or {}
    own = (trace.get("line") or {}).get("color")
    colour = _scaled(marker) if marker.get("colorscale") else marker.get("color")
    sizes, symbols = each_of(marker.get("size"), n, 6), each_of(marker.get("symbol"), n, "circle")
    colours, opacities = each_of(colour, n, own or "#888888"), each_of(marker.get("opacity"), n, 1)
    edges, widths = each_of(line.get("color"), n, "#444444"), each_of(line.get("width"), n, 0)
    grouped: dict[tuple, list[tuple[float, float]]] = {}
    places = zip(np.round(x, 1).tolist(), np.round(y, 1).tolist(), strict=True)
    looks = zip(symbols, sizes, colours, opacities, edges, widths, strict=False)
    for (left, top), look in zip(places, looks, strict=False):
        if left == left and top == top and float(look[3]) > 0 and float(look[1]) > 0:
            grouped.setdefault(look, []).append((left, top))
    return "".join(itertools.starmap(_alike, grouped.items()))


def _alike(look: tuple, places: Sequence[tuple[float, float]]) -> str:
    """All markers of one look as one path."""
    symbol, size, colour, opacity, edge, width = look
    faint = f' opacity="{float(opacity):g}"' if float(opacity) < 1 else ""
    if symbol == "circle" and not width:
        # A line of no length with round ends is a dot, in the fewest letters.
        dots = "".join(f"M{left:g} {top:g}h0" for left, top in dict.fromkeys(places))
        ends = f'stroke-width="{float(size):g}" stroke-linecap="round"'
        return f'<path d="{dots}" fill="none"{paint("stroke", colour)} {ends}{faint}/>'
    path = "".join(marker_path(str(symbol), left, top, float(size)) for left, top in places)
    if str(symbol).endswith("-open") or symbol in _STROKED:
        wide = f' stroke-width="{float(width) or 1.4:g}"'
        line = colour if str(symbol).endswith("-open") or not width else edge
        return f'<path d="{path}" fill="none"{paint("stroke", line)}{wide}{faint}/>'
    stroke = f'{paint("stroke", edge)} stroke-width="{float(width):g}"' if width else ""
    return f'<path d="{path}"{paint("fill", colour)}{stroke}{faint}/>'


def marker_path(symbol: str, x: float, y: float, size: float) -> str:
    """The outline of a marker."""
    r = size / 2
    name = symbol.removesuffix("-open")
    corners: dict[str, tuple[tuple[float, float], ...]] = {
        "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        "triangle-up": ((0, -1.15), (1.15, 0.9), (-1.15, 0.9)),
        "triangle-down": ((0, 1.15), (1.15, -0.9), (-1.15, -0.9)),
        "cross": tuple(
            (a, b)
            for a, b in ((-1, -0.4), (-0.4, -0.4), (-0.4, -1), (0.4, -1), (0.4, -0.4), (1, -0.4), (1, 0.4), (0.4, 0.4),
                         (0.4, 1), (-0.4, 1), (-0.4, 0.4), (-1, 0.4))
        ),
        "x": ((0, -0.5), (0.6, -1.1), (1.1, -0.6), (0.5, 0), (1.1, 0.6), (0.6, 1.1), (0, 0.5), (-0.6, 1.1),
              (-1.1, 0.6), (-0.5, 0), (-1.1, -0.6), (-0.6, -1.1)),
    }  # fmt: skip
    if name in corners:
        return "M" + "L".join(f"{x + a * r:.1f} {y + b * r:.1f}" for a, b in corners[name]) + "Z"
    if name == "line-ew":
        return f"M{x - r:.1f} {y:.1f}h{size:g}"
    if name == "line-ns":
        return f"M{x:.1f} {y - r:.1f}v{size:g}"
    return f"M{x - r:.1f} {y:.1f}a{r:g} {r:g} 0 1 0 {size:g} 0a{r:g} {r:g} 0 1 0 {-size:g} 0Z"


def texts_beside(trace: Mapping[str, Any], x: Array, y: Array) -> str:
    font, words = trace.get("textfont") or {}, []
    size = float(font.get("size") or 12)
    positions = each_of(trace.get("textposition"), len(x), "middle center")
    for left, top, text, at in zip(x, y, each_of(trace.get("text"), len(x), ""), positions, strict=False):
        if left == left and top == top and text:
            up, _, side = str(at).partition(" ")
            shift = {"top": -0.9 * size, "bottom": 0.95 * size}.get(up, 0.0)
            beside = {"left": -7.0, "right": 7.0}.get(side, 0.0)
            colour = font.get("color") if isinstance(font.get("color"), str) else ""
            looks = {"size": size, "colour": colour or "", "anchor": _ANCHORS.get(side, "middle")}
            words.append(text_element(left + beside, top + shift, str(text), **looks))
    return "".join(words)


def _scaled(marker: Mapping[str, Any]) -> list[str]:
    values = numbers_of(marker["color"])
    low, high = (
        float(end(values)) if marker.get(key) is None else float(marker[key])
        for key, end in (("cmin", np.nanmin), ("cmax", np.nanmax))
    )
    colour = colour_scale(marker["colorscale"])
    return [colour((value - low) / ((high - low) or 1)) for value in values.tolist()]


def colour_bar(marker: Mapping[str, Any], box: tuple[float, float, float, float]) -> str:
    """The scale of the colours of markers as a bar in the lower right of a picture, where it is shown."""
    if not (marker.get("showscale") and marker.get("colorscale")):
        return ""
    bar = marker.get("colorbar") or {}
    title = bar.get("title") or {}
    colour, steps, tall = colour_scale(marker["colorscale"]), 24, 0.42 * (box[3] - box[1])
    left, bottom = box[2] - 18, box[3] - 0.06 * (box[3] - box[1])
    looks = {"size": 11, "colour": str((bar.get("tickfont") or {}).get("color") or ""), "anchor": "end"}
    parts = []
    for step in range(steps):
        top = bottom - tall * (step + 1) / steps
        fill = paint("fill", colour((step + 0.5) / steps), themed=False)
        parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="9" height="{tall / steps + 0.5:.1f}"{fill}/>')
    for share, value in ((0, marker["cmin"]), (1, marker["cmax"])):
        parts.append(text_element(left - 4, bottom - tall * share, f"{float(value):.3g}", **looks))
    words = str(title.get("text") or "") if isinstance(title, Mapping) else str(title)
    return "".join(parts) + text_element(left + 9, bottom - tall - 12, words, **looks)


def colour_scale(stops: Sequence[Any]) -> Callable[[float], str]:
    """The colour at a share of a scale of colours, each #rrggbb with or without a share of paint."""
    at = [float(stop[0]) for stop in stops]
    channels = np.array([[int(f"{stop[1][1:]:f<8}"[k : k + 2], 16) for k in (0, 2, 4, 6)] for stop in stops])

    def colour(share: float) -> str:
        mixed = [round(float(np.interp(share, at, channel))) for channel in channels.T]
        return "#{:02x}{:02x}{:02x}{:02x}".format(*mixed)

    return colour
