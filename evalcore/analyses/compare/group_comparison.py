"""Comparison of two systems in every group of rows."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.compare.paired_comparison import Difference, differences_table, with_correction
from evalcore.analyses.compare.paired_systems import is_slow, row_differences, starting_measure
from evalcore.analyses.compare.system_comparison import SystemComparison
from evalcore.analyses.data import PairedRows, RowGroups, check, script
from evalcore.analyses.data.label_pairs import pair_names, paired_scores
from evalcore.analyses.groups import area_contributions, count_contributions, groups_share_clusters
from evalcore.analyses.subgroups import FEW
from evalcore.inference import METHODS, ChiSquare, Interval, cochran_q, correlated_areas
from evalcore.numeric import Array, at_rows
from evalcore.readers import worth_of
from evalcore.registry import MetricDef
from evalcore.wording import count_text, measure_word, number_text, p_text, plain, short_names

__all__ = ["GroupComparison"]

_NAMED = 4


@dataclass(frozen=True, eq=False)
class GroupComparison:
    """Differences between two systems in each group of their common rows."""

    comparison: SystemComparison

    @property
    def measure(self) -> MetricDef:
        """Measure compared in each group: the measure of the verdict, or a faster one if it needs resampling."""
        comparison = self.comparison
        slow = is_slow(comparison.measure)
        return starting_measure(comparison.source, comparison.target) if slow else comparison.measure

    @cached_property
    def groups(self) -> RowGroups:
        """The groups of the rows that both systems have."""
        return RowGroups(self.comparison.source, self.comparison.rows.rows)

    @property
    def names(self) -> list[str]:
        """Names of the groups shown. Unescaped text from a file."""
        return self.groups.names

    @cached_property
    def differences(self) -> list[Difference]:
        """B minus A in each group, corrected for their number."""
        of, measures = self.comparison, [self.measure]
        if self.measure.paired_test == "delong":
            return with_correction(self._by_area(), of.correction)
        each = (row_differences(of.source, part, measures, of.choice, of.target, stored=False) for part in self._parts)
        return with_correction([one for (one,) in each], of.correction)

    @property
    def verdict(self) -> str:
        """Groups in which A or B is better, groups with too few rows, and heterogeneity, in Markdown."""
        return " ".join(filter(None, [self._headline, self._too_few, self._heterogeneity]))

    @cached_property
    def heterogeneity(self) -> ChiSquare:
        """Cochran's Q test that the difference is the same in all groups, from the intervals.

        Ratios are compared by their logarithms. Clusters may have rows in several groups.
        """
        ends = np.array([(one.estimate, one.low, one.high) for one in self.differences]).reshape(-1, 3).T
        if self.measure.paired_test == "logarithm":
            with np.errstate(divide="ignore", invalid="ignore"):
                ends = np.log(ends)
        return cochran_q(Interval(*ends), self.comparison.level, self._contributions)

    @property
    def _contributions(self) -> list[Array] | None:
        """Contribution of each cluster to the difference in each group; None if no cluster is in several groups."""
        comparison, codes = self.comparison, self.comparison.rows.clusters
        if codes is None or not groups_share_clusters([codes[self.groups.mask(name)] for name in self.names]):
            return None
        if self.measure.paired_test != "delong":
            measure, target, clusters = self.measure, comparison.target, int(codes.max()) + 1
            return [count_contributions(measure, part, target, clusters) for part in self._parts]
        rows, contributions, higher = comparison.rows, [], comparison.source.higher_is_positive
        for mask in map(self.groups.mask, self.names):
            columns = (one[mask] for one in (rows.actual, *self._scores, codes))
            weights = at_rows(rows.weights, mask)
            contributions.append(area_contributions(*columns, weights=weights, higher_is_positive=higher))
        return contributions

    @property
    def note(self) -> str:
        """Note on the test used and on the groups left out."""
        others = f" {count_text(self.groups.left_out)} smaller groups are not shown." if self.groups.left_out else ""
        chosen = self.comparison.measure
        instead = f" {chosen.name} would take a second per group." if chosen.key != self.measure.key else ""
        return (
            f"Each group is compared on its own n rows; p-values are corrected ({METHODS[self.comparison.correction]}) "
            f"for {count_text(len(self.differences))} groups. ● p ≤ {1 - self.comparison.level:.2g}.{instead}{others}"
        )

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per group, unrounded."""
        columns = differences_table(self.differences, self.comparison.level, self.comparison.correction)
        return {"group": self.names, **columns}

    @property
    def code(self) -> str:
        """Python that compares the two in every group again and asserts the numbers."""
        return script(
            self.comparison.code,
            "groups = GroupComparison(comparison)",
            "for group, one in zip(groups.names, groups.differences):",
            "    print(group, one.test.n, one.estimate, one.low, one.high, one.p)  # B minus A",
            check('groups.table["difference"]', self.table["difference"]),
            check('groups.table["corrected p"]', self.table["corrected p"]),
            "print(groups.verdict)",
        )

    @property
    def _headline(self) -> str:
        (a, b), level = pair_names(self.comparison.a, self.comparison.b), self.comparison.level
        noun, count = measure_word(self.measure), count_text(len(self.differences))
        if self.measure.better is None:
            differ = sum(one.p <= 1 - level for one in self.differences)
            words = f"{a} and {b} differ in {noun} in {count_text(differ)} of {count} groups"
            return f"**{words}; neither direction is better by itself.**"
        sides = [one.better(level) for one in self.differences]
        better, worse = sides.count(1), sides.count(-1)
        if better == len(sides):
            return f"**Yes, {b} is better than {a} by {noun} in all {count} groups.**"
        if worse:
            names = _names_text(name for name, side in zip(self.names, sides, strict=True) if side < 0)
            also = f" It is better in {count_text(better)} of {count}." if better else ""
            return f"**No, {b} is worse than {a} by {noun} in {names}.**{also}"
        if not better:
            return f"**In no group can {a} and {b} be told apart by {noun}.**"
        others = "In the others the difference could be due to chance."
        return f"**{b} is better than {a} by {noun} in {count_text(better)} of {count} groups.** {others}"

    @property
    def _too_few(self) -> str:
        """Groups with too few rows for a test, in Markdown."""
        groups = list(zip(self.names, self.differences, self._informative_rows, strict=True))
        undefined = [name for name, one, _ in groups if one.undefined]
        few, sentences = [name for name, one, rows in groups if rows < FEW and not one.undefined], []
        if undefined:
            sentences.append(f"Undefined in {_names_text(undefined)}: {self.measure.undefined_when}.")
        if few:
            rows = self.measure.share_of or ("rows of one class" if self.measure.family == "scores" else "rows")
            sentences.append(f"Fewer than {FEW} {rows}, too few to tell, in {_names_text(few)}.")
        return " ".join(sentences)

    @property
    def _heterogeneity(self) -> str:
        """Result of the test of heterogeneity between groups, in Markdown."""
        test = self.heterogeneity
        if math.isnan(test.p_value):
            return ""
        degrees = f"{test.degrees} {'degree' if test.degrees == 1 else 'degrees'} of freedom"
        numbers = f"(Cochran’s Q = {number_text(test.statistic)}, {degrees}, {p_text(test.p_value)})"
        if test.p_value <= 1 - self.comparison.level:
            return f"The difference varies between the groups by more than chance {numbers}."
        return f"No sign that the difference varies between the groups {numbers}."

    @property
    def _informative_rows(self) -> list[float]:
        """Number of rows behind the difference in each group; for areas, rows of the rarer class."""
        if self.measure.family != "scores":
            return [part.worth * float(one.test.n) for part, one in zip(self._parts, self.differences, strict=True)]
        columns = [(part.actual.astype(bool), part.weights if part.counts_rows else None) for part in self._parts]
        return [float(np.bincount(*column, 2).min()) for column in columns]

    @cached_property
    def _parts(self) -> list[PairedRows]:
        """The rows of each group."""
        rows, dataset, parts = self.comparison.rows, self.comparison.source.dataset, []
        for mask in map(self.groups.mask, self.names):
            columns = {name: at_rows(getattr(rows, name), mask) for name in ("actual", "weights", "clusters", "rows")}
            answers, worth = tuple(one[mask] for one in rows.answers), worth_of(dataset, columns["weights"])
            parts.append(replace(rows, answers=answers, worth=worth, **columns))
        return parts

    @property
    def _scores(self) -> list[Array]:
        return paired_scores(self.comparison.source, (self.comparison.a, self.comparison.b))[1]

    def _by_area(self) -> list[Difference]:
        comparison, measure, scores = self.comparison, self.measure, self._scores
        scale, differences = measure.highest - measure.lowest, []
        higher, pair = comparison.source.higher_is_positive, (comparison.a, comparison.b)
        for part, mask in zip(self._parts, map(self.groups.mask, self.names), strict=True):
            beside = {"weights": part.weights, "clusters": part.clusters, "higher_is_positive": higher}
            areas = correlated_areas(part.actual, [one[mask] for one in scores], **beside)
            a, b = (measure.lowest + scale * areas.estimates).tolist()
            test = areas.compared(0, 1, comparison.level).scaled(scale)
            differences.append(Difference(*pair, measure, measure.name, a, b, test))
        return differences


def _names_text(names: Iterable[str]) -> str:
    """First of some groups in Markdown, and the number of the others."""
    each = [plain(name) for name in short_names(names, 30).values()]
    more = f" and {count_text(len(each) - _NAMED)} more" if len(each) > _NAMED else ""
    return f"{', '.join(each[:_NAMED])}{more}"
