"""Tables of class probabilities: the actual class of each row and a column of probabilities for each class."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalcore.classification import TOLERANCE, ProbabilityTable
from evalcore.numeric import Array
from evalcore.readers.base import Columns, Finding, ReadProblem, Value, listed, named, rounding_of, text_of
from evalcore.readers.kinds.kind import Candidates, Kind, states
from evalcore.readers.kinds.labels import LabelledRoles, label_arrays, label_findings, matrix, tally
from evalcore.readers.shapes.recognition import columns_of_classes, positive_label, sums_to_one
from evalcore.readers.steps import Scale
from evalcore.readers.table import codes_of
from evalcore.readers.table.findings import codes_among_numbers, missing_cells, row_findings
from evalcore.readers.table.table import Rows, Table, complete_rows, left_out, numbers_of, part, scored, scored_arrays
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["PROBABILITIES", "NotSummed", "ProbabilityArrays", "ProbabilityRoles", "ProbabilityRows"]


def _percentages(columns: Columns, names: tuple[str, ...]) -> list[Finding]:
    """A finding about probabilities that are written as percentages, so that most rows add up to 100."""
    cells = np.column_stack([columns[name].numbers for name in names])
    with np.errstate(invalid="ignore", over="ignore"):
        hundred = np.abs(cells.sum(axis=1) - 100) < 2  # as far as rounding to whole numbers may lead
    if len(names) < 2 or not hundred.mean() > 0.5 or not np.nanmin(cells) >= 0 or not np.nanmax(cells) <= 100:
        return []
    sentence = f"The probabilities are percentages: {rows_text(int(hundred.sum()))} of {count_text(len(cells))} add up "
    sentence += "to 100. Divide them by 100 to use them."
    return [Finding("error", sentence, len(cells), names[0], Scale(names, "percent").to_text(), code="scale")]


def _beside_prediction(table: Table[Any], columns: Columns, name: str) -> Iterator[Finding]:
    """Say whether class probabilities or predictions are used, and where the two differ."""
    classes = np.array([text for _, text in table.roles.probability])
    cells = np.column_stack([columns[column].numbers for column, _ in table.roles.probability])
    present = ~columns[name].missing & np.isfinite(cells).all(axis=1)
    if not columns[name].is_few or not present.any():
        return
    stated = np.array(columns[name].texts)[columns[name].codes]
    differs = present & (stated != classes[np.nan_to_num(cells).argmax(axis=1)])
    sentence = "The class with the highest probability is used as the prediction. On the Classes page you can use "
    sentence += f"column {named(name)} instead, which "
    sentence += f"differs in {table.lines.among(differs)}." if differs.any() else "is the same in every row."
    yield Finding("info", sentence, int(differs.sum()), name, code="stated prediction")


# Ten probabilities rounded to two decimals add up to 1 within 0.05, to three decimals within 0.005.
# Beyond the most, a class may be missing.
_ROUNDING, _MOST_ROUNDING = 0.01, 0.05


@dataclass(frozen=True, kw_only=True)
class ProbabilityRoles(LabelledRoles):
    """Roles of rows with a true label and class probabilities: columns, each with the text of its class."""

    kind = "probabilities"
    probability: tuple[tuple[str, str], ...] = part(
        "classes", "Probabilities (one per class)", "probability", numbers=True
    )

    @property
    def positive_of_column(self) -> dict[str, Value | None]:
        """The class of each column, which is positive in it; the column of the positive class is the first."""
        return dict(sorted(self.probability, key=lambda pair: pair[1] != text_of(self.positive)))


@dataclass(frozen=True, eq=False)
class ProbabilityArrays(Rows):
    """Actual labels, shape (n,), as places in `classes` or -1, and probabilities, shape (n, classes), of whole rows."""

    actual: np.ndarray
    probabilities: np.ndarray
    classes: tuple[str, ...]


class NotSummed(ReadProblem):
    """Rows that do not add up to 1 until they are divided by their sum."""


@dataclass(frozen=True, eq=False)
class ProbabilityRows:
    """Probabilities that were checked, and the place of each row in the data set, shape (n,).

    The classes of the table are texts from a file; of two, the last is the positive one. Counted are the rows without
    a label or a number, those whose class has no column, and those divided by their sum.
    """

    table: ProbabilityTable
    rows: np.ndarray
    left_out: int
    unknown_class: int = 0
    normalised: int = 0


def probability_arrays(table: Table[ProbabilityRoles]) -> ProbabilityArrays:
    """See `DataSet.probability_arrays`."""
    pairs = table.roles.probability
    codes, texts = codes_of(table.frame[table.roles.actual])
    classes = tuple(text for _, text in pairs)
    probabilities = np.column_stack([numbers_of(table, column) for column, _ in pairs])
    complete, weights, clusters = complete_rows(table, codes >= 0, np.all(np.isfinite(probabilities), axis=1))
    indices = {text: index for index, text in enumerate(classes)}
    recoding = np.array([indices.get(text, -1) for text in texts] or [0], dtype=np.int64)
    return ProbabilityArrays(complete, weights, clusters, recoding[codes[complete]], probabilities[complete], classes)


def probability_rows(table: Table[ProbabilityRoles], normalised: bool = False) -> ProbabilityRows:
    """See `DataSet.probability_rows`."""
    if len(table.roles.probability) == 1:
        return _one_column(table)
    arrays = probability_arrays(table)
    known = arrays.actual >= 0
    rows = _not_empty(np.flatnonzero(arrays.complete)[known])
    values, weights = arrays.probabilities[known], None if arrays.weights is None else arrays.weights[known]
    divided = _check_sums(table, values, rows, normalised)
    rounded = not divided and bool((np.abs(values.sum(axis=1) - 1) > TOLERANCE).any())
    order = list(range(len(arrays.classes)))
    if len(order) == 2 and arrays.classes[0] == text_of(table.roles.positive):
        order.reverse()
    actual = np.argsort(order)[arrays.actual[known]]
    state = ProbabilityTable.from_arrays(actual, values[:, order], range(len(order)), weights, normalised or rounded)
    clusters = None if arrays.clusters is None else arrays.clusters[known]
    state = replace(state, classes=tuple(arrays.classes[index] for index in order), clusters=clusters)
    return ProbabilityRows(state, rows, arrays.left_out, int(np.count_nonzero(~known)), divided)


def _one_column(table: Table[ProbabilityRoles]) -> ProbabilityRows:
    """Probabilities of one class and of all others."""
    ((column, name),) = table.roles.probability
    arrays = scored_arrays(table)
    rows = _not_empty(np.flatnonzero(arrays.complete))
    _refuse_outside(table, column, arrays.scores, rows, highest=1)
    beside = {"weights": arrays.weights, "clusters": arrays.clusters}
    state = ProbabilityTable.from_event(arrays.labels, arrays.scores, **beside)
    return ProbabilityRows(replace(state, classes=(f"not {name}", name)), rows, arrays.left_out)


def _not_empty(rows: np.ndarray) -> np.ndarray:
    if not len(rows):
        raise ReadProblem("No row has both a label and a probability. Choose other columns on the Data page.")
    return rows


def _check_sums(table: Table[ProbabilityRoles], values: Array, rows: np.ndarray, normalised: bool) -> int:
    """Refuse rows that are no distributions; return how many are divided by their sum because they are off."""
    lines = table.lines
    for index, (column, _) in enumerate(table.roles.probability):
        # A number above 1 may stand in a row that is divided by its sum.
        _refuse_outside(table, column, values[:, index], rows, highest=np.inf)
    with np.errstate(over="ignore"):
        sums = values.sum(axis=1)
    for row in np.flatnonzero(np.isinf(sums))[:1]:
        raise ReadProblem(f"The numbers in {lines.at(rows[row])} are too large to add up; correct the file.")
    for row in np.flatnonzero(sums == 0)[:1]:
        raise ReadProblem(f"All probabilities are 0 in {lines.at(rows[row])}; correct or remove that row.")
    off = np.flatnonzero(np.abs(sums - 1) > max(TOLERANCE, _slack(values)))
    if len(off) and not normalised:
        sentence = f"The probabilities do not add up to 1 in {rows_text(len(off))}. The first is "
        sentence += f"{lines.at(rows[off[0]])}, where they add up to {sums[off[0]]:.7g}. Is a class column missing? If "
        raise NotSummed(f"{sentence}not, each row can be divided by its sum.")
    return len(off)


def _slack(values: Array) -> float:
    """Largest distance from 1 of the sum of a row that the rounding of its probabilities explains."""
    return min(rounding_of(values, values.shape[1]), _MOST_ROUNDING)


def _refuse_outside(table: Table[Any], column: str, values: Array, rows: np.ndarray, highest: float) -> None:
    for row in np.flatnonzero((values < 0) | (values > highest))[:1]:
        sentence = f"Column {named(column)} holds {text_of(values[row])} in {table.lines.at(rows[row])}. A probability "
        sentence += "lies between 0 and 1; correct the file, or use the column as a score, which may be any number."
        raise ReadProblem(sentence)


def _left_out(table: Table[ProbabilityRoles], system: str | None = None) -> int:
    return probability_arrays(table).left_out if system is None else left_out(table, system)


def _assigned(candidates: Candidates) -> dict[str, Any]:
    """The columns that are named after the classes of the truth, else one of the positive class."""
    truth, positive = candidates.one("actual"), candidates.parts.get("positive")
    if truth is None:
        return candidates.beside
    actual, numbers = candidates.columns[truth], candidates.fitting("probability", truth)
    others = [column for column in candidates.columns if column.name != truth]
    columns = columns_of_classes(actual, others)
    columns = columns if columns and sums_to_one(others, dict(columns)) else ()
    if not columns and numbers and actual.distinct == 2:
        positive = positive_label(candidates.columns, {"actual": truth}) if positive is None else positive
        columns = ((numbers[0], text_of(positive)),)
    return {**candidates.beside, "actual": truth, "probability": columns, "positive": positive}


def probability_findings(table: Table[ProbabilityRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about the probability columns."""
    pairs = table.roles.probability
    yield from codes_among_numbers(table, [columns[name] for name, _ in pairs])
    percent = _percentages(columns, tuple(name for name, _ in pairs))
    yield from percent
    for name, _ in pairs:
        column = columns[name]
        yield from missing_cells(table, column, "probability")
        if percent:
            continue
        with np.errstate(invalid="ignore"):
            outside = (column.numbers < 0) | (column.numbers > 1)
        for index in np.flatnonzero(outside)[:1]:
            sentence = f"Column {named(name)} holds {text_of(column.numbers[index])} in {table.lines.at(index)}. "
            sentence += "A probability lies between 0 and 1; correct the file or use the column as a score."
            yield Finding("error", sentence, int(outside.sum()), name, code="no probability")
    if len(pairs) > 1 and not percent:
        yield from _sums(table, columns)
    yield from _classes(table, columns)
    if len(pairs) > 1:
        for name in table.roles.predicted:
            yield from _beside_prediction(table, columns, name)


def _sums(table: Table[ProbabilityRoles], columns: Columns) -> Iterator[Finding]:
    numbers = [columns[name].numbers for name, _ in table.roles.probability]
    with np.errstate(invalid="ignore", over="ignore"):
        sums, slack = np.sum(numbers, axis=0), _slack(np.column_stack(numbers))
        off = np.abs(sums - 1) > max(_ROUNDING, slack)
        rounded = (np.abs(sums - 1) > TOLERANCE) & (np.abs(sums - 1) <= slack)
    if count := int(off.sum()):
        sentence = f"The probabilities do not add up to 1 in {rows_text(count)} (first: "
        sentence += f"{table.lines.at(off.argmax())}, where they add up to {sums[off.argmax()]:.4g}). Is a class "
        yield Finding("warning", f"{sentence}column missing?", count, code="sums")
    elif count := int(rounded.sum()):
        sentence = f"The probabilities are rounded: in {rows_text(count)} their sum differs from 1, by at most "
        sentence += f"{slack:.2g}. These rows are divided by their sum."
        yield Finding("info", sentence, count, code="rounded probabilities")


def _classes(table: Table[ProbabilityRoles], columns: Columns) -> Iterator[Finding]:
    actual = columns[table.roles.actual]
    if not actual.is_few:
        return
    having = {text for _, text in table.roles.probability}
    without = {label: count for label, count in actual.label_counts.items() if text_of(label) not in having}
    if without and len(table.roles.probability) > 1:
        count = sum(without.values())
        sentence = f"No column holds the probability of {listed(text_of(label) for label in without)}, which is the "
        sentence += f"actual class of {rows_text(count)}. Choose a column for each class."
        yield Finding("warning", sentence, count, actual.name, code="class without probability")
    if never := having - set(actual.texts):
        one = len(never) == 1
        sentence = f"{listed(sorted(never))} never {'occurs' if one else 'occur'} in column {named(actual.name)}: "
        sentence += f"{'1 class has' if one else f'{count_text(len(never))} classes have'} probabilities but no rows."
        yield Finding("info", sentence, len(never), actual.name, code="class without rows")


PROBABILITIES = Kind(
    "class probabilities", "the actual class; the probability of each class, one column per class", ProbabilityRoles,
    states=states(
        scored, scored_arrays, probability_arrays, probability_rows, matrix, label_arrays, left_out=_left_out,
        probabilities=lambda table, normalised=False: probability_rows(table, normalised).table,
    ),
    findings=(label_findings, probability_findings, row_findings), tally=tally, assign=_assigned, system="class",
    systems=lambda table: tuple(column for column, _ in table.roles.probability),
)  # fmt: skip
