"""Shares of two parts of the same clusters: how far they vary together, and whether one is greater."""

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from evalcore.classification import ClusterCounts
from evalcore.inference.clustered import degrees_by_sizes, degrees_of, effective_shares
from evalcore.inference.unpaired import fisher_greater
from evalcore.numeric import ratio

__all__ = ["share_correlation"]

_OF_FIRST, _OF_SECOND = ([1, 0, 0, 0], [1, 1, 0, 0]), ([0, 0, 1, 0], [0, 0, 1, 1])
"""Cells above and below the line of either share, where TP, FP are the hits and misses of the first part."""


def share_correlation(first: ClusterCounts, second: ClusterCounts, above: npt.ArrayLike, below: npt.ArrayLike) -> float:
    """Correlation of the same share of two parts of the rows whose clusters have the same codes; 0 if none is in both.

    By linearisation, as `effective_shares`. The cells above and below the line have shape (4,).

    >>> first, second = ClusterCounts(np.eye(4)[[0, 2, 0]]), ClusterCounts(np.eye(4)[[0, 2, 2]])
    >>> round(share_correlation(first, second, [1, 0, 0, 0], [1, 0, 1, 0]), 3)
    0.5
    """
    above, below = (np.asarray(cells, dtype=np.float64) for cells in (above, below))
    sums = [(part.sums(above), part.sums(below)) for part in (first, second)]
    own, other = (hits - float(ratio(hits.sum(), rows.sum())) * rows for hits, rows in sums)
    shared = min(len(own), len(other))
    return float(np.nan_to_num(ratio(own[:shared] @ other[:shared], np.sqrt((own @ own) * (other @ other)))))


def clustered_greater(parts: ClusterCounts, level: float = 0.95) -> float:
    """One-sided p of the share of a first part of the rows being no greater than that of a second; 1 with few clusters.

    A t test of the difference of the two ratio estimators over the whole clusters, with at most the degrees of freedom
    that the clusters of either part leave (see `degrees_by_sizes`). It is never below
    Fisher's test on the effective numbers of rows, which holds where few rows are hits.

    Parameters
    ----------
    parts : ClusterCounts
        Of four cells: hits and misses of the first part, hits and misses of the second.

    References
    ----------
    W. Cochran (1977). Sampling Techniques, 3rd edition. Wiley, section 6.17 (difference of two ratios).

    J. Rao, A. Scott (1992). A simple method for the analysis of clustered binary data. Biometrics 48, 577–585.
    """
    x, other_x, y, other_y = parts.cells.sum(axis=0)
    moments, n, m = parts.moments, x + other_x, y + other_y
    if min(float(moments.clusters_in(below)) for _, below in (_OF_FIRST, _OF_SECOND)) < 2:
        return 1.0
    degrees = min(degrees_by_sizes(parts.sums(below)) for _, below in (_OF_FIRST, _OF_SECOND))
    a, b = x / n, y / m
    coefficients = np.array([(1 - a) / n, -a / n, -(1 - b) / m, b / m])
    contributions = parts.sums(coefficients)
    error = np.sqrt(float(contributions @ contributions) * parts.count / (parts.count - 1))
    degrees = min(degrees, degrees_of(contributions, parts.count))
    p_value = float(stdtr(degrees, -(a - b) / error)) if error > 0 else float(a <= b)
    effective = (
        effective_shares(moments, *cells, np.asarray(hits), np.asarray(rows), level)[:2]
        for cells, hits, rows in ((_OF_FIRST, x, n), (_OF_SECOND, y, m))
    )
    (hits, rows), (other_hits, others) = ((float(hits), float(rows)) for hits, rows in effective)
    return max(p_value, fisher_greater(hits, rows - hits, other_hits, others - other_hits))
