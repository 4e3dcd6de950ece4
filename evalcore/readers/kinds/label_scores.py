"""Tables of label scores: rows with any number of true labels and a score for each label."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalcore.classification import LabelScores, ScoredLabels
from evalcore.numeric import Flags
from evalcore.readers.base import Columns, Finding, ReadProblem, listed, named
from evalcore.readers.base.column_names import part_and_subject
from evalcore.readers.kinds import label_sets
from evalcore.readers.kinds.kind import Candidates, Kind
from evalcore.readers.shapes import label_columns
from evalcore.readers.shapes.recognition import weight_and_group
from evalcore.readers.table import Roles, ScoredArrays, counted_rows
from evalcore.readers.table.findings import row_findings
from evalcore.readers.table.table import Rows, Table, choose, complete_rows, kept, numbers_of, part
from evalcore.wording.numbers import rows_text

__all__ = ["LABEL_SCORES", "LabelScoreRoles", "LabelScoreRows", "label_systems"]


@dataclass(frozen=True, kw_only=True)
class LabelScoreRoles(label_sets.SeveralLabelRoles):
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
    labels = label_names(table)
    label_sets.check_labels(labels)
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


@kept("scored", lambda table: label_names(table), "label")
def scored(table: Table[LabelScoreRoles], label: str) -> ScoredLabels:
    """The sorted scores of one label, the rows that have it as the positives."""
    rows = label_score_rows(table)
    if rows.clusters is None:
        return rows.scores.scored(label)
    one = scored_arrays(table, label)
    return ScoredLabels.from_arrays(one.labels, one.scores, weights=one.weights, clusters=one.clusters)


def label_names(table: Table[LabelScoreRoles]) -> tuple[str, ...]:
    """The labels; none where the columns cannot be matched."""
    return tuple(label for label, _, _ in table.roles.columns)


def _assigned(candidates: Candidates) -> dict[str, Any]:
    truths = label_sets.true_columns(candidates)
    others = label_sets.other_columns(candidates, truths, "label_score", "score", "predicted")
    numeric = tuple(name for name in others if candidates.columns[name].is_number)
    return {**candidates.beside, "true_labels": truths, "label_score": numeric}


def _recognised(columns: Columns) -> dict[str, Any]:
    pairs = label_columns.indicator_columns(columns)
    if "score" not in pairs and (sets := label_columns.set_and_score_columns(columns)):
        pairs = {"true": (sets[0],), "score": sets[1]}
    given = {"true_labels": pairs.get("true"), "label_score": pairs.get("score"), **weight_and_group(columns)}
    return given if "score" in pairs else {}


def label_score_findings(table: Table[LabelScoreRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about the true labels and their scores."""
    triples = table.roles.columns
    truths = [] if table.roles.of_cells else [columns[name] for _, name, _ in triples]
    yield from label_sets.incomplete_columns(table, [*truths, *(columns[name] for _, _, name in triples)])
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
    labelled = np.logical_or.reduce(rows.scores.actual)
    yield from label_sets.label_findings(table, rows, rows.scores.classes, labelled)
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


def tally(table: Table[LabelScoreRoles], label: str | None = None) -> tuple[int, int | None]:
    """Rows, and how many of them have a label."""
    try:
        rows = label_score_rows(table)
        has = rows.complete.copy()
        has[rows.complete] = rows.scores.actual[rows.scores.classes.index(label or "")]
        return counted_rows(table), counted_rows(table, has)
    except ValueError:
        return counted_rows(table), None


LABEL_SCORES = Kind(
    title="label scores",
    needs="the true labels, one 0/1 column per label or one column of sets (a; c); the score, one column per label",
    roles=LabelScoreRoles,
    states={
        "scored": scored,
        "scored_arrays": scored_arrays,
        "label_rows": label_score_rows,
        "label_scores": lambda table: label_score_rows(table).scores,
        "left_out": lambda table, label=None: label_score_rows(table).left_out,
    },
    findings=(label_score_findings, row_findings),
    systems=label_names,
    tally=tally,
    assign=_assigned,
    recognise=_recognised,
    system="label",
)


def label_systems(table: Table[Roles]) -> dict[str, Roles]:
    """The roles of a table of labels with the columns of each of its systems, by the name of the system.

    They are empty for other tables, and where only one system has a column for every label.
    """
    return _systems(table) if isinstance(table.roles, label_sets.SeveralLabelRoles) else {}


@kept("label systems", rows=lambda table: 0)
def _systems(table: Table[LabelScoreRoles] | Table[label_sets.LabelSetRoles]) -> dict[str, Roles]:
    columns, roles = Columns(table.frame), table.roles
    if isinstance(roles, label_sets.LabelSetRoles) and roles.of_cells:
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
