"""Recalibration: what the probabilities would be worth if they were put right with what came true.

Two ways, both learnt on some of the rows and judged on the others. Platt's is a logistic curve: two numbers, so it
needs few rows, and it can only stretch and shift. The isotonic one is any curve that never falls: it mends every shape
but needs many rows and makes steps. Scipy has the second (pool adjacent violators, in linear time); the first is a
Newton iteration of two unknowns, which needs no library.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.probabilities import EventProbabilities
from evalcore.numeric import Array, over_blocks, over_parts, over_rows

__all__ = ["FOLDS", "SEED", "IsotonicCurve", "PlattCurve", "Recalibration", "isotonic", "platt", "recalibrated"]

METHODS = ("platt", "isotonic")
FOLDS, SEED = 5, 20
FARTHEST = 1e-12
"""Probabilities are kept this far from 0 and 1 before their log-odds are taken."""
_MANY = 4000
"""Rows from which a few of them are asked first where a curve is searched for."""


@dataclass(frozen=True)
class PlattCurve:
    """A logistic curve: probability = 1 / (1 + exp(−(slope · x + intercept))).

    Attributes
    ----------
    slope, intercept : float
    of : {"logit", "score"}
        What x is: the log-odds of a probability, or the score itself.
    """

    slope: float
    intercept: float
    of: str

    def __call__(self, scores: npt.ArrayLike) -> Array:
        """The probability that belongs to each score (or stated probability), of the same shape."""
        return _sigmoid(self.slope * _feature(np.asarray(scores, dtype=np.float64), self.of) + self.intercept)


@dataclass(frozen=True, eq=False)
class IsotonicCurve:
    """A curve that never falls, straight between its corners and level beyond them.

    Attributes
    ----------
    scores, probabilities : Array, shape (m,)
        Corners; both ascending.
    """

    scores: Array
    probabilities: Array

    def __call__(self, scores: npt.ArrayLike) -> Array:
        """The probability that belongs to each score, of the same shape."""
        return np.interp(scores, self.scores, self.probabilities)


@dataclass(frozen=True, eq=False)
class Recalibration:
    """Probabilities before and after recalibration.

    Attributes
    ----------
    method : {"platt", "isotonic"}
    before : EventProbabilities
        As they were stated.
    after : EventProbabilities
        The same rows in the same order, each by a curve that was learnt without it.
    curve : PlattCurve or IsotonicCurve
        Learnt on all rows: the one to use.
    folds : int
        Parts that the rows were divided into.
    """

    method: str
    before: EventProbabilities
    after: EventProbabilities
    curve: PlattCurve | IsotonicCurve
    folds: int


def recalibrated(
    event: EventProbabilities, method: str = "platt", folds: int = FOLDS, seed: int = SEED, of: str = "logit"
) -> Recalibration:
    """Recalibrate and judge by cross-validation: each row by a curve learnt on the other folds.

    Parameters
    ----------
    event : EventProbabilities
    method : {"platt", "isotonic"}
    folds : int
        At least 2. Rows that came true and rows that did not are each shared out evenly; where one of them has fewer
        rows there are as many folds as those.
    seed : int
        Of the sharing out.
    of : {"logit", "score"}
        "score" takes what stands in `event` as any scores, of which higher ones speak for coming true, and makes
        probabilities of them; `before` then holds the scores. The isotonic curve is the same for both.

    Raises
    ------
    ValueError
        When the method is unknown, there are fewer than two folds, or fewer than two rows of one outcome.

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> true = random.random(2000)
    >>> event = EventProbabilities(true**3 / (true**3 + (1 - true) ** 3), random.random(2000) < true)
    >>> after = recalibrated(event).after
    >>> float(((event.probability - event.happened) ** 2).mean().round(3))
    0.196
    >>> float(((after.probability - after.happened) ** 2).mean().round(3))
    0.17
    """
    if method not in METHODS:
        raise ValueError(f"No recalibration is called {method!r}; use one of {', '.join(METHODS)}.")
    if folds < 2:
        raise ValueError("Recalibration is judged on rows that it has not seen, which takes two folds or more.")
    counts = np.ones(len(event.happened), dtype=bool) if event.weights is None else event.weights > 0
    fewest = min(np.count_nonzero(counts & event.happened), np.count_nonzero(counts & ~event.happened))
    if fewest < 2:
        raise ValueError(
            f"{'Only 1 row has' if fewest else 'No row has'} one of the two outcomes; recalibration needs two or more "
            "that came true and two or more that did not."
        )
    folds = min(folds, int(fewest))
    place = _folds(event.happened, counts, folds, seed)
    learner = _Logistic(event, of) if method == "platt" else _Isotonic(event)
    after = np.empty(len(event.probability))

    def judge(fold: int) -> None:
        seen = place == fold
        after[seen] = learner.curve(~seen)(event.probability[seen])

    over_parts(judge, list(range(folds)), len(after))
    put_right = EventProbabilities(after, event.happened, event.weights)
    return Recalibration(method, event, put_right, learner.curve(), folds)


def platt(
    scores: npt.ArrayLike, happened: npt.NDArray[np.bool_], weights: Array | None = None, of: str = "logit"
) -> PlattCurve:
    """Fit a logistic curve with Platt's targets.

    The targets are not 1 and 0 but (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2), as if one more row of each outcome had been seen
    among those: without that a perfect order would ask for an infinite slope.

    Parameters
    ----------
    scores : array_like of float, shape (n,)
        Probabilities where `of` is "logit", else any scores.
    happened : array of bool, shape (n,)
    weights : Array, shape (n,), optional
    of : {"logit", "score"}
        A curve over the log-odds leaves calibrated probabilities as they are (slope 1, intercept 0); over the score it
        is Platt's own.

    References
    ----------
    J. Platt (1999). Probabilistic outputs for support vector machines and comparisons to regularized likelihood
    methods. Advances in Large Margin Classifiers, 61–74. MIT Press.

    H.-T. Lin, C.-J. Lin, R. Weng (2007). A note on Platt's probabilistic outputs for support vector machines. Machine
    Learning 68, 267–276. doi:10.1007/s10994-007-5018-6

    Examples
    --------
    >>> curve = platt([-1, -1, 1, 1], np.array([False, False, True, True]), of="score")
    >>> round(curve.slope, 4), abs(round(curve.intercept, 4)), curve([1]).round(2).tolist()
    (1.0986, 0.0, [0.75])
    """
    return _Logistic(EventProbabilities(np.asarray(scores, dtype=np.float64), happened, weights), of).curve()


def isotonic(scores: npt.ArrayLike, happened: npt.NDArray[np.bool_], weights: Array | None = None) -> IsotonicCurve:
    """Fit the curve that never falls and is nearest to what came true, in squares.

    Equal scores are one place. Between the places that were seen the curve is straight.

    References
    ----------
    B. Zadrozny, C. Elkan (2002). Transforming classifier scores into accurate multiclass probability estimates. KDD,
    694–699. doi:10.1145/775047.775151

    Examples
    --------
    >>> curve = isotonic([1, 2, 3, 4], np.array([False, True, False, True]))
    >>> curve([0, 2.5, 3.5]).tolist()
    [0.0, 0.5, 0.75]
    """
    return _Isotonic(EventProbabilities(np.asarray(scores, dtype=np.float64), happened, weights)).curve()


class _Isotonic:
    """Isotonic curves of all rows and of parts of them, which share one sort."""

    def __init__(self, event: EventProbabilities) -> None:
        self._order = np.argsort(event.probability)
        self._places = event.probability[self._order]
        self._first = np.append(True, self._places[1:] != self._places[:-1])[: len(self._places)]
        self._happened = event.happened[self._order]
        self._weights = None if event.weights is None else event.weights[self._order]

    def curve(self, seen: npt.NDArray[np.bool_] | None = None) -> IsotonicCurve:
        """Learnt on the rows that are seen; by default on all."""
        # Imported here: the optimisation of scipy takes longer to load than all of the intervals.
        from scipy.optimize import isotonic_regression

        counted = np.ones(len(self._order)) if self._weights is None else self._weights
        if seen is not None:
            counted = np.where(seen[self._order], counted, 0.0)
        starts = np.flatnonzero(self._first)
        rows, happened, places = counted, counted * self._happened, self._places[starts]
        if len(starts) < len(rows):
            rows, happened = (np.add.reduceat(values, starts) for values in (rows, happened))
        kept = rows > 0
        rows, places = rows[kept], places[kept]
        fitted = isotonic_regression(happened[kept] / rows, weights=rows).x
        # Of a level stretch its two ends say all.
        corner = np.ones(len(places), dtype=bool)
        corner[1:-1] = (fitted[1:-1] != fitted[:-2]) | (fitted[1:-1] != fitted[2:])
        return IsotonicCurve(places[corner], np.clip(fitted[corner], 0, 1))


class _Logistic:
    """Platt's curves of all rows and of parts of them, which share the log-odds."""

    def __init__(self, event: EventProbabilities, of: str) -> None:
        self._event, self._of = event, of
        self._x = over_rows(lambda rows: _feature(event.probability[rows], of), len(event.probability))

    def curve(self, seen: npt.NDArray[np.bool_] | None = None) -> PlattCurve:
        """Learnt on the rows that are seen; by default on all."""
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
        # In units of the largest score, or the square of a large one would not be a number any more.
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
            # Some of the rows lead most of the way, and what is found is the same.
            some, counted = _some(happened)
            counted = counted if weights is None else counted * weights[some]
            if counted.any():
                start = _likeliest(x[some], happened[some], counted, (low, high), start)
        slope, intercept = _likeliest(x, happened, weights, (low, high), start)
        return PlattCurve(float(slope / spread / unit), float(intercept - slope * centre / spread), self._of)


def _some(happened: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.intp], Array]:
    """One row in sixteen of each outcome, or all of one that is rare, and how many rows each of them stands for."""
    rows, counted = [], []
    for outcome in (np.flatnonzero(happened), np.flatnonzero(~happened)):
        step = 16 if 16 * len(outcome) > len(happened) else 1
        rows.append(outcome[::step])
        counted.append(np.full(len(rows[-1]), float(step)))
    return np.concatenate(rows), np.concatenate(counted)


def _folds(happened: npt.NDArray[np.bool_], counts: npt.NDArray[np.bool_], folds: int, seed: int) -> npt.NDArray:
    """A fold for each row: those of each outcome shuffled and dealt out in turn."""
    random = np.random.default_rng(seed)
    place = np.zeros(len(happened), dtype=np.intp)
    for rows in (np.flatnonzero(happened & counts), np.flatnonzero(~happened & counts)):
        place[random.permutation(rows)] = np.arange(len(rows)) % folds
    return place


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
    """Slope and intercept of the likeliest logistic curve, by Newton's method with a step that never makes it worse.

    Parameters
    ----------
    x : Array, shape (n,)
    happened : array of bool, shape (n,)
    weights : Array, shape (n,), or None
    targets : (float, float)
        What stands for a row that did not come true, and for one that did.
    start : Array, shape (2,)
    """

    def sums(at: Array) -> Array:
        """Loss, its two slopes and its three curvatures there, each added up over the rows."""

        def of_rows(rows: slice) -> list[float]:
            here = x[rows]
            target = np.where(happened[rows], targets[1], targets[0])
            z = at[0] * here + at[1]
            small = np.exp(-np.abs(z))  # of both tails, so that nothing overflows and no digit is lost
            loss = np.maximum(z, 0) + np.log1p(small) - target * z
            p = np.where(z < 0, small, 1.0) / (1 + small)
            off, curved = p - target, small / (1 + small) ** 2
            if weights is not None:
                loss, off, curved = (weights[rows] * values for values in (loss, off, curved))
            bent = curved * here
            return [float(v.sum()) for v in (loss, off * here, off, bent * here, bent, curved)]

        return np.array(over_blocks(of_rows, len(x))).sum(axis=0)

    found, now, before = start, sums(start), np.inf
    for _ in range(100):
        hessian = np.array([[now[3], now[4]], [now[4], now[5]]]) + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, now[1:3])
        size = float(np.abs(step).max())
        # So near the end the loss says no more than how its sums were rounded; there the steps shrink until they do so.
        near = now[1:3] @ step <= 1e-9 * now[0]
        if near and size < 1e-8 * (1 + np.abs(found).max()):
            return found - step  # each step squares the distance that is left
        if near and size > before / 2:
            break
        length = 1.0
        while (then := sums(found - length * step))[0] > now[0] and not near and length > 1e-10:
            length /= 2
        if length <= 1e-10:
            break
        found, now, before = found - length * step, then, size
    return found
