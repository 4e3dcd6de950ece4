"""Estimates within a tolerance, true numbers within prediction intervals, and the constant that each loss prefers."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data import EstimateRows, as_columns, check, interval_heading, literal, script
from evalcore.analyses.estimate.regression import PERCENT, ends_text
from evalcore.estimation import Estimates, PredictionIntervals, interval_scores, pinball_errors, weighted_quantile
from evalcore.estimation.agreement import LOSS_FAMILIES, LOSS_FUNCTIONS, LossFunction
from evalcore.inference import Interval, mean_of_rows, share_of_rows
from evalcore.numeric import Array, rows_counted
from evalcore.readers import EndColumns, Reach, Shape, each_counts_alike, end_columns, quantile_columns, roles_of
from evalcore.readers.base import ReadProblem
from evalcore.wording import count_text, level_text, number_text, rows_text, share_text, signed_number, threshold_text
from evalcore.wording.escaping import plain
from evalcore.wording.tables import Cell

__all__ = ["MOST_SENT", "BestConstants", "IntervalCoverage", "LossSetting", "QuantileLine", "Tolerance", "classes_of"]

_POINTS = 200
MOST_SENT = 1_001  # numbers sent to the browser, where an outlier is dragged; of more rows, as many quantiles


@dataclass(frozen=True, eq=False)
class Tolerance:
    """Share of estimates within an absolute tolerance or within a share of the truth."""

    estimates: EstimateRows
    size: float
    relative: bool = False  # the size is a share of the true number
    level: float = 0.95

    @staticmethod
    def usual(estimates: EstimateRows) -> float:
        """A round number near the median absolute error."""
        median = estimates.state.quantile(np.abs(estimates.state.error))
        return float(f"{median:.1g}") if median > 0 else 1.0

    @cached_property
    def distances(self) -> Array:
        """Absolute errors in the unit of the tolerance; infinite if the truth is 0 and the estimate is not."""
        state = self.estimates.state
        error = np.abs(state.error)
        if not self.relative:
            return error
        size = np.abs(state.truth)
        return np.divide(error, size, np.where(error > 0, np.inf, 0.0), where=size > 0)

    @cached_property
    def share(self) -> Interval:
        """Share of the estimates within the tolerance, up to rounding, with Wilson's interval."""
        return share_of_rows(self.distances <= self.size * (1 + 1e-9), self.estimates.state, self.level)

    @property
    def size_text(self) -> str:
        """The tolerance: "±5", "±10 %"."""
        return f"±{level_text(self.size)}" if self.relative else f"±{threshold_text(self.size)}"

    @property
    def verdict(self) -> str:
        """The share of right estimates, in Markdown."""
        share = self.share
        between = f"{level_text(self.level)} interval {ends_text(share, share_text)}"
        within = f"**{share_text(share.estimate)} of the estimates lie within {self.size_text} of the truth**"
        return f"{within} ({between}). {share.caution}".rstrip()

    @cached_property
    def curve(self) -> tuple[Array, Array]:
        """Cumulative share of rows by absolute error, at up to 200 errors: the errors, and the shares."""
        state, order = self.estimates.state, np.argsort(self.distances, kind="stable")
        shares = np.cumsum(state.weight[order]) / state.total
        places = np.unique(np.searchsorted(shares, np.linspace(0, 1, _POINTS)).clip(0, len(order) - 1))
        x, y = self.distances[order][places], shares[places]
        finite = np.isfinite(x)
        return x[finite], y[finite]

    @property
    def table(self) -> dict[str, list]:
        """The curve as columns."""
        return {"within": self.curve[0].tolist(), "share of rows": self.curve[1].tolist()}

    @property
    def code(self) -> str:
        """Python that counts again."""
        return script(
            self.estimates.source.code,
            f"rows = EstimateRows.of(Source.of(data), {self.estimates.system!r})",
            f"tolerance = Tolerance(rows, {self.size!r}, relative={self.relative!r}, level={self.level!r})",
            check("tolerance.share.ends", [float(end) for end in self.share.ends]),
            "print(tolerance.verdict)",
        )


def classes_of(estimates: EstimateRows, least: float) -> dict[str, str] | None:
    """Link parameters that show the rows as two classes, with true numbers from a limit on as positive.

    The estimates are then the scores, and the limit is the first threshold. None where all rows are of one class.
    """
    source, truth = estimates.source, estimates.state.truth
    if (truth >= least).all() or (truth < least).all():
        return None
    step = Reach(estimates.truth, least)
    shape = Shape((*source.dataset.shape.steps, step))
    beside = {name: source.roles.get(name) for name in ("weight", "weights_are", "group", "cluster")}
    roles = roles_of(actual=estimates.truth, score=source.systems, positive=step.classes[1], **beside)
    try:
        text = source.dataset.unshaped.shaped(shape).with_roles(roles.to_text()).roles.to_text()
    except ReadProblem:
        return None
    return {"data": source.id, "shape": shape.to_text(), "roles": text, "system": estimates.system, "t": repr(least)}


@dataclass(frozen=True)
class LossSetting:
    """τ of the quantile loss, δ of Huber's (None: 1.345 standard deviations), the outlier (None: above all), and the
    limit from which on a true number belongs to the class y = +1 (None: the third quartile).
    """

    tau: float = 0.75
    delta: float | None = None
    outlier: float | None = None
    limit: float | None = None


@dataclass(frozen=True, eq=False)
class BestConstants:
    """Constants that minimise each loss over the true numbers."""

    estimates: EstimateRows
    setting: LossSetting

    @cached_property
    def values(self) -> Array:
        """The true numbers, without the outlier."""
        return self.estimates.state.counted.truth

    @cached_property
    def weights(self) -> Array:
        """Weight of each distinct number."""
        return self.estimates.state.counted.weight

    @cached_property
    def delta(self) -> float:
        """δ of the Huber loss."""
        if self.setting.delta is not None:
            return self.setting.delta
        mean = float(np.average(self.values, weights=self.weights))
        spread = math.sqrt(float(np.average((self.values - mean) ** 2, weights=self.weights)))
        return float(f"{1.345 * spread or 1.0:.3g}")

    @cached_property
    def outlier(self) -> float:
        """Position of the outlier, by default three quarters of the range above the highest number."""
        low, high = float(self.values.min()), float(self.values.max())
        usual = high + 0.75 * ((high - low) or max(abs(low), 1.0))
        return float(f"{usual:.6g}") if self.setting.outlier is None else self.setting.outlier

    @cached_property
    def limit(self) -> float:
        """Smallest true number of class y = +1: the higher of two values; nan if all are equal."""
        if self.setting.limit is not None:
            return self.setting.limit
        values = self.values
        if not len(above := values[values > values.min()]):
            return math.nan
        quartile = float(f"{weighted_quantile(values, 0.75, self.weights):.4g}")
        return min(max(quartile, float(above.min())), float(above.max()))

    def numbers_of(self, loss: LossFunction, values: Array) -> Array:
        """Targets of a loss: the true numbers, or their classes y = ±1."""
        return np.where(values >= self.limit, 1.0, -1.0) if loss.needs == "classes" else values

    def parameter(self, key: str) -> float:
        """The parameter of a loss."""
        return {"quantile": self.setting.tau, "huber": self.delta}.get(key, math.nan)

    @cached_property
    def constants(self) -> dict[str, tuple[float, float]]:
        """Best constant without and with the outlier, by key; nan if the loss does not apply."""
        values, weights = self.values, self.weights
        more, heavier = np.append(values, self.outlier), np.append(weights, 1.0)

        def best(key: str, values: Array, weights: Array) -> float:
            loss = LOSS_FUNCTIONS[key]
            numbers = self.numbers_of(loss, values)
            return math.nan if loss.problem(numbers) else loss.best(numbers, weights, self.parameter(key))

        return {key: (best(key, values, weights), best(key, more, heavier)) for key in LOSS_FUNCTIONS}

    @property
    def verdict(self) -> str:
        """Comparison of how far the best constants follow the outlier, in Markdown."""
        moves, classes = {key: after - before for key, (before, after) in self.constants.items()}, ""
        if not math.isnan(moves["logistic"]):
            classes = f" Losses of two classes depend only on the side of {threshold_text(self.limit)} it lies"
            classes += f": the log-odds move by {signed_number(moves['logistic'], 3)}."
        return (
            f"**One outlier at {number_text(self.outlier)} moves the mean by {number_text(moves['squared'])}**, the "
            f"median by {number_text(moves['absolute'])} and Huber's centre by {number_text(moves['huber'])}: "
            f"{_outlier_text(moves)}.{classes}"
        )

    @property
    def rows(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Headings, and every loss with its best constant, or the reason that it does not apply."""
        rows: list[list[Cell | str]] = []
        for key, loss in LOSS_FUNCTIONS.items():
            before, after = self.constants[key]
            name = {"quantile": f", τ = {self.setting.tau:g}", "huber": f", δ = {self.delta:g}"}.get(key, "")
            title, of_classes = Cell(loss.name + name, title=f"Used for {loss.use}"), loss.needs == "classes"
            if problem := loss.problem(self.numbers_of(loss, self.values)):
                if of_classes:
                    problem = "needs two classes; all true numbers are on one side of the limit"
                rows.append([title, _no(), _no(problem), ""])
                continue
            last = Cell(number_text(after), aside=signed_number(after - before, 3))
            if math.isnan(after):
                last = _no(title=loss.problem(np.array([self.outlier])))
            of = f" of truth ≥ {threshold_text(self.limit)}" if of_classes else ""
            rows.append([title, Cell(number_text(before), strong=True), f"{loss.minimiser}{of}", last])
        return ["loss", "best constant", "", "with the outlier"], rows

    def formulas_of(self, family: str) -> list[tuple[str, str, str]]:
        """Name, formula and use of each loss of a family of `LOSS_FAMILIES`."""
        return [
            (loss.name, f"${loss.formula}$", f"{loss.name}; best constant: {loss.minimiser}; used for {loss.use}")
            for loss in map(LOSS_FUNCTIONS.__getitem__, LOSS_FAMILIES[family])
        ]

    @cached_property
    def sent(self) -> dict[str, object]:
        """Data for the browser: the sorted true numbers, or quantiles in their place, and the settings."""
        values = self.values
        if len(values) > MOST_SENT or self.estimates.state.weights is not None:
            order = np.argsort(values)
            share = (np.cumsum(self.weights[order]) - self.weights[order] / 2) / self.weights.sum()
            values = np.interp((np.arange(MOST_SENT) + 0.5) / MOST_SENT, share, values[order])
        low, high = float(values.min()), float(values.max())
        width = (high - low) or max(abs(low), 1.0)
        return {
            "values": np.sort(values).tolist(), "rows": float(self.weights.sum()),
            "low": low - 0.75 * width, "high": high + 1.5 * width,
            "outlier": self.outlier, "tau": self.setting.tau, "delta": self.delta,
            "limit": None if math.isnan(self.limit) else self.limit,
            "above": float(self.weights[self.values >= self.limit].sum()),
            "title": self.estimates.source.roles.get("truth") or "true number",
        }  # fmt: skip

    @property
    def table(self) -> Mapping[str, npt.ArrayLike]:
        """The losses as columns, unrounded."""
        pairs = zip(LOSS_FUNCTIONS.values(), self.constants.values(), strict=True)
        rows = ((loss.name, before, loss.minimiser, after) for loss, (before, after) in pairs)
        return as_columns(("loss", "best constant", "is", "with the outlier"), rows)

    @property
    def code(self) -> str:
        """Python that finds the constants again."""
        lines = ["state = state.counted", "values, weights = state.truth, state.weight"]
        lines.append(f"classes = np.where(values >= {literal(self.limit)}, 1.0, -1.0)")
        for key, (value, _) in self.constants.items():
            if not math.isnan(value):
                name = "classes" if LOSS_FUNCTIONS[key].needs == "classes" else "values"
                call = f"LOSS_FUNCTIONS[{key!r}].best({name}, weights, {literal(self.parameter(key))})"
                lines.append(check(call, value))
        return script(self.estimates.code, "\n".join(lines))


def _no(words: str = "does not apply", title: str = "") -> Cell:
    return Cell(words, kind="undefined", title=title)


_FOLLOWS = {
    0.1: "hardly {} it",
    0.9: "{} it less than squared loss",
    1.1: "{} it as much as squared loss",
    math.inf: "{} it more than squared loss",
}
"""Words for how far a loss follows an outlier, by the highest ratio of its move to that of squared loss."""


def _outlier_text(moves: Mapping[str, float]) -> str:
    """Comparison of how far absolute, Huber and squared loss follow an outlier, as a sentence.

    >>> _outlier_text({"squared": 1.0, "absolute": 2.0, "huber": 2.0})
    'absolute and Huber loss follow it more than squared loss'
    """
    squared, absolute, huber = (abs(moves[key]) for key in ("squared", "absolute", "huber"))
    if not (tiny := 1e-9 * max(squared, absolute, huber)):
        return "no loss follows it"
    one, other = (
        next(word for most, word in _FOLLOWS.items() if move <= max(most * squared, tiny)) for move in (absolute, huber)
    )
    if one == other:
        return f"absolute and Huber loss {one.format('follow')}"
    return f"absolute loss {one.format('follows')}, Huber loss {other.format('follows')}"


_PARTS = 5


@dataclass(frozen=True, eq=False)
class QuantileLine:
    """Observed share of true numbers at or below one column of quantiles."""

    column: str  # comes from a file: escape it
    share: float
    observed: Interval
    pinball: float


@dataclass(frozen=True, eq=False)
class IntervalCoverage:
    """Coverage of the intervals between two columns, on the rows of a system."""

    estimates: EstimateRows
    columns: EndColumns
    level: float  # of the confidence intervals

    @staticmethod
    def found(estimates: EstimateRows) -> list[EndColumns]:
        """Pairs of columns that are interval ends by their names, the widest first."""
        return end_columns(IntervalCoverage.candidates(estimates))

    @staticmethod
    def candidates(estimates: EstimateRows, systems: bool = False) -> list[str]:
        """Numeric columns that can be ends, without the system unless wanted. Unescaped text from a file."""
        own, frame = {estimates.truth} if systems else {estimates.truth, estimates.system}, estimates.source.frame
        return [str(name) for name in frame.columns if str(name) not in own and frame[name].dtype.kind in "iuf"]

    @cached_property
    def places(self) -> np.ndarray:
        """Places of the rows that have both ends."""
        low, high = (np.isfinite(self._column(name)) for name in (self.columns.low, self.columns.high))
        return np.flatnonzero(low & high)

    @cached_property
    def intervals(self) -> PredictionIntervals:
        """Rows with both ends. Raises ReadProblem if there are none."""
        state = self.estimates.state[self.places]
        if not state.total:
            raise ReadProblem("No row has both ends of an interval. Choose other columns.")
        low, high = (self._column(name)[self.places] for name in (self.columns.low, self.columns.high))
        middle = Estimates(state.truth, (low + high) / 2, state.weights, state.clusters, state.importance)
        return PredictionIntervals(middle, low, high, self.columns.level)

    def _column(self, name: str) -> np.ndarray:
        return self.estimates.source.frame[name].to_numpy(np.float64, na_value=np.nan)[self.estimates.rows]

    @cached_property
    def coverage(self) -> Interval:
        """Share of the true numbers inside, with its interval."""
        return share_of_rows(self.intervals.covered, self.intervals.middle, self.level)

    @cached_property
    def means(self) -> dict[str, Interval]:
        """Mean width and interval score with their intervals, by the key of the measure."""
        rows = self.intervals
        columns = {"mean_interval_width": rows.high - rows.low, "interval_score": interval_scores(rows)}
        return {key: mean_of_rows(values, rows.middle, self.level) for key, values in columns.items()}

    @property
    def verdict(self) -> str:
        """Verdict on the coverage of the intervals against their nominal level, in Markdown."""
        interval, claimed = self.coverage, self.columns.level
        share, level = share_text(interval.estimate), share_text(claimed)
        inside = f"{share} ({ends_text(interval, share_text)}) of the true numbers lie inside; {level}"
        if math.isnan(interval.low):
            return f"**{share} of the true numbers lie inside; {level} should.**"
        if interval.high < claimed:
            return f"**Too narrow: {inside} should.**"
        if interval.low > claimed:
            return f"**Too wide: {inside} would do.**"
        return f"**Coverage as claimed, within chance: {inside} should.**"

    @property
    def rows(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Headings, and coverage, width, score and misses on both sides, as texts."""
        rows = self.intervals
        lines = [[Cell("coverage", measure="interval_coverage"), *_texts(self.coverage, share_text)]]
        for name, (key, mean) in zip(("mean width", "interval score"), self.means.items(), strict=True):
            lines.append([Cell(name, measure=key), *_texts(mean, number_text)])
        outside = {"below": rows.middle.truth < rows.low, "above": rows.middle.truth > rows.high}
        for side, missed in outside.items():
            share = share_of_rows(missed, rows.middle, self.level)
            lines.append([f"truth {side} the interval", *_texts(share, share_text)])
        return ["", "value", interval_heading(self.level)], lines

    @property
    def note(self) -> str:
        """Note on the rows counted and on intervals with crossed ends."""
        used = self._rows(self.places)
        lost = self._rows(np.arange(len(self.estimates.rows))) - used
        crossed = self._rows(self.places[self.intervals.low > self.intervals.high])
        without = f" {rows_text(lost)} without both ends left out." if lost else ""
        if crossed:
            without += f" In {rows_text(crossed)} the low end lies above the high one; these cover nothing."
        score = "The interval score is the width plus 2/α per unit that the truth lies outside; lower is better."
        return f"{rows_text(used)}.{without} {score}"

    def _rows(self, places: np.ndarray) -> int:
        """Number of rows that some estimates stand for."""
        return round(self.estimates.source.dataset.rows_behind(self.estimates.rows[places]))

    @cached_property
    def by_width(self) -> dict[str, list]:
        """Coverage by interval width, from the narrowest part of the rows to the widest; ideally constant."""
        rows, weights = self.intervals, self.intervals.middle.weights
        width, middle = rows.high - rows.low, rows.middle
        order, alike = np.argsort(width, kind="stable"), each_counts_alike(self.estimates.source.dataset)
        each = rows_counted(None if weights is None else weights[order]) if alike else None
        if each is not None:  # a row that counts twice may lie in two parts
            order, middle = order[each], replace(middle, weights=None)
        parts = [part for part in np.array_split(order, _PARTS) if len(part)]
        shares = [share_of_rows(rows.covered[part], middle[part], self.level) for part in parts]
        return {
            "rows": [len(part) if each is not None else self._rows(self.places[part]) for part in parts],
            "width from": [float(width[part[0]]) for part in parts],
            "width to": [float(width[part[-1]]) for part in parts],
            **_columns("coverage", shares),
        }

    @cached_property
    def quantiles(self) -> list[QuantileLine]:
        """Share of true numbers at or below each quantile column, and its pinball loss."""
        lines = []
        for name, share in quantile_columns(self.candidates(self.estimates, systems=True)).items():
            column = self._column(name)
            places = np.flatnonzero(np.isfinite(column))
            state = self.estimates.state[places]
            own = Estimates(state.truth, column[places], state.weights, state.clusters, state.importance)
            if own.total:
                observed = share_of_rows(own.truth <= own.estimate, own, self.level)
                lines.append(QuantileLine(name, share, observed, own.mean(pinball_errors(own, share))))
        return lines

    @property
    def quantile_verdict(self) -> str:
        """Quantiles whose coverage is off by more than chance, in Markdown; empty without quantiles."""
        if not self.quantiles:
            return ""
        off = [one for one in self.quantiles if not one.observed.low <= one.share <= one.observed.high]
        if not off:
            return f"**All {count_text(len(self.quantiles))} quantiles are as claimed, within chance.**"
        worst = max(off, key=lambda one: abs(one.observed.estimate - one.share))
        side = "high" if worst.observed.estimate > worst.share else "low"
        return (
            f"**{len(off)} of {len(self.quantiles)} quantiles are off by more than chance.** {plain(worst.column, 30)} "
            f"is too {side}: {share_text(worst.observed.estimate)} of the true numbers lie at or below it, "
            f"{share_text(worst.share)} should."
        )

    @property
    def table(self) -> dict[str, list]:
        """Unrounded coverage by quantile if there are quantiles, else by width."""
        if not self.quantiles:
            return self.by_width
        columns = as_columns(("column", "quantile"), ((one.column, one.share) for one in self.quantiles))
        columns |= _columns("observed", [one.observed for one in self.quantiles])
        return columns | {"pinball loss": [one.pinball for one in self.quantiles]}

    @property
    def code(self) -> str:
        """Python that measures the intervals again."""
        columns = self.columns
        return script(
            self.estimates.source.code,
            f"rows = EstimateRows.of(Source.of(data), {self.estimates.system!r})",
            f"columns = EndColumns({columns.low!r}, {columns.high!r}, {columns.level!r})",
            f"coverage = IntervalCoverage(rows, columns, level={self.level!r})",
            check("coverage.coverage.ends", list(self.coverage.ends)),
            check("interval_score(coverage.intervals)", self.intervals.middle.mean(interval_scores(self.intervals))),
            "print(coverage.verdict)",
        )


def _columns(name: str, intervals: list[Interval]) -> dict[str, list[float]]:
    return as_columns((name, "low", "high"), (map(float, one.ends) for one in intervals))


def _texts(interval: Interval, write: Callable[[float], str]) -> list[Cell | str]:
    bounds = ends_text(interval, write, "").removesuffix(PERCENT)
    return [write(float(interval.estimate)), Cell(bounds, aside=interval.caution) if bounds else ""]
