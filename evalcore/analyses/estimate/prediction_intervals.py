"""Can the prediction intervals be believed? Coverage, width and interval score, and the quantiles one by one."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evalcore.analyses.data import EstimateRows, as_columns, check, interval_heading, script
from evalcore.analyses.estimate.regression import PERCENT, ends_text
from evalcore.estimation import Estimates, PredictionIntervals, interval_scores, pinball_errors
from evalcore.inference import Interval, mean_of_rows, share_of_rows
from evalcore.numeric import rows_counted
from evalcore.readers import EndColumns, ReadProblem, each_counts_alike, end_columns, quantile_columns
from evalcore.wording import Cell, count_text, number_text, plain, rows_text, share_text

__all__ = ["IntervalCoverage", "QuantileLine"]

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
    def rows(self) -> list[list[Cell | str]]:
        """Coverage, width, score and misses on both sides, as texts."""
        rows = self.intervals
        lines = [[Cell("coverage", measure="interval_coverage"), *_texts(self.coverage, share_text)]]
        for name, (key, mean) in zip(("mean width", "interval score"), self.means.items(), strict=True):
            lines.append([Cell(name, measure=key), *_texts(mean, number_text)])
        outside = {"below": rows.middle.truth < rows.low, "above": rows.middle.truth > rows.high}
        for side, missed in outside.items():
            share = share_of_rows(missed, rows.middle, self.level)
            lines.append([f"truth {side} the interval", *_texts(share, share_text)])
        return lines

    @property
    def heads(self) -> list[str]:
        """Headings over the rows."""
        return ["", "value", interval_heading(self.level)]

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
