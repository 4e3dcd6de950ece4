"""Assigning roles: recognized in the columns, read from the text of a link, or carried over to another kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd

from evalcore.readers.base.problems import Finding, Lines, ReadProblem, listed, named
from evalcore.readers.base.values import Columns, Value, parsed_value, plain, text_of, value_of
from evalcore.readers.kinds import KINDS
from evalcore.readers.kinds.kind import Candidates, UnknownRoles
from evalcore.readers.shapes.part_rules import RULES
from evalcore.readers.shapes.recognition import positive_label
from evalcore.readers.table.table import Part, Roles

__all__ = ["as_kind", "check_roles", "reassigned", "renamed_roles", "roles_of"]

_BESIDE = ("weight", "group", "cluster")
"""The parts of every table of rows, beside those of its kind."""

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
    """Roles for another kind of table. The truth stays the truth, a system stays a system.

    A part that no column fits by its name and its values stays open: the roles are then `UnknownRoles` that say which
    kind was asked for.

    Raises
    ------
    ReadProblem
        If the table has too few columns for that kind.

    Examples
    --------
    >>> frame = pd.DataFrame({"label": ["a", "b", "b"], "model": [0.9, 0.2, 0.4], "other": ["a", "a", "b"]})
    >>> as_kind(roles_of(actual="label", score=("model",)), "labels", frame).predicted
    ('other',)
    >>> as_kind(roles_of(), "labels", frame[["model"]].assign(query=["x", "y", "z"])).parts
    {'asked': 'labels'}
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
    return _or_open(roles_of(**_with_positive(parts, frame), asked=kind), kind, len(frame))


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
    fields_open = [f'"{kind.parts[name].question}" ({RULES[name].words})' for name in kind.roles.lacking(parts)]
    if fields_open:
        *most, last = fields_open
        choose = f"{', '.join(most)} and {last}" if most else last
        sentence = f"To read the rows as {kind.title}, choose {choose} on the Data page. Names and values do not "
        sentence += f"tell which {'column that is' if len(fields_open) == 1 else 'columns these are'}."
        yield Finding("warning", sentence, len(fields_open), code="no roles")
        return
    try:
        kind.roles(**parts).check(rows)
    except ReadProblem as problem:
        yield Finding("warning", str(problem), len(parts), code="no roles")


def reassigned(roles: Roles, part: str, value: Any, frame: pd.DataFrame) -> Roles:
    """Return the roles after another column or value was chosen for one part.

    A column that was another system or the truth changes places with what it replaces. With another truth, the positive
    label is the most likely one of it.

    >>> frame = pd.DataFrame({"rater 1": ["a", "b"], "rater 2": ["b", "b"], "rater 3": ["a", "a"]})
    >>> roles = roles_of(actual="rater 1", predicted=("rater 2", "rater 3"))
    >>> reassigned(roles, "actual", "rater 2", frame).predicted
    ('rater 1', 'rater 3')
    """
    parts = {**roles.parts, part: value}
    chosen = PARTS[part].columns(value) if value else []
    before = PARTS[part].columns(roles.get(part)) if roles.get(part) else []
    left = [name for name in before if name not in chosen]
    for other, current in roles.parts.items():
        if other == part or not (PARTS[part].sole and PARTS[other].sole):
            continue
        fitting = [name for name in left if not PARTS[other].numbers or frame[name].dtype.kind in "iufb"]
        places = {
            name: name if name not in chosen else fitting.pop(0) if fitting else None
            for name in PARTS[other].columns(current)
        }
        names = tuple(filter(None, places.values()))
        if names:
            parts[other] = names[0] if PARTS[other].form == "column" else names
    if part == "actual" or parts.get("actual") != roles.get("actual"):
        parts = _with_positive({**parts, "positive": None}, frame)
    if part == "weight":
        parts["weights_are"] = None
    return _or_open(roles_of(**parts), roles.get("asked"), len(frame))


def _with_positive(parts: dict[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """The parts with the most likely positive label, where they have a column of the truth and none of its labels."""
    if parts.get("actual") is None or "positive" not in parts:
        return parts
    positive = parts["positive"]
    if positive is not None and (frame[parts["actual"]] == positive).any():
        return parts
    names = [name for part in ("actual", "predicted") for name in PARTS[part].columns(parts.get(part) or ())]
    return {**parts, "positive": positive_label(Columns(frame[[*dict.fromkeys(names)]]), parts)}


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
    """Return the roles after columns and labels were renamed; columns that became one have one role.

    >>> renamed_roles(roles_of(actual="label", score=("model",), positive="1"), {"model": "BERT"}, {"1": "ill"}).parts
    {'actual': 'label', 'positive': 'ill', 'score': ('BERT',)}
    """
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
    """Refuse roles that name a missing column or need numbers where there is text.

    Where the frame holds only the first rows of a table, the positive label may be one that comes later.

    Raises
    ------
    ReadProblem
        Names the column, the first cell that does not fit, and what to choose instead.
    """
    columns = [(name, PARTS[part]) for part, value in roles.parts.items() for name in PARTS[part].columns(value)]
    for name, _ in columns:
        if name not in frame.columns:
            raise ReadProblem(f"There is no column {named(name)} in this table. Choose one of its columns.")
    sole = [name for name, part in columns if part.sole]
    for name in sole:
        if sole.count(name) > 1:
            raise ReadProblem(f"Column {named(name)} has two roles. A column can be the truth or one system, not both.")
    for name in (name for name, part in columns if part.numbers and frame[name].dtype.kind not in "iufb"):
        no_number = pd.to_numeric(frame[name], errors="coerce").isna() & frame[name].notna()
        words = np.flatnonzero(no_number.to_numpy(bool))
        first = f", first {named(frame[name].iloc[words[0]])}" if len(words) else ""
        where = f" in {lines.at(words[0])}" if first and lines is not None else ""
        raise ReadProblem(
            f"Column {named(name)} holds text where numbers are needed{first}{where}. Choose a column of numbers, "
            "or correct these cells."
        )
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
        if name is not None:
            try:
                return value_of(text, frame[name])
            except ReadProblem:
                continue
    if not is_whole:
        value = parsed_value(text, frame[parts["actual"]]) if parts.get("actual") in frame else None
        return text if value is None else plain(value)
    raise ReadProblem(f"No row has the label {named(text)}. Choose a positive class that occurs in the labels.")
