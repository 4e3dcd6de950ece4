"""Figures of Plotly as plain dictionaries: the same names, a tenth of the time.

Plotly checks every property as it is set, which takes longer than to compute what a figure shows. Here they are only
put in place. Plotly's own objects, `Figure.data` and `Figure.layout`, are made when they are asked for, and check all.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np
import plotly.graph_objects as plotly
from _plotly_utils.basevalidators import is_homogeneous_array
from _plotly_utils.utils import is_skipped_key, to_typed_array_spec


class Trace(dict[str, Any]):
    """The properties of a trace; underscores name those inside of others, as in ``line_width``."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(type=type(self).__name__.lower())
        put(self, properties)

    def update(self, **properties: Any) -> Self:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Set some properties, and leave the others inside of the same one; None takes one away."""
        put(self, properties)
        return self


class Scatter(Trace): ...


class Bar(Trace): ...


class Heatmap(Trace): ...


class Contour(Trace): ...


class Figure(plotly.Figure):
    """A figure of traces and a layout."""

    _data: list[dict[str, Any]]
    _layout: dict[str, Any]

    def __init__(self, data: Trace | Iterable[dict[str, Any]] = (), layout: Mapping[str, Any] | None = None) -> None:
        self._data = [data] if isinstance(data, Trace) else [*data]
        self._layout = put({}, layout or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return Figure, (self._data, self._layout)

    def __getattr__(self, name: str) -> Any:
        if "_data_objs" in self.__dict__ or name.startswith("__"):
            raise AttributeError(name)
        self.__dict__["_data_objs"] = ()  # what it lacks from here on, it lacks
        has_template = "template" in self._layout
        super().__init__(self._data, self._layout)
        if not has_template:  # Plotly adds its own
            self._layout.pop("template", None)
        return getattr(self, name)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The traces and, last, the layout, whose texts and numbers may be changed in place."""
        return [*self._data, self._layout]

    @property
    def traces(self) -> list[dict[str, Any]]:
        """The traces, to be changed, moved, or added to."""
        return self._parts()[0]

    def _parts(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The traces and the layout, to be changed: Plotly's objects of them are made anew."""
        for name in ("_data_objs", "_layout_obj"):
            self.__dict__.pop(name, None)
        return self._data, self._layout

    def to_dict(self) -> dict[str, Any]:
        """The figure as a dictionary for JSON, with arrays of numbers as their bytes."""
        return {"data": _copied(self._data), "layout": _copied(self._layout)}

    def add_trace(self, trace: dict[str, Any]) -> Self:
        return self.add_traces([trace])

    def add_traces(self, data: Iterable[dict[str, Any]]) -> Self:
        self.traces.extend(data)
        return self

    def add_scatter(self, **properties: Any) -> Self:
        return self.add_trace(Scatter(**properties))

    def add_still_line(self, x: Any, y: Any, line: dict[str, Any], **properties: Any) -> Self:
        """A line that says nothing and is in no legend."""
        return self.add_scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False, **properties)

    def add_ring(self, x: Any, y: Any, ground: str, edge: str, size: int = 13, width: int = 3) -> Self:
        """A dot on a place, or a ring around it, that says nothing and is in no legend."""
        marker = {"size": size, "color": ground, "line": {"color": edge, "width": width}}
        return self.add_scatter(x=x, y=y, mode="markers", marker=marker, hoverinfo="skip", showlegend=False)

    def add_bar(self, **properties: Any) -> Self:
        return self.add_trace(Bar(**properties))

    def add_heatmap(self, **properties: Any) -> Self:
        return self.add_trace(Heatmap(**properties))

    def add_contour(self, **properties: Any) -> Self:
        return self.add_trace(Contour(**properties))

    def add_annotation(self, **properties: Any) -> Self:
        self._parts()[1].setdefault("annotations", []).append(put({}, properties))
        return self

    def add_shape(self, **properties: Any) -> Self:
        self._parts()[1].setdefault("shapes", []).append(put({}, properties))
        return self

    def add_vline(self, x: float, **line: Any) -> Self:
        return self.add_shape(**{"type": "line", "x0": x, "x1": x, **_FROM_BOTTOM_TO_TOP, **line})

    def add_hline(self, y: float, **line: Any) -> Self:
        return self.add_shape(**{"type": "line", "y0": y, "y1": y, **_FROM_LEFT_TO_RIGHT, **line})

    def add_vrect(self, x0: float, x1: float, **area: Any) -> Self:
        return self.add_shape(**{"type": "rect", "x0": x0, "x1": x1, **_FROM_BOTTOM_TO_TOP, **area})

    def add_hrect(self, y0: float, y1: float, **area: Any) -> Self:
        return self.add_shape(**{"type": "rect", "y0": y0, "y1": y1, **_FROM_LEFT_TO_RIGHT, **area})

    def update_layout(self, **properties: Any) -> Self:
        put(self._parts()[1], properties)
        return self

    def update_xaxes(self, **properties: Any) -> Self:
        return self._update_axes("xaxis", properties)

    def update_yaxes(self, **properties: Any) -> Self:
        return self._update_axes("yaxis", properties)

    def _update_axes(self, axis: str, properties: dict[str, Any]) -> Self:
        layout = self._parts()[1]
        for name in {axis} | {name for name in layout if name.startswith(axis)}:
            put(layout.setdefault(name, {}), properties)
        return self


_FROM_BOTTOM_TO_TOP = {"xref": "x", "y0": 0, "y1": 1, "yref": "y domain"}
_FROM_LEFT_TO_RIGHT = {"x0": 0, "x1": 1, "xref": "x domain", "yref": "y"}

_WHOLE = {"error_x", "error_y", "paper_bgcolor", "plot_bgcolor"}
"""Names in which an underscore is part of the word."""


def put(target: dict[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Set properties in nested dictionaries of their own, in place; None takes one away.

    >>> put({"line": {"width": 2}, "x": 1}, {"line_dash": "dot", "error_x": {"width": 0}, "x": None})
    {'line': {'width': 2, 'dash': 'dot'}, 'error_x': {'width': 0}}
    """
    for name, value in properties.items():
        place, last = target, name
        if "_" in name and name not in _WHOLE:
            *above, last = name.split("_")
            for step in above:
                place = place.setdefault(step, {})
        if value is None:
            place.pop(last, None)
        elif isinstance(value, Mapping) and last != "meta":
            put(place.setdefault(last, {}), value)
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            place[last] = [put({}, one) for one in value]
        else:
            place[last] = value
    return target


def _copied(value: Any) -> Any:
    """A copy of nested dictionaries, in the order of their names, and lists, with the bytes of arrays."""
    if isinstance(value, dict):
        return {name: value[name] if is_skipped_key(name) else _copied(value[name]) for name in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [_copied(one) for one in value]
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.ndim == 1 and value.size:
        # As Plotly does, which first looks for what else it may be.
        return {"dtype": "f8", "bdata": b64encode(value.tobytes()).decode("ascii")}
    return to_typed_array_spec(value) if is_homogeneous_array(value) else value
