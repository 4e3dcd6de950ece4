"""States built from the rows of a table, each once: sorted scores, and confusion matrices."""

from __future__ import annotations

from evalcore.classification import ConfusionMatrix, ScoredLabels
from evalcore.readers.arrays import chosen, label_arrays, score_columns, scored_arrays
from evalcore.readers.problems import ReadProblem
from evalcore.readers.table import Table
from evalcore.wording.numbers import count_text

__all__ = ["check_classes"]

MOST_CLASSES = 1_000
"""The most classes of a confusion matrix."""


def scored_state(table: Table, system: str | None = None) -> tuple[ScoredLabels, int]:
    """The sorted state of `scored_arrays`, and how many rows it leaves out."""
    system = chosen(system, score_columns(table), "score column")

    def build() -> tuple[ScoredLabels, int]:
        rows, higher = scored_arrays(table, system), table.roles.higher_is_positive
        state = ScoredLabels.from_arrays(rows.labels, rows.scores, weights=rows.weights, higher_is_positive=higher)
        return state, rows.left_out

    return table.once("scored", system, build)


def matrix_of(table: Table, system: str | None = None) -> ConfusionMatrix:
    """The matrix of `label_arrays`."""
    system = chosen(system, table.roles.predicted, "predicted column")

    def build() -> ConfusionMatrix:
        rows = label_arrays(table, system)
        table.once("rows left out", system, lambda: rows.left_out)
        check_classes(rows.classes)
        places = range(len(rows.classes))
        counts = ConfusionMatrix.from_labels(rows.actual, rows.predicted, places, rows.weights).counts
        return ConfusionMatrix(rows.classes, counts)

    return table.once("matrix", system, build)


def labels_left_out(table: Table, system: str | None = None) -> int:
    """How many rows `label_arrays` leaves out."""
    system = chosen(system, table.roles.predicted, "predicted column")
    return table.once("rows left out", system, lambda: label_arrays(table, system).left_out)


def check_classes(classes: tuple[str, ...]) -> None:
    """Raise ReadProblem when there are so many classes that their matrix would fill the memory and show nothing."""
    if len(classes) > MOST_CLASSES:
        raise ReadProblem(
            f"There are {count_text(len(classes))} different labels, which looks like an identifier or a number. "
            "Choose another column as the label."
        )
