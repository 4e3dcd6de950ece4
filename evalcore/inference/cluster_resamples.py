"""Resamples of rows that belong together: whole clusters, or bags of them, drawn with replacement."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from evalcore.classification import ClusterCounts
from evalcore.inference.clustered import student_quantile
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


def bags_of_rows(codes: npt.NDArray[np.intp], most: int = MOST_BAGS) -> npt.NDArray[np.intp]:
    """The bag of the cluster of each row, shape (n,); clusters without a row here have none."""
    held, places = np.unique(codes, return_inverse=True)
    return bag_of_clusters(len(held), most)[places]


def drawn_with_replacement(random: np.random.Generator, cells: Any) -> Array:
    """Sums of the cells, shape (m,), over as many clusters as there are; cells of shape (clusters, m), also sparse."""
    size = cells.shape[0]
    return np.bincount(random.integers(0, size, size), minlength=size) @ cells


def few_clusters_factor(level: float, clusters: float) -> float:
    """By how much the spread of resamples of few clusters is too small; see `expanded_level`."""
    if clusters < 2:
        return float("nan")
    wider = np.sqrt(clusters / (clusters - 1)) * student_quantile(level, clusters - 1)
    return float(wider / ndtri((1 + level) / 2))


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


def expanded_level(level: float, clusters: float) -> float:
    """The level of a percentile interval that makes up for few clusters.

    Percentiles of resamples are too narrow by √(c/(c−1)) and by what the t distribution is wider than the normal one.

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
    return float(1 - 2 * ndtr(-few_clusters_factor(level, clusters) * ndtri((1 + level) / 2)))
