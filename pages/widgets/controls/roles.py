"""Which column plays which part: the kind of table, the columns, the positive value and the direction of the scores."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from evalcore import readers
from evalcore.analyses import Scores, Shaping, Source, offer_word, widening_text
from evalcore.glossary import meaning_link
from evalcore.inference import Interval, IntervalChoice
from evalcore.wording import count_text, number_text, one_line, plain, range_text, short_names, with_parameters
from pages.widgets.controls.fields import bound
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, keep_shape, shaped
from pages.widgets.session.unloaded_tables import known_labels

CHOICES = {name: kind.title for name, kind in readers.KINDS.items() if name != "unknown"}
_PROBLEM, _SHAPE_PROBLEM = "roles problem", "shape problem"
_ALL_ROWS = "Back to all rows"


def choose_roles(current: Source) -> None:
    """Kind and roles, each to be changed with one click; of counted rows only the positive label, without scores."""
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
    parts = readers.KINDS[asked].parts
    chosen = current.roles.parts  # Texts of documents are asked for where a column may hold them.
    used = {name for role in parts.keys() & chosen.keys() for name in parts[role].columns(chosen[role])}
    free = set(columns) - used
    with st.container(horizontal=True, vertical_alignment="top"):
        for role, part in parts.items():
            if part.question and not (part.is_face and role not in current.roles.parts and not free):
                _choose_columns(current, role, part, columns)
        if (weights := readers.weighting(current.dataset)) is not None:
            ways, ask = readers.WEIGHTS_ARE, st.segmented_control
            _choose(current, "weights_are", ask, "Weights are", weights.are, list(ways), ways.get)
    if "positive" in parts:
        _choose_positive(current)
    elif current.roles.get("score"):
        _choose_direction(current, "Ranked first", {True: "the highest score", False: "the lowest score"})
    show_shape_problem(_PROBLEM)
    if current.dataset.shape.filters:
        click = {"on_click": put_shape, "args": (current, current.dataset.shape.unfiltered)}
        st.button(_ALL_ROWS, key="unfilter", icon=":material/filter_alt_off:", type="tertiary", **click)
    if current.roles != (current.detected_roles or current.roles):
        st.button("Reset to detected columns", on_click=address.put, args=("roles", None), type="tertiary")


def _choose_columns(current: Source, role: str, part: readers.Part, columns: list[str]) -> None:
    several = part.form != "column"
    value = current.roles.get(role, () if several else None)
    if part.form == "classes":
        value = [column for column, _ in value]
    ask = st.multiselect if several else st.selectbox
    look = {} if several else {"index": None, "placeholder": "none"}
    value, words = list(value) if several else value, short_names(columns, 30).get
    _choose(current, role, ask, part.question, value, columns, words, **look)


def _choose_positive(current: Source) -> None:
    values = current.labels
    if not current.dataset.is_whole:  # labels that the first rows lack, as their texts
        later = [
            *(known_labels(current) or ()),
            *([] if current.positive is None else [readers.text_of(current.positive)]),
        ]
        values = values + [text for text in dict.fromkeys(later) if text not in {*map(readers.text_of, values)}]
        values = [
            current.positive if readers.text_of(each) == readers.text_of(current.positive) else each for each in values
        ]
    if not values:  # before a column of labels is chosen
        return
    ask, write = (st.segmented_control, plain) if len(values) <= 4 else (st.selectbox, one_line)
    with st.container(horizontal=True):
        words = lambda each: write(readers.text_of(each))  # noqa: E731
        _choose(current, "positive", ask, "Positive is", current.positive, values, words)
        if "higher_is_positive" in readers.KINDS[_asked(current)].parts and current.positive is not None:
            word = plain(readers.text_of(current.positive), limit=30)
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
    put_roles(current, readers.reassigned(current.roles, role, value, current.frame))


def _asked(current: Source) -> str:
    """The kind of the table, or the one that was asked for and lacks columns."""
    return current.roles.get("asked") or current.kind


def _change_kind(current: Source, kind: str | None) -> None:
    if kind is not None and kind != _asked(current):
        try:
            put_roles(current, readers.as_kind(current.roles, kind, current.frame))
        except readers.ReadProblem as problem:
            st.session_state[_PROBLEM] = str(problem)


def put_roles(current: Source, roles: readers.Roles) -> None:
    """Write other roles into the address; good in callbacks. Those that don't fit the table are refused."""
    try:
        readers.check_roles(roles, current.frame, is_whole=current.dataset.is_whole)
    except readers.ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
        return
    text = None if roles == (current.detected_roles or current.roles) else roles.to_text()
    address.put_all(roles=text, t=None, thresholds=None)


FEWEST = 5  # rows of each class below which the direction is never questioned
_area = cache(IntervalChoice.of_area, 128)


def offer_direction(scores: Scores) -> None:
    """Offer to turn scores that surely rank the wrong way round (AUC below ½); where they were turned, the way back."""
    area, current = area_of(scores), scores.current
    read_as = (current.detected_roles or current.roles).get("higher_is_positive", True)
    # Scores that rank every pair the wrong way round have no interval.
    reversed_order = float(area.high) < 0.5 or float(area.estimate) == 0
    if min(scores.scored.positives, scores.scored.negatives) >= FEWEST and reversed_order:
        _offer(scores, area)
    elif current.scored_by == "system" and current.higher_is_positive != read_as:
        with st.container(horizontal=True, vertical_alignment="center", key="direction"):
            more = "Higher" if scores.higher else "Lower"
            said = f"{more} scores are treated as {plain(scores.positive, 30)}, the reverse of how the file was read"
            st.caption(f"{said} (AUC {number_text(float(area.estimate))}).", width="content")
            st.button("Undo", key="turn back", on_click=turn_direction, args=(scores,), type="tertiary")


def turn_direction(scores: Scores) -> None:
    """Let the other end of the scores be the positive one, in the address; good as a callback."""
    current = scores.current
    put_roles(current, replace(current.roles, higher_is_positive=not current.higher_is_positive))


def area_of(scores: Scores, intervals: IntervalChoice | None = None) -> Interval:
    """The area under the ROC curve with its interval by DeLong."""
    chosen = intervals or IntervalChoice()
    return _area((scores.key, chosen.level, chosen.area), chosen, scores.scored)


def _offer(scores: Scores, area: Interval) -> None:
    auc = float(area.estimate)
    bounds = f" ({range_text(number_text(float(area.low)), number_text(float(area.high)))})" if auc else ""
    with st.container(border=True, key="direction"):
        st.markdown(
            f"**These scores rank the wrong way round:** AUC {number_text(auc)}{bounds}. "
            f"Reversed, it would be {number_text(1 - auc)}."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            if scores.current.scored_by == "system":  # a probability has one direction
                label = f"Treat {'lower' if scores.higher else 'higher'} scores as {plain(scores.positive, 30)}"
                st.button(label, key="turn", icon=":material/swap_vert:", on_click=turn_direction, args=(scores,))
            look = {"query_params": address.parameters(), "width": "content"}
            st.page_link("pages/start/data.py", label="Or choose the other class as positive", **look)


def apply_steps(current: Source, steps: tuple[readers.Step, ...] | str) -> None:
    """Put more steps behind those of the address, given as steps or as their text; good as a callback."""
    try:
        shape = current.dataset.shape.and_then(steps)
        added = shape.steps[len(current.dataset.shape.steps) :]
        roles, system = _put(current, shape, added)
    except readers.ReadProblem as problem:  # these steps are in no shape from which they could be removed
        st.session_state[_SHAPE_PROBLEM] = str(problem).removesuffix(f" {readers.MENDED_ON_DATA}")
        return
    address.put("roles", roles)
    if system is not None and address.text("system") is not None:
        address.put("system", system)
    if any(step.word == "scale" for step in added):
        address.put("t", None)


def put_shape(current: Source, shape: readers.Shape) -> None:
    """Write another shape, such as one whose last step was made anew; good as a callback."""
    try:
        _put(current, shape, ())
    except readers.ReadProblem as problem:
        st.session_state[_SHAPE_PROBLEM] = str(problem)


def remove_step(current: Source, index: int) -> None:
    """Take back one step; good as a callback. What follows from it, such as a filter of a renamed column, stays."""
    try:
        _put(current, current.dataset.shape.without(index), ())
    except readers.ReadProblem as problem:
        st.session_state[_SHAPE_PROBLEM] = f"A later step needs this one. {problem}"


def remove_steps(current: Source) -> None:
    """Take back all steps; good as a callback."""
    _put(current, readers.Shape(), ())


def show_shape_problem(key: str = _SHAPE_PROBLEM) -> None:
    """Say once why the last step could not be applied, or what is noted under another key."""
    if (problem := st.session_state.pop(key, None)) is not None:
        st.error(plain(problem, limit=600), icon=":material/error:")


def _put(current: Source, shape: readers.Shape, added: tuple[readers.Step, ...]) -> tuple[str | None, str | None]:
    """Write a shape that fits into the address, and keep it; the roles and the system after the added steps."""
    text = shape.to_text() or None
    dataset, problem = shaped(current.id, text)
    if problem is not None:
        raise readers.ReadProblem(problem)
    address.put("shape", text)
    keep_shape(current.id, text or "")
    return Shaping(current).roles_after(added, dataset), Shaping(current).system_after(added)


_BADGES = {
    "error": ":red-badge[:material/error: error]",
    "warning": ":orange-badge[:material/warning: warning]",
    "info": ":blue-badge[:material/info: info]",
}

_ON_DATA = re.compile(r",? on the Data page")


def show_findings(current: Source) -> None:
    """All findings, the worst first, each with its level and what mends it, and how many rows are left out."""
    _show_each(current, current.findings, is_there=True)
    if left_out := _left_out(current.key, current):
        of = f"{count_text(left_out)} of {count_text(len(current.frame))} rows"
        st.markdown(f"{_BADGES['info']} {of} lack a value and are left out.")
    elif not current.dataset.findings:
        of = " of the filtered table" if current.dataset.shape.filters else ""
        st.markdown(f":green-badge[:material/check: no findings] Every row{of} is used.")


def show_warnings(current: Source) -> None:
    """The findings that make numbers doubtful or wrong, each with what mends it, on any page but Data."""
    _show_each(current, current.warnings, is_there=False)
    st.page_link("pages/start/data.py", label="All findings", query_params=address.parameters())


def _show_each(current: Source, findings: Iterable[readers.Finding], *, is_there: bool) -> None:
    for index, finding in enumerate(findings):
        words = _ON_DATA.sub("", finding.sentence) if is_there else finding.sentence
        sentence = f"{_BADGES[finding.level]} {plain(words, limit=600)}"
        sentence += with_parameters(meaning_link(finding.code), address.parameters())
        clicks = [(offer_word(finding, steps), apply_steps, (steps,)) for steps in finding.answers]
        if finding.role:
            clicks = [(offer_word(finding), assign, (finding.role, finding.columns or finding.column))]
        if finding.by_filter:
            clicks = [(_ALL_ROWS, put_shape, (current.dataset.shape.unfiltered,))]
        if finding.role == "cluster":
            sentence += _widening((current.key, str(finding.column)), current, str(finding.column))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(sentence, width="content")
            for place, (word, act, what) in enumerate(click for click in clicks if click[0]):
                key = f"action {index} {place}" if place else f"action {index}"
                st.button(word, key=key, on_click=act, args=(current, *what))


_widening = cache(widening_text, 64)


@st.cache_data(max_entries=64, show_spinner=False)
def _left_out(key: str, _current: Source) -> int:
    try:
        return _current.dataset.left_out(_current.system if _current.systems else None)
    except readers.ReadProblem:
        return 0  # a finding of level error says why
