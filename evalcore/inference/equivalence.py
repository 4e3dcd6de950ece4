"""One-sided tests of a difference against a limit: the parts of tests of non-inferiority and equivalence."""

import math

from evalcore.inference.comparison import Comparison

__all__ = ["one_sided_p"]

_FARTHEST = 7.0
"""Standard errors beyond which a p-value, then below 1e-12, is not told apart."""
_HALVINGS = 40


def one_sided_p(compared: Comparison, limit: float, above: bool = True) -> float:
    """p of the hypothesis that the true difference is not above (or not below) a limit.

    It is half of what is left of the level at which the interval of the comparison meets the limit, so test and
    interval never disagree: p is below 0.025 exactly where the 95 % interval stays on the asked side.

    Parameters
    ----------
    compared : Comparison
        Of two systems, by any method.
    limit : float
        In the unit of the estimate.
    above : bool
        Whether the difference is asked to be above the limit, or below it.

    Returns
    -------
    float
        nan where nothing was tested or there is no interval.

    References
    ----------
    D. Schuirmann (1987). A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15, 657–680.
    doi:10.1007/BF01068419

    Examples
    --------
    >>> from evalcore.inference import paired_t
    >>> compared = paired_t([0.2, 0.4, 0.5, 0.3], [0.3, 0.4, 0.7, 0.5])
    >>> round(one_sided_p(compared, 0.0), 4), round(compared.p_value / 2, 4)
    (0.0398, 0.0398)
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
