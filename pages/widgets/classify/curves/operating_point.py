"""The operating point: the ring that marks the threshold on the curves, the click that moves it, and a range.

It is laid over the pictures instead of being drawn in them, because a picture that changes is mounted anew: so a zoom
survives every new threshold, and a new threshold sends a few bytes.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from ...display.figure import page_ink

KEY = "operating-point"
_COMPONENT = st.components.v2.component(
    "operating_point",
    html="<span></span>\n",
    js=(Path(__file__).parent / "operating_point.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class Brush:
    """A range of each axis of a picture, to be dragged.

    Parameters
    ----------
    key : str
        Of the picture.
    x, y : (float, float)
        Ends of the two ranges, 0 … 1.
    chosen : callable
        Called with "x" or "y" and the ends of another range along that axis, 0 <= low < high <= 1.
    """

    key: str
    x: tuple[float, float]
    y: tuple[float, float]
    chosen: Callable[[str, float, float], None]


def show_operating_point(
    points: Mapping[str, tuple[float, float]],
    label: str,
    picks: Callable[[float, int], None],
    lines: Mapping[str, tuple[float, float, float, float]] | None = None,
    brush: Brush | None = None,
) -> None:
    """Mark a point on each picture of the container this stands in, and listen to clicks on their curves.

    Parameters
    ----------
    points : mapping of str to (float, float)
        x and y of the ring by the key of the picture; nan where there is none.
    label : str
        Text beside the ring.
    picks : callable
        Called with the threshold and the index of the system of a clicked point. Both come from a browser: the
        threshold is finite, the index is any whole number.
    lines : mapping of str to (x, y, x, y), optional
        Both ends of a line by the key of a picture whose point is nan.
    brush : Brush, optional
        Ranges to be dragged along the axes of one of the pictures.
    """
    colours = page_ink()
    _COMPONENT(
        key=KEY,
        data={
            "points": {key: [_known(value) for value in point] for key, point in points.items()},
            "label": label,
            "text": colours.text,
            "paper": colours.paper,
            "accent": colours.accent,
            "lines": {key: list(ends) for key, ends in (lines or {}).items() if all(map(math.isfinite, ends))},
            "ranges": brush and {"key": brush.key, "x": list(brush.x), "y": list(brush.y)},
        },
        on_pick_change=lambda: _pick(picks),
        on_range_change=lambda: _brushed(brush),
    )


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _pick(picks: Callable[[float, int], None]) -> None:
    pick = st.session_state[KEY].get("pick")
    try:
        threshold, index = float(pick["threshold"]), int(pick["system"])
    except (TypeError, KeyError, ValueError, OverflowError):
        return
    if math.isfinite(threshold):
        picks(threshold, index)


def _brushed(brush: Brush | None) -> None:
    sent = st.session_state[KEY].get("range")
    try:
        low, high, along = float(sent["low"]), float(sent["high"]), sent["along"]
    except (TypeError, KeyError, ValueError, OverflowError):
        return
    if brush is not None and along in ("x", "y") and 0 <= low < high <= 1:
        brush.chosen(along, low, high)
