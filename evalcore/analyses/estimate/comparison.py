"""Comparison of two systems of estimates on their common rows."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.compare.paired_comparison import Difference, answer, differences_table, pairs_of, with_correction
from evalcore.analyses.data import Source, check, in_order, script
from evalcore.analyses.data.label_pairs import pair_names
from evalcore.analyses.estimate.regression import ErrorSettings, ends_text
from evalcore.estimation import ROW_LOSSES, Estimates
from evalcore.inference import METHODS, Comparison, compare_estimates, diebold_mariano, sign_test
from evalcore.numeric import rows_counted
from evalcore.readers import ReadProblem, each_counts_alike
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import count_text, number_text, p_text, plain, rows_text

__all__ = ["COMPARED_BY", "EstimateComparison"]

COMPARED_BY = ("mean_absolute_error", "root_mean_squared_error", "mean_squared_error", "r_squared")
"""Measures that a verdict can go by."""


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
        return self.source.dataset.estimate_arrays(system).complete

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
        losses = {
            name: ROW_LOSSES[f"mean_{name.replace(' ', '_')[:-1]}"] for name in ("absolute errors", "squared errors")
        }
        given = self.settings.horizon, self.level, a.weights, a.clusters
        return [(name, diebold_mariano(loss(a), loss(b), *given)) for name, loss in losses.items()]

    @cached_property
    def _in_time_order(self) -> list[Estimates]:
        """Estimates of both systems in time order."""
        places = in_order(self.source, self.settings.order or "", np.flatnonzero(self.common(self.a, self.b)))
        return [state[places] for state in self.states(self.a, self.b)]

    @property
    def order_verdict(self) -> str:
        """Result of the test of rows in time order, in Markdown; empty without an order."""
        parts = []
        for name, test in self.in_order:
            bounds = ends_text(test.interval, none="no interval")
            parts.append(f"{name} {number_text(test.estimate)} ({bounds}), **{p_text(test.p_value)}**")
        if not parts:
            return ""
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
