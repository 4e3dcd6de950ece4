"""Tables of label sets: rows with any number of true and of predicted labels."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.classification import ConfusionCounts, ConfusionMatrix, LabelSets
from evalcore.readers.base import Column, Columns, Finding, ReadProblem, few, listed, named
from evalcore.readers.kinds.kind import Candidates, Kind
from evalcore.readers.kinds.labels import LabelArrays
from evalcore.readers.shapes import label_columns
from evalcore.readers.shapes.recognition import weight_and_group
from evalcore.readers.table.findings import missing_cells, row_findings
from evalcore.readers.table.table import RowRoles, Rows, Table, choose, complete_rows, counted_rows, kept, ordered, part
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["LABEL_SETS", "LabelSetRoles", "LabelSetRows"]

_EITHER = "(a column of sets, or one column per label)"
MOST_LABELS = 2_000  # the most labels that pages list and choose from


@dataclass(frozen=True, kw_only=True)
class SeveralLabelRoles(RowRoles):
    """Roles of rows with any number of true labels: a column of sets, or a column of 0 and 1 for each label."""

    true_labels: tuple[str, ...] = part("columns", f"True labels {_EITHER}", "true label", sole=True)


@dataclass(frozen=True, kw_only=True)
class LabelSetRoles(SeveralLabelRoles):
    """Roles of rows with true and predicted labels, both as sets or both with a column for each label."""

    kind = "label sets"
    predicted_labels: tuple[str, ...] = part("columns", f"Predicted labels {_EITHER}", "predicted label", sole=True)

    @property
    def of_cells(self) -> bool:
        """Whether each cell holds a set of labels, rather than each column one label."""
        return len(self.true_labels) == len(self.predicted_labels) == 1

    def check(self, rows: int) -> None:
        """Raise ReadProblem if the columns cannot be matched."""
        if not self.of_cells:
            label_columns.paired_columns(self.true_labels, self.predicted_labels)


@dataclass(frozen=True, eq=False)
class LabelSetRows(Rows):
    """The sets of the complete rows of a table."""

    sets: LabelSets


@kept("label sets")
def label_set_rows(table: Table[LabelSetRoles]) -> LabelSetRows:
    """See `DataSet.label_rows`."""
    classes, pairs, present = (_of_cells if table.roles.of_cells else _of_columns)(table)
    check_labels(classes)
    complete, weights, clusters = complete_rows(table, present)
    # The place of each complete row among the complete ones.
    place, k = np.cumsum(complete) - 1, len(classes)
    keys = [place[rows[complete[rows]]] * k + labels[complete[rows]] for rows, labels in pairs]
    sets = LabelSets(classes, int(complete.sum()), keys[0], keys[1], weights, clusters)
    return LabelSetRows(complete, weights, clusters, sets)


Pairs = tuple[tuple[str, ...], list[tuple[np.ndarray, ...]], np.ndarray]
"""Labels, the rows and the labels of the true and of the predicted pairs, and which rows can be used."""


def _of_cells(table: Table[LabelSetRoles]) -> Pairs:
    names = (*table.roles.true_labels, *table.roles.predicted_labels)
    exploded = label_columns.labels_of_cells([table.frame[name] for name in names])
    classes = ordered({name for names, _, _ in exploded for name in names})
    index = {name: position for position, name in enumerate(classes)}
    recodings = [np.array([index[name] for name in names] or [0], dtype=np.int64) for names, _, _ in exploded]
    pairs = [(rows, recoding[labels]) for recoding, (_, rows, labels) in zip(recodings, exploded, strict=True)]
    return classes, pairs, np.ones(len(table), bool)


def _of_columns(table: Table[LabelSetRoles]) -> Pairs:
    triples = label_columns.paired_columns(table.roles.true_labels, table.roles.predicted_labels)
    classes, *sides = zip(*triples, strict=True)
    flags = [label_columns.indicator_matrix(table.frame, columns, table.lines) for columns in sides]
    pairs = [np.nonzero(has)[::-1] for has, _ in flags]
    return classes, pairs, flags[0][1] & flags[1][1]


def check_labels(classes: tuple[str, ...]) -> None:
    """Raise ReadProblem if there are too many labels for the pages."""
    if len(classes) > MOST_LABELS:
        sentence = f"There are {count_text(len(classes))} different labels; at most {count_text(MOST_LABELS)} can be "
        sentence += "listed. Keep the most frequent ones, or choose another column as the labels."
        raise ReadProblem(sentence)


def label_names(table: Table[LabelSetRoles]) -> tuple[str, ...]:
    """The labels; none where the columns cannot be used, which a finding says."""
    try:
        return label_set_rows(table).sets.classes
    except ReadProblem:
        return ()


def counts(table: Table[LabelSetRoles], label: str | None = None) -> ConfusionCounts:
    """TP, FP, FN and TN of one label, shape ()."""
    if label_set_rows(table).clusters is not None:
        return matrix(table, label).one_vs_rest()[1]
    sets = label_set_rows(table).sets
    return sets.one_vs_rest()[sets.classes.index(choose(label, sets.classes, "label"))]


def matrix(table: Table[LabelSetRoles], label: str | None = None) -> ConfusionMatrix:
    """The confusion matrix of the rows with and without one label."""
    if label_set_rows(table).clusters is not None:
        one = label_arrays(table, label)
        state = ConfusionMatrix.from_labels(one.actual, one.predicted, (0, 1), one.weights, one.clusters)
        return ConfusionMatrix(one.classes, state.counts, state.rows)
    cells = counts(table, label)
    label = choose(label, label_names(table), "label")
    return ConfusionMatrix((f"not {label}", label), [[cells.tn, cells.fp], [cells.fn, cells.tp]])


def label_arrays(table: Table[LabelSetRoles], label: str | None = None) -> LabelArrays:
    """Indicators of one label, in truth and prediction, for each complete row."""
    rows = label_set_rows(table)
    label, k = choose(label, rows.sets.classes, "label"), len(rows.sets.classes)
    position = rows.sets.classes.index(label)
    actual, predicted = np.zeros((2, rows.sets.rows), dtype=np.int64)
    for codes, pairs in ((actual, rows.sets.actual), (predicted, rows.sets.predicted)):
        codes[pairs[pairs % k == position] // k] = 1
    return LabelArrays(rows.complete, rows.weights, rows.clusters, actual, predicted, (f"not {label}", label))


def _assigned(candidates: Candidates) -> dict[str, Any]:
    truths = true_columns(candidates)
    others = other_columns(candidates, truths, "predicted_labels", "predicted", "score")
    return {**candidates.beside, "true_labels": truths, "predicted_labels": others[: len(truths)]}


def other_columns(candidates: Candidates, truths: tuple[str, ...], role: str, *parts: str) -> tuple[str, ...]:
    """Columns named after one of these parts, the first that has any; else all systems."""
    named_so = (label_columns.columns_named(part, [column.name for column in candidates.columns]) for part in parts)
    return next(filter(None, named_so), candidates.fitting(role, *truths))


def true_columns(candidates: Candidates) -> tuple[str, ...]:
    """Columns of true labels: as assigned, else by name, else the truth."""
    named_so = label_columns.columns_named("true", [column.name for column in candidates.columns])
    return candidates.parts.get("true_labels") or named_so or candidates.fitting("true_labels")


def _recognised(columns: Columns) -> dict[str, Any]:
    sides = [(name,) for name in label_columns.set_columns(columns) or ()]
    if not sides and "predicted" in (pairs := label_columns.indicator_columns(columns)):
        sides = [pairs["true"], pairs["predicted"]]
    return {"true_labels": sides[0], "predicted_labels": sides[1], **weight_and_group(columns)} if sides else {}


def label_set_findings(table: Table[LabelSetRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about the true and the predicted sets."""
    roles = table.roles
    if not roles.of_cells:
        triples = label_columns.paired_columns(roles.true_labels, roles.predicted_labels)
        yield from incomplete_columns(table, [columns[name] for triple in triples for name in triple[1:]])
    try:
        rows = label_set_rows(table)
    except ReadProblem as problem:
        yield Finding("error", str(problem), 1, code="bad labels")
        return
    sets = rows.sets
    yield from label_findings(table, rows, sets.classes, sets.sizes[0] > 0)
    positives = sets.one_vs_rest().actual_positives
    never_true = [name for name, total in zip(sets.classes, positives, strict=True) if not total]
    if never_true and roles.of_cells:
        verb = "occurs" if len(never_true) == 1 else "occur"
        sentence = f"Predicted {listed(never_true)} never {verb} in column {named(roles.true_labels[0])}. Are these "
        yield Finding("warning", f"{sentence}labels spelled differently there?", len(never_true), code="unknown labels")
    if empty := _row_count(table, rows, sets.sizes[1] == 0):
        sentence = f"{rows_text(empty)} {'has' if empty == 1 else 'have'} no predicted label."
        yield Finding("info", sentence, empty, code="no predicted label")


def _row_count(table: Table[Any], rows: Rows, some: np.ndarray) -> int:
    """Number of rows that some of the complete lines represent."""
    lines = rows.complete.copy()
    lines[rows.complete] = some
    return counted_rows(table, lines)


def label_findings(table: Table[Any], rows: Rows, classes: tuple[str, ...], labelled: np.ndarray) -> Iterator[Finding]:
    """Findings about the true labels: rows without any, as complete lines have one or not, and similar spellings."""
    column = table.roles.true_labels[0]
    if empty := _row_count(table, rows, ~labelled):
        sentence = f"{rows_text(empty)} of {count_text(counted_rows(table, rows.complete))} "
        sentence += f"{'has' if empty == 1 else 'have'} no true label. Samples recall leaves them out."
        yield Finding("info", sentence, empty, column, code="no true label")
    spelt = defaultdict(list)
    for name in classes:
        spelt[" ".join(name.split()).casefold()].append(name)
    for names in spelt.values():
        if len(names) > 1:
            sentence = f"Labels {listed(sorted(names))} differ only in case or blanks and count as different labels. "
            sentence += "If they are the same, spell them alike in the file."
            yield Finding("warning", sentence, len(names), column, code="spellings")


def incomplete_columns(table: Table[Any], columns: list[Column]) -> Iterator[Finding]:
    """Missing cells of many columns, as one finding where there are several."""
    missing = [finding for column in columns for finding in missing_cells(table, column, "value")]
    yield from few(missing, 3, f"The same is true of {count_text(max(len(missing) - 1, 1))} more columns.")


def tally(table: Table[LabelSetRoles], label: str | None = None) -> tuple[int, int | None]:
    """Rows, and how many of them have a label."""
    is_known = label in label_names(table)
    return counted_rows(table), round(float(counts(table, label).actual_positives)) if is_known else None


LABEL_SETS = Kind(
    title="label sets",
    needs="the true and the predicted labels, each as one column of sets (a; c) or one 0/1 column per label",
    roles=LabelSetRoles,
    states={
        "label_rows": label_set_rows,
        "label_sets": lambda table: label_set_rows(table).sets,
        "counts": counts,
        "matrix": matrix,
        "label_arrays": label_arrays,
        "left_out": lambda table, label=None: label_set_rows(table).left_out,
    },
    findings=(label_set_findings, row_findings),
    systems=label_names,
    tally=tally,
    assign=_assigned,
    recognise=_recognised,
    system="label",
)
