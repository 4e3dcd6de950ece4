"""Numbers inside a formula."""

import re

from evalcore.wording.numbers import THIN, UNDEFINED, count_text

__all__ = ["latex", "latex_count"]


def latex_count(value: float) -> str:
    """A count, or a parameter.

    >>> latex_count(1200), latex_count(0.5)
    ('1\\\\,200', '0.5')
    """
    return latex(count_text(value) if float(value).is_integer() else f"{value:g}")


def latex(written: str) -> str:
    """A number as it is written on the page, in a formula."""
    written = re.sub(r"e([+−-]?)0*(\d+)", r"\\cdot 10^{\1\2}", written).replace("{+", "{")
    written = written.replace(UNDEFINED, rf"\text{{{UNDEFINED}}}")
    return written.replace(THIN, r"\,").replace("%", r"\%").replace("∞", r"\infty").replace("−", "-")
