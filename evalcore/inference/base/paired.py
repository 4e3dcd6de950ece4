"""Two systems on the same queries or rows: tests of the mean difference of a measure."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtr

from evalcore.inference.base.comparison import Comparison
from evalcore.inference.base.intervals import Interval, check_draws, check_level, student_interval, unless_rejected
from evalcore.inference.base.swaps import exact_mcnemar
from evalcore.numeric import Array, Indices

__all__ = ["PairedComparison", "cautious_t", "paired_t", "randomization", "sign_test", "wilcoxon"]

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

    Parameters
    ----------
    a, b : array_like of float, shape (n,)
        One value per query, in the same order.

    Returns
    -------
    PairedComparison
        The interval is Student's. nan with fewer than two queries; p = 1 if all differences are 0, and 0 if they are
        equal but not 0.

    Raises
    ------
    ValueError
        When the shapes differ or are not (n,), or a value is not finite.

    References
    ----------
    Student (1908). The probable error of a mean. Biometrika 6, 1–25. doi:10.1093/biomet/6.1.1

    Examples
    --------
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
    c is the number of draws that reach the observed difference, so it is never 0.

    Parameters
    ----------
    a, b, level
        As `paired_t`, with its interval and errors.

    References
    ----------
    M. Smucker, J. Allan, B. Carterette (2007). A comparison of statistical significance tests for information
    retrieval evaluation. CIKM, 623–632. doi:10.1145/1321440.1321528

    Examples
    --------
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
    ranks.

    References
    ----------
    J. Pratt (1959). Remarks on zeros and ties in the Wilcoxon signed rank procedures. Journal of the American
    Statistical Association 54, 655–667. doi:10.1080/01621459.1959.10501526

    Examples
    --------
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
    scale = np.maximum(np.abs(first), np.abs(second))
    return np.where(np.abs(differences) <= _NEAR * scale, 0.0, differences)


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

    counts = (wins, n - wins - losses, losses)
    return PairedComparison(
        *(method, mean, interval_at(level), statistic, p_value, n, float(effect), *counts), interval_at=interval_at
    )


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
    values, back, counts = _grouped(np.abs(differences))
    return np.sign(differences) * (np.cumsum(counts) - (counts - 1) / 2)[back], counts[values > 0]


def _grouped(sizes: Array) -> tuple[Array, Indices, Indices]:
    """Distinct sizes, the index of each size among them, and how often each occurs; nearly equal ones are merged."""
    order = np.argsort(sizes, kind="stable")
    ascending = sizes[order]
    new = np.ones(len(sizes), dtype=bool)
    new[1:] = np.diff(ascending) > _NEAR * np.maximum(ascending[1:], 1e-300)
    back = np.empty(len(sizes), dtype=np.intp)
    back[order] = np.cumsum(new) - 1
    return ascending[new], back, np.bincount(back, minlength=int(new.sum()))


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
