"""A figure of ours as one SVG picture: margins, axes, traces, shapes, words and legend."""

import itertools
import math
import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from evalcore.figures.base import graph_objects as go
from evalcore.figures.svg import traces
from evalcore.figures.svg.axis import Axis, Hatches, lines_of, paint, same_scale, stroke, text_element, width_of
from evalcore.numeric import Array
from evalcore.wording import escaped

__all__ = ["picture_places", "svg_picture"]

_ROOMS = {
    "scatter": traces.room_of_scatter, "bar": traces.room_of_bars,
    "heatmap": traces.room_of_heat_map, "contour": traces.room_of_contours,
}  # fmt: skip
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
            if trace["type"] not in _ROOMS:
                raise ValueError(f"no picture of a {trace['type']} is drawn without a browser")
            trace["_gap"] = 0.2 if self.layout.get("bargap") is None else self.layout["bargap"]
        self.traces = [trace for trace in self.traces if trace.get("visible") in (None, True)]
        self.title, self.width = title, width
        self.height = int(self.layout.get("height") or 400)
        self.hatches = Hatches(name)
        self.name = name
        self.axes = self._axes()
        self._set_ranges()
        self._place()

    def _axes(self) -> dict[str, Axis]:
        names = {"x", "y"} | {key.replace("axis", "") for key in self.layout if re.fullmatch(r"[xy]axis\d*", key)}
        names |= {trace[f"{way}axis"] for trace in self.traces for way in "xy" if trace.get(f"{way}axis")}
        of = {name: self.layout.get(f"{name[0]}axis{name[1:]}") or {} for name in sorted(names)}
        return {name: Axis(name, settings) for name, settings in of.items()}

    def _axes_of(self, trace: Mapping[str, Any]) -> tuple[Axis, Axis]:
        return self.axes[trace.get("xaxis") or "x"], self.axes[trace.get("yaxis") or "y"]

    def _set_ranges(self) -> None:
        for trace in self.traces:
            x, y = self._axes_of(trace)
            x.take(trace.get("x"))
            y.take(trace.get("y"))
        for trace in self.traces:
            _ROOMS[trace["type"]](trace, *self._axes_of(trace))
        matched = {name: self.axes.get(str(axis.of.get("matches"))) for name, axis in self.axes.items()}
        # First those that others follow.
        for name in sorted(self.axes, key=lambda name: matched[name] is not None):
            self.axes[name].settle(matched[name])

    def _place(self) -> None:
        """Fit the margins to their contents, then set the pixels of every axis."""
        margin = self.layout.get("margin") or {}
        left, right, top, bottom = (float(margin.get(side) or 8) for side in "lrtb")
        for axis in self.axes.values():
            axis.start, axis.end = (0.0, self.width * 0.85) if axis.across else (self.height * 0.8, 0.0)
        uprights = [axis for axis in self.axes.values() if not axis.across]
        needs = dict.fromkeys(("left", "right"), 0.0)
        for axis in uprights:
            words = max((width_of(self._plain(t), self._size(axis)) for _, t in axis.ticks()), default=0.0)
            # Faces differ in how wide their letters are.
            need = (1.08 * words + 8 if axis.labelled else 0) + (20 if axis.title else 0)
            side = axis.of.get("side") or "left"
            needs[side] = max(needs[side], need)
        below = [axis for axis in self.axes.values() if axis.across and axis.visible]
        left, right = max(left, needs["left"] + 4), max(right, needs["right"] + 4, 14)
        bottom += max(((20 if a.labelled else 0) + (20 if a.title else 0) for a in below), default=0.0)
        self.legend = self._legend_lines(left)
        if self.legend:  # it stands at the top, wherever a browser would place it
            top = max(top, 10 + _LINE * len(self.legend))
        self.box = (left, top, self.width - right, self.height - bottom)
        for axis in self.axes.values():
            low, high = axis.of.get("domain") or (0, 1)
            if axis.across:
                span = self.box[2] - self.box[0]
                axis.start, axis.end = self.box[0] + span * low, self.box[0] + span * high
            else:
                span = self.box[3] - self.box[1]
                axis.start, axis.end = self.box[3] - span * low, self.box[3] - span * high
        for axis in self.axes.values():
            if (other := self.axes.get(str(axis.of.get("scaleanchor")))) is not None:
                same_scale(axis, other)

    def _size(self, axis: Axis) -> float:
        return float((axis.of.get("tickfont") or {}).get("size") or 11)

    @staticmethod
    def _plain(text: str) -> str:
        return max((plain for _, plain in lines_of(text)), key=len)

    @property
    def svg(self) -> str:
        """The picture."""
        shapes = self.layout.get("shapes") or ()
        below = [one for one in shapes if one.get("layer") == "below"]
        above = [one for one in shapes if one.get("layer") != "below"]
        body = [
            *map(self._grid, self.axes.values()),
            *(traces.shape(one, self.axes, self.box) for one in below),
            *self._elements(),
            *map(self._base, self.axes.values()),
            *(traces.shape(one, self.axes, self.box) for one in above),
            *map(self._ticks, self.axes.values()),
            *(traces.annotation(one, self.axes, self.box) for one in self.layout.get("annotations") or ()),
            self._legend(),
        ]
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        clips = "".join(self._clips.values())
        defs = self.hatches.definitions + clips
        head = f'<svg {size} role="img" aria-label="{escaped(self.title)}">'
        return f"{head}{f'<defs>{defs}</defs>' if defs else ''}{''.join(filter(None, body))}</svg>"

    def _elements(self) -> list[str]:
        self._clips: dict[str, str] = {}
        drawn, before = [], []
        # Bars and areas lie below lines, as Plotly lays them.
        for trace in sorted(self.traces, key=lambda trace: trace["type"] == "scatter"):
            x, y = self._axes_of(trace)
            if trace["type"] == "scatter":
                one = traces.scatter(trace, x, y, self.hatches, before)
                before = [x.pixels(trace.get("x")), y.pixels(trace.get("y"))]
            elif trace["type"] == "bar":
                one = traces.bars(trace, x, y, self.hatches)
            else:
                one = (traces.heat_map if trace["type"] == "heatmap" else traces.contours)(trace, x, y)
            clip = self._clip(x, y)
            drawn.append(one if trace.get("cliponaxis") is False else f'<g clip-path="url(#{clip})">{one}</g>')
        return drawn

    def _clip(self, x: Axis, y: Axis) -> str:
        name = f"{self.name}c{x.name}{y.name}"
        left, right, top, bottom = *sorted((x.start, x.end)), *sorted((y.start, y.end))
        box = f'x="{left - 4:.1f}" y="{top - 4:.1f}" width="{right - left + 8:.1f}" height="{bottom - top + 8:.1f}"'
        self._clips[name] = f'<clipPath id="{name}"><rect {box}/></clipPath>'
        return name

    def _across(self, axis: Axis) -> tuple[float, float]:
        """Ends of the lines of an axis, along the axis that crosses it."""
        other = self.axes.get(str(axis.of.get("anchor") or ("y" if axis.across else "x")))
        if other is None or other.across == axis.across:
            other = self.axes["y" if axis.across else "x"]
        return other.start, other.end

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
        start, end = self._across(axis)
        at = end if axis.of.get("side") in ("right", "top") else start
        start, end = axis.start, axis.end
        line = f"M{start:.1f} {at:.1f}H{end:.1f}" if axis.across else f"M{at:.1f} {start:.1f}V{end:.1f}"
        return f'<path d="{line}" fill="none"{paint("stroke", axis.of.get("linecolor") or "#E6EAEE")}/>'

    def _ticks(self, axis: Axis) -> str:
        if not axis.visible:
            return ""
        size, words = self._size(axis), []
        colour = (axis.of.get("tickfont") or {}).get("color") or "#586474"
        start, end = self._across(axis)
        side = axis.of.get("side")
        at = end if side in ("right", "top") else start
        free = -math.inf
        for number, text in axis.ticks() if axis.labelled else ():
            place = float(axis.place(number))
            if axis.across:
                half = width_of(self._plain(text), size) / 2
                if place - half < free:
                    continue
                free = place + half + 4
                words.append(text_element(place, at + 14, text, size=size, colour=colour, anchor="middle"))
            else:
                beside, anchor = (6, "start") if side == "right" else (-6, "end")
                words.append(text_element(at + beside, place, text, size=size, colour=colour, anchor=anchor))
        if axis.title:
            font = (axis.of.get("title") or {}).get("font") or {}
            size, colour = float(font.get("size") or 12), font.get("color") or "#586474"
            x = y = (axis.start + axis.end) / 2
            if axis.across:
                y, turn = at + (34 if axis.labelled else 14), 0
            else:
                x, turn = (self.width - 9, 90) if side == "right" else (9, -90)
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
        top = self.box[1] - 4 - _LINE * len(self.legend)
        parts = []
        for row, (x, trace) in itertools.chain(*([(i, one) for one in line] for i, line in enumerate(self.legend))):
            y = top + _LINE * (row + 0.5)
            parts.append(self._sample(trace, x, y) + text_element(x + 32, y, str(trace["name"]), colour="#1B2430"))
        return "".join(parts)

    def _sample(self, trace: Mapping[str, Any], x: float, y: float) -> str:
        marker, line = trace.get("marker") or {}, trace.get("line") or {}
        own = marker.get("color")
        colour = own if isinstance(own, str) else line.get("color") or _first(own)
        if trace["type"] != "scatter":
            pattern = marker.get("pattern") or {}
            fill = self.hatches.fill(colour, pattern, str(_first(pattern.get("shape")) or ""))
            return f'<rect x="{x + 6:.1f}" y="{y - 5:.1f}" width="14" height="10"{fill}/>'
        mode, parts = trace.get("mode") or "lines", ""
        if "lines" in mode and line.get("width") != 0:
            parts += f'<path d="M{x:.1f} {y:.1f}h26" fill="none"{stroke(line, colour)}/>'
        elif "lines" in mode:
            parts += (
                f'<rect x="{x + 6:.1f}" y="{y - 5:.1f}" width="14" height="10"{paint("fill", trace.get("fillcolor"))}/>'
            )
        if "markers" in mode:
            symbol = str(_first(marker.get("symbol")) or "circle")
            looks = f'{paint("stroke", colour)} fill="none"' if "open" in symbol else paint("fill", colour)
            size = min(float(_first(marker.get("size")) or 6), 10)
            parts += f'<path d="{traces.marker_path(symbol, x + 13, y, size)}"{looks}/>'
        return parts


def _first(value: Any) -> Any:
    return next(iter(value), None) if isinstance(value, (list, tuple, np.ndarray)) else value
