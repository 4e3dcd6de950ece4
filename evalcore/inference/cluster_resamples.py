"""Resamples of rows that belong together: whole clusters, or bags of them, drawn with replacement."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from evalcore.classification import ClusterCounts, ConfusionCounts
from evalcore.inference.clustered import degrees_by_sizes, degrees_of, student_quantile
from evalcore.numeric import Array

MOST_BAGS = 2_000
"""Clusters that are resampled one by one; more are put into so many bags of equal size first, at random."""


def bag_of_clusters(count: int, most: int = MOST_BAGS, seed: int = 0) -> npt.NDArray[np.intp]:
    """The bag of each cluster: itself, or of more clusters than `most`, one of so many random sets of clusters.

    The sums of the bags vary as those of the clusters do, whatever these hold, and resampling takes far less time.

    References
    ----------
    K. Wolter (2007). Introduction to Variance Estimation. Springer, chapter 2 (random groups).
    """
    if count <= most:
        return np.arange(count)
    return np.random.default_rng(seed).permutation(count) % most


def bags_of_rows(
    codes: npt.NDArray[np.intp], weights: Array | None = None, most: int = MOST_BAGS
) -> npt.NDArray[np.intp]:
    """The bag of the cluster of each row, shape (n,); clusters without a row here, or with weights of 0, have none.

    A row of weight 0 adds nothing to the bag that it is given.

    >>> bags_of_rows(np.array([7, 3, 7]), np.array([1.0, 0.0, 2.0])).tolist()
    [0, 0, 0]
    """
    held = np.unique(codes if weights is None else codes[weights > 0])
    return bag_of_clusters(max(len(held), 1), most)[np.minimum(held.searchsorted(codes), max(len(held) - 1, 0))]


def drawn_with_replacement(random: np.random.Generator, cells: Any) -> Array:
    """Sums of the cells, shape (m,), over as many clusters as there are; cells of shape (clusters, m), also sparse."""
    size = cells.shape[0]
    return np.bincount(random.integers(0, size, size), minlength=size) @ cells


def few_clusters_factor(level: float, clusters: float, degrees: float = np.inf) -> float:
    """By how much the spread of resamples of few clusters is too small; see `expanded_level`."""
    if clusters < 2:
        return float("nan")
    wider = np.sqrt(clusters / (clusters - 1)) * student_quantile(level, max(min(clusters - 1, degrees), 1.0))
    return float(wider / ndtri((1 + level) / 2))


def jackknife_degrees(measure: Callable[[ConfusionCounts], Array], clusters: ClusterCounts) -> float:
    """Degrees of freedom of the variance of a measure of counts, from how leaving out each cluster moves it.

    The `cautious_degrees` of those of `empirical_degrees`, which are few where few clusters decide on the measure. No
    fewer than one less than the clusters where each has one row, or sums of weights.

    >>> from evalcore.classification import accuracy
    >>> cells = np.array([[5.0, 0, 0, 5]] * 8 + [[0, 10, 0, 0]])  # all errors are in one of nine
    >>> round(jackknife_degrees(accuracy, ClusterCounts(cells)), 1)
    2.9
    """
    held = clusters.cells[clusters.cells.any(axis=1)]
    if clusters.weighted or len(held) > MOST_BAGS or held.sum(axis=1).max(initial=0) <= 1:
        return max(len(held) - 1.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(measure(ConfusionCounts(*(held.sum(axis=0) - held).T)), dtype=np.float64)
    known = values[np.isfinite(values)]
    own = degrees_of(known - known.mean(), len(known)) if len(known) > 1 else 1.0
    return float(np.nan_to_num(degrees_by_sizes(held.sum(axis=1), own), nan=1.0))


def resampled_sums(clusters: ClusterCounts, resamples: int, seed: int) -> Array:
    """Sums of the cells over clusters drawn with replacement, shape (resamples, m)."""
    held = clusters.cells[clusters.cells.any(axis=1)]
    bags = bag_of_clusters(len(held), seed=seed)
    count = int(bags.max(initial=-1)) + 1
    if count < len(held):
        held = np.column_stack([np.bincount(bags, weights=column, minlength=count) for column in held.T])
    return times_drawn(count, resamples, seed) @ held


@lru_cache(maxsize=1)
def times_drawn(count: int, resamples: int, seed: int) -> Array:
    """How often each of so many clusters is drawn, shape (resamples, count); for one measure after another."""
    random = np.random.default_rng(seed)
    picks = random.integers(0, max(count, 1), size=(resamples, count)) + count * np.arange(resamples)[:, None]
    return np.bincount(picks.reshape(-1), minlength=resamples * count).reshape(resamples, count).astype(np.float64)


def expanded_level(level: float, clusters: float, degrees: float = np.inf) -> float:
    """The level of a percentile interval that makes up for few clusters.

    Percentiles of resamples are too narrow by √(c/(c−1)) and by what the t distribution is wider than the normal one;
    it has c − 1 degrees of freedom, or fewer.

    References
    ----------
    T. Hesterberg (2015). What teachers should know about the bootstrap. The American Statistician 69, 371–386.
    doi:10.1080/00031305.2015.1089789

    Examples
    --------
    >>> round(expanded_level(0.95, 10), 4), round(expanded_level(0.95, 1000), 4)
    (0.9829, 0.9504)
    """
    if clusters < 2:
        return level
    return float(1 - 2 * ndtr(-few_clusters_factor(level, clusters, degrees) * ndtri((1 + level) / 2)))
