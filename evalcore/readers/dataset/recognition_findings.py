"""Findings about recognised roles: what they rest on, where a user may know better."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from evalcore.classification.binary.labels import is_negative_word, is_positive_word
from evalcore.readers.base import column_names as names
from evalcore.readers.base.problems import Finding, Lines, listed, named
from evalcore.readers.base.values import Column, Columns
from evalcore.readers.kinds.estimates import EstimateRoles
from evalcore.readers.kinds.label_sets import LabelSetRoles
from evalcore.readers.kinds.labels import LabelledRoles, LabelRoles
from evalcore.readers.kinds.rankings import RankingRoles
from evalcore.readers.kinds.scores import ScoreRoles
from evalcore.readers.shapes.label_columns import (
    Answers,
    OneHot,
    Ranked,
    Softmax,
    columns_named,
    holds_flags,
    list_separator,
    names_in,
)
from evalcore.readers.shapes.recognition import is_answer, is_identifier, matched_columns, sums_to_one, weight_findings
from evalcore.readers.shapes.square_matrices import long_findings
from evalcore.readers.steps.step import Step
from evalcore.readers.table.table import Roles, RowRoles
from evalcore.wording.numbers import count_text

_LOGIT = re.compile(r"^(?:y_|pred_)?(?:logits?|log_?odds)[_(\[ .:-]", re.IGNORECASE)

_HEAD = 2_000

_LEAST_ROWS = 10

_MOST_CLASSES = 500


def class_readings(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """Find other readings of columns: another class column, logits, rankings, or right and wrong."""
    yield from _one_hot(columns, roles)
    yield from _logits(columns, roles)
    yield from _rankings(columns, roles)
    yield from _answers(columns, roles)


def _one_hot(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """Find true labels in columns of 0 and 1 of which each row has exactly one."""
    truths = roles.get("true_labels") or columns_named("true", [column.name for column in columns])
    if len(truths) < 2 or not _has_just_one(columns, truths):
        return
    taken = {column.name for column in columns}
    steps: list[Step] = [OneHot(tuple(truths), "label" if "label" not in taken else "true_label")]
    predicted, scores, is_certain = roles.get("predicted_labels", ()), roles.get("label_score", ()), True
    if predicted and not _has_just_one(columns, predicted):
        return
    if predicted:
        steps.append(OneHot(predicted, "predicted" if "predicted" not in taken else "predicted_label"))
    elif scores and all(map(_LOGIT.match, scores)):
        steps.append(Softmax(scores))
    elif scores:
        is_certain = sums_to_one([columns[name] for name in scores], dict.fromkeys(scores, ""))
    # scores such as m1_cat and m2_cat, of two systems, are only read as those of labels
    is_named = all(names.part_and_subject(name)[0] for name in scores)
    classes = [names.part_and_subject(name)[1] for name in truths]
    sentence = f"Each row has just one of the labels {listed(classes, 3)}, so they {'are' if is_certain else 'may be'} "
    sentence += "classes, not labels that occur together. "
    sentence += "Read them as one column of classes." if is_named else "Their scores are compared label by label."
    action = "~~".join(step.to_text() for step in steps) if is_named else None
    yield Finding("warning" if is_certain else "info", sentence, len(truths), truths[0], action, code="one-hot")


def _has_just_one(columns: Columns, flags: tuple[str, ...]) -> bool:
    """Whether each of at least ten rows has exactly one 1 in some columns of 0 and 1."""
    if len(flags) < 2 or columns.rows < _LEAST_ROWS or not all(holds_flags(columns[name]) for name in flags):
        return False
    if not all(columns[name].is_number or columns[name].is_bool for name in flags):
        return False
    return bool((np.sum([columns[name].numbers for name in flags], axis=0) == 1).all())


def _logits(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """Find logits, one column per class, which together are one prediction."""
    actual = roles.get("actual")
    if actual is None or not columns[actual].is_few:
        return
    logits = [c for c in columns if c.is_number and _LOGIT.match(c.name) and c.missing_count < len(c)]
    if not logits and (classes := roles.get("probability")):
        # columns called like the classes alone, with numbers that are no probabilities in most rows
        numbers = np.column_stack([columns[name].numbers for name, _ in classes])
        is_logit = bool((numbers < 0).any()) and 2 * ((numbers < 0) | (numbers > 1)).any(axis=1).sum() > len(numbers)
        logits = [columns[name] for name, _ in classes if is_logit]
    subjects = {c.name: names.part_and_subject(c.name)[1].casefold() for c in logits}
    labels = {text.strip().casefold() for text in columns[actual].texts}
    are_signs = len(labels) == 2 == len(subjects) and all(map(_are_signs, (labels, {*subjects.values()})))
    if not 2 <= len(logits) <= _MOST_CLASSES or not (labels <= {*subjects.values()} or are_signs):
        return
    step = Softmax(tuple(subjects)).to_text()
    sentence = (
        f"Columns {listed(subjects, 3)} are logits of the {count_text(len(subjects))} classes of {named(actual)}, "
    )
    if len(subjects) == 2:
        sentence += "which make one score, not two: make them probabilities, 1 ÷ (1 + e^−(l₁ − l₀))."
    else:
        sentence += "not scores of as many systems: make them probabilities, e^l divided by the sum over all classes."
    level = "info" if {*roles.get("score", ())} - subjects.keys() else "warning"  # another score would get lost
    yield Finding(level, sentence, len(subjects), logits[0].name, step, code="logits")


def _are_signs(texts: set[str]) -> bool:
    return sorted(map(is_negative_word, texts)) == [False, True] and any(map(is_positive_word, texts))


def _rankings(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """Find lists of as many classes in each row, the most likely first, beside one true label."""
    name = roles.get("actual")
    if isinstance(roles, LabelSetRoles) and roles.of_cells:
        # "label" beside the lists of two systems, which look like true and predicted sets
        name = next((c.name for c in columns if names.is_actual(c.name)), roles.true_labels[0])
    if name is None or roles.kind not in ("label sets", "labels", "unknown"):
        return
    truth, given = columns[name], roles.get("predicted")
    others = [c for c in columns if c is not truth and not c.is_number and not c.is_bool]
    sizes = {c.name: size for c in others if (size := _ranked_classes(truth, c))}
    if not sizes or not (given is None or {*given} & sizes.keys()):
        return
    size, first = max(sizes.values()), next(iter(sizes))
    many = f"Column {named(first)} holds" if len(sizes) == 1 else f"Columns {listed(sizes, 3)} hold"
    sentence = f"{many} {count_text(size)} classes in each row, beside one true label: a ranking of classes, not a set "
    sentence += "of labels. Read each row as a query whose only relevant document is its true class: success@k is then "
    sentence += "top-k accuracy."
    yield Finding(
        "warning", sentence, columns.rows, first, Ranked(truth.name, tuple(sizes)).to_text(), code="class ranking"
    )


def _ranked_classes(truth: Column, column: Column) -> int:
    """Number of classes that each cell of a column ranks; 0 for other cells, such as unordered sets."""
    head = [str(value) for value in column.values.iloc[:_HEAD].dropna().unique()]
    separator = list_separator(head) if head else None
    if separator is None or not truth.is_few or any(separator in text.strip() for text in truth.texts):
        return 0
    lists = [names_in(text, separator) for text in head]
    size, labels = len(lists[0]), {text.strip() for text in truth.texts}
    if size < 2 or any(len(one) != size for one in lists) or all(one == sorted(one) for one in lists):
        return 0
    items = {item for one in lists for item in one}
    return size if 2 * len(items & labels) >= min(len(items), len(labels)) > 0 else 0


def _answers(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """Find columns of 0 and 1 that say whether an answer was right, not which label was predicted."""
    truth, kind = roles.get("actual"), roles.kind
    if kind == "unknown":
        flags = tuple(column.name for column in columns if is_answer(column))
        if not flags:
            return
        one = len(flags) == 1
        sentence = (
            f"{'Column' if one else 'Columns'} {listed(flags, 3)} {'says' if one else 'say'} of each row whether "
        )
        sentence += "the answer was correct (1) or wrong (0), not which label was predicted. Read "
        sentence += f"{'it' if one else 'them'} as such: accuracy is then the share of correct answers."
        truth = None if truth in flags else truth
        yield Finding("warning", sentence, len(flags), flags[0], Answers(flags, truth or "").to_text(), code="answers")
    elif isinstance(roles, LabelRoles) and columns[roles.actual].distinct > 2:
        flags = tuple(name for name in roles.predicted if {*columns[name].texts} in ({"0", "1"}, {"True", "False"}))
        if flags:
            one, actual = len(flags) == 1, columns[roles.actual]
            sentence = f"{'Column' if one else 'Columns'} {listed(flags, 3)} {'holds' if one else 'hold'} only "
            sentence += f"{listed(columns[flags[0]].texts)}, but column {named(actual.name)} has "
            sentence += f"{count_text(actual.distinct)} labels ({listed(actual.texts, 4)}). If 1 says that the answer "
            sentence += "was correct, read it so: accuracy is then the share of correct answers."
            yield Finding(
                "warning", sentence, len(flags), flags[0], Answers(flags, actual.name).to_text(), code="answers"
            )


_TIME = re.compile(
    r"^(?:time|duration|t|futime|tte|followup|survival|follow_up)$"
    r"|(?:survival|follow_?up|os|pfs|dfs|rfs|event)_(?:time|days|months|years)|time_to_"
)

_OF_JUDGES = re.compile(r"human|relevance|judge|expert|assessor|annotator|manual")
_EVENT = re.compile(r"(?:^|_)(?:event|status|death|died|dead|deceased|relapse|recurrence|progression|censor\w*)(?:$|_)")


def recognition_findings(columns: Columns, roles: Roles, lines: Lines) -> list[Finding]:
    """Findings about roles that were recognized, not chosen."""
    findings: list[Finding] = []
    if roles.kind not in ("counts", "run + judgments"):
        findings += long_findings(columns, lines)
        is_told = any("~~answers~" in (finding.action or "") for finding in findings)  # one row per case comes first
        findings += (one for one in class_readings(columns, roles) if one.code != "answers" or not is_told)
    if isinstance(roles, RankingRoles):
        findings += _rated(columns, roles)
    if isinstance(roles, RowRoles) and roles.kind != "unknown":
        findings += weight_findings(columns, roles.weight)
    if isinstance(roles, LabelledRoles):
        pairs = matched_columns(columns)
        findings += _truths(columns, roles, pairs)
        if isinstance(roles, ScoreRoles) and len(pairs) < 2:
            findings += _censored(columns, roles)
            findings += _left_out_scores(columns, roles, pairs.get(roles.actual, ()))
    if isinstance(roles, EstimateRoles) and not names.is_actual(roles.truth):
        sentence = f"No name says which column holds the true values: {named(roles.truth)} is used, the only other "
        sentence += f"numbers beside {listed(roles.estimate, 3)}. Choose others on the Data page if that is wrong."
        findings.append(Finding("info", sentence, len(columns[roles.truth]), roles.truth, code="guessed truth"))
    if isinstance(roles, LabelRoles):
        findings += _truth(columns, roles)
        findings += _numbers_beside(columns, roles)
    return findings


def _rated(columns: Columns, roles: RankingRoles) -> Iterator[Finding]:
    """Warn that a rating was used as a grade, which it is not if it rates the document independently of the query."""
    if re.search(r"(?:^|_)ratings?$", name := names.simple(roles.grade)) and not _OF_JUDGES.match(name):
        sentence = f"Column {named(roles.grade)} is used as the grade of each document for its query. If it rates the "
        sentence += 'document itself, as stars from customers do, choose another column under "Grade".'
        level = "info" if columns[roles.grade].is_whole else "warning"
        yield Finding(level, sentence, len(columns[roles.grade]), roles.grade, code="guessed truth")


def _censored(columns: Columns, roles: ScoreRoles) -> Iterator[Finding]:
    """Warn that rows may be censored if an event stands beside the time until it."""
    others = (c for c in columns if c.is_number and c.name not in roles.score)
    time = next((c for c in others if _TIME.search(names.simple(c.name))), None)
    if time is not None and _EVENT.search(names.simple(roles.actual)):
        sentence = f"Column {named(time.name)} looks like the time to {named(roles.actual)}. Rows that were followed "
        sentence += "for a shorter time may lack the event for that reason, but count as negative here."
        yield Finding("info", sentence, len(time), time.name, code="censored")


def _left_out_scores(columns: Columns, roles: ScoreRoles, own: tuple[str, ...]) -> Iterator[Finding]:
    """Columns of numbers that are not used: features beside scores, or systems, because there are so many."""
    named_scores = [name for name in roles.score if names.is_score(name) or names.is_predicted(name)]
    used = {*roles.score, *roles.predicted, roles.actual, roles.weight, roles.group}
    others = [c for c in columns if c.name not in used and c.is_quantity and not is_identifier(c)]
    count, one = len(others), len(roles.score) == 1
    if set(roles.score) <= {*own} or (named_scores and not any(names.is_score(c.name) for c in others)):
        if count > 2:
            sentence = f"{listed(roles.score, 3)} {'is' if one else 'are'} used as {'the score' if one else 'scores'} "
            sentence += (
                f"because of the {'name' if one else 'names'}; {count_text(count)} other columns of numbers are not."
            )
            yield Finding("info", sentence, count, roles.score[0], code="unused scores")
        return
    count = sum(names.is_score(c.name) for c in others) if named_scores else count
    if count:
        sentence = f"The first {count_text(len(roles.score))} numeric columns are used as scores; "
        sentence += f"{count_text(count)} more {'is' if count == 1 else 'are'} not. "
        sentence += 'If they are systems too, add them on the Data page under "Score columns (one per system)".'
        yield Finding("warning", sentence, count, code="unused scores")


def _truths(columns: Columns, roles: LabelledRoles, pairs: dict[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Say which of several truths is judged, or which of several columns of two labels was taken for the truth."""
    if len(pairs) > 1 and roles.actual in pairs:
        pair = f"{named(roles.actual)} with {named(pairs[roles.actual][0])}"
        sentence = f"The table holds {count_text(len(pairs))} truths, each with a column named alike, such as {pair}. "
        sentence += f"Only {named(roles.actual)} is measured. To measure another, choose it and its column."
        yield Finding("warning", sentence, len(pairs), roles.actual, code="several truths")
    elif isinstance(roles, ScoreRoles) and not names.is_actual(roles.actual) and roles.actual not in pairs:
        used = {roles.actual, roles.group, roles.weight, *roles.predicted}
        others = [
            c.name for c in columns if c.name not in used and c.is_few and c.distinct == 2 and not is_identifier(c)
        ]
        if others:
            sentence = (
                f"No name says which column holds the true labels: {named(roles.actual)} is used, the first with "
            )
            sentence += f'two values; {listed(others, 3)} could be it too. Choose it under "True label".'
            yield Finding("warning", sentence, len(others), roles.actual, code="guessed truth")


def _truth(columns: Columns, roles: LabelRoles) -> Iterator[Finding]:
    """Say which of several similar label columns is used as the truth, if no name decides."""
    if any(map(names.is_predicted, roles.predicted)) or names.is_actual(roles.actual):
        return
    systems = f"{listed(roles.predicted, 3)} as {'the prediction' if len(roles.predicted) == 1 else 'predictions'}"
    sentence = f"No name says which column holds the true labels: {named(roles.actual)} is used as the truth, "
    sentence += f'{systems}. Choose another under "True label" if that is wrong.'
    yield Finding("info", sentence, len(roles.predicted), roles.actual, code="guessed truth")


def _numbers_beside(columns: Columns, roles: LabelRoles) -> Iterator[Finding]:
    """Say which numbers beside predictions of two labels are no scores, as no threshold reproduces them."""
    used = {roles.actual, *roles.predicted, roles.weight, roles.group}
    others = [c.name for c in columns if c.name not in used and c.is_quantity and not is_identifier(c)]
    if columns[roles.actual].distinct == 2 and others:
        one = len(others) == 1
        sentence = f"{listed(others, 3)} {'is' if one else 'are'} not used as {'a score' if one else 'scores'}: no "
        sentence += f"threshold of {'it' if one else 'them'} gives {listed(roles.predicted, 2)}, whose labels are "
        sentence += 'compared. To use a column as a score all the same, choose "scores" on the Data page.'
        yield Finding("info", sentence, len(others), others[0], code="unused scores")
