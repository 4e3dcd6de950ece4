"""Measures of agreement: the share of the truth's variance that estimates explain, and how closely both agree."""

import math

import numpy as np

from evalcore.estimation.estimates import Estimates, mean_squared_error
from evalcore.numeric import ratio, weighted_ranks
from evalcore.registry import Param, metric

__all__ = ["adjusted_r_squared", "concordance_correlation", "explained_variance", "pearson_correlation", "r_squared"]
__all__ += ["spearman_correlation"]

EXPLAINED, AGREEMENT = "Against a constant estimate", "Agreement and correlation"
CONSTANT = "all true numbers are equal"
_EITHER = "all true numbers, or all estimates, are equal"
_PREDICTORS = Param("predictors", 1, 0, 1_000_000, "Number of predictors that the model was fitted with.", whole=True)


@metric(
    name="R²", symbol="R²", family="estimates",
    formula=r"1 - \frac{\sum_i (p_i - y_i)^2}{\sum_i (y_i - \bar y)^2}", lowest=-math.inf, best=1,
    undefined_when=CONSTANT, aliases=("coefficient of determination", "R2", "Nash–Sutcliffe efficiency"),
    reference="kvalseth1985", interval="ratio", paired_test="influence", group=EXPLAINED,
    help="1 minus MSE over the variance of the truth; 0 = no better than the mean",
)  # fmt: skip
def r_squared(state: Estimates) -> float:
    """Share of the squared deviations of the truth from its mean that the estimates explain.

    How to read it: 1 is perfect, 0 is as good as always giving the mean of these rows, below 0 is worse. It depends on
    how widely the truth is spread: the same errors give a higher R² on more varied rows. It never exceeds the
    squared correlation, which it equals for a least-squares line on the same rows. Undefined where all true numbers are
    equal, because there is no spread.

    >>> r_squared(Estimates.from_arrays([1, 2, 3, 4], [1, 2, 3, 3]))
    0.8
    """
    return explained(mean_squared_error(state), state.moments.truth_variance)


@metric(
    name="Adjusted R²", symbol="adjusted R²", family="estimates",
    formula=r"1 - (1 - R^2)\,\frac{n - 1}{n - k - 1}", lowest=-math.inf, best=1,
    undefined_when="all true numbers are equal, or there are no more rows than predictors and one",
    params=(_PREDICTORS,), aliases=("adjusted R2", "R̄²"), reference="ezekiel1930", interval="ratio",
    paired_test="influence", group=EXPLAINED, help="R², lowered for the k predictors of the model",
)  # fmt: skip
def adjusted_r_squared(state: Estimates, predictors: float = 1) -> float:
    """R², lowered for the number of predictors of a model that was fitted on these very rows.

    How to read it: only for rows that the model was fitted on. Estimates of rows it has not seen need no adjustment:
    there R² is honest already.

    >>> round(adjusted_r_squared(Estimates.from_arrays([1, 2, 3, 4], [1, 2, 3, 3]), predictors=2), 12)
    0.4
    """
    free = state.effective - predictors - 1
    if not free > 0:
        return math.nan
    return 1 - _explained_lack(mean_squared_error(state), state.moments.truth_variance) * (state.effective - 1) / free


@metric(
    name="Explained variance", symbol="EV", family="estimates",
    formula=r"1 - \frac{\operatorname{Var}(y - p)}{\operatorname{Var}(y)}", lowest=-math.inf, best=1,
    undefined_when=CONSTANT, reference="kvalseth1985", interval="ratio", paired_test="influence", group=EXPLAINED,
    help="R² once the mean error is taken away",
)  # fmt: skip
def explained_variance(state: Estimates) -> float:
    """Share of the variance of the truth that the estimates explain, whatever their mean error.

    How to read it: R² of the estimates after their mean error is removed. Where it lies above R², a constant
    correction would help.

    >>> explained_variance(Estimates.from_arrays([1, 2, 3], [2, 3, 4]))
    1.0
    """
    return explained(state.error_variance, state.moments.truth_variance)


@metric(
    name="Concordance correlation", symbol="CCC", family="estimates",
    formula=r"\frac{2\,s_{yp}}{s_y^2 + s_p^2 + (\bar y - \bar p)^2}", lowest=-1, best=1,
    undefined_when="all true numbers and estimates are one and the same number, or there are no rows",
    aliases=("concordance correlation coefficient", "Lin's concordance"), reference="lin1989", interval="fisher",
    paired_test="influence", group=AGREEMENT, help="Agreement with the line of equality",
)  # fmt: skip
def concordance_correlation(state: Estimates) -> float:
    """Correlation, lowered by how far the points lie from the line estimate = truth.

    How to read it: 1 only where every estimate equals the truth. A shift or another scale lowers it, which Pearson's
    correlation does not see. It rises with the spread of the truth, as all correlations do.

    >>> round(concordance_correlation(Estimates.from_arrays([1, 2, 3], [2, 3, 4])), 12) == round(4 / 7, 12)
    True
    """
    m = state.moments
    # The mean error, because the means of large numbers are rounded before they are subtracted.
    whole = m.truth_variance + m.estimate_variance + state.mean_loss("error") ** 2
    return float(ratio(2 * m.covariance, whole)) if whole else math.nan


@metric(
    name="Pearson correlation", symbol="r", family="estimates", formula=r"\frac{s_{yp}}{s_y s_p}", lowest=-1, best=1,
    undefined_when=_EITHER, aliases=("Pearson's r",),
    reference="pearson1895", interval="fisher", paired_test="influence", group=AGREEMENT,
    help="How closely truth and estimate follow any rising straight line",
)  # fmt: skip
def pearson_correlation(state: Estimates) -> float:
    """How closely truth and estimate follow a rising straight line.

    How to read it: 1 on any rising line, also where every estimate is twice the truth, so it does not tell whether
    estimates are right. It rises with the spread of the truth.

    >>> pearson_correlation(Estimates.from_arrays([1, 2, 3], [2, 4, 6]))
    1.0
    """
    m = state.moments
    if not m.truth_variance > 0 or not m.estimate_variance > 0:
        return math.nan
    return float(np.clip(m.covariance / math.sqrt(m.truth_variance) / math.sqrt(m.estimate_variance), -1, 1))


@metric(
    name="Spearman correlation", symbol="ρ", family="estimates",
    formula=r"r(\operatorname{rank} y, \operatorname{rank} p)", lowest=-1, best=1, undefined_when=_EITHER,
    aliases=("Spearman's rho", "rank correlation"), reference="spearman1904", interval="fisher",
    paired_test="influence", group=AGREEMENT, help="Pearson correlation of the ranks",
)  # fmt: skip
def spearman_correlation(state: Estimates) -> float:
    """Pearson correlation of the ranks of truth and estimate; equal numbers share their mean rank.

    How to read it: 1 wherever a higher truth has a higher estimate, on any scale. Right where only the order matters.

    >>> spearman_correlation(Estimates.from_arrays([1, 2, 3], [10, 11, 99]))
    1.0
    """
    counted = state.counted
    truth, estimate = weighted_ranks(counted.truth, counted.weights), weighted_ranks(counted.estimate, counted.weights)
    return pearson_correlation(Estimates(truth, estimate, counted.weights))


def _explained_lack(loss: float, of_constant: float) -> float:
    return float(ratio(loss, of_constant)) if of_constant > 0 else math.nan


def explained(loss: float, of_constant: float) -> float:
    """1 minus a loss over that of the best constant; nan where no constant has one."""
    return 1 - _explained_lack(loss, of_constant)
