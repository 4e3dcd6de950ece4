"""What a figure shows, in words: some of its values, for those who do not see it."""

import html
import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from evalcore.numeric import Array

__all__ = ["described"]

_PLACES, _TRACES, _NAME = 5, 4, 40
_MARKUP = re.compile(r"</?(?:b|i|span|br)\b[^>]*>|\*\*")
_VALUE = re.compile(r"\d[.\u202f]\d")


def described(words: str, parts: Iterable[Mapping[str, Any]]) -> str:
    """The description of a figure as plain text; values of its traces follow where the words hold none.

    >>> described("ROC curve", [{"type": "scatter", "name": "<b>A</b>", "x": [0, 0.5, 1], "y": [0, 0.875, 1]}])
    'ROC curve. A: 0 at 0, 0.875 at 0.5, 1 at 1'
    >>> described("Precision 0.25 of **A &amp; B**", [])
    'Precision 0.25 of A & B'
    """
    parts = list(parts)
    if not _VALUE.search(words) and not any(_hides_an_axis(part) for part in parts if "type" not in part):
        traces = [part for part in parts if "type" in part and part.get("hoverinfo") != "skip"]
        values = [text for trace in traces if (text := _values(trace))]
        words = ". ".join([words.rstrip("."), "; ".join(values[-_TRACES:])]) if values else words
    return html.unescape(_MARKUP.sub("", words))


def _hides_an_axis(layout: Mapping[str, Any]) -> bool:
    return any(layout.get(axis, {}).get("visible") is False for axis in ("xaxis", "yaxis"))


def _values(trace: Mapping[str, Any]) -> str:
    """A few values of a trace after its name; empty where it has none."""
    name = str(trace.get("name") or "")
    heading = f"{name[:_NAME]}: " if name else ""
    if trace.get("z") is not None:
        z = _numbers(chain.from_iterable(trace["z"]))
        return f"{heading}{_text(np.nanmin(z))} to {_text(np.nanmax(z))}" if np.isfinite(z).any() else ""
    x, y = (trace.get(axis) for axis in ("yx" if trace.get("orientation") == "h" else "xy"))
    if x is None or y is None:
        return ""
    values, places = _numbers(y), _numbers(x)
    known = np.flatnonzero(np.isfinite(values))
    if not known.size or len(x) != len(values):
        return ""
    if len(places) and np.isfinite(places[known]).all() and _is_cloud(places[known]):
        ends = [_text(one) for side in (values[known], places[known]) for one in (side.min(), side.max())]
        return "{}{} points, {} to {} at {} to {}".format(heading, known.size, *ends)
    some = known[np.unique(np.linspace(0, known.size - 1, _PLACES).astype(int))]
    return heading + ", ".join(f"{_text(values[at])} at {_text(x[at])}" for at in some)


def _is_cloud(places: Array) -> bool:
    before, after = places[:-1], places[1:]
    return bool((after < before).any() and (after > before).any())


def _numbers(values: Iterable[Any]) -> Array:
    """Numbers with nan for missing ones; none where anything else is among them."""
    try:
        return np.array(list(values), dtype=np.float64)
    except (TypeError, ValueError):
        return np.zeros(0)


def _text(value: Any) -> str:
    return format(float(value), ".3g") if isinstance(value, (int, float, np.number)) else str(value)[:_NAME]
