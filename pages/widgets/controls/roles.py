"""Which column plays which part: the kind of table, the columns, the positive value and the direction of the scores."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import (
    KINDS,
    WEIGHTS_ARE,
    Part,
    ReadProblem,
    Roles,
    as_kind,
    check_roles,
    reassigned,
    text_of,
    weighting,
)
from evalcore.wording import one_line, plain, short_names

from ..session import address
from ..session.unloaded_tables import known_labels
from .bound import bound

CHOICES = {name: kind.title for name, kind in KINDS.items() if name != "unknown"}
_PROBLEM = "roles problem"


def choose_roles(current: Source) -> None:
    """Kind and roles as they were found or chosen, each to be changed with one click.

    Of rows that were counted, only the positive label can still be changed, and only where there are no scores.
    """
    if (unloaded := current.dataset.unloaded) is not None and unloaded.is_counted:
        if current.kind == "labels":
            _choose_positive(current)
        return
    asked = _asked(current)
    bound(
        st.segmented_control, "What the rows hold", "kind", asked, CHOICES, key="roles kind",
        write=lambda kind: _change_kind(current, kind), format_func=CHOICES.get,
    )  # fmt: skip
    columns = [str(name) for name in current.frame.columns]
    parts = KINDS[asked].parts
    # Texts of documents are asked for where a column may hold them.
    chosen = current.roles.parts
    used = {name for role in parts.keys() & chosen.keys() for name in parts[role].columns(chosen[role])}
    free = set(columns) - used
    with st.container(horizontal=True, vertical_alignment="top"):
        for role, part in parts.items():
            if part.question and not (part.is_face and role not in current.roles.parts and not free):
                _choose_columns(current, role, part, columns)
        if (weights := weighting(current.dataset)) is not None:
            _choose(
                current, "weights_are", st.segmented_control, "Weights are", weights.are, list(WEIGHTS_ARE),
                lambda each: WEIGHTS_ARE[each],
            )  # fmt: skip
    if "positive" in parts:
        _choose_positive(current)
    elif current.roles.get("score"):
        _choose_direction(current, "Ranked first", {True: "the highest score", False: "the lowest score"})
    if (problem := st.session_state.pop(_PROBLEM, None)) is not None:
        st.error(plain(problem, limit=600), icon=":material/error:")
    if current.roles != (current.detected_roles or current.roles):
        st.button("Reset to detected columns", on_click=address.put, args=("roles", None), type="tertiary")


def _choose_columns(current: Source, role: str, part: Part, columns: list[str]) -> None:
    several = part.form != "column"
    value = current.roles.get(role, () if several else None)
    if part.form == "classes":
        value = [column for column, _ in value]
    ask = st.multiselect if several else st.selectbox
    beside = {} if several else {"index": None, "placeholder": "none"}
    _choose(
        current,
        role,
        ask,
        part.question,
        list(value) if several else value,
        columns,
        short_names(columns, 30).get,
        **beside,
    )


def _choose_positive(current: Source) -> None:
    values = current.labels
    if not current.dataset.is_whole:  # labels that the first rows lack, as their texts
        later = [*(known_labels(current) or ()), *([] if current.positive is None else [text_of(current.positive)])]
        values = values + [text for text in dict.fromkeys(later) if text not in {*map(text_of, values)}]
        values = [current.positive if text_of(each) == text_of(current.positive) else each for each in values]
    ask, write = (st.segmented_control, plain) if len(values) <= 4 else (st.selectbox, one_line)
    with st.container(horizontal=True):
        _choose(current, "positive", ask, "Positive is", current.positive, values, lambda each: write(text_of(each)))
        if "higher_is_positive" in KINDS[_asked(current)].parts and current.positive is not None:
            word = plain(text_of(current.positive), limit=30)
            words = {True: f"more likely {word}", False: f"less likely {word}"}
            _choose_direction(current, "A higher score means", words)


def _choose_direction(current: Source, label: str, words: dict[bool, str]) -> None:
    value = current.higher_is_positive
    _choose(current, "higher_is_positive", st.segmented_control, label, value, list(words), words.get)


def _choose(
    current: Source, role: str, ask: Callable, label: str, value: object, options: list, words: Callable, **more
) -> None:
    """A control of one role: it shows what the address says, and writes other roles into it."""
    change = partial(assign, current, role)
    bound(ask, label, role, value, options, key=f"roles {role}", write=change, format_func=words, **more)


def assign(current: Source, role: str, value: Any) -> None:
    """Let something else play a part; good in callbacks."""
    if role in ("positive", "higher_is_positive", "weights_are") and value is None:
        return  # a second click on the chosen button takes the choice back, which means nothing here
    if role == "probability":
        classes = dict(current.roles.get("probability", ()))
        value = [(column, classes.get(column, column)) for column in value]
    value = tuple(value) if isinstance(value, list) else value
    put_roles(current, reassigned(current.roles, role, value, current.frame))


def _asked(current: Source) -> str:
    """The kind of the table, or the one that was asked for and lacks columns."""
    return current.roles.get("asked") or current.kind


def _change_kind(current: Source, kind: str | None) -> None:
    if kind is not None and kind != _asked(current):
        try:
            put_roles(current, as_kind(current.roles, kind, current.frame))
        except ReadProblem as problem:
            st.session_state[_PROBLEM] = str(problem)


def put_roles(current: Source, roles: Roles) -> None:
    """Write other roles into the address; good in callbacks. Those that don't fit the table are refused."""
    try:
        check_roles(roles, current.frame, is_whole=current.dataset.is_whole)
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    address.put("roles", None if roles == (current.detected_roles or current.roles) else roles.to_text())
    address.put("t", None)
    address.put("thresholds", None)
