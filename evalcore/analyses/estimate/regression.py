"""Measures of estimates with their intervals, and the verdict."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, partial

import numpy as np

from evalcore.analyses.data import EstimateRows, check, has_name, in_order, interval_heading, script
from evalcore.analyses.data.measure_table import group_lines, measure_line
from evalcore.estimation import ROW_LOSSES, Estimates, absolute_errors
from evalcore.inference import ESTIMATE_INTERVALS, Interval, LimitsOfAgreement, estimate_interval, limits_of_agreement
from evalcore.registry import METRICS, MetricDef, measures_of
from evalcore.wording import (
    THIN,
    Cell,
    Row,
    count_text,
    latex,
    latex_count,
    latex_term,
    level_text,
    measure_markdown,
    number_text,
    range_text,
    rows_text,
    share_text,
    signed,
    value_text,
)

__all__ = ["AgreementLimits", "ErrorSettings", "Regression", "regression_formulas"]


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

    @classmethod
    def checked(
        cls, level: float, *numbers: float | None, order: str | None = None, horizon: int = 1
    ) -> "ErrorSettings":
        """Settings from typed values of τ, the power and the predictors; a value outside its range takes its default.

        >>> ErrorSettings.checked(0.9, 0.25, 7.0, None)
        ErrorSettings(level=0.9, tau=0.25, power=1.5, predictors=1, order=None, horizon=1)
        """
        limits = ((cls.tau, 0.001, 0.999), (cls.power, 1, 3), (cls.predictors, 0, 1e6))
        tau, power, predictors = (
            number if number is not None and low <= number <= high else usual
            for number, (usual, low, high) in zip(numbers, limits, strict=True)
        )
        return cls(level, float(tau), float(power), round(predictors), order, horizon)

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
        state = self.estimates.state
        absolute = self.interval("mean_absolute_error")
        if not absolute.estimate:
            return (
                f"**Every estimate equals its true number.** Was the truth copied into {self.estimates.name}, or are "
                "the columns the same?"
            )
        between = ends_text(absolute, none="")
        bounds = f" ({interval_heading(self.settings.level)} {between})" if between else ""
        return " ".join(filter(None, [
            f"**Off by {number_text(absolute.estimate)} on average{bounds}.** RMSE "
            f"{number_text(self.value('root_mean_squared_error'))}, at worst {number_text(self.value('max_error'))}.",
            self._against_constant if not state.is_constant else
            f"All true numbers are {number_text(float(state.counted.truth[0]))}, so R² is undefined.",
            self._bias if between else "With one row there is no interval." if len(state) == 1 else "",
        ]))  # fmt: skip

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
        measures = self.settings.measures
        ends = zip(*(self.intervals[measure.key].ends for measure in measures), strict=True)
        return {
            "measure": [measure.name for measure in measures],
            "symbol": [measure.label for measure in measures],
            **{word: list(map(float, column)) for word, column in zip(("value", "low", "high"), ends, strict=True)},
            "level": [self.settings.level] * len(measures),
            "n": [self.estimates.state.total] * len(measures),
        }

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


_FOR = {
    "mean": "means over the rows", "root": "RMSE", "order": "the median", "ratio": "R² and D²",
    "fisher": "correlations",
}  # fmt: skip


def largest_errors(estimates: EstimateRows, most: int) -> np.ndarray:
    """Places of the rows with the largest absolute error, the largest first; earlier rows first among equal ones."""
    errors = np.where(estimates.state.weight > 0, absolute_errors(estimates.state), -1.0)
    least = np.partition(errors, -most)[-most] if most < len(errors) else 0
    places = np.flatnonzero(errors >= least)
    return places[np.argsort(-errors[places], kind="stable")][:most]


PERCENT = f"{THIN}%"


def ends_text(interval: Interval, write: Callable[[float], str] = number_text, none: str = "none") -> str:
    """Bounds of an interval of floats: "1.2–3.4"; another text where there are none."""
    return none if math.isnan(interval.low) else range_text(write(float(interval.low)), write(float(interval.high)))


_TERMS = 4


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
    terms = [rf"({term})" if term.startswith("-") else term for term in terms]
    return " + ".join([*terms, *([r"\dots"] if len(state) > _TERMS else [])])


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
    def rows(self) -> list[list[Cell | str]]:
        """Mean error and both limits with their intervals, as texts."""
        limits, write = self.limits, signed(number_text)
        each = (("upper limit", limits.upper), ("mean error", limits.bias), ("lower limit", limits.lower))
        return [[name, write(one.estimate), Cell(ends_text(one, write), aside=one.caution)] for name, one in each]

    @property
    def heads(self) -> list[str]:
        """Headings over the rows."""
        return ["", "value", f"{level_text(self.level)} interval"]

    @property
    def table(self) -> dict[str, list]:
        """Both limits and the mean error, unrounded."""
        columns = zip(("value", "low", "high"), map(list, zip(*self._ends, strict=True)), strict=True)
        return {"": ["lower limit", "mean error", "upper limit"], **dict(columns)}

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
