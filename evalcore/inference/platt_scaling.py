"""Platt scaling: a logistic curve from scores, or from the log-odds of probabilities, to probabilities."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.probabilities import EventProbabilities
from evalcore.numeric import Array, over_blocks, over_rows

__all__ = ["PlattCurve"]

FARTHEST = 1e-12
"""Probabilities are clipped this far from 0 and 1 before their log-odds are taken."""
_MANY = 4000
"""From this many rows on, a part of them gives the starting point of the fit."""


@dataclass(frozen=True)
class PlattCurve:
    """A logistic curve: probability = 1 / (1 + exp(−(slope · x + intercept)))."""

    slope: float
    intercept: float
    of: str  # "logit" or "score": what x is: the log-odds of a probability, or the score itself

    def __call__(self, scores: npt.ArrayLike) -> Array:
        """The probability for each score (or uncalibrated probability), of the same shape."""
        return _sigmoid(self.slope * _feature(np.asarray(scores, dtype=np.float64), self.of) + self.intercept)


class PlattFitter:
    """Fits Platt's curve to all rows and to parts of them, which share the log-odds.

    Over the log-odds of probabilities, calibrated ones keep their values (slope 1, intercept 0); over scores it is
    Platt's own curve. The targets are not 1 and 0 but (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2), as if one more row of each
    outcome had been observed: otherwise a perfect ranking would have an infinite slope.

    J. Platt (1999). Probabilistic outputs for support vector machines and comparisons to regularized likelihood
    methods. Advances in Large Margin Classifiers, 61–74. MIT Press.

    H.-T. Lin, C.-J. Lin, R. Weng (2007). A note on Platt's probabilistic outputs for support vector machines. Machine
    Learning 68, 267–276. doi:10.1007/s10994-007-5018-6

    >>> event = EventProbabilities(np.array([-1.0, -1, 1, 1]), np.array([False, False, True, True]))
    >>> curve = PlattFitter(event, of="score").curve()
    >>> round(curve.slope, 4), abs(round(curve.intercept, 4)), curve([1]).round(2).tolist()
    (1.0986, 0.0, [0.75])
    """

    def __init__(self, event: EventProbabilities, of: str) -> None:
        self._event, self._of = event, of
        self._x = over_rows(lambda rows: _feature(event.probability[rows], of), len(event.probability))

    def curve(self, seen: npt.NDArray[np.bool_] | None = None) -> PlattCurve:
        """Fitted on the rows that are seen; by default on all."""
        x, happened, weights = self._x, self._event.happened, self._event.weights
        if seen is not None:
            x, happened = x[seen], happened[seen]
            weights = None if weights is None else weights[seen]
        weighted = happened if weights is None else weights * happened
        total = float(len(x) if weights is None else weights.sum())
        if not total:
            return PlattCurve(0.0, float("nan"), self._of)
        yes = float(weighted.sum())
        high, low = (yes + 1) / (yes + 2), 1 / (total - yes + 2)
        rate = (yes * high + (total - yes) * low) / total
        # In units of the largest score, so that squares do not overflow.
        unit = float(max(x.max(initial=0.0), -x.min(initial=0.0))) or 1.0
        x = x / unit
        centre = float((x if weights is None else weights * x).sum() / total)
        apart = (x - centre) ** 2
        spread = float(np.sqrt((apart if weights is None else weights * apart).sum() / total))
        level = float(np.log(rate / (1 - rate)))
        if not spread > 0:
            return PlattCurve(0.0, level, self._of)
        x, start = (x - centre) / spread, np.array([0.0, level])
        if len(x) >= _MANY:
            # A part of the rows leads most of the way; the result is the same.
            some, counted = _some(happened)
            counted = counted if weights is None else counted * weights[some]
            if counted.any():
                start = _likeliest(x[some], happened[some], counted, (low, high), start)
        slope, intercept = _likeliest(x, happened, weights, (low, high), start)
        return PlattCurve(float(slope / spread / unit), float(intercept - slope * centre / spread), self._of)


def _some(happened: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.intp], Array]:
    """One row in sixteen of each outcome, or all of a rare one, and how many rows each represents."""
    rows, counted = [], []
    for outcome in (np.flatnonzero(happened), np.flatnonzero(~happened)):
        step = 16 if 16 * len(outcome) > len(happened) else 1
        rows.append(outcome[::step])
        counted.append(np.full(len(rows[-1]), float(step)))
    return np.concatenate(rows), np.concatenate(counted)


def _feature(scores: Array, of: str) -> Array:
    if of == "score":
        return scores
    inside = np.clip(scores, FARTHEST, 1 - FARTHEST)
    return np.log(inside) - np.log1p(-inside)


def _sigmoid(x: Array) -> Array:
    return 0.5 * (1 + np.tanh(0.5 * x))


def _likeliest(
    x: Array, happened: npt.NDArray[np.bool_], weights: Array | None, targets: tuple[float, float], start: Array
) -> Array:
    """Slope and intercept of maximum likelihood, by Newton's method with steps that never raise the loss.

    The targets are those of negative and positive outcomes.
    """

    def sums(at: Array) -> Array:
        """Loss, gradient and the three second derivatives, each summed over the rows."""

        def of_rows(rows: slice) -> list[float]:
            here = x[rows]
            target = np.where(happened[rows], targets[1], targets[0])
            z = at[0] * here + at[1]
            small = np.exp(-np.abs(z))  # the same for both tails, so that nothing overflows or loses digits
            loss = np.maximum(z, 0) + np.log1p(small) - target * z
            p = np.where(z < 0, small, 1.0) / (1 + small)
            off, curved = p - target, small / (1 + small) ** 2
            if weights is not None:
                loss, off, curved = (weights[rows] * values for values in (loss, off, curved))
            bent = curved * here
            return [float(v.sum()) for v in (loss, off * here, off, bent * here, bent, curved)]

        return np.array(over_blocks(of_rows, len(x))).sum(axis=0)

    estimate, now, before = start, sums(start), np.inf
    for _ in range(100):
        hessian = np.array([[now[3], now[4]], [now[4], now[5]]]) + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, now[1:3])
        size = float(np.abs(step).max())
        # This close to the optimum the loss changes by rounding only; there the steps shrink until they stop shrinking.
        near = now[1:3] @ step <= 1e-9 * now[0]
        if near and size < 1e-8 * (1 + np.abs(estimate).max()):
            return estimate - step  # each step squares the remaining distance
        if near and size > before / 2:
            break
        length = 1.0
        while (then := sums(estimate - length * step))[0] > now[0] and not near and length > 1e-10:
            length /= 2
        if length <= 1e-10:
            break
        estimate, now, before = estimate - length * step, then, size
    return estimate
