"""Four counts with the names of their classes, where they come from, and the rows behind them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from evalcore.analyses.label_pairs import LabelPairs
from evalcore.analyses.scores import Scores
from evalcore.analyses.source import Source, left_out_text
from evalcore.classification import ConfusionCounts
from evalcore.readers import text_of
from evalcore.wording import count_text, plain

__all__ = ["CELLS", "NamedCounts"]

CELLS = {"tp": "true positives", "fp": "false positives", "fn": "false negatives", "tn": "true negatives"}
"""The four cells in the order in which they are written everywhere, in words."""


@dataclass(frozen=True)
class NamedCounts:
    """Four counts of shape () with the names of the two classes in words, which come from a file: escape them.

    `origin` says in Markdown, safe to show, where they come from; `typed` whether they are a what-if copy; `unit` what
    the rows are, in plural. `pairs` builds the rows behind them, of which `label` is the positive class; None where
    only counts are known.
    """

    counts: ConfusionCounts
    positive: str = "positive"
    negative: str = "negative"
    origin: str = ""
    typed: bool = False
    unit: str = "cases"
    pairs: Callable[[], LabelPairs] | None = None
    label: str = ""

    def cells_table(self, actual_in_rows: bool = True) -> tuple[list[str], list[list[str]]]:
        """The 2×2 table as headings and rows of texts.

        >>> NamedCounts(ConfusionCounts(8, 2, 1, 9), "ill", "well").cells_table()
        (['', 'predicted ill', 'predicted well'], [['actual ill', '8', '1'], ['actual well', '2', '9']])
        """
        counts, names = self.counts, (self.positive, self.negative)
        sides, cells = ("actual", "predicted"), ((counts.tp, counts.fn), (counts.fp, counts.tn))
        if not actual_in_rows:
            sides, cells = sides[::-1], ((counts.tp, counts.fp), (counts.fn, counts.tn))
        texts = [[count_text(float(cell)) for cell in line] for line in cells]
        rows = [[f"{sides[0]} {name}", *line] for name, line in zip(names, texts, strict=True)]
        return ["", *(f"{sides[1]} {name}" for name in names)], rows

    def rows_by_outcome(self) -> dict[str, npt.NDArray[np.intp]]:
        """Numbers of the rows behind each cell, counted from 0; empty where only counts are known.

        >>> from evalcore.readers import read_sample
        >>> named = NamedCounts.of_class(Source.of(read_sample("eight_labels")))
        >>> {cell: rows.tolist() for cell, rows in named.rows_by_outcome().items()}
        {'tp': [3], 'fp': [7], 'fn': [0, 4], 'tn': [1, 2, 5, 6]}
        """
        if self.pairs is None:
            return {}
        pairs = self.pairs()
        positive = pairs.classes.index(self.label)
        usable, actual, predicted = pairs.actual >= 0, pairs.actual == positive, pairs.predicted == positive
        behind = {"tp": actual & predicted, "fp": ~actual & predicted, "fn": actual & ~predicted}
        behind["tn"] = ~actual & ~predicted
        return {cell: np.flatnonzero(usable & mask) for cell, mask in behind.items()}

    @classmethod
    def at(cls, scores: Scores, threshold: float) -> "NamedCounts":
        """The counts of scores at a threshold."""
        rule = f"{plain(scores.positive)} when score {scores.rule} {scores.text(threshold)}"
        notes = f"{scores.current.rows_note}{left_out_text(scores.left_out)}"
        counts = scores.counts_at(threshold)
        origin = f"Counted at the threshold: {rule}.{notes}"
        pairs = partial(LabelPairs.at, scores, threshold)
        unit = scores.current.cases
        return cls(counts, scores.positive, scores.negative, origin, unit=unit, pairs=pairs, label=scores.positive)

    @classmethod
    def of_class(cls, source: Source, choose: Callable[[tuple[str, ...], str], str] | None = None) -> "NamedCounts":
        """Counts of a file, or of labels one class against the rest; with two classes that is the whole table.

        Among more than two classes `choose` picks one, given that to start from, which is taken by default.
        """
        dataset = source.dataset
        if source.kind == "counts" and not dataset.is_matrix:
            names = source.class_names(None)
            return cls(dataset.counts(source.system), *names, "Counts as in the file.", unit=source.cases)
        system = source.system if source.kind == "labels" or source.has_labels else None
        matrix, classes = dataset.matrix(system), dataset.matrix(system).classes
        label = text_of(source.positive)
        label = label if label in classes else classes[-1 if len(classes) == 2 else 0]
        if len(classes) > 2:
            label = choose(classes, label) if choose else label
            names = label, f"not {label}"
            origin = f"{plain(label)} against the other {len(classes) - 1} classes."
        else:
            names = source.class_names(source.system) if source.positive is not None else (label, f"not {label}")
            origin = "Counted row by row."
        notes = source.rows_note + left_out_text(dataset.left_out(system) + source.not_counted)
        pairs = None if source.kind == "counts" else partial(LabelPairs.of, source, system)
        counts = matrix.one_vs_rest()[classes.index(label)]
        return cls(counts, *names, origin + notes, unit=source.cases, pairs=pairs, label=label)
