"""How intervals are made on a page: their method and level, and the interval of any measure of counts."""

import math
from dataclasses import dataclass

import streamlit as st

from evalcore import MetricDef
from evalcore.classification import ConfusionCounts
from evalcore.inference import Interval, bootstrap, clopper_pearson, log_ratio_interval, wilson

_METHODS = {"wilson": "Wilson", "clopper": "Clopper–Pearson", "bootstrap": "bootstrap"}
_CLOSED = {"wilson": wilson, "clopper": clopper_pearson}
_LEVELS = (0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True)
class IntervalChoice:
    """A method for shares and a level for all.

    Parameters
    ----------
    method : {"wilson", "clopper", "bootstrap"}
    level : float
        Confidence, between 0 and 1.
    """

    method: str = "wilson"
    level: float = 0.95

    @property
    def method_name(self) -> str:
        """The name of the method in words."""
        return _METHODS[self.method]

    def of(self, measure: MetricDef, counts: ConfusionCounts) -> tuple[Interval, float] | None:
        """The interval of a measure and how many rows it rests on; None where the measure is undefined.

        A share has the chosen method, a likelihood ratio the logarithm, and whatever has no closed form the bootstrap.
        """
        below = measure.denominator
        n = sum(float(getattr(counts, cell)) for cell in below) if below else float(counts.total)
        if math.isnan(float(measure(counts))):
            return None
        if measure.interval == "share" and self.method in _CLOSED:
            hits = sum(float(getattr(counts, cell)) for cell in measure.numerator)
            return _CLOSED[self.method](min(hits, n), n, self.level), n
        if measure.interval == "logarithm" and self.method != "bootstrap":
            interval = log_ratio_interval(measure, counts, self.level)
            if not math.isnan(float(interval.low)):
                return interval, n
        interval = bootstrap(measure, counts, self.level)
        return None if math.isnan(float(interval.low)) else (interval, n)


def choose_intervals() -> IntervalChoice:
    """Ask for the method and the level; both stay in the address."""
    method = st.selectbox(
        "Interval",
        list(_METHODS),
        format_func=lambda key: _METHODS[key],
        key="interval",
        bind="query-params",
        width=150,
    )
    level = st.selectbox(
        "Level",
        _LEVELS,
        index=2,
        format_func=lambda share: f"{100 * share:g} %",
        key="level",
        bind="query-params",
        width=90,
    )
    return IntervalChoice(method if method in _METHODS else "wilson", level if level in _LEVELS else 0.95)
