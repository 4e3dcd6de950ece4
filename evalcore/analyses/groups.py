"""Groups and slices of rows: errors of estimates and rates of a class, and where a system is worse."""

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.classes import ClassTable
from evalcore.analyses.data import EstimateRows, PairedRows, RowGroups, RowSelection, Source, interval_text
from evalcore.analyses.data.label_pairs import outcomes_of
from evalcore.analyses.data.measure_table import as_columns, bounds_of
from evalcore.analyses.data.script import check, literal, script
from evalcore.classification import ClusterCounts, ConfusionCounts, ConfusionMatrix, ScoredLabels, roc_auc
from evalcore.estimation import Estimates
from evalcore.inference.base import Interval, IntervalChoice
from evalcore.inference.base.clustered import bag_of_clusters, placement_sums
from evalcore.inference.base.intervals import FEW_HEAVY
from evalcore.inference.independent import cochran_q
from evalcore.inference.intervals import estimate_interval, influence
from evalcore.inference.paired import ChiSquare, PairedClasses, PairedCounts
from evalcore.inference.slices import LEAST_SLICE, MOST_PAIRED, SliceSearch, WorseSlice, worse_slices
from evalcore.numeric import Array, distinct, rows_counted
from evalcore.readers import Filter, SliceColumn, samples, slice_columns, weighting
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import Cell, Row, count_text, level_text, names_for_link, number_text, p_text, share_text
from evalcore.wording.escaping import as_noun, label_markdown, label_text, measure_word, plain, short_names
from evalcore.wording.numbers import value_text

__all__ = ["SLICE_MEASURES", "ClassGroups", "ErrorGroups", "Slices", "search_slices", "searched_columns"]

_MOST_TABLES = 5000
"""Clusters up to which a square table is made without each in turn; of more, without one of so many bags of them."""
_MEASURES = ("mean_absolute_error", "root_mean_squared_error", "mean_error", "r_squared")
_FEW = 20
_FEW_DECIDE = "Few rows decide on one of the values: its interval may be too narrow."
_RATES = ("recall", "precision", "specificity", "f_beta")
SLICE_MEASURES = ("error_rate", "recall", "precision", "fall_out")  # measures by which slices are worse: shares of rows
_LISTED = 6


def groups_share_clusters(codes: Sequence[np.ndarray]) -> bool:
    """Whether some cluster has rows in several groups, from the cluster codes of each group."""
    return bool((np.bincount(np.concatenate([distinct(one) for one in codes])) > 1).any())


def count_contributions(measure: MetricDef, rows: PairedRows, target: str | None, clusters: int) -> Array:
    """Contribution of each cluster to B minus A in a group, or to the logarithm of B over A, shape (clusters,).

    Measures of the square table leave out one bag of very many clusters at a time, the same in every group.
    """
    paired = rows.class_counts() if target is None or measure.family == "matrix" else rows.counts(target)
    of_classes = isinstance(paired, PairedClasses)
    differences = _without_each_bag(measure, paired, clusters) if of_classes else _without_each(measure, paired)
    change = differences[0] - differences[1:]
    return np.where(np.isfinite(change), change, 0.0)


def _without_each(measure: MetricDef, paired: PairedCounts) -> Array:
    """B minus A of all rows, and without each cluster."""
    cells = np.zeros((0, 8)) if paired.clusters is None else paired.clusters.cells
    rest = PairedCounts((cells.sum(axis=0) - np.vstack([np.zeros(8), cells])).reshape(-1, 2, 2, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (np.asarray(measure(one), dtype=np.float64) for one in (rest.a, rest.b))
        return np.log(b) - np.log(a) if measure.paired_test == "logarithm" else b - a


def _without_each_bag(measure: MetricDef, paired: PairedClasses, clusters: int) -> Array:
    """B minus A of all rows, and without each bag of clusters."""
    cells = np.zeros((0, len(paired.counts)))
    if paired.rows is not None:
        which, codes, weights = paired.rows
        bags = bag_of_clusters(clusters, _MOST_TABLES)
        cells = ClusterCounts.of(which, bags[codes], len(paired.counts), weights).cells
    a, b = paired.matrices(paired.counts)
    differences = np.full(1 + len(cells), float(measure(b)) - float(measure(a)))
    for code in np.flatnonzero(cells.any(axis=1)).tolist():
        a, b = paired.matrices(paired.counts - cells[code])
        differences[1 + code] = float(measure(b)) - float(measure(a))
    return differences


def area_contributions(labels: np.ndarray, a: np.ndarray, b: np.ndarray, codes: np.ndarray, **beside: Any) -> Array:
    """Contribution of each cluster to the difference in ROC AUC, B minus A, shape (c,).

    Weights and the direction of the scores stand `beside`, as `ScoredLabels.from_arrays` takes them.
    """
    states = [ScoredLabels.from_arrays(labels, values, clusters=codes, **beside) for values in (a, b)]
    of_a, of_b = (np.sum(placement_sums(state, roc_auc(state)), axis=0) for state in states)
    return of_b - of_a


@dataclass(frozen=True, eq=False)
class ErrorGroups:
    """The main measures in each group of the group column; needs a data set with one."""

    estimates: EstimateRows
    level: float

    @cached_property
    def groups(self) -> RowGroups:
        """The groups of the rows."""
        return RowGroups(self.estimates.source, self.estimates.rows)

    @cached_property
    def states(self) -> dict[str, Estimates]:
        """Estimates by group. Group names are unescaped text from a file."""
        return {name: self.estimates.state[self.groups.mask(name)] for name in self.groups.names}

    @cached_property
    def intervals(self) -> dict[str, dict[str, Interval]]:
        """Intervals of each measure, by group and key."""
        measures, level = [METRICS[key] for key in _MEASURES], self.level
        of = {name: [estimate_interval(one, state, level) for one in measures] for name, state in self.states.items()}
        return {name: dict(zip(_MEASURES, intervals, strict=True)) for name, intervals in of.items()}

    @cached_property
    def heterogeneity(self) -> ChiSquare:
        """Cochran's Q test that the mean absolute error is the same in all groups."""
        ends = [one["mean_absolute_error"].ends for one in self.intervals.values()]
        return cochran_q(Interval(*np.array(ends).reshape(-1, 3).T), self.level, self._contributions)

    @property
    def _contributions(self) -> list[Array] | None:
        """Contribution of each cluster to the MAE of each group; None if no cluster is in several groups."""
        codes = [one.clusters for one in self.states.values() if one.clusters is not None]
        if not codes or not groups_share_clusters(codes):
            return None
        measure = METRICS["mean_absolute_error"]
        return [
            np.bincount(of, influence(measure, one) * one.weight) / one.total
            for one, of in zip(self.states.values(), codes, strict=True)
        ]

    @property
    def verdict(self) -> str:
        """Group with the largest errors, in Markdown."""
        errors = {name: one["mean_absolute_error"].estimate for name, one in self.intervals.items()}
        if not (known := {name: value for name, value in errors.items() if not math.isnan(value)}):
            return "No group has a row that counts."
        short, test = short_names(known, 30), self.heterogeneity
        ends = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
        worst, best = (f"{number_text(known[name])} in {plain(short[name])}" for name in ends)
        words = f"mean absolute error {worst}, {best}"
        if math.isnan(test.p_value):
            return f"**{words[:1].upper()}{words[1:]}.**"
        answer = "The" if test.p_value <= 1 - self.level + 1e-12 else "No sign that the"
        numbers = f"Cochran’s Q = {number_text(test.statistic)}, {p_text(test.p_value)}"
        return f"**{answer} error differs between groups**: {words} ({numbers})."

    @property
    def note(self) -> str:
        """Note on groups with few rows, groups not shown and intervals that may be too narrow."""
        few = [name for name in self.groups.names if self._rows(name) < _FEW]
        small = f" {len(few)} of the groups have fewer than {_FEW} rows, too few to tell much." if few else ""
        return f"Each group on its own rows.{small}{self.groups.left_out_note}{self._cautions}"

    @property
    def _cautions(self) -> str:
        """Cautions about groups with intervals that may be too narrow, each sentence after a blank."""
        cautions, short = dict[str, list[str]](), short_names(list(self.intervals), 30)
        for name, intervals in self.intervals.items():
            few, noted = (any(getattr(one, sign) for one in intervals.values()) for sign in ("few_heavy", "note"))
            if few or (noted and self._rows(name) >= _FEW):
                cautions.setdefault(FEW_HEAVY if few else _FEW_DECIDE, []).append(plain(short[name]))
        return "".join(f" {', '.join(names)}: {words}" for words, names in cautions.items())

    def _rows(self, name: str) -> int:
        """Number of rows of a group."""
        return round(self.estimates.source.dataset.rows_behind(self.estimates.rows[self.groups.mask(name)]))

    @property
    def table(self) -> dict[str, list]:
        """A row per group, unrounded."""
        table: dict[str, list] = {"group": list(self.intervals)}
        table["rows"] = [self._rows(name) for name in self.intervals]
        for key in _MEASURES:
            for word, end in {"": "estimate", " low": "low", " high": "high"}.items():
                column = [float(getattr(one[key], end)) for one in self.intervals.values()]
                table[f"{METRICS[key].symbol}{word}"] = column
        return table

    @property
    def code(self) -> str:
        """Python that measures every group again."""
        source = self.estimates.source
        return script(
            source.code,
            f"groups = ErrorGroups(EstimateRows.of(Source.of(data), {self.estimates.system!r}), level={self.level!r})",
            check('groups.table["MAE"]', self.table["MAE"]),
            "print(groups.verdict)",
        )


@dataclass(frozen=True, eq=False)
class ClassGroups:
    """Rates of one class (`name`) against the rest by group of the rows of a class table."""

    of_table: ClassTable
    name: str
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)

    @classmethod
    def offered(cls, table: ClassTable) -> bool:
        """Whether a column names the group of each row, and the rows are known."""
        return table.pairs is not None and table.current.roles.get("group") is not None

    @cached_property
    def groups(self) -> RowGroups:
        """The groups of the rows that take part."""
        return RowGroups(self.of_table.current, np.flatnonzero(self.of_table.rows.actual >= 0))

    @property
    def heads(self) -> list[Cell | str]:
        """Headings over `rows`."""
        rates = {key: f"{METRICS[key].short} of {label_text(self.name)[:20]}" for key in _RATES}
        named = ({"accuracy": "accuracy"} | rates).items()
        return ["group", "n", *(Cell(name, heading=True, measure=key) for key, name in named)]

    @property
    def rows(self) -> list[Row]:
        """A row per group: each rate over its interval."""
        rows = []
        column = self.of_table.current.roles.get("group")
        for group, rates in zip(self.groups.names, self._counts, strict=True):
            opens = Cell(label_text(group), rows=names_for_link(("group", column, group)))
            head = [opens, count_text(float(rates["recall"].total))]
            rows.append(Row([*head, *(self._cell(METRICS[key], of) for key, of in rates.items())]))
        return rows

    @property
    def note(self) -> str:
        """Note on the rates that are shown, in Markdown."""
        level = level_text(self.intervals.level)
        return (
            f"Accuracy is that of all classes; the other rates set {label_markdown(self.name)} against the rest. "
            f"In small print: {level} intervals ({self.intervals.method_name}).{self.groups.left_out_note}"
        )

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per group, unrounded."""
        n = [float(rates["recall"].total) for rates in self._counts]
        columns: dict[str, list[Any]] = {"group": self.groups.names, "n": n}
        for measure in (METRICS[key] for key in ("accuracy", *_RATES)):
            each = [rates[measure.key] for rates in self._counts]
            rows = ((float(measure(counts)), *bounds_of(self.intervals, measure, counts)) for counts in each)
            columns |= as_columns((measure.short, f"{measure.short} low", f"{measure.short} high"), rows)
        return columns

    @property
    def code(self) -> str:
        """Python that counts the same groups and asserts the rates."""
        table, current = self.of_table, self.of_table.current
        sample = f", sample={current.id!r}" if current.id in samples() else ""
        pairs, at = f"pairs = LabelPairs.of(source, {table.prediction!r})", None
        if table.at is not None:
            at = f"(scores, {literal(table.at[1])})"
            pairs = f"scores = Scores.of(source, {table.at[0].system!r})\npairs = LabelPairs.at{at}"
        intervals = f"IntervalChoice({self.intervals.method!r}, {literal(self.intervals.level)})"
        return script(
            table.code,
            f"source = Source.of(data, {current.system!r}{sample})",
            pairs,
            f"table = ClassTable.of(source, {table.prediction!r}, pairs, {table.merged_lists!r}, {at})",
            f"groups = ClassGroups(table, {self.name!r}, {intervals}).table",
            "print(pd.DataFrame(groups))",
            *(check(f"groups[{name!r}]", self.table[name]) for name in ("n", "accuracy", METRICS["recall"].short)),
        )

    @cached_property
    def _counts(self) -> list[dict[str, ConfusionCounts]]:
        """Counts of each group by rate: right and wrong rows for the accuracy, else the class against the rest."""
        table, pairs = self.of_table, self.of_table.rows
        used = pairs.actual >= 0
        actual, predicted = (codes[used] for codes in table.coded)
        counts = []
        for group in self.groups.names:
            mask = self.groups.mask(group)
            own, units = (None if each is None else each[used][mask] for each in (pairs.weights, pairs.clusters))
            matrix = ConfusionMatrix.from_labels(actual[mask], predicted[mask], range(len(table.classes)), own, units)
            right = actual[mask] == predicted[mask]
            as_counts = ConfusionCounts.from_labels(np.ones(len(right), bool), right, True, own, units)
            of_class = matrix.one_vs_rest()[table.classes.index(self.name)]
            counts.append({"accuracy": as_counts} | dict.fromkeys(_RATES, of_class))
        return counts

    def _cell(self, measure: MetricDef, counts: ConfusionCounts) -> Cell:
        value = float(measure(counts))
        if math.isnan(value):
            return Cell("undefined", kind="undefined", title=measure.undefined_when)
        return Cell(value_text(measure, value), strong=True, below=interval_text(measure, counts, self.intervals)[0])


@dataclass(frozen=True, eq=False)
class Slices:
    """Slices on which the system is worse, as `search_slices` found them."""

    of_table: ClassTable
    name: str  # the class that is set against the rest, which the error rate of all classes does not need
    measure: MetricDef
    search: SliceSearch
    level: float = 0.95

    @property
    def _word(self) -> str:
        of = "" if self.measure.key == "error_rate" else f" of {as_noun(self.name, 40)}"
        return measure_word(self.measure) + of

    @property
    def verdict(self) -> str:
        """Verdict on whether some slice is worse, in Markdown; or the reason that it cannot be tested."""
        if self.of_table.current.dataset.is_counted:
            return "This needs the rows themselves, and they were counted and not loaded."
        if not searched_columns(self.of_table.current)[0]:
            return "This needs other columns that describe the rows, such as age, sex or site."
        bad, counted = _bad_rows(self.of_table, self.name, self.measure)
        if not counted.any():
            return f"The {self._word} is undefined: {self.measure.undefined_when}."
        if not (bad & counted).any() or bad[counted].all():
            value = share_text(self._value(float(bad[counted].any())))
            return f"**The {self._word} is {value} in every slice.**"
        if not self.search.searched:
            return (
                f"There are too few rows to compare: a slice needs at least {LEAST_SLICE} and at most three quarters "
                f"of the {self.measure.share_of} in the half that is searched, and each half needs some errors."
            )
        higher = "higher" if self.measure.best == 0 else "lower"
        if number := len(self.search.slices):
            many = "1 slice" if number == 1 else f"{count_text(number)} slices"
            return f"**The {self._word} is {higher} in {many}**, as the held-out half confirms."
        reason = {
            0: "None stood out in the half that was searched.",
            1: "One stood out in the half that was searched; the other half did not confirm it.",
        }.get(tested := self.search.tested)
        many = f"The {count_text(tested)} that stood out most in one half were not confirmed by the other."
        return f"**By {self._word}, no slice stands out beyond chance.** {reason or many}"

    @property
    def lines(self) -> list[str]:
        """Each slice and how much worse it is, in Markdown."""
        return list(map(self._line, self.search.slices))

    def _line(self, one: WorseSlice) -> str:
        low, high = sorted(map(self._value, (one.rate.low, one.rate.high)))
        rate, rest = (share_text(self._value(value)) for value in (one.rate.estimate, one.rest))
        return (
            f"**{plain(self.condition(one), 160)}** · {measure_word(self.measure)} **{rate}** "
            f":small[({100 * low:.1f}–{share_text(high)})], all others {rest} "
            f":small[:gray[· {count_text(one.total)} {self.measure.share_of} · {p_text(one.p_value)}]]"
        )

    def condition(self, one: WorseSlice) -> str:
        """Condition on the rows of a slice. Contains names from the file: escape them."""
        return _condition(self.steps(one))

    def steps(self, one: WorseSlice) -> tuple[Filter, ...]:
        """The filters that keep the rows of a slice."""
        columns, _ = searched_columns(self.of_table.current)
        return tuple(columns[column].filters[place] for column, place in one.parts)

    def selection(self, *texts: str) -> RowSelection | None:
        """The rows that filters of searched columns keep, given as their texts; None where there is no such filter."""
        source = self.of_table.current
        known = {step.to_text(): step for column in searched_columns(source)[0] for step in column.filters}
        if not texts or not known.keys() >= {*texts}:
            return None
        steps = tuple(map(known.__getitem__, texts))
        rows = np.flatnonzero(np.logical_and.reduce([step.mask(source.frame) for step in steps]))
        name, columns = plain(_condition(steps), 160), [step.column for step in steps]
        return RowSelection.called(name, source, rows, *columns, known=steps)

    @property
    def note(self) -> str:
        """Note on the slices searched and on the test, in Markdown."""
        source = self.of_table.current
        columns, others = searched_columns(source)
        if not self.search.searched:
            return _left_out(others)
        searched, several = count_text(self.search.searched), count_text(len(columns))
        of = "one column" if len(columns) == 1 else f"one or two of {several} columns"
        if len(columns) > MOST_PAIRED:
            of += f" (two of the {MOST_PAIRED} whose own slices are worst)"
        half = f"one half of the {source.units}; the split depends on the file alone."
        sentences = [f"{searched} slices of {of} were searched in {half}"]
        if self.search.slices:
            test = "Fisher's one-sided test"
            test = f"a one-sided t test of whole {source.cluster_words}" if source.clusters else test
            sentences.append(
                "Rates and p come from the other half. Rates are shrunk towards the rate of all rows, with "
                f"{level_text(self.level)} intervals; p is from {test} against all other rows (for slices of two "
                f"columns, also against the rest of each), corrected by Holm (tests: {self.search.tested})."
            )
        if weighting(source.dataset) is not None:
            sentences.append("Weights count by the effective number of rows (Kish).")
        return " ".join(filter(None, [*sentences, _left_out(others)]))

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per slice, unrounded."""
        label, rows = self.measure.label, []
        for one in self.search.slices:
            held_out, rate, rest = map(self._value, (one.bad / one.rows, one.rate.estimate, one.rest))
            ends = sorted(map(self._value, (one.rate.low, one.rate.high)))
            rows.append((self.condition(one), one.total, one.rows, held_out, rate, *ends, rest, one.p_value))
        titles = ("slice", self.measure.share_of, "held out", f"{label} held out", label, f"{label} low")
        return as_columns((*titles, f"{label} high", f"{label} of all others", "p (Holm)"), rows)

    @property
    def code(self) -> str:
        """Python that finds the same slices."""
        table, measure = self.of_table, f"METRICS[{self.measure.key!r}]"
        source, pairs = table.current, f"LabelPairs.of(source, {table.prediction!r})"
        if table.at is not None:
            pairs = f"LabelPairs.at(Scores.of(source, {table.at[0].system!r}), {literal(float(table.at[1]))})"
        return script(
            source.code,
            f"source = Source.of(data, {source.system!r})",
            f"table = ClassTable.of(source, {table.prediction!r}, {pairs}, {table.merged_lists!r})",
            f"seed = {_seed(table)}  # draws the two halves",
            f"search = search_slices(table, {self.name!r}, {measure}, {self.level!r}, seed)",
            f"slices = Slices(table, {self.name!r}, {measure}, search, {self.level!r})",
            f"assert slices.table['slice'] == {self.table['slice']!r}",
            "print(slices.verdict, slices.table)",
        )

    def _value(self, bad: float) -> float:
        """Value of the measure for a given share of bad rows."""
        return bad if self.measure.best == 0 else 1 - bad


def _condition(steps: Iterable[Filter]) -> str:
    return " and ".join(step.condition for step in steps)


def searched_columns(source: Source) -> tuple[tuple[SliceColumn, ...], tuple[str, ...]]:
    """Columns to search for slices, and names of the columns left out; none if rows are counted.

    Halves of lines that stand for many rows are no halves of the rows.
    """
    return ((), ()) if source.dataset.is_counted else slice_columns(source.dataset)


def search_slices(
    table: ClassTable, name: str, measure: MetricDef, level: float = 0.95, seed: int | None = None
) -> SliceSearch:
    """Search the slices of all other columns on which a measure is worse; see `worse_slices`.

    The measure is one of `SLICE_MEASURES`: that of a class against the rest, or the error rate of all classes. By
    default the content of the data set draws the halves, so that the same file always gives the same slices.
    """
    pairs, (columns, _) = table.rows, searched_columns(table.current)
    kind = weighting(table.current.dataset)
    whole = kind is None or kind.are == "counts"
    # The halves are halves of the rows, also of those that one row counts.
    rows = rows_counted(pairs.weights) if whole else None
    bad, counted = _bad_rows(table, name, measure)
    every = slice(None) if rows is None else rows
    clusters = pairs.clusters[every] if table.current.clusters and pairs.clusters is not None else None
    codes, members = [column.codes[every] for column in columns], [column.members for column in columns]
    options = {"whole": whole, "seed": _seed(table) if seed is None else seed, "level": level, "clusters": clusters}
    weights = pairs.weights if rows is None else None
    return worse_slices(codes, members, bad[every], counted[every], weights, **options)


def _bad_rows(table: ClassTable, name: str, measure: MetricDef) -> tuple[np.ndarray, np.ndarray]:
    """Masks of the rows that worsen the measure and of the rows that it is computed on."""
    actual, predicted = table.coded
    used = actual >= 0
    if measure.key == "error_rate":
        return actual != predicted, used
    place = table.classes.index(name)
    actual, predicted = actual == place, predicted == place
    cells = outcomes_of(actual, predicted)
    below, above = measure.denominator, measure.numerator
    counted, good = (np.logical_or.reduce([cells[cell] for cell in side]) for side in (below, above))
    return good if measure.best == 0 else ~good, counted & used


def _seed(table: ClassTable) -> int:
    return int.from_bytes(hashlib.blake2b(table.current.dataset.digest.encode(), digest_size=6).digest())


def _left_out(names: tuple[str, ...]) -> str:
    """The columns that were not searched, in Markdown."""
    more = f" and {count_text(len(names) - _LISTED)} more" if len(names) > _LISTED else ""
    listed = ", ".join(plain(name, 30) for name in names[:_LISTED])
    return f"Not searched, because they name rows or hardly vary: {listed}{more}." if names else ""
