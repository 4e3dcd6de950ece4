"""ROC coordinates as tables: by distinct threshold, or by decision where there are no scores."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.confusion import Requirement, rulings
from evalcore.analyses.data import CELLS, Scores, Source, check, script, system_titles
from evalcore.analyses.data.measure_table import as_columns, bounds_of
from evalcore.analyses.data.scores import goal_value_text
from evalcore.classification import Choice, ConfusionCounts, Goal, NoThreshold, fall_out, inverted, recall, youden_j
from evalcore.inference import IntervalChoice
from evalcore.numeric import Array
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import count_text, level_text, one_line, plain, range_text, share_text, threshold_text, value_text

__all__ = ["MOST_POINTS", "MOST_RATED", "RATES", "ROC_POINT_MEASURES", "ROC_RATES", "RocPoint", "RocPoints"]
__all__ += ["RocTable", "SystemRates", "with_opposites"]

# Measures in the table, by their columns.
ROC_RATES = {
    "TPR": "recall", "FPR": "fall_out", "precision": "precision", "accuracy": "accuracy", "F1": "f_beta",
    "J": "youden_j",
}  # fmt: skip
# Rows on the page and in a file, and rows that are marked as good as the best.
_SHOWN, _TAKEN, _MOST_TIES = 2_000, 100_000, 20
MOST_POINTS = 200  # points of a picture, and lines of the verdict

ROC_POINT_MEASURES = (
    "recall", "fall_out", "specificity", "precision", "negative_predictive_value", "accuracy", "youden_j",
)  # fmt: skip
RATES = ("recall", "specificity", "precision", "negative_predictive_value", "accuracy", "f_beta")
"""The measures that stand beside each other."""
MOST_RATED = 100  # systems that are shown beside each other; resampled intervals are made for so many in a second


@dataclass(frozen=True, eq=False)
class RocTable:
    """Rows of the threshold table, evenly spaced by rank, including the marked ones."""

    scores: Scores
    rows: Sequence[int]  # places in the table of thresholds
    goal: Goal | None = None
    choice: Choice | None = None  # the best threshold for the goal, if any
    marks: dict[int, str] | None = None  # of some rows: best, as good, current

    @classmethod
    def whole(cls, scores: Scores) -> "RocTable":
        """All rows, as far as they go into a file."""
        return cls(scores, _spread_evenly(len(scores.table), _TAKEN))

    @classmethod
    def of(cls, scores: Scores, goal: Goal, threshold: float) -> "RocTable":
        """The rows of the page, with the best by the goal and the one of the current threshold."""
        table, marks = scores.table, {}
        try:
            choice = goal.choose(table)
            marks |= {table.index(tied): "as good" for tied in choice.tied_thresholds[:_MOST_TIES].tolist()}
            marks[table.index(choice.threshold)] = "best"
        except NoThreshold:
            choice = None
        now = table.index(threshold)
        marks[now] = ", ".join(filter(None, ("current", marks.get(now))))
        return cls(scores, _spread_evenly(len(table), _SHOWN, marks), goal, choice, marks)

    @property
    def table(self) -> dict[str, Array | list[str]]:
        """Marks, threshold, the actual class of the rows with this score, counts and rates as columns, unrounded."""
        table, rows = self.scores.table, list(self.rows)
        counts = table.counts[rows]
        marks = {} if self.marks is None else {"mark": [self.marks.get(row, "") for row in self.rows]}
        cells = {name.upper(): getattr(counts, name) for name in CELLS}
        rates = {name: METRICS[key](counts) for name, key in ROC_RATES.items()}
        return {**marks, "threshold": table.thresholds[rows], "class": self._classes, **cells, **rates}

    @property
    def _classes(self) -> list[str]:
        """Actual classes of the rows at each threshold, as counts if there are several."""
        counts, rows = self.scores.table.counts, np.asarray(self.rows)
        entering = [cell[rows] - np.where(rows > 0, cell[rows - 1], cell[rows]) for cell in (counts.tp, counts.fp)]
        names = one_line(self.scores.positive), one_line(self.scores.negative)
        return [_classes_text(names, numbers) for numbers in zip(*(each.tolist() for each in entering), strict=True)]

    @property
    def verdict(self) -> str:
        """The best threshold by the goal and the number of ties."""
        if self.goal is None or self.choice is None:
            return "No threshold meets this goal."
        best = self.choice.threshold
        at = f"Best: {goal_value_text(self.scores, self.goal, best)} at {threshold_text(best)}"
        others = len(self.choice.ties) - 1
        ties = f", tied with {count_text(others)} other{'' if others == 1 else 's'}" if others else ""
        return f"{at}{ties}."

    @property
    def notes(self) -> str:
        """Note on how many of the thresholds are listed."""
        distinct, shown = len(self.scores.table), len(self.rows)
        if shown == distinct:
            return f"All {count_text(distinct)} thresholds that make a difference."
        spread = f"{count_text(shown)} of {count_text(distinct)} thresholds, evenly spaced by rank"
        return f"{spread}; the CSV below has {'all' if distinct <= _TAKEN else count_text(_TAKEN)}."


def _classes_text(names: Sequence[str], numbers: Sequence[float]) -> str:
    """The classes that have rows, with their numbers.

    >>> _classes_text(("P", "N"), (1, 0)), _classes_text(("P", "N"), (1, 2))
    ('P', 'P, N (×2)')
    """
    both = zip(names, numbers, strict=True)
    return ", ".join(f"{name} (×{count_text(number)})" if number != 1 else name for name, number in both if number)


def _spread_evenly(length: int, most: int, marks: dict[int, str] | None = None) -> list[int]:
    step = math.ceil(length / most)
    return sorted({*range(0, length, step), length - 1, *(marks or ())})


@dataclass(frozen=True, eq=False)
class RocPoint:
    """Counts of one decision, shape (), or of its opposite; the name is unescaped text from a file."""

    name: str
    counts: ConfusionCounts
    is_opposite: bool = False

    @property
    def is_below(self) -> bool:
        """Whether it lies below the diagonal, so that the opposite decision is better."""
        return float(recall(self.counts)) < float(fall_out(self.counts))

    @property
    def opposite(self) -> "RocPoint":
        """The decision with the predictions reversed."""
        return RocPoint(f"not {self.name}", inverted(self.counts), is_opposite=True)


def with_opposites(points: Iterable[RocPoint]) -> list[RocPoint]:
    """Decisions in their order, each below the diagonal followed by its opposite.

    >>> below = RocPoint("B", ConfusionCounts(tp=40, fp=80, fn=60, tn=20))
    >>> [(point.name, float(recall(point.counts))) for point in with_opposites([below])]
    [('B', 0.4), ('not B', 0.6)]
    """
    return [one for point in points for one in ((point, point.opposite) if point.is_below else (point,))]


@dataclass(frozen=True, eq=False)
class RocPoints:
    """The points of a table of counts: one per system, or one per class against the rest."""

    source: Source
    points: Sequence[RocPoint]

    @classmethod
    def of(cls, source: Source) -> "RocPoints":
        """Read the counts of a source. Raises ReadProblem if they cannot be used."""
        dataset = source.dataset
        if not dataset.is_matrix:
            return cls(source, [RocPoint(name, dataset.counts(name)) for name in dataset.systems])
        matrix, each = dataset.matrix(), dataset.matrix().one_vs_rest()
        return cls(source, [RocPoint(name, each[index]) for index, name in enumerate(matrix.classes)])

    @property
    def chosen(self) -> RocPoint | None:
        """Point of the chosen system, else the first; None without points."""
        return next((point for point in self.points if point.name == self.source.system), next(iter(self.points), None))

    def regions(self, requirements: Sequence[Requirement], share: float | None = None) -> list[Requirement]:
        """Conditions under which the chosen point rules out or rules in."""
        judged = () if self.chosen is None else rulings(self.chosen.counts, requirements, share)
        return [one for ruling in judged for one, _ in ruling.parts]

    @property
    def headline(self) -> str:
        """The point that lies highest above the diagonal, and what points are, in Markdown."""
        what = "Counts come from one decision per row, so each system is one point; up and to the left is better."
        best = max(self.points, key=lambda point: np.nan_to_num(youden_j(point.counts), nan=-2.0), default=None)
        if best is None or not (best.counts.actual_positives and best.counts.actual_negatives):
            return what
        found, alarms = (share_text(float(rate(best.counts))) for rate in (recall, fall_out))
        name = f"{plain(best.name, 40)}{' separates best' if len(self.points) > 1 else ''}"
        return f"**{name}: finds {found}, at a false positive rate of {alarms}.** {what}"

    def verdict(self, requirements: Sequence[Requirement] = (), share: float | None = None) -> str:
        """Judgement of each point at a prevalence, by default that of its sample, as a list in Markdown."""
        lines = []
        # The chosen one first.
        for point in sorted(self.points[:MOST_POINTS], key=lambda point: point is not self.chosen):
            name, counts = plain(point.name, 40), point.counts
            if point.is_below:
                lines.append(f"- **{name}** lies below the diagonal: **the opposite decision is better**. Invert it.")
            elif counts.actual_positives and counts.actual_negatives:
                clauses = "; ".join(ruling.clause for ruling in rulings(counts, requirements, share))
                lines.append(f"- **{name}** {clauses}.")
        return "\n".join(lines)

    @property
    def table(self) -> dict[str, list]:
        """Counts and rates of each point and of each opposite that is better, as columns, unrounded."""
        points = with_opposites(self.points)
        table: dict[str, list] = {"system": [one_line(point.name) for point in points]}
        table |= {cell.upper(): [float(getattr(point.counts, cell)) for point in points] for cell in CELLS}
        measures = [METRICS[key] for key in ROC_POINT_MEASURES]
        return table | {m.name: [float(m(point.counts)) for point in points] for m in measures}

    @property
    def code(self) -> str:
        """A script that asserts the place of each point and inverts those below the diagonal."""
        if self.source.dataset.is_matrix:
            points = "matrix = data.matrix()\neach = matrix.one_vs_rest()\n"
            points += "points = {name: each[index] for index, name in enumerate(matrix.classes)}"
        else:
            points = "points = {system: data.counts(system) for system in data.systems}"
        rates = [[float(fall_out(point.counts)), float(recall(point.counts))] for point in self.points]
        return script(
            self.source.code,
            points,
            "places = {name: [float(fall_out(counts)), float(recall(counts))] for name, counts in points.items()}",
            check("list(places.values())", rates),
            "for name, (x, y) in places.items():",
            "    if y < x:",
            "        opposite = inverted(points[name])",
            '        print(name, "is better inverted:", float(fall_out(opposite)), float(recall(opposite)))',
        )


@dataclass(frozen=True)
class SystemRates:
    """The counts of the first `MOST_RATED` systems of a file of counts, each with its own interval."""

    source: Source
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)

    @classmethod
    def offered(cls, source: Source | None) -> bool:
        """Whether a data set holds the counts of several systems."""
        return source is not None and source.kind == "counts" and len(source.systems) > 1

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems in file order. Unescaped text from a file."""
        return self.source.systems[:MOST_RATED]

    @cached_property
    def rows(self) -> list[RocPoint]:
        """The systems with their counts, each below the diagonal followed by its opposite."""
        return with_opposites(RocPoint(system, self.source.dataset.counts(system)) for system in self.systems)

    def system_of(self, row: int) -> str:
        """System of a row; an opposite belongs to the same system."""
        return [point.name for point in self.rows[: row + 1] if not point.is_opposite][-1]

    @property
    def cells(self) -> dict[str, list[str]]:
        """Texts of each row: name, and each rate with its interval."""
        titles, system = system_titles([point.name for point in self.rows], 30), self.source.system
        columns = {"open": ["●" if one.name == system and not one.is_opposite else "" for one in self.rows]}
        columns["system"] = [titles[point.name] for point in self.rows]
        for key, ends in self._results.items():
            columns[METRICS[key].short] = [self._text(METRICS[key], *one) for one in zip(*ends, strict=True)]
        return columns

    @property
    def table(self) -> dict[str, list[Any]]:
        """Counts, unrounded rates and interval bounds as columns, one row per system."""
        columns: dict[str, list[Any]] = {"system": [point.name for point in self.rows]}
        columns |= {cell: [float(getattr(point.counts, cell)) for point in self.rows] for cell in CELLS}
        for key, (values, lows, highs) in self._results.items():
            name = METRICS[key].short
            columns |= {name: values, f"{name} low": lows, f"{name} high": highs}
        return columns

    @property
    def note(self) -> str:
        """Note on the meaning and limits of the intervals."""
        level, known = level_text(self.intervals.level), len(self.source.systems)
        first = f" The first {MOST_RATED} of {known} systems." if known > MOST_RATED else ""
        opposite = " “not” is the opposite decision." if any(point.is_opposite for point in self.rows) else ""
        return (
            f"In brackets: {level} intervals ({self.intervals.method_name}), one system at a time.{opposite} The "
            f"page *Compare systems* compares two of them as independent samples.{first}"
        )

    @cached_property
    def _results(self) -> dict[str, list[list[float]]]:
        """Values, lower and upper bounds of each rate over the rows, by key; nan bounds without an interval."""
        results: dict[str, list[list[float]]] = {}
        for measure in (METRICS[key] for key in RATES):
            each = (point.counts for point in self.rows)
            rows = ((float(measure(counts)), *bounds_of(self.intervals, measure, counts)) for counts in each)
            results[measure.key] = [*as_columns(("value", "low", "high"), rows).values()]
        return results

    @staticmethod
    def _text(measure: MetricDef, value: float, *ends: float) -> str:
        bounds = [f"{100 * end:.1f}" if measure.percent else value_text(measure, end) for end in ends]
        return value_text(measure, value) + ("" if math.isnan(value + ends[0]) else f" ({range_text(*bounds)})")
