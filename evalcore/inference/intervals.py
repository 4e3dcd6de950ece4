"""Confidence intervals in closed form: of proportions, of likelihood ratios and of the area under the ROC curve."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtri

from evalcore.classification import ConfusionCounts, ScoredLabels, roc_auc
from evalcore.numeric import Array, inner, over_blocks, ratio
from evalcore.registry import MetricDef

__all__ = ["Interval", "clopper_pearson", "delong", "log_ratio_interval", "wilson"]

Number = TypeVar("Number")
"""A float, or an Array of them."""


@dataclass(frozen=True, eq=False)
class Interval(Generic[Number]):
    """An estimate between two bounds.

    Attributes
    ----------
    estimate, low, high : float or Array
        nan where the estimate is undefined.
    """

    estimate: Number
    low: Number
    high: Number

    def scaled(self, factor: float) -> "Interval":
        """The same interval in another unit."""
        return Interval(*(factor * end for end in vars(self).values()))


def wilson(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Wilson score interval of a proportion: all proportions that the score test does not reject.

    Parameters
    ----------
    successes, n : array_like of float, one shape
        0 <= successes <= n.
    level : float
        Confidence, between 0 and 1.

    Returns
    -------
    Interval
        Of the same shape, inside 0 … 1; nan where n is 0.

    Raises
    ------
    ValueError
        When a count is negative, successes exceed n, or the level is not between 0 and 1.

    References
    ----------
    E. Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22, 209–212. doi:10.1080/01621459.1927.10502953

    Examples
    --------
    >>> interval = wilson(20, 200)
    >>> round(float(interval.low), 4), round(float(interval.high), 4)
    (0.0657, 0.1494)
    """
    x, size = _proportion(successes, n)
    z = normal_quantile(level)
    share = ratio(x, size)
    # Centre and half width over n + z², written so that the bounds are exactly 0 and 1 at the ends.
    half = z * np.sqrt(x * (1 - share) + z * z / 4)
    low = ratio(x + z * z / 2 - half, size + z * z)
    high = ratio(x + z * z / 2 + half, size + z * z)
    low, high = np.where(x == 0, share, low), np.where(x == size, share, high)
    return Interval(share, np.clip(low, 0, 1), np.clip(high, 0, 1))


def clopper_pearson(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Clopper–Pearson exact interval of a proportion from the tails of the binomial; it covers at least the level.

    Parameters, returned shape and errors as `wilson`.

    References
    ----------
    C. Clopper, E. Pearson (1934). The use of confidence or fiducial limits illustrated in the case of the binomial.
    Biometrika 26, 404–413. doi:10.1093/biomet/26.4.404

    Examples
    --------
    >>> interval = clopper_pearson(0, 10)
    >>> float(interval.low), round(float(interval.high), 4)
    (0.0, 0.3085)
    """
    x, size = _proportion(successes, n)
    check_level(level)
    tail = (1 - level) / 2
    share = ratio(x, size)
    with np.errstate(invalid="ignore"):
        low = np.where(x > 0, betaincinv(np.where(x > 0, x, 1), size - x + 1, tail), 0.0)
        high = np.where(x < size, betaincinv(x + 1, np.where(x < size, size - x, 1), 1 - tail), 1.0)
    defined = ~np.isnan(share)
    return Interval(share, np.where(defined, low, np.nan), np.where(defined, high, np.nan))


def log_ratio_interval(measure: MetricDef, counts: ConfusionCounts, level: float = 0.95) -> Interval:
    """Interval of a likelihood ratio or of the diagnostic odds ratio by the normal approximation of its logarithm.

    Parameters
    ----------
    measure : MetricDef
        LR+, LR− or DOR.
    counts : ConfusionCounts, any shape

    Returns
    -------
    Interval
        Of the shape of the counts; the bounds are nan where a cell that stands in the ratio is 0, or where an
        empty cell beside it leaves no variance to read a width from.

    Raises
    ------
    ValueError
        When the measure is none of these.

    References
    ----------
    D. Simel, G. Samsa, D. Matchar (1991). Likelihood ratios with confidence: sample size estimation for diagnostic
    test studies. Journal of Clinical Epidemiology 44, 763–770. doi:10.1016/0895-4356(91)90128-V

    Examples
    --------
    >>> from evalcore import find
    >>> interval = log_ratio_interval(find("LR+"), ConfusionCounts(tp=20, fp=180, fn=10, tn=1820))
    >>> round(float(interval.low), 2), round(float(interval.high), 2)
    (5.55, 9.89)
    """
    tp, fp, fn, tn = counts.tp, counts.fp, counts.fn, counts.tn
    positives, negatives = counts.actual_positives, counts.actual_negatives
    # With small sums of weights the bounds are 0 and ∞.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        if measure.key == "positive_likelihood_ratio":
            variance = 1 / tp - 1 / positives + 1 / fp - 1 / negatives
        elif measure.key == "negative_likelihood_ratio":
            variance = 1 / fn - 1 / positives + 1 / tn - 1 / negatives
        elif measure.key == "diagnostic_odds_ratio":
            variance = 1 / tp + 1 / fp + 1 / fn + 1 / tn
        else:
            raise ValueError(f"{measure.name} has no interval by logarithm; use one of LR+, LR− and DOR.")
        estimate = np.asarray(measure(counts))
        error = np.sqrt(np.where(np.isfinite(variance) & (variance > 0), variance, np.nan))
        factor = np.exp(normal_quantile(level) * error)
        return Interval(estimate, estimate / factor, estimate * factor)


def delong(scored: ScoredLabels, level: float = 0.95, logit: bool = False) -> Interval:
    """Interval of the area under the ROC curve.

    The variance comes from the share of negatives below each positive and of positives above each negative, which the
    staircase of counts holds already: no second sort and no comparison of pairs.

    Parameters
    ----------
    logit : bool
        Build the interval on the logit scale, where it stays inside 0 … 1 without clipping; an area of 0 or 1 then has
        no bounds (nan).

    Returns
    -------
    Interval
        Of floats; nan bounds when a class has fewer than two rows.

    References
    ----------
    E. DeLong, D. DeLong, D. Clarke-Pearson (1988), as `correlated_areas`.

    Examples
    --------
    >>> scored = ScoredLabels.from_arrays([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> interval = delong(scored)
    >>> round(float(interval.estimate), 4), round(float(interval.low), 4), float(interval.high)
    (0.8889, 0.5809, 1.0)
    """
    return area_interval(roc_auc(scored), delong_variance(scored), level, logit)


def area_interval(area: npt.ArrayLike, variance: npt.ArrayLike, level: float = 0.95, logit: bool = False) -> Interval:
    """Normal interval of areas between 0 and 1 from their variance, clipped, or built on the logit scale."""
    z = normal_quantile(level)
    auc, error = np.asarray(area, dtype=np.float64), np.sqrt(variance)
    if logit:
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = np.log(ratio(auc, 1 - auc))
            half = ratio(z * error, auc * (1 - auc))
            return Interval(auc, 1 / (1 + np.exp(half - odds)), 1 / (1 + np.exp(-half - odds)))
    return Interval(auc, np.maximum(auc - z * error, 0.0), np.minimum(auc + z * error, 1.0))


def delong_variance(scored: ScoredLabels) -> float:
    """Variance of the area under the ROC curve by DeLong, nan when a class has fewer than two rows."""
    positives, negatives, auc = scored.positives, scored.negatives, roc_auc(scored)
    if positives <= 1 or negatives <= 1:
        return float("nan")
    tp, fp = scored.steps.tp, scored.steps.fp

    def squares(rows: slice) -> tuple[float, float]:
        tp_after, fp_after, tp_before, fp_before = tp[1:][rows], fp[1:][rows], tp[rows], fp[rows]
        # A positive of this step outranks the negatives below it, and half of those with the same score.
        outranked = 1 - (fp_after + fp_before) / (2 * negatives) - auc
        outranking = (tp_after + tp_before) / (2 * positives) - auc
        return inner(tp_after - tp_before, outranked**2), inner(fp_after - fp_before, outranking**2)

    of_positives, of_negatives = np.sum(over_blocks(squares, len(tp) - 1), axis=0)
    return float(of_positives / (positives - 1) / positives + of_negatives / (negatives - 1) / negatives)


def _proportion(successes: npt.ArrayLike, n: npt.ArrayLike) -> tuple[Array, Array]:
    x, size = np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if (x < 0).any() or (x > size).any():
        raise ValueError("A proportion needs 0 <= successes <= n.")
    return x, size


def check_level(level: float) -> None:
    """Refuse a confidence level that is not between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"The confidence level is {level:g}; it must lie between 0 and 1, such as 0.95.")


def check_draws(draws: int) -> None:
    """Refuse a number of resamples below 1."""
    if draws < 1:
        raise ValueError(f"{draws} resamples show nothing; draw at least one.")


@lru_cache(maxsize=64)
def normal_quantile(level: float) -> float:
    """Half width, in standard deviations, of the middle share `level` of a normal distribution."""
    check_level(level)
    return float(ndtri((1 + level) / 2))
