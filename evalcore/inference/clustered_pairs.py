"""Two systems on queries that belong together: the paired tests by whole topics, users or sessions."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from evalcore.inference.clustered import error_of_mean, few_heavy_codes, student_quantile
from evalcore.inference.intervals import Interval, check_level
from evalcore.inference.paired import (
    FEW_DIFFERENCES,
    PairedComparison,
    cautious_t,
    paired_t,
    query_differences,
    randomization,
    sign_test,
    signed_ranks,
    wilcoxon,
)
from evalcore.inference.swaps import with_null
from evalcore.numeric import Array

__all__ = ["clustered_test"]

_NEAR = 1e-12

# What each query adds to the statistic, whose sign an exchange of the two systems turns.
_ADDED: dict[Callable[..., PairedComparison], Callable[[Array], Array]] = {
    paired_t: lambda differences: differences,
    cautious_t: lambda differences: differences,
    randomization: lambda differences: differences,
    wilcoxon: lambda differences: signed_ranks(differences)[0],
    sign_test: np.sign,
}


def clustered_test(
    test: Callable[..., PairedComparison],
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    clusters: npt.ArrayLike | None,
    level: float = 0.95,
) -> PairedComparison:
    """One of the paired tests of the mean difference, B minus A, where queries belong together.

    The estimate is the mean over all queries. Its standard error is that of the sums of the clusters, with a t
    distribution of one degree of freedom fewer than clusters. The other tests exchange the two systems for all queries
    of a cluster at once: the randomisation test adds up their differences, Wilcoxon's test their signed ranks and the
    sign test their signs. With fewer than 17 clusters that differ all exchanges are tried, else 10,000 random ones.

    Parameters
    ----------
    test : callable
        `paired_t`, `cautious_t`, `randomization`, `wilcoxon` or `sign_test`.
    a, b : array_like of float, shape (n,)
        One value per query, in the same order.
    clusters : array_like, shape (n,), or None
        What each query belongs to. With None, or one query per cluster, the result is that of the test itself.

    Returns
    -------
    PairedComparison
        Wins, ties, losses and the effect size are those of the queries. Interval and p are nan with one cluster.

    References
    ----------
    B. Rosner, R. Glynn, M.-L. T. Lee (2006). The Wilcoxon signed rank test for paired comparisons of clustered data.
    Biometrics 62, 185–192. doi:10.1111/j.1541-0420.2005.00389.x

    M. Smucker, J. Allan, B. Carterette (2007). A comparison of statistical significance tests for information
    retrieval evaluation. CIKM, 623–632. doi:10.1145/1321440.1321528

    Examples
    --------
    >>> a, b = [0.2, 0.4, 0.5, 0.3], [0.3, 0.4, 0.7, 0.5]
    >>> compared = clustered_test(randomization, a, b, ["x", "x", "y", "y"])
    >>> compared.method, compared.p_value, compared.n, compared.interval.clusters
    ('Randomisation test, all signs of 2 clusters', 0.5, 4, 2)
    """
    alone = test(a, b, level)
    if clusters is None:
        return alone
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    count, mean = int(codes.max(initial=-1)) + 1, alone.estimate
    if count == len(codes):
        return alone
    differences = query_differences(a, b)
    error, degrees = error_of_mean(np.bincount(codes, differences - mean), np.bincount(codes))
    if error <= _NEAR * float(np.abs(differences).max()):  # equal differences vary by rounding alone
        error = 0.0

    def interval_at(level: float) -> Interval:
        check_level(level)
        reach = float(student_quantile(level, degrees)) * error
        return Interval(mean, mean - reach, mean + reach, clusters=count, few_heavy=few_heavy_codes(codes))

    name = alone.method.partition(",")[0]
    whole = replace(alone, interval=interval_at(level), p_value=math.nan, interval_at=interval_at)
    whole = replace(whole, method=f"{name}, {count} clusters")
    by_t = test in (paired_t, cautious_t)
    if by_t:
        with np.errstate(divide="ignore"):
            statistic = float(np.divide(mean, error)) if mean else 0.0 * error
        whole = replace(whole, statistic=statistic, p_value=float(2 * stdtr(degrees, -abs(statistic))))
    sums = _sums(_ADDED[test](differences), codes)
    if count < 2 or test is paired_t or (by_t and np.count_nonzero(sums) >= FEW_DIFFERENCES):
        return whole
    exchanged = randomization(np.zeros(count), sums, level)
    if by_t and exchanged.p_value <= whole.p_value:
        return whole
    if by_t and exchanged.p_value > 1 - level + 1e-12:
        whole = replace(whole, interval=with_null(whole.interval))
    way = exchanged.method.partition(", ")[2]
    return replace(whole, p_value=exchanged.p_value, method=f"{name}, {way} of {count} clusters")


def _sums(values: Array, codes: npt.NDArray[np.intp]) -> Array:
    """The sum of each cluster, shape (c,); what rounding leaves of a sum of 0 is 0."""
    sums = np.bincount(codes, values)
    return np.where(np.abs(sums) <= _NEAR * np.bincount(codes, np.abs(values)), 0.0, sums)
