"""Paired tests of two systems on clustered queries: whole topics, users or sessions."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy.special import stdtr

from evalcore.inference.base import paired
from evalcore.inference.base.clustered import error_of_mean, few_heavy_codes
from evalcore.inference.base.intervals import Interval, check_level, student_interval, unless_rejected
from evalcore.numeric import Array, Indices
from evalcore.registry import MetricDef

__all__ = ["VarianceComponents", "clustered_test", "paired_power", "queries_needed", "query_interval"]
__all__ += ["variance_components"]

_NEAR = 1e-12

# What each query adds to the statistic, whose sign an exchange of the two systems turns.
_ADDED: dict[Callable[..., paired.PairedComparison], Callable[[Array], Array]] = {
    paired.paired_t: lambda differences: differences,
    paired.cautious_t: lambda differences: differences,
    paired.randomization: lambda differences: differences,
    paired.wilcoxon: lambda differences: paired.signed_ranks(differences)[0],
    paired.sign_test: np.sign,
}


def clustered_test(
    test: Callable[..., paired.PairedComparison],
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    clusters: npt.ArrayLike | None,
    level: float = 0.95,
) -> paired.PairedComparison:
    """Test the mean difference, B minus A, of clustered queries by one of the paired tests.

    The standard error is that of the sums of the clusters, with a t distribution. The other tests exchange the two
    systems for all queries of a cluster at once: they add up differences, signed ranks (Wilcoxon) or signs. With fewer
    than 17 clusters that differ all exchanges are tried, else 10,000 random ones. Without clusters, or with one query
    in each, it is the test itself. Interval and p are nan with one cluster. See B. Rosner, R. Glynn, M.-L. T. Lee
    (2006), doi:10.1111/j.1541-0420.2005.00389.x.
    """
    alone = test(a, b, level)
    if clusters is None:
        return alone
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    count, mean = int(codes.max(initial=-1)) + 1, alone.estimate
    if count == len(codes):
        return alone
    differences = paired.query_differences(a, b)
    error, degrees = error_of_mean(np.bincount(codes, differences - mean), np.bincount(codes))
    if error <= _NEAR * float(np.abs(differences).max()):  # equal differences vary by rounding alone
        error = 0.0

    def interval_at(level: float) -> Interval:
        check_level(level)
        return student_interval(mean, error, degrees, level, clusters=count, few_heavy=few_heavy_codes(codes))

    name = alone.method.partition(",")[0]
    whole = replace(alone, interval=interval_at(level), p_value=math.nan, interval_at=interval_at)
    whole = replace(whole, method=f"{name}, {count} clusters")
    by_t = test in (paired.paired_t, paired.cautious_t)
    if by_t:
        with np.errstate(divide="ignore"):
            statistic = float(np.divide(mean, error)) if mean else 0.0 * error
        whole = replace(whole, statistic=statistic, p_value=float(2 * stdtr(degrees, -abs(statistic))))
    sums = _sums(_ADDED[test](differences), codes)
    if count < 2 or test is paired.paired_t or (by_t and np.count_nonzero(sums) >= paired.FEW_DIFFERENCES):
        return whole
    exchanged = paired.randomization(np.zeros(count), sums, level)
    if by_t and exchanged.p_value <= whole.p_value:
        return whole
    if by_t:
        whole = replace(whole, interval=unless_rejected(whole.interval, exchanged.p_value, level))
    way = exchanged.method.partition(", ")[2]
    return replace(whole, p_value=exchanged.p_value, method=f"{name}, {way} of {count} clusters")


def query_interval(
    measure: MetricDef, values: Array, clusters: npt.ArrayLike | None = None, level: float = 0.95
) -> Interval:
    """Student's t interval of the mean of a measure over queries, shape (q,), cut off where the measure ends.

    That of a geometric mean is the interval of the mean logarithm.

    >>> from evalcore.registry import find
    >>> interval = query_interval(find("recall_at"), np.array([0.2, 0.4, 0.6]))
    >>> interval.low, round(interval.high, 3)
    (0.0, 0.897)
    """
    scale, back = (np.log, np.exp) if measure.mean == "geometric" else (np.asarray, np.asarray)
    whole = clustered_test(paired.paired_t, np.zeros(len(values)), scale(values), clusters, level).interval
    ends = {name: float(back(getattr(whole, name))) for name in ("estimate", "low", "high")}
    return replace(whole, **ends).within(measure)


def _sums(values: Array, codes: Indices) -> Array:
    """Sum of each cluster, shape (c,), with sums within rounding error set to 0."""
    sums = np.bincount(codes, values)
    return np.where(np.abs(sums) <= _NEAR * np.bincount(codes, np.abs(values)), 0.0, sums)


_MOST = 10**9  # queries above which the answer is that there are never enough
_FAR = 7.0  # standard deviations that a normal deviate exceeds once in 10¹²


@dataclass(frozen=True)
class VarianceComponents:
    """Variance of a measure between systems, between queries, and residual; a negative estimate is 0."""

    system: float
    query: float
    residual: float
    systems: int
    queries: int

    @property
    def shares(self) -> tuple[float, float, float]:
        """The three as shares of their sum; nan where all values are equal."""
        total = self.system + self.query + self.residual
        of = total or math.nan
        return self.system / of, self.query / of, self.residual / of

    def reliability(self, queries: float) -> float:
        """Expected correlation between means over some queries and over all possible queries (0 … 1)."""
        spread = self.system + self.residual / queries
        return self.system / spread if spread else math.nan


def variance_components(values: npt.ArrayLike) -> VarianceComponents:
    """Variance components of systems on the same queries, from the mean squares of a two-way table.

    (MS_s − MS_r)/q, (MS_q − MS_r)/s and MS_r; values have shape (systems, queries). ValueError with fewer than two of
    either, or where one is not finite. See R. L. Brennan (2001), doi:10.1007/978-1-4757-3456-0, chapter 2; D. Bodoff,
    P. Li (2007), doi:10.1145/1277741.1277805.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2 or not np.isfinite(table).all():
        raise ValueError("Variance components need finite values of at least two systems on two queries.")
    systems, queries = table.shape
    of_system, of_query = table.mean(axis=1), table.mean(axis=0)
    rest = table - of_system[:, None] - of_query + table.mean()
    residual = float((rest**2).sum()) / ((systems - 1) * (queries - 1))
    between_systems = max(float(of_system.var(ddof=1)) - residual / queries, 0.0)
    between_queries = max(float(of_query.var(ddof=1)) - residual / systems, 0.0)
    return VarianceComponents(between_systems, between_queries, residual, systems, queries)


def paired_power(difference: float, deviation: float, n: float, level: float = 0.95) -> float:
    """Power of a two-sided paired t-test of `n` queries to detect a true mean difference (noncentral t)."""
    check_level(level)
    if n < 2 or math.isnan(difference) or math.isnan(deviation):
        return math.nan
    if deviation == 0:
        return float(difference != 0)
    freedom, shift = n - 1, abs(difference) / deviation * math.sqrt(n)
    limit = float(special.stdtrit(freedom, (1 + level) / 2))
    if shift > limit + 10:  # where the noncentral t has no digits left
        return 1.0
    # A statistic on the other side is rarer than a normal deviate of the shift, and far out its chance is nan in scipy.
    other_side = special.nctdtr(freedom, shift, -limit) if shift < _FAR else 0.0
    return float(1 - special.nctdtr(freedom, shift, limit) + other_side)


def queries_needed(difference: float, deviation: float, power: float = 0.8, level: float = 0.95) -> int | None:
    """Fewest queries for this power of a paired t-test, None if never (T. Sakai, doi:10.1007/s10791-015-9273-z)."""
    if difference == 0 or math.isnan(paired_power(difference, deviation, 2, level)):
        return None
    low, high = 1, 2
    while paired_power(difference, deviation, high, level) < power:
        low, high = high, 2 * high
        if high > _MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if paired_power(difference, deviation, middle, level) >= power else (middle, high)
    return high
