"""Chapter of a report about two systems on the same rows: whether one is really better than the other."""

from collections.abc import Callable, Sequence
from typing import Any

from evalcore.analyses import (
    Difference,
    Disagreement,
    GroupComparison,
    Source,
    SystemComparison,
    comparable_systems,
    compare_systems,
    difference_heads,
    difference_rows,
    difference_sides,
    pair_note,
)
from evalcore.figures import ForestLine, forest_figure, ink
from evalcore.readers import ReadProblem
from evalcore.reports.parts import Chapter, Part, Picture, Table, Words, sections, varying
from evalcore.reports.settings import ReportSettings
from evalcore.wording import Cell, level_text, one_line

_LIGHT = ink(dark=False)


def compare_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Whether one system is really better than the first: the main differences with their intervals."""
    systems = comparable_systems(source)
    if len(systems) < 2:
        raise ReadProblem("There are not two systems on the same rows to compare.")
    usual: dict[str, Any] = {"level": settings.intervals.level}
    if source.scored_by == "system":
        usual |= {"a": source.system, "threshold": settings.threshold}
    elif source.system in systems:
        usual["a"] = source.system
    comparison = compare_systems(source, **(usual | settings.compared))
    differences = comparison.main_differences
    lines = [ForestLine(d, d.heading, d.excludes_none, d.measure.key == comparison.measure.key) for d in differences]
    sides = difference_sides([one.measure for one in differences])
    figure = forest_figure(lines, sides, "difference (0.01 = 1 percentage point)", _LIGHT)
    level, exactness = comparison.level, pair_note(source, comparison.rows)[0]
    notes = comparison.rows_note, exactness, comparison.coverage_note(comparison.measure)
    parts = [
        Picture(figure, f"B minus A with {level_text(level)} intervals; filled: excludes 0", wide=True),
        Words(" ".join(filter(None, notes))),
        *sections(_comparison_parts(comparison, level)),
    ]
    return Chapter("Compare systems", "Is B really better than A?", comparison.verdict, parts)


def _comparison_parts(comparison: SystemComparison, level: float) -> dict[str, Callable[[], list[Part]]]:
    def differences(of: Sequence[Difference], corrected: bool, *notes: str) -> list[Part]:
        table = Table.of(difference_heads(level, corrected), difference_rows(of, level, corrected))
        return [table, *(Words(note) for note in notes if note)]

    def right() -> list[Part]:
        both = Disagreement(comparison)
        names = [Cell(f"B {word}", heading=True) for word in ("right", "wrong")]
        return [
            Table.of(["", *names], both.cells),
            Words(both.verdict),
            *(Words(text) for text in [both.symmetry] if text),
        ]

    def groups() -> list[Part]:
        each = GroupComparison(comparison)
        lines = [
            ForestLine(one, one_line(name, 22), one.better(level) != 0)
            for name, one in zip(each.names, each.differences, strict=True)
        ]
        unit = f"difference in {each.differences[0].noun}"
        figure = forest_figure(lines, difference_sides([each.measure]), unit, _LIGHT)
        return [
            Picture(figure, "B minus A in each group", wide=True),
            Words(each.verdict),
            Table("", varying(each.table)),
            Words(each.note),
        ]

    parts: dict[str, Callable[[], list[Part]]] = {"Who is right?": right}
    if len(comparison.systems) > 2:
        parts["All systems"] = lambda: [Words(comparison.systems_note), Table("", varying(comparison.systems_table))]
    parts["Every measure"] = lambda: differences(comparison.all_differences, True, comparison.measures_note)
    if comparison.source.scored_by == "system":
        parts["Threshold-free"] = lambda: differences(comparison.area_differences, False, comparison.overall_note)
    if comparison.source.roles.get("group") is not None and len(comparison.rows):
        parts["Groups"] = groups
    return parts
