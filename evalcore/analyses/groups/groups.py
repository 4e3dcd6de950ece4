"""Errors of estimates and rates of a class by group of rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.classes.classes import ClassTable
from evalcore.analyses.data.estimates import EstimateRows
from evalcore.analyses.data.measure_table import interval_text
from evalcore.analyses.data.paired_rows import PairedRows
from evalcore.analyses.data.script import check, literal, script
from evalcore.analyses.data.shaping import RowGroups
from evalcore.classification import ClusterCounts, ConfusionCounts, ConfusionMatrix, ScoredLabels, roc_auc
from evalcore.inference import ChiSquare, Interval, IntervalChoice, PairedClasses, PairedCounts, cochran_q
from evalcore.inference.base.clustered import bag_of_clusters
from evalcore.inference.base.clustered_areas import placement_sums
from evalcore.inference.base.influence import influence
from evalcore.inference.base.intervals import FEW_HEAVY
from evalcore.inference.intervals.estimates import estimate_interval
from evalcore.numeric import Array
from evalcore.readers import samples
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import Cell, Row, label_markdown, label_text, plain, short_names
from evalcore.wording.numbers import count_text, level_text, number_text, p_text, value_text

__all__ = ["ClassGroups", "ErrorGroups"]


_MOST_TABLES = 5000
"""Square tables that are made with a cluster left out; of more clusters, each time a bag of them is left out."""


def groups_share_clusters(codes: Sequence[np.ndarray]) -> bool:
    """Whether some cluster has rows in several groups, from the cluster codes of each group."""
    each = np.concatenate([np.unique(one) for one in codes])
    return bool((np.bincount(each) > 1).any())


def count_contributions(measure: MetricDef, rows: PairedRows, target: str | None, clusters: int) -> Array:
    """Contribution of each cluster to B minus A in a group, or to the logarithm of B over A, shape (c,).

    So many clusters have rows in any group. Measures of the square table leave out one bag of very many at a time, the
    same in every group.
    """
    paired = rows.class_counts() if target is None or measure.family == "matrix" else rows.counts(target)
    if isinstance(paired, PairedClasses):
        differences = _class_contributions(measure, paired, bag_of_clusters(clusters, _MOST_TABLES))
    else:
        differences = _pair_contributions(measure, paired)
    change = differences[0] - differences[1:]
    return np.where(np.isfinite(change), change, 0.0)


def _pair_contributions(measure: MetricDef, paired: PairedCounts) -> Array:
    cells = np.zeros((0, 8)) if paired.clusters is None else paired.clusters.cells
    left_out = PairedCounts((cells.sum(axis=0) - np.vstack([np.zeros(8), cells])).reshape(-1, 2, 2, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        values: list[Any] = [np.asarray(measure(one), dtype=np.float64) for one in (left_out.a, left_out.b)]
        if measure.paired_test == "logarithm":
            values = [np.log(one) for one in values]
        return values[1] - values[0]


def _class_contributions(measure: MetricDef, paired: PairedClasses, bags: np.ndarray) -> Array:
    cells = np.zeros((0, len(paired.counts)))
    if paired.rows is not None:
        which, codes, weights = paired.rows
        cells = ClusterCounts.of(which, bags[codes], len(paired.counts), weights).cells
    differences = np.full(1 + len(cells), _apart(measure, paired, paired.counts))
    for code in np.flatnonzero(cells.any(axis=1)).tolist():
        differences[1 + code] = _apart(measure, paired, paired.counts - cells[code])
    return differences


def _apart(measure: MetricDef, paired: PairedClasses, counts: Array) -> float:
    a, b = paired.matrices(counts)
    return float(measure(b)) - float(measure(a))


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
    def intervals(self) -> dict[str, dict[str, Interval]]:
        """Intervals of each measure, by group and key. Group names are unescaped text from a file."""
        states = {name: self.estimates.state[self.groups.mask(name)] for name in self.groups.names}
        return {
            name: {key: estimate_interval(METRICS[key], state, self.level) for key in _MEASURES}
            for name, state in states.items()
        }

    @cached_property
    def heterogeneity(self) -> ChiSquare:
        """Could the mean absolute error be the same in all groups? Cochran's Q, from the intervals."""
        ends = [one["mean_absolute_error"].ends for one in self.intervals.values()]
        return cochran_q(Interval(*np.array(ends).reshape(-1, 3).T), self.level, self._contributions)

    @property
    def _contributions(self) -> list[Array] | None:
        """Contribution of each cluster to the MAE of each group; None if no cluster is in several groups."""
        states = [self.estimates.state[self.groups.mask(name)] for name in self.groups.names]
        codes = [one.clusters for one in states if one.clusters is not None]
        if not codes or not groups_share_clusters(codes):
            return None
        measure = METRICS["mean_absolute_error"]
        return [
            np.bincount(of, influence(measure, one) * one.weight) / one.total
            for one, of in zip(states, codes, strict=True)
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
        numbers = f"Cochran’s Q = {number_text(test.statistic)}, {p_text(test.p_value)}"
        if test.p_value <= 1 - self.level + 1e-12:
            return f"**The error differs between groups**: {words} ({numbers})."
        return f"**No sign that the error differs between groups**: {words} ({numbers})."

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
            symbol = METRICS[key].symbol
            ends = np.array([one[key].ends for one in self.intervals.values()], dtype=float).reshape(-1, 3)
            table |= {symbol: ends[:, 0].tolist(), f"{symbol} low": ends[:, 1].tolist()}
            table |= {f"{symbol} high": ends[:, 2].tolist()}
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
        named = [Cell(name, heading=True, measure=key) for key, name in {"accuracy": "accuracy", **names}.items()]
        return ["group", "n", *named]

    @property
    def rows(self) -> list[Row]:
        """A row per group: each rate over its interval."""
        rows = []
        for group, (right, counts) in zip(self.groups.names, self._counts, strict=True):
            cells = [self._cell(measure, of) for measure, of in self._measures(right, counts)]
            rows.append(Row([label_text(group), count_text(float(counts.total)), *cells]))
        return rows

    @property
    def note(self) -> str:
        """Note on the rates that are shown, in Markdown."""
        others = f" {count_text(self.groups.left_out)} smaller groups are not shown." if self.groups.left_out else ""
        level = level_text(self.intervals.level)
        return (
            f"Accuracy is that of all classes; the other rates set {label_markdown(self.name)} against the rest. "
            f"Small print: {level} intervals ({self.intervals.method_name}).{others}"
        )

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per group, unrounded."""
        columns: dict[str, list[Any]] = {"group": self.groups.names, "n": [float(c.total) for _, c in self._counts]}
        for index, key in enumerate(("accuracy", *_RATES)):
            each = [self._measures(*both)[index] for both in self._counts]
            results = [self.intervals.of(measure, of) for measure, of in each]
            columns[METRICS[key].short] = [float(measure(of)) for measure, of in each]
            for end in ("low", "high"):
                bounds = [math.nan if one is None else float(getattr(one[0], end)) for one in results]
                columns[f"{METRICS[key].short} {end}"] = bounds
        return columns

    @property
    def code(self) -> str:
        """Python that counts the same groups and asserts the rates."""
        table, current = self.of_table, self.of_table.current
        sample = f", sample={current.id!r}" if current.id in samples() else ""
        lines, at = [f"pairs = LabelPairs.of(source, {table.prediction!r})"], ""
        if table.at is not None:
            at = f"(scores, {literal(table.at[1])})"
            lines = [f"scores = Scores.of(source, {table.at[0].system!r})", f"pairs = LabelPairs.at{at}"]
        merged = [(new, *(old for old in table.groups if table.groups[old] == new)) for new in {*table.groups.values()}]
        return script(
            table.code,
            f"source = Source.of(data, {current.system!r}{sample})",
            *lines,
            f"table = ClassTable.of(source, {table.prediction!r}, pairs, {sorted(merged)!r}, {at or None})",
            f"groups = ClassGroups(table, {self.name!r}, IntervalChoice({self.intervals.method!r}, "
            f"{literal(self.intervals.level)})).table",
            "print(pd.DataFrame(groups))",
            *(check(f"groups[{name!r}]", self.table[name]) for name in ("n", "accuracy", METRICS["recall"].short)),
        )

    @cached_property
    def _counts(self) -> list[tuple[ConfusionCounts, ConfusionCounts]]:
        """For each group: counts of right and wrong rows, and counts of the class against the rest."""
        table, pairs = self.of_table, self.of_table.rows
        used = pairs.actual >= 0
        actual, predicted = (codes[used] for codes in table.coded)
        weights = None if pairs.weights is None else pairs.weights[used]
        counts = []
        for group in self.groups.names:
            mask = self.groups.mask(group)
            own = None if weights is None else weights[mask]
            units = None if pairs.clusters is None else pairs.clusters[used][mask]
            matrix = ConfusionMatrix.from_labels(actual[mask], predicted[mask], range(len(table.classes)), own, units)
            right = actual[mask] == predicted[mask]
            as_counts = ConfusionCounts.from_labels(np.ones(len(right), bool), right, True, own, units)
            counts.append((as_counts, matrix.one_vs_rest()[table.classes.index(self.name)]))
        return counts

    @staticmethod
    def _measures(right: ConfusionCounts, counts: ConfusionCounts) -> list[tuple[MetricDef, ConfusionCounts]]:
        return [(METRICS["accuracy"], right), *((METRICS[key], counts) for key in _RATES)]

    def _cell(self, measure: MetricDef, counts: ConfusionCounts) -> Cell:
        value = float(measure(counts))
        if math.isnan(value):
            return Cell("undefined", kind="undefined", title=measure.undefined_when)
        return Cell(value_text(measure, value), strong=True, below=interval_text(measure, counts, self.intervals)[0])
