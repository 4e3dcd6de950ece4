"""Rows that belong together: variances, effective numbers of rows and resamples that take whole clusters.

Ten rows of one patient tell less than ten patients. Everything here takes the clusters as the sample: drawn
independently, whatever the rows within them have in common.
"""

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from evalcore.classification import ClusterCounts, ClusterMoments
from evalcore.numeric import Array, effective_rows, ratio

__all__ = ["effective_shares", "student_quantile"]


def student_quantile(level: float, degrees: npt.ArrayLike) -> Array:
    """Half width, in standard errors, of the middle share `level` of a t distribution; nan below one degree.

    >>> student_quantile(0.95, [9, 1e9]).round(3).tolist()
    [2.262, 1.96]
    """
    df = np.asarray(degrees, dtype=np.float64)
    return np.where(df >= 1, stdtrit(np.where(df >= 1, df, 1.0), (1 + level) / 2), np.nan)


def empirical_degrees(squares: npt.ArrayLike, fourths: npt.ArrayLike, clusters: npt.ArrayLike) -> Array:
    """Degrees of freedom of a variance that is a sum of squares over clusters, from how these squares vary.

    A variance to which few clusters contribute most is known less well than their number says: Satterthwaite's degrees
    with the empirical variance of the squares, at most one fewer than clusters, at least 1.

    Parameters
    ----------
    squares, fourths : array_like
        Sums over the clusters of the second and fourth powers of what each contributes.
    clusters : array_like
        Their number.

    References
    ----------
    W. Pan, M. Wall (2002). Small-sample adjustments in using the sandwich variance estimator in generalized estimating
    equations. Statistics in Medicine 21, 1429–1441. doi:10.1002/sim.1142

    Examples
    --------
    >>> even, uneven = np.array([1.0, 2, 1, 2, 1, 2]), np.array([1.0, 1, 1, 1, 1, 9])
    >>> [round(float(empirical_degrees((x**2).sum(), (x**4).sum(), 6)), 1) for x in (even, uneven)]
    [5.0, 2.8]
    """
    squares, clusters = np.asarray(squares, dtype=np.float64), np.asarray(clusters, dtype=np.float64)
    spread = ratio(fourths, squares**2) - ratio(1, clusters)
    degrees = np.where(spread > 0, 2 / np.where(spread > 0, spread, 1.0), np.inf)
    return np.clip(degrees, 1.0, np.maximum(clusters - 1, 0.0))


def degrees_of(contributions: Array, clusters: float) -> float:
    """The same from what each cluster contributes, shape (c,)."""
    size = float(np.abs(contributions).max(initial=0.0)) or 1.0
    squares = np.square(contributions / size)
    return float(empirical_degrees(squares.sum(), squares @ squares, clusters))


def error_of_mean(sums: npt.ArrayLike, clusters: int, total: float) -> tuple[float, float]:
    """Standard error of a mean of rows from what each cluster adds, with mean 0, and its degrees of freedom.

    Parameters
    ----------
    sums : array_like, shape (c,)
        Of what the rows of each cluster differ from the mean.
    clusters : int
        How many of them hold a row.
    total : float
        Rows, or their weight.

    References
    ----------
    A. C. Cameron, D. Miller (2015). A practitioner's guide to cluster-robust inference. Journal of Human Resources 50,
    317–372. doi:10.3368/jhr.50.2.317

    Examples
    --------
    >>> error_of_mean(np.array([-1.0, 1.0]), 2, 2.0)
    (1.0, 1.0)
    """
    if clusters < 2:
        return float("nan"), float("nan")
    added = np.asarray(sums, dtype=np.float64)
    squares = float(added @ added)
    return float(np.sqrt(squares * clusters / (clusters - 1))) / total, clusters - 1.0


def effective_shares(
    moments: ClusterMoments, above: npt.ArrayLike, below: npt.ArrayLike, hits: Array, n: Array, level: float = 0.95,
    degrees: Array | None = None,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Numbers of independent rows that tell as much about a share as these rows of clusters do.

    The share is a ratio of two sums over the clusters. Its variance by linearisation gives the number of independent
    rows with the same variance, which is lowered by what the t distribution of `empirical_degrees` is wider than the
    normal one. It is never more than the rows there are. Where every row, or none, counts, the rows of a cluster are
    taken to be alike.

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
    coefficients = above - share[..., None] * below
    spread = moments.squares(coefficients)
    one = np.asarray(clusters) < 2
    sizes = moments.squares(np.broadcast_to(below, (*n.shape, 4)))
    alike, known = ratio(n**2, sizes), spread > 1e-12 * sizes
    # Of few heavy clusters among many the spread is as unsure as that of so many equal ones.
    worth = np.maximum(alike, 1.001) if moments.weighted else clusters
    variance = ratio(spread, n**2) * np.where(one, 1.0, ratio(worth, np.where(one, 2, worth) - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        rows = np.where(known, share * (1 - share) / variance, alike)
        own = empirical_degrees(spread, moments.fourth_powers(coefficients), clusters)
    if degrees is not None and not moments.weighted:
        rows = np.minimum(rows, n)
    elif not moments.weighted:
        degrees = np.where(known, own, clusters - 1)
    degrees = np.maximum(worth - 1 if degrees is None else np.minimum(worth - 1, degrees), 1.0)
    rows = np.where(~one, rows * (ndtri((1 + level) / 2) / student_quantile(level, degrees)) ** 2, np.nan)
    if not moments.weighted:
        rows = np.minimum(rows, n)
    return np.minimum(share * rows, rows), rows, clusters


def paired_factor(clusters: ClusterCounts, only_a: Array, only_b: Array, below: Array, level: float) -> float:
    """How many independent rows tell as much as one of these about a difference of two shares of the same rows.

    The difference is a ratio of two sums over the clusters, of the rows that one of both counts and of all rows; its
    variance by linearisation, with a t distribution, is set against that of independent rows. nan with fewer than two
    clusters.

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
    return factor * float(ndtri((1 + level) / 2) / student_quantile(level, max(worth - 1, 1.0))) ** 2


def linear_variance(moments: ClusterMoments, coefficients: Array) -> tuple[Array, Array, Array]:
    """Variance of a sum of the four cells with such coefficients, which add up to 0 over the rows.

    With its degrees of freedom, nan where a class is in one cluster only, and the number of clusters. The degrees are
    `empirical_degrees`, or those of Welch's test of what the two classes bring, if these are fewer.
    """
    clusters, squares = moments.clusters_in(np.ones(4)), moments.squares(coefficients)
    sides = np.array([[1.0, 0, 1, 0], [0, 1, 0, 1]])
    held = [moments.clusters_in(side) for side in sides]
    fewest = np.minimum(*held)
    degrees = empirical_degrees(squares, moments.fourth_powers(coefficients), clusters)
    if not moments.weighted:
        parts = [moments.squares(coefficients * side) * ratio(n, n - 1) for side, n in zip(sides, held, strict=True)]
        welch = ratio(sum(parts) ** 2, sum(ratio(part**2, n - 1) for part, n in zip(parts, held, strict=True)))
        single = moments.squares(np.ones_like(coefficients)) == clusters  # each row is a cluster of its own
        degrees = np.where(single | np.isnan(welch), degrees, np.maximum(np.minimum(degrees, welch), 1.0))
    return squares * ratio(clusters, clusters - 1), np.where(fewest > 1, degrees, np.nan), clusters


def number_of(codes: npt.NDArray[np.intp], weights: Array | None = None) -> float:
    """How many clusters have a row; with weights, how many of equal weight tell as much, at least 2 of several."""
    if weights is None:
        return int(np.count_nonzero(np.bincount(codes)))
    sums = np.bincount(codes, weights).astype(np.float64)
    held = int(np.count_nonzero(sums))
    return held if held < 2 else max(effective_rows(sums), 2.0)
