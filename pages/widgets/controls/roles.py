"""Which column plays which part: the kind of table, the columns, the positive value and the direction of the scores."""

from dataclasses import replace

import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import ReadProblem, Roles, check_roles, text_of
from evalcore.wording import one_line, plain

from ..session import address
from ..session.current_dataset import KINDS, found

CHOICES = {kind: name for kind, name in KINDS.items() if kind != "unknown"}
# role, what to ask, whether several columns can have it, for each kind of table
PARTS = {
    "labels": (("actual", "True label", False), ("predicted", "Predicted labels (one per system)", True)),
    "scores": (("actual", "True label", False), ("score", "Score columns (one per system)", True)),
    "probabilities": (("actual", "True label", False), ("probability", "Probabilities (one per class)", True)),
    "counts": (("counts", "TP, FP, FN, TN; or the columns of a square matrix", True),),
    "estimates": (("truth", "True number", False), ("estimate", "Estimates (one per system)", True)),
    "run + judgments": (
        *(("query", "Query", False), ("document", "Document", False), ("grade", "Grade", False)),
        *(("score", "Score columns (one per system)", True), ("rank", "Rank", False), ("system", "System", False)),
    ),
}
BESIDE = (("weight", "Weight"), ("group", "Group"))
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
    parts = PARTS.get(current.kind, ())
    with st.container(horizontal=True, vertical_alignment="top"):
        for role, label, several in parts:
            _choose_columns(current, role, label, columns, several)
        for role, label in BESIDE if current.kind not in ("counts", "run + judgments") else ():
            _choose_columns(current, role, label, columns, several=False)
    if current.kind in ("labels", "scores", "probabilities"):
        _choose_positive(current)
    if current.kind == "run + judgments" and current.roles.score:
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


def _choose_columns(current: Source, role: str, label: str, columns: list[str], several: bool) -> None:
    value = getattr(current.roles, role)
    if role == "probability":
        value = [column for column, _ in value]
    _hold(role, list(value) if several else value)
    ask = st.multiselect if several else st.selectbox
    beside = {} if several else {"index": None, "placeholder": "none"}
    ask(label, columns, key=f"roles {role}", format_func=one_line, on_change=_change, args=(current, role), **beside)


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
        if current.kind == "scores" and current.positive is not None:
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
    changed = replace(current.roles, **{role: tuple(value) if isinstance(value, list) else value})
    put_roles(current, replace(changed, positive=None) if role == "actual" else changed)


def _change_kind(current: Source) -> None:
    kind = st.session_state["roles kind"]
    if kind is not None and kind != current.kind:
        put_roles(current, as_kind(current.roles, kind, current.frame))


def as_kind(roles: Roles, kind: str, frame) -> Roles:
    """Roles for another kind of table that keep what can be kept: the truth stays the truth, a system a system."""
    numbers = [name for name in frame.columns if frame[name].dtype.kind in "iufb"]
    truth = roles.actual or roles.truth or roles.grade or _likely_truth(roles, frame, kind)
    if kind == "run + judgments":
        return _as_lists(roles, [str(name) for name in frame.columns], numbers, truth)
    systems = (*roles.predicted, *roles.score, *(column for column, _ in roles.probability), *roles.estimate)
    others = [name for name in systems or frame.columns if name not in (truth, roles.weight, roles.group)]
    numeric = tuple(name for name in others if name in numbers)
    beside = {"weight": roles.weight, "group": roles.group}
    if kind == "labels":
        return Roles(**beside, actual=truth, predicted=tuple(others[:1]), positive=roles.positive)
    if kind == "scores":
        return Roles(
            **beside, actual=truth, score=numeric[:1] if not roles.score else roles.score, positive=roles.positive
        )
    if kind == "probabilities":
        return Roles(**beside, actual=truth, probability=tuple((name, name) for name in numeric))
    if kind == "estimates":
        return Roles(**beside, truth=truth, estimate=numeric[:1])
    return Roles(counts=tuple(numbers))


def _likely_truth(roles: Roles, frame, kind: str) -> str:
    """Of a table without a truth, the first column; but classes are sooner those of the fewest values than a name."""
    if kind in ("labels", "scores", "probabilities"):
        free = [name for name in frame.columns if name not in (roles.weight, roles.group)]
        distinct = {str(name): frame[name].nunique() for name in free}
        several = [name for name, count in distinct.items() if count > 1]
        return min(several, key=distinct.get, default=str(frame.columns[0]))
    return str(frame.columns[0])


def _as_lists(roles: Roles, columns: list[str], numbers: list[str], truth: str) -> Roles:
    """The truth, where it is a number, becomes the grade; the first other columns name the query and the document."""
    grade = truth if truth in numbers else next(iter(numbers[::-1]), truth)
    words = [name for name in columns if name not in numbers and name != grade]
    words += [name for name in columns if name not in (grade, *words)]
    taken = (grade, *words[:2])
    free = (*(name for name in roles.score if name not in taken), *(name for name in numbers if name not in taken))
    query, document = (*words[:2], None, None)[:2]
    return Roles(query=query, document=document, grade=grade, score=free[:1])


def put_roles(current: Source, roles: Roles) -> None:
    """Write other roles into the address; good in callbacks. Those that don't fit the table are refused."""
    try:
        check_roles(roles, current.frame)
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    address.put("roles", None if roles == found(current.id).roles else roles.to_text())
    address.put("t", None)
