"""Tables of one label per row: the actual class, and what one or more systems predicted or how they scored it."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.classification import ConfusionMatrix, ScoredLabels, roc_auc
from evalcore.classification.binary.labels import is_negative_word, is_positive_word
from evalcore.classification.binary.scores import staircase
from evalcore.readers.base import Column, Columns, Finding, ReadProblem, Value, few, listed, named
from evalcore.readers.base.column_names import is_good, is_lower_better, is_probability, simple
from evalcore.readers.base.values import distinct_of, positive_value, text_of
from evalcore.readers.kinds.kind import Candidates, Kind, states
from evalcore.readers.steps import Merge, Scale, Toward
from evalcore.readers.steps.step import steps_text
from evalcore.readers.table import codes_of, counted_rows, each_counts_alike, findings, line_counts, ordered
from evalcore.readers.table import table as tables
from evalcore.readers.table.table import RowRoles, Rows, Table, choose, complete_rows, kept, numbers_of, part
from evalcore.wording.numbers import count_text, rows_text, share_text

__all__ = ["LABELS", "SCORES", "LabelArrays", "LabelRoles", "ScoreRoles", "check_classes"]

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
    """Actual and predicted labels of the rows that have both, shape (n,), as places in the texts of the classes."""

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
    roles, used = table.roles, tables.complete_in(table, table.roles.actual, system)
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
    "labels", "the actual class; the predicted class, one column per system", LabelRoles, tally=tally, assign=_assigned,
    states=states(matrix, label_arrays, left_out), findings=(label_findings, findings.row_findings),
    systems=lambda table: table.roles.predicted,
)  # fmt: skip


_MOST_SAID, _EXACT, _LEAST_ROWS = 5, 2**53, 10
_OF_A_LABEL = ("score", "confidence", "conf", "prob", "probability", "p")


@dataclass(frozen=True, kw_only=True)
class ScoreRoles(LabelledRoles):
    """Roles of rows with a true label and scores; `higher_is_positive` if higher scores mean the positive class."""

    kind = "scores"
    score: tuple[str, ...] = part("columns", "Score columns (one per system)", "score", numbers=True, sole=True)
    higher_is_positive: bool = part("flag", default=True)

    @property
    def positive_of_column(self) -> dict[str, Value | None]:
        """The positive class of each score column."""
        return dict.fromkeys(self.score, self.positive)


def _assigned_scores(candidates: Candidates) -> dict[str, Any]:
    truth, positive = candidates.one("actual"), candidates.parts.get("positive")
    return {**candidates.beside, "actual": truth, "score": candidates.fitting("score", truth), "positive": positive}


def score_findings(table: Table[ScoreRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about each score column, and about predicted labels in the same table."""
    yield from _about_classes(table, columns[table.roles.actual])
    scores = [columns[name] for name in table.roles.score]
    yield from findings.codes_among_numbers(table, scores)
    yield from findings.scales(table, scores, [name for name in table.roles.score if is_probability(name)])
    unexplained = [finding for name in table.roles.predicted for finding in _unexplained(table, columns[name])]
    confidences = {finding.column for finding in unexplained if finding.code == "confidence"}
    by_code: dict[str, list[Finding]] = defaultdict(list)
    for name in table.roles.score:
        for finding in _of_column(table, columns[name]):
            # a confidence in either label has no direction
            if finding.code != "worse than chance" or name not in confidences:
                by_code[finding.code].append(finding)
    for same in by_code.values():
        yield from few(same, _MOST_SAID, f"The same is true of {count_text(len(same) - 1)} more score columns.")
    yield from unexplained
    if not table.roles.predicted:
        yield from _never_low(table, columns)


def _about_classes(table: Table[ScoreRoles], actual: Column) -> Iterator[Finding]:
    """Say which class of many is positive, and that lower scores are if the column names decided it."""
    if actual.is_few and actual.distinct > 2:
        positive = table.roles.positive
        sentence = f"Column {named(actual.name)} has {count_text(actual.distinct)} labels, but scores separate two "
        sentence += "classes. Choose the positive one." if positive is None else "classes: "
        sentence += "" if positive is None else f"{named(text_of(positive))} is positive, and all others are negative."
        yield Finding("warning", sentence, actual.distinct, actual.name, code="many classes")
    scores = table.roles.score
    if not table.roles.higher_is_positive and all(map(is_lower_better, scores)):
        names = "name" if len(scores) == 1 else "names"
        sentence = f"Lower scores are treated as positive because of the column {names} {listed(scores, 3)}. If higher "
        sentence += "scores are, change it on the Data page."
        yield Finding("info", sentence, len(scores), scores[0], code="direction")


def _of_column(table: Table[ScoreRoles], column: Column) -> Iterator[Finding]:
    """Find problems of one score column."""
    yield from findings.missing_cells(table, column, "score")
    yield from findings.infinite_numbers(table, column)
    yield from _rounded(column)
    if is_probability(column.name):
        yield from _out_of_range(table, column)
    yield from _ranking(table, column)


def _rounded(column: Column) -> Iterator[Finding]:
    """Find whole numbers too long for a float, so that distinct scores have become equal."""
    values = column.values.to_numpy()
    if values.dtype.kind not in "iu" or not values.size or max(int(values.max()), -int(values.min())) <= _EXACT:
        return
    if lost := len(np.unique(values)) - distinct_of(column.ascending):
        sentence = f"Column {named(column.name)} holds whole numbers above {count_text(_EXACT)}, whose last digits "
        sentence += f"are lost: {count_text(lost)} of its distinct scores have become equal to another. Subtract the "
        yield Finding("warning", f"{sentence}same number from all of them.", lost, column.name, code="rounded scores")


def _out_of_range(table: Table[ScoreRoles], column: Column) -> Iterator[Finding]:
    outside = np.flatnonzero((column.numbers < 0) | (column.numbers > 1))
    if len(outside) and not findings.is_mixed(column):  # see `scales`
        sentence = f"Column {named(column.name)} is named like a probability but holds "
        sentence += f"{text_of(column.numbers[outside[0]])} in {table.lines.at(outside[0])}; it is used as a score."
        way = "percent" if findings.is_percent(column) else "logistic" if findings.is_log_odds(column.numbers) else ""
        if way:
            what = "percentages, divide them by 100" if way == "percent" else "log-odds, convert them"
            sentence += f" If these are {what} on the Data page."
        action = Scale((column.name,), way).to_text() if way else None
        yield Finding("warning", sentence, len(outside), column.name, action, code="not in 0 … 1")


def _ranking(table: Table[ScoreRoles], column: Column) -> Iterator[Finding]:
    try:
        state = tables.scored(table, column.name)
    except ReadProblem:  # no positive class yet, or bad weights: see the other findings
        return
    if not (size := len(state.positive_scores) + len(state.negative_scores)):
        return
    lowest, highest = state.ends
    if lowest == highest:
        value = text_of(tables.scored_arrays(table, column.name).scores[0])
        sentence = f"All scores in column {named(column.name)} are equal ({value}), so they cannot separate the "
        sentence += "classes. Is another column the score?"
        yield Finding("warning", sentence, size, column.name, code="equal scores")
        return
    yield from _area(table, column, state, size)
    is_weighted, counts_rows = state.positive_weights is not None, each_counts_alike(table)
    steps = state.steps if counts_rows else staircase(state.positive_scores, state.negative_scores)
    if size == len(column) and not is_weighted:
        column.distinct = len(steps.thresholds) - 1  # saves another sort of the column
    size = round(float(state.positives + state.negatives)) if counts_rows else size
    if tied := size - int(np.count_nonzero(np.diff(steps.tp + steps.fp) == 1)):
        many = share_text(tied / size) if tied / size >= 0.0005 else count_text(tied)
        sentence = f"{many} of the rows have tied scores in column {named(column.name)}, which no threshold "
        yield Finding("info", f"{sentence}can separate.", tied, column.name, code="tied scores")


def _area(table: Table[ScoreRoles], column: Column, state: ScoredLabels, size: int) -> Iterator[Finding]:
    area = float(roc_auc(state))
    if area < 0.5:
        sentence = f"The scores in column {named(column.name)} rank worse than chance (AUC {area:.3f}, below ½). "
        action = None
        if is_good(table.roles.actual):
            sentence += f"As {named(table.roles.actual)} is the good outcome, the event is probably the other value: "
            sentence += 'choose it under "Positive is".'
        elif table.roles.higher_is_positive and findings.of_anomalies([*table.frame.columns, table.roles.positive]):
            sentence += "Detectors of scikit-learn, such as isolation forests, give anomalies the lower scores. If "
            sentence += "these are such scores, reverse them on the Data page."
            action = Scale((column.name,), "opposite").to_text()
        else:
            sentence += "Is the positive class or the direction wrong?"
        yield Finding("warning", sentence, size, column.name, action, code="worse than chance")
    elif area == 1:
        sentence = f"The scores in column {named(column.name)} separate the classes perfectly (AUC 1). "
        yield Finding("warning", f"{sentence}Does the score leak the label?", size, column.name, code="perfect")


def _unexplained(table: Table[ScoreRoles], predicted: Column) -> Iterator[Finding]:
    """Find predictions that no threshold of any score column reproduces."""
    positive = table.roles.positive
    if positive is None or not predicted.is_few or not table.roles.score:
        return
    texts = predicted.texts
    if text_of(positive) not in texts and not set(texts) <= {"True", "False", "0", "1"}:
        return
    wanted = {text_of(positive)} | ({"True", "1"} if text_of(positive) in ("True", "1") else set())
    is_positive = np.array([text in wanted for text in texts] or [False])[predicted.codes]
    confidences = (name for name in table.roles.score if _is_confidence(table, name, is_positive, predicted))
    if name := next(confidences, None):
        positive_text = next(text for text in texts if text in wanted)
        sentence = f"Column {named(name)} looks like the confidence in {named(predicted.name)}: it is never "
        sentence += "below 0.5, whichever label is predicted, so a high score can mean either class. Turn it into "
        sentence += f"the probability of {named(positive_text)}."
        action = Toward(name, predicted.name, positive_text).to_text()
        yield Finding("warning", sentence, len(predicted), name, action, code="confidence")
        return
    against = {}
    for name in table.roles.score:
        scores = numbers_of(table, name)
        present = ~np.isnan(scores) & ~predicted.missing
        scores = scores[present] if table.roles.higher_is_positive else -scores[present]
        against[name] = _against(is_positive[present], scores)
    best = min(against, key=lambda name: against[name])
    if fewest := against[best]:
        most = "1 row differs" if fewest == 1 else f"{count_text(fewest)} rows differ"
        sentence = f"No threshold of column {named(best)} reproduces column {named(predicted.name)}: even at the best "
        sentence += f"one {most}. Does the prediction come from another score or rule?"
        yield Finding("warning", sentence, fewest, predicted.name, code="unexplained prediction")


def _never_low(table: Table[ScoreRoles], columns: Columns) -> Iterator[Finding]:
    """Find scores of a model that are never below 0.5, as the confidence in a label that is not in the table."""
    for name in table.roles.score:
        column = columns[name]
        if simple(name) not in _OF_A_LABEL or columns[table.roles.actual].distinct != 2 or len(column) < _LEAST_ROWS:
            continue
        low, high = np.nanmin(column.numbers), np.nanmax(column.numbers)
        if 0.5 <= low < high <= 1:
            sentence = f"Column {named(name)} is never below 0.5. If it is the confidence in a predicted label, as of "
            sentence += f"a text classifier, a high score can mean either class, and {named(table.roles.actual)} may "
            sentence += "be the prediction: open a file with the true and the predicted label beside the score."
            yield Finding("warning", sentence, len(column), name, code="confidence")


def _is_confidence(table: Table[ScoreRoles], name: str, is_positive: np.ndarray, predicted: Column) -> bool:
    """Whether scores look like confidence in the prediction: at least 0.5 for both labels, in overlapping ranges."""
    scores = numbers_of(table, name)
    present = np.isfinite(scores) & ~predicted.missing
    one, two = scores[present & is_positive], scores[present & ~is_positive]
    if not one.size or not two.size or predicted.distinct != 2:
        return False
    lowest, highest = sorted((one.min(), two.min())), sorted((one.max(), two.max()))
    return bool(lowest[0] >= 0.5 and highest[1] <= 1 and lowest[1] < highest[0])


def _against(is_positive: np.ndarray, scores: np.ndarray) -> int:
    """Fewest rows in which "score >= threshold" and the prediction disagree."""
    low, high = np.sort(scores[is_positive]), np.sort(scores[~is_positive])
    if not low.size or not high.size or low[0] > high[-1]:
        return 0
    thresholds = np.append(np.unique(scores), np.inf)
    missed = np.searchsorted(low, thresholds, side="left")
    alarms = high.size - np.searchsorted(high, thresholds, side="left")
    alarms[-1], missed[-1] = 0, low.size  # a threshold above every score, even an infinite one
    return int((missed + alarms).min())


SCORES = Kind(
    "scores", "the actual class; the score, one column per system", ScoreRoles, tally=tally, assign=_assigned_scores,
    states=states(tables.scored, tables.scored_arrays, matrix, label_arrays, tables.left_out),
    findings=(label_findings, score_findings, findings.row_findings), systems=lambda table: table.roles.score,
)  # fmt: skip
