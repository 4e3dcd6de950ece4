"""How a difference of two systems is written: with its sign, its interval and its p-value."""

import math

from evalcore.registry import MetricDef
from evalcore.wording.numbers import THIN, number_text, signed

__all__ = ["bounds_text", "difference_text"]


def difference_text(measure: MetricDef, value: float, width: float = math.nan) -> str:
    """A difference with its sign: in percentage points where the measure is a share, else as a number.

    Parameters
    ----------
    measure : MetricDef
    value : float
    width : float
        Of its interval: a narrow one is worth more decimals.

    Examples
    --------
    >>> from evalcore import find
    >>> difference_text(find("recall"), 0.031), difference_text(find("MCC"), -0.05)
    ('+3.1\\u202fpt', '−0.050')
    >>> difference_text(find("recall"), 0.00031, width=0.0002)
    '+0.031\\u202fpt'
    """
    if math.isnan(value) or math.isinf(value) or (abs(value) >= 2 and not measure.percent):
        return signed(number_text)(value)
    scale, least, unit = (100, 1, f"{THIN}pt") if measure.percent else (1, 3, "")
    decimals = least
    if 0 < scale * width < 10 ** (1 - least):
        decimals = min(1 - math.floor(math.log10(scale * width)), 8)
    written = f"{scale * value:+.{decimals}f}"
    if not float(written):
        written = written[1:]
    return written.replace("-", "−") + unit


def bounds_text(measure: MetricDef, low: float, high: float) -> str:
    """Two bounds of a difference: "+1.0 to +6.0"; the unit stands at the difference itself.

    Examples
    --------
    >>> from evalcore import find
    >>> bounds_text(find("recall"), -0.01, 0.06), bounds_text(find("recall"), float("nan"), float("nan"))
    ('−1.0 to +6.0', 'no interval')
    """
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return " to ".join(difference_text(measure, end, high - low).removesuffix(f"{THIN}pt") for end in (low, high))
