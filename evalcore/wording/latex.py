"""Numbers as they stand in a formula."""

import math
import re

from evalcore.registry import MetricDef
from evalcore.wording.numbers import THIN, UNDEFINED, count_text, value_text

__all__ = ["latex", "latex_count", "latex_value"]


def latex(written: str) -> str:
    r"""A number as it is written on the page, in a formula.

    >>> latex("66.7 %"), latex("∞")
    ('66.7 \\%', '\\infty')
    """
    written = re.sub(r"e([+−-]?)0*(\d+)", r"\\cdot 10^{\1\2}", written).replace("{+", "{")
    written = written.replace(UNDEFINED, rf"\text{{{UNDEFINED}}}")
    return written.replace(THIN, r"\,").replace("%", r"\%").replace("∞", r"\infty").replace("−", "-")


def latex_count(value: float) -> str:
    """A count or a parameter."""
    return latex(count_text(value) if float(value).is_integer() else f"{value:g}")


def latex_value(measure: MetricDef, value: float) -> str:
    """The value of a measure, with the reason where it is undefined."""
    if math.isnan(value):
        return rf"\text{{{UNDEFINED}: {measure.undefined_when}}}"
    return latex(value_text(measure, value))
