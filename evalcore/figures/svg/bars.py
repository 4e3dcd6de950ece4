"""Bars and heat maps in SVG."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from evalcore.figures.svg.axis import Axis, number_as, numbers_of
from evalcore.figures.svg.lines import broadcast, colour_scale
from evalcore.figures.svg.paint import Hatches, paint, text_element
from evalcore.numeric import Array

__all__ = ["bar_width_gap", "bars", "contours", "heat_map", "room_of_bars", "room_of_contours", "room_of_heat_map"]


def bar_width_gap(layout: Mapping[str, Any]) -> float:
    """The share of the distance of two bars that stays free."""
    gap = layout.get("bargap")
    return 0.2 if gap is None else float(gap)


def room_of_bars(trace: Mapping[str, Any], x: Axis, y: Axis) -> None:
    """Make room for bars on their axes."""
    low, high, base, top = _bar_ends(trace, x, y)
    along, upright = (y, x) if trace.get("orientation") == "h" else (x, y)
    along.widen(np.concatenate([low, high]))
    upright.widen(np.concatenate([base, top]))
    upright.from_zero |= trace.get("base") is None


def room_of_heat_map(trace: Mapping[str, Any], x: Axis, y: Axis) -> None:
    """Make room for cells on their axes."""
    for axis, key, side in ((x, "x", 1), (y, "y", 0)):
        axis.widen(_edges(axis, trace.get(key), np.asarray(trace["z"]).shape[side]))


def _bar_ends(trace: Mapping[str, Any], x: Axis, y: Axis) -> tuple[Array, Array, Array, Array]:
    """Sides of the bars along their axis, and their two ends; numbers on the axes."""
    level = trace.get("orientation") == "h"
    along, upright = (y, x) if level else (x, y)
    middle, lengths = along.along(trace["y" if level else "x"]), numbers_of(trace["x" if level else "y"])
    distances = np.diff(np.unique(middle[np.isfinite(middle)]))
    usual = float(distances.min()) if len(distances) else 1.0
    width = np.broadcast_to(numbers_of(trace["width"]), middle.shape) if trace.get("width") is not None else None
    gap = float(trace.get("_gap") or 0.0)
    width = np.full(len(middle), usual * (1 - gap)) if width is None else width
    offset = -width / 2 if trace.get("offset") is None else np.broadcast_to(numbers_of(trace["offset"]), middle.shape)
    base = (
        np.zeros(len(middle)) if trace.get("base") is None else np.broadcast_to(numbers_of(trace["base"]), middle.shape)
    )
    top = upright.along(base + lengths) if upright.log else base + lengths
    return middle + offset, middle + offset + width, base, top


def bars(trace: Mapping[str, Any], x: Axis, y: Axis, hatches: Hatches) -> str:
    """Vertical or horizontal bars with their hatching and texts."""
    level = trace.get("orientation") == "h"
    along, upright = (y, x) if level else (x, y)
    low, high, base, top = _bar_ends(trace, x, y)
    sides = np.sort([along.place(low), along.place(high)], axis=0)
    ends = np.sort([upright.place(base), upright.place(top)], axis=0)
    marker, n = trace.get("marker") or {}, len(low)
    line, pattern = marker.get("line") or {}, marker.get("pattern") or {}
    opacity = float(trace.get("opacity") or marker.get("opacity") or 1)
    colours = broadcast(marker.get("color"), n, "#888888")
    shapes = broadcast(pattern.get("shape"), n, "")
    width = line.get("width")
    edge = f'{paint("stroke", line.get("color"))} stroke-width="{width:g}"' if width and line.get("color") else ""
    grouped: dict[str, list[str]] = {}
    for left, right, near, far, colour, shape in zip(*sides, *ends, colours, shapes, strict=False):
        if not (np.isfinite([left, right, near, far]).all() and far > near):
            continue
        box = (near, left, far, right) if level else (left, near, right, far)
        fill = hatches.fill(str(colour), pattern, str(shape), opacity)
        path = f"M{box[0]:.1f} {box[1]:.1f}H{box[2]:.1f}V{box[3]:.1f}H{box[0]:.1f}Z"
        grouped.setdefault(fill, []).append(path)
    shown = "".join(f'<path d="{"".join(paths)}"{fill}{edge}/>' for fill, paths in grouped.items())
    return shown + _bar_texts(trace, (low + high) / 2, top, base, along, upright, level)


def _bar_texts(
    trace: Mapping[str, Any], middle: Array, top: Array, base: Array, along: Axis, upright: Axis, level: bool
) -> str:
    if trace.get("text") is None or trace.get("textposition") in (None, "none"):
        return ""
    font, words = trace.get("textfont") or {}, []
    size = float(font.get("size") or 11)
    for place, end, start, text in zip(middle, top, base, broadcast(trace["text"], len(middle), ""), strict=False):
        if not (text and np.isfinite([place, end]).all()):
            continue
        x, y = float(along.place(place)), float(upright.place(end))
        away = np.sign(float(upright.place(end)) - float(upright.place(start))) or (1 if level else -1)
        colour = font.get("color") if isinstance(font.get("color"), str) else ""
        if level:
            anchor = "start" if away > 0 else "end"
            words.append(text_element(y + 4 * away, x, str(text), size=size, colour=colour or "", anchor=anchor))
        else:
            words.append(text_element(x, y + 8 * away, str(text), size=size, colour=colour or "", anchor="middle"))
    return "".join(words)


def _edges(axis: Axis, values: Any, cells: int) -> Array:
    """Edges of the cells of a heat map: as they are, or around their middles."""
    middle = np.arange(cells, dtype=np.float64) if values is None else axis.along(values)
    if len(middle) == cells + 1 or not cells:
        return middle
    half = np.diff(middle) / 2 if cells > 1 else np.array([0.5])
    between = middle[:-1] + half if cells > 1 else np.empty(0)
    return np.concatenate([[middle[0] - half[0]], between, [middle[-1] + half[-1]]])


def heat_map(trace: Mapping[str, Any], x: Axis, y: Axis) -> str:
    """Cells in the colours of their numbers; those alike as one path."""
    z = numbers_of(np.asarray(trace["z"]).ravel()).reshape(np.asarray(trace["z"]).shape)
    if trace.get("opacity") == 0 or not z.size:
        return ""
    rows, columns = np.asarray(trace["z"]).shape
    left, top = x.place(_edges(x, trace.get("x"), columns)), y.place(_edges(y, trace.get("y"), rows))
    low, high = (
        float(end(z)) if trace.get(key) is None else float(trace[key])
        for key, end in (("zmin", np.nanmin), ("zmax", np.nanmax))
    )
    colour = colour_scale(trace.get("colorscale") or [[0, "#FFFFFF"], [1, "#1F5FAB"]])
    grouped: dict[str, list[str]] = {}
    for row, column in zip(*np.nonzero(np.isfinite(z)), strict=True):
        share = (z[row, column] - low) / ((high - low) or 1)
        box = left[column], top[row], left[column + 1], top[row + 1]
        path = f"M{box[0]:.1f} {box[1]:.1f}H{box[2]:.1f}V{box[3]:.1f}H{box[0]:.1f}Z"
        grouped.setdefault(colour(round(float(share), 2)), []).append(path)
    # The words on the cells are written for these shades, so none follows the ground.
    looks = {fill: paint("fill", fill, themed=False) for fill in grouped}
    return "".join(f'<path d="{"".join(paths)}"{looks[fill]}/>' for fill, paths in grouped.items())


Edge = tuple[str, int, int]
"""An edge of a cell, along x ("h") or y ("v"), by the row and the column of where it starts."""


def room_of_contours(trace: Mapping[str, Any], x: Axis, y: Axis) -> None:
    """Make room for the whole grid on its axes."""
    x.widen(x.along(trace["x"]))
    y.widen(y.along(trace["y"]))


def contours(trace: Mapping[str, Any], x: Axis, y: Axis) -> str:
    """The lines at all levels, and the value of each level at the middle of its longest line."""
    of, line = trace["contours"], trace.get("line") or {}
    rows = [numbers_of(row) for row in trace["z"]]
    z, across, up = np.array(rows), x.pixels(trace["x"]), y.pixels(trace["y"])
    step = float(of["size"])
    levels = np.arange(float(of["start"]), float(of["end"]) + step / 2, step)
    colour, paths, words = trace["colorscale"][0][1], [], []
    font = of.get("labelfont") or {}
    for level in levels.tolist():
        lines = [_pixels(chain, z, level, across, up) for chain in _chains(z, level)]
        paths += ["M" + "L".join(f"{a:g} {b:g}" for a, b in points) for points in lines]
        if lines and of.get("showlabels"):
            longest = max(lines, key=len)
            at = longest[len(longest) // 2]
            looks = {"size": float(font.get("size") or 11), "colour": str(font.get("color") or colour)}
            words.append(text_element(*at, number_as(level, "", step), anchor="middle", **looks))
    looks = f'{paint("stroke", colour)} stroke-width="{line.get("width") or 1:g}"'
    drawn = f'<path d="{"".join(paths)}" fill="none"{looks} opacity="{float(trace.get("opacity") or 1):g}"/>'
    halo = f'<g paint-order="stroke" stroke-width="5" stroke-linejoin="round"{paint("stroke", "#FFFFFF")}>'
    return drawn + (f"{halo}{''.join(words)}</g>" if words else "")


def _chains(z: Array, level: float) -> list[list[Edge]]:
    """Contour lines at a level as chains of crossed cell edges (marching squares)."""
    above = z >= level
    known = np.isfinite(z)
    whole = known[:-1, :-1] & known[:-1, 1:] & known[1:, :-1] & known[1:, 1:]
    corners = above[:-1, :-1].astype(int) + above[:-1, 1:] + above[1:, :-1] + above[1:, 1:]
    next_to: dict[Edge, list[Edge]] = {}
    for i, j in zip(*np.nonzero(whole & (corners > 0) & (corners < 4)), strict=True):
        row, column = int(i), int(j)
        edges: list[Edge] = []
        for edge in (("h", row, column), ("v", row, column + 1), ("h", row + 1, column), ("v", row, column)):
            (a, b), (c, d) = _ends(edge)
            if above[a, b] != above[c, d]:
                edges.append(edge)
        # A saddle has two lines: which of both ways they go cannot be seen at this size.
        for one, other in zip(edges[::2], edges[1::2], strict=True):
            next_to.setdefault(one, []).append(other)
            next_to.setdefault(other, []).append(one)
    return _edge_chains(next_to)


def _edge_chains(next_to: dict[Edge, list[Edge]]) -> list[list[Edge]]:
    chains = []
    # Lines that end at a side start there; what is left goes round.
    for start in sorted(next_to, key=lambda edge: len(next_to[edge])):
        if start not in next_to:
            continue
        chain, at = [start], start
        while following := next_to.get(at):
            then = following.pop()
            if not following:
                del next_to[at]
            back = next_to.get(then, [])
            if at in back:
                back.remove(at)
                if not back:
                    next_to.pop(then, None)
            chain.append(then)
            at = then
        if len(chain) > 1:
            chains.append(chain)
    return chains


def _ends(edge: Edge) -> tuple[tuple[int, int], tuple[int, int]]:
    way, row, column = edge
    return (row, column), ((row, column + 1) if way == "h" else (row + 1, column))


def _pixels(chain: list[Edge], z: Array, level: float, x: Array, y: Array) -> list[tuple[float, float]]:
    """Position of the level on each edge, interpolated between the values at its ends."""
    points = []
    for edge in chain:
        (a, b), (c, d) = _ends(edge)
        share = (level - float(z[a, b])) / (float(z[c, d]) - float(z[a, b]))
        points.append((round(float(x[b] + share * (x[d] - x[b])), 1), round(float(y[a] + share * (y[c] - y[a])), 1)))
    return points
