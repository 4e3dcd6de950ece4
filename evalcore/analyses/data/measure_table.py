"""Measures as lines of a table and as formulas: what every page that lists measures shows."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from evalcore.classification import ConfusionCounts, filled_formula
from evalcore.inference import IntervalChoice, share_counts
from evalcore.registry import MetricDef
from evalcore.wording import UNDEFINED, Cell, Row, count_text, measure_markdown
from evalcore.wording.numbers import latex_count, latex_term, latex_value, level_text, range_text, value_text

__all__ = ["as_columns", "has_name", "interval_heading", "interval_text", "measure_heads"]


def interval_heading(level: float) -> str:
    """Heading of a column of intervals: "95 % interval"."""
    return f"{level_text(level)} interval"


def interval_text(
    measure: MetricDef, counts: ConfusionCounts, intervals: IntervalChoice, unit: bool = False
) -> tuple[str, str]:
    """The interval of a measure and its number of rows as they are written; empty texts without one."""
    result = intervals.of(measure, counts)
    if result is None or math.isnan(float(result[0].low)):
        return "", ""
    interval, n = result
    rows = count_text(n)
    if interval.effective is not None:
        rows += f", effective {count_text(round(float(interval.effective)))}"
    if interval.few_heavy:  # few clusters hold most rows
        rows += " (few heavy clusters: unsure)"
    return range_text(*(value_text(measure, float(end)) for end in (interval.low, interval.high)), unit=unit), rows


def bounds_of(intervals: IntervalChoice, measure: MetricDef, counts: ConfusionCounts) -> tuple[float, float]:
    """The interval of a measure of counts; nan without one."""
    found = intervals.of(measure, counts)
    return (math.nan, math.nan) if found is None else (float(found[0].low), float(found[0].high))


def measure_heads(intervals: IntervalChoice) -> list[str]:
    """Headings over `measure_line`."""
    return ["measure", "value", interval_heading(intervals.level), "n", "in a sentence"]


def as_columns(titles: Sequence[str], rows: Iterable[Iterable[Any]]) -> dict[str, list]:
    """Rows of values as columns under their titles."""
    table: dict[str, list] = {title: [] for title in titles}
    for row in rows:
        for column, value in zip(table.values(), row, strict=True):
            column.append(value)
    return table


def other_names(measure: MetricDef, *names: str) -> str:
    """Names beside that of a measure, without those it ends with: "Youden's J" needs no "J"."""
    name = f" {measure.name} ".casefold()
    return " · ".join(one for one in names if not name.endswith(f" {one} ".casefold()))


def measure_line(
    measure: MetricDef, value: float, bounds: str, n: str, sentence: str = "", note: str = ""
) -> list[Cell]:
    """Row of a measure: names, value or reason for none, interval with note, number of rows, and meaning."""
    others = other_names(measure, measure.label, *(alias for alias in measure.aliases[:2] if "{" not in alias))
    number = Cell(value_text(measure, value), strong=True)
    interval = Cell(bounds, aside=note if bounds else "")
    if math.isnan(value):
        number, interval = Cell(UNDEFINED, kind="undefined"), Cell(measure.undefined_when, kind="undefined")
    name = Cell(measure.name, aside=others, measure=measure.key)
    return [name, number, interval, Cell(n), Cell(sentence or measure.summary)]


def group_lines(measures: list[MetricDef], lines: list[list[Cell]]) -> list[Row]:
    """Lines of measures with a heading over each group."""
    rows, group = [], ""
    for measure, line in zip(measures, lines, strict=True):
        if measure.group != group:
            group = measure.group
            rows.append(Row.group(group, len(line)))
        rows.append(Row(line))
    return rows


def has_name(measure: MetricDef, text: str) -> bool:
    """Whether one of the names of a measure contains a text."""
    names = (measure.key.replace("_", " "), measure.name, measure.label, *measure.aliases)
    return any(text.strip().casefold() in name.casefold() for name in names)


def written_formula(measure: MetricDef, counts: ConfusionCounts) -> str:
    """Formula of a measure of counts with its numbers and value, in Markdown."""
    value, filled = latex_value(measure, float(measure(counts))), formula_of_counts(measure, counts)
    formula = rf"$\displaystyle {measure.formula} \;=\; {filled} \;=\; {value}$"
    return f"{measure_markdown(measure)} ({measure.label})  {formula}"


def formula_of_counts(measure: MetricDef, counts: ConfusionCounts) -> str:
    r"""Formula of a measure with four counts filled in; shares are written as quotients of counts.

    >>> from evalcore import find
    >>> formula_of_counts(find("LR+"), ConfusionCounts(tp=20, fp=180, fn=10, tn=1820))
    '\\frac{\\tfrac{20}{30}}{\\tfrac{180}{2\\,000}}'
    """

    def of_part(part: MetricDef, value: float) -> str:
        if not part.denominator or math.isnan(value):
            return latex_term(value)
        hits, rows = (latex_count(float(count)) for count in share_counts(part, counts))
        return rf"\tfrac{{{hits}}}{{{rows}}}"

    return filled_formula(measure, counts, latex_count, of_part)


def latex_sum(terms: Iterable[str], more: bool) -> str:
    """The first terms of a sum, and dots where there are more, in LaTeX."""
    return " + ".join([*terms, *([r"\dots"] if more else [])])
