"""Two areas under the ROC curves of the same rows, which belong to few clusters: tested by exchanging the systems."""

import numpy as np
import numpy.typing as npt

from evalcore.inference.clustered import degrees_of_codes
from evalcore.inference.swaps import exchanges, few_pairs, share_as_large
from evalcore.numeric import Array, average_ranks

__all__: list[str] = []

_DRAWS, _SEED = 2000, 20


def area_exchange(
    is_positive: npt.NDArray[np.bool_], a: Array, b: Array, clusters: npt.NDArray[np.intp]
) -> tuple[float, float] | None:
    """p of the areas of A and B being equal and their standard errors apart, where fewer than 25 clusters hold a class.

    Were the systems equally good, the ranks that they give to the rows of a cluster might be exchanged. The difference
    of the areas is then a sum of one contribution per cluster with random signs: p is the mid-p of these sums, and
    their sum of squares the variance, which is right however unequal the contributions are.

    Parameters
    ----------
    is_positive, a, b, clusters : arrays of shape (n,)
        Higher scores speak for the positive class; clusters are codes.

    Returns
    -------
    p_value, statistic : float, or None
        None where more clusters hold each class, or fewer than two, and where no cluster differs.

    References
    ----------
    A. Bandos, H. Rockette, D. Gur (2005). A permutation test sensitive to differences in areas for comparing ROC curves
    from a paired design. Statistics in Medicine 24, 2873–2893. doi:10.1002/sim.2149

    Examples
    --------
    >>> labels, clusters = np.arange(24) % 2 == 1, np.arange(24) // 4
    >>> a, b = np.arange(24) * 7 % 24 + 0.0, np.arange(24) * 7 % 24 + 9.0 * labels
    >>> p_value, statistic = area_exchange(labels, a, b, clusters)
    >>> round(p_value, 4), round(statistic, 2)
    (0.0156, 2.38)
    """
    fewest = 1 + min(np.nan_to_num(degrees_of_codes(clusters[side])) for side in (is_positive, ~is_positive))
    if fewest < 2 or not few_pairs(fewest):
        return None
    contributions = area_contributions(is_positive, average_ranks(a), average_ranks(b), clusters)
    differing = contributions[contributions != 0]
    if not len(differing):
        return None
    difference = float(differing.sum())
    signs = 1.0 - 2 * exchanges(len(differing), _DRAWS, _SEED)
    p_value = share_as_large(signs @ differing, difference, halved=True)
    return p_value, difference / float(differing @ differing) ** 0.5


def area_contributions(
    is_positive: npt.NDArray[np.bool_], ranks_a: Array, ranks_b: Array, clusters: npt.NDArray[np.intp]
) -> Array:
    """What each cluster adds to the area of B minus that of A, shape (c,): by so much its exchange changes either sign.

    A row is placed among the rows of the other class in the ranks of both systems, which are `average_ranks`.
    """
    places = [np.rint(2 * ranks).astype(np.intp) for ranks in (ranks_b, ranks_a)]
    total = np.zeros(int(clusters.max()) + 1)
    for own, towards in ((is_positive, 1.0), (~is_positive, -1.0)):
        through = np.cumsum(sum(np.bincount(each[~own], minlength=2 * len(own) + 1) for each in places))
        beyond = [through[each[own]] + through[each[own] - 1] for each in places]
        others, rows = 2 * np.count_nonzero(~own), np.count_nonzero(own)
        total += towards * np.bincount(clusters[own], (beyond[0] - beyond[1]) / (2.0 * others * rows), len(total))
    return total
