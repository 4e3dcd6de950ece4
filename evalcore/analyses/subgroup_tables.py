"""The tables of the groups: all rates of each, and how one rate differs from that of all other rows."""

import math

from evalcore.analyses.subgroups import AREA, FEW, GROUP_RATES, Subgroups, change_text, head_of
from evalcore.classification import ConfusionCounts
from evalcore.registry import METRICS, MetricDef
from evalcore.wording.escaping import label_text
from evalcore.wording.numbers import UNDEFINED, count_text, number_text, rows_text, share_text, value_text
from evalcore.wording.tables import Cell, Row

__all__ = ["group_differences", "group_rates"]


def group_differences(groups: Subgroups, measure: MetricDef) -> tuple[list[str], list[Row]]:
    """Heads and rows of how a share of each group that is shown differs from that of all other rows."""
    differences, corrected, rest = groups.difference_to_rest(measure)
    ends = (differences.interval.estimate, differences.interval.low, differences.interval.high, corrected, rest)
    rows = []
    for place, name in enumerate(groups.names[: groups.shown]):
        value, low, high, p, of_rest = (float(end[place]) for end in ends)
        if math.isnan(value):
            rows.append(Row([label_text(name), Cell(UNDEFINED, span=3)], "few"))
            continue
        mark = "differs" if p <= 1 - groups.intervals.level else ""
        difference = Cell(change_text(value), True, below=f"{change_text(low)} to {change_text(high)}", kind=mark)
        p_value = "< 0.001" if p < 0.001 else f"{p:.3f}"
        rows.append(Row([label_text(name), share_text(of_rest), difference, p_value]))
    return ["group", f"{head_of(measure)} of the rest", "difference", "p"], rows


def group_rates(groups: Subgroups) -> tuple[list[str], list[Row]]:
    """Heads and rows of all rates, of all rows and of each group that is shown."""
    measures = [METRICS[key] for key in GROUP_RATES]
    cells = [_cell(measure, *groups.of_all(measure)[:3]) for measure in measures]
    lines = [Row(["All rows", *_sizes(groups.whole), *cells], "all")]
    rates = [groups.rate(measure, groups.shown) for measure in measures]
    for place, name in enumerate(groups.names[: groups.shown]):
        cells = [
            _cell(measure, float(i.estimate[place]), float(i.low[place]), float(i.high[place]), float(rows[place]))
            for measure, (i, rows) in zip(measures, rates, strict=True)
        ]
        lines.append(Row([label_text(name), *_sizes(groups.counts[place]), *cells]))
    return ["group", "n", "positives", *map(head_of, measures)], lines


def _cell(measure: MetricDef, value: float, low: float, high: float, rows: float = math.inf) -> Cell:
    kind, title = ("few", f"rests on {rows_text(rows)}") if rows < FEW else ("", "")
    if math.isnan(value):
        return Cell(UNDEFINED, below=measure.undefined_when, kind=kind, title=title)
    below = ""
    if not math.isnan(low):
        below = " – ".join(number_text(b) if measure.key == AREA else f"{100 * b:.1f}" for b in (low, high))
    return Cell(value_text(measure, value), strong=True, below=below, kind=kind, title=title)


def _sizes(counts: ConfusionCounts) -> list[str]:
    return [count_text(float(counts.total)), count_text(float(counts.actual_positives))]
