"""The square table that is open: classes in their order, merged into groups, with the rows behind every cell."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.analyses import LabelPairs, NamedCounts, Source, prediction_origin
from evalcore.classification import ConfusionCounts, ConfusionMatrix
from evalcore.figures import Look
from evalcore.readers import ReadProblem
from evalcore.wording import count_text, one_line, plain, seen

from ...session import address
from ...session.loaded_labels import label_pairs_of
from ...session.loaded_scores import COUNTABLE, scores_of, threshold_of
from ...session.page_exit import end_with, need
from .groups import groups_of
from .prediction import choose_prediction

_NAMED = 6


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Counts of actual and predicted classes with all that belongs to them.

    Parameters
    ----------
    current : Source
        The data set.
    prediction : str or None
        The column, or the arg-max, that the predicted classes come from.
    matrix : ConfusionMatrix
        Its classes are texts that come from a file: escape them.
    rows : LabelPairs or None
        The rows with their classes before any merging; None where only counts are known.
    groups : dict
        New name by old name of the classes that were merged.
    key : str
        What is cached of this table is kept under it.
    """

    current: Source
    prediction: str | None
    matrix: ConfusionMatrix
    rows: LabelPairs | None
    groups: dict[str, str]
    key: str

    @property
    def classes(self) -> tuple[str, ...]:
        return self.matrix.classes

    def collapsed(self, name: str) -> NamedCounts:
        """One class against the rest."""
        counts: ConfusionCounts = self.matrix.one_vs_rest()[self.classes.index(name)]
        rest = [other for other in self.classes if other != name]
        negative = word(rest[0]) if len(rest) == 1 else f"not {word(name)}"
        return NamedCounts(counts, word(name), negative, f"{markdown(name)} against the rest.")

    def rows_of(self, actual: str, predicted: str) -> np.ndarray:
        """Numbers of the rows behind a cell, counted from 0; call it where `rows` is known."""
        in_actual, in_predicted = (
            np.array([self.groups.get(old, old) == name for old in self.rows.classes] + [False])
            for name in (actual, predicted)
        )
        # The place −1 of a row that takes no part is the last one, which is False.
        return np.flatnonzero(in_actual[self.rows.actual] & in_predicted[self.rows.predicted])

    def ordered(self, places: np.ndarray) -> "ClassTable":
        """The same table with its classes in another order."""
        return replace(self, matrix=self.matrix.ordered(places))


def open_classes() -> ClassTable:
    """The table of classes of the open data; offers data when nothing fits, and says why when it cannot be used."""
    current = need(COUNTABLE, "labels with predictions, class probabilities, or a square table of counts")
    try:
        return _table(current)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)


def show_origin_of_classes(table: ClassTable) -> None:
    """Where the predictions come from, and what makes numbers undefined."""
    current, origin = table.current, "Counts as in the file; the rows behind them are not known."
    if table.rows is not None:
        scores = scores_of(current, current.system) if current.kind == "scores" else None
        at = None if scores is None else (scores, threshold_of(scores))
        origin = prediction_origin(current, table.prediction, table.rows, at, label_pairs_of)
    st.caption(" ".join((origin, *_gaps(table.matrix))))


def matrix_frame(table: ClassTable, look: Look) -> pd.DataFrame:
    """The matrix as it lies on the page, its corner saying what the rows are; opened again it is the same table."""
    counts = table.matrix.counts if look.actual_in_rows else table.matrix.counts.T
    frame = pd.DataFrame(counts, columns=list(table.classes))
    corner = "actual" if look.actual_in_rows else "predicted"
    while corner in frame.columns:
        corner += " class"
    frame.insert(0, corner, list(table.classes))
    return frame


def word(name: str, limit: int = 40) -> str:
    """A class name for places that read no Markdown; an empty one is said."""
    return one_line(seen(name), limit)


def markdown(name: str, limit: int = 40) -> str:
    """A class name for places that read Markdown."""
    return plain(seen(name), limit)


def listed(names: list[str]) -> str:
    """Some class names in Markdown, the rest as a number."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(markdown(name, 24) for name in names[:_NAMED]) + more


def _table(current: Source) -> ClassTable:
    prediction = choose_prediction(current)
    rows = label_pairs_of(current, prediction)
    if rows is not None:
        plain_matrix = rows.matrix
    elif not current.dataset.is_matrix:
        plain_matrix = replace(current.dataset.matrix(current.system), classes=current.class_names(None))
    else:
        plain_matrix = current.dataset.matrix()
    groups = groups_of(plain_matrix.classes)
    matrix = plain_matrix.merged(groups) if groups else plain_matrix
    threshold = address.text("t") if current.kind == "scores" else ""
    key = "\n".join((current.key, prediction or "", threshold or "", address.text("groups") or ""))
    return ClassTable(current, prediction, matrix, rows, groups, key)


def _gaps(matrix: ConfusionMatrix) -> list[str]:
    """Classes without an actual or a predicted row, and what that leaves undefined."""
    said = []
    if len(matrix.classes) == 1:
        said.append(f"There is one class only, {markdown(matrix.classes[0])}: nothing can be confused with it.")
    actual, predicted = matrix.counts.sum(axis=1), matrix.counts.sum(axis=0)
    for empty, what, measure in ((predicted, "predicted", "precision"), (actual, "actual", "recall")):
        names = [name for name, rows in zip(matrix.classes, empty.tolist(), strict=True) if not rows]
        if not names or not matrix.counts.any():
            continue
        if len(names) == 1:
            said.append(f"{markdown(names[0])} is never {what}, so its {measure} is undefined.")
        else:
            count = count_text(len(names))
            said.append(f"{count} classes are never {what} ({listed(names)}), so their {measure} is undefined.")
    return said
