"""A figure of ours as one SVG picture: margins, axes, traces, shapes, words and legend."""

import math
import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from evalcore.figures import graph_objects as go
from evalcore.figures.svg import traces
from evalcore.figures.svg.axis import Axis, Hatches, lines_of, paint, same_scale, stroke, text_element, width_of
from evalcore.numeric import Array
from evalcore.wording import escaped

__all__ = ["picture_places", "svg_picture"]

_LINE = 18  # pixels from one line of the legend to the next


def svg_picture(figure: go.Figure, title: str, width: int = 620, name: str = "p") -> str:
    """Figure in light colours as SVG whose theme colours are variables; `name` begins the ids in it."""
    return _Picture(figure, title, width, name).svg


def picture_places(figure: go.Figure, width: int) -> list[tuple[Array, Array]]:
    """Where the points of each trace stand in its picture of this width, in pixels from the upper left corner."""
    picture = _Picture(figure, "", width, "p")
    axes = ((trace, *picture._axes_of(trace)) for trace in picture.traces)
    return [(x.pixels(trace.get("x")), y.pixels(trace.get("y"))) for trace, x, y in axes]


class _Picture:
    def __init__(self, figure: go.Figure, title: str, width: int, name: str) -> None:
        *self.traces, self.layout = deepcopy(figure.parts)
        for trace in self.traces:
            if trace["type"] not in traces.KINDS:
                raise ValueError(f"no picture of a {trace['type']} is drawn without a browser")
            trace["_gap"] = 0.2 if self.layout.get("bargap") is None else self.layout["bargap"]
        self.traces = [trace for trace in self.traces if trace.get("visible") in (None, True)]
        self.title, self.name, self.width = title, name, width
        self.height = int(self.layout.get("height") or 400)
        self.hatches = Hatches(name)
        names = {"x", "y"} | {key.replace("axis", "") for key in self.layout if re.fullmatch(r"[xy]axis\d*", key)}
        names |= {trace[f"{way}axis"] for trace in self.traces for way in "xy" if trace.get(f"{way}axis")}
        self.axes = {name: Axis(name, self.layout.get(f"{name[0]}axis{name[1:]}") or {}) for name in sorted(names)}
        self._set_ranges()
        self._place()

    def _axes_of(self, trace: Mapping[str, Any]) -> tuple[Axis, Axis]:
        return self.axes[trace.get("xaxis") or "x"], self.axes[trace.get("yaxis") or "y"]

    def _set_ranges(self) -> None:
        for trace in self.traces:
            for axis, way in zip(self._axes_of(trace), "xy", strict=True):
                axis.take(trace.get(way))
        for trace in self.traces:
            traces.KINDS[trace["type"]][0](trace, *self._axes_of(trace))
        for axis in self.axes.values():
            axis.settle()

    def _place(self) -> None:
        """Fit the margins to their contents, then set the pixels of every axis."""
        margin = self.layout.get("margin") or {}
        left, right, top, bottom = (float(margin.get(side) or 8) for side in "lrtb")
        for axis in self.axes.values():
            axis.start, axis.end = (0.0, self.width * 0.85) if axis.across else (self.height * 0.8, 0.0)
        needs = {"left": 0.0, "right": 0.0, "bottom": 0.0}
        for axis in self.axes.values():
            # Faces differ in how wide their letters are.
            words = (1.08 * width_of(self._plain(text), self._size(axis)) + 8 for _, text in axis.ticks())
            need = 20.0 if axis.across else max(words, default=8.0)
            side = "bottom" if axis.across else axis.of.get("side") or "left"
            needs[side] = max(needs[side], (need if axis.labelled else 0) + (20 if axis.title else 0))
        left, right = max(left, needs["left"] + 4), max(right, needs["right"] + 4, 14)
        bottom += needs["bottom"]
        self.legend = self._legend_lines(left)
        if self.legend:  # it stands at the top, wherever a browser would place it
            top = max(top, 10 + _LINE * len(self.legend))
        self.box = {"x": (left, self.width - right), "y": (self.height - bottom, top)}
        for axis in self.axes.values():
            axis.start, axis.end = (self._of_box(share, axis.name[0]) for share in axis.of.get("domain") or (0, 1))
        for axis in self.axes.values():
            if (other := self.axes.get(str(axis.of.get("scaleanchor")))) is not None:
                same_scale(axis, other)

    def _of_box(self, share: float, way: str) -> float:
        start, end = self.box[way]
        return start + share * (end - start)

    def _pixel(self, value: Any, ref: Any, way: str, is_word: bool = False) -> float:
        """Pixel of a position given on an axis, as a share of an axis, or as a share of the figure."""
        if ref == "paper":
            return self._of_box(value, way)
        name, _, domain = (ref or way).partition(" ")
        axis = self.axes[name]
        if domain:
            return axis.start + value * (axis.end - axis.start)
        # On a logarithmic axis Plotly takes the power of ten for words, and values for shapes.
        return float(axis.place(float(value)) if is_word and not isinstance(value, str) else axis.pixels([value])[0])

    def _size(self, axis: Axis) -> float:
        return float((axis.of.get("tickfont") or {}).get("size") or 11)

    @staticmethod
    def _plain(text: str) -> str:
        return max((plain for _, plain in lines_of(text)), key=len)

    @property
    def svg(self) -> str:
        """The picture."""
        shapes, axes, elements = self.layout.get("shapes") or (), self.axes.values(), self._elements()
        body = [
            *map(self._grid, axes),
            *(traces.shape(one, self._pixel) for one in shapes if one.get("layer") == "below"),
            *elements,
            *map(self._base, axes),
            *(traces.shape(one, self._pixel) for one in shapes if one.get("layer") != "below"),
            *map(self._ticks, axes),
            *(traces.annotation(one, self._pixel) for one in self.layout.get("annotations") or ()),
            self._legend(),
        ]
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        defs = self.hatches.definitions + "".join(self._clips.values())
        head = f'<svg {size} role="img" aria-label="{escaped(self.title)}">'
        return f"{head}{f'<defs>{defs}</defs>' if defs else ''}{''.join(body)}</svg>"

    def _elements(self) -> list[str]:
        self._clips: dict[str, str] = {}
        drawn, before = [], []
        # Bars and areas lie below lines, as Plotly lays them.
        for trace in sorted(self.traces, key=lambda trace: trace["type"] == "scatter"):
            x, y = self._axes_of(trace)
            one = traces.KINDS[trace["type"]][1](trace, x, y, self.hatches, before)
            if trace["type"] == "scatter":
                before = [x.pixels(trace.get("x")), y.pixels(trace.get("y"))]
            clip, (left, right), (top, bottom) = f"{self.name}c{x.name}{y.name}", *map(sorted, (x.ends, y.ends))
            box = f'x="{left - 4:.1f}" y="{top - 4:.1f}" width="{right - left + 8:.1f}" height="{bottom - top + 8:.1f}"'
            self._clips[clip] = f'<clipPath id="{clip}"><rect {box}/></clipPath>'
            drawn.append(one if trace.get("cliponaxis") is False else f'<g clip-path="url(#{clip})">{one}</g>')
        return drawn

    def _across(self, axis: Axis) -> tuple[float, float]:
        """Ends of the lines of an axis, along the axis that crosses it."""
        usual = self.axes["y" if axis.across else "x"]
        other = self.axes.get(str(axis.of.get("anchor")), usual)
        return (usual if other.across == axis.across else other).ends

    def _grid(self, axis: Axis) -> str:
        if not axis.visible or axis.of.get("showgrid") is False or axis.of.get("overlaying"):
            return ""
        start, end = self._across(axis)
        places = [f"{float(axis.place(at)):.1f}" for at, _ in axis.ticks()]
        lines = [f"M{p} {start:.1f}V{end:.1f}" if axis.across else f"M{start:.1f} {p}H{end:.1f}" for p in places]
        looks = f'{paint("stroke", axis.of.get("gridcolor") or "#E6EAEE")} stroke-width="1"'
        return f'<path d="{"".join(lines)}" fill="none"{looks}/>'

    def _base(self, axis: Axis) -> str:
        if not axis.visible or not axis.of.get("showline"):
            return ""
        at, (start, end) = self._across(axis)[axis.of.get("side") == "right"], axis.ends
        line = f"M{start:.1f} {at:.1f}H{end:.1f}" if axis.across else f"M{at:.1f} {start:.1f}V{end:.1f}"
        return f'<path d="{line}" fill="none"{paint("stroke", axis.of.get("linecolor") or "#E6EAEE")}/>'

    def _ticks(self, axis: Axis) -> str:
        if not axis.visible:
            return ""
        size, words = self._size(axis), []
        colour = (axis.of.get("tickfont") or {}).get("color") or "#586474"
        is_right, free = axis.of.get("side") == "right", -math.inf
        at = self._across(axis)[is_right]
        for number, text in axis.ticks() if axis.labelled else ():
            place = float(axis.place(number))
            if axis.across:
                half = width_of(self._plain(text), size) / 2
                if place - half < free:
                    continue
                free = place + half + 4
                words.append(text_element(place, at + 14, text, size=size, colour=colour, anchor="middle"))
            else:
                beside, anchor = (6, "start") if is_right else (-6, "end")
                words.append(text_element(at + beside, place, text, size=size, colour=colour, anchor=anchor))
        if axis.title:
            font = (axis.of.get("title") or {}).get("font") or {}
            size, colour = float(font.get("size") or 12), font.get("color") or "#586474"
            x = y = (axis.start + axis.end) / 2
            if axis.across:
                y, turn = at + (34 if axis.labelled else 14), 0
            else:
                x, turn = (self.width - 9, 90) if is_right else (9, -90)
            words.append(text_element(x, y, axis.title, size=size, colour=colour, anchor="middle", turn=turn))
        return "".join(words)

    def _legend_lines(self, left: float) -> list[list[tuple[float, dict[str, Any]]]]:
        """The traces that the legend names, each with its place, line by line."""
        shown = self.layout.get("showlegend")
        named = [trace for trace in self.traces if trace.get("name") and trace.get("showlegend") is not False]
        if shown is False or (shown is None and len(named) < 2 and not any(t.get("showlegend") for t in named)):
            return []
        once: dict[Any, dict[str, Any]] = {}
        for index, trace in enumerate(named):
            once.setdefault(trace.get("legendgroup") or index, trace)
        ranked = sorted(once.values(), key=lambda trace: trace.get("legendrank") or 1000)
        lines: list[list[tuple[float, dict[str, Any]]]] = [[]]
        x = left
        for trace in ranked:
            wide = 34 + width_of(self._plain(str(trace["name"]))) + 14
            if lines[-1] and x + wide > self.width:
                lines.append([])
                x = left
            lines[-1].append((x, trace))
            x += wide
        return lines

    def _legend(self) -> str:
        parts, y = [], self.box["y"][1] - 4 - _LINE * (len(self.legend) - 0.5)
        for line in self.legend:
            for x, trace in line:
                parts.append(self._sample(trace, x, y) + text_element(x + 32, y, str(trace["name"]), colour="#1B2430"))
            y += _LINE
        return "".join(parts)

    def _sample(self, trace: Mapping[str, Any], x: float, y: float) -> str:
        marker, line = trace.get("marker") or {}, trace.get("line") or {}
        own = marker.get("color")
        colour = own if isinstance(own, str) else line.get("color") or _first(own)
        box = f'<rect x="{x + 6:.1f}" y="{y - 5:.1f}" width="14" height="10"'
        if trace["type"] != "scatter":
            pattern = marker.get("pattern") or {}
            return f"{box}{self.hatches.fill(colour, pattern, str(_first(pattern.get('shape')) or ''))}/>"
        mode, parts = trace.get("mode") or "lines", ""
        if "lines" in mode:
            path = f'<path d="M{x:.1f} {y:.1f}h26" fill="none"{stroke(line, colour)}/>'
            parts = f"{box}{paint('fill', trace.get('fillcolor'))}/>" if line.get("width") == 0 else path
        if "markers" in mode:
            symbol = str(_first(marker.get("symbol")) or "circle")
            looks = f'{paint("stroke", colour)} fill="none"' if "open" in symbol else paint("fill", colour)
            size = min(float(_first(marker.get("size")) or 6), 10)
            parts += f'<path d="{traces.marker_path(symbol, x + 13, y, size)}"{looks}/>'
        return parts


def _first(value: Any) -> Any:
    return next(iter(value), None) if isinstance(value, (list, tuple, np.ndarray)) else value
