"""How a loss is written: what rounding or clipping alone leaves of nothing is nothing."""

from evalcore.figures.numbers import number_text

DECIMALS = 12
"""Far more than a table of rows can tell apart, and fewer than a logarithm of 1 − δ has by default."""


def loss_text(value: float) -> str:
    """A loss as it is shown.

    Examples
    --------
    >>> loss_text(9.99e-16), loss_text(0.25), loss_text(float("inf"))
    ('0.000', '0.250', '∞')
    """
    return number_text(round(value, DECIMALS))
