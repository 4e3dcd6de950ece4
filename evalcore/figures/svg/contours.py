"""Lines of equal value over a grid in SVG, each with its value beside it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from evalcore.figures.svg.axis import Axis, number_as, numbers_of
from evalcore.figures.svg.paint import paint
from evalcore.figures.svg.words import text_element
from evalcore.numeric import Array

__all__ = ["contours", "room_of_contours"]

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
    """Edges of cells that a level crosses, one after the other along each line (marching squares)."""
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
    return _joined(next_to)


def _joined(next_to: dict[Edge, list[Edge]]) -> list[list[Edge]]:
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
    """Where the level lies on each edge, between the values at its ends."""
    points = []
    for edge in chain:
        (a, b), (c, d) = _ends(edge)
        share = (level - float(z[a, b])) / (float(z[c, d]) - float(z[a, b]))
        points.append((round(float(x[b] + share * (x[d] - x[b])), 1), round(float(y[a] + share * (y[c] - y[a])), 1)))
    return points
