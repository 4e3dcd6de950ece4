"""Tables of labels: the actual class of each row and what one or more systems predicted."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.classification import ConfusionMatrix
from evalcore.classification.binary.labels import is_negative_word, is_positive_word
from evalcore.readers.base import Column, Columns, Finding, ReadProblem, Value, listed, named, positive_value, text_of
from evalcore.readers.base.column_names import is_good
from evalcore.readers.kinds.kind import Candidates, Kind, states
from evalcore.readers.steps import Merge
from evalcore.readers.steps.step import steps_text
from evalcore.readers.table import codes_of, counted_rows, findings, line_counts, ordered
from evalcore.readers.table.table import RowRoles, Rows, Table, choose, complete_in, complete_rows, kept, part
from evalcore.wording.numbers import count_text, rows_text, share_text

__all__ = ["LABELS", "LabelArrays", "LabelRoles", "check_classes"]

MOST_CLASSES = 1_000  # the most classes of a confusion matrix
_ENOUGH = 50  # rows without an error that are too good to be true
_FAR = 4  # standard errors below what random labels reach


@dataclass(frozen=True, kw_only=True)
class LabelledRoles(RowRoles):
    """Roles of rows with a true label."""

    actual: str = part("column", "True label", "true label", sole=True)
    predicted: tuple[str, ...] = part("columns", "", "predicted label", default=(), sole=True)
    positive: Value | None = part("value", default=None)  # noqa: RUF009


@dataclass(frozen=True, kw_only=True)
class LabelRoles(LabelledRoles):
    """Roles of rows with a true and predicted labels."""

    kind = "labels"
    predicted: tuple[str, ...] = part("columns", "Predicted labels (one per system)", "predicted label", sole=True)


@dataclass(frozen=True, eq=False)
class LabelArrays(Rows):
    """Actual and predicted labels of the rows that have both, shape (n,), as places in `classes`.

    The classes are the texts of the labels, sorted by number where all are numbers.
    """

    actual: np.ndarray
    predicted: np.ndarray
    classes: tuple[str, ...]


def label_arrays(table: Table[LabelledRoles], system: str | None = None) -> LabelArrays:
    """See `DataSet.label_arrays`."""
    system = choose(system, table.roles.predicted, "predicted column")
    coded = [codes_of(table.frame[name]) for name in (table.roles.actual, system)]
    classes, (actual, predicted) = _in_common_classes(coded)
    complete, weights, clusters = complete_rows(table, *(codes >= 0 for codes, _ in coded))
    return LabelArrays(complete, weights, clusters, actual[complete], predicted[complete], classes)


@kept("matrix", lambda table: table.roles.predicted, "predicted column")
def matrix(table: Table[LabelledRoles], system: str) -> ConfusionMatrix:
    """The confusion matrix of `label_arrays`."""
    pairs = label_arrays(table, system)
    table.once("rows left out", system, lambda: pairs.left_out)
    check_classes(pairs.classes)
    codes = range(len(pairs.classes))
    state = ConfusionMatrix.from_labels(pairs.actual, pairs.predicted, codes, pairs.weights, pairs.clusters)
    return ConfusionMatrix(pairs.classes, state.counts, state.rows)


@kept("rows left out", lambda table: table.roles.predicted, "predicted column")
def left_out(table: Table[LabelledRoles], system: str) -> int:
    """Number of rows that `label_arrays` leaves out."""
    return label_arrays(table, system).left_out


def check_classes(classes: tuple[str, ...]) -> None:
    """Raise ReadProblem if there are too many classes for a confusion matrix."""
    if len(classes) > MOST_CLASSES:
        sentence = f"There are {count_text(len(classes))} different labels, as in a column of identifiers or numbers. "
        raise ReadProblem(f"{sentence}Choose another column as the label.")


def tally(table: Table[LabelledRoles], system: str | None = None) -> tuple[int, int | None]:
    """Number of usable rows of a system, and of actual positives among them; sums of weights that count rows."""
    roles, used = table.roles, complete_in(table, table.roles.actual, system)
    rows = counted_rows(table, used)
    if roles.positive is None:
        return rows, None
    return rows, counted_rows(table, used, (table.frame[roles.actual] == roles.positive).to_numpy(bool))


def _assigned(candidates: Candidates) -> dict[str, Any]:
    truth = candidates.one("actual")
    known = set() if truth is None else {text.casefold() for text in candidates.columns[truth].texts}
    is_alike = lambda column: any(text.casefold() in known for text in column.texts)  # noqa: E731
    systems = candidates.fitting("predicted", truth, alike=is_alike)
    return {**candidates.beside, "actual": truth, "predicted": systems, "positive": candidates.parts.get("positive")}


def label_findings(table: Table[LabelledRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about the actual and the predicted labels."""
    roles = table.roles
    actual = columns[roles.actual]
    predicted = [columns[name] for name in roles.predicted]
    for column in (actual, *predicted):
        yield from findings.missing_cells(table, column, "label")
    if actual.missing_count == len(actual):
        return
    if not actual.is_few or (actual.distinct > 50 and actual.distinct * 2 > len(actual)):
        like = "a number to estimate" if actual.is_number and not actual.is_whole else "an identifier or a number"
        sentence = f"Column {named(actual.name)} has {count_text(actual.distinct)} different labels in "
        sentence += f"{rows_text(len(actual))}; it looks like {like}. Is another column the label?"
        yield Finding("warning", sentence, actual.distinct, actual.name, code="no label")
    if not actual.is_few:
        return
    labels = [actual, *(column for column in predicted if column.is_few)]
    yield from findings.spellings(labels, [text for _, text in roles.get("probability", ())])
    yield from findings.codes_among_labels(labels, [columns[name] for name in roles.get("score", ())])
    anomalies = [*findings.anomaly_codes(table, actual, predicted)]
    yield from anomalies
    yield from _classes(table, actual, [] if anomalies else predicted, columns)
    for column in predicted:
        yield from _against_chance(actual, column)
    yield from _positive(table, actual)


def _against_chance(actual: Column, predicted: Column) -> Iterator[Finding]:
    """Predictions that are right far less often than labels drawn at random, as with swapped labels."""
    if not predicted.is_few or not predicted.labels:
        return
    both = (actual.codes >= 0) & (predicted.codes >= 0)
    classes, (one, two) = _in_common_classes([(column.codes[both], column.texts) for column in (actual, predicted)])
    rows, shares = len(one), [np.bincount(codes, minlength=len(classes)) / max(len(one), 1) for codes in (one, two)]
    by_chance = float(shares[0] @ shares[1])
    if not rows or by_chance <= 0:
        return
    right = float((one == two).mean())
    if by_chance - right > _FAR * np.sqrt(by_chance * (1 - by_chance) / rows):
        sentence = f"Column {named(predicted.name)} is right in {share_text(right)} of {rows_text(rows)}, far less "
        sentence += f"than the {share_text(by_chance)} of random labels. Are two labels swapped, or is it the wrong "
        yield Finding("warning", f"{sentence}column?", rows, predicted.name, code="swapped labels")
    elif right == 1 and by_chance < 1 and rows >= _ENOUGH:
        sentence = f"Column {named(predicted.name)} is right in all {rows_text(rows)}. Is it a copy of the truth?"
        yield Finding("warning", sentence, rows, predicted.name, code="perfect")


def _classes(table: Table[Any], actual: Column, predicted: list[Column], columns: Columns) -> Iterator[Finding]:
    texts = set(actual.texts)
    if len(texts) == 1:
        sentence = f"Column {named(actual.name)} holds only one class, {named(actual.texts[0])}. Measures that need "
        sentence += "both classes are undefined."
        used = {table.roles.group, table.roles.cluster, *(column.name for column in predicted)}
        others = [c.name for c in columns if c.name not in used and c.distinct == 2 and not c.is_number]
        about, role = (others[0], "actual") if len(others) == 1 else (actual.name, None)
        if role:
            sentence += f" Column {named(about)} holds two values: if it is the label, choose it."
        yield Finding("warning", sentence, len(actual) - actual.missing_count, about, code="one class", role=role)
    if len(texts) == 2:
        counts = _rows_of_labels(table, actual)
        rare, rows = min(counts, key=lambda text: counts[text]), sum(counts.values())
        label = f"{named(rare)} in column {named(actual.name)}"
        yield from findings.rare_class(counts[rare] / max(rows, 1), rows, label, actual.name)
    for column in predicted:
        alike = {"True", "False", "0", "1"}
        if column.is_few and column.texts and texts.isdisjoint(column.texts) and not texts | {*column.texts} <= alike:
            sentence = f"Columns {named(actual.name)} and {named(column.name)} have no label in common: "
            sentence += f"{listed(actual.texts, 3)} and {listed(column.texts, 3)}. "
            steps = _written_alike(actual, column)
            sentence += "Write both alike." if steps else "Is one of them the wrong column?"
            yield Finding("warning", sentence, len(column), column.name, steps, code="no common label")


def _written_alike(actual: Column, predicted: Column) -> str | None:
    """The steps that write the two labels of a prediction as those of the truth, such as 1 and 0 as yes and no."""
    is_sign = lambda text: is_negative_word(text) or is_positive_word(text)  # noqa: E731
    of_sign = [{is_negative_word(text): text for text in filter(is_sign, c.texts)} for c in (actual, predicted)]
    if not actual.distinct == predicted.distinct == len(of_sign[0]) == len(of_sign[1]) == 2:
        return None
    names = (actual.name, predicted.name)
    return steps_text(Merge(names, (of_sign[1][sign],), of_sign[0][sign]) for sign in (False, True))


def _rows_of_labels(table: Table[Any], actual: Column) -> dict[str, int]:
    """Count the rows of each label, by its text."""
    counts, known = line_counts(table), ~actual.missing
    sums = np.bincount(actual.codes[known], None if counts is None else counts[known], len(actual.texts))
    rows: Counter[str] = Counter()
    for text, count in zip(actual.texts, sums.tolist(), strict=True):
        rows[text] += round(count)
    return rows


def _positive(table: Table[LabelledRoles], actual: Column) -> Iterator[Finding]:
    if table.roles.positive is None:
        return
    text, counts = text_of(table.roles.positive), actual.label_counts
    value, why = positive_value(counts)
    count = _rows_of_labels(table, actual).get(text, 0)
    if len(counts) == 1 and count:
        why = "the only class"
    elif text_of(value) != text or len(counts) == 1:
        why = "as chosen" if count else "the other of two classes"
    sentence = f"{named(text)} in column {named(actual.name)} is the positive class ({why}): {count_text(count)} of "
    sentence += f"{rows_text(counted_rows(table, ~actual.missing))}."
    others = [other for label in counts if (other := text_of(label)) != text]
    if len(others) == 1 and {text, *others} == {"1", "2"}:
        sentence += f' The codes do not say which is the event: if it is {others[0]}, choose it under "Positive is".'
    elif len(others) == 1 and is_good(actual.name) and {text, *others} in ({"0", "1"}, {"False", "True"}):
        sentence += f" The name describes the good outcome: if the event is its absence, choose {others[0]} under "
        sentence += '"Positive is".'
    yield Finding("info", sentence, count, actual.name, code="positive class")


def _align_booleans(texts: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Write True and False as 1 and 0 if the other column does."""
    are_booleans = {"True", "False"}.issuperset(texts) and others and {"0", "1"}.issuperset(others)
    return tuple(str(int(text == "True")) for text in texts) if are_booleans else texts


def _in_common_classes(
    coded: list[tuple[np.ndarray, tuple[str, ...]]],
) -> tuple[tuple[str, ...], tuple[np.ndarray, np.ndarray]]:
    """The classes of a truth and a prediction, from the codes and texts of each; and both as places in these."""
    (actual, actual_texts), (predicted, predicted_texts) = coded
    aligned = _align_booleans(actual_texts, predicted_texts), _align_booleans(predicted_texts, actual_texts)
    classes = ordered({*aligned[0], *aligned[1]})
    places = {text: place for place, text in enumerate(classes)}
    own = [np.array([places[text] for text in texts] or [0], dtype=np.int64) for texts in aligned]
    return classes, (own[0][actual], own[1][predicted])


LABELS = Kind(
    title="labels",
    needs="the actual class; the predicted class, one column per system",
    roles=LabelRoles,
    states=states(matrix, label_arrays, left_out),
    findings=(label_findings, findings.row_findings),
    systems=lambda table: table.roles.predicted,
    tally=tally,
    assign=_assigned,
)
