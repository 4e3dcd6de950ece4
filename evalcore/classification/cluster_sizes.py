"""Clusters of unequal sizes: how many degrees of freedom they leave, and whether a few heavy ones hold most rows.

Derived: the degrees of freedom (`size_degrees`, by Bell and McCaffrey), exact where the rows of a cluster are alike and
the means of clusters vary equally; and the variance by leaving out one cluster at a time (`placement_jackknife`).

Chosen, by simulation (`benchmarks.clustered_coverage`, and its section in benchmarks/README.md): how much these count
beside the usual variance (`inequality`), the centre that light clusters move (`effective_shares`), and below how many
degrees and from which inequality on an interval carries a warning (the constants here).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, count_rows, ratio

__all__: list[str] = []

LEAST_DEGREES, LEAST_OF_OTHERS, LEAST_OF_RESAMPLED = 13.0, 24.0, 34.0
"""With fewer degrees of freedom a 95 % interval may hold in less than 93 % of samples: of a share; of all others, such
as areas, ratios and differences; and of resampled measures of scores, such as average precision."""

LEAST_VARIATION, LEAST_PREDICTED = 0.5, 1.0
"""Squared coefficient of variation from which on sizes count as very unequal: of rows or of those of a class, and of
rows by what was predicted, which vary more where clusters are of one size."""


def is_weighted(weights: Array | None) -> bool:
    """Whether weights say nothing of the number of rows; whole numbers are counts of equal rows.

    >>> is_weighted(np.array([2.0, 1, 3])), is_weighted(np.array([0.5, 1, 3])), is_weighted(None)
    (False, True, False)
    """
    return weights is not None and not count_rows(weights)


def size_degrees(sums: Sequence[npt.ArrayLike]) -> Array:
    """Degrees of freedom that the sizes of clusters leave to a variance by linearisation, at least 1.

    Bell and McCaffrey's, where the rows of a cluster are alike: Satterthwaite's degrees of Σ (x − p n)² if the mean of
    each cluster varies equally. Of c clusters of one size they are c − 1. Those of very unequal ones are far fewer, as
    the largest decide.

    Parameters
    ----------
    sums : five array_like
        Sums over the clusters of the first five powers of their numbers of rows.

    References
    ----------
    R. Bell, D. McCaffrey (2002). Bias reduction in standard errors for linear regression with multi-stage samples.
    Survey Methodology 28, 169–181.

    Examples
    --------
    >>> equal, unequal = np.full(20, 10.0), np.array([1.0] * 18 + [60, 100])
    >>> [round(float(size_degrees([(sizes**k).sum() for k in range(1, 6)])), 2) for sizes in (equal, unequal)]
    [19.0, 1.03]
    """
    n = np.asarray(sums[0], dtype=np.float64)
    second, third, fourth, fifth = (ratio(one, n**k) for k, one in enumerate(sums[1:], 2))
    mean = second - 2 * third + second**2
    spread = fourth * (1 + 4 * second) - 4 * fifth + 2 * third**2 - 4 * second**2 * third + second**4
    return np.maximum(np.where(spread > 0, ratio(mean**2, spread), 1.0), 1.0)


def degrees_of_sizes(sizes: Array) -> float:
    """The same from the number, or weight, of the rows of each cluster, shape (c,); nan with fewer than two clusters.

    >>> round(degrees_of_sizes(np.array([10.0, 10.0, 0.0, 10.0])), 2)
    2.0
    """
    held = sizes[sizes > 0] / max(float(sizes.max(initial=0)), 1e-300)
    if len(held) < 2:
        return float("nan")
    return min(float(size_degrees([(held**k).sum() for k in range(1, 6)])), len(held) - 1.0)


def inequality(clusters: npt.ArrayLike, n: npt.ArrayLike, squares: Array | float) -> Array:
    """Half of the squared coefficient of variation of the sizes of clusters, at most 1, from their sum n and squares.

    >>> float(inequality(4, 40, 400)), round(float(inequality(20, 178, 18 + 60**2 + 100**2)), 2)
    (0.0, 1.0)
    """
    return np.nan_to_num(np.clip(squared_variation(clusters, n, squares) / 2, 0.0, 1.0))


def is_few_heavy(
    degrees: npt.ArrayLike, variation: npt.ArrayLike, least: float = LEAST_DEGREES, unequal: float = LEAST_VARIATION
) -> npt.NDArray[np.bool_]:
    """Whether sizes are very unequal and leave few degrees of freedom, so that no interval is sure to hold.

    From the squared coefficient of variation of the sizes, the least degrees, and from where on sizes are very unequal.
    """
    return np.asarray((np.asarray(degrees) < least) & (np.asarray(variation) >= unequal))


def squared_variation(clusters: npt.ArrayLike, n: npt.ArrayLike, squares: npt.ArrayLike) -> Array:
    """Squared coefficient of variation of the sizes of clusters, from their sum n and their squares."""
    return np.asarray(ratio(np.asarray(clusters, dtype=np.float64) * np.asarray(squares), np.square(n)) - 1)


def few_heavy_sizes(*sizes: Array, least: float = LEAST_DEGREES) -> bool:
    """`is_few_heavy` from the rows of each cluster, shape (c,), or from those of each class, of which one suffices.

    >>> few_heavy_sizes(np.array([1.0] * 54 + [60, 60, 60, 100, 100, 100])), few_heavy_sizes(np.full(4, 30.0))
    (True, False)
    """
    variations = [squared_variation(np.count_nonzero(one), one.sum(), one @ one) for one in sizes]
    return any(
        is_few_heavy(degrees_of_sizes(one), of_one, least) for one, of_one in zip(sizes, variations, strict=True)
    )
