"""The operating point: the ring that marks the threshold on the curves, the click that moves it, and ranges of areas.

It is laid over the pictures instead of being drawn in them, because a picture that changes is mounted anew: so a zoom
survives every new threshold, and a new threshold sends a few bytes.
"""

import math
from collections.abc import Callable, Mapping

import streamlit as st

from evalcore.analyses import CurveRanges, dragged_range, picked_point
from pages.widgets.controls.intervals import bound
from pages.widgets.display.figure import ELEMENT, component, page_ink
from pages.widgets.session import address

KEY = "operating-point"
_COMPONENT = component("operating_point", __file__, ELEMENT, "operating_point.js")
_AXES = {"fpr": "Partial area: FPR from", "tpr": "recall from"}


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
            "points": {key: [float(x) if math.isfinite(x) else None for x in point] for key, point in points.items()},
            "label": label,
            "text": colours.text,
            "paper": colours.paper,
            "accent": colours.accent,
            "lines": {key: list(ends) for key, ends in (lines or {}).items() if all(map(math.isfinite, ends))},
            "ranges": ranges and {"key": "roc", "x": list(ranges.fpr), "y": list(ranges.tpr)},
        },
        on_pick_change=lambda: (point := picked_point(st.session_state[KEY].get("pick"))) and picks(*point),
        on_range_change=lambda: (ends := dragged_range(st.session_state[KEY].get("range"))) and put_range(*ends),
    )


def ranges_of() -> CurveRanges:
    """The ranges in the address."""
    return CurveRanges(*(_in_address(axis) for axis in _AXES))


def put_range(axis: str, low: float, high: float) -> None:
    """Write a range into the address; good as a callback."""
    address.put(f"{axis}_from", float(low) if low > 0 else None)
    address.put(f"{axis}_to", float(high) if high < 1 else None)


def choose_ranges() -> None:
    """Ask for the ranges in numbers; dragging along the axes of the curve says the same."""
    ranges = ranges_of()
    with st.container(key="partial", horizontal=True, vertical_alignment="bottom"):
        for axis, label in _AXES.items():
            for end, value in zip(("from", "to"), getattr(ranges, axis), strict=True):
                bound(
                    st.number_input, label if end == "from" else "to", f"{axis}_{end}", value, 0.0, 1.0, step=0.05,
                    format="%.3f", key=f"{axis} range {end}", write=lambda _, axis=axis: _typed(axis),
                    width=165 if (axis, end) == ("fpr", "from") else 120,
                )  # fmt: skip
        if ranges.chosen:
            st.button("Whole curve", key="whole curve", on_click=_put_whole, type="tertiary")
        st.caption("Or drag along the axes of the ROC curve.", width="content")


def _in_address(axis: str) -> tuple[float, float]:
    low, high = (address.number(f"{axis}_{end}", start, 0.0, 1.0) for end, start in (("from", 0.0), ("to", 1.0)))
    if low >= high:
        address.refuse(f"{axis}_from", f"{axis}_to")
    return (low, high) if low < high else (0.0, 1.0)


def _put_whole() -> None:
    for axis in _AXES:
        put_range(axis, 0.0, 1.0)


def _typed(axis: str) -> None:
    low, high = (st.session_state[f"{axis} range {end}"] for end in ("from", "to"))
    if low is not None and high is not None and 0 <= low < high <= 1:
        put_range(axis, low, high)
