"""Recalibration: probabilities corrected by the observed outcomes, judged by cross-validation.

Platt scaling is a logistic curve: it has two parameters, so few rows suffice, and it can only stretch and shift.
Isotonic regression is any monotone curve: it corrects every shape, but needs many rows and makes steps.

Beside it, what smooths and orders what is drawn: kernel densities, and classes in the order of their confusions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.fft import irfft, next_fast_len, rfft

from evalcore import numeric
from evalcore.classification import ConfusionMatrix, EventProbabilities, ProbabilityTable, shares
from evalcore.classification.binary.clusters import is_weighted
from evalcore.numeric import Array, Flags, Indices

__all__ = ["FOLDS", "SEED", "IsotonicCurve", "PlattCurve", "RecalibratedTable", "Recalibration", "clustered_order"]
__all__ += ["isotonic", "kernel_density", "recalibrated", "recalibrated_table", "silverman"]

FARTHEST = 1e-12  # probabilities are clipped this far from 0 and 1 before their log-odds are taken
_MANY = 4000  # from this many rows on, a part of them gives the starting point of the fit


@dataclass(frozen=True)
class PlattCurve:
    """A logistic curve: probability = 1 / (1 + exp(−(slope · x + intercept)))."""

    slope: float
    intercept: float
    of: str  # "logit" or "score": what x is: the log-odds of a probability, or the score itself

    def __call__(self, scores: npt.ArrayLike) -> Array:
        """The probability for each score (or uncalibrated probability), of the same shape."""
        x = self.slope * _feature(np.asarray(scores, dtype=np.float64), self.of) + self.intercept
        return 0.5 * (1 + np.tanh(0.5 * x))


class PlattFitter:
    """Fit Platt's curve to all rows and to subsets of them, with the log-odds computed once.

    Over log-odds calibrated probabilities keep their values; over scores it is Platt's own curve. The targets are (N₊ +
    1)/(N₊ + 2) and 1/(N₋ + 2), as if one more row of each outcome had been observed, so that a perfect ranking has a
    finite slope. See J. Platt (1999), Advances in Large Margin Classifiers, 61–74; H.-T. Lin, C.-J. Lin, R. Weng
    (2007), doi:10.1007/s10994-007-5018-6.
    """

    def __init__(self, event: EventProbabilities, of: str) -> None:
        self._event, self._of = event, of
        self._x = numeric.over_rows(lambda rows: _feature(event.probability[rows], of), len(event.probability))

    def curve(self, training: Flags | None = None) -> PlattCurve:
        """Fit the curve to the training rows; by default to all."""
        x, happened, weights = self._x, self._event.happened, self._event.weights
        if training is not None:
            x, happened, weights = x[training], happened[training], numeric.at_rows(weights, training)

        def summed(values: npt.NDArray) -> float:
            return float((values if weights is None else weights * values).sum())

        total = float(len(x) if weights is None else weights.sum())
        if not total:
            return PlattCurve(0.0, float("nan"), self._of)
        yes = summed(happened)
        high, low = (yes + 1) / (yes + 2), 1 / (total - yes + 2)
        rate = (yes * high + (total - yes) * low) / total
        # In units of the largest score, so that squares do not overflow.
        unit = float(max(x.max(initial=0.0), -x.min(initial=0.0))) or 1.0
        x = x / unit
        centre = summed(x) / total
        spread, level = float(np.sqrt(summed((x - centre) ** 2) / total)), float(np.log(rate / (1 - rate)))
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


def _some(happened: Flags) -> tuple[Indices, Array]:
    """Sample one row in sixteen of each outcome, or all of a rare one, with the number of rows each represents."""
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


def _likeliest(x: Array, happened: Flags, weights: Array | None, targets: tuple[float, float], start: Array) -> Array:
    """Fit slope and intercept to the targets of negatives and positives by Newton's method; no step raises the loss."""

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

        return np.array(numeric.over_blocks(of_rows, len(x))).sum(axis=0)

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


METHODS = ("platt", "isotonic")
FOLDS, SEED = 5, 20


@dataclass(frozen=True, eq=False)
class IsotonicCurve:
    """A monotone curve, straight between its corners and level beyond them."""

    # Shape (m,): corners; scores ascending, probabilities ascending too, or descending where lower scores are positive.
    scores: Array
    probabilities: Array

    def __call__(self, scores: npt.ArrayLike) -> Array:
        """The probability for each score, of the same shape."""
        return np.interp(np.asarray(scores, dtype=np.float64), self.scores, self.probabilities)


@dataclass(frozen=True, eq=False)
class Recalibration:
    """Probabilities before and after recalibration."""

    method: str
    # `after` has the same rows in the same order, each by a curve fitted without it.
    before: EventProbabilities
    after: EventProbabilities
    curve: PlattCurve | IsotonicCurve  # fitted on all rows: the one to use
    folds: int


def recalibrated(
    event: EventProbabilities, method: str = "platt", folds: int = FOLDS, seed: int = SEED, of: str = "logit",
    higher_is_positive: bool = True,
) -> Recalibration:  # fmt: skip
    """Recalibrate and judge by cross-validation: each row by a curve fitted on the other folds.

    Folds are stratified by outcome and shuffled, no more than the rows of the rarer outcome. Whole weights count rows,
    which are dealt out one by one; the probability is then their mean. With `of` "score" the numbers in `event` are any
    scores. ValueError for an unknown method, or fewer than two folds, or rows of one outcome.
    """
    if method not in METHODS:
        raise ValueError(f"No recalibration is called {method!r}; use one of {', '.join(METHODS)}.")
    if folds < 2:
        raise ValueError("Recalibration is judged on rows that it has not seen, which takes two folds or more.")

    def learner(event: EventProbabilities) -> PlattFitter | _Isotonic:
        return PlattFitter(event, of) if method == "platt" else _Isotonic(event, higher_is_positive)

    counts = event.weight()
    # Whether weights count rows, and some entry counts more than one.
    several = event.clusters is None and bool((counts > 1).any()) and numeric.count_rows(counts)
    rows = counts if several else counts > 0
    fewest = min(int((rows * side).sum()) for side in (event.happened, ~event.happened))
    if fewest < 2:
        raise ValueError(
            f"{'Only 1 row has' if fewest else 'No row has'} one of the two outcomes; recalibration needs two or more "
            "that came true and two or more that did not."
        )
    folds, whole = min(folds, fewest), learner(event)
    if several:
        after = _judged_by_parts(event, counts, learner, folds, seed)
    else:
        fold_of_row = _folds(event.happened, counts > 0, folds, seed)
        if event.clusters is not None:
            fold_of_row = _folds_of_clusters(event, folds, seed)
        folds = int(fold_of_row.max()) + 1
        after = np.empty(len(counts))

        def judge(fold: int) -> None:
            tested = fold_of_row == fold
            after[tested] = whole.curve(~tested)(event.probability[tested])

        numeric.over_parts(judge, list(range(folds)), len(after))
    return Recalibration(method, event, replace(event, probability=after), whole.curve(), folds)


def _judged_by_parts(event: EventProbabilities, weights: Array, learner: Callable, folds: int, seed: int) -> Array:
    """Mean over the rows that an entry counts of their probabilities, each by a curve fitted on other folds."""
    each, left = np.divmod(weights, folds)
    parts = np.tile(each, (folds, 1))
    random = np.random.default_rng(seed)
    for side in (event.happened, ~event.happened):
        entries = random.permutation(np.flatnonzero(side & (weights > 0)))
        start = np.cumsum(left[entries]) - left[entries]
        for fold in range(folds):
            parts[fold, entries] += (fold - start) % folds < left[entries]
    parts[0, weights == 0] = 1.0

    def judge(fold: int) -> Array:
        others = replace(event, weights=np.maximum(weights - parts[fold], 0.0))
        return parts[fold] * learner(others).curve()(event.probability)

    return np.sum(numeric.over_parts(judge, list(range(folds)), len(weights)), axis=0) / np.maximum(weights, 1.0)


def isotonic(scores: npt.ArrayLike, happened: Flags, weights: Array | None = None) -> IsotonicCurve:
    """Fit the increasing curve nearest to the outcomes in least squares.

    Equal scores are one point. Between the observed scores the curve is straight. See B. Zadrozny, C. Elkan (2002),
    doi:10.1145/775047.775151.
    """
    return _Isotonic(EventProbabilities(np.asarray(scores, dtype=np.float64), happened, weights)).curve()


class _Isotonic:
    """Fit isotonic curves to all rows and to subsets of them, sorted once."""

    def __init__(self, event: EventProbabilities, increasing: bool = True) -> None:
        self._increasing = increasing
        self._order = np.argsort(event.probability)
        self._scores = event.probability[self._order]
        self._first = np.append(True, self._scores[1:] != self._scores[:-1])[: len(self._scores)]
        self._happened = event.happened[self._order]
        self._weights = None if event.weights is None else event.weights[self._order]

    def curve(self, training: Flags | None = None) -> IsotonicCurve:
        """Fit the curve to the training rows; by default to all."""
        # Imported here because scipy.optimize loads slowly.
        from scipy.optimize import isotonic_regression

        counted = np.ones(len(self._order)) if self._weights is None else self._weights
        if training is not None:
            counted = np.where(training[self._order], counted, 0.0)
        starts = np.flatnonzero(self._first)
        rows, happened, scores = counted, counted * self._happened, self._scores[starts]
        if len(starts) < len(rows):
            rows, happened = (np.add.reduceat(values, starts) for values in (rows, happened))
        filled = rows > 0
        rows, scores = rows[filled], scores[filled]
        fitted = isotonic_regression(happened[filled] / rows, weights=rows, increasing=self._increasing).x
        # A level stretch needs its two ends only.
        corner = np.ones(len(scores), dtype=bool)
        corner[1:-1] = (fitted[1:-1] != fitted[:-2]) | (fitted[1:-1] != fitted[2:])
        return IsotonicCurve(scores[corner], np.clip(fitted[corner], 0, 1))


def _folds(happened: Flags, counts: Flags, folds: int, seed: int) -> npt.NDArray:
    """A fold for each row, stratified by outcome and shuffled."""
    random = np.random.default_rng(seed)
    fold_of_row = np.zeros(len(happened), dtype=np.intp)
    for rows in (np.flatnonzero(happened & counts), np.flatnonzero(~happened & counts)):
        fold_of_row[random.permutation(rows)] = np.arange(len(rows)) % folds
    return fold_of_row


def _folds_of_clusters(event: EventProbabilities, folds: int, seed: int) -> npt.NDArray:
    """Fold of each row, equal within a cluster; clusters with most events are dealt out first."""
    codes, weight = event.cluster_codes, event.weight()
    rows = (weight > 0).astype(np.float64) if is_weighted(event.weights) else weight
    came_true, did_not = (np.bincount(codes, rows * side) for side in (event.happened, ~event.happened))
    fewest = min(np.count_nonzero(came_true), np.count_nonzero(did_not))
    if fewest < 2:
        raise ValueError("One of the two outcomes is in a single cluster; recalibration is judged on clusters unseen.")
    order = np.random.default_rng(seed).permutation(len(came_true))
    order = order[np.argsort(-came_true[order], kind="stable")]
    fold_of_cluster = np.empty(len(order), dtype=np.intp)
    fold_of_cluster[order] = np.arange(len(order)) % min(folds, fewest)
    return fold_of_cluster[codes]


@dataclass(frozen=True, eq=False)
class RecalibratedTable:
    """A table of probabilities before and after recalibration."""

    method: str
    # Both have the same rows in the same order, those of `after` recalibrated by curves fitted without them.
    before: ProbabilityTable
    after: ProbabilityTable
    # Shape (n,): the row of the given table that each is, as weights that count rows are written out.
    rows: Indices
    # Fitted on all rows: the ones to use. A class with fewer than two rows has none and is unchanged.
    curves: dict[object, PlattCurve | IsotonicCurve]
    folds: int  # number of folds; fewer for a class with fewer rows


def recalibrated_table(
    table: ProbabilityTable, method: str = "platt", folds: int = FOLDS, seed: int = SEED
) -> RecalibratedTable:
    """Recalibrate every class against the rest and divide each row by its new sum; judged by cross-validation.

    Of two classes only the last is recalibrated, and the first is its complement. A row whose recalibrated
    probabilities are all 0, as the isotonic curve can make them, is unchanged. Method, folds and seed as
    `recalibrated`, source as `isotonic`. ValueError when no class has two rows, and two rows of others.
    """
    # A row that counts twice is two rows, each with curves of its own.
    rows = None if table.clusters is not None else numeric.rows_counted(table.weights)
    if rows is not None:
        table = replace(table[rows], weights=None)
    k = len(table.classes)
    columns, curves, problems = table.probabilities.copy(), {}, {}

    def recalibrate(column: int) -> int:
        """Recalibrate the folds of a class."""
        try:
            result = recalibrated(table.event(column), method, folds, seed)
        except ValueError as problem:
            problems[column] = problem
            return 0
        columns[:, column] = result.after.probability
        curves[column] = result.curve
        return result.folds

    # Many classes share two threads; with long tables each class uses both already.
    together = columns.size if len(columns) < numeric.WORTH_A_THREAD else 0
    ended = numeric.over_parts(recalibrate, [1] if k == 2 else list(range(k)), together)
    if not curves:
        raise problems[max(problems)]
    used = ended[0] if k == 2 else folds
    curves = {table.classes[column]: curves[column] for column in sorted(curves)}
    if k == 2:
        columns[:, 0] = 1 - columns[:, 1]
    sums = columns.sum(axis=1, keepdims=True)
    after = np.where(sums > 0, columns / np.where(sums > 0, sums, 1), table.probabilities)
    rows = np.arange(len(after)) if rows is None else rows
    return RecalibratedTable(method, table, replace(table, probabilities=after), rows, curves, used)


_CELLS = 4096
_REACH = 4.0  # standard deviations beyond which the kernel is 0


@dataclass(frozen=True, eq=False)
class KernelDensity:
    """Values of a density whose integral is 1, at evenly spaced points; without rows 0, and the bandwidth nan."""

    at: Array
    values: Array
    bandwidth: float


def silverman(values: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """Silverman's rule of thumb: 0.9 · min(standard deviation, interquartile range / 1.34) · n^(−1/5).

    With weights n is Kish's effective size. 0 when all values are equal; nan without values. See B. Silverman (1986),
    Density Estimation for Statistics and Data Analysis. Chapman and Hall, equation 3.31.
    """
    x = np.asarray(values, dtype=np.float64)
    if not len(x):
        return float("nan")
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)
    total = w.sum()
    size = total**2 / np.square(w).sum()
    mean = (w * x).sum() / total
    deviation = float(np.sqrt((w * np.square(x - mean)).sum() / total * (size / (size - 1) if size > 1 else 0)))
    if weights is None:
        first, third = np.quantile(x, [0.25, 0.75])
    else:
        order = np.argsort(x, kind="stable")
        first, third = x[order][np.cumsum(w[order]).searchsorted([0.25 * total, 0.75 * total])]
    quartiles = float(third - first) / 1.34
    return 0.9 * (min(deviation, quartiles) if quartiles > 0 else deviation) * float(size) ** -0.2


def kernel_density(
    values: npt.ArrayLike, weights: npt.ArrayLike | None = None, *, low: float, high: float, points: int = 257,
    bandwidth: float | None = None,
) -> KernelDensity:  # fmt: skip
    """Gaussian kernel estimate at evenly spaced points.

    Each row is divided between the two nearest of 4,096 cells, and the cells are convolved with the kernel, so the time
    hardly depends on the number of rows; the error is invisible in a plot. Rows outside low … high count in the total,
    and inside as far as their kernel extends. The bandwidth is at least the width of a cell.
    """
    x = np.asarray(values, dtype=np.float64)
    at = np.linspace(low, high, points)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    total = float(len(x) if w is None else w.sum())
    if not total > 0:
        return KernelDensity(at, np.zeros(points), float("nan"))
    width = silverman(x, w) if bandwidth is None else float(bandwidth)
    width = max(width, (high - low) / (_CELLS - 1))
    start, end = low - _REACH * width, high + _REACH * width
    step = (end - start) / (_CELLS - 1)
    cells = _linear_binning((x - start) / step, w)
    reach = int(np.ceil(_REACH * width / step)) + 1
    kernel = np.exp(-0.5 * np.square(np.arange(-reach, reach + 1) * step / width))
    size = next_fast_len(len(cells) + len(kernel), real=True)
    product = np.asarray(rfft(cells, size)) * np.asarray(rfft(kernel, size))
    folded = np.asarray(irfft(product, size))[reach : reach + len(cells)]
    density = np.maximum(folded, 0) / (total * width * np.sqrt(2 * np.pi))
    return KernelDensity(at, np.interp(at, start + step * np.arange(_CELLS), density), width)


def _linear_binning(positions: Array, weights: Array | None) -> Array:
    """Divide rows between the two nearest cells, in proportion to the distance."""
    inside = (positions >= 0) & (positions <= _CELLS - 1)
    if not inside.all():
        positions, weights = positions[inside], numeric.at_rows(weights, inside)
    cell = np.minimum(positions.astype(np.intp), _CELLS - 2)
    upper = positions - cell
    lower = 1 - upper
    if weights is not None:
        upper, lower = upper * weights, lower * weights
    return (np.bincount(cell, lower, _CELLS) + np.bincount(cell + 1, upper, _CELLS)).astype(np.float64)


LARGEST = 500  # up to this many classes the leaves are ordered optimally; with more that takes too long


def clustered_order(matrix: ConfusionMatrix) -> Indices:
    """Order the classes, shape (k,), so that confused ones are next to each other.

    Two classes are near when a large share of the rows of either is predicted as the other. The order is that of the
    leaves of an average-linkage tree, flipped so that neighbours are as near as possible. See Z. Bar-Joseph, D.
    Gifford, T. Jaakkola (2001), doi:10.1093/bioinformatics/17.suppl_1.S22.
    """
    # Imported here because scipy.cluster loads slowly.
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    k = len(matrix.classes)
    if k < 3:
        return np.arange(k)
    of_actual = np.nan_to_num(shares(matrix, "actual"))
    apart = 1 - (of_actual + of_actual.T) / 2
    np.fill_diagonal(apart, 0)
    distances = squareform(np.clip(apart, 0, 1), checks=False)
    tree = linkage(distances, method="average")
    if k <= LARGEST:
        tree = optimal_leaf_ordering(tree, distances)
    return leaves_list(tree).astype(np.intp)
