"""Label sets: measures per label, averages, co-occurrence and thresholds."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from evalcore.analyses.classes import average_columns, class_columns, clicked, formulas_of, interval_line, named_columns
from evalcore.analyses.data import Scores, Source, check, literal, script
from evalcore.analyses.data.measure_table import written_formula
from evalcore.classification import ConfusionMatrix, LabelScores, averages, best, f_beta, precision, recall
from evalcore.classification.several.label_sets import LabelSets, cooccurrence, missed_and_extra
from evalcore.inference import Interval, bootstrap_label_measures
from evalcore.numeric import ratio, rows_behind
from evalcore.registry import METRICS, find, measures_of
from evalcore.wording import Row, count_text, label_markdown, many_text, number_text, rows_text, share_text

__all__ = ["GRID", "LABEL_MEASURES", "THRESHOLD_RULES", "LabelGrid", "LabelTable", "LabelThresholds"]

LABEL_MEASURES = ("precision", "recall", "F1", "IoU")  # measures of each label that the page shows
GRID = 60  # labels of a grid; of more, the most frequent
THRESHOLD_RULES = ("usual", "one for all", "best F1 of each")  # rules for the thresholds of all labels, in words
BEST_F1 = "F1"  # in a link: each label has the threshold with its highest F1


@dataclass(frozen=True, eq=False)
class LabelTable:
    """True and predicted label sets of the open data, with their source and thresholds."""

    current: Source
    sets: LabelSets  # its labels come from a file: escape them
    thresholds: tuple[float, ...] | None = None  # of the labels; None where the file states what is predicted
    scores: LabelScores | None = None

    @classmethod
    def of(cls, current: Source, thresholds: Sequence[float] | None = None) -> "LabelTable":
        """Build the label sets of a data set, predicted at thresholds if it holds scores.

        Raises ReadProblem when the columns cannot be used.
        """
        if thresholds is None:
            return cls(current, current.dataset.label_sets())
        scores, each = current.dataset.label_scores(), tuple(map(float, thresholds))
        sets = current.dataset.once(f"label sets\n{each!r}", None, lambda: scores.at(each))
        return cls(current, sets, each, scores)

    @property
    def key(self) -> str:
        """Cache key of results computed from these sets."""
        return f"{self.current.key_of(None)}\n{self.thresholds!r}"

    @property
    def verdict(self) -> str:
        """Verdict on the label sets, with the label that does worst, in Markdown."""
        sets = self.sets
        if not sets.rows or not len(sets.actual):
            return "**No row has a true label, so there is nothing to find.**"
        counts = sets.one_vs_rest()
        each = np.where(counts.actual_positives > 0, f_beta(counts), np.nan)  # what nobody has cannot be found
        f1 = averages(sets, f_beta)
        exact = f"**{share_text(METRICS['subset_accuracy'](sets))} of {self.current.cases} have every label right.**"
        p, r = (share_text(averages(sets, measure).micro) for measure in (precision, recall))
        sentence = f"{exact} Micro F1 {number_text(f1.micro)} (precision {p}, recall {r})."
        if len(sets.classes) > 1 and not np.isnan(each).all():
            worst = int(np.nanargmin(each))
            sentence += f" Lowest F1: {label_markdown(sets.classes[worst])}, {number_text(float(each[worst]))}."
        return sentence

    @property
    def notes(self) -> str:
        """Rows without labels or left out, and labels that are never true or predicted, in Markdown."""
        actual, predicted, _ = self.sets.sizes
        weights, total = self.sets.weights, self.sets.total
        mean = float(actual.mean() if weights is None else weights @ actual / total) if total else math.nan
        sentences = [f"On average, {self.current.unit} have {many_text(mean, 'true label')}."] if total else []
        for sizes, what in ((actual, "true"), (predicted, "predicted")):
            none = sizes == 0
            if empty := rows_behind(None if weights is None else weights[none], int(np.count_nonzero(none))):
                sentences.append(f"{count_text(empty)} {'has' if empty == 1 else 'have'} no {what} label.")
        counts = self.sets.one_vs_rest()
        sides = {"true": (counts.actual_positives, "recall"), "predicted": (counts.predicted_positives, "precision")}
        for what, (totals, measure) in sides.items():
            if never := int(np.count_nonzero(totals == 0)):
                names = "1 label is" if never == 1 else f"{count_text(never)} labels are"
                sentences.append(f"{names} never {what}, so {'its' if never == 1 else 'their'} {measure} is undefined.")
        if left_out := self.current.dataset.left_out():  # without a truth, a score or a weight
            sentences.append(f"{rows_text(left_out)} that lack a value are left out.")
        return " ".join(sentences)

    @property
    def columns(self) -> dict[str, npt.ArrayLike]:
        """A line per label: support, threshold, counts and every measure, unrounded."""
        columns = dict(class_columns(self.sets))
        thresholds = {} if self.thresholds is None else {"threshold": list(self.thresholds)}
        return {"label": columns.pop("class"), "support": columns.pop("support"), **thresholds, **columns}

    @property
    def averages(self) -> dict[str, list]:
        """The averages of every measure."""
        columns = average_columns(self.sets)
        columns["average"][-1] = "labels undefined"
        return columns

    @cached_property
    def values(self) -> dict[str, float]:
        """The measures of the sets and of the rankings, by key."""
        states = {"label sets": self.sets} | ({} if self.scores is None else {"label scores": self.scores})
        return {measure.key: measure(state) for family, state in states.items() for measure in measures_of(family)}

    def intervals(self, level: float = 0.95) -> dict[str, Interval]:
        """Bootstrap intervals of the same measures over the rows, by key."""
        intervals = bootstrap_label_measures(self.sets, level)
        if self.scores is None:
            return intervals
        # Those of rankings are the same at every threshold.
        of_ranks = partial(bootstrap_label_measures, self.scores, level)
        return intervals | self.current.dataset.once(f"intervals of label ranks\n{level!r}", None, of_ranks, rows=0)

    def lines(self, intervals: Mapping[str, Interval]) -> list[Row]:
        """Rows of the overall measures with their intervals, under the heads `measure_heads`."""
        known = {key: interval for key, interval in intervals.items() if not math.isnan(float(interval.low))}
        counts, rows = self.sets.of_rows
        needed = {"samples_precision": counts.predicted_positives, "samples_recall": counts.actual_positives}
        needed |= dict.fromkeys(("samples_f1", "samples_jaccard"), counts.tp + counts.fp + counts.fn)
        # Number (or weight) of the rows in which a measure is defined.
        n = {key: float(rows[size > 0].sum()) for key, size in needed.items()}
        return [
            interval_line(METRICS[key], value, known.get(key), count_text(n.get(key, self.sets.total)))
            for key, value in self.values.items()
        ]

    def formulas(self, label: str) -> str:
        """Formulas of one label, of the label sets and of the rankings with their numbers, in Markdown."""
        counts = self.sets.one_vs_rest()[self.sets.classes.index(label)]
        each = "\n\n".join(written_formula(m, counts) for m in measures_of("counts") if m.short in LABEL_MEASURES)
        whole = formulas_of((METRICS[key], value) for key, value in self.values.items())
        heading = "Over the rows $i$, with true labels $Y_i$, predicted labels $Z_i$, scores $s_{ij}$ and $k$ labels:"
        return f"The label {label_markdown(label)}:\n\n{each}\n\n{heading}\n\n{whole}"

    @property
    def code(self) -> str:
        """Python that builds the label sets and prints every measure."""
        sets, loops = "sets = data.label_sets()", {"label sets": "sets"}
        if self.thresholds is not None:
            sets = f"scores = data.label_scores()\nsets = scores.at({literal(list(self.thresholds))})"
            loops["label scores"] = "scores"
        return script(
            self.current.code,
            sets,
            check("hamming_loss(sets)", self.values["hamming_loss"]),
            "each = sets.one_vs_rest()",
            "for measure in (precision, recall, f_beta, jaccard):",
            "    print(measure.__name__, dict(zip(sets.classes, measure(each).tolist())))",
            "    print(averages(sets, measure), samples_average(sets, measure))",
            *(
                f'for measure in measures_of("{family}"):\n    print(measure.name, measure({state}))'
                for family, state in loops.items()
            ),
        )


@dataclass(frozen=True, eq=False)
class LabelGrid:
    """Co-occurrence of two labels: rows that have both, or rows that miss one and wrongly get the other."""

    table: LabelTable
    missed: bool  # whether the rows are missed labels and the columns wrong ones; else both are true labels

    @property
    def current(self) -> Source:
        """The open data."""
        return self.table.current

    @property
    def key(self) -> str:
        """Cache key of the picture."""
        return f"{self.table.key}\n{self.missed}"

    @cached_property
    def labels(self) -> np.ndarray:
        """Places of the labels in the grid: all, or of very many the most frequent."""
        support = self.table.sets.one_vs_rest().actual_positives
        return np.sort(np.argsort(-support, kind="stable")[:GRID])

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels in the grid."""
        return tuple(self.table.sets.classes[index] for index in self.labels)

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """Counts of rows; on the diagonal the rows in which the label is found, or that have the label."""
        cells = (missed_and_extra if self.missed else cooccurrence)(self.table.sets)
        return ConfusionMatrix(self.classes, cells[np.ix_(self.labels, self.labels)])

    @cached_property
    def shares(self) -> np.ndarray:
        """The cells as shares of the rows that have the label of the line."""
        support = self.table.sets.one_vs_rest().actual_positives[self.labels]
        return ratio(self.matrix.counts, support[:, None])

    @property
    def pairs(self) -> LabelSets:
        """The rows behind the cells."""
        return self.table.sets

    @property
    def axes(self) -> tuple[str, str]:
        """Titles of the rows and of the columns."""
        return ("missed", "wrongly predicted") if self.missed else ("true", "also true")

    def picked(self, pick: object, actual_in_rows: bool = True) -> Sequence[str | None]:
        """The two labels of a clicked cell; the input comes from a browser and may be invalid."""
        return clicked(pick, self.classes)

    def rows_of(self, one: str, two: str) -> np.ndarray:
        """Numbers of the rows in a cell, counted from 0 in the table as read."""
        sets, k = self.table.sets, len(self.table.sets.classes)

        def has(pairs: np.ndarray, label: str) -> np.ndarray:
            mask = np.zeros(sets.rows, bool)
            mask[pairs[pairs % k == sets.classes.index(label)] // k] = True
            return mask

        mask = has(sets.actual, one) & has(sets.predicted if self.missed else sets.actual, two)
        if self.missed and one != two:
            mask &= ~has(sets.predicted, one) & ~has(sets.actual, two)
        return np.flatnonzero(self.current.dataset.label_rows().complete)[mask]

    def cell_text(self, one: str, two: str, count: str) -> str:
        """Number of rows in a cell, as a sentence in Markdown."""
        first, second = label_markdown(one), label_markdown(two)
        if one == two:
            what = f"{first}, and it is predicted" if self.missed else first
        else:
            wrong = f"{first}, which is missed, and are given {second}, which is wrong"
            what = wrong if self.missed else f"both {first} and {second}"
        return f"**{count}** rows have {what}."

    @property
    def largest(self) -> list[tuple[str, str, float, float]]:
        """The two labels of the largest cells off the diagonal, their rows, and their share of the first label."""
        counts = np.where(np.eye(len(self.classes), dtype=bool), 0.0, self.matrix.counts)
        counts = counts if self.missed else np.triu(counts)
        order = np.argsort(-counts, axis=None, kind="stable")[:8]
        pairs = ((*divmod(int(index), len(self.classes)), float(counts.flat[index])) for index in order)
        return [(self.classes[a], self.classes[b], n, float(self.shares[a, b])) for a, b, n in pairs if n]

    @property
    def columns(self) -> dict[str, list]:
        """The grid as columns, the first naming the label of the line."""
        return named_columns(self.axes[0], " label", self.classes, self.matrix.counts)


@dataclass(frozen=True)
class LabelThresholds:
    """Threshold of each label: its own, else that of the common rule."""

    common: float | None = None  # one for all labels; None: the usual one of each
    best_f1: bool = False  # each label its best, whatever the common one
    own: Mapping[str, float] = field(default_factory=dict)  # by label

    @classmethod
    def of(cls, lists: Sequence[Sequence[str]], common: float | None, labels: Sequence[str]) -> "LabelThresholds":
        """Parse the thresholds of a link: pairs of a label and its threshold, and the rule as a list of one.

        What is not in the data or is no number is dropped.

        >>> LabelThresholds.of([("F1",), ("a", "0.25"), ("b", "high"), ("z", "1")], None, "ab")
        LabelThresholds(common=None, best_f1=True, own={'a': 0.25})
        """
        own: dict[str, float] = {}
        for label, threshold in (pair for pair in lists if len(pair) == 2 and pair[0] in labels):
            with suppress(ValueError):
                own[label] = float(threshold)
        return cls(common, (BEST_F1,) in map(tuple, lists), {k: v for k, v in own.items() if not math.isnan(v)})

    @classmethod
    def by(cls, rule: str) -> "LabelThresholds":
        """The thresholds by one of `THRESHOLD_RULES`; one for all starts at ½."""
        return cls(0.5 if rule == THRESHOLD_RULES[1] else None, rule == THRESHOLD_RULES[2])

    @property
    def rule(self) -> str:
        """Rule of `THRESHOLD_RULES` for labels without a threshold of their own."""
        return THRESHOLD_RULES[2 if self.best_f1 else 0 if self.common is None else 1]

    @property
    def lists(self) -> list[tuple[str, ...]]:
        """Return the rule and the pairs of a label and its threshold as lists of names for a link."""
        rule = [(BEST_F1,)] if self.best_f1 else []
        return [*rule, *((label, repr(float(threshold))) for label, threshold in self.own.items())]

    def at(self, source: Source, label: str) -> float:
        """The threshold of a label."""
        if label in self.own:
            return self.own[label]
        if self.best_f1 and (scored := source.dataset.scored(label)).positives:
            return best(scored.table(), find("F1")).threshold
        if self.common is not None and not self.best_f1:
            return self.common
        state = source.dataset.label_scores()
        scores = state.scores[state.classes.index(label)]
        # Usually ½ for scores in 0 … 1, else the one with the highest Youden's J.
        usual = not len(scores) or (scores.min() >= 0 and scores.max() <= 1)
        return 0.5 if usual else Scores.of(source, label).starting_threshold
