"""How intervals are made on a page: their method and level, and the interval of any measure of counts."""

from dataclasses import dataclass

import streamlit as st

from evalcore import MetricDef
from evalcore.classification import ConfusionCounts
from evalcore.inference import Interval, clopper_pearson, log_ratio_interval, wilson

_METHODS = {"wilson": ("Wilson", wilson), "clopper": ("Clopper–Pearson", clopper_pearson)}
_LEVELS = (0.8, 0.9, 0.95, 0.99)
_BY_LOGARITHM = ("positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio")


@dataclass(frozen=True)
class IntervalChoice:
    """A method for shares and a level for all.

    Parameters
    ----------
    method : {"wilson", "clopper"}
    level : float
        Confidence, between 0 and 1.
    """

    method: str = "wilson"
    level: float = 0.95

    @property
    def method_name(self) -> str:
        """The name of the method in words."""
        return _METHODS[self.method][0]

    def of(self, measure: MetricDef, counts: ConfusionCounts) -> tuple[Interval, float] | None:
        """The interval of a measure and how many rows it rests on; None where there is none in closed form."""
        if measure.reads:
            hits = sum(float(getattr(counts, cell)) for cell in measure.numerator)
            n = sum(float(getattr(counts, cell)) for cell in measure.denominator)
            return (_METHODS[self.method][1](min(hits, n), n, self.level), n) if n else None
        if measure.key in _BY_LOGARITHM:
            interval = log_ratio_interval(measure, counts, self.level)
            return (interval, float(counts.total)) if interval.low == interval.low else None
        return None


def choose_intervals() -> IntervalChoice:
    """Ask for the method and the level; both stay in the address."""
    method = st.selectbox(
        "Interval",
        list(_METHODS),
        format_func=lambda key: _METHODS[key][0],
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
