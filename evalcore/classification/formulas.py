"""Formulas of the 2×2 table with the numbers of a table in the place of their letters."""

import re
from collections.abc import Callable

from evalcore.classification.counts import ConfusionCounts
from evalcore.registry import METRICS, MetricDef

__all__ = ["filled_formula"]

_TOKEN = re.compile(r"\\beta|\\,|\\[A-Za-z]+|c_\{[A-Z]{2}\}|p_t|F_\\beta|[A-Za-z]+(?:_[a-z])?")
_SUMS = {"P": "actual_positives", "N": "actual_negatives", "T": "predicted_positives", "F": "predicted_negatives"}


def filled_formula(
    measure: MetricDef,
    counts: ConfusionCounts,
    number: Callable[[float], str] = "{:g}".format,
    value: Callable[[MetricDef, float], str] = lambda _, x: f"{x:.4g}",
) -> str:
    """The LaTeX formula of a measure of counts with every letter replaced by its number.

    Parameters
    ----------
    measure : MetricDef
        Of the family "counts", with its parameters set.
    counts : ConfusionCounts
        Of shape ().
    number : callable
        Writes a count or a parameter.
    value : callable
        Writes the value of a measure that stands in the formula of another.

    Examples
    --------
    >>> from evalcore import find
    >>> filled_formula(find("precision"), ConfusionCounts(tp=20, fp=180, fn=10, tn=1820))
    '\\\\frac{20}{20 + 180}'
    """
    cells = {"TP": counts.tp, "FP": counts.fp, "FN": counts.fn, "TN": counts.tn, "n": counts.total}
    cells |= {letter: getattr(counts, name) for letter, name in _SUMS.items()}
    others = {m.symbol: m for m in METRICS.values() if m.family == "counts"}
    arguments = {p.name: float(measure.arguments.get(p.name, p.default)) for p in measure.params}

    def replaced(match: re.Match[str]) -> str:
        token = match[0]
        if token in cells:
            return number(float(cells[token]))
        if token in others:
            return value(others[token], float(others[token](counts)))
        if token == r"\beta":
            return number(arguments["beta"])
        if token == r"F_\beta":
            f = METRICS["f_beta"].with_params(**arguments)
            return value(f, float(f(counts)))
        if token == "p_t":
            return number(arguments["probability"])
        if token.startswith("c_{"):
            return number(arguments[f"{token[3:5].lower()}_cost"])
        return r"\cdot " if token == r"\," else token

    return _TOKEN.sub(replaced, measure.formula)
