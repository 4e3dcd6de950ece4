"""Assigning roles: recognized in the columns, read from the text of a link, or carried over to another kind."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd

from evalcore.readers.base import column_names as names
from evalcore.readers.base.problems import Finding, Lines, ReadProblem, listed, named
from evalcore.readers.base.values import Column, Columns, Value, parsed_value, plain, text_of, value_of
from evalcore.readers.kinds import KINDS
from evalcore.readers.kinds.estimates import EstimateRoles
from evalcore.readers.kinds.kind import Candidates, UnknownRoles
from evalcore.readers.kinds.label_sets import LabelSetRoles
from evalcore.readers.kinds.labels import LabelledRoles, LabelRoles, ScoreRoles
from evalcore.readers.kinds.rankings import RankingRoles
from evalcore.readers.shapes import label_columns, recognition
from evalcore.readers.shapes.matrices import are_signs, long_findings
from evalcore.readers.steps.step import Step, steps_text
from evalcore.readers.table.table import Part, Roles, RowRoles
from evalcore.wording.numbers import count_text

__all__ = ["as_kind", "check_roles", "reassigned", "renamed_roles", "roles_of"]


_BESIDE = ("weight", "group", "cluster")  # the parts of every table of rows, beside those of its kind
PARTS: dict[str, Part] = {name: part for kind in KINDS.values() for name, part in kind.parts.items()}
PARTS["asked"] = replace(PARTS["asked"], choices=tuple(name for name in KINDS if name != UnknownRoles.kind))


def roles_of(**parts: Any) -> Roles:
    """Build roles from columns and values by part: of the last kind whose needs they meet, else `UnknownRoles`.

    Parts that the kind does not have are dropped.

    >>> roles_of(actual="label", score=("model",)).kind, roles_of(actual="label").kind
    ('scores', 'unknown')
    """
    given = {name: value for name, value in parts.items() if value not in (None, (), PARTS[name].default)}
    roles = [kind.roles for kind in KINDS.values() if not kind.roles.lacking(given)][-1]
    own = {field.name: given.pop(field.name) for field in fields(roles) if field.name in given}
    return UnknownRoles(chosen=tuple(sorted(given.items())), **own) if roles is UnknownRoles else roles(**own)


def as_kind(roles: Roles, kind: str, frame: pd.DataFrame) -> Roles:
    """Roles for another kind of table: the truth stays the truth, a system stays a system.

    Without a fitting column they are `UnknownRoles`, with the kind that was asked for. ReadProblem for too few columns.
    """
    needed = [PARTS[name] for name in KINDS[kind].roles.lacking({})]
    numbers = [name for name in frame.columns if frame[name].dtype.kind in "iufb"]
    if len(frame.columns) < len(needed) or len(numbers) < sum(part.numbers for part in needed):
        title, without = KINDS[kind].title, [name for name in frame.columns if name not in numbers]
        why = f" {listed(without, 3)} {'holds' if len(without) == 1 else 'hold'} text, not numbers." if without else ""
        raise ReadProblem(f"This table lacks columns for {title}. It needs {KINDS[kind].needs}.{why}")
    parts = dict.fromkeys({"positive"} & KINDS[kind].parts.keys()) | KINDS[kind].assign(Candidates(roles.parts, frame))
    main = {name for part, value in parts.items() if part not in _BESIDE for name in PARTS[part].columns(value)}
    parts = {part: None if part in _BESIDE and value in main else value for part, value in parts.items()}
    return _or_open(roles_of(**with_positive(parts, frame), asked=kind), kind, len(frame))


def _or_open(roles: Roles, asked: str | None, rows: int) -> Roles:
    """Return the roles, or `UnknownRoles` if the requested kind's columns do not yet go together."""
    if asked is not None and roles.kind != UnknownRoles.kind:
        try:
            roles.check(rows)
        except ReadProblem:
            return UnknownRoles(asked=asked, chosen=tuple(sorted(roles.parts.items())))
    return roles


def open_findings(roles: Roles, rows: int) -> Iterator[Finding]:
    """Find what the requested kind of table still lacks."""
    if (asked := roles.get("asked")) is None:
        return
    kind, parts = KINDS[asked], {name: value for name, value in roles.parts.items() if name in KINDS[asked].parts}
    lacks = [f'"{kind.parts[name].question}" ({label_columns.RULES[name].words})' for name in kind.roles.lacking(parts)]
    if lacks:
        choose = " and ".join(filter(None, [", ".join(lacks[:-1]), lacks[-1]]))
        sentence = f"To read the rows as {kind.title}, choose {choose} on the Data page. Names and values do not "
        sentence += f"tell which {'column that is' if len(lacks) == 1 else 'columns these are'}."
        yield Finding("warning", sentence, len(lacks), code="no roles")
        return
    try:
        kind.roles(**parts).check(rows)
    except ReadProblem as problem:
        yield Finding("warning", str(problem), len(parts), code="no roles")


def reassigned(roles: Roles, part: str, value: Any, frame: pd.DataFrame) -> Roles:
    """The roles after another choice for one part: a column that had another part changes places with the old one."""
    parts = {**roles.parts, part: value}
    chosen, before = (PARTS[part].columns(each) if each else [] for each in (value, roles.get(part)))
    left = [name for name in before if name not in chosen]
    for other, current in roles.parts.items():
        if other == part or not (PARTS[part].sole and PARTS[other].sole):
            continue
        fitting = [name for name in left if not PARTS[other].numbers or frame[name].dtype.kind in "iufb"]
        places = {
            name: name if name not in chosen else fitting.pop(0) if fitting else None
            for name in PARTS[other].columns(current)
        }
        if names := tuple(filter(None, places.values())):
            parts[other] = names[0] if PARTS[other].form == "column" else names
    if part == "actual" or parts.get("actual") != roles.get("actual"):
        parts = with_positive({**parts, "positive": None}, frame)
    if part == "weight":
        parts["weights_are"] = None
    return _or_open(roles_of(**parts), roles.get("asked"), len(frame))


def with_positive(parts: dict[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """The parts with the most likely positive label, where they have a column of the truth and none of its labels."""
    if parts.get("actual") is None or "positive" not in parts:
        return parts
    positive = parts["positive"]
    if positive is not None and (frame[parts["actual"]] == positive).any():
        return parts
    names = [name for part in ("actual", "predicted") for name in PARTS[part].columns(parts.get(part) or ())]
    return {**parts, "positive": recognition.positive_label(Columns(frame[[*dict.fromkeys(names)]]), parts)}


def recognise(columns: Columns) -> Roles:
    """The roles that fit a table best; for a table of no known kind, those that were recognized."""
    return roles_of(**next(filter(None, (kind.recognise(columns) for kind in reversed(KINDS.values()))), {}))


def read_roles(text: str, frame: pd.DataFrame, is_whole: bool = True) -> Roles:
    """Roles from a text of `Roles.to_text`, which may have been cut off or edited since; see `check_roles`."""
    try:
        parts = _parsed(text, frame, is_whole)
        roles = _or_open(roles_of(**parts), parts.get("asked"), len(frame))
    except (ValueError, TypeError, KeyError) as error:
        raise ReadProblem("These roles cannot be read. Choose the columns again on the Data page.") from error
    check_roles(roles, frame, is_whole=is_whole)
    return roles


def renamed_roles(roles: Roles, names: Mapping[str, str], labels: Mapping[str, str]) -> Roles:
    """Return the roles after columns and labels were renamed; columns that became one have one role."""
    parts = dict(roles.parts)
    for name, value in parts.items():
        form = PARTS[name].form
        if form == "column":
            parts[name] = names.get(value, value)
        elif form == "columns":
            parts[name] = tuple(dict.fromkeys(names.get(column, column) for column in value))
        elif form == "classes":
            parts[name] = tuple((names.get(column, column), labels.get(text, text)) for column, text in value)
        elif form == "value":
            parts[name] = labels.get(text_of(value), value)
    return roles_of(**parts)


def check_roles(roles: Roles, frame: pd.DataFrame, lines: Lines | None = None, is_whole: bool = True) -> None:
    """Raise ReadProblem for roles that do not fit; a label may come later where the frame is not the whole table."""
    columns = [(name, PARTS[part]) for part, value in roles.parts.items() for name in PARTS[part].columns(value)]
    for name, _ in columns:
        if name not in frame.columns:
            raise ReadProblem(f"There is no column {named(name)} in this table. Choose one of its columns.")
    sole = [name for name, part in columns if part.sole]
    for name in (name for name in sole if sole.count(name) > 1):
        raise ReadProblem(f"Column {named(name)} has two roles. A column can be the truth or one system, not both.")
    for name in (name for name, part in columns if part.numbers and frame[name].dtype.kind not in "iufb"):
        no_number = pd.to_numeric(frame[name], errors="coerce").isna() & frame[name].notna()
        words = np.flatnonzero(no_number.to_numpy(bool))
        first = f", first {named(frame[name].iloc[words[0]])}" if len(words) else ""
        where = f" in {lines.at(words[0])}" if first and lines is not None else ""
        sentence = f"Column {named(name)} holds text where numbers are needed{first}{where}. Choose a column of "
        raise ReadProblem(f"{sentence}numbers, or correct these cells.")
    for name, value in roles.parts.items():
        if (choices := PARTS[name].choices) and value not in choices:
            raise ReadProblem(f"{named(value)} is not a choice. Choose {' or '.join(map(named, choices))}.")
        if PARTS[name].form == "classes" and len({text for _, text in value}) < len(value):
            raise ReadProblem("Two columns hold the probability of the same class. Keep one column per class.")
    roles.check(len(frame))
    if roles.get("positive") is not None:
        _positive_in(frame, roles.parts, text_of(roles.get("positive")), is_whole)


def _parsed(text: str, frame: pd.DataFrame, is_whole: bool) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    for piece in text.split("~~"):
        name, *texts = piece.split("~")
        values = tuple(unquote(value, errors="strict") for value in texts)
        if name in parts or not values:
            raise ValueError(name)
        form = PARTS[name].form
        if form == "classes":
            parts[name] = tuple(zip(values[::2], values[1::2], strict=True))
        elif form == "columns":
            parts[name] = values
        else:
            (value,) = values
            parts[name] = {"True": True, "False": False}[value] if form == "flag" else value
    if "positive" in parts:
        parts["positive"] = _positive_in(frame, parts, parts["positive"], is_whole)
    return parts


def _positive_in(frame: pd.DataFrame, parts: dict[str, Any], text: str, is_whole: bool) -> Value:
    for name in (parts.get("actual"), *parts.get("predicted", ())):
        with suppress(ReadProblem):
            if name is not None:
                return value_of(text, frame[name])
    if not is_whole:
        value = parsed_value(text, frame[parts["actual"]]) if parts.get("actual") in frame else None
        return text if value is None else plain(value)
    raise ReadProblem(f"No row has the label {named(text)}. Choose a positive class that occurs in the labels.")


_LOGIT = re.compile(r"^(?:y_|pred_)?(?:logits?|log_?odds)[_(\[ .:-]", re.IGNORECASE)
_HEAD, _LEAST_ROWS, _MOST_CLASSES = 2_000, 10, 500


def _one_hot(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """Find true labels in columns of 0 and 1 of which each row has exactly one."""
    truths = roles.get("true_labels") or label_columns.columns_named("true", [column.name for column in columns])
    if not _has_just_one(columns, truths):
        return
    taken = {column.name for column in columns}
    steps: list[Step] = [label_columns.OneHot(tuple(truths), "label" if "label" not in taken else "true_label")]
    predicted, scores, is_certain = roles.get("predicted_labels", ()), roles.get("label_score", ()), True
    if predicted and not _has_just_one(columns, predicted):
        return
    if predicted:
        steps.append(label_columns.OneHot(predicted, "predicted" if "predicted" not in taken else "predicted_label"))
    elif scores and all(map(_LOGIT.match, scores)):
        steps.append(label_columns.Softmax(scores))
    elif scores:
        is_certain = recognition.sums_to_one([columns[name] for name in scores], dict.fromkeys(scores, ""))
    # scores such as m1_cat and m2_cat, of two systems, are only read as those of labels
    is_named = all(names.part_and_subject(name)[0] for name in scores)
    classes = [names.part_and_subject(name)[1] for name in truths]
    sentence = f"Each row has exactly one of the labels {listed(classes, 3)}, so they "
    sentence += f"{'are' if is_certain else 'may be'} classes, not labels that occur together. "
    sentence += "Read them as one column of classes." if is_named else "Their scores are compared label by label."
    action = steps_text(steps) if is_named else None
    yield Finding("warning" if is_certain else "info", sentence, len(truths), truths[0], action, code="one-hot")


def _has_just_one(columns: Columns, flags: tuple[str, ...]) -> bool:
    """Whether each of at least ten rows has exactly one 1 in some columns of 0 and 1."""
    each = [columns[name] for name in flags]
    if len(each) < 2 or columns.rows < _LEAST_ROWS or not all(c.is_number or c.is_bool for c in each):
        return False
    return all(map(label_columns.holds_flags, each)) and bool((np.sum([c.numbers for c in each], axis=0) == 1).all())


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
    are_two = len(subjects) == 2 and all(map(are_signs, (labels, subjects.values())))
    if not 2 <= len(logits) <= _MOST_CLASSES or not (labels <= {*subjects.values()} or are_two):
        return
    step = label_columns.Softmax(tuple(subjects)).to_text()
    sentence = f"Columns {listed(subjects, 3)} are logits of the {count_text(len(subjects))} classes of "
    sentence += f"{named(actual)}, "
    if len(subjects) == 2:
        sentence += "which make one score, not two: make them probabilities, 1 ÷ (1 + e^−(l₁ − l₀))."
    else:
        sentence += "not scores of as many systems: make them probabilities, e^l divided by the sum over all classes."
    level = "info" if {*roles.get("score", ())} - subjects.keys() else "warning"  # another score would get lost
    yield Finding(level, sentence, len(subjects), logits[0].name, step, code="logits")


def _rankings(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """Find lists of as many classes in each row, the most likely first, beside one true label."""
    name = roles.get("actual")
    if isinstance(roles, LabelSetRoles) and roles.of_cells:
        # "label" beside the lists of two systems, which look like true and predicted sets
        name = next((c.name for c in columns if names.is_actual(c.name)), roles.true_labels[0])
    if name is None or roles.kind not in ("label sets", "labels", "unknown"):
        return
    truth = columns[name]
    others = [c for c in columns if c is not truth and not c.is_number and not c.is_bool]
    sizes = {c.name: size for c in others if (size := _ranked_classes(truth, c))}
    if not {*roles.get("predicted", sizes)} & sizes.keys():
        return
    size, first = max(sizes.values()), next(iter(sizes))
    many = f"Column {named(first)} holds" if len(sizes) == 1 else f"Columns {listed(sizes, 3)} hold"
    sentence = f"{many} {count_text(size)} classes in each row, beside one true label: a ranking of classes, not a set "
    sentence += "of labels. Read each row as a query whose only relevant document is its true class: success@k is then "
    sentence += "top-k accuracy."
    action = label_columns.Ranked(truth.name, tuple(sizes)).to_text()
    yield Finding("warning", sentence, columns.rows, first, action, code="class ranking")


def _ranked_classes(truth: Column, column: Column) -> int:
    """Number of classes that each cell of a column ranks; 0 for other cells, such as unordered sets."""
    head = [str(value) for value in column.values.iloc[:_HEAD].dropna().unique()]
    separator = label_columns.list_separator(head) if head else None
    if separator is None or not truth.is_few or any(separator in text.strip() for text in truth.texts):
        return 0
    lists = [label_columns.names_in(text, separator) for text in head]
    size, labels = len(lists[0]), {text.strip() for text in truth.texts}
    if size < 2 or any(len(one) != size for one in lists) or all(one == sorted(one) for one in lists):
        return 0
    items = {item for one in lists for item in one}
    return size if 2 * len(items & labels) >= min(len(items), len(labels)) > 0 else 0


def _answers(columns: Columns, roles: Roles) -> Iterator[Finding]:
    """Find columns of 0 and 1 that say whether an answer was right, not which label was predicted."""
    if roles.kind == "unknown":
        flags = tuple(column.name for column in columns if recognition.is_answer(column))
    elif isinstance(roles, LabelRoles) and columns[roles.actual].distinct > 2:
        flags = tuple(name for name in roles.predicted if {*columns[name].texts} in ({"0", "1"}, {"True", "False"}))
    else:
        return
    if not flags:
        return
    one, truth = len(flags) == 1, roles.get("actual")
    sentence = f"{'Column' if one else 'Columns'} {listed(flags, 3)} "
    if roles.kind == "unknown":
        truth = "" if truth in flags else truth or ""
        sentence += f"{'says' if one else 'say'} of each row whether the answer was correct (1) or wrong (0), not "
        sentence += f"which label was predicted. Read {'it' if one else 'them'} as such: accuracy is then the share of "
        sentence += "correct answers."
    else:
        actual = columns[truth]
        sentence += f"{'holds' if one else 'hold'} only {listed(columns[flags[0]].texts)}, but column "
        sentence += f"{named(actual.name)} has {count_text(actual.distinct)} labels ({listed(actual.texts, 4)}). If 1 "
        sentence += "says that the answer was correct, read it so: accuracy is then the share of correct answers."
    action = label_columns.Answers(flags, truth).to_text()
    yield Finding("warning", sentence, len(flags), flags[0], action, code="answers")


_TIME = re.compile(
    r"^(?:time|duration|t|futime|tte|followup|survival|follow_up)$"
    r"|(?:survival|follow_?up|os|pfs|dfs|rfs|event)_(?:time|days|months|years)|time_to_"
)

_OF_JUDGES = re.compile(r"human|relevance|judge|expert|assessor|annotator|manual")
_EVENT = re.compile(r"(?:^|_)(?:event|status|death|died|dead|deceased|relapse|recurrence|progression|censor\w*)(?:$|_)")


RECOGNISED = frozenset(
    "answers, censored, class ranking, counted rows, guessed truth, logits, long, no weight, one-hot, several truths, "
    "unused scores".split(", ")
)
"""The codes of `recognition_findings`."""


def recognition_findings(columns: Columns, roles: Roles, lines: Lines) -> list[Finding]:
    """Findings about roles that were recognized, not chosen."""
    findings: list[Finding] = []
    if roles.kind not in ("counts", "run + judgments"):
        findings += long_findings(columns, lines)
        one_row_per_case_first = any("~~answers~" in (finding.action or "") for finding in findings)
        for look in (_one_hot, _logits, _rankings, *(() if one_row_per_case_first else (_answers,))):
            findings += look(columns, roles)
    if isinstance(roles, RankingRoles):
        findings += _rated(columns, roles)
    if isinstance(roles, RowRoles) and roles.kind != "unknown":
        findings += recognition.weight_findings(columns, roles.weight)
    if isinstance(roles, LabelledRoles):
        pairs = recognition.matched_columns(columns)
        findings += _truths(columns, roles, pairs)
        if isinstance(roles, ScoreRoles) and len(pairs) < 2:
            findings += _censored(columns, roles)
            findings += _left_out_scores(columns, roles, pairs.get(roles.actual, ()))
    if isinstance(roles, EstimateRoles) and not names.is_actual(roles.truth):
        sentence = f"No name says which column holds the true values: {named(roles.truth)} is used, the only other "
        sentence += f"numbers beside {listed(roles.estimate, 3)}. Choose others on the Data page if that is wrong."
        findings.append(Finding("info", sentence, len(columns[roles.truth]), roles.truth, code="guessed truth"))
    if isinstance(roles, LabelRoles):
        findings += [*_truth(columns, roles), *_numbers_beside(columns, roles)]
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
    """Columns of numbers that are not used: scores by their looks, features, or systems, as there are so many."""
    named_scores = [name for name in roles.score if names.is_score(name) or names.is_predicted(name)]
    others = [c for c in _unused(columns, roles, roles.score) if c.is_quantity]
    count, one = len(others), len(roles.score) == 1
    alike = [c.name for c in others if recognition.are_shares(c)]
    are_few = 0 < len(alike) <= recognition.MOST_UNNAMED_SYSTEMS and count - len(alike) < recognition.LEAST_FEATURES
    if named_scores and are_few and all(recognition.are_shares(columns[name]) for name in roles.score):
        like, read = "look like scores", "them as systems"
        like, read = ("looks like a score", "it as a system") if len(alike) == 1 else (like, read)
        sentence = f"{listed(alike, 3)} {like} too, with numbers from 0 to 1. If that is so, read {read}."
        both = tuple(c.name for c in columns if c.name in (*roles.score, *alike))
        yield Finding("info", sentence, len(alike), alike[0], code="unused scores", role="score", columns=both)
        return
    if set(roles.score) <= {*own} or (named_scores and not any(names.is_score(c.name) for c in others)):
        if count > 2:
            sentence = f"{listed(roles.score, 3)} {'is' if one else 'are'} used as {'the score' if one else 'scores'} "
            sentence += f"because of the {'name' if one else 'names'}; {count_text(count)} other columns of numbers "
            yield Finding("info", f"{sentence}are not.", count, roles.score[0], code="unused scores")
        return
    if count := sum(names.is_score(c.name) if named_scores else not names.is_amount(c.name) for c in others):
        sentence = f"The first {count_text(len(roles.score))} numeric columns are used as scores; "
        sentence += f"{count_text(count)} more {'is' if count == 1 else 'are'} not. "
        sentence += 'If they are systems too, add them on the Data page under "Score columns (one per system)".'
        yield Finding("warning", sentence, count, code="unused scores")


def _unused(columns: Columns, roles: LabelledRoles, scores: tuple[str, ...] = ()) -> Iterator[Column]:
    used = {*scores, *roles.predicted, roles.actual, roles.weight, roles.group}
    return (c for c in columns if c.name not in used and not recognition.is_identifier(c))


def _truths(columns: Columns, roles: LabelledRoles, pairs: dict[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Say which of several truths is judged, or which of several columns of two labels was taken for the truth."""
    if len(pairs) > 1 and roles.actual in pairs:
        pair = f"{named(roles.actual)} with {named(pairs[roles.actual][0])}"
        sentence = f"The table holds {count_text(len(pairs))} truths, each with a column named alike, such as {pair}. "
        sentence += f"Only {named(roles.actual)} is measured. To measure another, choose it and its column."
        yield Finding("warning", sentence, len(pairs), roles.actual, code="several truths")
        return
    if not isinstance(roles, ScoreRoles) or names.is_actual(roles.actual) or roles.actual in pairs:
        return
    if others := [c.name for c in _unused(columns, roles) if c.is_few and c.distinct == 2]:
        sentence = f"No name says which column holds the true labels: {named(roles.actual)} is used, the first with "
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
    others = [c.name for c in _unused(columns, roles) if c.is_quantity]
    if columns[roles.actual].distinct == 2 and others:
        one = len(others) == 1
        sentence = f"{listed(others, 3)} {'is' if one else 'are'} not used as {'a score' if one else 'scores'}: no "
        sentence += f"threshold of {'it' if one else 'them'} gives {listed(roles.predicted, 2)}, whose labels are "
        sentence += 'compared. To use a column as a score all the same, choose "scores" on the Data page.'
        yield Finding("info", sentence, len(others), others[0], code="unused scores")
