"""Predicted probabilities and outcomes: the state, losses row by row and by class, calibration and its parts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.clusters import cluster_codes
from evalcore.classification.binary.labels import coded, equals, label_array, number_array, positive_label, weight_array
from evalcore.numeric import Array, Flags, Indices, at_rows, over_blocks, over_rows, ratio
from evalcore.registry import Param, metric

__all__ = ["TOLERANCE", "BrierParts", "ClassLosses", "EventProbabilities", "ProbabilityTable", "ReliabilityBins"]
__all__ += ["WorstRows", "asked", "bin_edges", "brier_parts", "calibration_error", "class_losses", "clipped_rows"]
__all__ += ["expected_calibration_error", "maximum_calibration_error", "overconfidence", "reliability_bins", "surprise"]
__all__ += ["worst_rows"]

TOLERANCE = 1e-6  # largest distance from 1 of the sum of the probabilities of a row


@dataclass(frozen=True, eq=False)
class EventProbabilities:
    """Predicted probability of an event, row by row, and whether it happened."""

    probability: Array  # shape (n,)
    happened: Flags  # shape (n,)
    weights: Array | None = None  # shape (n,): what each row counts; None: each counts 1
    clusters: Indices | None = None  # shape (n,): what each row belongs to; None: each is on its own

    @property
    def total(self) -> float:
        """n, the rows or the sum of their weights."""
        return float(len(self.probability) if self.weights is None else self.weights.sum())

    @property
    def cluster_codes(self) -> Indices:
        """Cluster of each row as codes without gaps; the row itself if rows are independent."""
        if self.clusters is None:
            return np.arange(len(self.probability))
        return np.unique(self.clusters, return_inverse=True)[1].astype(np.intp)

    def weight(self) -> Array:
        """Weight of each row, shape (n,)."""
        return np.ones(len(self.probability)) if self.weights is None else self.weights

    def __getitem__(self, rows: Any) -> "EventProbabilities":
        beside = at_rows(self.weights, rows), at_rows(self.clusters, rows)
        return EventProbabilities(self.probability[rows], self.happened[rows], *beside)


@dataclass(frozen=True, eq=False)
class ProbabilityTable:
    """Probabilities of several classes, row by row, and the class that each row has.

    Build it with `from_arrays` or, for a yes/no question, with `from_event`.
    """

    classes: tuple
    probabilities: Array  # shape (n, k): rows that add up to 1
    actual: Indices  # shape (n,): index of the actual class in `classes`
    weights: Array | None = None  # shape (n,): what each row counts; None: each counts 1
    clusters: Indices | None = None  # shape (n,): codes of what each row belongs to; None: itself

    @classmethod
    def from_arrays(
        cls, labels: npt.ArrayLike, probabilities: npt.ArrayLike, classes: Sequence,
        weights: npt.ArrayLike | None = None, normalised: bool = False,
    ) -> "ProbabilityTable":  # fmt: skip
        """Take the class of each row and its probabilities, shape (n, k), one column per class.

        Each row adds up to 1 within `TOLERANCE`, or is divided by its sum (`normalised`). Raises a ValueError when the
        shapes do not fit, there are not two or more different classes, a label is missing or unknown, or a probability
        is negative or not a number; it names the first such row.

        >>> table = ProbabilityTable.from_arrays(["a", "b"], [[0.8, 0.2], [3, 1]], ("a", "b"), normalised=True)
        >>> table.probabilities.tolist(), table.actual.tolist()
        ([[0.8, 0.2], [0.75, 0.25]], [0, 1])
        """
        names = tuple(classes)
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"{len(names)} classes are given; probabilities need two or more, all different.")
        codes, values = coded(labels, "labels")
        indices = {label: index for index, label in enumerate(names)}
        if unknown := [label for label in values if label not in indices]:
            raise ValueError(f"The label {unknown[0]!r} is not among the classes; add its column or relabel its rows.")
        actual = np.array([indices[label] for label in values], dtype=np.intp)[codes]
        array = _probability_rows(probabilities, (len(actual), len(names)), names, normalised)
        return cls(names, array, actual, None if weights is None else weight_array(weights, len(actual)))

    @classmethod
    def from_event(
        cls, labels: npt.ArrayLike, probability: npt.ArrayLike, positive: object = True,
        weights: npt.ArrayLike | None = None, clusters: npt.ArrayLike | None = None,
    ) -> "ProbabilityTable":  # fmt: skip
        """The two-class table of a yes/no question: the last class is `positive`, the first everything else.

        Takes the probability of the positive class; the rest is as in `ScoredLabels.from_arrays`. Raises a ValueError
        that names the first row whose label is missing or whose probability lies outside 0 … 1.

        >>> ProbabilityTable.from_event([1, 0], [0.75, 0.5], positive=1).probabilities.tolist()
        [[0.25, 0.75], [0.5, 0.5]]
        """
        truth = label_array(labels, "labels")
        predicted = number_array(probability, "probability", len(truth))
        outside = (predicted < 0) | (predicted > 1)
        if outside.any():
            row = int(np.argmax(outside))
            raise ValueError(f"probability is {predicted[row]:g} in row {row}; it must lie between 0 and 1.")
        weight = None if weights is None else weight_array(weights, len(truth))
        positive = positive_label(positive, truth)
        both = np.column_stack([1 - predicted, predicted])
        codes = None if clusters is None else cluster_codes(clusters, len(truth))
        return cls((f"not {positive}", positive), both, equals(truth, positive).astype(np.intp), weight, codes)

    @property
    def total(self) -> float:
        """n, the rows or the sum of their weights."""
        return float(len(self.actual) if self.weights is None else self.weights.sum())

    @property
    def counted(self) -> Flags:
        """Rows of a weight other than 0, as flags, shape (n,)."""
        return np.ones(len(self.actual), dtype=bool) if self.weights is None else self.weights > 0

    @cached_property
    def of_actual(self) -> Array:
        """Probability that each row gives to its actual class, shape (n,); cached, because every loss reads it."""
        return self.probabilities[np.arange(len(self.actual)), self.actual]

    @property
    def sizes(self) -> Array:
        """Rows of each class, or the sum of their weights, shape (k,)."""
        return np.bincount(self.actual, weights=self.weights, minlength=len(self.classes)).astype(np.float64)

    @property
    def base_rates(self) -> Array:
        """Share of each class among the rows, shape (k,)."""
        return ratio(self.sizes, self.sizes.sum())

    @cached_property
    def separations(self) -> Array:
        """Probability that a row of class c gives c a higher probability than a row of class d does, shape (k, k).

        A tie counts half; nan where a class has no row, and for a class with itself. Kept, as several areas read it.
        """
        k = len(self.classes)
        areas, by_class = np.full((k, k), np.nan), np.argsort(self.actual, kind="stable")
        ends = np.searchsorted(self.actual[by_class], np.arange(k + 1))
        weight, parts = at_rows(self.weights, by_class), [slice(*pair) for pair in pairwise(ends.tolist())]
        for c in range(k):
            column = np.ascontiguousarray(self.probabilities[:, c])[by_class]
            sides = [_sorted_with_sums(column[part], at_rows(weight, part)) for part in parts]
            own, own_sums = sides[c]
            for d, (others, sums) in enumerate(sides):
                total = float(own_sums[-1] * sums[-1])
                if d == c or not total:
                    continue
                # Sorted values are looked up in sorted ones, so that the search stays in the cache.
                below, up_to = (np.searchsorted(others, own, side) for side in ("left", "right"))
                areas[c, d] = (np.diff(own_sums) * (sums[below] + sums[up_to])).sum() / (2 * total)
        return areas

    def __getitem__(self, rows: Any) -> "ProbabilityTable":
        beside = at_rows(self.weights, rows), at_rows(self.clusters, rows)
        return ProbabilityTable(self.classes, self.probabilities[rows], self.actual[rows], *beside)

    def mean(self, of_rows: Array) -> float:
        """Weighted mean of one number a row; nan without rows."""
        if self.weights is None or not self.total:
            return float(of_rows.mean()) if self.total else float("nan")
        # What a row of weight 0 costs is nothing, though it were infinite.
        counts = self.weights > 0
        return float((of_rows[counts] * self.weights[counts]).sum() / self.weights.sum())

    def event(self, index: int) -> EventProbabilities:
        """The event that a row has one class."""
        return EventProbabilities(self.probabilities[:, index], self.actual == index, self.weights, self.clusters)

    def confidence(self) -> EventProbabilities:
        """The event that the most probable class (the first of those that tie) is right."""
        named = self.probabilities.argmax(axis=1)
        stated = self.probabilities[np.arange(len(named)), named]
        return EventProbabilities(stated, named == self.actual, self.weights, self.clusters)


def _probability_rows(given: npt.ArrayLike, shape: tuple[int, int], classes: tuple, normalised: bool) -> Array:
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("probabilities must be numbers; convert the columns or choose other ones.") from None
    if (own := array.shape) != shape:
        raise ValueError(f"probabilities has the shape {own}; give one row a label, one column a class: {shape}.")
    bad = ~(array >= 0) | np.isinf(array)
    if bad.any():
        row, column = np.argwhere(bad)[0].tolist()
        value, name = array[row, column], classes[column]
        raise ValueError(f"The probability of {name!r} is {value:g} in row {row}; it must be a number from 0 to 1.")
    with np.errstate(over="ignore"):
        sums = array.sum(axis=1)
    if normalised:
        if (sums == 0).any():
            row = int(np.argmax(sums == 0))
            raise ValueError(f"All probabilities are 0 in row {row}; leave that row out, nothing can be made of it.")
        if np.isinf(sums).any():
            array = array / array.max(axis=1, keepdims=True)
            sums = array.sum(axis=1)
        return array / sums[:, None]
    apart = np.abs(sums - 1) > TOLERANCE
    if apart.any():
        row = int(np.argmax(apart))
        more = int(np.count_nonzero(apart)) - 1
        others = f"; nor do those of {more} other row{'s' if more > 1 else ''}" if more else ""
        raise ValueError(
            f"The probabilities add up to {sums[row]:.7g} in row {row}, and not to 1{others}. Correct them, or have "
            "each row divided by its sum (normalised=True)."
        )
    # What rounding has put above 1 is certain and no more than that.
    return np.minimum(array, 1.0) if array.size and array.max() > 1 else array


def _sorted_with_sums(values: Array, weights: Array | None) -> tuple[Array, Array]:
    """Values in rising order, and the cumulated weights from 0; numbers alone sort by the vector units."""
    if weights is None:
        return np.sort(values), np.arange(len(values) + 1.0)
    order = np.argsort(values)
    return values[order], np.append(0.0, np.cumsum(weights[order]))


CLIP = 1e-15  # δ: a probability nearer than this to 0 or 1 is taken as δ or 1 − δ before its logarithm


def surprise(probabilities: npt.ArrayLike, clip: float = CLIP) -> Array:
    """Minus the natural logarithm of probabilities, each clipped to `clip` … 1 − `clip`.

    Both ends are clipped: with the lower one alone a forecast would gain by predicting 1 where it is almost certain.
    """
    with np.errstate(divide="ignore"):
        return 0.0 - np.log(np.minimum(np.maximum(probabilities, clip), 1 - clip))


def clipped_rows(table: ProbabilityTable, clip: float = CLIP) -> int:
    """Rows whose own class has a probability below `clip`, so that their loss is too low; whole weights count rows."""
    low, weights = table.of_actual < clip, table.weights
    if weights is None or not np.array_equal(weights, np.rint(weights)):
        return int(np.count_nonzero(low & table.counted))
    return int(weights[low].sum())


@dataclass(frozen=True, eq=False)
class WorstRows:
    """The rows with the highest loss, the worst first; each array of shape (m,)."""

    rows: Indices  # places in the table; equal losses in its order
    # Loss of each row, and its weighted share of the loss of all rows.
    losses: Array
    shares: Array


def worst_rows(table: ProbabilityTable, most: int = 20, base: float = math.e, clip: float = CLIP) -> WorstRows:
    """The rows with the highest log-loss, and their share of the whole; rows of weight 0 are left out."""
    counted, unit = np.flatnonzero(table.counted), math.log(base)
    own = table.of_actual[counted]
    losses = over_rows(lambda rows: surprise(own[rows], clip) / unit, len(own))
    weighted = losses if table.weights is None else losses * table.weights[counted]
    most = min(most, len(losses))
    if 0 < most < len(losses):
        # Only rows at least as bad as the last one shown take part in the sort.
        candidates = np.flatnonzero(losses >= np.partition(losses, len(losses) - most)[len(losses) - most])
    else:
        candidates = np.arange(len(losses))
    worst = candidates[np.argsort(-losses[candidates], kind="stable")][:most]
    return WorstRows(counted[worst], losses[worst], ratio(weighted[worst], weighted.sum()))


@dataclass(frozen=True, eq=False)
class ClassLosses:
    """The losses class by class, each array of shape (k,)."""

    # Rows of the class (or their weight) and their share of all.
    rows: Array
    base_rate: Array
    # Mean predicted probability of the class over all rows; equal to the base rate where calibrated in the large.
    mean_probability: Array
    log_loss: Array  # mean −ln q over the rows that have the class; the mean of these by the base rates is the log-loss
    # Of the class against the rest, over all rows; their sums are the log-loss over the classes and the Brier score.
    binary_log_loss: Array
    brier: Array


def class_losses(table: ProbabilityTable, base: float = math.e, clip: float = CLIP) -> ClassLosses:
    """Log-loss and Brier score of each class."""
    if table.weights is not None:
        table = table[table.counted]  # a row of weight 0 costs nothing, though its loss were infinite
    k = len(table.classes)
    has = table.actual[:, None] == np.arange(k)
    weight = np.ones(len(table.actual)) if table.weights is None else table.weights
    own = np.bincount(table.actual, weights=weight * surprise(table.of_actual, clip), minlength=k)
    rows = np.bincount(table.actual, weights=weight, minlength=k).astype(np.float64)
    right = surprise(np.where(has, table.probabilities, 1 - table.probabilities), clip)
    unit = math.log(base)

    def means(columns: Array) -> Array:
        return ratio((weight[:, None] * columns).sum(axis=0), weight.sum())

    stated, brier = means(table.probabilities), means((table.probabilities - has) ** 2)
    return ClassLosses(rows, table.base_rates, stated, ratio(own, rows) / unit, means(right) / unit, brier)


BINS = 10  # bins by default

# Layouts of the bins of a reliability diagram, besides edges of one's own.
WAYS = ("equal width", "equal count", "distinct values")
_gap = partial(
    metric, family="probabilities", best=0, undefined_when="there are no rows", reference="naeini2015",
    interval="chance", params=(Param("bins", 15.0, 1.0, 1000.0, "Bins of equal width between 0 and 1.", whole=True),),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ReliabilityBins:
    """The bins of a reliability diagram, without those that hold no row; each array of shape (b,)."""

    # Edges: low < probability <= high, and the first bin with its low edge.
    low: Array
    high: Array
    # Rows, and those where the event occurred, or sums of weights; `evalcore.inference.wilson(happened, n)` is the
    # interval of the observed frequency.
    n: Array
    happened: Array
    # Mean predicted probability and observed frequency.
    mean_probability: Array
    observed: Array

    @property
    def gap(self) -> Array:
        """Mean predicted probability minus observed frequency."""
        return self.mean_probability - self.observed

    @property
    def largest_gap(self) -> float:
        """The maximum calibration error over these bins; nan without rows."""
        return float(np.abs(self.gap).max()) if len(self.n) else float("nan")


def bin_edges(event: EventProbabilities, bins: int = BINS, way: str = "equal width") -> Array:
    """Edges of the bins of a reliability diagram, ascending from 0 to 1, laid out by one of `WAYS`.

    Equal probabilities share a bin, so bins of equal count are fewer and larger where there are ties. Each of "distinct
    values" is a bin, whatever their number. An unknown way is a ValueError, and so is no bin.
    """
    if way not in WAYS:
        raise ValueError(f"No way to lay out bins is called {way!r}; use one of {', '.join(WAYS)}.")
    if bins < 1:
        raise ValueError("A reliability diagram needs at least one bin.")
    if way == "equal width":
        return _equal_widths(int(bins))
    values = np.unique(event.probability)
    if way == "equal count" and len(values):
        order = np.argsort(event.probability, kind="stable")
        reached = np.cumsum(event.weight()[order])
        wanted = reached[-1] * np.arange(1, int(bins)) / int(bins)
        indices = np.minimum(reached.searchsorted(wanted * (1 - 1e-12)), len(order) - 1)
        values = np.unique(event.probability[order][indices])
    inside = values[(values > 0) & (values < 1)]
    # A value is the upper edge of its own bin; where it is 0, that bin holds nothing else.
    first = [0.0, 0.0] if len(values) and values[0] == 0 else [0.0]
    return np.concatenate([first, inside, [1.0]])


def reliability_bins(event: EventProbabilities, edges: npt.ArrayLike | None = None) -> ReliabilityBins:
    """Mean predicted probability and observed frequency, bin by bin; edges ascend from 0 to 1, by default in tenths."""
    return _binned(event, _equal_widths(BINS) if edges is None else edges)[0]


@_gap(name="Expected calibration error", symbol="ECE",
      formula=r"\sum_b \frac{n_b}{n} \left| \bar q_b - \bar y_b \right|",
      aliases=("mean calibration error",))  # fmt: skip
def expected_calibration_error(table: ProbabilityTable, bins: float = 15) -> float:
    """Mean gap between predicted probability and observed rate, over bins of the probability.

    For two classes it uses the probability of the last one; for more, that of the most probable class.

    How to read it: in units of probability. It depends on the bins, exceeds 0 by chance in small samples, and is 0 for
    a forecaster who always states the base rate: read it together with a loss.

    >>> table = ProbabilityTable.from_event([1, 0, 0, 1], [0.75, 0.75, 0.25, 0.25], positive=1)
    >>> expected_calibration_error(table, bins=2)
    0.25
    """
    return calibration_error(reliability_bins(asked(table), _equal_widths(int(bins))))


@_gap(name="Maximum calibration error", symbol="MCE", formula=r"\max_b \left| \bar q_b - \bar y_b \right|")
def maximum_calibration_error(table: ProbabilityTable, bins: float = 15) -> float:
    """Largest gap between predicted probability and observed rate in any bin.

    For two classes it uses the probability of the last one; for more, that of the most probable class.

    How to read it: how far off the mean prediction of a bin is at worst. A bin with few rows can be far off by chance
    alone, so check the counts.

    >>> table = ProbabilityTable.from_event([1, 0, 0, 0], [0.75, 0.75, 0.25, 0.25], positive=1)
    >>> maximum_calibration_error(table, bins=2)
    0.25
    """
    return reliability_bins(asked(table), _equal_widths(int(bins))).largest_gap


def calibration_error(bins: ReliabilityBins) -> float:
    """The expected calibration error over any bins."""
    return float(ratio((bins.n * np.abs(bins.gap)).sum(), bins.n.sum()))


def overconfidence(bins: ReliabilityBins, counted: Flags | None = None, centre: float | None = None) -> float:
    """Share of the calibration error from predictions farther from the centre than the observed frequency.

    How to read it: 1 is overconfident on both sides, 0 underconfident; about ½ is off in one direction, too high or too
    low everywhere. Undefined where every bin is calibrated.

    `counted` flags the bins that count, such as those whose gap is more than chance. The centre is by default the base
    rate; 0 for the probability of the predicted class, which is only too high or too low.
    """
    middle = ratio(bins.happened.sum(), bins.n.sum()) if centre is None else centre
    off = bins.n * np.abs(bins.gap) * (True if counted is None else counted)
    too_far = (bins.gap > 0) == (bins.mean_probability > middle)
    return float(ratio(off[too_far].sum(), off.sum()))


def asked(table: ProbabilityTable) -> EventProbabilities:
    """Event of a table: the row has the last of two classes, or the most probable of several classes is right."""
    return table.event(1) if len(table.classes) == 2 else table.confidence()


@dataclass(frozen=True)
class BrierParts:
    """The mean squared error of a probability, decomposed.

    score = reliability − resolution + uncertainty + within_variance − within_covariance
    """

    score: float  # the mean squared error itself
    # Squared distance of predicted probabilities from observed frequencies, bin by bin; 0 is calibrated.
    reliability: float
    resolution: float  # how far the observed frequencies differ from bin to bin; more is better
    uncertainty: float  # the score of always stating the base rate
    # Parts within the bins: 0 when all rows of a bin have the same probability.
    within_variance: float
    within_covariance: float

    def __add__(self, other: "BrierParts") -> "BrierParts":
        """Add the parts of two events, such as two of several classes."""
        return BrierParts(*(one + two for one, two in zip(vars(self).values(), vars(other).values(), strict=True)))


def brier_parts(event: EventProbabilities, edges: npt.ArrayLike | None = None) -> BrierParts:
    """Decompose the mean squared error of a probability into parts that add up to it exactly.

    By default each distinct probability is a bin; other edges ascend from 0 to 1. For several classes the parts of the
    events of all classes, added up, are those of the Brier score.

    A. Murphy (1973). A new vector partition of the probability score. Journal of Applied Meteorology 12, 595–600. D.
    Stephenson, C. Coelho, I. Jolliffe (2008). Two extra components in the Brier score decomposition. Weather and
    Forecasting 23, 752–757. doi:10.1175/2007WAF2006116.1
    """
    borders = bin_edges(event, way="distinct values") if edges is None else edges
    (bins, index, (n, predicted, happened)), total = _binned(event, borders), event.total
    if not total:
        return BrierParts(*[float("nan")] * 6)
    # Rows of weight 0 may have a bin to themselves, whose means are 0/0: they count nothing, whatever stands there.
    mean, share = (np.divide(sums, n, out=np.zeros(len(n)), where=n > 0) for sums in (predicted, happened))

    def sums(rows: slice) -> tuple[float, ...]:
        probability, occurred, at = event.probability[rows], event.happened[rows], index[rows]
        weight = 1.0 if event.weights is None else event.weights[rows]
        deviation = probability - mean[at]
        weighted = weight * deviation
        squared = weight * (probability - occurred) ** 2, weighted * deviation, weighted * (occurred - share[at])
        return tuple(float(part.sum()) for part in squared)

    score, variance, covariance = (sum(parts) / total for parts in zip(*over_blocks(sums, len(index)), strict=True))
    event_sum = float(happened.sum())
    base, uncertainty = event_sum / total, event_sum * float((n - happened).sum()) / total**2
    reliability = float((bins.n * bins.gap**2).sum() / total)
    resolution = float((bins.n * (bins.observed - base) ** 2).sum() / total)
    return BrierParts(score, reliability, resolution, uncertainty, variance, 2 * covariance)


def ascending(edges: npt.ArrayLike) -> Array:
    borders = np.asarray(edges, dtype=np.float64)
    rising = borders.ndim == 1 and len(borders) > 1 and bool((np.diff(borders) >= 0).all())
    if not rising or borders[0] != 0 or borders[-1] != 1:
        raise ValueError("The edges of the bins must ascend from 0 to 1.")
    return borders


def _equal_widths(bins: int) -> Array:
    """Edges of equal width, exact in decimals: the fourth of ten is 0.3, which the sum of three tenths is not."""
    return np.arange(bins + 1) / bins


def _binned(event: EventProbabilities, edges: npt.ArrayLike) -> tuple[ReliabilityBins, Indices, Array]:
    """Bins that hold a row, the bin of each row, and rows, probabilities and events of all bins, shape (3, b)."""
    borders, count = ascending(edges), len(event.probability)
    bins = np.maximum(over_rows(lambda rows: borders.searchsorted(event.probability[rows], side="left"), count) - 1, 0)
    columns = (event.weights, event.probability, event.happened)
    if event.weights is not None:
        columns = event.weights, event.weights * event.probability, event.weights * event.happened
    sums = np.array([np.bincount(bins, weights=c, minlength=len(borders) - 1) for c in columns], dtype=np.float64)
    filled = sums[0] > 0
    n, predicted, happened = sums[:, filled]
    ends = borders[:-1][filled], borders[1:][filled]
    return ReliabilityBins(*ends, n, happened, predicted / n, happened / n), bins, sums
