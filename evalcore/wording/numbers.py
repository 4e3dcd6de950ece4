"""Formats of numbers: percent with one decimal, thin separators, differences with a sign, undefined in words."""

import math
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from evalcore.registry import MetricDef

__all__ = ["LOSS_DECIMALS", "THIN", "UNDEFINED", "age_text", "alarms_text", "apart_text", "bounds_text", "cost_text"]
__all__ += ["count_text", "difference_text", "latex", "latex_count", "latex_term", "latex_value", "level_text"]
__all__ += ["loss_text", "many_text", "number_text", "outcome_word", "p_cell", "p_text", "points_text"]
__all__ += ["range_text", "ratio_text", "rows_text", "share_text", "signed", "signed_number", "threshold_text"]
__all__ += ["value_text"]

THIN = "\N{NARROW NO-BREAK SPACE}"
UNDEFINED = "undefined"
_OUTCOMES = {"tp": "found", "fn": "missed", "fp": "false alarms", "tn": "dismissed"}
_CERTAIN = 12  # digits of a number that its rounding errors leave: what is written is rounded once, from these
LOSS_DECIMALS = 12
"""Far more than a table of rows can tell apart, and fewer than a logarithm of 1 − δ has by default."""


def count_text(value: float) -> str:
    """Format a number of rows, with thousands separated; sums of weights have two decimals, or two digits if small."""
    if not math.isfinite(value):
        return "∞" if value > 0 else UNDEFINED
    if 0 < abs(value) < 0.1:
        return f"{value:.2g}".replace("-", "−")
    # A sum of weights may miss the whole number it is by rounding. Adding 0 turns −0 into 0.
    whole = abs(value - round(value)) <= 1e-12 * max(abs(value), 1.0)
    return (f"{round(value) + 0.0:,.0f}" if whole else f"{value:,.2f}").replace("-", "−").replace(",", THIN)


def many_text(count: float, one: str) -> str:
    """A number of things in words.

    >>> many_text(1, "more group"), many_text(12, "more group")
    ('1 more group', '12 more groups')
    """
    return f"{count_text(count)} {one}{'' if count == 1 else 's'}"


def rows_text(count: float) -> str:
    """A number of rows in words: "1 row", "12 rows"."""
    return many_text(count, "row")


def share_text(value: float) -> str:
    """Format a share of rows in percent with one decimal; with more if it would wrongly read 0 % or 100 %."""
    if math.isnan(value):
        return UNDEFINED
    value, decimals = round(value, LOSS_DECIMALS) + 0.0, 1
    while decimals < 6 and round(100 * value, decimals) in (0, 100) and value not in (0, 1):
        decimals += 1
    return f"{100 * value:.{decimals}f}{THIN}%".replace("-", "−")


def level_text(level: float) -> str:
    """Format a confidence level, or any round share, in percent with as few digits as it has: 95 %, 0.5 %."""
    return f"{100 * level:g}{THIN}%"


def number_text(value: float, digits: int = 3) -> str:
    """Format a number that is no share: three decimals if it is small, fewer digits if it is large."""
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    value = float(f"{value:.{_CERTAIN}g}")
    size = abs(value)
    if size and (size >= 1e7 or size < 10**-digits):
        return f"{value:.{digits}g}".replace("-", "−")
    decimals = digits if size < 2 else max(digits - 1 - int(math.log10(size)), 0)
    return f"{value + 0.0:,.{decimals}f}".replace("-", "−").replace(",", THIN)


def loss_text(value: float) -> str:
    """Format a loss of a row or of all; residues of rounding or clipping are 0."""
    return number_text(round(value, LOSS_DECIMALS))


def threshold_text(value: float) -> str:
    """Format a threshold with as few digits as distinguish it, at most six."""
    return ("∞" if value > 0 else "−∞") if math.isinf(value) else f"{value + 0.0:.6g}".replace("-", "−")


def cost_text(value: float) -> str:
    """A cost in three digits."""
    return threshold_text(float(f"{value:.3g}"))


def alarms_text(value: float) -> str:
    """A cost in false alarms: "1 false alarm", "3.2 false alarms"."""
    text = cost_text(value)
    return f"{text} false alarm{'' if text == '1' else 's'}"


def ratio_text(ratio: float) -> str:
    """A cost ratio: "5 : 1", "1 : 20"."""
    return f"{ratio:.3g} : 1" if ratio >= 1 else f"1 : {1 / ratio:.3g}"


def value_text(measure: MetricDef, value: float) -> str:
    """The value of a measure: in percent if it is a share of rows or a mean of shares, else a number; residues as 0."""
    return share_text(value) if measure.percent else loss_text(value)


def outcome_word(outcome: str, count: float) -> str:
    """Count the rows of an outcome in words: "39 missed", "1 false alarm"."""
    return _OUTCOMES[outcome].removesuffix("s") if outcome == "fp" and count == 1 else _OUTCOMES[outcome]


def points_text(value: float) -> str:
    """A difference of shares in percentage points."""
    return UNDEFINED if math.isnan(value) else f"{100 * value + 0.0:.1f}".replace("-", "−") + f"{THIN}pt"


def signed(written: Callable[[float], str]) -> Callable[[float], str]:
    """Return a formatter that puts a plus before positive numbers."""
    return lambda value: f"+{written(value)}" if value > 0 else written(value)


def signed_number(value: float, decimals: int = 3) -> str:
    """Format a difference with its sign, after rounding: one that rounds to 0 has no sign."""
    return signed(lambda rounded: number_text(rounded, decimals))(round(value, decimals))


def p_text(value: float) -> str:
    """A p-value: "p = 0.004", "p < 0.001", "p = 1", "not tested"."""
    if math.isnan(value):
        return "not tested"
    if value < 0.001:
        return "p < 0.001"
    return "p = 1" if value > 0.9995 else f"p = {value:.3f}"


def p_cell(value: float) -> str:
    """A p-value in a column whose heading says p: "0.004", "< 0.001"."""
    return p_text(value).removeprefix("p ").removeprefix("= ")


def age_text(seconds: float) -> str:
    """Say how long ago something was: "just now", "1 minute ago", "2 hours ago"."""
    for length, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"


def difference_text(measure: MetricDef, value: float, width: float = math.nan) -> str:
    """A difference with its sign: in percentage points where the measure is a share, else as a number.

    A narrow interval, given by its width, is worth more decimals: "+3.1 pt", "−0.050", but "+0.031 pt" of a width of
    0.02 pt.
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


def apart_text(write: Callable[[float], str], value: float, before: float) -> str:
    """The difference of two numbers beside which it stands, taken of them as they are written; shares in points.

    >>> apart_text(number_text, 0.9386, 0.9314), apart_text(number_text, 0.9314, 0.9386), apart_text(share_text, 1, 1)
    ('+0.008', '−0.008', '0.0\u202fpt')
    """
    texts = [write(each).replace(THIN, "").replace("−", "-") for each in (value, before)]
    try:
        apart = Decimal(texts[0].removesuffix("%")) - Decimal(texts[1].removesuffix("%"))
    except InvalidOperation:  # one of them is undefined or infinite
        return UNDEFINED
    written = f"{apart:+,f}" if apart else f"{apart.copy_abs():f}"
    return written.replace("-", "−").replace(",", THIN) + f"{THIN}pt" * texts[0].endswith("%")


def bounds_text(measure: MetricDef, low: float, high: float) -> str:
    """Format two bounds of a difference, such as "+1.0 to +6.0"; the difference itself has the unit."""
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return range_text(*(difference_text(measure, end, high - low) for end in (low, high)), unit=False)


def range_text(low: str, high: str, *, unit: bool = True) -> str:
    """An interval from its written ends: the unit once, and "to" where an end has a sign.

    >>> range_text("82.6\u202f%", "91.5\u202f%"), range_text("−0.093", "−0.066")
    ('82.6–91.5\u202f%', '−0.093 to −0.066')
    """
    for sign in (f"{THIN}%", f"{THIN}pt"):
        if low.endswith(sign) and high.endswith(sign):
            low, high = low.removesuffix(sign), high.removesuffix(sign) + sign * unit
    return f"{low} to {high}" if low[:1] in "+−" or high[:1] in "+−" else f"{low}–{high}"


def latex(written: str) -> str:
    """A number as it is written on the page, in a formula."""
    written = re.sub(r"e([+−-]?)0*(\d+)", r"\\cdot 10^{\1\2}", written).replace("{+", "{")
    written = written.replace(UNDEFINED, rf"\text{{{UNDEFINED}}}")
    return written.replace(THIN, r"\,").replace("%", r"\%").replace("∞", r"\infty").replace("−", "-")


def latex_count(value: float) -> str:
    """A count or a parameter."""
    return latex(count_text(value) if float(value).is_integer() else f"{value:g}")


def latex_term(value: float) -> str:
    """Format a number of a formula with enough digits that a pocket calculator gives the same result."""
    return latex(threshold_text(value)) if not math.isnan(value) else latex(UNDEFINED)


def latex_value(measure: MetricDef, value: float) -> str:
    """The value of a measure, with the reason where it is undefined."""
    if math.isnan(value):
        return rf"\text{{{UNDEFINED}: {measure.undefined_when}}}"
    return latex(value_text(measure, value))
