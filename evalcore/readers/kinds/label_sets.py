"""Tables of several labels per row: the sets of true and of predicted labels, or a score for each label."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalcore.classification import ConfusionCounts, ConfusionMatrix, LabelScores, LabelSets, ScoredLabels
from evalcore.numeric import Flags
from evalcore.readers.base import Column, Columns, Finding, ReadProblem, few, listed, named
from evalcore.readers.base.column_names import part_and_subject
from evalcore.readers.kinds.kind import Candidates, Kind, states
from evalcore.readers.kinds.labels import LabelArrays
from evalcore.readers.shapes import label_columns
from evalcore.readers.shapes.recognition import weight_and_group
from evalcore.readers.table import Roles, ScoredArrays, counted_rows, ordered
from evalcore.readers.table.findings import missing_cells, row_findings
from evalcore.readers.table.table import RowRoles, Rows, Table, choose, complete_rows, kept, numbers_of, part
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["LABEL_SCORES", "LABEL_SETS", "LabelScoreRoles", "LabelScoreRows", "LabelSetRoles", "LabelSetRows"]
__all__ += ["label_systems"]

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
    place, k = np.cumsum(complete) - 1, len(classes)  # The place of each complete row among the complete ones.
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
    return classes, [np.nonzero(has)[::-1] for has, _ in flags], flags[0][1] & flags[1][1]


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
    truths, others = _sides(candidates, "predicted_labels", "predicted", "score")
    return {**candidates.beside, "true_labels": truths, "predicted_labels": others[: len(truths)]}


def _sides(candidates: Candidates, role: str, *parts: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Columns of true labels (as assigned, else by name, else the truth) and those named after a part, else systems."""
    names = [column.name for column in candidates.columns]
    truths = candidates.parts.get("true_labels") or label_columns.columns_named("true", names)
    truths = truths or candidates.fitting("true_labels")
    named_so = (label_columns.columns_named(part, names) for part in parts)
    return truths, next(filter(None, named_so), candidates.fitting(role, *truths))


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
    "label sets", "the true and the predicted labels, each as one column of sets (a; c) or one 0/1 column per label",
    LabelSetRoles, findings=(label_set_findings, row_findings), systems=label_names, tally=tally, assign=_assigned,
    recognise=_recognised, system="label",
    states=states(
        counts, matrix, label_arrays, label_rows=label_set_rows, label_sets=lambda table: label_set_rows(table).sets,
        left_out=lambda table, label=None: label_set_rows(table).left_out,
    ),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LabelScoreRoles(SeveralLabelRoles):
    """Roles of rows with any number of true labels and a score for each label."""

    kind = "label scores"
    label_score: tuple[str, ...] = part("columns", "Scores (one per label)", "score", numbers=True, sole=True)

    @property
    def of_cells(self) -> bool:
        """Whether each cell of the truth holds a set of labels, rather than each column one label."""
        return len(self.true_labels) == 1 < len(self.label_score)

    @property
    def columns(self) -> list[tuple[str, str, str]]:
        """Label, column of the truth and column of the score."""
        if self.of_cells:
            return [(part_and_subject(name)[1], self.true_labels[0], name) for name in self.label_score]
        return label_columns.paired_columns(self.true_labels, self.label_score)

    def check(self, rows: int) -> None:
        """Raise ReadProblem if the columns cannot be matched."""
        _ = self.columns


@dataclass(frozen=True, eq=False)
class LabelScoreRows(Rows):
    """The true labels and the scores of the complete rows of a table, and true labels that have no score."""

    scores: LabelScores
    unscored: tuple[str, ...] = ()


@kept("label scores", rows=lambda table: len(table) * max(len(table.roles.label_score) // 4, 1))
def label_score_rows(table: Table[LabelScoreRoles]) -> LabelScoreRows:
    """See `DataSet.label_rows`."""
    labels = scored_labels(table)
    check_labels(labels)
    truths, present, unscored = _truths(table, labels)
    scores = [numbers_of(table, name) for _, _, name in table.roles.columns]
    complete, weights, clusters = complete_rows(table, present, *map(np.isfinite, scores))
    if not complete.all():
        truths, scores = [column[complete] for column in truths], [column[complete] for column in scores]
    state = LabelScores(labels, tuple(truths), tuple(scores), weights, clusters)
    return LabelScoreRows(complete, weights, clusters, state, unscored)


def _truths(table: Table[LabelScoreRoles], labels: Sequence[str]) -> tuple[list[Flags], Flags, tuple[str, ...]]:
    """Indicators of each label, the usable rows, and the true labels without a score."""
    if not table.roles.of_cells:
        columns = [column for _, column, _ in table.roles.columns]
        has, present = label_columns.indicator_matrix(table.frame, columns, table.lines)
        return list(has), present, ()
    ((names, rows, codes),) = label_columns.labels_of_cells([table.frame[table.roles.true_labels[0]]])
    index = {label.casefold(): position for position, label in enumerate(labels)}
    positions = np.array([index.get(name.casefold(), -1) for name in names] or [0], dtype=np.int64)[codes]
    truths = np.zeros((len(labels), len(table)), bool)
    truths[positions[positions >= 0], rows[positions >= 0]] = True
    return [*truths], np.ones(len(table), bool), tuple(name for name in names if name.casefold() not in index)


def scored_arrays(table: Table[LabelScoreRoles], label: str | None = None) -> ScoredArrays:
    """Indicators of one label and its scores, for each complete row."""
    rows = label_score_rows(table)
    position = rows.scores.classes.index(choose(label, rows.scores.classes, "label"))
    group = None if table.roles.group is None else table.frame[table.roles.group]
    own = rows.scores.actual[position], rows.scores.scores[position]
    return ScoredArrays(rows.complete, rows.weights, rows.clusters, *own, group)


@kept("scored", lambda table: scored_labels(table), "label")
def scored(table: Table[LabelScoreRoles], label: str) -> ScoredLabels:
    """The sorted scores of one label, the rows that have it as the positives."""
    rows = label_score_rows(table)
    if rows.clusters is None:
        return rows.scores.scored(label)
    one = scored_arrays(table, label)
    return ScoredLabels.from_arrays(one.labels, one.scores, weights=one.weights, clusters=one.clusters)


def scored_labels(table: Table[LabelScoreRoles]) -> tuple[str, ...]:
    """The labels; none where the columns cannot be matched."""
    return tuple(label for label, _, _ in table.roles.columns)


def _assigned_scores(candidates: Candidates) -> dict[str, Any]:
    truths, others = _sides(candidates, "label_score", "score", "predicted")
    numeric = tuple(name for name in others if candidates.columns[name].is_number)
    return {**candidates.beside, "true_labels": truths, "label_score": numeric}


def _recognised_scores(columns: Columns) -> dict[str, Any]:
    pairs = label_columns.indicator_columns(columns)
    if "score" not in pairs and (sets := label_columns.set_and_score_columns(columns)):
        pairs = {"true": (sets[0],), "score": sets[1]}
    given = {"true_labels": pairs.get("true"), "label_score": pairs.get("score"), **weight_and_group(columns)}
    return given if "score" in pairs else {}


def label_score_findings(table: Table[LabelScoreRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about the true labels and their scores."""
    triples = table.roles.columns
    truths = [] if table.roles.of_cells else [columns[name] for _, name, _ in triples]
    yield from incomplete_columns(table, [*truths, *(columns[name] for _, _, name in triples)])
    unused = {*table.roles.true_labels, *table.roles.label_score} - {name for triple in triples for name in triple[1:]}
    if unused:
        sentence = f"{listed(sorted(unused))} {'has' if len(unused) == 1 else 'have'} no column of the same label on "
        sentence += f"the other side and {'is' if len(unused) == 1 else 'are'} left out."
        yield Finding("warning", sentence, len(unused), code="unpaired columns")
    try:
        rows = label_score_rows(table)
    except ReadProblem as problem:
        yield Finding("error", str(problem), 1, code="bad labels")
        return
    if rows.unscored:
        has, is_left = ("has", "is") if len(rows.unscored) == 1 else ("have", "are")
        sentence = f"True {listed(rows.unscored)} {has} no score column and {is_left} left out."
        yield Finding("warning", sentence, len(rows.unscored), code="unscored labels")
    yield from label_findings(table, rows, rows.scores.classes, np.logical_or.reduce(rows.scores.actual))
    never = [name for name, has in zip(rows.scores.classes, rows.scores.actual, strict=True) if not has.any()]
    if never and rows.scores.rows:
        sentence = f"No row has the label {listed(never)}; recall and curves are undefined there."
        yield Finding("warning", sentence, len(never), code="label without rows")
    yield from _of_columns_alike(table, rows)
    if left := rows.left_out:
        take = "takes" if left == 1 else "take"
        sentence = f"{rows_text(left)} without all truths and scores {take} no part in any label."
        yield Finding("info", sentence, left, code="missing")


def _of_columns_alike(table: Table[LabelScoreRoles], rows: LabelScoreRows) -> Iterator[Finding]:
    """Find scores that are all equal, and labels that all rows of a case have, or none."""
    state = rows.scores
    columns = zip(table.roles.columns, state.scores, strict=True)
    if equal := [name for (_, _, name), scores in columns if len(scores) and scores.min() == scores.max()]:
        one, several = f"in column {named(equal[0])} are equal", f"are equal in each of the columns {listed(equal)}"
        sentence = f"All scores {one if len(equal) == 1 else several}, so they cannot tell which rows have the label. "
        yield Finding("warning", f"{sentence}Are other columns the scores?", state.rows, equal[0], code="equal scores")
    cluster, codes = table.roles.get("cluster"), rows.clusters
    if cluster is None or codes is None or len(np.unique(codes)) < 2:
        return
    sizes = np.bincount(codes)
    labelled = ((name, np.bincount(codes, has)) for name, has in zip(state.classes, state.actual, strict=True))
    if whole := [name for name, counts in labelled if counts.any() and ((counts == 0) | (counts == sizes)).all()]:
        sentence = f"All rows of a case of column {named(cluster)} have the label {listed(whole)}, or none has it: "
        sentence += "rows with and without it cannot be compared within a case."
        yield Finding("info", sentence, len(whole), cluster, code="one class per cluster")


def score_tally(table: Table[LabelScoreRoles], label: str | None = None) -> tuple[int, int | None]:
    """Rows, and how many of them have a label."""
    try:
        rows = label_score_rows(table)
        has = rows.complete.copy()
        has[rows.complete] = rows.scores.actual[rows.scores.classes.index(label or "")]
        return counted_rows(table), counted_rows(table, has)
    except ValueError:
        return counted_rows(table), None


LABEL_SCORES = Kind(
    "label scores", "the true labels, one 0/1 column per label or one column of sets (a; c); the score, one column per "
    "label", LabelScoreRoles, findings=(label_score_findings, row_findings), systems=scored_labels, tally=score_tally,
    assign=_assigned_scores, recognise=_recognised_scores, system="label",
    states=states(
        scored, scored_arrays, label_rows=label_score_rows, label_scores=lambda table: label_score_rows(table).scores,
        left_out=lambda table, label=None: label_score_rows(table).left_out,
    ),
)  # fmt: skip


def label_systems(table: Table[Roles]) -> dict[str, Roles]:
    """The roles of a table of labels with the columns of each of its systems, by name; empty for one system alone."""
    return _systems_of(table) if isinstance(table.roles, SeveralLabelRoles) else {}


@kept("label systems", rows=lambda table: 0)
def _systems_of(table: Table[LabelScoreRoles] | Table[LabelSetRoles]) -> dict[str, Roles]:
    columns, roles = Columns(table.frame), table.roles
    if isinstance(roles, LabelSetRoles) and roles.of_cells:
        own, others = roles.predicted_labels[0], {roles.weight, roles.group}
        names = [name for name in label_columns.set_columns_like(roles.true_labels[0], columns) if name not in others]
        systems: dict[str, tuple[str, ...]] = {name: (name,) for name in dict.fromkeys((*names, own))}
    else:
        part = "score" if isinstance(roles, LabelScoreRoles) else "predicted"
        systems = label_columns.system_columns(roles.true_labels, columns).get(part, {})
    field = "label_score" if isinstance(roles, LabelScoreRoles) else "predicted_labels"
    if len(systems) < 2 or roles.parts[field] not in systems.values():
        return {}
    return {name: replace(roles, **{field: own}) for name, own in systems.items()}
