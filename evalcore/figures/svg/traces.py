"""Lines, areas, the reach of intervals, bars and heat maps in SVG."""

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from evalcore.figures.svg.axis import Axis, Hatches, lines_of, number_as, numbers, paint, stroke, text_element, width_of
from evalcore.numeric import Array


def broadcast(value: Any, n: int, otherwise: Any) -> Iterable[Any]:
    if isinstance(value, (list, tuple, np.ndarray)):
        return (otherwise if one is None else one for one in np.asarray(value, dtype=object).tolist())
    return itertools.repeat(otherwise if value is None else value, n)


def markers(trace: Mapping[str, Any], x: Array, y: Array) -> str:
    marker, own = trace.get("marker") or {}, (trace.get("line") or {}).get("color") or "#888888"
    line = marker.get("line") or {}
    usual = (marker, "symbol", "circle"), (marker, "size", 6), (marker, "color", own), (marker, "opacity", 1)
    usual += (line, "color", "#444444"), (line, "width", 0)
    looks = zip(*(broadcast(of.get(name), len(x), otherwise) for of, name, otherwise in usual), strict=False)
    grouped: dict[tuple, list[tuple[float, float]]] = {}
    for left, top, look in zip(np.round(x, 1).tolist(), np.round(y, 1).tolist(), looks, strict=False):
        if left == left and top == top and float(look[3]) > 0 and float(look[1]) > 0:
            grouped.setdefault(look, []).append((left, top))
    return "".join(itertools.starmap(_alike, grouped.items()))


def _alike(look: tuple, places: Sequence[tuple[float, float]]) -> str:
    """Path of all markers with one style."""
    symbol, size, colour, opacity, edge, width = look
    faint = f' opacity="{float(opacity):g}"' if float(opacity) < 1 else ""
    if symbol == "circle" and not width:
        # A line of no length with round ends is a dot, in the fewest letters.
        dots = "".join(f"M{left:g} {top:g}h0" for left, top in dict.fromkeys(places))
        ends = f'stroke-width="{float(size):g}" stroke-linecap="round"'
        return f'<path d="{dots}" fill="none"{paint("stroke", colour)} {ends}{faint}/>'
    path = "".join(marker_path(symbol, left, top, float(size)) for left, top in places)
    is_open = symbol.endswith("-open")
    if is_open or symbol == "line-ew":
        looks = f'{paint("stroke", colour if is_open or not width else edge)} stroke-width="{float(width) or 1.4:g}"'
        return f'<path d="{path}" fill="none"{looks}{faint}/>'
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
        "cross": ((-1, -0.4), (-0.4, -0.4), (-0.4, -1), (0.4, -1), (0.4, -0.4), (1, -0.4), (1, 0.4), (0.4, 0.4),
                  (0.4, 1), (-0.4, 1), (-0.4, 0.4), (-1, 0.4)),
        "x": ((0, -0.5), (0.6, -1.1), (1.1, -0.6), (0.5, 0), (1.1, 0.6), (0.6, 1.1), (0, 0.5), (-0.6, 1.1),
              (-1.1, 0.6), (-0.5, 0), (-1.1, -0.6), (-0.6, -1.1)),
    }  # fmt: skip
    if name in corners:
        return "M" + "L".join(f"{x + a * r:.1f} {y + b * r:.1f}" for a, b in corners[name]) + "Z"
    if name == "line-ew":
        return f"M{x - r:.1f} {y:.1f}h{size:g}"
    return f"M{x - r:.1f} {y:.1f}a{r:g} {r:g} 0 1 0 {size:g} 0a{r:g} {r:g} 0 1 0 {-size:g} 0Z"


def texts_beside(trace: Mapping[str, Any], x: Array, y: Array) -> str:
    font, words = trace.get("textfont") or {}, []
    size, colour = float(font.get("size") or 12), font.get("color")
    positions = broadcast(trace.get("textposition"), len(x), "middle center")
    for left, top, text, at in zip(x, y, broadcast(trace.get("text"), len(x), ""), positions, strict=False):
        if left == left and top == top and text:
            up, _, side = str(at).partition(" ")
            shift = {"top": -0.9 * size, "bottom": 0.95 * size}.get(up, 0.0)
            beside, anchor = {"left": (-7.0, "end"), "right": (7.0, "start")}.get(side, (0.0, "middle"))
            looks = {"size": size, "colour": colour if isinstance(colour, str) else "", "anchor": anchor}
            words.append(text_element(left + beside, top + shift, str(text), **looks))
    return "".join(words)


def colour_scale(stops: Sequence[Any]) -> Callable[[float], str]:
    """The colour at a share of a scale of colours, each #rrggbb with or without a share of paint."""
    at = [float(stop[0]) for stop in stops]
    channels = np.array([[int(f"{stop[1][1:]:f<8}"[k : k + 2], 16) for k in (0, 2, 4, 6)] for stop in stops])

    return lambda share: "#" + "".join(f"{round(float(np.interp(share, at, one))):02x}" for one in channels.T)


def room_of_scatter(trace: Mapping[str, Any], x: Axis, y: Axis) -> None:
    """Make room for lines and markers on their axes."""
    across, up = x.along(trace.get("x")), y.along(trace.get("y"))
    dots = "markers" in _mode(trace)
    x.widen(across, dots)
    y.widen(up, dots)
    y.from_zero |= trace.get("fill") == "tozeroy"


def _mode(trace: Mapping[str, Any]) -> str:
    return trace.get("mode") or ("lines+markers" if len(numbers(trace.get("x"))) < 20 else "lines")


def scatter(trace: Mapping[str, Any], x: Axis, y: Axis, hatches: Hatches, before: Sequence[Array]) -> str:
    """Lines, areas, markers and texts; `before` is the line that `tonexty` fills to, in pixels."""
    across, up = x.pixels(trace.get("x")), y.pixels(trace.get("y"))
    mode, line, parts = _mode(trace), trace.get("line") or {}, []
    shape = line.get("shape") or "linear"
    if trace.get("fill"):
        parts.append(_area(trace, across, up, shape, float(y.place(0.0)), hatches, before))
    parts += [_errors(trace, x, y, way) for way in "xy" if trace.get(f"error_{way}")]
    if "lines" in mode and (line.get("width") is None or line["width"] > 0):
        parts.append(f'<path d="{path_of(across, up, shape)}" fill="none"{stroke(line)} stroke-linejoin="round"/>')
    if "markers" in mode:
        parts.append(markers(trace, across, up))
    if "text" in mode:
        parts.append(texts_beside(trace, across, up))
    return faded("".join(parts), trace)


def faded(body: str, of: Mapping[str, Any]) -> str:
    """Elements with the opacity of a trace or an annotation."""
    opacity = float(of.get("opacity") or 1)
    return f'<g opacity="{opacity:g}">{body}</g>' if opacity < 1 else body


def path_of(x: Array, y: Array, shape: str = "linear") -> str:
    """Path through points in pixels, interrupted at unknown ones; steps go across first ("hv") or up ("vh").

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
    trace: Mapping[str, Any], x: Array, y: Array, shape: str, zero: float, hatches: Hatches, before: Sequence[Array]
) -> str:
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return ""
    if trace["fill"] == "toself":  # perhaps in several pieces; what lies over another line is one
        path = path_of(x, y, shape).replace("M", "ZM")[1:]
    else:
        path = path_of(x[known], y[known], shape)
        if trace["fill"] == "tonexty" and len(before):
            path += path_of(before[0][::-1], before[1][::-1]).replace("M", "L")
        else:
            path += f"V{zero:.1f}H{x[known][0]:.1f}"
    pattern = trace.get("fillpattern") or {}
    colour = trace.get("fillcolor") or f"{(trace.get('line') or {}).get('color', '#888888')}80"
    return f'<path d="{path}Z"{hatches.fill(colour, pattern, str(pattern.get("shape") or ""))}/>'


def _errors(trace: Mapping[str, Any], x: Axis, y: Axis, way: str) -> str:
    of, across = trace[f"error_{way}"], way == "x"
    axis, other, beside = (x, y, "y") if across else (y, x, "x")
    middle, place, more = axis.along(trace[way]), other.pixels(trace[beside]), numbers(of["array"])
    less = more if of.get("arrayminus") is None else numbers(of["arrayminus"])
    ends = axis.place(middle - less), axis.place(middle + more)
    rows = zip(*(np.round(values, 1).tolist() for values in (*ends, place)), strict=True)
    lines = [(f"M{a:g} {p:g}H{b:g}" if across else f"M{p:g} {a:g}V{b:g}") for a, b, p in rows if a == a and b == b]
    colour = of.get("color") or (trace.get("marker") or {}).get("color")
    looks = paint("stroke", colour if isinstance(colour, str) else "#888888")
    return f'<path d="{"".join(lines)}" fill="none"{looks} stroke-width="{of.get("thickness") or 2:g}"/>'


def annotation(of: Mapping[str, Any], pixel: Callable[..., float]) -> str:
    """Text at a position, of which `pixel` tells the place, with an arrow if there is one."""
    if of.get("visible") is False or not of.get("text"):
        return ""
    x, y = (pixel(of.get(way, 0.5), of.get(f"{way}ref"), way, is_word=True) for way in "xy")
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
    side, up = _anchor(of, "x", "left", "center", "right"), _anchor(of, "y", "bottom", "middle", "top")
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
        anchor={"left": "start", "center": "middle", "right": "end"}[side], turn=turn,
    )  # fmt: skip
    return faded(f"{ground}{arrow}{words}", of)


def _anchor(of: Mapping[str, Any], way: str, low: str, middle: str, high: str) -> str:
    """Side at which an annotation is anchored: as given, else the nearer side of the figure for a share of it."""
    if (given := of.get(f"{way}anchor") or "auto") != "auto":
        return given
    at = of[way] if of.get(f"{way}ref") == "paper" and of.get("showarrow") is False else 0.5
    return low if at < 1 / 3 else high if at > 2 / 3 else middle


def shape(of: Mapping[str, Any], pixel: Callable[..., float]) -> str:
    """A line, a rectangle or a path; only M, L and Z with pairs joined by a comma, as ours are."""
    line = of.get("line") or {}
    looks = "" if line.get("width") == 0 else stroke(line)
    opacity = float(of.get("opacity") or 1)
    looks += f' opacity="{opacity:g}"' if opacity < 1 else ""
    fill = paint("fill", of.get("fillcolor"))
    if of.get("type") == "path":

        def placed(match: re.Match[str]) -> str:
            x, y = (pixel(float(match[place]), of.get(f"{way}ref"), way) for place, way in ((1, "x"), (2, "y")))
            return f"{x:.1f} {y:.1f}"

        return f'<path d="{re.sub(_PAIR, placed, of["path"])}"{fill}{looks}/>'
    x, y = ([pixel(of[f"{way}{end}"], of.get(f"{way}ref"), way) for end in (0, 1)] for way in "xy")
    if not np.isfinite([*x, *y]).all():
        return ""
    if of.get("type") == "line":
        return f'<path d="M{x[0]:.1f} {y[0]:.1f}L{x[1]:.1f} {y[1]:.1f}" fill="none"{looks}/>'
    size = f'width="{abs(x[1] - x[0]):.1f}" height="{abs(y[1] - y[0]):.1f}"'
    return f'<rect x="{min(x):.1f}" y="{min(y):.1f}" {size}{fill}{looks}/>'


_PAIR = r"(-?[\d.]+(?:e-?\d+)?),(-?[\d.]+(?:e-?\d+)?)"


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
    middle, lengths = along.along(trace["y" if level else "x"]), numbers(trace["x" if level else "y"])
    distances = np.diff(np.unique(middle[np.isfinite(middle)]))
    usual = float(distances.min()) if len(distances) else 1.0

    def of_each(name: str, otherwise: Array | float) -> Array:
        return np.broadcast_to(otherwise if trace.get(name) is None else numbers(trace[name]), middle.shape)

    width = of_each("width", usual * (1 - float(trace.get("_gap") or 0.0)))
    offset, base = of_each("offset", -width / 2), of_each("base", 0.0)
    top = upright.along(base + lengths) if upright.log else base + lengths
    return middle + offset, middle + offset + width, base, top


def bars(trace: Mapping[str, Any], x: Axis, y: Axis, hatches: Hatches, *_: Any) -> str:
    """Vertical or horizontal bars with their hatching and texts."""
    level = trace.get("orientation") == "h"
    along, upright = (y, x) if level else (x, y)
    low, high, base, top = _bar_ends(trace, x, y)
    sides = np.sort([along.place(low), along.place(high)], axis=0)
    ends = np.sort([upright.place(base), upright.place(top)], axis=0)
    marker, n = trace.get("marker") or {}, len(low)
    line, pattern = marker.get("line") or {}, marker.get("pattern") or {}
    opacity = float(trace.get("opacity") or marker.get("opacity") or 1)
    colours, shapes = broadcast(marker.get("color"), n, "#888888"), broadcast(pattern.get("shape"), n, "")
    width = line.get("width")
    edge = f'{paint("stroke", line.get("color"))} stroke-width="{width:g}"' if width and line.get("color") else ""
    grouped: dict[str, list[str]] = {}
    for left, right, near, far, colour, shape in zip(*sides, *ends, colours, shapes, strict=False):
        if not (np.isfinite([left, right, near, far]).all() and far > near):
            continue
        path = _box_path(near, left, far, right) if level else _box_path(left, near, right, far)
        fill = hatches.fill(str(colour), pattern, str(shape), opacity)
        grouped.setdefault(fill, []).append(path)
    shown = "".join(f'<path d="{"".join(paths)}"{fill}{edge}/>' for fill, paths in grouped.items())
    return shown + _bar_texts(trace, (low + high) / 2, top, base, along, upright, level)


def _box_path(left: Any, top: Any, right: Any, bottom: Any) -> str:
    return f"M{left:.1f} {top:.1f}H{right:.1f}V{bottom:.1f}H{left:.1f}Z"


def _bar_texts(
    trace: Mapping[str, Any], middle: Array, top: Array, base: Array, along: Axis, upright: Axis, level: bool
) -> str:
    if trace.get("text") is None or trace.get("textposition") in (None, "none"):
        return ""
    font, words = trace.get("textfont") or {}, []
    size, colour = float(font.get("size") or 11), font.get("color")
    for place, end, start, text in zip(middle, top, base, broadcast(trace["text"], len(middle), ""), strict=False):
        if not (text and np.isfinite([place, end]).all()):
            continue
        x, y = float(along.place(place)), float(upright.place(end))
        away = np.sign(y - float(upright.place(start))) or (1 if level else -1)
        beside = (y + 4 * away, x, "start" if away > 0 else "end"), (x, y + 8 * away, "middle")
        left, down, anchor = beside[not level]
        words.append(text_element(left, down, str(text), size=size, colour=str(colour or ""), anchor=anchor))
    return "".join(words)


def _edges(axis: Axis, values: Any, cells: int) -> Array:
    """Edges of the cells of a heat map: as they are, or around their middles."""
    middle = np.arange(cells, dtype=np.float64) if values is None else axis.along(values)
    if len(middle) == cells + 1 or not cells:
        return middle
    half = np.diff(middle) / 2 if cells > 1 else np.array([0.5])
    between = middle[:-1] + half if cells > 1 else np.empty(0)
    return np.concatenate([[middle[0] - half[0]], between, [middle[-1] + half[-1]]])


def heat_map(trace: Mapping[str, Any], x: Axis, y: Axis, *_: Any) -> str:
    """Cells in the colours of their numbers; those alike as one path."""
    rows, columns = np.asarray(trace["z"]).shape
    z = numbers(np.asarray(trace["z"]).ravel()).reshape(rows, columns)
    if trace.get("opacity") == 0 or not z.size:
        return ""
    left, top = x.place(_edges(x, trace.get("x"), columns)), y.place(_edges(y, trace.get("y"), rows))
    low = float(np.nanmin(z) if trace.get("zmin") is None else trace["zmin"])
    high = float(np.nanmax(z) if trace.get("zmax") is None else trace["zmax"])
    colour = colour_scale(trace.get("colorscale") or [[0, "#FFFFFF"], [1, "#1F5FAB"]])
    grouped: dict[str, list[str]] = {}
    for row, column in zip(*np.nonzero(np.isfinite(z)), strict=True):
        share = (z[row, column] - low) / ((high - low) or 1)
        path = _box_path(left[column], top[row], left[column + 1], top[row + 1])
        grouped.setdefault(colour(round(float(share), 2)), []).append(path)
    # The words on the cells are written for these shades, so none follows the ground.
    looks = {fill: paint("fill", fill, themed=False) for fill in grouped}
    return "".join(f'<path d="{"".join(paths)}"{looks[fill]}/>' for fill, paths in grouped.items())


Edge = tuple[str, int, int]  # an edge of a cell, along x ("h") or y ("v"), by the row and the column of where it starts


def room_of_contours(trace: Mapping[str, Any], x: Axis, y: Axis) -> None:
    """Make room for the whole grid on its axes."""
    x.widen(x.along(trace["x"]))
    y.widen(y.along(trace["y"]))


def contours(trace: Mapping[str, Any], x: Axis, y: Axis, *_: Any) -> str:
    """The lines at all levels, and the value of each level at the middle of its longest line."""
    of, line = trace["contours"], trace.get("line") or {}
    z, across, up = np.array([numbers(row) for row in trace["z"]]), x.pixels(trace["x"]), y.pixels(trace["y"])
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
    corners = np.add.reduce([four.astype(int) for four in _corners(above)])
    crossed = np.logical_and.reduce(_corners(np.isfinite(z))) & (corners > 0) & (corners < 4)
    next_to: dict[Edge, list[Edge]] = {}
    for row, column in np.argwhere(crossed).tolist():
        around = ("h", row, column), ("v", row, column + 1), ("h", row + 1, column), ("v", row, column)
        edges = [edge for edge in around if above[_ends(edge)[0]] != above[_ends(edge)[1]]]
        # A saddle has two lines: which of both ways they go cannot be seen at this size.
        for one, other in zip(edges[::2], edges[1::2], strict=True):
            next_to.setdefault(one, []).append(other)
            next_to.setdefault(other, []).append(one)
    return _edge_chains(next_to)


def _corners(of: np.ndarray) -> list[np.ndarray]:
    """Values at the four corners of each cell."""
    return [of[:-1, :-1], of[:-1, 1:], of[1:, :-1], of[1:, 1:]]


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


KINDS: dict[str, tuple[Callable[..., None], Callable[..., str]]] = {
    "scatter": (room_of_scatter, scatter), "bar": (room_of_bars, bars),
    "heatmap": (room_of_heat_map, heat_map), "contour": (room_of_contours, contours),
}  # fmt: skip
"""Functions of each kind of trace: one extends the axes by it, the other draws it."""
