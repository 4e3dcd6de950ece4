"""The operating point: the ring that marks the threshold on the curves, the click that moves it, and a range.

It is laid over the pictures instead of being drawn in them, because a picture that changes is mounted anew: so a zoom
survives every new threshold, and a new threshold sends a few bytes.
"""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from evalcore.analyses import CurveRanges

from ...display.figure import page_ink
from .partial_range import put_range

KEY = "operating-point"
_COMPONENT = st.components.v2.component(
    "operating_point",
    html="<span></span>\n",
    js=(Path(__file__).parent / "operating_point.js").read_text(encoding="utf-8"),
)


def show_operating_point(
    points: Mapping[str, tuple[float, float]],
    label: str,
    picks: Callable[[float, int], None],
    lines: Mapping[str, tuple[float, float, float, float]] | None = None,
    ranges: CurveRanges | None = None,
) -> None:
    """Mark a point on each picture of the container this stands in, and listen to clicks on their curves.

    Points, labelled, are by the key of the picture, nan where a line with two ends is drawn instead; ranges are dragged
    along the axes of the ROC curve. `picks` is called with the threshold and the index of the system of a clicked
    point. Both come from a browser: the threshold is finite, the index is any whole number.
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
            "ranges": ranges and {"key": "roc", "x": list(ranges.fpr), "y": list(ranges.tpr)},
        },
        on_pick_change=lambda: _pick(st.session_state[KEY].get("pick"), picks),
        on_range_change=lambda: _brushed(st.session_state[KEY].get("range")),
    )


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _pick(pick: Any, picks: Callable[[float, int], None]) -> None:
    try:
        threshold, index = float(pick["threshold"]), int(pick["system"])
    except (TypeError, KeyError, ValueError, OverflowError):
        return
    if math.isfinite(threshold):
        picks(threshold, index)


def _brushed(sent: Any) -> None:
    try:
        low, high, along = float(sent["low"]), float(sent["high"]), sent["along"]
    except (TypeError, KeyError, ValueError, OverflowError):
        return
    if along in ("x", "y") and 0 <= low < high <= 1:
        put_range("fpr" if along == "x" else "tpr", low, high)
