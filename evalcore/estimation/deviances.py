"""Deviances of counts and of positive amounts, and the shares of a deviance that estimates take away."""

import math

import numpy as np

from evalcore.estimation.agreement import CONSTANT, EXPLAINED
from evalcore.estimation.errors import NO_ROWS, mean_absolute_error, mean_pinball_loss
from evalcore.estimation.estimates import Estimates
from evalcore.estimation.row_errors import pinball_errors, tweedie_deviances
from evalcore.numeric import Array, ratio
from evalcore.registry import Param, metric

__all__ = ["CONSTANT_LOSSES", "d2_absolute_error", "d2_pinball", "d2_tweedie", "mean_gamma_deviance"]
__all__ += ["mean_poisson_deviance", "mean_tweedie_deviance"]

_DEVIANCES = "For counts and positive amounts"
_COUNTS = "an estimate is 0 or negative, or a true number is negative"
_POWER = Param("power", 1.5, 1, 3, "Variance as a power of the mean: 1 Poisson, 2 gamma, 3 inverse Gaussian.")
_TAU = Param("tau", 0.5, 0.001, 0.999, "The quantile that is estimated.")


@metric(
    name="Poisson deviance", symbol="Poisson", family="estimates",
    formula=r"\frac{2}{n} \sum_i \left( y_i \ln \frac{y_i}{p_i} - y_i + p_i \right)", highest=math.inf, best=0,
    undefined_when=f"{_COUNTS}, or {NO_ROWS}", aliases=("mean Poisson deviance",), reference="mccullagh1989",
    interval="mean", paired_test="influence", group=_DEVIANCES,
    help="For counts: an error weighs less where more is expected",
)  # fmt: skip
def mean_poisson_deviance(state: Estimates) -> float:
    """Mean deviance of counts, whose variance grows with their mean.

    How to read it: for counts, such as claims or visits. Being off by 10 matters a lot at 5 and little at 5,000. The
    mean of the possible outcomes minimises it, as for the squared error. Estimates must be above 0; a true 0 is
    allowed.

    >>> mean_poisson_deviance(Estimates.from_arrays([1, 0], [1, 2]))
    2.0
    """
    return state.mean(tweedie_deviances(state, 1))


@metric(
    name="Gamma deviance", symbol="gamma", family="estimates",
    formula=r"\frac{2}{n} \sum_i \left( \ln \frac{p_i}{y_i} + \frac{y_i}{p_i} - 1 \right)", highest=math.inf, best=0,
    undefined_when=f"a true number or an estimate is 0 or negative, or {NO_ROWS}", aliases=("mean gamma deviance",),
    reference="mccullagh1989", interval="mean", paired_test="influence", group=_DEVIANCES,
    help="For positive amounts: relative errors count",
)  # fmt: skip
def mean_gamma_deviance(state: Estimates) -> float:
    """Mean deviance of positive amounts, whose standard deviation grows with their mean.

    How to read it: for costs or durations. Only the ratio of estimate and truth counts, so a unit changes nothing. An
    estimate too low by a factor costs more than one too high by it.

    >>> mean_gamma_deviance(Estimates.from_arrays([2, 3], [2, 3]))
    0.0
    """
    return state.mean(tweedie_deviances(state, 2))


@metric(
    name="Tweedie deviance", symbol="Tweedie {power}", family="estimates",
    formula=r"\frac{2}{n} \sum_i \left( \frac{y_i^{2-q}}{(1-q)(2-q)} - \frac{y_i\,p_i^{1-q}}{1-q} + "
    r"\frac{p_i^{2-q}}{2-q} \right)", highest=math.inf, best=0,
    undefined_when=f"{_COUNTS} (from a power of 2 on: 0 or negative), or {NO_ROWS}", params=(_POWER,),
    aliases=("mean Tweedie deviance",), reference="jorgensen1987", interval="mean", paired_test="influence",
    group=_DEVIANCES, help="Between Poisson (1) and gamma (2): amounts that are often exactly 0",
)  # fmt: skip
def mean_tweedie_deviance(state: Estimates, power: float = 1.5) -> float:
    """Mean deviance where the variance is a power q of the mean.

    How to read it: between 1 and 2 for amounts that are often exactly 0, such as claims per policy. 1 is the Poisson
    deviance, 2 that of the gamma distribution, 3 that of the inverse Gaussian.

    >>> mean_tweedie_deviance(Estimates.from_arrays([1, 0], [1, 4]))
    4.0
    """
    return state.mean(tweedie_deviances(state, power))


@metric(
    name="D² absolute error", symbol="D² absolute", family="estimates",
    formula=r"1 - \frac{\sum_i |p_i - y_i|}{\sum_i |y_i - \operatorname{median}(y)|}", lowest=-math.inf, best=1,
    undefined_when=CONSTANT, reference="hastie2015", interval="ratio", paired_test="influence", group=EXPLAINED,
    help="As R², for the absolute error: 0 is as good as always the median",
)  # fmt: skip
def d2_absolute_error(state: Estimates) -> float:
    """Share of the absolute deviations of the truth from its median that the estimates explain.

    How to read it: R² for the mean absolute error. 0 is as good as always giving the median of these rows, below 0 is
    worse. Outliers move it less than R².

    >>> d2_absolute_error(Estimates.from_arrays([1, 2, 3], [1, 2, 4]))
    0.5
    """
    return _explained(state, mean_absolute_error(state), CONSTANT_LOSSES["d2_absolute_error"])


@metric(
    name="D² pinball", symbol="D² pinball {tau}", family="estimates",
    formula=r"1 - \frac{\sum_i L_\tau(y_i, p_i)}{\sum_i L_\tau(y_i, Q_\tau(y))}", lowest=-math.inf, best=1,
    undefined_when=f"{CONSTANT}, or the quantile is that of all rows", params=(_TAU,), reference="koenker1999",
    interval="ratio", paired_test="influence", group=EXPLAINED, help="As R², for the pinball loss",
)  # fmt: skip
def d2_pinball(state: Estimates, tau: float = 0.5) -> float:
    """Share of the pinball loss of a constant quantile that the estimates explain.

    How to read it: R² for estimates of the τ-quantile. 0 is as good as always giving that quantile of these rows.

    >>> d2_pinball(Estimates.from_arrays([1, 2, 3], [1, 3, 3]))
    0.5
    """
    return _explained(state, mean_pinball_loss(state, tau), CONSTANT_LOSSES["d2_pinball"], tau=tau)


@metric(
    name="D² Tweedie", symbol="D² Tweedie {power}", family="estimates",
    formula=r"1 - \frac{\sum_i d_q(y_i, p_i)}{\sum_i d_q(y_i, \bar y)}", lowest=-math.inf, best=1,
    undefined_when=f"{CONSTANT}, or the Tweedie deviance is undefined", params=(_POWER,), reference="hastie2015",
    interval="ratio", paired_test="influence", group=EXPLAINED, help="As R², for the Tweedie deviance",
)  # fmt: skip
def d2_tweedie(state: Estimates, power: float = 1.5) -> float:
    """Share of the Tweedie deviance of the mean that the estimates explain.

    How to read it: R² for counts and positive amounts. 0 is as good as always giving the mean of these rows.

    >>> d2_tweedie(Estimates.from_arrays([1, 2, 4], [1, 2, 4]), power=1)
    1.0
    """
    return _explained(state, mean_tweedie_deviance(state, power), CONSTANT_LOSSES["d2_tweedie"], power=power)


def _of_median(state: Estimates) -> Array:
    return np.abs(state.truth - state.quantile(state.truth))


def _of_quantile(state: Estimates, tau: float = 0.5) -> Array:
    constant = np.full(len(state), state.quantile(state.truth, tau))
    return pinball_errors(Estimates(state.truth, constant), tau)


def _of_mean(state: Estimates, power: float = 1.5) -> Array:
    return tweedie_deviances(Estimates(state.truth, np.full(len(state), state.moments.truth)), power)


CONSTANT_LOSSES = {"d2_absolute_error": _of_median, "d2_pinball": _of_quantile, "d2_tweedie": _of_mean}
"""What each row costs the best constant estimate, by the key of the measure that sets the loss against it."""


def _explained(state: Estimates, loss: float, constant, **arguments: float) -> float:
    whole = math.nan if state.is_constant else state.mean(constant(state, **arguments))
    return 1 - float(ratio(loss, whole)) if whole > 0 else math.nan
