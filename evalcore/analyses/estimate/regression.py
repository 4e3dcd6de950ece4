"""Measures of estimates with their intervals and the verdict, and two systems on their common rows."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from typing import Any

import numpy as np

from evalcore.analyses.compare.paired_comparison import Difference, answer, differences_table, pairs_of, with_correction
from evalcore.analyses.data import EstimateRows, Source, check, has_name, in_order, interval_heading, script
from evalcore.analyses.data.label_pairs import pair_names
from evalcore.analyses.data.measure_table import as_columns, group_lines, latex_sum, measure_line
from evalcore.estimation import ROW_LOSSES, Estimates
from evalcore.inference.base import METHODS, Comparison, Interval, sign_test
from evalcore.inference.intervals import ESTIMATE_INTERVALS, LimitsOfAgreement, estimate_interval, limits_of_agreement
from evalcore.inference.paired import compare_estimates, diebold_mariano
from evalcore.numeric import rows_counted
from evalcore.readers import ReadProblem, each_counts_alike
from evalcore.registry import METRICS, MetricDef, measures_of
from evalcore.wording import THIN, Cell, Row, latex, latex_term, measure_markdown, p_text, plain, rows_text, signed
from evalcore.wording.numbers import count_text, latex_count, number_text, range_text, share_text, value_text

__all__ = ["COMPARED_BY", "AgreementLimits", "ErrorSettings", "EstimateComparison", "Regression", "regression_formulas"]

_FOR = {"mean": "means over the rows", "root": "RMSE", "order": "the median", "ratio": "R² and D²"}
_FOR |= {"fisher": "correlations"}
PERCENT = f"{THIN}%"
_TERMS = 4
COMPARED_BY = ("mean_absolute_error", "root_mean_squared_error", "mean_squared_error", "r_squared")
"""Measures that a verdict can go by."""


@dataclass(frozen=True)
class ErrorSettings:
    """Settings of measures of estimates: level of the intervals, τ, power of Tweedie's deviance, predictors.

    Rows can be in the order of time: by a column, or "" for the order of the file; then also the horizon of forecasts.
    """

    level: float = 0.95
    tau: float = 0.5
    power: float = 1.5
    predictors: int = 1
    order: str | None = None  # a column, which comes from a file; None: rows have no order
    horizon: int = 1

    @property
    def steps(self) -> str:
        """Forecast horizon as text: "1 step"."""
        return "1 step" if self.horizon == 1 else f"{self.horizon} steps"

    @property
    def code(self) -> str:
        """Python that makes the settings; what is usual is left out."""
        changed = (one.name for one in fields(self) if getattr(self, one.name) != one.default)
        return f"ErrorSettings({', '.join(f'{name}={getattr(self, name)!r}' for name in changed)})"

    @property
    def measures(self) -> list[MetricDef]:
        """Every measure with these parameters set; measures of time series only if the rows have an order."""
        params = {"tau": self.tau, "power": self.power, "predictors": float(self.predictors)}
        measures = measures_of("estimates", **params, season=float(self.horizon))
        return [measure for measure in measures if self.order is not None or "season" not in measure.takes]


@dataclass(frozen=True, eq=False)
class Regression:
    """Measures of the estimates of one system, with intervals and a verdict."""

    estimates: EstimateRows
    settings: ErrorSettings

    @cached_property
    def state(self) -> Estimates:
        """The estimates, in time order if they have one."""
        rows, order = self.estimates, self.settings.order
        return rows.state[in_order(rows.source, order, rows.rows)] if order else rows.state

    @cached_property
    def intervals(self) -> Mapping[str, Interval]:
        """Every measure by its key, with its interval."""
        state, level = self.state, self.settings.level
        return {measure.key: estimate_interval(measure, state, level) for measure in self.settings.measures}

    def value(self, key: str) -> float:
        """Value of a measure without parameters."""
        return float(METRICS[key](self.estimates.state))

    def interval(self, key: str) -> Interval:
        """Interval of a measure, computed for that measure alone."""
        return estimate_interval(METRICS[key], self.estimates.state, self.settings.level)

    @cached_property
    def verdict(self) -> str:
        """Verdict on the size of the errors, beside those of a constant, in Markdown."""
        state, absolute = self.estimates.state, self.interval("mean_absolute_error")
        if not absolute.estimate:
            return (
                f"**Every estimate equals its true number.** Was the truth copied into {self.estimates.name}, or are "
                "the columns the same?"
            )
        between = ends_text(absolute, none="")
        bounds = f" ({interval_heading(self.settings.level)} {between})" if between else ""
        root, worst = (number_text(self.value(key)) for key in ("root_mean_squared_error", "max_error"))
        sentences = [f"**Off by {number_text(absolute.estimate)} on average{bounds}.** RMSE {root}, at worst {worst}."]
        if state.is_constant:
            same = number_text(float(state.counted.truth[0]))
            sentences.append(f"All true numbers are {same}, so R² is undefined.")
        else:
            sentences.append(self._against_constant)
        if between:
            sentences.append(self._bias)
        elif len(state) == 1:
            sentences.append("With one row there is no interval.")
        return " ".join(sentences)

    @property
    def _against_constant(self) -> str:
        interval = self.interval("r_squared")
        between = ends_text(interval, none="")
        written = f"R² {number_text(interval.estimate)}{f' ({between})' if between else ''}."
        if interval.estimate < 0:
            return f"**Worse than always giving the mean**: {written}"
        return f"Not clearly better than always giving the mean: {written}" if interval.low <= 0 else written

    @property
    def _bias(self) -> str:
        interval, write = self.interval("mean_error"), signed(number_text)
        error = f"mean error {write(interval.estimate)} ({ends_text(interval, write)})."
        if interval.low <= 0 <= interval.high:
            return f"No bias beyond chance: {error}"
        return f"Too {'high' if interval.estimate > 0 else 'low'} on average: {error}"

    @property
    def main(self) -> list[list[Cell]]:
        """The measures to look at first with their intervals, as texts."""
        rows = []
        for key in ("mean_absolute_error", "root_mean_squared_error", "r_squared", "mean_error"):
            interval, write = self.interval(key), signed(number_text) if key == "mean_error" else number_text
            name, value = Cell(METRICS[key].name, measure=key), Cell(write(float(interval.estimate)), strong=True)
            rows.append([name, value, Cell(ends_text(interval, write, ""))])
        return rows

    def rows(self, search: str = "") -> list[Row]:
        """Measures whose names contain a text, under the headings of their groups."""
        measures = [measure for measure in self.settings.measures if has_name(measure, search)]
        return group_lines(measures, [self._line(measure) for measure in measures])

    @property
    def heads(self) -> list[str]:
        """Headings over the rows."""
        return ["measure", "value", interval_heading(self.settings.level), "n", "in a sentence"]

    def _line(self, measure: MetricDef) -> list:
        interval, n = self.intervals[measure.key], count_text(self.estimates.state.total)
        bounds = ends_text(interval, partial(value_text, measure), "").removesuffix(PERCENT)
        return measure_line(measure, interval.estimate, bounds, n, measure.help, interval.caution)

    @property
    def remarks(self) -> list[str]:
        """Reasons for undefined measures, with numbers of rows, in Markdown."""
        state = self.estimates.state.counted
        missing = state.truth == 0
        reasons = {
            "MAPE is undefined: {} with a true number of 0.": missing,
            "sMAPE is undefined: {} with 0 as truth and estimate.": missing & (state.estimate == 0),
        }
        counts = {reason: int(np.count_nonzero(rows)) for reason, rows in reasons.items()}
        lines = [reason.format(rows_text(count)) for reason, count in counts.items() if count]
        for word, column in (("true number", state.truth), ("estimate", state.estimate)):
            if negative := int(np.count_nonzero(column < 0)):
                what = f"a negative {word}" if negative == 1 else f"negative {word}s"
                lines.append(f"Poisson, gamma and Tweedie deviance are undefined: {rows_text(negative)} with {what}.")
        return lines

    @property
    def interval_note(self) -> str:
        """Note on the method of the intervals."""
        used = dict.fromkeys(measure.interval for measure in self.settings.measures)
        words = "; ".join(f"{_FOR[way]}: {ESTIMATE_INTERVALS[way]}" for way in used if way in _FOR)
        without = "The maximum has none" if self.settings.order is None else "The maximum and MASE have none"
        return f"Intervals of {words}. {without}."

    @property
    def table(self) -> dict[str, list]:
        """A row per measure, unrounded."""
        level, n = self.settings.level, self.estimates.state.total
        rows = [
            (measure.name, measure.label, *map(float, self.intervals[measure.key].ends), level, n)
            for measure in self.settings.measures
        ]
        return as_columns(("measure", "symbol", "value", "low", "high", "level", "n"), rows)

    @property
    def code(self) -> str:
        """Python that measures the estimates again and asserts the numbers."""
        settings, rows = self.settings, f"EstimateRows.of(Source.of(data), {self.estimates.system!r})"
        numbers = [list(self.intervals[measure.key].ends) for measure in settings.measures]
        return script(
            self.estimates.code,
            f"settings = {settings.code}",
            f"state = Regression({rows}, settings).state  # in the order of time" if settings.order else "",
            "intervals = [estimate_interval(measure, state, settings.level) for measure in settings.measures]",
            "for measure, interval in zip(settings.measures, intervals):",
            "    print(measure.label, *interval.ends)  # value, low, high",
            check("[interval.ends for interval in intervals]", numbers),
        )


def ends_text(interval: Interval, write: Callable[[float], str] = number_text, none: str = "none") -> str:
    """Bounds of an interval of floats: "1.2–3.4"; another text where there are none."""
    return none if math.isnan(interval.low) else range_text(write(float(interval.low)), write(float(interval.high)))


def regression_formulas(regression: Regression) -> list[tuple[str, str, str]]:
    """Name, formula with its numbers and reading of each measure, in LaTeX and Markdown."""
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
    """Formula with its numbers; empty if it would only repeat the value."""
    if measure.key in ROW_LOSSES:
        terms = _sum(ROW_LOSSES[measure.key](state[:_TERMS], **measure.arguments).tolist(), state)
        return rf"\frac{{1}}{{{latex_count(state.total)}}} \left( {terms} \right)"
    return _WRITTEN[measure.key](state) if measure.key in _WRITTEN else ""


def _sum(first: Iterable[float], state: Estimates) -> str:
    terms = [latex_term(value) for value in first]
    if state.weights is not None:
        pairs = zip(state.weights.tolist(), terms, strict=False)
        terms = [rf"{latex_term(weight)} \cdot {term}" for weight, term in pairs]
    return latex_sum((rf"({term})" if term.startswith("-") else term for term in terms), len(state) > _TERMS)


def _squares(state: Estimates) -> str:
    return _sum((state[:_TERMS].error ** 2).tolist(), state)


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
    "root_mean_squared_error": lambda s: rf"\sqrt{{\frac{{{_squares(s)}}}{{{latex_count(s.total)}}}}}",
    "sum_of_squared_errors": _squares,
    "r_squared": _against_mean,
    "concordance_correlation": _concordance,
    "pearson_correlation": _pearson,
}


@dataclass(frozen=True, eq=False)
class AgreementLimits:
    """Bland–Altman limits of one system."""

    estimates: EstimateRows
    level: float

    @cached_property
    def limits(self) -> LimitsOfAgreement:
        """Limits of agreement with their intervals."""
        return limits_of_agreement(self.estimates.state, self.level)

    @property
    def verdict(self) -> str:
        """Limits of agreement between which most errors lie, in Markdown."""
        limits = self.limits
        if math.isnan(limits.lower.low):
            return "Limits of agreement need three rows or more."
        low, high = (signed(number_text)(one.estimate) for one in (limits.lower, limits.upper))
        trend, slope = "", limits.slope
        if slope.low > 0 or slope.high < 0:
            grows = "higher" if slope.estimate > 0 else "lower"
            trend = (
                f" **The error changes with the size of the numbers**: {grows} by {number_text(abs(slope.estimate))} "
                f"per unit ({ends_text(slope, signed(number_text))}), so one pair of limits fits badly."
            )
        return (
            f"**An estimate may lie {low} to {high} from the truth** (limits of agreement: mean error ± 1.96 standard "
            f"deviations). {share_text(limits.within)} of the rows lie within. No test says whether that is close "
            f"enough.{trend}"
        )

    @property
    def note(self) -> str:
        """Note on the axes, the limits of agreement and their intervals."""
        return (
            "Over the truth alone, errors would tend to slope, because the truth is part of both axes; so the mean of "
            "both is the axis. The limits assume the same spread of errors everywhere; their intervals do not assume "
            "normal errors."
        )

    @property
    def rows(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Headings, and mean error and both limits with their intervals, as texts."""
        limits, write, heads = self.limits, signed(number_text), ["", "value", interval_heading(self.level)]
        each = {"upper limit": limits.upper, "mean error": limits.bias, "lower limit": limits.lower}
        rows = [[name, write(x.estimate), Cell(ends_text(x, write), aside=x.caution)] for name, x in each.items()]
        return heads, rows

    @property
    def table(self) -> dict[str, list]:
        """Both limits and the mean error, unrounded."""
        names = ("lower limit", "mean error", "upper limit")
        rows = ([name, *ends] for name, ends in zip(names, self._ends, strict=True))
        return as_columns(("", "value", "low", "high"), rows)

    @property
    def _ends(self) -> list[list[float]]:
        """Value and bounds of the lower limit, the mean error and the upper limit."""
        return [list(map(float, one.ends)) for one in (self.limits.lower, self.limits.bias, self.limits.upper)]

    @property
    def code(self) -> str:
        """Python that finds the limits again."""
        return script(
            self.estimates.code,
            f"limits = limits_of_agreement(state, level={self.level!r})",
            check("[one.ends for one in (limits.lower, limits.bias, limits.upper)]", self._ends),
        )


@dataclass(frozen=True, eq=False)
class EstimateComparison:
    """Comparison of two systems on the same rows; their names are unescaped text from a file."""

    source: Source
    a: str
    b: str
    key: str = COMPARED_BY[0]
    correction: str = "holm"
    settings: ErrorSettings = field(default_factory=ErrorSettings)

    @property
    def measure(self) -> MetricDef:
        """Measure of the verdict."""
        return METRICS[self.key]

    @property
    def level(self) -> float:
        """Confidence level of the intervals."""
        return self.settings.level

    def common(self, *systems: str) -> np.ndarray:
        """Mask of the rows of the table with estimates of all these systems."""
        return np.logical_and.reduce([self._complete(name) for name in systems])

    def _complete(self, system: str) -> np.ndarray:
        return self.source.dataset.estimate_rows(system).complete

    def states(self, a: str, b: str) -> tuple[Estimates, Estimates]:
        """Estimates of both systems on their common rows. Raises ReadProblem if there are none."""
        mask = self.common(a, b)
        states = [self.source.dataset.estimates(name)[mask[self._complete(name)]] for name in (a, b)]
        if not states[0].total:
            raise ReadProblem("No row has estimates of both systems, so there is nothing to compare.")
        return states[0], states[1]

    def _difference(self, measure: MetricDef, a: str, b: str) -> Difference:
        of_a, of_b = self.states(a, b)
        test = compare_estimates(measure, of_a, of_b, self.level)
        return Difference(a, b, measure, measure.name, float(measure(of_a)), float(measure(of_b)), test)

    @cached_property
    def differences(self) -> list[Difference]:
        """Differences B minus A in every measure with a paired test, with corrected p-values."""
        measures = [measure for measure in self.settings.measures if measure.paired_test == "influence"]
        return with_correction([self._difference(one, self.a, self.b) for one in measures], self.correction)

    @cached_property
    def pairs(self) -> list[Difference]:
        """Differences of A to each other system in the measure of the verdict, with corrected p-values."""
        found = [self._difference(self.measure, a, b) for a, b in pairs_of(self.source.systems, self.a, False)]
        return with_correction(found, self.correction if len(found) > 1 else "none")

    @property
    def difference(self) -> Difference:
        """Difference between A and B by the measure of the verdict."""
        return next(one for one in self.pairs if one.b == self.b)

    @property
    def main(self) -> list[Difference]:
        """Differences of the measures in the unit of the truth, for a figure."""
        return [self._difference(METRICS[key], self.a, self.b) for key in COMPARED_BY[:2]]

    @cached_property
    def closer(self) -> Any:
        """Sign test of who is closer, row by row; A wins where it is."""
        states = self.states(self.a, self.b)
        rows = rows_counted(states[0].weights) if each_counts_alike(self.source.dataset) else None
        of_a, of_b = (np.abs(state.error if rows is None else state.error[rows]) for state in states)
        return sign_test(of_a, of_b, self.level)

    @property
    def verdict(self) -> str:
        """Verdict on which system is closer to the truth, and by how much, in Markdown."""
        (a, b), one = pair_names(self.a, self.b), self.difference
        noun, closer = plain(one.noun), self.closer
        if one.undefined:
            return f"**The {noun} cannot tell them apart**: {one.undefined}."
        if not one.test.statistic and one.alike and not closer.wins + closer.losses:
            return f"**{a} and {b} are equally far off in every row.**"
        headline = answer(one.better(self.level), (a, b), noun)
        values = "{} (A), {} (B)".format(*one.values)
        result = one.result(self.level, self.correction, len(self.pairs))
        return (
            f"**{headline}**  \n{one.measure.name}: {values}; B minus A {result}. {b} is closer in "
            f"{rows_text(closer.losses)}, {a} in {count_text(closer.wins)} (sign test, {p_text(closer.p_value)})."
        )

    @property
    def note(self) -> str:
        """Note on the common rows and the test, in Markdown."""
        dataset, both = self.source.dataset, self.common(self.a, self.b)
        common, every = (round(dataset.rows_behind(rows)) for rows in (np.flatnonzero(both), np.arange(len(both))))
        lost = every - common
        left_out = f"; {count_text(lost)} left out" if lost else ""
        count = sum(not math.isnan(one.test.p_value) for one in self.differences)
        return (
            f"{rows_text(common)} with estimates of both{left_out}. Paired t-tests of the rows’ contributions to the "
            f"measure. Corrected p: {METHODS[self.correction]}, for all {count} measures. If you chose one measure in "
            f"advance, use its uncorrected p.{self.source.rows_note}"
        )

    @cached_property
    def in_order(self) -> list[tuple[str, Comparison]]:
        """Diebold–Mariano tests of absolute and squared errors, if the rows have an order."""
        if self.settings.order is None:
            return []
        a, b = self._in_time_order
        given = self.settings.horizon, self.level, a.weights, a.clusters
        losses = {f"{kind} errors": ROW_LOSSES[f"mean_{kind}_error"] for kind in ("absolute", "squared")}
        return [(name, diebold_mariano(loss(a), loss(b), *given)) for name, loss in losses.items()]

    @cached_property
    def _in_time_order(self) -> list[Estimates]:
        """Estimates of both systems in time order."""
        places = in_order(self.source, self.settings.order or "", np.flatnonzero(self.common(self.a, self.b)))
        return [state[places] for state in self.states(self.a, self.b)]

    @property
    def order_verdict(self) -> str:
        """Result of the test of rows in time order, in Markdown; empty without an order."""
        if not self.in_order:
            return ""
        parts = []
        for name, test in self.in_order:
            bounds = ends_text(test.interval, none="no interval")
            parts.append(f"{name} {number_text(test.estimate)} ({bounds}), **{p_text(test.p_value)}**")
        notes = " Rows count with their weight." if self.source.roles.get("weight") is not None else ""
        if together := self.source.cluster_words:
            notes += f" Each of the {together} is a series of its own."
        steps = self.settings.steps
        a, b = map(number_text, self.scaled_errors)
        return (
            f"**In the order of time** (Diebold–Mariano, {steps} ahead), B minus A: {'; '.join(parts)}. MASE, against "
            f"repeating the true number of {steps} before: {a} (A), {b} (B).{notes}"
        )

    @property
    def scaled_errors(self) -> list[float]:
        """Mean absolute scaled errors of A and B, with the horizon as the season; for rows in time order."""
        measure = METRICS["mean_absolute_scaled_error"].with_params(season=float(self.settings.horizon))
        return [float(measure(state)) for state in self._in_time_order]

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per measure, unrounded."""
        return differences_table(self.differences, self.level, self.correction)

    @property
    def code(self) -> str:
        """Python that compares the two again and asserts the numbers."""
        one = self.difference.test
        numbers = [one.estimate, float(one.interval.low), float(one.interval.high), one.p_value]
        dm = [test.p_value for _, test in self.in_order]
        return script(
            self.source.code,
            f"comparison = EstimateComparison(\n    Source.of(data), {self.a!r}, {self.b!r}, key={self.key!r}, "
            f"correction={self.correction!r},\n    settings={self.settings.code},\n)",
            "test = comparison.difference.test  # B minus A, its interval, p before any correction",
            check("[test.estimate, test.interval.low, test.interval.high, test.p_value]", numbers),
            check("[test.p_value for _, test in comparison.in_order]", dm) if dm else "",
            "print(comparison.verdict)",
        )
