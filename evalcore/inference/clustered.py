"""Rows that belong together: variances, effective numbers of rows and resamples that take whole clusters.

Ten rows of one patient tell less than ten patients. Everything here takes the clusters as the sample: drawn
independently, whatever the rows within them have in common.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from evalcore.classification import ClusterCounts, ClusterMoments, ScoredLabels
from evalcore.numeric import Array, effective_rows, ratio

__all__ = ["effective_shares"]

MOST_BAGS = 2_000
"""Clusters that are resampled one by one; more are put into so many bags of equal size first, at random."""


def student_quantile(level: float, degrees: npt.ArrayLike) -> Array:
    """Half width, in standard errors, of the middle share `level` of a t distribution; nan below one degree.

    >>> student_quantile(0.95, [9, 1e9]).round(3).tolist()
    [2.262, 1.96]
    """
    df = np.asarray(degrees, dtype=np.float64)
    return np.where(df >= 1, stdtrit(np.where(df >= 1, df, 1.0), (1 + level) / 2), np.nan)


def effective_shares(
    moments: ClusterMoments, above: npt.ArrayLike, below: npt.ArrayLike, hits: Array, n: Array, level: float = 0.95,
    degrees: Array | None = None,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Numbers of independent rows that tell as much about a share as these rows of clusters do.

    The share is a ratio of two sums over the clusters. Its variance by linearisation gives the number of independent
    rows with the same variance, which is lowered by what the t distribution on the clusters is wider than the normal
    one. It is never more than the rows there are. Where every row, or none, counts, the rows of a cluster are taken to
    be alike.

    Parameters
    ----------
    moments : ClusterMoments, shape (...)
    above, below : array_like of bool, shape (4,)
        The cells of TP, FP, FN and TN that stand above and below the line.
    hits, n : Array, shape (...)
        What they add up to.
    degrees : Array, shape (...), optional
        Most degrees of freedom that the t distribution may have, beside one less than the clusters.

    Returns
    -------
    hits, n : Array, shape (...)
        Effective numbers; nan with fewer than two clusters.
    clusters : Array, shape (...)
        Clusters with a row that the share is of.

    References
    ----------
    E. Korn, B. Graubard (1998). Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data. Survey Methodology 24, 193–201.

    J. Rao, A. Scott (1992). A simple method for the analysis of clustered binary data. Biometrics 48, 577–585.
    """
    above, below = (np.asarray(cells, dtype=np.float64) for cells in (above, below))
    share, clusters = ratio(hits, n), moments.clusters_in(below > 0)
    spread = moments.squares(above - share[..., None] * below)
    one = np.asarray(clusters) < 2
    sizes = moments.squares(np.broadcast_to(below, (*n.shape, 4)))
    alike = ratio(n**2, sizes)
    # Of few heavy clusters among many the spread is as unsure as that of so many equal ones.
    worth = np.maximum(alike, 1.001) if moments.weighted else clusters
    variance = ratio(spread, n**2) * np.where(one, 1.0, ratio(worth, np.where(one, 2, worth) - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        rows = np.where(spread > 1e-12 * sizes, share * (1 - share) / variance, alike)
    if not moments.weighted:
        rows = np.minimum(rows, n)
    degrees = np.maximum(worth - 1 if degrees is None else np.minimum(worth - 1, degrees), 1.0)
    rows = np.where(~one, rows * (ndtri((1 + level) / 2) / student_quantile(level, degrees)) ** 2, np.nan)
    return np.minimum(share * rows, rows), rows, clusters


def paired_factor(clusters: ClusterCounts, only_a: Array, only_b: Array, below: Array, level: float) -> float:
    """By how much fewer independent rows would tell as much about a difference of two shares of the same rows.

    The difference is a ratio of two sums over the clusters, of the rows that one of both counts and of all rows; its
    variance by linearisation is set against that of independent rows. nan with fewer than two clusters.

    Parameters
    ----------
    clusters : ClusterCounts
        Of m cells.
    only_a, only_b, below : array of 0 and 1, shape (m,)
        The cells that only the one or the other share counts, and those that both are shares of.

    References
    ----------
    N. Obuchowski (1998). On the comparison of correlated proportions for clustered data. Statistics in Medicine 17,
    1495–1507.
    """
    rows = clusters.sums(below)
    n, held = rows.sum(), int(np.count_nonzero(rows))
    if held < 2:
        return float("nan")
    apart = clusters.sums(only_b - only_a)
    difference = apart.sum() / n
    spread = float(np.square(apart - difference * rows).sum())
    independent = float(clusters.sums(only_a + only_b).sum() - n * difference**2)
    sizes = float(np.square(rows).sum())
    alike = float(n / sizes)
    worth = max(n * alike, 1.001) if clusters.weighted else held
    spread *= worth / (worth - 1)
    factor = independent / spread if spread > 1e-12 * sizes and independent > 0 else alike
    factor = factor if clusters.weighted else min(factor, 1.0)
    return factor * float(ndtri((1 + level) / 2) / student_quantile(level, max(worth - 1, 1.0))) ** 2


def few_clusters_factor(level: float, clusters: float) -> float:
    """By how much the spread of resamples of few clusters is too small; see `expanded_level`."""
    if clusters < 2:
        return float("nan")
    wider = np.sqrt(clusters / (clusters - 1)) * student_quantile(level, clusters - 1)
    return float(wider / ndtri((1 + level) / 2))


def linear_variance(moments: ClusterMoments, coefficients: Array) -> tuple[Array, Array, Array]:
    """Variance of a sum of the four cells with such coefficients, which add up to 0 over the rows.

    With degrees of freedom, from the class that is in fewer clusters, and the number of clusters.
    """
    clusters = moments.clusters_in(np.ones(4))
    of_classes = moments.clusters_in([1, 0, 1, 0]), moments.clusters_in([0, 1, 0, 1])
    return moments.squares(coefficients) * ratio(clusters, clusters - 1), np.minimum(*of_classes) - 1, clusters


def placements(scored: ScoredLabels) -> tuple[Array, Array]:
    """Of each positive the share of negatives below it, of each negative that of positives above it; ties count half.

    In the order of the sorted scores.
    """
    sides = []
    for own, other, weights, size in (
        (scored.positive_scores, scored.negative_scores, scored.negative_weights, scored.negatives),
        (scored.negative_scores, scored.positive_scores, scored.positive_weights, scored.positives),
    ):
        below, through = other.searchsorted(own, "left"), other.searchsorted(own, "right")
        if weights is None:
            sides.append((below + through) / (2 * size) if size else np.full(len(own), np.nan))
        else:
            # Cumulated from the end that is called positive first.
            sums = weights[0] - weights if scored.higher_is_positive else weights
            sides.append(ratio(sums[below] + sums[through], 2 * size))
    of_positives, of_negatives = sides
    if scored.higher_is_positive:
        return of_positives, 1 - of_negatives
    return 1 - of_positives, of_negatives


def clustered_area_variance(scored: ScoredLabels, area: float) -> tuple[float, float]:
    """Variance of the area under the ROC curve of clustered rows, by Obuchowski, and its degrees of freedom.

    Each row has the share of the other class that it outranks; what a cluster's rows have beyond the mean is added up.
    The class that is in fewer clusters gives the degrees. With one row in each cluster the variance is DeLong's.

    Returns
    -------
    variance, degrees : float
        nan where fewer than two clusters have rows of a class.

    References
    ----------
    N. Obuchowski (1997). Nonparametric analysis of clustered ROC curve data. Biometrics 53, 567–578.
    doi:10.2307/2533958
    """
    positives, negatives = placement_sums(scored, area)
    covariance, degrees = clustered_covariance([positives], [negatives], clusters_of_classes(scored))
    return float(covariance[0, 0]), degrees


def clusters_of_classes(scored: ScoredLabels) -> tuple[float, float, float]:
    """Number of clusters with positives, with negatives, and in all; see `number_of`."""
    codes = [codes for codes in (scored.positive_clusters, scored.negative_clusters) if codes is not None]
    weights = None if scored.positive_weights is None else [scored.rows_of(side)[1] for side in (True, False)]
    return numbers_of_clusters(codes, weights)


def numbers_of_clusters(
    codes: Sequence[npt.NDArray[np.intp]], weights: Sequence[Array] | None
) -> tuple[float, float, float]:
    """Number of clusters of each of two parts of the rows and in all; see `number_of`."""
    own, others = (None, None) if weights is None else weights
    both = None if weights is None else np.concatenate(weights)
    return number_of(codes[0], own), number_of(codes[1], others), number_of(np.concatenate(codes), both)


def placement_sums(scored: ScoredLabels, area: float) -> tuple[Array, Array]:
    """What the positives and the negatives of each cluster place beyond the area, as shares of their class."""
    of_positives, of_negatives = placements(scored)
    sums = []
    for positive, placed, codes, size in (
        (True, of_positives, scored.positive_clusters, scored.positives),
        (False, of_negatives, scored.negative_clusters, scored.negatives),
    ):
        if codes is None:
            raise ValueError("These scores do not say what their rows belong to.")
        weight = scored.rows_of(positive)[1]
        sums.append(ratio(np.bincount(codes, weight * (placed - area), scored.clusters), size))
    return sums[0], sums[1]


def clustered_covariance(
    positives: list[Array], negatives: list[Array], counts: tuple[float, float, float]
) -> tuple[Array, float]:
    """Covariance of areas, shape (s, s), from what each system places in each cluster, and degrees of freedom.

    The counts are those of `clusters_of_classes`.
    """
    if min(counts) < 2:
        return np.full((len(positives), len(positives)), np.nan), float("nan")
    p, n = np.array(positives), np.array(negatives)
    own, other, every = (count / (count - 1) for count in counts)
    of_p, of_n, mixed = own * (p @ p.T), other * (n @ n.T), every * (p @ n.T)
    return of_p + of_n + mixed + mixed.T, float(min(counts) - 1)


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


def number_of(codes: npt.NDArray[np.intp], weights: Array | None = None) -> float:
    """How many clusters have a row; with weights, how many of equal weight tell as much, at least 2 of several."""
    if weights is None:
        return int(np.count_nonzero(np.bincount(codes)))
    sums = np.bincount(codes, weights).astype(np.float64)
    held = int(np.count_nonzero(sums))
    return held if held < 2 else max(effective_rows(sums), 2.0)


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
