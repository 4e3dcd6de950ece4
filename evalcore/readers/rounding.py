"""How far sums of rounded numbers may be off."""

import numpy as np

from evalcore.numeric import Array

# Numbers with more decimals were written in full.
_MOST_DECIMALS = 6
_HEAD = 1_000


def rounding_of(numbers: Array, terms: int) -> float:
    """How far a sum of so many of these numbers may be off, because they are rounded; 0 if they were written in full.

    >>> numbers = np.array([[0.33, 0.67], [0.5, 0.51]])
    >>> round(rounding_of(numbers, 2), 6), rounding_of(numbers / 3, 2), rounding_of(np.array([0.25, 1e308]), 1)
    (0.01, 0.0, 0.0)
    """
    numbers = np.ravel(numbers)
    numbers = numbers[np.isfinite(numbers)]
    for decimals in range(_MOST_DECIMALS + 1):
        parts = (numbers[:_HEAD], numbers) if len(numbers) > _HEAD else (numbers,)
        with np.errstate(over="ignore"):  # huge numbers are rounded to infinity
            written = all((np.abs(np.round(part, decimals) - part) <= 1e-9 * 10.0**-decimals).all() for part in parts)
        if written:
            return terms * 0.5 * 10.0**-decimals * (1 + 1e-6)
    return 0.0
