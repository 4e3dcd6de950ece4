"""How a count is written, in figures and tables as in the sentences of the readers: one way everywhere."""

import math

THIN = "\N{NARROW NO-BREAK SPACE}"
UNDEFINED = "undefined"


def count_text(value: float) -> str:
    """A number of rows, thousands apart; sums of weights keep two decimals, or two digits where they are small.

    Examples
    --------
    >>> count_text(1820), count_text(12.5)
    ('1\\u202f820', '12.50')
    """
    if not math.isfinite(value):
        return "∞" if value > 0 else UNDEFINED
    if 0 < abs(value) < 0.1:
        return f"{value:.2g}".replace("-", "−")
    # Adding 0 turns −0 into 0.
    written = f"{value + 0.0:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
    return written.replace("-", "−").replace(",", THIN)
