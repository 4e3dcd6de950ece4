"""Rates of one threshold in every group of rows, and thresholds that equalise a rate."""

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from evalcore import inference
from evalcore.analyses.data import CELLS, SHOWN_GROUPS, RowSelection, Scores
from evalcore.analyses.data.shaping import check_groups, group_order
from evalcore.classification import Choice, NoThreshold, ScoredLabels, accuracy, pooled, rest_of, roc_auc
from evalcore.classification.binary import ConfusionCounts, counts_by_group, scored_by_group, threshold_for_value
from evalcore.numeric import Array
from evalcore.readers import DataSet, ReadProblem, named, worth_of
from evalcore.registry import METRICS, MetricDef
from evalcore.retrieval.id_table import once
from evalcore.wording import UNDEFINED, apart_text, count_text, many_text, p_cell, p_text, rows_text, signed
from evalcore.wording.escaping import label_markdown, label_text, names_for_link, plain
from evalcore.wording.numbers import difference_text, level_text, points_text, range_text, share_text, value_text
from evalcore.wording.tables import Cell, Row

__all__ = ["EQUALISED", "GROUP_RATES", "EqualisedRates", "Subgroups", "areas_against_rest", "areas_of_groups"]
__all__ += ["group_correlations", "group_differences", "group_rates", "group_states", "subgroups_of"]
__all__ += ["thresholds_of_groups", "worths_of_groups"]

AREA = "roc_auc"
GROUP_RATES = (
    "prevalence", "predicted_prevalence", "recall", "fall_out", "specificity", "precision",
    "negative_predictive_value", "accuracy", AREA,
)  # fmt: skip
"""Rates of a group, in the order of the table: shares of its rows, and the area under its ROC curve."""
FEW = 10  # rows below which the page warns that a rate rests on too few rows
MOST = 10_000  # different groups beyond which a column is an identifier
_NAMED = 4
EQUALISED = {
    "recall": "recall", "fall_out": "false positive rate", "precision": "precision",
    "predicted_prevalence": "flagged share",
}  # fmt: skip
"""Rates that a threshold for each group can make equal, and what they are called here."""
NEAR = 0.01  # largest distance at which a group counts as having reached the value
_UNREACHED_NAMED = 5


def areas_of_groups(states: dict[str, ScoredLabels], intervals: inference.IntervalChoice) -> inference.Interval:
    """The area under the ROC curve of each group, shape (g,)."""
    # Copies, so that the staircases, three times the size of the scores, are not kept.
    areas = [intervals.of_area(replace(state)).ends for state in states.values()]
    return inference.Interval(*np.array(areas, dtype=np.float64).reshape(-1, 3).T)


def areas_against_rest(
    states: Sequence[ScoredLabels], most: int, level: float
) -> tuple[inference.ShareDifferences, Array]:
    """Area of each of the first groups minus that of the remaining rows, by DeLong for independent areas.

    All of shape (g,), nan beyond so many groups. Clusters may have rows in several groups.

    >>> one = ScoredLabels.from_arrays([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> two = ScoredLabels.from_arrays([1, 0, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> differences, rest = areas_against_rest([one, two], 2, 0.95)
    >>> differences.interval.estimate.round(3).tolist(), rest.round(3).tolist()
    ([0.333, -0.333], [0.556, 0.889])
    """
    columns = np.full((5, len(states)), math.nan)
    for index in range(min(most, len(states))):
        rest = pooled([*states[:index], *states[index + 1 :]])
        test = inference.compare_independent_auc(rest, replace(states[index]), level, shared=True)
        columns[:, index] = test.estimate, *test.interval.ends[1:], test.p_value, roc_auc(rest)
    *ends, p_values, of_rest = columns
    return inference.ShareDifferences(inference.Interval(*ends), p_values), of_rest


def group_correlations(measure: MetricDef, groups: ConfusionCounts, rest: ConfusionCounts) -> Array:
    """Correlation of each group's share with that of the remaining rows, shape (g,); 0 without shared clusters."""
    above, below = ([float(cell in cells) for cell in CELLS] for cells in (measure.numerator, measure.denominator))
    correlations = np.zeros(len(groups.tp))
    for index in range(len(correlations)):
        own, other = groups[index].clusters, rest[index].clusters
        if own is not None and other is not None:
            correlations[index] = inference.share_correlation(own, other, above, below)
    return correlations


def worths_of_groups(dataset: DataSet, states: Iterable[ScoredLabels]) -> Array:
    """Effective rows of each group per unit of weight, shape (g,)."""
    weights = [
        None if state.positive_weights is None else np.concatenate([state.rows_of(side)[1] for side in (True, False)])
        for state in states
    ]
    return np.array([worth_of(dataset, each) for each in weights])


@dataclass(frozen=True, eq=False)
class Subgroups:
    """The groups of the scores at a threshold; raises ReadProblem for a single one."""

    scores: Scores
    threshold: float
    intervals: inference.IntervalChoice
    # By group, the largest first, or bands of a number in their order; g of them. Names come from a file: escape them.
    states: dict[str, ScoredLabels]
    areas: inference.Interval  # shape (g,): the area under the ROC curve of each group
    area: inference.Interval  # that of all rows
    _memo: dict = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        check_groups(str(self.scores.current.roles.get("group")), len(self))

    def __len__(self) -> int:
        return len(self.states)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The groups, in the order of `states`."""
        return tuple(self.states)

    @property
    def shown(self) -> int:
        """Number of groups drawn."""
        return min(len(self), SHOWN_GROUPS)

    def selection(self, index: int) -> RowSelection:
        """The rows of a group."""
        source, name = self.scores.current, self.names[index]
        arrays = source.dataset.scored_arrays(self.scores.system)
        assert arrays.group_codes is not None
        codes, names = arrays.group_codes
        rows = np.flatnonzero(arrays.complete)[codes == names.index(name)]
        return RowSelection.called(label_markdown(name), source, rows, source.roles.get("group"))

    @cached_property
    def counts(self) -> ConfusionCounts:
        """The counts of each group at the threshold, shape (g,)."""
        return counts_by_group(self.states.values(), self.threshold)

    @cached_property
    def whole(self) -> ConfusionCounts:
        """The counts of all rows at the threshold."""
        return self.scores.counts_at(self.threshold)

    def rate(self, measure: MetricDef, most: int | None = None) -> tuple[inference.Interval, Array]:
        """Rate of each of the largest groups with its interval and (effective) number of rows."""
        counts, worths = self.counts[:most], worths_of_groups(self.scores.current.dataset, self.states.values())[:most]
        if measure.key == AREA:
            area = inference.Interval(*(np.asarray(end)[:most] for end in self.areas.ends))
            return area, worths * np.minimum(counts.actual_positives, counts.actual_negatives)
        interval, rows = self.intervals.of_shares(measure, counts)
        return interval, worths * rows

    def of_all(self, measure: MetricDef) -> tuple[float, float, float, float]:
        """Value, interval bounds and number of rows of a rate over all rows."""
        if measure.key == AREA:
            value, low, high = map(float, self.area.ends)
            return value, low, high, min(float(self.whole.actual_positives), float(self.whole.actual_negatives))
        interval, n = self.intervals.of(measure, self.whole) or (inference.Interval(math.nan, math.nan, math.nan), 0.0)
        return float(measure(self.whole)), float(interval.low), float(interval.high), n

    def difference_to_rest(self, measure: MetricDef) -> tuple[inference.ShareDifferences, Array, Array]:
        """Rate of each group (area: if shown) minus that of the rest, p-values after Holm, and the rate of the rest."""
        return once(self._memo, measure.key, lambda: self._compared_to_rest(measure))

    def _compared_to_rest(self, measure: MetricDef) -> tuple[inference.ShareDifferences, Array, Array]:
        level = self.intervals.level
        if measure.key == AREA:
            differences, of_rest = areas_against_rest(list(self.states.values()), self.shown, level)
        else:
            rest = rest_of(self.whole, self.counts)
            hits, rows = inference.effective_share_counts(measure, self.counts, level)
            rest_hits, rest_rows = inference.effective_share_counts(measure, rest, level)
            alike = group_correlations(measure, self.counts, rest)
            hits, rest_hits = np.minimum(hits, rows), np.minimum(rest_hits, rest_rows)
            differences = inference.compare_shares(hits, rows, rest_hits, rest_rows, level, alike)
            of_rest = np.asarray(measure(rest))
        p_values = differences.p_values
        # Of two groups each is the rest of the other: that is one test.
        return differences, p_values if len(self) == 2 else inference.holm(p_values), of_rest

    def differs(self, measure: MetricDef) -> np.ndarray:
        """Mask of the groups shown that differ significantly from the rest."""
        return np.nan_to_num(self.difference_to_rest(measure)[1], nan=1)[: self.shown] <= 1 - self.intervals.level

    def difference_note(self, measure: MetricDef) -> str:
        """Note on the definition of the differences."""
        tested = count_text(int((~np.isnan(self.difference_to_rest(measure)[1])).sum()))
        holm = "uncorrected, as two groups are one test" if len(self) == 2 else f"corrected by Holm for {tested} groups"
        test = "the z test (Fisher's exact test where fewer than 5 rows are expected)"
        level = level_text(self.intervals.level)
        together, about = self.scores.current.cluster_words, ""
        method = f"Newcombe's {level} interval" + (f" of whole {together} (Zou and Donner)" if together else "")
        if measure.key == AREA:
            author = "Obuchowski" if together else "DeLong"
            method, test = f"{author}'s {level} interval for independent areas", f"{author}'s test"
            about = " The AUC does not depend on the threshold; it compares pairs within a group only."
        about = f" {together.capitalize()} with rows on both sides count as such.{about}" if together else about
        return f"Group minus all other rows, with {method}; p from {test}, {holm}.{about}"

    def verdict(self, measure: MetricDef) -> str:
        """The group whose rate is worst of those that differ from the rest beyond chance, else of all, in Markdown."""
        differences, p_values, rest = self.difference_to_rest(measure)
        turn, worse, worst_of = (-1, "higher", "Highest") if measure.better == "lower" else (1, "lower", "Lowest")
        estimate = turn * differences.interval.estimate[: self.shown]
        beyond = self.differs(measure) & (estimate < 0)
        below = np.where(beyond, estimate, np.nan) if beyond.any() else estimate
        if np.isnan(below).all():
            return ""
        worst = int(np.nanargmin(below))
        values = self.areas.estimate if measure.key == AREA else measure(self.counts)
        own, others = (value_text(measure, float(np.asarray(of)[worst])) for of in (values, rest))
        where = f"where {plain(self.scores.current.roles.get('group'), 40)} is {label_markdown(self.names[worst])}"
        tested, head = f"{own} against {others} for the rest", head_of(measure)
        if not beyond.any():
            return f"**No group has a {worse} {head} beyond chance.** {worst_of} {where}: {tested}."
        return f"**{head[0].upper()}{head[1:]} is {worse} {where}: {tested}** ({p_text(float(p_values[worst]))})."

    def few_verdict(self, measure: MetricDef) -> str:
        """Groups with too few rows for a rate, in Markdown; empty if there are none."""
        interval, rows = self.rate(measure, self.shown)
        few, ends = np.flatnonzero(rows < FEW).tolist(), np.stack([interval.low, interval.high], axis=1)
        sentences = [few_text(measure, self.names[p], float(rows[p]), ends[p].tolist()) for p in few[:_NAMED]]
        if len(few) > _NAMED:
            more = len(few) - _NAMED
            sentences.append(f"{many_text(more, 'more group')} {'has' if more == 1 else 'have'} too few rows.")
        return " ".join(sentences)

    @property
    def note(self) -> str:
        """Note on the contents of the table of rates and what it leaves out, in Markdown."""
        level, method = level_text(self.intervals.level), self.intervals.method_name
        hidden = rows_text(float(self.counts.total[SHOWN_GROUPS:].sum()))
        others = f" {self.left_out} ({hidden}) are in the CSV." if len(self) > SHOWN_GROUPS else ""
        return (
            f"In small print: {level} intervals ({method}; AUC by {self.intervals.area_name}). In grey italics: fewer "
            f"than {FEW} rows.{others}"
        )

    @property
    def left_out(self) -> str:
        """Number of groups not shown, as the beginning of a sentence."""
        groups, others = count_text(len(self)), count_text(len(self) - SHOWN_GROUPS)
        return f"Only the {SHOWN_GROUPS} largest of {groups} groups are shown; the other {others}"

    @property
    def table(self) -> dict[str, object]:
        """Every group with its counts, rates, intervals and differences, unrounded; all rows together come first."""
        if self.intervals.method == "bootstrap" and len(self) > SHOWN_GROUPS:  # resampling so many takes too long
            return replace(self, intervals=replace(self.intervals, method="wilson")).table
        columns: dict[str, object] = {
            "group": ["(all rows)", *self.names],
            "n": np.append(self.whole.total, self.counts.total),
            **{cell: np.append(getattr(self.whole, cell), getattr(self.counts, cell)) for cell in CELLS},
        }
        names = ("", " low", " high", " rows", " minus rest", " minus rest low", " minus rest high", " p (Holm)")
        for measure in (METRICS[key] for key in GROUP_RATES):
            (interval, rows), (differences, corrected, _) = self.rate(measure), self.difference_to_rest(measure)
            of_groups = (*interval.ends, rows, *differences.interval.ends, corrected)
            of_all = (*self.of_all(measure), *[math.nan] * 4)
            for name, own, values in zip(names, of_all, of_groups, strict=True):
                columns[f"{measure.label}{name}"] = np.append(own, values)
        shares, areas, level = self.intervals.method_name, self.intervals.area_name, 100 * self.intervals.level
        return columns | {"interval": f"{shares} {level:g} %, AUC by {areas}"}


def subgroups_of(scores: Scores, threshold: float, intervals: inference.IntervalChoice | None = None) -> Subgroups:
    """Groups of the scores at a threshold, by the group column of the data set.

    Raises ReadProblem for one group, and for more than anybody can read.
    """
    intervals = intervals or inference.IntervalChoice()
    states, area = group_states(scores), intervals.of_area(scores.scored)
    return Subgroups(scores, threshold, intervals, states, areas_of_groups(states, intervals), area)


def group_states(scores: Scores) -> dict[str, ScoredLabels]:
    """The scores of each group, sorted; the largest group first. Raises ReadProblem as `subgroups_of`."""
    dataset = scores.current.dataset
    column = dataset.roles.get("group")
    if (different := 0 if column is None else dataset.frame[column].nunique()) > MOST:
        raise ReadProblem(
            f"Column {named(column)} has {count_text(different)} different groups: that looks like an identifier or a "
            "number. Choose another column as the group."
        )
    rows = dataset.scored_arrays(scores.system)
    if (groups := rows.group_codes) is None:
        raise ReadProblem("No column says which group a row belongs to.")
    beside = {"weights": rows.weights, "clusters": rows.clusters, "higher_is_positive": scores.higher}
    states = scored_by_group(rows.labels, rows.scores, *groups, **beside)
    return {name: states[name] for name in group_order(tuple(states))}


def few_text(measure: MetricDef, name: str, rows: float, bounds: Sequence[float]) -> str:
    """Caution that a rate of a group rests on too few rows, in Markdown; the name is escaped here."""
    what = measure.share_of or "rows of the rarer class"
    what = what if rows != 1 else what.replace("rows", "row", 1).removesuffix("s")
    group, rate = f"**{label_markdown(name)}**", measure.name if measure.key == AREA else head_of(measure)
    if not rows:
        return f"{group} has no {what}: its {rate} is undefined."
    found = f": its {rate} could be anywhere from {' to '.join(value_text(measure, bound) for bound in bounds)}"
    few = f", too few for an interval of its {rate}"
    return f"{group} has only {count_text(rows)} {what}{few if math.isnan(bounds[0]) else found}."


def change_text(difference: float) -> str:
    """Difference of shares in percentage points, signed unless it rounds to 0."""
    return signed(points_text)(round(difference, 3))


def head_of(measure: MetricDef) -> str:
    """Column heading of a rate."""
    return "flagged" if measure.key == "predicted_prevalence" else measure.short


def group_differences(groups: Subgroups, measure: MetricDef) -> tuple[list[str], list[Row]]:
    """Heads and rows of the differences between a share of each group shown and that of the remaining rows."""
    differences, corrected, rest = groups.difference_to_rest(measure)
    rows, columns = [], zip(*differences.interval.ends, corrected, rest, strict=True)
    for name, numbers in zip(groups.names[: groups.shown], columns, strict=False):
        value, low, high, p, of_rest = map(float, numbers)
        if math.isnan(value):
            rows.append(Row([label_text(name), Cell(UNDEFINED, span=3)], "few"))
            continue
        mark = "differs" if p <= 1 - groups.intervals.level else ""
        write = change_text if measure.percent else partial(difference_text, measure)
        difference = Cell(write(value), True, below=range_text(write(low), write(high), unit=False), kind=mark)
        rows.append(Row([label_text(name), value_text(measure, of_rest), difference, p_cell(p)]))
    return ["group", f"{head_of(measure)} of the rest", "difference", "p"], rows


def group_rates(groups: Subgroups) -> tuple[list[Cell | str], list[Row]]:
    """Heads and rows of all rates, of all rows and of each group that is shown."""
    measures = [METRICS[key] for key in GROUP_RATES]
    cells = [_cell(measure, *groups.of_all(measure)[:3]) for measure in measures]
    lines = [Row(["All rows", *_sizes(groups.whole), *cells], "all")]
    rates = [groups.rate(measure, groups.shown) for measure in measures]
    column = groups.scores.current.roles.get("group")
    for index, name in enumerate(groups.names[: groups.shown]):
        cells = [
            _cell(measure, *(float(end[index]) for end in (*interval.ends, rows)))
            for measure, (interval, rows) in zip(measures, rates, strict=True)
        ]
        opens = Cell(label_text(name), rows=names_for_link(("group", column, name)))
        lines.append(Row([opens, *_sizes(groups.counts[index]), *cells]))
    return ["group", "n", "positives", *(Cell(head_of(m), heading=True, measure=m.key) for m in measures)], lines


def _cell(measure: MetricDef, value: float, low: float, high: float, rows: float = math.inf) -> Cell:
    kind, title = ("few", f"rests on {rows_text(rows)}") if rows < FEW else ("", "")
    if math.isnan(value):
        return Cell(UNDEFINED, below=measure.undefined_when, kind=kind, title=title)
    ends = [value_text(measure, b) if measure.key == AREA else f"{100 * b:.1f}" for b in (low, high)]
    below = "" if math.isnan(low) else range_text(*ends)
    return Cell(value_text(measure, value), strong=True, below=below, kind=kind, title=title)


def _sizes(counts: ConfusionCounts) -> list[str]:
    return [count_text(float(counts.total)), count_text(float(counts.actual_positives))]


@dataclass(frozen=True, eq=False)
class EqualisedRates:
    """Counts of the groups before and after each gets the threshold that brings a rate nearest to a value."""

    groups: Subgroups  # before
    measure: MetricDef  # one of `EQUALISED`
    value: float  # wanted in every group, 0 … 1
    choices: Sequence[Choice | None]  # those of `thresholds_of_groups`; a group without one keeps the threshold of all

    @cached_property
    def after(self) -> ConfusionCounts:
        """The counts of each group at its own threshold, shape (g,)."""
        before = self.groups.counts
        after = [before[place] if choice is None else choice.counts for place, choice in enumerate(self.choices)]
        return ConfusionCounts(*([getattr(counts, cell) for counts in after] for cell in CELLS))

    @property
    def verdict(self) -> str:
        """Total change in errors by the thresholds per group, in Markdown."""
        both = (self.groups.counts, self.after)
        before, after = (ConfusionCounts(*(getattr(each, cell).sum() for cell in CELLS)) for each in both)
        missed, alarms = float(after.fn - before.fn), float(after.fp - before.fp)
        old, new = float(accuracy(before)), float(accuracy(after))
        alarm_word = "false alarm" if abs(alarms) == 1 else "false alarms"
        return (
            f"Bringing the {EQUALISED[self.measure.key]} of every group as close to **{share_text(self.value)}** as "
            f"possible means **{_change(missed)} missed** and **{_change(alarms)} {alarm_word}** in total; accuracy "
            f"goes from {share_text(old)} to {share_text(new)} ({apart_text(share_text, new, old)})."
        )

    @property
    def short_verdict(self) -> str:
        """Groups that cannot reach the value, in Markdown; empty if all can."""
        sentences, name = [], EQUALISED[self.measure.key]
        hits, rows = inference.share_counts(self.measure, self.after)
        for group, choice, hit, row in zip(self.groups.names, self.choices, hits, rows, strict=True):
            group = f"**{label_markdown(group)}**"
            if choice is None:
                sentences.append(f"{group} keeps its threshold: its {name} is {UNDEFINED} at every threshold.")
            elif abs(choice.value - self.value) > NEAR:
                closest = f"{share_text(choice.value)} ({count_text(float(hit))} of {count_text(float(row))})"
                sentences.append(f"{group} cannot reach it: the closest its scores allow is {closest}.")
        if len(sentences) > _UNREACHED_NAMED:
            more = many_text(len(sentences) - _UNREACHED_NAMED, "more group")
            sentences[_UNREACHED_NAMED:] = [f"Nor can {more}."]
        return " ".join(sentences)

    @property
    def changes(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Heads and rows of the threshold of each group shown and its effect."""
        scores, rows = self.groups.scores, []
        for index, group in enumerate(self.groups.names[: self.groups.shown]):
            before, after, choice = self.groups.counts[index], self.after[index], self.choices[index]
            at = self.groups.threshold if choice is None else choice.threshold
            range_text = "as now" if choice is None else scores.range_text(choice.low, choice.high)
            rate, correct = (_change_cell(share_text, m(before), m(after)) for m in (self.measure, accuracy))
            pairs = (before.fn, after.fn), (before.fp, after.fp)
            missed, alarms = (_change_cell(count_text, *pair) for pair in pairs)
            threshold = Cell(scores.text(at), strong=True, below=range_text)
            rows.append([label_text(group), threshold, rate, missed, alarms, correct])
        return ["group", "threshold", EQUALISED[self.measure.key], "missed", "false alarms", "accuracy"], rows

    @property
    def table(self) -> dict[str, object]:
        """Every group with its threshold, the other end of those with the same counts, and its counts, unrounded."""
        now, label = (self.groups.threshold, math.nan), self.measure.label
        ends = [now if c is None else (c.threshold, c.low if c.low != c.threshold else c.high) for c in self.choices]
        columns: dict[str, object] = {"group": list(self.groups.names)}
        columns |= {"threshold": [at for at, _ in ends], "same counts until": [end for _, end in ends]}
        for when, counts in (("before", self.groups.counts), ("after", self.after)):
            columns |= {f"{cell} {when}": getattr(counts, cell) for cell in CELLS}
            columns |= {f"{label} {when}": self.measure(counts), f"ACC {when}": accuracy(counts)}
        return columns | {"wanted": np.full(len(self.groups), self.value)}


def thresholds_of_groups(states: Iterable[ScoredLabels], measure: MetricDef, value: float) -> list[Choice | None]:
    """Threshold of each group that brings a measure nearest to a value; None if undefined everywhere."""

    def choice(state: ScoredLabels) -> Choice | None:
        with suppress(NoThreshold):
            # Of a copy, so that the table is dropped again: it is five times the size of the scores.
            return threshold_for_value(replace(state).table(), measure, value)

    return list(map(choice, states))


def _change(by: float) -> str:
    return f"{count_text(abs(by))} {'more' if by > 0 else 'fewer'}" if by else "no more"


def _change_cell(write: Callable[[float], str], *values: npt.ArrayLike) -> Cell:
    old, new = (write(float(np.asarray(value))) for value in values)
    return Cell(new, strong=True, below="as now" if old == new else f"now {old}")
