"""Which column plays which part: the kind of table, the columns, the positive value and the direction of the scores."""

import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import KINDS, Part, ReadProblem, Roles, as_kind, check_roles, roles_of, text_of
from evalcore.wording import one_line, plain

from ..session import address
from ..session.current_dataset import found

CHOICES = {name: kind.title for name, kind in KINDS.items() if name != "unknown"}
_PROBLEM = "roles problem"


def choose_roles(current: Source) -> None:
    """Kind and roles as they were found or chosen, each to be changed with one click."""
    _hold("kind", current.kind)
    st.segmented_control(
        "What the rows hold",
        CHOICES,
        key="roles kind",
        format_func=CHOICES.get,
        on_change=_change_kind,
        args=(current,),
    )
    columns = [str(name) for name in current.frame.columns]
    parts = KINDS[current.kind].parts
    with st.container(horizontal=True, vertical_alignment="top"):
        for role, part in parts.items():
            if part.question:
                _choose_columns(current, role, part, columns)
    if "positive" in parts:
        _choose_positive(current)
    elif current.roles.get("score"):
        _hold("higher_is_positive", current.higher_is_positive)
        st.segmented_control(
            "Ranked first",
            [True, False],
            key="roles higher_is_positive",
            format_func=lambda higher: f"the {'highest' if higher else 'lowest'} score",
            on_change=_change,
            args=(current, "higher_is_positive"),
        )
    problem = st.session_state.pop(_PROBLEM, None)
    if problem is not None:
        st.error(plain(problem, limit=600), icon=":material/error:")
    if current.roles != found(current.id).roles:
        st.button("Reset to detected columns", on_click=address.put, args=("roles", None), type="tertiary")


def _choose_columns(current: Source, role: str, part: Part, columns: list[str]) -> None:
    value, several = current.roles.get(role), part.form != "column"
    if part.form == "classes":
        value = [column for column, _ in value]
    _hold(role, list(value) if several else value)
    ask = st.multiselect if several else st.selectbox
    beside = {} if several else {"index": None, "placeholder": "none"}
    ask(
        part.question,
        columns,
        key=f"roles {role}",
        format_func=one_line,
        on_change=_change,
        args=(current, role),
        **beside,
    )


def _choose_positive(current: Source) -> None:
    values = current.labels
    with st.container(horizontal=True):
        _hold("positive", current.positive)
        ask = st.segmented_control if len(values) <= 4 else st.selectbox
        write = plain if len(values) <= 4 else one_line
        ask(
            "Positive is",
            values,
            key="roles positive",
            format_func=lambda value: write(text_of(value)),
            on_change=_change,
            args=(current, "positive"),
        )
        if "higher_is_positive" in KINDS[current.kind].parts and current.positive is not None:
            _hold("higher_is_positive", current.higher_is_positive)
            word = plain(text_of(current.positive), limit=30)
            st.segmented_control(
                "A higher score means",
                [True, False],
                key="roles higher_is_positive",
                format_func=lambda higher: f"{'more' if higher else 'less'} likely {word}",
                on_change=_change,
                args=(current, "higher_is_positive"),
            )


def _hold(role: str, value: object) -> None:
    """Let the widget show what the address says; its callback writes the address."""
    st.session_state[f"roles {role}"] = value


def _change(current: Source, role: str) -> None:
    value = st.session_state[f"roles {role}"]
    if role in ("positive", "higher_is_positive") and value is None:
        return  # a second click on the chosen button takes the choice back, which means nothing here
    if role == "probability":
        classes = dict(current.roles.probability)
        value = [(column, classes.get(column, column)) for column in value]
    parts = current.roles.parts | {role: tuple(value) if isinstance(value, list) else value}
    put_roles(current, roles_of(**parts | {"positive": None} if role == "actual" else parts))


def _change_kind(current: Source) -> None:
    kind = st.session_state["roles kind"]
    if kind is not None and kind != current.kind:
        try:
            put_roles(current, as_kind(current.roles, kind, current.frame))
        except ReadProblem as problem:
            st.session_state[_PROBLEM] = str(problem)


def put_roles(current: Source, roles: Roles) -> None:
    """Write other roles into the address; good in callbacks. Those that don't fit the table are refused."""
    try:
        check_roles(roles, current.frame)
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    address.put("roles", None if roles == found(current.id).roles else roles.to_text())
    address.put("t", None)
