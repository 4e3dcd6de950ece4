"""Loss functions for display: their curves, and the constant estimate with the least mean loss."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evalcore.estimation.estimates import weighted_quantile
from evalcore.numeric import Array

__all__ = ["LOSS_FAMILIES", "LOSS_FUNCTIONS", "LossFunction", "huber_centre"]


@dataclass(frozen=True)
class LossFunction:
    """A loss of predicting p if y is true, and the constant p with the least mean loss."""

    name: str
    formula: str  # LaTeX over p and y
    minimiser: str  # what the constant is called
    # Loss of stated numbers p for a true y; the parameter is τ or δ.
    loss: Callable[[Array, float, float], Array]
    # The constant of some values with weights; the parameter is τ or δ.
    best: Callable[[Array, Array, float], float]
    needs: str = "numbers"  # "numbers", "counts" (from 0) or "classes" (two values, the higher one is y = +1)
    use: str = ""  # an example of its use

    def problem(self, values: Array) -> str:
        """Say why the loss does not apply to some true numbers; empty if it does.

        >>> LOSS_FUNCTIONS["poisson"].problem(np.array([2.0, -1.0]))
        'needs numbers from 0; the least is -1'
        """
        if self.needs == "counts" and values.min() < 0:
            return f"needs numbers from 0; the least is {values.min():g}"
        if self.needs == "classes" and (distinct := len(np.unique(values))) != 2:
            return f"needs two classes, y = ±1; there are {distinct} different values"
        return ""


def huber_centre(values: Array, weights: Array, delta: float) -> float:
    """The number with the least mean Huber loss: quadratic within δ, linear beyond.

    Where an interval of numbers is as good, its middle.

    >>> huber_centre(np.array([0.0, 1.0, 2.0, 100.0]), np.ones(4), 3.0)
    2.0
    """
    order = np.argsort(values)
    x, w = values[order], weights[order]
    # The slope of the mean loss rises from knot to knot, in straight pieces: look for where it crosses 0.
    knots = np.unique(np.concatenate([x - delta, x + delta]))

    def slope(at: float) -> float:
        return float(w @ np.clip(at - x, -delta, delta))

    tiny = 1e-12 * float(w.sum()) * max(delta, 1.0)
    ends = []
    for side in (-1, 1):
        low, high = 0, len(knots) - 1
        while high - low > 1:
            middle = (low + high) // 2
            value = slope(float(knots[middle]))
            below = value < -tiny if side < 0 else value <= tiny
            low, high = (middle, high) if below else (low, middle)
        a, b = slope(float(knots[low])), slope(float(knots[high]))
        share = 0.0 if b == a else min(max(-a / (b - a), 0.0), 1.0)
        ends.append(float(knots[low]) + share * float(knots[high] - knots[low]))
    return sum(ends) / 2


def _mean(values: Array, weights: Array, parameter: float) -> float:
    return float(weights @ values / weights.sum())


def _log_odds(values: Array, weights: Array) -> float:
    positive = float(weights[values == values.max()].sum() / weights.sum())
    return math.log(positive / (1 - positive))


def _poisson(p: Array, y: float, parameter: float) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p > 0, p - (y * np.log(p) if y else 0.0), np.nan)


LOSS_FUNCTIONS = {
    "squared": LossFunction(
        "Squared", r"\tfrac{1}{2} (p - y)^2", "mean", lambda p, y, _: (p - y) ** 2 / 2, _mean, use="least squares",
    ),
    "absolute": LossFunction(
        "Absolute", r"|p - y|", "median", lambda p, y, _: np.abs(p - y), lambda x, w, _: weighted_quantile(x, 0.5, w),
        use="robust regression",
    ),
    "huber": LossFunction(
        "Huber", r"\begin{cases} \tfrac{1}{2} (p - y)^2 & |p - y| \le \delta \\ "
        r"\delta |p - y| - \tfrac{1}{2} \delta^2 & "
        r"\text{else} \end{cases}", "Huber's centre",
        lambda p, y, delta: np.where(np.abs(p - y) <= delta, (p - y) ** 2 / 2, delta * np.abs(p - y) - delta**2 / 2),
        huber_centre, use="regression with a few outliers",
    ),
    "quantile": LossFunction(
        "Quantile", r"\tau \max(0, y - p) + (1 - \tau) \max(0, p - y)", "τ-quantile",
        lambda p, y, tau: np.maximum(tau * (y - p), (1 - tau) * (p - y)),
        lambda x, w, tau: weighted_quantile(x, tau, w), use="stock levels, prediction intervals",
    ),
    "poisson": LossFunction(
        "Poisson", r"p - y \ln p", "mean (its logarithm is what a model fits)", _poisson, _mean, "counts",
        "counts of events",
    ),
    "logistic": LossFunction(
        "Logistic", r"\ln(1 + e^{-y p})", "log-odds", lambda p, y, _: np.logaddexp(0, -y * p),
        lambda x, w, _: _log_odds(x, w), "classes", "logistic regression",
    ),
    "hinge": LossFunction(
        "Hinge", r"\max(0, 1 - y p)", "sign of the majority", lambda p, y, _: np.maximum(0, 1 - y * p),
        lambda x, w, _: float(np.sign(_log_odds(x, w))), "classes", "support vector machines",
    ),
    "exponential": LossFunction(
        "Exponential", r"e^{-y p}", "half the log-odds", lambda p, y, _: np.exp(-y * p),
        lambda x, w, _: _log_odds(x, w) / 2, "classes", "boosting (AdaBoost)",
    ),
}  # fmt: skip
"""Losses by key. Classes are y = ±1."""

LOSS_FAMILIES = {
    "of the error": ("squared", "absolute", "huber", "quantile"),
    "of the margin": ("logistic", "hinge", "exponential"),
    "of counts": ("poisson",),
}
"""Losses that are curves of the same thing."""
