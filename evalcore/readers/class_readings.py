"""Findings about columns that say something else of classes than they seem to, each with the step that reads it so."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from evalcore.classification.labels import is_negative_word, is_positive_word
from evalcore.readers import column_names as names
from evalcore.readers.columns import Column, Columns
from evalcore.readers.kinds.label_sets import LabelSetRoles
from evalcore.readers.kinds.labels import LabelRoles
from evalcore.readers.label_columns import columns_named, holds_flags, list_separator, names_in
from evalcore.readers.problems import Finding, listed, named
from evalcore.readers.recognition import is_answer, sums_to_one
from evalcore.readers.roles import Roles
from evalcore.readers.steps.classes import Answers, OneHot, Ranked, Softmax
from evalcore.readers.steps.step import Step
from evalcore.wording.numbers import count_text

_LOGIT = re.compile(r"^(?:y_|pred_)?(?:logits?|log_?odds)[_(\[ .:-]", re.IGNORECASE)
_HEAD = 2_000
_LEAST_ROWS = 10
_MOST_CLASSES = 500


def class_readings(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """What else some columns may say of classes: which of several is the one, logits, rankings, or right and wrong."""
    yield from _one_hot(columns, roles)
    yield from _logits(columns, roles)
    yield from _rankings(columns, roles)
    yield from _answers(columns, roles)


def _one_hot(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """True labels in columns of 0 and 1 of which each row has just one."""
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
    """Whether each of at least ten rows has a 1 in just one of some columns of 0 and 1."""
    if len(flags) < 2 or columns.rows < _LEAST_ROWS or not all(holds_flags(columns[name]) for name in flags):
        return False
    if not all(columns[name].is_number or columns[name].is_bool for name in flags):
        return False
    return bool((np.sum([columns[name].numbers for name in flags], axis=0) == 1).all())


def _logits(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """Logits of each class of the truth, which are one score together and not one each."""
    actual = roles.get("actual")
    if actual is None or not columns[actual].is_few:
        return
    logits = [c for c in columns if c.is_number and _LOGIT.match(c.name) and c.missing_count < len(c)]
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
    """Lists of as many classes in each row, the most likely first, beside one true label."""
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
    """How many classes each cell of a column ranks; 0 where it holds something else, such as sets in no order."""
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
    """Columns of 0 and 1 that say whether an answer was right, not which label was predicted."""
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
