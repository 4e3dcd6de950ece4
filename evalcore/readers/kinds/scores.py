"""Tables of scores: the actual class of each row and the score that one or more systems gave it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.classification import ScoredLabels, roc_auc
from evalcore.classification.binary.scores import staircase
from evalcore.readers.base import Column, Columns, Finding, ReadProblem, Value, distinct_of, few, listed, named, text_of
from evalcore.readers.base.column_names import is_good, is_lower_better, is_probability, simple
from evalcore.readers.kinds.kind import Candidates, Kind, states
from evalcore.readers.kinds.labels import LabelledRoles, label_arrays, label_findings, matrix, tally
from evalcore.readers.steps import Scale, Toward
from evalcore.readers.table import findings
from evalcore.readers.table.table import Table, each_counts_alike, left_out, numbers_of, part, scored, scored_arrays
from evalcore.wording.numbers import count_text, share_text

__all__ = ["SCORES", "ScoreRoles"]

_MOST_SAID, _EXACT, _LEAST_ROWS = 5, 2**53, 10
# Names of the confidence in a predicted label; a similarity may well be above 0.5 throughout.
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


def _assigned(candidates: Candidates) -> dict[str, Any]:
    truth, positive = candidates.one("actual"), candidates.parts.get("positive")
    return {**candidates.beside, "actual": truth, "score": candidates.fitting("score", truth), "positive": positive}


def score_findings(table: Table[ScoreRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about each score column, and about predicted labels in the same table."""
    yield from _classes(table, columns[table.roles.actual])
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


def _classes(table: Table[ScoreRoles], actual: Column) -> Iterator[Finding]:
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
        state = scored(table, column.name)
    except ReadProblem:  # no positive class yet, or bad weights: see the other findings
        return
    if not (size := len(state.positive_scores) + len(state.negative_scores)):
        return
    lowest, highest = state.ends
    if lowest == highest:
        value = text_of(scored_arrays(table, column.name).scores[0])
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
    title="scores",
    needs="the actual class; the score, one column per system",
    roles=ScoreRoles,
    states=states(scored, scored_arrays, matrix, label_arrays, left_out),
    findings=(label_findings, score_findings, findings.row_findings),
    systems=lambda table: table.roles.score,
    tally=tally,
    assign=_assigned,
)
