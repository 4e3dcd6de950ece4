"""Formulas of estimates with the numbers of the open rows in them."""

import math
from collections.abc import Callable, Iterable

from evalcore.analyses.regression import Regression
from evalcore.estimation import ROW_LOSSES, Estimates
from evalcore.registry import MetricDef
from evalcore.wording import latex, latex_count, latex_term, measure_markdown, value_text

__all__ = ["regression_formulas"]

_TERMS = 4


def regression_formulas(regression: Regression) -> list[tuple[str, str, str]]:
    """Name, formula with its numbers and reading of each measure, in LaTeX and Markdown.

    >>> from evalcore.analyses import ErrorSettings, EstimateRows, Source
    >>> from evalcore.readers.samples import read_sample
    >>> rows = EstimateRows.of(Source.of(read_sample("diabetes")))
    >>> formulas = {name: formula for name, formula, _ in regression_formulas(Regression(rows, ErrorSettings()))}
    >>> formulas["[**Mean absolute error**](measures?measure=mean_absolute_error) (MAE)"][-30:]
    '2 + 39 + \\\\dots \\\\right) = 44.1$'
    """
    state, lines = regression.estimates.state, []
    for measure in regression.settings.measures:
        value = float(regression.intervals[measure.key].estimate)
        title = f"{measure_markdown(measure)} ({measure.label})"
        if math.isnan(value):
            lines.append((title, "", f"Undefined, because {measure.undefined_when}."))
            continue
        written = latex(value_text(measure, value))
        formula = " = ".join(filter(None, (measure.formula, _numbers(measure, state), written)))
        lines.append((title, rf"$\displaystyle {formula}$", measure.reading))
    return lines


def _numbers(measure: MetricDef, state: Estimates) -> str:
    """The formula with numbers in it; empty where it would only repeat the value."""
    if measure.key in ROW_LOSSES:
        return _mean(ROW_LOSSES[measure.key](state[:_TERMS], **measure.arguments).tolist(), state)
    return _WRITTEN[measure.key](state) if measure.key in _WRITTEN else ""


def _mean(first: Iterable[float], state: Estimates) -> str:
    return rf"\frac{{1}}{{{latex_count(state.total)}}} \left( {_sum(first, state)} \right)"


def _sum(first: Iterable[float], state: Estimates) -> str:
    terms = [latex_term(value) for value in first]
    if state.weights is not None:
        pairs = zip(state.weights.tolist(), terms, strict=False)
        terms = [rf"{latex_term(weight)} \cdot {term}" for weight, term in pairs]
    terms = [rf"({term})" if term.startswith("-") else term for term in terms]
    return " + ".join([*terms, *([r"\dots"] if len(state) > _TERMS else [])])


def _squares(state: Estimates) -> str:
    return _sum((state[:_TERMS].error ** 2).tolist(), state)


def _root(state: Estimates) -> str:
    return rf"\sqrt{{\frac{{{_squares(state)}}}{{{latex_count(state.total)}}}}}"


def _against_mean(state: Estimates) -> str:
    above, below = state.mean(state.error**2), state.moments.truth_variance
    return rf"1 - \frac{{{latex_term(state.total * above)}}}{{{latex_term(state.total * below)}}}"


def _concordance(state: Estimates) -> str:
    m = state.moments
    spreads = rf"{latex_term(m.truth_variance)} + {latex_term(m.estimate_variance)}"
    shift = rf"({latex_term(m.truth)} - {latex_term(m.estimate)})^2"
    return rf"\frac{{2 \cdot {latex_term(m.covariance)}}}{{{spreads} + {shift}}}"


def _pearson(state: Estimates) -> str:
    m = state.moments
    y, p = (latex_term(math.sqrt(variance)) for variance in (m.truth_variance, m.estimate_variance))
    return rf"\frac{{{latex_term(m.covariance)}}}{{{y} \cdot {p}}}"


_WRITTEN: dict[str, Callable[[Estimates], str]] = {
    "root_mean_squared_error": _root,
    "sum_of_squared_errors": _squares,
    "r_squared": _against_mean,
    "concordance_correlation": _concordance,
    "pearson_correlation": _pearson,
}
