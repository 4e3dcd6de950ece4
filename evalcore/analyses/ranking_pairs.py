"""The numbers of several systems on the same queries: means, and paired tests of their differences."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.analyses.margins import Margin, MarginResult, margin_result
from evalcore.analyses.paired_comparison import Difference, differences_table, pairs_of, with_correction
from evalcore.analyses.rankings import Rankings
from evalcore.inference import (
    PairedComparison,
    cautious_t,
    clustered_test,
    paired_t,
    randomization,
    sign_test,
    wilcoxon,
)
from evalcore.numeric import Array
from evalcore.registry import MetricDef

__all__ = ["RANKING_TESTS", "RankingPairs"]

_TESTS: dict[str, tuple[str, Callable[..., PairedComparison]]] = {
    "t": ("paired t-test", cautious_t),
    "randomisation": ("randomisation test", randomization),
    "wilcoxon": ("Wilcoxon", wilcoxon),
    "sign": ("sign test", sign_test),
}
RANKING_TESTS = {key: name for key, (name, _) in _TESTS.items()}

MOST = 8
"""Systems that are compared at once: 28 pairs."""

_RESULT = 20_000
"""Rows that a stored test counts as, so that some thousands of them are kept."""


@dataclass(frozen=True, eq=False)
class RankingPairs:
    """Systems on the same queries by several measures, and the tests of their differences."""

    rankings: Rankings  # its chosen system is A
    b: str  # names come from a file: escape them
    names: tuple[str, ...]  # measures as `Rankings.measure` reads them
    measure: str  # the one of them that the verdict goes by
    test: str = "t"  # a key of `RANKING_TESTS`
    correction: str = "holm"  # a key of `evalcore.inference.METHODS`
    level: float = 0.95  # confidence of the intervals
    all_pairs: bool = False  # whether all pairs are compared, and not all against A
    margin: Margin = Margin()  # noqa: RUF009 (frozen)

    @property
    def a(self) -> str:
        """The system that the others are compared with."""
        return self.rankings.system

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """A, B and the first of the others, in the order of the data."""
        others = [system for system in self.rankings.systems if system not in (self.a, self.b)]
        chosen = {self.a, self.b, *others[: MOST - 2]}
        return tuple(system for system in self.rankings.systems if system in chosen)

    @property
    def positions(self) -> list[int]:
        """Their places among all systems, which give them their colours."""
        return [self.rankings.systems.index(system) for system in self.systems]

    @property
    def definition(self) -> MetricDef:
        """The measure of the verdict."""
        return self.rankings.measure(self.measure)

    @property
    def heading(self) -> str:
        """The measure of the verdict in a table."""
        return self.rankings.heading(self.measure)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """Those that take part for every system, in the order of the judgments."""
        return tuple(compress(self.rankings.judgments.queries, self.taking_part.tolist()))

    @cached_property
    def taking_part(self) -> npt.NDArray[np.bool_]:
        """Which of the judged queries take part for every system, shape (judged queries,)."""
        return np.logical_and.reduce([self.rankings.taking_part(system) for system in self.systems])

    @cached_property
    def clusters(self) -> npt.NDArray[np.intp] | None:
        """What each of `queries` belongs to, as codes, shape (q,); None where each is on its own."""
        return self.rankings.clusters(self.queries)

    def values(self, system: str, name: str) -> Array:
        """A measure of a system for each of `queries`, shape (q,)."""
        values = self.rankings.per_query([name], system).values[name]
        return values[self.taking_part[self.rankings.taking_part(system)]]

    @cached_property
    def means(self) -> dict[tuple[str, str], PairedComparison]:
        """The mean of each system and measure with its interval by Student's t, within the range of the measure."""
        return {(system, name): self._mean(system, name) for system in self.systems for name in self.names}

    @cached_property
    def differences(self) -> list[Difference]:
        """Every pair by every measure, with p-values corrected for all of them."""
        pairs = pairs_of(self.systems, self.a, self.all_pairs)
        uncorrected = [self._difference(*pair, name) for pair in pairs for name in self.names]
        return with_correction(uncorrected, self.correction)

    def difference(self, system: str, name: str) -> Difference:
        """A system minus A, whichever way round it was tested."""
        heading = self.rankings.heading(name)
        for one in self.differences:
            if one.heading == heading and {one.a, one.b} == {self.a, system}:
                if one.b == system:
                    return one
                return replace(self._difference(self.a, system, name), corrected=one.corrected)
        raise KeyError(f"{system} is not compared by {name}.")

    @property
    def main_difference(self) -> Difference:
        """B minus A by the measure of the verdict."""
        return self.difference(self.b, self.measure)

    @property
    def pair_differences(self) -> list[Difference]:
        """Every pair by the measure of the verdict."""
        return [one for one in self.differences if one.heading == self.heading]

    @cached_property
    def margin_result(self) -> MarginResult | None:
        """Whether B is not inferior to A, or equivalent, by Student's t; None where that is not asked."""
        others = [one for one in self.pair_differences if {one.a, one.b} != {self.a, self.b}]
        return margin_result([self.main_difference, *others], self.margin, self.level, self.correction)

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per comparison, unrounded."""
        return differences_table(self.differences, self.level, self.correction)

    @property
    def means_table(self) -> dict[str, list[Any]]:
        """A row per system and measure, unrounded."""
        return {
            "system": [system for system, _ in self.means],
            "measure": [self.rankings.heading(name) for _, name in self.means],
            "mean": [mean.estimate for mean in self.means.values()],
            "low": [float(mean.interval.low) for mean in self.means.values()],
            "high": [float(mean.interval.high) for mean in self.means.values()],
            "queries": [mean.n for mean in self.means.values()],
        }

    @property
    def queries_table(self) -> dict[str, Any]:
        """A row per query with every measure of every system, unrounded."""
        columns = {
            f"{self.rankings.heading(name)} of {system}": self.values(system, name)
            for name in self.names
            for system in self.systems
        }
        return {"query": list(self.queries), **columns}

    @property
    def key(self) -> str:
        """Cache key of what depends on the systems and queries alone."""
        return f"{self.systems!r}\n{self.rankings.only_common}"

    def _mean(self, system: str, name: str) -> PairedComparison:
        values, measure = self.values(system, name), self.rankings.measure(name)
        known = np.isfinite(values)
        mean = self._tested(paired_t, np.zeros(np.count_nonzero(known)), values[known], known)
        low, high = np.clip([mean.interval.low, mean.interval.high], measure.lowest, measure.highest).tolist()
        return replace(mean, interval=replace(mean.interval, low=low, high=high))

    def _tested(
        self, test: Callable[..., PairedComparison], a: Array, b: Array, known: npt.NDArray[np.bool_]
    ) -> PairedComparison:
        """A test of the values of some of `queries`, by whole clusters where they belong together."""
        return clustered_test(test, a, b, None if self.clusters is None else self.clusters[known], self.level)

    def _difference(self, a: str, b: str, name: str) -> Difference:
        measure = self.rankings.measure(name)

        def build() -> PairedComparison:
            values_a, values_b = self.values(a, name), self.values(b, name)
            both = np.isfinite(values_a) & np.isfinite(values_b)
            return self._tested(_TESTS[self.test][1], values_a[both], values_b[both], both)

        settings = (a, b, measure.key, sorted(measure.arguments.items()), self.test, self.level)
        test = self.rankings.current.dataset.once(f"paired test\n{settings}\n{self.key}", None, build, rows=_RESULT)
        mean_a, mean_b = (self.means[system, name].estimate for system in (a, b))
        return Difference(a, b, measure, self.rankings.heading(name), mean_a, mean_b, test)
