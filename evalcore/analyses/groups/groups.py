"""Errors of estimates and rates of a class by group of rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.classes.classes import ClassTable
from evalcore.analyses.data import EstimateRows, PairedRows, RowGroups, check, interval_text, literal, script
from evalcore.classification import ClusterCounts, ConfusionCounts, ConfusionMatrix, ScoredLabels, roc_auc
from evalcore.estimation import Estimates
from evalcore.inference import ChiSquare, Interval, IntervalChoice, PairedClasses, PairedCounts, cochran_q
from evalcore.inference.base.clustered import bag_of_clusters, placement_sums
from evalcore.inference.base.intervals import FEW_HEAVY
from evalcore.inference.intervals.estimates import estimate_interval, influence
from evalcore.numeric import Array, distinct
from evalcore.readers import samples
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import Cell, Row, label_markdown, label_text, plain, short_names
from evalcore.wording.numbers import count_text, level_text, number_text, p_text, value_text

__all__ = ["ClassGroups", "ErrorGroups"]

_MOST_TABLES = 5000
"""Clusters up to which a square table is made without each in turn; of more, without one of so many bags of them."""


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


def area_contributions(
    labels: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray | None = None,
    higher: bool = True,
) -> Array:
    """Contribution of each cluster to the difference in ROC AUC, B minus A, shape (c,)."""
    sums = []
    for values in (a, b):
        state = ScoredLabels.from_arrays(labels, values, weights=weights, clusters=codes, higher_is_positive=higher)
        sums.append(np.sum(placement_sums(state, roc_auc(state)), axis=0))
    return sums[1] - sums[0]


_MEASURES = ("mean_absolute_error", "root_mean_squared_error", "mean_error", "r_squared")
_FEW = 20
_FEW_DECIDE = "Few rows decide on one of the values: its interval may be too narrow."


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
        return {
            name: {key: estimate_interval(METRICS[key], state, self.level) for key in _MEASURES}
            for name, state in self.states.items()
        }

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
        known = {name: value for name, value in errors.items() if not math.isnan(value)}
        if not known:
            return "No group has a row that counts."
        short = short_names(known, 30)
        worst, best = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
        test = self.heterogeneity
        words = (
            f"mean absolute error {number_text(known[worst])} in {plain(short[worst])}, {number_text(known[best])} in "
            f"{plain(short[best])}"
        )
        if math.isnan(test.p_value):
            return f"**{words[:1].upper()}{words[1:]}.**"
        answer = "The" if test.p_value <= 1 - self.level + 1e-12 else "No sign that the"
        numbers = f"Cochran’s Q = {number_text(test.statistic)}, {p_text(test.p_value)}"
        return f"**{answer} error differs between groups**: {words} ({numbers})."

    @property
    def note(self) -> str:
        """Note on groups with few rows, groups not shown and intervals that may be too narrow."""
        more = f" {count_text(self.groups.left_out)} smaller groups are not shown." if self.groups.left_out else ""
        few = [name for name in self.groups.names if self._rows(name) < _FEW]
        small = f" {len(few)} of the groups have fewer than {_FEW} rows, too few to tell much." if few else ""
        return f"Each group on its own rows.{small}{more}{self._cautions}"

    @property
    def _cautions(self) -> str:
        """Cautions about groups with intervals that may be too narrow, each sentence after a blank."""
        cautions: dict[str, list[str]] = {}
        for name, intervals in self.intervals.items():
            each = intervals.values()
            if any(one.few_heavy for one in each):
                cautions.setdefault(FEW_HEAVY, []).append(name)
            elif any(one.note for one in each) and self._rows(name) >= _FEW:
                cautions.setdefault(_FEW_DECIDE, []).append(name)
        short = short_names(list(self.intervals), 30)
        return "".join(
            f" {', '.join(plain(short[one]) for one in names)}: {words}" for words, names in cautions.items()
        )

    def _rows(self, name: str) -> int:
        """Number of rows of a group."""
        rows = self.estimates.rows[self.groups.mask(name)]
        return round(self.estimates.source.dataset.rows_behind(rows))

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


_RATES = ("recall", "precision", "specificity", "f_beta")


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
        names = {key: f"{METRICS[key].short} of {label_text(self.name)[:20]}" for key in _RATES}
        rates = {"accuracy": "accuracy", **names}
        return ["group", "n", *(Cell(name, heading=True, measure=key) for key, name in rates.items())]

    @property
    def rows(self) -> list[Row]:
        """A row per group: each rate over its interval."""
        return [
            Row(
                [
                    Cell(label_text(group), rows=f"group~{place}"),
                    count_text(float(rates["recall"].total)),
                    *(self._cell(METRICS[key], of) for key, of in rates.items()),
                ]
            )
            for place, (group, rates) in enumerate(zip(self.groups.names, self._counts, strict=True))
        ]

    @property
    def note(self) -> str:
        """Note on the rates that are shown, in Markdown."""
        others = f" {count_text(self.groups.left_out)} smaller groups are not shown." if self.groups.left_out else ""
        level = level_text(self.intervals.level)
        return (
            f"Accuracy is that of all classes; the other rates set {label_markdown(self.name)} against the rest. "
            f"In small print: {level} intervals ({self.intervals.method_name}).{others}"
        )

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per group, unrounded."""
        n = [float(rates["recall"].total) for rates in self._counts]
        columns: dict[str, list[Any]] = {"group": self.groups.names, "n": n}
        for measure in (METRICS[key] for key in ("accuracy", *_RATES)):
            each = [rates[measure.key] for rates in self._counts]
            results = [self.intervals.of(measure, counts) for counts in each]
            columns[measure.short] = [float(measure(counts)) for counts in each]
            for end in ("low", "high"):
                bounds = [math.nan if one is None else float(getattr(one[0], end)) for one in results]
                columns[f"{measure.short} {end}"] = bounds
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
