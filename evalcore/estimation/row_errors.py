"""What each row costs by the losses whose mean is a measure."""

from collections.abc import Callable

import numpy as np

from evalcore.estimation.estimates import Estimates
from evalcore.numeric import Array, over_rows, relative_deviance

__all__ = ["ROW_LOSSES", "absolute_errors", "percentage_errors", "pinball_errors", "squared_errors"]
__all__ += ["symmetric_percentage_errors", "tweedie_deviances"]


def squared_errors(state: Estimates) -> Array:
    """(estimate − truth)² of each row, shape (n,).

    >>> squared_errors(Estimates.from_arrays([1, 2], [3, 2])).tolist()
    [4.0, 0.0]
    """
    return np.square(state.error)


def absolute_errors(state: Estimates) -> Array:
    """|estimate − truth| of each row, shape (n,).

    >>> absolute_errors(Estimates.from_arrays([1, 2], [3, 1.5])).tolist()
    [2.0, 0.5]
    """
    return np.abs(state.error)


def percentage_errors(state: Estimates) -> Array:
    """|estimate − truth| as a share of |truth|, shape (n,); nan where the truth is 0.

    >>> percentage_errors(Estimates.from_arrays([4, 0], [3, 1])).tolist()
    [0.25, nan]
    """
    with np.errstate(over="ignore"):
        return np.divide(np.abs(state.error), np.abs(state.truth), np.full(len(state), np.nan), where=state.truth != 0)


def symmetric_percentage_errors(state: Estimates) -> Array:
    """|estimate − truth| as a share of the mean of |estimate| and |truth|, shape (n,); nan where both are 0.

    >>> symmetric_percentage_errors(Estimates.from_arrays([4, 0], [4, 1])).tolist()
    [0.0, 2.0]
    """
    size = (np.abs(state.truth) + np.abs(state.estimate)) / 2
    return np.divide(np.abs(state.error), size, np.full(len(state), np.nan), where=size != 0)


def pinball_errors(state: Estimates, tau: float = 0.5) -> Array:
    """Pinball loss of each row, shape (n,): τ per unit too low, 1 − τ per unit too high.

    >>> pinball_errors(Estimates.from_arrays([5, 5], [3, 7]), tau=0.75).tolist()
    [1.5, 0.5]
    """
    return np.maximum(-tau * state.error, (1 - tau) * state.error)


def tweedie_deviances(state: Estimates, power: float = 1.5) -> Array:
    """Unit deviance of each row, shape (n,): 1 is Poisson's, 2 that of the gamma distribution.

    nan where a number is outside its domain: estimates must be above 0, and true numbers too from a power of 2 on;
    below it they may be 0.

    >>> tweedie_deviances(Estimates.from_arrays([1, 0], [1, 2]), power=1).tolist()
    [0.0, 4.0]
    """

    def of_rows(rows: slice) -> Array:
        y, p = state.truth[rows], state.estimate[rows]
        allowed = (p > 0) & (y > 0 if power >= 2 else y >= 0)
        y, p = np.where(allowed, y, np.nan), np.where(allowed, p, np.nan)
        with np.errstate(over="ignore", invalid="ignore"):
            return 2 * np.power(p, 2 - power) * relative_deviance(y / p, (y - p) / p, power)

    return over_rows(of_rows, len(state))


ROW_LOSSES: dict[str, Callable[..., Array]] = {
    "mean_squared_error": squared_errors,
    "mean_absolute_error": absolute_errors,
    "mean_error": lambda state: state.error,
    "mean_absolute_percentage_error": percentage_errors,
    "symmetric_mean_absolute_percentage_error": symmetric_percentage_errors,
    "mean_pinball_loss": pinball_errors,
    "mean_poisson_deviance": lambda state: tweedie_deviances(state, 1),
    "mean_gamma_deviance": lambda state: tweedie_deviances(state, 2),
    "mean_tweedie_deviance": tweedie_deviances,
}
"""The loss of each row by the key of the measure that is its mean."""
