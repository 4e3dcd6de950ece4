"""How a count is written, in figures and tables as in the sentences of the readers: one way everywhere."""

import math

THIN = "\N{NARROW NO-BREAK SPACE}"
UNDEFINED = "undefined"


def count_text(value: float) -> str:
    """A number of rows, thousands apart; sums of weights keep two decimals, or two digits where they are small.

    Examples
    --------
    >>> count_text(1820), count_text(12.5), count_text(sum([0.1] * 10))
    ('1\\u202f820', '12.50', '1')
    """
    if not math.isfinite(value):
        return "∞" if value > 0 else UNDEFINED
    if 0 < abs(value) < 0.1:
        return f"{value:.2g}".replace("-", "−")
    # A sum of weights may miss the whole number it is by rounding. Adding 0 turns −0 into 0.
    whole = abs(value - round(value)) <= 1e-12 * max(abs(value), 1.0)
    written = f"{round(value) + 0.0:,.0f}" if whole else f"{value:,.2f}"
    return written.replace("-", "−").replace(",", THIN)
