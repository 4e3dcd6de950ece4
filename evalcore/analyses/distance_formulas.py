"""The formulas of the distances of two distributions with the numbers of the open ones in them."""

import math
from collections.abc import Callable

import numpy as np

from evalcore.analyses.distribution_comparison import DistributionComparison
from evalcore.estimation import terms_of
from evalcore.registry import MetricDef
from evalcore.wording import UNDEFINED, latex, latex_count, latex_term, measure_markdown, number_text

__all__ = ["distance_formulas"]

_TERMS = 3
"""Bins whose terms are written out."""

_WRITTEN: dict[str, Callable[[str, str], str]] = {
    "entropy": lambda p, q: rf"-{p} \ln {p}",
    "cross_entropy": lambda p, q: rf"-{p} \ln {q}",
    "kl_divergence": lambda p, q: rf"{p} \ln \tfrac{{{p}}}{{{q}}}",
    "reverse_kl_divergence": lambda p, q: rf"{q} \ln \tfrac{{{q}}}{{{p}}}",
    "total_variation": lambda p, q: f"|{p} - {q}|",
    "hellinger_distance": lambda p, q: rf"(\sqrt{{{p}}} - \sqrt{{{q}}})^2",
    "chi_square_divergence": lambda p, q: rf"\tfrac{{({p} - {q})^2}}{{{q}}}",
    "population_stability_index": lambda p, q: rf"({p} - {q}) \ln \tfrac{{{p}}}{{{q}}}",
}
"""One bin of a sum, from the share of P and of Q."""

_AROUND = {"total_variation": r"\tfrac{1}{2} [ %s ]", "hellinger_distance": r"\sqrt{\tfrac{1}{2} [ %s ]}"}

_SYMBOLS = {"χ²": r"\chi^2", "χ²(P‖Q)": r"\chi^2(P \| Q)", "W₁": "W_1", "KS distance": "D", "Hellinger": "H"}


def distance_formulas(comparison: DistributionComparison) -> list[tuple[str, str, str]]:
    """Name, formula with the numbers of the first bins, and explanation of each measure, in LaTeX and Markdown.

    >>> from evalcore.analyses import DistanceSettings, TwoDistributions
    >>> comparison = DistributionComparison(TwoDistributions.of_text("a 1 3\\nb 3 1"), DistanceSettings(base=2))
    >>> name, formula, _ = distance_formulas(comparison)[2]
    >>> formula.partition("} = ")[2]
    '0.25 \\\\log_2 \\\\tfrac{0.25}{0.75} + 0.75 \\\\log_2 \\\\tfrac{0.75}{0.25} = 0.792$'
    """
    lines = []
    for measure in comparison.measures:
        value = comparison.value(measure)
        shown = rf"\text{{{UNDEFINED}}}" if math.isnan(value) else latex(number_text(value))
        symbol = _SYMBOLS.get(measure.symbol, measure.symbol.replace("‖", r" \| "))
        symbol = symbol if {"(", "_", "\\"} & set(symbol) else rf"\mathrm{{{symbol}}}"
        numbers = "" if math.isnan(value) else _numbers(comparison, measure)
        formula = " = ".join(filter(None, (symbol, measure.formula, numbers, shown)))
        if "base" in measure.takes and comparison.settings.base == 2:
            formula = formula.replace(r"\ln", r"\log_2")
        lines.append((measure_markdown(measure), rf"$\displaystyle {formula}$", measure.reading))
    return lines


def _numbers(comparison: DistributionComparison, measure: MetricDef) -> str:
    """The formula with the shares of the first bins in it; of two measures with those of one place on the axis."""
    state = comparison.state_of(measure.key)
    terms = terms_of(measure.key, state, comparison.settings.base)
    if measure.key == "ks_distance":
        at = int(np.argmax(terms))
        up_to = [latex_term(float(shares[: at + 1].sum())) for shares in (state.shares_p, state.shares_q)]
        return f"|{up_to[0]} - {up_to[1]}|"
    some = np.flatnonzero((state.p > 0) | (state.q > 0))
    first = some[:_TERMS].tolist()
    rest = r" + \dots" if len(some) > _TERMS else ""
    if measure.key not in _WRITTEN:
        return " + ".join(latex_term(float(terms[at])) for at in first) + rest
    write = _WRITTEN[measure.key]
    written = []
    for at in first:
        p, q = float(state.shares_p[at]), float(state.shares_q[at])
        # 0 ln 0 counts nothing, and is not written.
        if math.isfinite(terms[at]) and (terms[at] or measure.key in _AROUND):
            written.append(write(*(latex_count(x) if x in (0, 1) else latex_term(x) for x in (p, q))))
    total = (" + ".join(written) or "0") + rest
    return _AROUND.get(measure.key, "%s") % total.replace("+ -", "- ")
