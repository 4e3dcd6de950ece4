"""Measures beyond errors: agreement, deviances and their D², relative errors; and losses with their best constants."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from evalcore.estimation import estimates
from evalcore.estimation.estimates import NO_ROWS, Estimates, mean_squared_error, pinball_errors, weighted_quantile
from evalcore.numeric import Array, ratio, weighted_ranks
from evalcore.registry import Param, metric

__all__ = ["CONSTANT_LOSSES", "LOSS_FAMILIES", "LOSS_FUNCTIONS", "LossFunction", "adjusted_r_squared"]
__all__ += ["concordance_correlation", "d2_absolute_error", "d2_pinball", "d2_tweedie", "explained_variance"]
__all__ += ["huber_centre", "mean_absolute_percentage_error", "mean_absolute_scaled_error", "mean_gamma_deviance"]
__all__ += ["mean_poisson_deviance", "mean_tweedie_deviance", "naive_errors", "pearson_correlation", "r_squared"]
__all__ += ["spearman_correlation", "symmetric_mean_absolute_percentage_error"]

EXPLAINED, AGREEMENT = "Against a constant estimate", "Agreement and correlation"
CONSTANT = "all true numbers are equal"
_EITHER = "all true numbers, or all estimates, are equal"
_PREDICTORS = Param("predictors", 1, 0, 1_000_000, "Number of predictors that the model was fitted with.", whole=True)
_explains = partial(
    metric, family="estimates", lowest=-math.inf, best=1, interval="ratio", paired_test="influence", group=EXPLAINED
)
_agrees = partial(
    metric, family="estimates", lowest=-1, best=1, interval="fisher", paired_test="influence", group=AGREEMENT
)
_loss = partial(metric, family="estimates", highest=math.inf, best=0, interval="mean", paired_test="influence")


@_explains(name="R²", symbol="R²", formula=r"1 - \frac{\sum_i (p_i - y_i)^2}{\sum_i (y_i - \bar y)^2}",
           undefined_when=CONSTANT, aliases=("coefficient of determination", "R2", "Nash–Sutcliffe efficiency"),
           reference="kvalseth1985",
           help="1 minus MSE over the variance of the truth; 0 = no better than the mean")  # fmt: skip
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


@_explains(name="Adjusted R²", symbol="adjusted R²", formula=r"1 - (1 - R^2)\,\frac{n - 1}{n - k - 1}",
           undefined_when="all true numbers are equal, or there are no more rows than predictors and one",
           params=(_PREDICTORS,), aliases=("adjusted R2", "R̄²"), reference="ezekiel1930",
           help="R², lowered for the k predictors of the model")  # fmt: skip
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


@_explains(name="Explained variance", symbol="EV",
           formula=r"1 - \frac{\operatorname{Var}(y - p)}{\operatorname{Var}(y)}", undefined_when=CONSTANT,
           reference="kvalseth1985", help="R² once the mean error is taken away")  # fmt: skip
def explained_variance(state: Estimates) -> float:
    """Share of the variance of the truth that the estimates explain, whatever their mean error.

    How to read it: R² of the estimates after their mean error is removed. Where it lies above R², a constant
    correction would help.

    >>> explained_variance(Estimates.from_arrays([1, 2, 3], [2, 3, 4]))
    1.0
    """
    return explained(state.error_variance, state.moments.truth_variance)


@_agrees(name="Concordance correlation", symbol="CCC", formula=r"\frac{2\,s_{yp}}{s_y^2 + s_p^2 + (\bar y - \bar p)^2}",
         undefined_when="all true numbers and estimates are one and the same number, or there are no rows",
         aliases=("concordance correlation coefficient", "Lin's concordance"), reference="lin1989",
         help="Agreement with the line of equality")  # fmt: skip
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


@_agrees(name="Pearson correlation", symbol="r", formula=r"\frac{s_{yp}}{s_y s_p}", undefined_when=_EITHER,
         aliases=("Pearson's r",), reference="pearson1895",
         help="How closely truth and estimate follow any rising straight line")  # fmt: skip
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


@_agrees(name="Spearman correlation", symbol="ρ", formula=r"r(\operatorname{rank} y, \operatorname{rank} p)",
         undefined_when=_EITHER, aliases=("Spearman's rho", "rank correlation"), reference="spearman1904",
         help="Pearson correlation of the ranks")  # fmt: skip
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


@dataclass(frozen=True)
class LossFunction:
    """A loss of predicting p if y is true, and the constant p with the least mean loss."""

    name: str
    formula: str  # LaTeX over p and y
    minimiser: str  # what the constant is called
    # Loss of stated numbers p for a true y; the parameter is τ or δ.
    loss: Callable[[Array, float, float], Array]
    # The constant of some values with weights; the parameter is τ or δ.
    best: Callable[[Array, Array, float], float]
    needs: str = "numbers"  # "numbers", "counts" (from 0) or "classes" (two values, the higher one is y = +1)
    use: str = ""  # an example of its use

    def problem(self, values: Array) -> str:
        """Say why the loss does not apply to some true numbers; empty if it does."""
        if self.needs == "counts" and values.min() < 0:
            return f"needs numbers from 0; the least is {values.min():g}"
        if self.needs == "classes" and (distinct := len(np.unique(values))) != 2:
            return f"needs two classes, y = ±1; there are {distinct} different values"
        return ""


def huber_centre(values: Array, weights: Array, delta: float) -> float:
    """The number with the least mean Huber loss (quadratic within δ, linear beyond); of an interval, its middle."""
    order = np.argsort(values)
    x, w = values[order], weights[order]
    # The slope of the mean loss rises from knot to knot, in straight pieces: look for where it crosses 0.
    knots = np.unique(np.concatenate([x - delta, x + delta]))

    def slope(at: float) -> float:
        return float(w @ np.clip(at - x, -delta, delta))

    tiny = 1e-12 * float(w.sum()) * max(delta, 1.0)
    ends = []
    for side in (-1, 1):
        low, high = 0, len(knots) - 1
        while high - low > 1:
            middle = (low + high) // 2
            value = slope(float(knots[middle]))
            below = value < -tiny if side < 0 else value <= tiny
            low, high = (middle, high) if below else (low, middle)
        a, b = slope(float(knots[low])), slope(float(knots[high]))
        share = 0.0 if b == a else min(max(-a / (b - a), 0.0), 1.0)
        ends.append(float(knots[low]) + share * float(knots[high] - knots[low]))
    return sum(ends) / 2


def _mean(values: Array, weights: Array, parameter: float) -> float:
    return float(weights @ values / weights.sum())


def _log_odds(values: Array, weights: Array) -> float:
    positive = float(weights[values == values.max()].sum() / weights.sum())
    return math.log(positive / (1 - positive))


def _poisson(p: Array, y: float, parameter: float) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p > 0, p - (y * np.log(p) if y else 0.0), np.nan)


LOSS_FUNCTIONS = {
    "squared": LossFunction("Squared", r"\tfrac{1}{2} (p - y)^2", "mean", lambda p, y, _: (p - y) ** 2 / 2, _mean,
                            use="least squares"),
    "absolute": LossFunction("Absolute", r"|p - y|", "median", lambda p, y, _: np.abs(p - y),
                             lambda x, w, _: weighted_quantile(x, 0.5, w), use="robust regression"),
    "huber": LossFunction(
        "Huber", r"\begin{cases} \tfrac{1}{2} (p - y)^2 & |p - y| \le \delta \\ "
        r"\delta |p - y| - \tfrac{1}{2} \delta^2 & \text{else} \end{cases}", "Huber's centre",
        lambda p, y, delta: np.where(np.abs(p - y) <= delta, (p - y) ** 2 / 2, delta * np.abs(p - y) - delta**2 / 2),
        huber_centre, use="regression with a few outliers"),
    "quantile": LossFunction(
        "Quantile", r"\tau \max(0, y - p) + (1 - \tau) \max(0, p - y)", "τ-quantile",
        lambda p, y, tau: np.maximum(tau * (y - p), (1 - tau) * (p - y)),
        lambda x, w, tau: weighted_quantile(x, tau, w), use="stock levels, prediction intervals"),
    "poisson": LossFunction("Poisson", r"p - y \ln p", "mean (its logarithm is what a model fits)", _poisson, _mean,
                            "counts", "counts of events"),
    "logistic": LossFunction("Logistic", r"\ln(1 + e^{-y p})", "log-odds", lambda p, y, _: np.logaddexp(0, -y * p),
                             lambda x, w, _: _log_odds(x, w), "classes", "logistic regression"),
    "hinge": LossFunction(
        "Hinge", r"\max(0, 1 - y p)", "sign of the majority", lambda p, y, _: np.maximum(0, 1 - y * p),
        lambda x, w, _: float(np.sign(_log_odds(x, w))), "classes", "support vector machines"),
    "exponential": LossFunction("Exponential", r"e^{-y p}", "half the log-odds", lambda p, y, _: np.exp(-y * p),
                                lambda x, w, _: _log_odds(x, w) / 2, "classes", "boosting (AdaBoost)"),
}  # fmt: skip
"""Losses by key. Classes are y = ±1."""

LOSS_FAMILIES = {
    "of the error": ("squared", "absolute", "huber", "quantile"),
    "of the margin": ("logistic", "hinge", "exponential"),
    "of counts": ("poisson",),
}
"""Losses that are curves of the same thing."""

_DEVIANCES = "For counts and positive amounts"
_COUNTS = "an estimate is 0 or negative, or a true number is negative"
_POWER = Param("power", 1.5, 1, 3, "Variance as a power of the mean: 1 Poisson, 2 gamma, 3 inverse Gaussian.")
_TAU = Param("tau", 0.5, 0.001, 0.999, "The quantile that is estimated.")


@_loss(name="Poisson deviance", symbol="Poisson",
       formula=r"\frac{2}{n} \sum_i \left( y_i \ln \frac{y_i}{p_i} - y_i + p_i \right)",
       undefined_when=f"{_COUNTS}, or {NO_ROWS}", aliases=("mean Poisson deviance",), reference="mccullagh1989",
       group=_DEVIANCES, help="For counts: an error weighs less where more is expected")  # fmt: skip
def mean_poisson_deviance(state: Estimates) -> float:
    """Mean deviance of counts, whose variance grows with their mean.

    How to read it: for counts, such as claims or visits. Being off by 10 matters a lot at 5 and little at 5,000. The
    mean of the possible outcomes minimises it, as for the squared error. Estimates must be above 0; a true 0 is
    allowed.

    >>> mean_poisson_deviance(Estimates.from_arrays([1, 0], [1, 2]))
    2.0
    """
    return state.mean(estimates.tweedie_deviances(state, 1))


@_loss(name="Gamma deviance", symbol="gamma",
       formula=r"\frac{2}{n} \sum_i \left( \ln \frac{p_i}{y_i} + \frac{y_i}{p_i} - 1 \right)",
       undefined_when=f"a true number or an estimate is 0 or negative, or {NO_ROWS}", aliases=("mean gamma deviance",),
       reference="mccullagh1989", group=_DEVIANCES, help="For positive amounts: relative errors count")  # fmt: skip
def mean_gamma_deviance(state: Estimates) -> float:
    """Mean deviance of positive amounts, whose standard deviation grows with their mean.

    How to read it: for costs or durations. Only the ratio of estimate and truth counts, so a unit changes nothing. An
    estimate too low by a factor costs more than one too high by it.

    >>> mean_gamma_deviance(Estimates.from_arrays([2, 3], [2, 3]))
    0.0
    """
    return state.mean(estimates.tweedie_deviances(state, 2))


@_loss(name="Tweedie deviance", symbol="Tweedie {power}",
       formula=r"\frac{2}{n} \sum_i \left( \frac{y_i^{2-q}}{(1-q)(2-q)} - \frac{y_i\,p_i^{1-q}}{1-q} + "
       r"\frac{p_i^{2-q}}{2-q} \right)",
       undefined_when=f"{_COUNTS} (from a power of 2 on: 0 or negative), or {NO_ROWS}", params=(_POWER,),
       aliases=("mean Tweedie deviance",), reference="jorgensen1987", group=_DEVIANCES,
       help="Between Poisson (1) and gamma (2): amounts that are often exactly 0")  # fmt: skip
def mean_tweedie_deviance(state: Estimates, power: float = 1.5) -> float:
    """Mean deviance where the variance is a power q of the mean.

    How to read it: between 1 and 2 for amounts that are often exactly 0, such as claims per policy. 1 is the Poisson
    deviance, 2 that of the gamma distribution, 3 that of the inverse Gaussian.

    >>> mean_tweedie_deviance(Estimates.from_arrays([1, 0], [1, 4]))
    4.0
    """
    return state.mean(estimates.tweedie_deviances(state, power))


@_explains(name="D² absolute error", symbol="D² absolute",
           formula=r"1 - \frac{\sum_i |p_i - y_i|}{\sum_i |y_i - \operatorname{median}(y)|}", undefined_when=CONSTANT,
           reference="hastie2015", help="Like R², for absolute error; 0 = no better than the median")  # fmt: skip
def d2_absolute_error(state: Estimates) -> float:
    """Share of the absolute deviations of the truth from its median that the estimates explain.

    How to read it: R² for the mean absolute error. 0 is as good as always giving the median of these rows, below 0 is
    worse. Outliers move it less than R².

    >>> d2_absolute_error(Estimates.from_arrays([1, 2, 3], [1, 2, 4]))
    0.5
    """
    return _explained_by("d2_absolute_error", state, estimates.mean_absolute_error(state))


@_explains(name="D² pinball", symbol="D² pinball {tau}",
           formula=r"1 - \frac{\sum_i L_\tau(y_i, p_i)}{\sum_i L_\tau(y_i, Q_\tau(y))}",
           undefined_when=f"{CONSTANT}, or the quantile is that of all rows", params=(_TAU,), reference="koenker1999",
           help="Like R², for the pinball loss")  # fmt: skip
def d2_pinball(state: Estimates, tau: float = 0.5) -> float:
    """Share of the pinball loss of a constant quantile that the estimates explain.

    How to read it: R² for estimates of the τ-quantile. 0 is as good as always giving that quantile of these rows.

    >>> d2_pinball(Estimates.from_arrays([1, 2, 3], [1, 3, 3]))
    0.5
    """
    return _explained_by("d2_pinball", state, estimates.mean_pinball_loss(state, tau), tau=tau)


@_explains(name="D² Tweedie", symbol="D² Tweedie {power}",
           formula=r"1 - \frac{\sum_i d_q(y_i, p_i)}{\sum_i d_q(y_i, \bar y)}",
           undefined_when=f"{CONSTANT}, or the Tweedie deviance is undefined", params=(_POWER,), reference="hastie2015",
           help="Like R², for the Tweedie deviance")  # fmt: skip
def d2_tweedie(state: Estimates, power: float = 1.5) -> float:
    """Share of the Tweedie deviance of the mean that the estimates explain.

    How to read it: R² for counts and positive amounts. 0 is as good as always giving the mean of these rows.

    >>> d2_tweedie(Estimates.from_arrays([1, 2, 4], [1, 2, 4]), power=1)
    1.0
    """
    return _explained_by("d2_tweedie", state, mean_tweedie_deviance(state, power), power=power)


def _constant(state: Estimates, number: float) -> Estimates:
    """Estimates of the same number for every row."""
    return Estimates(state.truth, np.full(len(state), number))


CONSTANT_LOSSES: dict[str, Callable[..., Array]] = {
    "d2_absolute_error": lambda state: estimates.absolute_errors(_constant(state, state.quantile(state.truth))),
    "d2_pinball": lambda state, tau=0.5: pinball_errors(_constant(state, state.quantile(state.truth, tau)), tau),
    "d2_tweedie": lambda state, power=1.5: estimates.tweedie_deviances(_constant(state, state.moments.truth), power),
}
"""Loss of each row for the best constant estimate, by the key of the measure that sets the loss against it."""


def _explained_by(measure: str, state: Estimates, loss: float, **arguments: float) -> float:
    return explained(loss, math.nan if state.is_constant else state.mean(CONSTANT_LOSSES[measure](state, **arguments)))


RELATIVE = "Relative to the size of the numbers"
IN_ORDER = "For rows in time order"
_SEASON = Param("season", 1, 1, 10_000, "Rows after which a season starts again: 12 for months.", whole=True)


@_loss(name="Mean absolute percentage error", symbol="MAPE", formula=r"\frac{1}{n} \sum_i \frac{|p_i - y_i|}{|y_i|}",
       undefined_when="a true number is 0, or there are no rows", percent=True, reference="hyndman2006", group=RELATIVE,
       help="Mean error in percent of the true number")  # fmt: skip
def mean_absolute_percentage_error(state: Estimates) -> float:
    """Mean distance between estimate and truth in percent of the truth.

    How to read it: undefined as soon as one true number is 0, and dominated by the rows with the smallest ones. Where
    all are positive, an estimate that is too low costs at most 100 % and one too high any amount: it favours low ones.

    >>> mean_absolute_percentage_error(Estimates.from_arrays([4, 10], [3, 10]))
    0.125
    """
    return state.mean(estimates.percentage_errors(state))


@_loss(name="Symmetric mean absolute percentage error", symbol="sMAPE",
       formula=r"\frac{1}{n} \sum_i \frac{2\,|p_i - y_i|}{|p_i| + |y_i|}", highest=2,
       undefined_when="truth and estimate of a row are both 0, or there are no rows", percent=True,
       reference="makridakis1993", group=RELATIVE,
       help="Mean error in percent of the mean of truth and estimate, at most 200 %")  # fmt: skip
def symmetric_mean_absolute_percentage_error(state: Estimates) -> float:
    """Mean distance between estimate and truth in percent of the mean size of both.

    How to read it: from 0 to 200 %. Despite its name an estimate too low costs more than one too high by as much. Where
    truth or estimate is 0, any other number costs 200 %.

    >>> symmetric_mean_absolute_percentage_error(Estimates.from_arrays([4, 10], [4, 30]))
    0.5
    """
    return state.mean(estimates.symmetric_percentage_errors(state))


@_loss(name="Mean absolute scaled error", symbol="MASE {season}",
       formula=r"\frac{\frac{1}{n} \sum_i |p_i - y_i|}{\frac{1}{n - m} \sum_{i > m} |y_i - y_{i - m}|}",
       undefined_when="every true number repeats that of one season before, or no row has a season before it",
       params=(_SEASON,), aliases=("MASE",), reference="hyndman2006", interval="none", paired_test="", group=IN_ORDER,
       help="MAE, divided by that of the naive forecast “as one season before”")  # fmt: skip
def mean_absolute_scaled_error(state: Estimates, season: float = 1) -> float:
    """Mean absolute error, divided by that of repeating the true number of one season before.

    How to read it: below 1 the estimates beat the naive forecast. The rows must stand in the order of time. The naive
    forecast is that of these same rows; Hyndman and Koehler take it from the rows that the model was fitted on. With
    weights both errors are weighted means, and a naive forecast has the weight of the row it is for. Rows that belong
    together are a series each: nothing is forecast from another one.

    >>> mean_absolute_scaled_error(Estimates.from_arrays([1, 3, 5], [2, 3, 4]))
    0.3333333333333333
    """
    naive, weights = naive_errors(state, season)
    scale = float(ratio(weights @ naive, weights.sum()))
    return float(ratio(estimates.mean_absolute_error(state), scale)) if scale else math.nan


def naive_errors(state: Estimates, season: float = 1) -> tuple[Array, Array]:
    """|truth − truth one season before| of the rows that have one within their series, and their weights.

    >>> naive_errors(Estimates.from_arrays([1, 5, 3, 9], [0] * 4, clusters=[0, 1, 0, 1]))[0].tolist()
    [2.0, 4.0]
    """
    lag = int(season)
    rows = np.arange(len(state)) if state.clusters is None else np.argsort(state.clusters, kind="stable")
    before, after = rows[:-lag], rows[lag:]
    if state.clusters is not None:
        alike = state.clusters[before] == state.clusters[after]
        before, after = before[alike], after[alike]
    return np.abs(state.truth[after] - state.truth[before]), state.weight[after]
