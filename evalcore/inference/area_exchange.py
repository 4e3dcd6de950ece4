"""Two areas under the ROC curves of the same rows, which belong to few clusters: tested by exchanging the systems."""

from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from evalcore.inference.clustered import number_of
from evalcore.inference.comparison import Comparison
from evalcore.inference.intervals import Interval
from evalcore.inference.score_interval import paired_score_interval
from evalcore.inference.swaps import SWAPS_OF_CLUSTERS, exchanges, few_pairs, share_as_large, with_null
from evalcore.numeric import Array, average_ranks

__all__: list[str] = []

METHOD = f"score interval on effective pairs, {SWAPS_OF_CLUSTERS}"
MOST_PAIRS = 4_000_000
"""Pairs of a positive and a negative that are compared one by one; with more there are rows enough."""

_DRAWS, _SEED = 2000, 20


def exchanged_areas(
    is_positive: npt.NDArray[np.bool_], a: Array, b: Array, clusters: npt.NDArray[np.intp], level: float = 0.95
) -> Comparison | None:
    """The area of B minus that of A, where fewer than 25 clusters hold a class; None where more do.

    Were the systems equally good, the ranks that they give to the rows of a cluster might be exchanged. The difference
    of the areas is then a sum of one contribution per cluster with random signs: p is the mid-p of these sums, and
    their sum of squares the variance, which is right however unequal the contributions are. The interval is Tango's of
    as many independent pairs of a positive and a negative as give that variance at the difference 0.

    Parameters
    ----------
    is_positive, a, b, clusters : arrays of shape (n,)
        Higher scores speak for the positive class; clusters are codes.

    Returns
    -------
    Comparison or None
        None also where no cluster differs and where there are too many pairs to compare.

    References
    ----------
    A. Bandos, H. Rockette, D. Gur (2005). A permutation test sensitive to differences in areas for comparing ROC curves
    from a paired design. Statistics in Medicine 24, 2873–2893. doi:10.1002/sim.2149

    T. Tango (1998), as `paired_differences`.

    Examples
    --------
    >>> labels, clusters = np.arange(24) % 2 == 1, np.arange(24) // 4
    >>> a, b = np.arange(24) * 7 % 24 + 0.0, np.arange(24) * 7 % 24 + 9.0 * labels
    >>> compared = exchanged_areas(labels, a, b, clusters)
    >>> round(compared.estimate, 3), round(compared.p_value, 4), round(float(compared.interval.low), 3)
    (0.288, 0.0156, 0.077)
    """
    sides = (is_positive, ~is_positive)
    held = [number_of(clusters[side]) for side in sides]
    pairs = np.count_nonzero(is_positive) * np.count_nonzero(~is_positive)
    if min(held) < 2 or not few_pairs(min(held)) or pairs > MOST_PAIRS:
        return None
    ranks = average_ranks(a), average_ranks(b)
    contributions = area_contributions(is_positive, *ranks, clusters)
    variance = float(contributions @ contributions)
    if not variance > 0:
        return None
    gained = _beaten(ranks[1], is_positive)
    gained -= _beaten(ranks[0], is_positive)
    only_b, only_a = float(np.maximum(gained, 0).mean()), float(np.maximum(-gained, 0).mean())
    estimate, differing = only_b - only_a, contributions[contributions != 0]
    signs = 1.0 - 2 * exchanges(len(differing), _DRAWS, _SEED)
    p_value = share_as_large(signs @ differing, float(differing.sum()), halved=True)
    effective = (only_a + only_b) / variance
    score = partial(paired_score_interval, effective * only_a, effective * only_b, effective)
    number = number_of(clusters)

    def at(level: float) -> Interval:
        interval = score(level)
        return replace(with_null(interval) if p_value > 1 - level + 1e-12 else interval, clusters=number)

    return Comparison(
        METHOD, estimate, at(level), estimate / variance**0.5, p_value, len(is_positive), interval_at=at
    )  # fmt: skip


def area_contributions(is_positive: npt.NDArray[np.bool_], a: Array, b: Array, clusters: npt.NDArray[np.intp]) -> Array:
    """What each cluster adds to the area of B minus that of A, shape (c,): by so much its exchange changes either sign.

    A row is placed among the rows of the other class in the ranks of both systems.
    """
    total = np.zeros(int(clusters.max()) + 1)
    for own, towards in ((is_positive, 1.0), (~is_positive, -1.0)):
        others = np.sort(np.concatenate([a[~own], b[~own]]))
        places = [others.searchsorted(x[own], "left") + others.searchsorted(x[own], "right") for x in (b, a)]
        moved = (places[0] - places[1]) / (2.0 * len(others) * np.count_nonzero(own))
        total += towards * np.bincount(clusters[own], moved, len(total))
    return total


def _beaten(ranks: Array, is_positive: npt.NDArray[np.bool_]) -> Array:
    """Which negatives each positive outranks, shape (positives, negatives); a tie counts half."""
    own, others = ranks[is_positive][:, None], ranks[~is_positive]
    return ((own > others) + 0.5 * (own == others)).astype(np.float32)
