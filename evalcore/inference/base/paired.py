"""Two systems on the same queries or rows: tests of the mean difference, also of clustered queries; their power."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import nctdtr, ndtr, stdtr, stdtrit

from evalcore.inference.base.clustered import error_of_mean, few_heavy_codes
from evalcore.inference.base.comparison import Comparison, exact_mcnemar
from evalcore.inference.base.intervals import Interval, check_draws, check_level, student_interval, unless_rejected
from evalcore.numeric import Array, Indices
from evalcore.registry import MetricDef

__all__ = ["PairedComparison", "VarianceComponents", "cautious_t", "clustered_test", "paired_power", "paired_t"]
__all__ += ["queries_needed", "query_interval", "randomization", "sign_test", "variance_components", "wilcoxon"]

DRAWS = 10_000
SEED = 20
EXACT_SIGNS_BELOW = 17  # with fewer non-zero differences all signs are tried
FEW_TO_TELL = 15  # below so many values that differ a note says that the interval may be too narrow
FEW_DIFFERENCES = 6  # with fewer, Student's t is trusted no further than the exact test on the signs
EXACT_RANKS_UP_TO = 50  # up to this many non-zero differences the distribution of the signed ranks is exact

# Differences that are equal as decimals may differ in their last bits as floats.
_NEAR = 1e-12
_DRAWS_AT_ONCE = 4096


@dataclass(frozen=True)
class PairedComparison(Comparison):
    """The mean difference of two systems over the same queries, with its test."""

    effect_size: float  # d_z: the mean difference over the standard deviation of the differences; nan where that is 0
    # Queries where the second system is better, equal, worse (by value: higher is a win).
    wins: int
    ties: int
    losses: int


def paired_t(a: npt.ArrayLike, b: npt.ArrayLike, level: float = 0.95) -> PairedComparison:
    """Student's t-test of the mean difference, B minus A.

    Both have one value per query, in the same order, shape (n,), else a ValueError, as where a value is not finite. The
    interval is Student's. nan with fewer than two queries; p = 1 if all differences are 0, and 0 if they are equal but
    not 0. See Student (1908), doi:10.1093/biomet/6.1.1.

    >>> compared = paired_t([0.2, 0.4, 0.5, 0.3], [0.3, 0.4, 0.7, 0.5])
    >>> round(compared.estimate, 3), round(compared.p_value, 4), (compared.wins, compared.ties, compared.losses)
    (0.125, 0.0796, (3, 1, 0))
    """
    differences = query_differences(a, b)
    n, mean = len(differences), _mean(differences)
    statistic = p_value = math.nan
    if n > 1:
        with np.errstate(divide="ignore"):
            statistic = float(np.divide(mean, _standard_error(differences))) if mean else 0.0
        p_value = float(2 * stdtr(n - 1, -abs(statistic)))
    return _compared("Paired t-test", differences, level, statistic, p_value)


def cautious_t(a: npt.ArrayLike, b: npt.ArrayLike, level: float = 0.95) -> PairedComparison:
    """`paired_t` with a p-value no smaller than that of all signs if fewer than 6 queries differ.

    Three equal differences have no spread, so that Student's p is 0, though one in four choices of their signs is as
    extreme. The interval is widened to hold 0 where p does not exclude it.
    """
    compared = paired_t(a, b, level)
    if compared.n - compared.ties >= FEW_DIFFERENCES or math.isnan(compared.p_value):
        return compared
    p_value = randomization(a, b, level).p_value
    if p_value <= compared.p_value:
        return compared
    interval = unless_rejected(compared.interval, p_value, level)
    return replace(compared, p_value=p_value, interval=interval, method=f"{compared.method}, all signs")


def randomization(
    a: npt.ArrayLike, b: npt.ArrayLike, level: float = 0.95, draws: int = DRAWS, seed: int = SEED
) -> PairedComparison:
    """Randomisation test: is the mean difference larger than with random signs of the differences?

    With fewer than 17 differences other than 0 all signs are tried and p is exact. Else p = (1 + c)/(1 + draws), where
    c is the number of draws that reach the observed difference, so it is never 0. Values, interval and errors as
    `paired_t`. See M. Smucker, J. Allan, B. Carterette (2007), doi:10.1145/1321440.1321528.

    >>> randomization([0.2, 0.4, 0.5, 0.3], [0.3, 0.4, 0.7, 0.5]).p_value
    0.25
    """
    check_draws(draws)
    differences = query_differences(a, b)
    others = differences[differences != 0]
    total, scale = abs(float(others.sum())), float(np.abs(others).sum())
    reached = total - _NEAR * scale
    if len(others) < EXACT_SIGNS_BELOW:
        method = "Randomisation test, all signs"
        signs = np.arange(1 << len(others), dtype="<u2" if len(others) <= 16 else "<u4")
        bytes_of = signs.view(np.uint8).reshape(len(signs), -1)
        p_value = float(np.count_nonzero(np.abs(_signed_sums(others, bytes_of)) >= reached) / len(signs))
    else:
        method = f"Randomisation test, {draws} draws"
        random = np.random.default_rng(seed)
        width, as_large = -(-len(others) // 8), 0
        for start in range(0, draws, _DRAWS_AT_ONCE):
            coins = random.integers(0, 256, (min(_DRAWS_AT_ONCE, draws - start), width), dtype=np.uint8)
            as_large += int(np.count_nonzero(np.abs(_signed_sums(others, coins)) >= reached))
        p_value = (1 + as_large) / (1 + draws)
    return _compared(method, differences, level, _mean(differences), p_value if len(differences) else math.nan)


def wilcoxon(a: npt.ArrayLike, b: npt.ArrayLike, level: float = 0.95) -> PairedComparison:
    """Wilcoxon's signed-rank test; differences of 0 are ranked and then left out (Pratt).

    Up to 50 differences other than 0 the distribution is exact, also with ties; beyond it is normal, with the variance
    corrected for ties. Parameters, interval and errors as `paired_t`; the statistic is the smaller of the two sums of
    ranks. See J. Pratt (1959), doi:10.1080/01621459.1959.10501526.

    >>> compared = wilcoxon([0.2, 0.4, 0.5, 0.3], [0.3, 0.4, 0.7, 0.5])
    >>> compared.statistic, compared.p_value
    (0.0, 0.25)
    """
    differences = query_differences(a, b)
    n, zeros = len(differences), int(np.count_nonzero(differences == 0))
    signed, tied = signed_ranks(differences)
    ranks = np.abs(signed[signed != 0])
    upward, downward = float(signed[signed > 0].sum()), abs(float(signed[signed < 0].sum()))
    statistic = min(upward, downward)
    if not n:
        method, statistic, p_value = "Wilcoxon signed-rank test", math.nan, math.nan
    elif len(ranks) <= EXACT_RANKS_UP_TO:
        method, p_value = "Wilcoxon signed-rank test, exact", _exact_ranks(ranks, statistic)
    else:
        method = "Wilcoxon signed-rank test, normal"
        mean = n * (n + 1) / 4 - zeros * (zeros + 1) / 4
        spread = n * (n + 1) * (2 * n + 1) - zeros * (zeros + 1) * (2 * zeros + 1)
        spread -= float((tied.astype(np.float64) ** 3 - tied).sum()) / 2
        p_value = float(min(2 * ndtr((statistic - mean) / np.sqrt(spread / 24)), 1.0))
    return _compared(method, differences, level, statistic, p_value)


def sign_test(a: npt.ArrayLike, b: npt.ArrayLike, level: float = 0.95) -> PairedComparison:
    """Sign test: does one system win more queries than the other? Ties are left out.

    Parameters, interval and errors as `paired_t`. The statistic is the smaller of wins and losses; p is the exact
    binomial, 1 without either.
    """
    differences = query_differences(a, b)
    wins, losses = int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
    p_value = float(exact_mcnemar(losses, wins)) if len(differences) else math.nan
    return _compared("Sign test", differences, level, float(min(wins, losses)), p_value)


def query_differences(a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """B minus A for each query, shape (n,), with differences within rounding error set to 0."""
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(f"The shapes are {first.shape} and {second.shape}; give both systems one value per query.")
    differences = second - first
    if not np.isfinite(differences).all():
        number = int(np.argmin(np.isfinite(differences))) + 1
        raise ValueError(f"The difference of query {number} is not a finite number.")
    # 0.3 − 0.1 and 0.2 − 0 are equal up to rounding; a difference that is 0 up to rounding is 0.
    return np.where(np.abs(differences) <= _NEAR * np.maximum(np.abs(first), np.abs(second)), 0.0, differences)


def _compared(method: str, differences: Array, level: float, statistic: float, p_value: float) -> PairedComparison:
    """Add the description of the differences to a test: mean, interval, d_z, wins, ties, losses."""
    n, mean = len(differences), _mean(differences)
    wins, losses = int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
    error = _standard_error(differences) if n > 1 else math.nan
    effect = mean / (error * math.sqrt(n)) if error > 0 else math.nan
    few = f"Only {wins + losses} of {n} values differ: the interval may be too narrow."
    note = few if wins + losses < FEW_TO_TELL <= n else ""

    def interval_at(level: float) -> Interval:
        check_level(level)
        return student_interval(mean, error, n - 1, level, note=note)

    numbers = mean, interval_at(level), statistic, p_value, n, float(effect), wins, n - wins - losses, losses
    return PairedComparison(method, *numbers, interval_at=interval_at)


def _mean(differences: Array) -> float:
    return float(differences.mean()) if len(differences) else math.nan


def _standard_error(differences: Array) -> float:
    spread = float(differences.std(ddof=1))
    # The deviations of equal numbers are 0 up to rounding.
    return 0.0 if spread <= _NEAR * float(np.abs(differences).max()) else spread / len(differences) ** 0.5


def _signed_sums(differences: Array, coins: npt.NDArray[np.uint8]) -> Array:
    """Sum of the differences under the signs of each row of coins, eight per byte, shape (rows,)."""
    width = coins.shape[1]
    padded = np.zeros(8 * width)
    padded[: len(differences)] = differences
    # The sum of every pattern of eight signs is computed once; a draw then adds one number per byte.
    signs = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    # One byte of all draws at a time, so that its 256 sums stay in the cache.
    sums = np.zeros(len(coins))
    for patterns, column in zip(padded.reshape(width, 8) @ signs.T, np.ascontiguousarray(coins.T), strict=True):
        sums += patterns.take(column)
    return sums


def signed_ranks(differences: Array) -> tuple[Array, Indices]:
    """Rank of the size of each difference with its sign, equal decimals tied, and how many share each size above 0."""
    sizes = np.abs(differences)
    order = np.argsort(sizes, kind="stable")
    ascending = sizes[order]
    new = np.ones(len(sizes), dtype=bool)
    new[1:] = np.diff(ascending) > _NEAR * np.maximum(ascending[1:], 1e-300)
    back = np.empty(len(sizes), dtype=np.intp)
    back[order] = np.cumsum(new) - 1
    counts = np.bincount(back, minlength=int(new.sum()))
    return np.sign(differences) * (np.cumsum(counts) - (counts - 1) / 2)[back], counts[ascending[new] > 0]


def _exact_ranks(ranks: Array, statistic: float) -> float:
    """Probability of a smaller sum of ranks as small as this under random signs."""
    halves = np.rint(2 * ranks).astype(np.int64)  # tied ranks end in a half
    ways = np.zeros(int(halves.sum()) + 1)
    ways[0] = 1.0
    for size in halves.tolist():
        moved = ways.copy()
        moved[size:] += ways[: len(ways) - size]
        ways = moved / 2
    return float(min(2 * ways[: int(np.rint(2 * statistic)) + 1].sum(), 1.0))


# What each query adds to the statistic, whose sign an exchange of the two systems turns.
_ADDED: dict[Callable[..., PairedComparison], Callable[[Array], Array]] = {
    paired_t: np.asarray, cautious_t: np.asarray, randomization: np.asarray,
    wilcoxon: lambda differences: signed_ranks(differences)[0], sign_test: np.sign,
}  # fmt: skip


def clustered_test(
    test: Callable[..., PairedComparison], a: npt.ArrayLike, b: npt.ArrayLike, clusters: npt.ArrayLike | None,
    level: float = 0.95,
) -> PairedComparison:  # fmt: skip
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
    differences = query_differences(a, b)
    error, degrees = error_of_mean(np.bincount(codes, differences - mean), np.bincount(codes))
    if error <= _NEAR * float(np.abs(differences).max()):  # equal differences vary by rounding alone
        error = 0.0

    def interval_at(level: float) -> Interval:
        check_level(level)
        return student_interval(mean, error, degrees, level, clusters=count, few_heavy=few_heavy_codes(codes))

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
    whole = clustered_test(paired_t, np.zeros(len(values)), scale(values), clusters, level).interval
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
        of = self.system + self.query + self.residual or math.nan
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
    limit = float(stdtrit(freedom, (1 + level) / 2))
    if shift > limit + 10:  # where the noncentral t has no digits left
        return 1.0
    # A statistic on the other side is rarer than a normal deviate of the shift, and far out its chance is nan in scipy.
    other_side = nctdtr(freedom, shift, -limit) if shift < _FAR else 0.0
    return float(1 - nctdtr(freedom, shift, limit) + other_side)


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
