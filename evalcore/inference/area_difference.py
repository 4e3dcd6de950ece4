"""How far two areas under ROC curves of the same clusters may lie apart."""

import numpy as np

from evalcore.numeric import Array

__all__: list[str] = []

_ANGLES, _ROUNDS, _NARROWER = np.linspace(-1.0, 1.0, 129), 6, 1 / 32


def area_difference_bounds(areas: Array, covariance: Array, quantile: float, least: float) -> tuple[float, float]:
    """Least and greatest difference of two areas, second minus first, that their logits leave open.

    The logits of both areas are taken as jointly normal. The bounds are those of the difference over all pairs of areas
    whose logits lie within so many standard errors of the estimates: the profile interval. Unlike the interval around
    the difference itself it reaches farther where the areas may be farther from 0 and 1 than they look, as where few
    clusters make most of the difference.

    Parameters
    ----------
    areas, covariance : Array, shape (2,) and (2, 2)
    quantile : float
        Half width of the interval in standard errors.
    least : float
        Areas closer to 0 or 1 are taken as this far from it.

    References
    ----------
    D. Venzon, S. Moolgavkar (1988). A method for computing profile-likelihood-based confidence intervals. Applied
    Statistics 37, 87–94. doi:10.2307/2347496

    M. Pepe (2003), as `delong`.

    Examples
    --------
    >>> areas, covariance = np.array([0.98, 0.94]), np.array([[4.0, 5.0], [5.0, 9.0]]) * 1e-4
    >>> [round(bound, 3) for bound in area_difference_bounds(areas, covariance, 1.96, 0.001)]
    [-0.09, 0.012]
    """
    estimates = np.clip(areas, least, 1 - least)
    logits = np.log(estimates / (1 - estimates))
    slopes = 1 / (estimates * (1 - estimates))
    values, vectors = np.linalg.eigh(covariance * np.outer(slopes, slopes))
    axes = quantile * vectors * np.sqrt(np.maximum(values, 0.0))

    def differences(angles: Array) -> Array:
        first, second = logits[:, None] + axes @ np.array([np.cos(angles), np.sin(angles)])
        return 1 / (1 + np.exp(-second)) - 1 / (1 + np.exp(-first))

    def greatest(sign: float) -> float:
        angle, reach = 0.0, np.pi
        for _ in range(_ROUNDS):
            angles = angle + reach * _ANGLES
            angle, reach = float(angles[np.argmax(sign * differences(angles))]), reach * _NARROWER
        return float(differences(np.array([angle]))[0])

    return greatest(-1.0), greatest(1.0)
