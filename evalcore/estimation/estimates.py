"""True and estimated numbers, row by row: the state from which every measure of estimates is read."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.clusters import cluster_codes
from evalcore.classification.binary.labels import number_array, weight_array
from evalcore.numeric import Array, effective_rows, inner, over_blocks, ratio

__all__ = ["Estimates", "Moments", "weighted_quantile"]


@dataclass(frozen=True)
class Moments:
    """Means, variances (divided by n) and the covariance of true and estimated numbers; nan without rows."""

    truth: float
    estimate: float
    truth_variance: float
    estimate_variance: float
    covariance: float


@dataclass(frozen=True, eq=False)
class Estimates:
    """True and estimated numbers of the same rows. Build it with `from_arrays`.

    Attributes
    ----------
    truth, estimate : Array, shape (n,)
        Finite.
    weights : Array, shape (n,), or None
        What each row counts; None: each counts 1.
    clusters : array of int, shape (n,), or None
        What each row belongs to, as a code from 0; None: each is on its own.
    importance : bool
        Whether weights are importances; else they are counts of rows.
    """

    truth: Array
    estimate: Array
    weights: Array | None = None
    clusters: npt.NDArray[np.intp] | None = None
    importance: bool = False

    @classmethod
    def from_arrays(
        cls,
        truth: npt.ArrayLike,
        estimate: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
        clusters: npt.ArrayLike | None = None,
    ) -> "Estimates":
        """Take rows of true and estimated numbers.

        Parameters
        ----------
        truth, estimate : array_like of float, shape (n,)
            In one unit, such as 12.5 kg and 13.0 kg.
        weights : array_like of float >= 0, shape (n,), optional
            What each row counts; 2 is the row twice.
        clusters : array_like, shape (n,), optional
            What each row belongs to, such as a patient.

        Raises
        ------
        ValueError
            When the shapes do not fit, a number is not finite, a weight is negative or a cluster is missing; names the
            first such row.

        Examples
        --------
        >>> state = Estimates.from_arrays([3, -0.5, 2, 7], [2.5, 0, 2, 8])
        >>> state.total, state.error.tolist()
        (4.0, [-0.5, 0.5, 0.0, 1.0])
        """
        length = np.size(truth)
        true, estimated = number_array(truth, "truth", length), number_array(estimate, "estimate", length)
        counted = None if weights is None else weight_array(weights, length)
        return cls(true, estimated, counted, None if clusters is None else cluster_codes(clusters, length))

    def __len__(self) -> int:
        return len(self.truth)

    def __getitem__(self, rows: Any) -> "Estimates":
        weights = None if self.weights is None else self.weights[rows]
        clusters = None if self.clusters is None else self.clusters[rows]
        return Estimates(self.truth[rows], self.estimate[rows], weights, clusters, self.importance)

    @cached_property
    def total(self) -> float:
        """n, the rows or the sum of their weights."""
        return float(len(self.truth) if self.weights is None else self.weights.sum())

    @cached_property
    def effective(self) -> float:
        """Rows that intervals and tests rest on: n, or Kish's effective number where weights are importances."""
        return effective_rows(self.weights) if self.importance and self.weights is not None else self.total

    @cached_property
    def error(self) -> Array:
        """Estimate minus truth, shape (n,)."""
        return self.estimate - self.truth

    @cached_property
    def counted(self) -> "Estimates":
        """The rows with a weight above 0."""
        if self.weights is None or not len(self) or self.weights.min() > 0:
            return self
        return self[self.weights > 0]

    @property
    def weight(self) -> Array:
        """What each row counts, shape (n,)."""
        return np.ones(len(self)) if self.weights is None else self.weights

    @cached_property
    def is_constant(self) -> bool:
        """Whether all true numbers that count are equal."""
        truth = self.counted.truth
        return not len(truth) or float(truth.min()) == float(truth.max())

    def mean(self, values: Array) -> float:
        """Weighted mean of one value per row; nan where no row counts.

        >>> Estimates.from_arrays([0, 0], [1, 2], weights=[3, 1]).mean(np.array([1.0, 2.0]))
        1.25
        """
        if self.weights is None:
            return float(values.mean()) if len(values) else math.nan
        used = self.weights > 0
        return float(ratio(inner(self.weights[used], values[used]), self.total))

    def mean_loss(self, loss: str) -> float:
        """Mean of "error" (estimate − truth), "absolute" or "squared" over the rows that count; nan without any."""
        if loss == "squared" and self.weights is None and len(self):
            return inner(self.error, self.error) / len(self)
        return self.mean({"error": np.asarray, "absolute": np.abs, "squared": np.square}[loss](self.error))

    @property
    def error_variance(self) -> float:
        """Variance of the errors, divided by n; nan without rows."""
        return self.mean(np.square(self.error - self.mean(self.error))) if self.total else math.nan

    @property
    def largest_error(self) -> float:
        """The largest distance of truth and estimate in the rows that count; nan without any."""
        error = self.counted.error
        return float(max(error.max(), -error.min())) if len(error) else math.nan

    def quantile(self, values: Array, share: float = 0.5) -> float:
        """See `weighted_quantile`."""
        return weighted_quantile(values, share, self.weights)

    @cached_property
    def moments(self) -> Moments:
        """Means, variances and covariance, from deviations from the means, so that large numbers cost no digits."""
        if not self.total:
            return Moments(*[math.nan] * 5)
        truth, estimate = self.mean(self.truth), self.mean(self.estimate)

        def products(rows: slice) -> tuple[float, float, float]:
            y, p = self.truth[rows] - truth, self.estimate[rows] - estimate
            wy, wp = (y, p) if self.weights is None else (self.weights[rows] * y, self.weights[rows] * p)
            return inner(wy, y), inner(wp, p), inner(wy, p)

        sums = np.sum(over_blocks(products, len(self)), axis=0) / self.total
        return Moments(truth, estimate, 0.0 if self.is_constant else float(sums[0]), float(sums[1]), float(sums[2]))


def weighted_quantile(values: Array, share: float = 0.5, weights: Array | None = None) -> float:
    """The least value up to which at least this share of the weight lies; half way to the next where it is exact.

    Halves are those of the usual median, and so the number that minimises the pinball loss at this share.

    >>> weighted_quantile(np.array([3.0, 1.0, 2.0, 4.0]))
    2.5
    >>> weighted_quantile(np.array([1.0, 5.0]), 0.5, weights=np.array([1.0, 2.0]))
    5.0
    """
    if weights is not None:
        values, weights = values[weights > 0], weights[weights > 0]
    if not len(values):
        return math.nan
    if weights is None:
        # What floats leave of 0.9 · 10 decides nothing.
        place = round(share * len(values), 9)
        low = min(max(math.ceil(place) - 1, 0), len(values) - 1)
        high = min(low + 1, len(values) - 1) if place == low + 1 else low
        parts = np.partition(values, (low, high))
        return float(parts[low] + parts[high]) / 2
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    aim = share * sums[-1]
    low = min(int(np.searchsorted(sums, aim * (1 - 1e-12), side="left")), len(order) - 1)
    exact = math.isclose(float(sums[low]), float(aim), rel_tol=1e-12) and low + 1 < len(order)
    return float(values[order[low]] + values[order[low + 1 if exact else low]]) / 2
