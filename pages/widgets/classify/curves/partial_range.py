"""The ranges that partial areas are taken over, of false positive rates and of recall: dragged or typed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from evalcore import METRICS
from evalcore.classification import ScoredLabels

from ...session import address

WHOLE = (0.0, 1.0)
_AXES = {"fpr": "Partial area: FPR from", "tpr": "recall from"}
_MEASURES = {"fpr": METRICS["partial_auc"], "tpr": METRICS["partial_auc_over_recall"]}
_CORRECTED = "The same on the scale of McClish, where ½ is guessing and 1 perfect, whatever the range"


@dataclass(frozen=True)
class Ranges:
    """The two ranges; each is everything where nobody chose one.

    Parameters
    ----------
    fpr, tpr : (float, float)
        0 <= low < high <= 1.
    """

    fpr: tuple[float, float] = WHOLE
    tpr: tuple[float, float] = WHOLE

    @property
    def chosen(self) -> dict[str, tuple[float, float]]:
        """Those that leave anything out, by "fpr" and "tpr"."""
        both = {"fpr": self.fpr, "tpr": self.tpr}
        return {axis: ends for axis, ends in both.items() if ends != WHOLE}

    @property
    def measures(self) -> dict[str, Callable[[ScoredLabels], float]]:
        """The partial areas over them, raw and corrected, by their names."""
        found = {}
        for axis, (low, high) in self.chosen.items():
            for name, corrected in ((_MEASURES[axis].symbol, False), (f"{_MEASURES[axis].symbol} corrected", True)):
                found[name] = partial(_area, _MEASURES[axis].function, low, high, corrected)
        return found

    @property
    def helps(self) -> dict[str, str]:
        """One line on each of them."""
        raw = {_MEASURES[axis].symbol: _MEASURES[axis].help for axis in self.chosen}
        return raw | {f"{name} corrected": _CORRECTED for name in raw}


WHOLE_CURVE = Ranges()


def ranges_of() -> Ranges:
    """The ranges in the address."""
    return Ranges(*(_in_address(axis) for axis in _AXES))


def put_range(axis: str, low: float, high: float) -> None:
    """Write a range into the address; good as a callback."""
    address.put(f"{axis}_from", float(low) if low > 0 else None)
    address.put(f"{axis}_to", float(high) if high < 1 else None)


def choose_ranges() -> None:
    """Ask for the ranges in numbers; dragging along the axes of the curve says the same."""
    ranges = ranges_of()
    with st.container(key="partial", horizontal=True, vertical_alignment="bottom"):
        for axis, label in _AXES.items():
            ends = getattr(ranges, axis)
            for end, value in zip(("from", "to"), ends, strict=True):
                key = f"{axis} range {end}"
                st.session_state[key] = value
                st.number_input(
                    label if end == "from" else "to", 0.0, 1.0, step=0.05, format="%.3f", key=key,
                    on_change=_typed, args=(axis,), width=165 if axis == "fpr" and end == "from" else 120,
                )  # fmt: skip
        if ranges.chosen:
            st.button("Whole curve", key="whole curve", on_click=_put_whole, type="tertiary")
        st.caption("Or drag along the axes of the ROC curve.", width="content")


def _in_address(axis: str) -> tuple[float, float]:
    low, high = (address.number(f"{axis}_{end}", start, *WHOLE) for end, start in (("from", 0.0), ("to", 1.0)))
    if low >= high:
        address.refuse(f"{axis}_from", f"{axis}_to")
    return (low, high) if low < high else WHOLE


def _put_whole() -> None:
    for axis in _AXES:
        put_range(axis, *WHOLE)


def _typed(axis: str) -> None:
    low, high = (st.session_state[f"{axis} range {end}"] for end in ("from", "to"))
    if low is not None and high is not None and 0 <= low < high <= 1:
        put_range(axis, low, high)


def _area(area: Callable, low: float, high: float, corrected: bool, scored: ScoredLabels) -> float:
    return float(area(scored, low, high, corrected=corrected))
