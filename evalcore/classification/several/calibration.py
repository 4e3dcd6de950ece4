"""Calibration: agreement of predicted probabilities with observed frequencies."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.several.probabilities import EventProbabilities, ProbabilityTable
from evalcore.numeric import Array, Flags, Indices, over_rows, ratio
from evalcore.registry import Param, metric

__all__ = ["ReliabilityBins", "asked", "bin_edges", "calibration_error"]
__all__ += ["expected_calibration_error", "maximum_calibration_error", "overconfidence", "reliability_bins"]

BINS = 10  # bins by default

WAYS = ("equal width", "equal count", "distinct values")
"""Layouts of the bins of a reliability diagram, besides edges of one's own."""

_BINS = Param("bins", 15.0, 1.0, 1000.0, "Bins of equal width between 0 and 1.", whole=True)


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
    borders = _equal_widths(BINS) if edges is None else ascending(edges)
    return filled_bins(*bin_sums(event, bin_places(event, borders), len(borders) - 1), borders)


@metric(
    name="Expected calibration error", symbol="ECE", family="probabilities",
    formula=r"\sum_b \frac{n_b}{n} \left| \bar q_b - \bar y_b \right|", best=0, undefined_when="there are no rows",
    params=(_BINS,), aliases=("mean calibration error",), reference="naeini2015", interval="chance",
)  # fmt: skip
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


@metric(
    name="Maximum calibration error", symbol="MCE", family="probabilities",
    formula=r"\max_b \left| \bar q_b - \bar y_b \right|", best=0, undefined_when="there are no rows", params=(_BINS,),
    reference="naeini2015", interval="chance",
)  # fmt: skip
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


def ascending(edges: npt.ArrayLike) -> Array:
    borders = np.asarray(edges, dtype=np.float64)
    rising = borders.ndim == 1 and len(borders) > 1 and bool((np.diff(borders) >= 0).all())
    if not rising or borders[0] != 0 or borders[-1] != 1:
        raise ValueError("The edges of the bins must ascend from 0 to 1.")
    return borders


def _equal_widths(bins: int) -> Array:
    """Edges of equal width, exact in decimals: the fourth of ten is 0.3, which the sum of three tenths is not."""
    return np.arange(bins + 1) / bins


def bin_places(event: EventProbabilities, borders: Array) -> Indices:
    """The bin of each row."""
    bins = over_rows(lambda rows: borders.searchsorted(event.probability[rows], side="left"), len(event.probability))
    return np.maximum(bins - 1, 0)


def bin_sums(event: EventProbabilities, bins: Indices, count: int) -> tuple[Array, Array, Array]:
    """Rows, probabilities and events, added up in each bin."""
    columns = (event.weights, event.probability, event.happened)
    if event.weights is not None:
        columns = event.weights, event.weights * event.probability, event.weights * event.happened
    n, predicted, happened = (np.bincount(bins, weights=c, minlength=count).astype(np.float64) for c in columns)
    return n, predicted, happened


def filled_bins(n: Array, predicted: Array, happened: Array, borders: Array) -> ReliabilityBins:
    """The bins that hold a row."""
    filled = n > 0
    n, predicted, happened = n[filled], predicted[filled], happened[filled]
    return ReliabilityBins(borders[:-1][filled], borders[1:][filled], n, happened, predicted / n, happened / n)
