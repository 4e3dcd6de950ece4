"""Comparison of two systems: the result, the paired bootstrap, corrections, and exact tests by exchanging answers."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, chdtrc, gammaln

from evalcore.classification import ConfusionCounts, ScoredLabels
from evalcore.classification.binary.counts import Measure
from evalcore.inference.base.clustered import count_clusters, degrees_of_codes, few_clusters_factor
from evalcore.inference.base.intervals import Interval, unless_rejected, wilson
from evalcore.inference.base.resampling import percentile_interval
from evalcore.numeric import Array, Flags, Indices, average_ranks, distinct, ratio

__all__ = ["EXACT_BELOW", "MCNEMAR_TESTS", "METHODS", "Comparison", "adjusted", "exact_if_few", "holm", "mcnemar"]
__all__ += ["mcnemar_of_counts", "one_sided_p", "swap_test", "swap_test_of_scores"]

BOOTSTRAP = "paired bootstrap"

METHODS = {
    "holm": "Holm", "benjamini_hochberg": "Benjamini–Hochberg", "bonferroni": "Bonferroni", "none": "no correction",
}  # fmt: skip
"""Methods of `adjusted` with their names."""


@dataclass(frozen=True)
class Comparison:
    """The difference of two systems with its test."""

    method: str  # the test in words, with its correction
    estimate: float  # the second system minus the first
    interval: Interval  # of that difference
    statistic: float  # of the test; nan if there is none
    p_value: float  # two-sided
    n: int  # rows, or queries, of both systems
    # The estimate of two systems that are alike: 0, or 1 where they are compared by the ratio of their values.
    null: float = field(default=0.0, kw_only=True)
    # The interval at another level; None if nothing was tested.
    interval_at: Callable[[float], Interval] | None = field(default=None, kw_only=True, repr=False, compare=False)

    def marked(self, few_heavy: bool) -> "Comparison":
        """Return this comparison with a note whether few clusters hold most rows."""
        return replace(self, interval=replace(self.interval, few_heavy=few_heavy))

    def scaled(self, factor: float) -> "Comparison":
        """Return this comparison in another unit, such as Gini coefficients, which differ by twice the areas."""
        at = self.interval_at
        scaled = None if at is None else lambda level: at(level).scaled(factor)
        return replace(self, estimate=factor * self.estimate, interval=self.interval.scaled(factor), interval_at=scaled)


def bootstrap_comparison(estimate: float, differences: Array, level: float, n: int) -> Comparison:
    """Paired bootstrap of the difference of two systems, from the sample of n rows and each resample, shape (b,).

    The statistic is the estimate over the standard deviation of the resampled differences; p is twice the smaller share
    of resamples on one side of 0.
    """
    interval = percentile_interval(estimate, differences, level)
    defined = differences[~np.isnan(differences)]
    if 2 * len(defined) <= len(differences) or math.isnan(estimate):
        return Comparison(BOOTSTRAP, estimate, interval, math.nan, math.nan, n)
    beyond = int(min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0)))
    p_value = min(2 * (1 + beyond) / (1 + len(defined)), 1.0)
    spread = float(defined.std(ddof=1)) if np.isfinite(defined).all() and len(defined) > 1 else math.nan
    statistic = float(ratio(estimate, spread)) if spread else (0.0 if estimate == 0 else math.nan)
    at = partial(percentile_interval, estimate, differences)
    return Comparison(BOOTSTRAP, estimate, interval, statistic, p_value, n, interval_at=at)


def clustered_comparison(
    estimate: float, differences: Array, level: float, n: int, clusters: float, degrees: float, alone: bool = False
) -> Comparison:
    """Compare from resamples of clusters, or of rows alone in theirs; few degrees of freedom widen the spread."""
    centre = estimate if math.isfinite(estimate) else 0.0
    with np.errstate(invalid="ignore"):
        wider = centre + (differences - centre) * few_clusters_factor(level, clusters, degrees)
    compared = bootstrap_comparison(estimate, wider, level, n)
    interval = replace(compared.interval, clusters=clusters)
    return replace(compared, method=compared.method + ("" if alone else " of clusters"), interval=interval)


def comparison_of_rows(
    estimate: float, differences: Array, level: float, n: int, codes: np.ndarray | None, weights: Array | None
) -> Comparison:
    """Compare from resamples of the rows, or of their clusters by the code of each row."""
    if codes is None:
        return bootstrap_comparison(estimate, differences, level, n)
    alone = count_clusters(codes) == len(codes)
    clusters = count_clusters(codes, weights), degrees_of_codes(codes, weights)
    return clustered_comparison(estimate, differences, level, n, *clusters, alone)


def undrawn_comparison(estimate: float, n: int) -> Comparison:
    """Return a comparison without resamples: p = 1 if the systems agree on every row, nan if undefined."""
    statistic, p_value = (math.nan, math.nan) if math.isnan(estimate) else (0.0, 1.0)
    return Comparison(BOOTSTRAP, estimate, Interval(estimate, math.nan, math.nan), statistic, p_value, n)


def adjusted(p_values: npt.ArrayLike, method: str = "holm") -> Array:
    """Correct p-values by a named method.

    Holm and Bonferroni control the family-wise error rate, Holm with smaller p-values; Benjamini–Hochberg controls the
    false discovery rate of tests that are independent or positively dependent. nan stays nan and does not count. See S.
    Holm (1979), Scandinavian Journal of Statistics 6, 65–70; Y. Benjamini, Y. Hochberg (1995),
    doi:10.1111/j.2517-6161.1995.tb02031.x; O. J. Dunn (1961), doi:10.1080/01621459.1961.10482090.
    """
    if method not in METHODS:
        raise ValueError(f"No correction is called {method!r}; use one of {', '.join(METHODS)}.")
    given = np.asarray(p_values, dtype=np.float64)
    if ((given < 0) | (given > 1)).any():
        raise ValueError("A p-value lies between 0 and 1; correct the p-values before others are made of them.")
    tested = ~np.isnan(given)
    values = given[tested]
    m, order = len(values), np.argsort(values, kind="stable")
    ascending = values[order]
    if method == "holm":
        ascending = np.maximum.accumulate(ascending * np.arange(m, 0, -1))
    elif method == "benjamini_hochberg":
        ascending = np.minimum.accumulate((ascending * (m / np.arange(1, m + 1)))[::-1])[::-1]
    elif method == "bonferroni":
        ascending = ascending * m
    values[order] = np.minimum(ascending, 1.0)
    corrected = np.full(given.shape, np.nan)
    corrected[tested] = values
    return corrected


def holm(p_values: npt.ArrayLike) -> Array:
    """Holm's correction, which controls the family-wise error rate; values, shape and errors as `adjusted`.

    >>> holm([0.01, 0.04, 0.03, float("nan")]).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    return adjusted(p_values, "holm")


_FARTHEST = 7.0  # standard errors beyond which a p-value, then below 1e-12, is not told apart
_HALVINGS = 40


def one_sided_p(compared: Comparison, limit: float, above: bool = True) -> float:
    """p of the hypothesis that the true difference is not above (or not below) a limit.

    Half of what is left of the level at which the interval meets the limit, so that test and interval never disagree.
    nan without an interval. See D. Schuirmann (1987), doi:10.1007/BF01068419.
    """
    interval_at = compared.interval_at
    if interval_at is None:
        return math.nan
    # The estimate lies on the asked side where the nearer bound has to come back to the limit.
    asked = (compared.estimate > limit) == above and compared.estimate != limit
    lower = compared.estimate > limit
    near, far = 0.0, _FARTHEST
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        interval = interval_at(math.erf(middle / math.sqrt(2)))
        bound = float(interval.low if lower else interval.high)
        if math.isnan(bound):
            return math.nan
        if (bound > limit) == lower and bound != limit:
            near = middle
        else:
            far = middle
    beyond = math.erfc((near + far) / 2 / math.sqrt(2)) / 2
    return beyond if asked else 1 - beyond


ScoreMeasures = Sequence[Callable[[ScoredLabels], float]]

EXACT_BELOW = 25  # with fewer discordant pairs the exact binomial test is used instead of chi-square

MCNEMAR_TESTS = {
    "auto": f"exact below {EXACT_BELOW} such rows, else chi-square",
    "exact": "exact binomial",
    "mid_p": "mid-p",
    "chi_square": "chi-square with continuity correction",
}
"""Forms of McNemar's test with their names."""


def mcnemar(right_a: npt.ArrayLike, right_b: npt.ArrayLike, level: float = 0.95) -> Comparison:
    """McNemar's test: compare the accuracy of two systems by the rows where exactly one of them is right.

    Below 25 such rows the test is the exact binomial; its statistic is the smaller of the two counts. Else it is
    chi-square with one degree of freedom and the continuity correction of Edwards. The interval is Newcombe's for
    paired proportions, which stays inside −1 … 1. The estimate is the accuracy of B minus that of A; nan without rows.
    Systems that are right on the same rows have p = 1. ValueError when the two have not one shape (n,), hold anything
    but true and false, or the level is not between 0 and 1. See Q. McNemar (1947), doi:10.1007/BF02295996; R. Newcombe
    (1998), Statistics in Medicine 17, 2635–2650, method 10.

    >>> a = [True] * 8 + [False] * 2
    >>> b = [True] * 2 + [False] * 6 + [True] * 2
    >>> compared = mcnemar(a, b)
    >>> compared.method, compared.estimate, compared.statistic, round(compared.p_value, 4)
    ('McNemar, exact binomial', -0.4, 2.0, 0.2891)
    """
    first, second = _outcomes(right_a, "right_a"), _outcomes(right_b, "right_b")
    if first.shape != second.shape:
        raise ValueError(f"right_a has {len(first)} rows and right_b {len(second)}; give both for the same rows.")
    both = int(np.count_nonzero(first & second))
    only_a, only_b = int(np.count_nonzero(first)) - both, int(np.count_nonzero(second)) - both
    return mcnemar_of_counts(both, only_a, only_b, len(first) - both - only_a - only_b, level)


def mcnemar_of_counts(
    both: float, only_a: float, only_b: float, neither: float, level: float = 0.95, test: str = "auto"
) -> Comparison:
    """Test whether two systems are right equally often, from the rows that both, only A, only B and neither gets right.

    Sums of weights are taken as rows; the tests round the two counts in which the systems differ. The test is a key of
    `MCNEMAR_TESTS`; mid-p counts half of the probability of the observed table, is hardly ever above its level and
    finds more than the exact one. See M. Fagerland, S. Lydersen, P. Laake (2013), doi:10.1186/1471-2288-13-91.
    """
    if test not in MCNEMAR_TESTS:
        raise ValueError(f"No form of McNemar's test is called {test!r}; use one of {', '.join(MCNEMAR_TESTS)}.")
    discordant = round(only_a) + round(only_b)
    n = both + only_a + only_b + neither
    if test == "auto":
        test = "exact" if discordant < EXACT_BELOW else "chi_square"
    method = f"McNemar, {MCNEMAR_TESTS[test]}"
    if test != "chi_square" or not discordant:
        statistic = float(min(round(only_a), round(only_b)))
        p_value = float(exact_mcnemar(only_a, only_b))
        if test == "mid_p":
            # The chance of fewer, and half of that of as many.
            fewer = bdtr(statistic - 1, discordant, 0.5) if statistic else 0.0
            p_value = float(bdtr(statistic, discordant, 0.5) + fewer)
    else:
        statistic = max(abs(round(only_a) - round(only_b)) - 1, 0) ** 2 / discordant
        p_value = float(chdtrc(1, statistic))
    at = partial(newcombe_paired, both, only_a, only_b, neither)
    interval = at(level)
    if not n:
        statistic = p_value = float("nan")
    return Comparison(method, float(interval.estimate), interval, statistic, p_value, round(n), interval_at=at)


def exact_mcnemar(only_a: npt.ArrayLike, only_b: npt.ArrayLike) -> Array:
    """Two-sided p of the exact binomial for pairs of discordant counts, of one shape; 1 where there are none.

    >>> exact_mcnemar([0, 0, 3], [0, 6, 3]).tolist()
    [1.0, 0.03125, 1.0]
    """
    fewer = np.rint(np.minimum(only_a, only_b))
    return np.minimum(2 * bdtr(fewer, np.rint(np.add(only_a, only_b)).astype(np.int64), 0.5), 1.0)


def _outcomes(right: npt.ArrayLike, name: str) -> Flags:
    given = np.asarray(right)
    if given.ndim != 1:
        raise ValueError(f"{name} has the shape {given.shape}; give one outcome a row, shape (n,).")
    if given.dtype == bool or not given.size:
        return given.astype(bool)
    raise ValueError(f"{name} holds {given.dtype}; give true where the system is right and false where it is not.")


def newcombe_paired(both: float, only_a: float, only_b: float, neither: float, level: float = 0.95) -> Interval:
    """Newcombe's interval of the difference of two shares of the same rows, B minus A, inside −1 … 1; see `mcnemar`."""
    n = both + only_a + only_b + neither
    a, b = wilson(both + only_a, n, level), wilson(both + only_b, n, level)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    agreement = both * neither - only_a * only_b
    agreement = max(agreement - n / 2, 0) if agreement > 0 else agreement
    correlation = agreement / float(margins) ** 0.5 if margins else 0.0
    estimate = ratio(only_b - only_a, n)

    def reach(up: Array | float, down: Array | float) -> Array:
        return np.sqrt(np.maximum(up * up - 2 * correlation * up * down + down * down, 0.0))

    low = estimate - reach(b.estimate - b.low, a.high - a.estimate)
    high = estimate + reach(b.high - b.estimate, a.estimate - a.low)
    return Interval(estimate, np.clip(low, -1, 1), np.clip(high, -1, 1))


SWAPS = "exact test on the pairs"
SWAPS_OF_CLUSTERS = "mid-p exchange of whole clusters"
MOST_TABLES = 1_000_000  # tables that are tried; with more the bootstrap decides
MOST_ROWS = 2_000  # rows up to which rankings are tried with the scores of rows exchanged
DRAWS, SEED = 2000, 20  # random exchanges, where there are more than can all be tried
_NEAR = 1e-9


def swap_test(measure: Measure, cells: npt.ArrayLike) -> float:
    """Two-sided p of a difference of two systems in any measure of counts, by exchanging their answers row by row.

    Only rows on which they differ matter, so the chance of each table is binomial and all are tried.
    ``cells[actual, predicted by A, predicted by B]`` are rounded. A table without a defined difference counts as one as
    large; nan where there is none in the sample, or too many tables. See M. Smucker, J. Allan, B. Carterette (2007),
    doi:10.1145/1321440.1321528.
    """
    table = np.rint(np.asarray(cells, dtype=np.float64))
    negatives, positives = table[:, 0, 1] + table[:, 1, 0]
    if (negatives + 1) * (positives + 1) > MOST_TABLES:
        return math.nan
    # Rows that only A calls positive after the exchange: negatives down, positives across.
    false, found = np.ix_(np.arange(negatives + 1), np.arange(positives + 1))
    chance = _halves(negatives)[:, None] * _halves(positives)

    def differences(false: Array, found: Array) -> Array:
        (tn, fp), (fn, tp) = table[:, [0, 1], [0, 1]]
        of_a = tp + found, fp + false, fn + positives - found, tn + negatives - false
        of_b = tp + positives - found, fp + negatives - false, fn + found, tn + false
        a, b = (ConfusionCounts(*np.broadcast_arrays(*cells)) for cells in (of_a, of_b))
        with np.errstate(invalid="ignore"):
            return np.subtract(measure(b), measure(a))

    return share_as_large(differences(false, found), float(differences(table[0, 1, 0], table[1, 1, 0])), chance)


def swap_test_of_clusters(measure: Measure, cells: Array) -> float:
    """Test a difference of two systems by exchanging the answers of whole clusters at random.

    It is the mid-p, as few clusters leave few tables, or the exact p where each cluster that differs has one row. The
    cells, shape (c, 8), are those of `swap_test` in each cluster. See B. Durkalski, Y. Palesch, S. Lipsitz, P. Rust
    (2003), doi:10.1002/sim.1438; H. Lancaster (1961), doi:10.1080/01621459.1961.10482105.
    """
    change = cells[:, [0, 2, 1, 3, 4, 6, 5, 7]] - cells
    differing = change.any(axis=1)
    halved = bool((cells[differing].sum(axis=1) > 1).any())
    change = change[differing]
    tables = exchanges(len(change), DRAWS, SEED) @ change + cells.sum(axis=0)
    tables = np.maximum(tables, 0.0).reshape(-1, 2, 2, 2)  # sums of weights may be off by rounding
    of_a, of_b = (
        ConfusionCounts(table[:, 1, 1], table[:, 0, 1], table[:, 1, 0], table[:, 0, 0])
        for table in (tables.sum(axis=-1), tables.sum(axis=-2))
    )
    with np.errstate(invalid="ignore"):
        differences = np.subtract(measure(of_b), measure(of_a))
    return share_as_large(differences, float(differences[0]), halved=halved)


def swap_test_of_scores(
    measures: ScoreMeasures, is_positive: Flags, scores_a: npt.ArrayLike, scores_b: npt.ArrayLike,
    clusters: Indices | None = None,
) -> list[float]:  # fmt: skip
    """Test differences of measures of scores by exchanging the ranks of rows, or of whole clusters, at random.

    Higher scores speak for the positive class. With clusters p is the mid-p of `swap_test_of_clusters`.
    """
    ranks = np.array([average_ranks(scores) for scores in (scores_a, scores_b)])
    units = np.arange(len(is_positive)) if clusters is None else clusters
    differing = distinct(units[ranks[0] != ranks[1]])

    def difference(exchanged: Indices) -> list[float]:
        both = ranks.copy()
        rows = np.isin(units, exchanged)
        both[:, rows] = both[::-1, rows]
        a, b = (ScoredLabels.from_arrays(is_positive, column) for column in both)
        with np.errstate(invalid="ignore"):
            return [float(np.subtract(measure(b), measure(a))) for measure in measures]

    tried = np.array([difference(differing[which]) for which in exchanges(len(differing), DRAWS, SEED)])
    halved = len(distinct(units)) < len(units)
    return [share_as_large(of_one, float(of_one[0]), halved=halved) for of_one in tried.T]


def few_pairs(discordant: float) -> bool:
    """Whether so few rows differ that the exact test is used."""
    return round(discordant) < EXACT_BELOW


def exact_comparison(comparison: Comparison, p_value: float, level: float, test: str = SWAPS) -> Comparison:
    """Replace the p-value of a comparison by that of the exact test; nan leaves it unchanged.

    The interval is widened to hold the value of systems that are alike where the test does not exclude it; of clusters
    it is also cut where the test excludes that value.
    """
    if math.isnan(p_value) or math.isnan(comparison.estimate):
        return comparison
    agree = agreeing_interval if test == SWAPS_OF_CLUSTERS else unless_rejected
    interval = agree(comparison.interval, p_value, level, comparison.null)
    return replace(comparison, method=f"{comparison.method.split(',')[0]}, {test}", p_value=p_value, interval=interval)


def exact_if_few(
    measures: ScoreMeasures, comparisons: list[Comparison], is_positive: Flags, scores_a: npt.ArrayLike,
    scores_b: npt.ArrayLike, level: float, clusters: Indices | None = None,
) -> list[Comparison]:  # fmt: skip
    """Replace p-values by those of `swap_test_of_scores` if a class has few rows or clusters."""
    if len(is_positive) > MOST_ROWS:
        return comparisons
    units = np.arange(len(is_positive)) if clusters is None else clusters
    if not few_pairs(min(len(distinct(units[side])) for side in (is_positive, ~is_positive))):
        return comparisons
    p_values = swap_test_of_scores(measures, is_positive, scores_a, scores_b, clusters=clusters)
    test = SWAPS if clusters is None else SWAPS_OF_CLUSTERS
    return [exact_comparison(*each, level, test) for each in zip(comparisons, p_values, strict=True)]


def agreeing_interval(interval: Interval, p_value: float, level: float, null: float = 0.0) -> Interval:
    """Widen an interval to the value of equal systems, or cut it next to it, as their test rejects or not."""
    if p_value > 1 - level + 1e-12:
        return unless_rejected(interval, p_value, level, null)
    estimate = float(interval.estimate)
    if not math.isfinite(estimate) or estimate == null:
        return interval
    end, nearest = ("low", np.maximum) if estimate > null else ("high", np.minimum)
    return replace(interval, **{end: nearest(getattr(interval, end), null + _NEAR * (estimate - null))})


def _halves(n: float) -> Array:
    """Probabilities of 0 … n heads among n coins."""
    k = np.arange(n + 1)
    return np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * math.log(2))


def share_as_large(differences: Array, observed: float, chance: Array | None = None, halved: bool = False) -> float:
    """Probability of a difference as large as observed; halved, those that are only as large count half."""
    if math.isnan(observed):
        return math.nan
    size = np.abs(observed)
    near = _NEAR * size if np.isfinite(size) else 0
    reached = np.isnan(differences) | (np.abs(differences) >= size - near)
    if halved:
        return float(np.mean(reached) + np.mean(np.isnan(differences) | (np.abs(differences) > size + near))) / 2
    return float(np.mean(reached) if chance is None else min(chance[reached].sum(), 1.0))


def exchanges(rows: int, draws: int, seed: int) -> Flags:
    """Exchanged rows as flags, shape (ways, rows): none at first, then all other ways, or a random sample of them."""
    if 1 << min(rows, 30) <= draws:
        return (np.arange(1 << rows)[:, None] >> np.arange(rows) & 1).astype(bool)
    return np.concatenate([np.zeros((1, rows), dtype=bool), np.random.default_rng(seed).random((draws, rows)) < 0.5])
