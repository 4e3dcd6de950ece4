"""The detection error trade-off: both kinds of error against each other, on axes where normal scores are straight."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.rates import fall_out, miss_rate
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array

__all__ = ["DetCurve", "det_curve", "probit"]


@dataclass(frozen=True, eq=False)
class DetCurve:
    """Miss rate against false positive rate.

    Attributes
    ----------
    fall_out, miss_rate : Array, shape (t,)
        From (0, 1) to (1, 0): the first increases, the second decreases.
    fall_out_deviate, miss_rate_deviate : Array, shape (t,)
        The same on probit axes: standard deviations of a normal law. A rate of 0 is −inf and of 1 +inf; such points lie
        outside of every picture.
    thresholds : Array, shape (t,)
        Strictly decreasing, first +inf.
    """

    fall_out: Array
    miss_rate: Array
    fall_out_deviate: Array
    miss_rate_deviate: Array
    thresholds: Array


def det_curve(table: ThresholdTable) -> DetCurve:
    """The detection error trade-off over all thresholds.

    References
    ----------
    A. Martin, G. Doddington, T. Kamm, M. Ordowski, M. Przybocki (1997). The DET curve in assessment of detection task
    performance. Eurospeech, 1895–1898.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> curve = det_curve(ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1], positive=1).table())
    >>> curve.fall_out.tolist(), curve.miss_rate.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [1.0, 0.5, 0.5, 0.0, 0.0])
    >>> curve.fall_out_deviate.tolist()
    [-inf, -inf, 0.0, 0.0, inf]
    """
    alarms, missed = fall_out(table.counts), miss_rate(table.counts)
    return DetCurve(alarms, missed, probit(alarms), probit(missed), table.thresholds)


def probit(shares: npt.ArrayLike) -> Array:
    """How many standard deviations from its mean a normal law has the given share below it.

    Right to 15 digits: the rational functions of Wichura, algorithm AS 241 (PPND16), for whole arrays.

    Parameters
    ----------
    shares : array_like of float in 0 … 1, any shape
        0 gives −inf, 1 gives +inf, anything else outside of the range nan.

    References
    ----------
    M. Wichura (1988). Algorithm AS 241: the percentage points of the normal distribution. Applied Statistics 37,
    477–484. doi:10.2307/2347330

    Examples
    --------
    >>> probit([0.5, 0.975, 0]).round(6).tolist()
    [0.0, 1.959964, -inf]
    """
    p = np.asarray(shares, dtype=np.float64)
    q = p - 0.5
    with np.errstate(divide="ignore", invalid="ignore"):
        r = 0.180625 - q * q
        middle = q * _rational(r, *_MIDDLE)
        tail = np.sqrt(-np.log(np.where(q < 0, p, 1 - p)))
        far = np.copysign(np.where(tail <= 5, _rational(tail - 1.6, *_NEAR), _rational(tail - 5, *_FAR)), q)
    deviates = np.where(np.abs(q) <= 0.425, middle, far)
    deviates = np.where(np.isposinf(tail), np.copysign(np.inf, q), deviates)
    return np.where((p >= 0) & (p <= 1), deviates, np.nan)


def _rational(x: Array, above: tuple[float, ...], below: tuple[float, ...]) -> Array:
    return np.polyval(above, x) / np.polyval(below, x)


_MIDDLE = (
    (2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
     1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0),
    (5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
     5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0),
)  # fmt: skip
_NEAR = (
    (7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
     3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0),
    (1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
     6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1.0),
)  # fmt: skip
_FAR = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
     2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0),
    (2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
     1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0),
)  # fmt: skip
"""Coefficients of the algorithm, highest power first."""
