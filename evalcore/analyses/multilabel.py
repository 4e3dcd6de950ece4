"""Several labels per row: which labels are right, and how often?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.class_measures import average_columns, class_columns
from evalcore.analyses.measure_table import measure_line, written_formula
from evalcore.analyses.script import check, literal, script
from evalcore.analyses.source import Source
from evalcore.classification import LabelScores, LabelSets, averages, f_beta, precision, recall
from evalcore.inference import Interval, bootstrap_label_measures
from evalcore.numeric import rows_behind
from evalcore.registry import METRICS, MetricDef, measures_of
from evalcore.wording import (
    Row,
    count_text,
    label_markdown,
    latex_value,
    measure_markdown,
    number_text,
    rows_text,
    share_text,
    value_text,
)

__all__ = ["LABEL_MEASURES", "LabelTable", "label_measures"]

LABEL_MEASURES = ("precision", "recall", "F1", "IoU")
"""Measures of each label that the page shows."""


@dataclass(frozen=True, eq=False)
class LabelTable:
    """The true and the predicted labels of the open data, with all that belongs to them."""

    current: Source
    sets: LabelSets  # its labels come from a file: escape them
    thresholds: tuple[float, ...] | None = None  # of the labels; None where the file states what is predicted
    scores: LabelScores | None = None

    @classmethod
    def of(cls, current: Source, thresholds: Sequence[float] | None = None) -> "LabelTable":
        """The sets of a data set, which are predicted at the thresholds where it holds scores.

                Raises ReadProblem when the columns cannot be used.

        >>> from evalcore.readers.samples import read_sample
                >>> table = LabelTable.of(Source.of(read_sample("digits_labels")), [0.5] * 4)
                >>> table.sets.classes
                ('even', 'above 4', 'prime', 'loop')
        """
        if thresholds is None:
            return cls(current, current.dataset.label_sets())
        scores, each = current.dataset.label_scores(), tuple(map(float, thresholds))
        sets = current.dataset.once(f"label sets\n{each!r}", None, lambda: scores.at(each))
        return cls(current, sets, each, scores)

    @property
    def key(self) -> str:
        """Cache key of whatever is computed of these sets."""
        return f"{self.current.key_of(None)}\n{self.thresholds!r}"

    @property
    def left_out(self) -> int:
        """Rows that lack a truth, a score or a weight."""
        return self.current.dataset.left_out()

    @property
    def verdict(self) -> str:
        """How often the labels are right, and which label is the worst, in Markdown."""
        sets = self.sets
        if not sets.rows or not len(sets.actual):
            return "**No row has a true label, so there is nothing to find.**"
        counts = sets.one_vs_rest()
        each = np.where(counts.actual_positives > 0, f_beta(counts), np.nan)  # what nobody has cannot be found
        f1 = averages(sets, f_beta)
        exact = f"{share_text(METRICS['subset_accuracy'](sets))} of the rows get exactly their labels"
        p, r = (number_text(averages(sets, measure).micro) for measure in (precision, recall))
        sentence = f"**Micro F1 {number_text(f1.micro)}** (precision {p}, recall {r}); {exact}."
        if len(sets.classes) > 1 and not np.isnan(each).all():
            worst = int(np.nanargmin(each))
            name, lowest = label_markdown(sets.classes[worst]), number_text(float(each[worst]))
            sentence += f" The label {name} has the lowest F1: {lowest}."
        return sentence

    @property
    def notes(self) -> str:
        """Rows without labels or left out, and labels that are never true or predicted, in Markdown."""
        actual, predicted, _ = self.sets.sizes
        weights, total = self.sets.weights, self.sets.total
        mean = float(actual.mean() if weights is None else weights @ actual / total) if total else math.nan
        sentences = [f"{number_text(mean)} true labels per row on average."] if total else []
        for sizes, what in ((actual, "true"), (predicted, "predicted")):
            none = sizes == 0
            if empty := rows_behind(None if weights is None else weights[none], int(np.count_nonzero(none))):
                sentences.append(f"{rows_text(empty)} {'has' if empty == 1 else 'have'} no {what} label.")
        counts = self.sets.one_vs_rest()
        for totals, what, measure in (
            (counts.actual_positives, "true", "recall"),
            (counts.predicted_positives, "predicted", "precision"),
        ):
            if never := int(np.count_nonzero(totals == 0)):
                names = "1 label is" if never == 1 else f"{count_text(never)} labels are"
                sentences.append(f"{names} never {what}, so {'its' if never == 1 else 'their'} {measure} is undefined.")
        if self.left_out:
            sentences.append(f"{rows_text(self.left_out)} that lack a value are left out.")
        return " ".join(sentences)

    @property
    def columns(self) -> dict[str, npt.ArrayLike]:
        """A line per label: support, threshold, counts and every measure, unrounded."""
        columns = dict(class_columns(self.sets))
        columns["label"] = columns.pop("class")
        first = ["label", "support"]
        if self.thresholds is not None:
            columns["threshold"] = list(self.thresholds)
            first.append("threshold")
        return {name: columns[name] for name in (*first, *(name for name in columns if name not in first))}

    @property
    def averages(self) -> dict[str, list]:
        """The averages of every measure."""
        columns = average_columns(self.sets)
        columns["average"][-1] = "labels undefined"
        return columns

    @cached_property
    def values(self) -> dict[str, float]:
        """The measures of the sets and of the rankings, by key."""
        return {measure.key: measure(self._state(measure)) for measure in label_measures(self.scores is not None)}

    def intervals(self, level: float = 0.95) -> dict[str, Interval]:
        """Bootstrap intervals of the same measures over the rows, by key."""
        intervals = bootstrap_label_measures(self.sets, level)
        if (scores := self.scores) is None:
            return intervals
        # Those of rankings are the same at every threshold.
        of_ranks = lambda: bootstrap_label_measures(scores, level)  # noqa: E731
        return intervals | self.current.dataset.once(f"intervals of label ranks\n{level!r}", None, of_ranks, rows=0)

    def lines(self, intervals: Mapping[str, Interval]) -> list[Row]:
        """The same measures with their intervals, as lines under `measure_heads`."""
        rows = []
        for key, value in self.values.items():
            measure, written = METRICS[key], ""
            if (bounds := intervals.get(key)) is not None and not math.isnan(float(bounds.low)):
                written = " – ".join(value_text(measure, float(end)) for end in (bounds.low, bounds.high))
            sentence = f"{measure.summary} {measure.reading}"
            rows.append(Row(measure_line(measure, value, written, count_text(self._rows_of(key)), sentence)))
        return rows

    def formulas(self, label: str) -> str:
        """The formulas of one label with its numbers, and those of the sets and rankings, in Markdown."""
        counts = self.sets.one_vs_rest()[self.sets.classes.index(label)]
        each = "\n\n".join(written_formula(m, counts) for m in measures_of("counts") if m.short in LABEL_MEASURES)
        whole = "\n\n".join(
            rf"{measure_markdown(m)} $\displaystyle {m.formula} = {latex_value(m, value)}$"
            for m, value in ((METRICS[key], value) for key, value in self.values.items())
        )
        heading = "Over the rows $i$, with true labels $Y_i$, predicted labels $Z_i$, scores $s_{ij}$ and $k$ labels:"
        return f"The label {label_markdown(label)}:\n\n{each}\n\n{heading}\n\n{whole}"

    @property
    def code(self) -> str:
        """Python that makes the same sets and prints every measure of them."""
        lines = ["sets = data.label_sets()"]
        if self.thresholds is not None:
            lines = ["scores = data.label_scores()", f"sets = scores.at({literal(list(self.thresholds))})"]
        loops = [('"label sets"', "sets")] + ([('"label scores"', "scores")] if self.scores is not None else [])
        for family, state in loops:
            lines += [f"for measure in measures_of({family}):", f"    print(measure.name, measure({state}))"]
        return script(
            self.current.code,
            *lines[: 2 if self.thresholds is not None else 1],
            check("hamming_loss(sets)", self.values["hamming_loss"]),
            "each = sets.one_vs_rest()",
            "for measure in (precision, recall, f_beta, jaccard):",
            "    print(measure.__name__, dict(zip(sets.classes, measure(each).tolist())))",
            "    print(averages(sets, measure), samples_average(sets, measure))",
            "\n".join(lines[2 if self.thresholds is not None else 1 :]),
        )

    def _rows_of(self, key: str) -> float:
        """The rows, or their weight, in which a measure is defined."""
        counts, rows = self.sets.of_rows()
        either = counts.tp + counts.fp + counts.fn
        needed = {"samples_precision": counts.predicted_positives, "samples_recall": counts.actual_positives}
        needed |= {"samples_f1": either, "samples_jaccard": either}
        return float(rows[needed[key] > 0].sum()) if key in needed else self.sets.total

    def _state(self, measure: MetricDef) -> LabelSets | LabelScores | None:
        return self.sets if measure.family == "label sets" else self.scores


def label_measures(scored: bool) -> list[MetricDef]:
    """The measures of sets of labels and, where there are scores, of the rankings of labels."""
    return measures_of("label sets") + (measures_of("label scores") if scored else [])
