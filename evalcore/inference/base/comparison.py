"""Comparison of two systems: the result, the paired bootstrap, and corrections for several comparisons."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from evalcore.inference.base.clustered import count_clusters, degrees_of_codes, few_clusters_factor
from evalcore.inference.base.intervals import Interval
from evalcore.inference.base.resampling import percentile_interval
from evalcore.numeric import Array, ratio

__all__ = ["METHODS", "Comparison", "adjusted", "holm", "one_sided_p"]

BOOTSTRAP = "paired bootstrap"

METHODS = {
    "holm": "Holm",
    "benjamini_hochberg": "Benjamini–Hochberg",
    "bonferroni": "Bonferroni",
    "none": "no correction",
}
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
