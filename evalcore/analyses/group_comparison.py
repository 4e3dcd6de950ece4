"""Is B better than A in every group of rows?"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from evalcore.analyses.label_pairs import system_name
from evalcore.analyses.paired_comparison import Difference, differences_table, with_correction
from evalcore.analyses.paired_rows import PairedRows, paired_scores
from evalcore.analyses.row_groups import RowGroups
from evalcore.analyses.system_comparison import SystemComparison
from evalcore.analyses.system_pair import differences_within, is_slow, starting_measure
from evalcore.inference import METHODS, correlated_areas
from evalcore.readers import counted_weights
from evalcore.registry import MetricDef
from evalcore.wording import count_text, measure_word, plain

__all__ = ["GroupComparison"]


@dataclass(frozen=True, eq=False)
class GroupComparison:
    """The two systems of a comparison in each group of the rows that both have.

    >>> from evalcore.analyses import Source, compare_systems
    >>> from evalcore.readers import read_sample
    >>> groups = GroupComparison(compare_systems(Source.of(read_sample("breast_cancer"))))
    >>> groups.names, groups.measure.key
    (['small', 'large', 'medium'], 'roc_auc')
    """

    comparison: SystemComparison

    @property
    def measure(self) -> MetricDef:
        """That of the comparison, or a quick one where each difference would take a second."""
        comparison = self.comparison
        slow = is_slow(comparison.measure)
        return starting_measure(comparison.source, comparison.target) if slow else comparison.measure

    @cached_property
    def groups(self) -> RowGroups:
        """The groups of the rows that both systems have."""
        return RowGroups(self.comparison.source, self.comparison.rows.rows)

    @property
    def names(self) -> list[str]:
        """The groups that are shown. Come from a file: escape them."""
        return self.groups.names

    @cached_property
    def differences(self) -> list[Difference]:
        """B minus A in each group, corrected for their number."""
        by_group = self._by_area() if self.measure.paired_test == "delong" else self._by_rows()
        return with_correction(by_group, self.comparison.correction)

    @property
    def verdict(self) -> str:
        """In which groups B is better, and in which A is, in Markdown."""
        a, b = (system_name(system) for system in (self.comparison.a, self.comparison.b))
        sides = [one.better(self.comparison.level) for one in self.differences]
        better, worse, count = sides.count(1), sides.count(-1), len(sides)
        by = f"by {measure_word(self.measure)}"
        if better == count:
            return f"**Yes, {b} is better than {a} {by} in all {count_text(count)} groups.**"
        if worse:
            names = ", ".join(plain(name, 30) for name, side in zip(self.names, sides, strict=True) if side < 0)
            also = f" It is better in {count_text(better)} of {count_text(count)}." if better else ""
            return f"**No, {b} is worse than {a} {by} in {names}.**{also}"
        if not better:
            return f"**In no group can {a} and {b} be told apart {by}.**"
        return (
            f"**{b} is better than {a} {by} in {count_text(better)} of {count_text(count)} groups.** In the others the "
            "difference could be due to chance."
        )

    @property
    def note(self) -> str:
        """What is tested, and what is left out."""
        others = f" {count_text(self.groups.left_out)} smaller groups are not shown." if self.groups.left_out else ""
        chosen = self.comparison.measure
        instead = f" {chosen.name} would take a second per group." if chosen.key != self.measure.key else ""
        return (
            f"Each group on its own rows; p corrected ({METHODS[self.comparison.correction]}) for "
            f"{count_text(len(self.differences))} groups. ● p ≤ {1 - self.comparison.level:.2g}.{instead}{others}"
        )

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per group, unrounded."""
        columns = differences_table(self.differences, self.comparison.level, self.comparison.correction)
        return {"group": self.names, **columns}

    def _by_rows(self) -> list[Difference]:
        comparison = self.comparison
        parts = (self._rows_of(name) for name in self.names)
        target, level = comparison.target, comparison.level
        return [differences_within(comparison.source, rows, self.measure, level, target) for rows in parts]

    def _rows_of(self, name: str) -> PairedRows:
        rows, mask = self.comparison.rows, self.groups.mask(name)
        weights = None if rows.weights is None else counted_weights(self.comparison.source.dataset, rows.weights[mask])
        answers = tuple(answer[mask] for answer in rows.answers)
        return replace(rows, actual=rows.actual[mask], answers=answers, weights=weights, rows=rows.rows[mask])

    def _by_area(self) -> list[Difference]:
        comparison, measure = self.comparison, self.measure
        source, pair = comparison.source, (comparison.a, comparison.b)
        labels, scores, weights, *_ = paired_scores(source, pair)
        scale, differences = measure.highest - measure.lowest, []
        for name in self.names:
            mask = self.groups.mask(name)
            own = None if weights is None else counted_weights(source.dataset, weights[mask])
            areas = correlated_areas(
                labels[mask], [one[mask] for one in scores], weights=own, higher_is_positive=source.higher_is_positive
            )
            a, b = (measure.lowest + scale * areas.estimates).tolist()
            test = areas.compared(0, 1, comparison.level).scaled(scale)
            differences.append(Difference(*pair, measure, measure.name, a, b, test))
        return differences
