"""The ways a table comes in, how its file is read, and what was changed since, step by step."""

from collections.abc import Callable
from datetime import date
from typing import Any

import streamlit as st

from evalcore import readers
from evalcore.analyses import ColumnValues, Shaping, Source
from evalcore.readers import KINDS, formats_text
from evalcore.wording import Column, count_text, label_text, one_line, plain
from pages.widgets.controls import upload
from pages.widgets.controls.fields import beside
from pages.widgets.controls.roles import apply_steps, remove_step, remove_steps, show_shape_problem
from pages.widgets.controls.upload import frugal
from pages.widgets.display.figure import show_frame
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, forget, open_data, opened, samples, samples_of, store
from pages.widgets.session.loaded import COUNTABLE
from pages.widgets.session.unloaded_tables import connection_names, has_path_door
from pages.widgets.session.visitor import owner, workspace
from pages.widgets.start.data.unloaded import choose_connection, choose_path, offer_undo, show_stored


def choose_entry() -> None:
    """All the ways in beside each other, one open at a time."""
    upload.show_problem()
    offer_undo()
    upload.choose_keys()
    current = opened()
    others = {"On this machine": choose_path} if has_path_door() else {}
    others |= {"Connections": choose_connection} if connection_names() else {}
    tabs = ["Open a file", "Paste a table", "Samples", "Stored", *others]
    file, paste, sample, stored, *doors = st.tabs(tabs, key="open_by", on_change="rerun", bind="query-params")
    with file:
        upload.choose_upload("data", f"{formats_text()}; several files together if they share ids")
        fitting = current is not None and (current.kind in upload.RANKED or "actual" in current.roles.parts)
        # First rows and counts are joined to nothing.
        is_table = current is not None and current.dataset.is_whole and not current.dataset.is_counted
        if current is not None and fitting and is_table and current.id not in samples():
            upload.choose_addition(current.id)
    with paste:
        upload.choose_pasted("data")
        if current is not None and current.kind in upload.RANKED:
            upload.choose_pairs(current.dataset)
    with sample:
        show_samples()
    with stored:
        show_stored()
    for door, tab in zip(others.values(), doors, strict=True):
        if tab.open:  # no server is asked before
            with tab:
                door()
    typed = "Only four counts? Type them into the matrix"
    own = {} if current is not None and current.kind in COUNTABLE else {"cells": "0,0,0,0"}
    st.page_link("pages/classify/confusion.py", label=typed, query_params=address.parameters() | own)


def show_samples() -> None:
    """Every sample with its kind, to be opened with one click."""
    for sample in samples_of(KINDS):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(plain(sample.title), key=f"sample {sample.id}", on_click=open_data, args=(sample.id,))
            st.caption(KINDS[sample.kind].title)


_ROUND = "origin round"


def has_choice(current: Source, usual: bool) -> bool:
    """Whether the file can be read in another way, of a usual file or of one where a choice lies near."""
    origin = current.dataset.unshaped.lines.origin
    return origin is not None and origin.is_usual is usual and workspace().file(current.id) is not None


def choose_origin(current: Source) -> None:
    """The sheet, and the line or row of the header. A change reads the stored file again, in place of what is open."""
    lines = current.dataset.unshaped.lines
    origin = lines.origin
    assert origin is not None

    def again(option: str) -> dict[str, Any]:
        key = f"{option} {current.id} {st.session_state.get(_ROUND, 0)}"
        return {"key": key, "on_change": _read_again, "args": (current, key, option)}

    with st.container(horizontal=True, key="origin"):
        if len(origin.sheets) > 1:
            place, look = origin.sheets.index(origin.sheet or ""), {"format_func": one_line, "width": 320}
            st.selectbox("Sheet", origin.sheets, place, **again("sheet"), **look)
        look = {"width": 200, "help": "0 if no row names the columns"}
        st.number_input(f"Header in {lines.word}", 0, None, origin.header, **again("header"), **look)


def _read_again(current: Source, key: str, option: str) -> None:
    """Read the file with another sheet (and the header that looks right there) or another header."""
    file = current.dataset.unshaped
    origin = file.lines.origin
    assert origin is not None
    options = ({"sheet": origin.sheet} if len(origin.sheets) > 1 else {}) | {option: st.session_state[key]}
    try:
        if (path := workspace().file(current.id)) is None:
            raise FileNotFoundError
        data = path.read_bytes()
        store(readers.read_table(data, file.name, **options), data)
    except (OSError, readers.ReadProblem) as problem:
        gone = readers.ReadProblem("The file of this data set is no longer stored. Open it again.")
        upload.put_problem(problem if isinstance(problem, readers.ReadProblem) else gone)
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1  # a new key shows what is open
        return
    if any(entry.id == current.id and entry.owner == owner() for entry in workspace().list()):
        workspace().delete(current.id)
        forget(current.id)


Steps = tuple[readers.Step, ...]
_profile = cache(readers.profile_of, 32)
_values = cache(lambda current, column: Shaping(current).values(column), 32)


def show_shaping(current: Source) -> None:
    """The steps that were applied, each with the way back, and the controls for more."""
    show_shape_problem()
    _show_steps(current)
    with st.expander("Change the table: rename, merge classes, filter rows, exclude codes"):
        st.caption("The file itself is not changed, and every step can be undone.")
        parts: dict[str, Callable[[Source, Shaping], None]] = {"Rows and values": _choose_rows, "Names": _choose_name}
        shaping = Shaping(current)
        if shaping.classes:
            parts["Classes"] = _choose_classes
        if shaping.score_columns:
            parts["Scores"] = _choose_scale
        if len(current.frame.columns) > 2:
            parts["Long table"] = _choose_wide
        if has_choice(current, usual=True):
            parts["Header"] = lambda current, _: choose_origin(current)
        tabs = st.tabs(list(parts), key="shaping part", on_change="rerun")
        for tab, choose in zip(tabs, parts.values(), strict=True):
            if tab.open:
                with tab:
                    choose(current, shaping)


def _show_steps(current: Source) -> None:
    steps = current.dataset.shape.steps
    for index, (step, note) in enumerate(zip(steps, current.dataset.notes, strict=True)):
        with st.container(horizontal=True, vertical_alignment="center", key=f"step {index}"):
            what = f" :gray[· {plain(note, 300)}]" if note else ""
            st.markdown(f":gray-badge[{index + 1}] {plain(step.sentence, 300)}{what}", width="content")
            remove = {"on_click": remove_step, "args": (current, index), "help": "Take this step back"}
            st.button(":material/close: Remove", key=f"remove step {index}", type="tertiary", **remove)
    if len(steps) > 1:
        st.button("Remove all steps", on_click=remove_steps, args=(current,), type="tertiary")


def _choose_rows(current: Source, _: Shaping) -> None:
    column = st.selectbox("Column", list(current.frame.columns), key=_key(current, "column"), format_func=one_line)
    values = _values((current.key_of(None), column), current, column)
    if values.missing:
        label = f"Keep the {count_text(len(current.frame) - values.missing)} rows with a value"
        _button(current, label, "present", lambda: (readers.Present(column),))
    if values.is_range:
        with beside():
            limits = [_choose_limit(current, column, *end) for end in (("From", values.lowest), ("To", values.highest))]
            is_open = limits == [None, None]
            _button(current, "Keep this range", "range", lambda: Shaping(current).within(column, *limits), is_open)
    _choose_values(current, column, values)


def _choose_limit(current: Source, column: str, label: str, end: float | date | None) -> float | date | None:
    shown = {"value": None, "width": 160, "key": _key(current, f"{label} {column}")}
    if isinstance(end, date):
        return st.date_input(f"{label} ({end})", min_value=date(1, 1, 1), max_value=date(9999, 12, 31), **shown)
    return st.number_input(label, placeholder=readers.text_of(end), **shown)


def _choose_values(current: Source, column: str, values: ColumnValues) -> None:
    counts = dict(zip(values.texts, values.counts, strict=True))
    picked = st.multiselect(
        "Values", list(counts), key=_key(current, f"values {column}"), accept_new_options=values.is_range,
        format_func=lambda text: f"{label_text(text)} ({count_text(counts[text])})" if text in counts else text,
    )  # fmt: skip
    with st.container(horizontal=True):
        _button(current, "Keep only their rows", "only", lambda: (readers.Only(column, tuple(picked)),), not picked)
        _button(current, "Leave out their rows", "leave", lambda: (readers.Leave(column, tuple(picked)),), not picked)
        _button(current, "Count as missing", "exclude", lambda: Shaping(current).exclude(column, picked), not picked)


def _choose_name(current: Source, shaping: Shaping) -> None:
    names = {("data set", current.title): f"Data set: {one_line(current.title)}"}
    names |= {("system", system): f"System: {one_line(system)}" for system in shaping.systems}
    names |= {("class", text): f"Class: {label_text(text)}" for text in shaping.classes}
    with beside():
        what, name = st.selectbox("Rename", list(names), key=_key(current, "rename"), format_func=names.get, width=300)
        new = st.text_input("New name", key=_key(current, f"new {what} {name}"), placeholder=one_line(name), width=300)
        _button(current, "Rename", "rename", lambda: _renamed(shaping, what, name, new.strip()), not new.strip())


def _renamed(shaping: Shaping, what: str, name: str, new: str) -> Steps:
    if what == "data set":
        return (readers.Title(new),)
    return shaping.rename_system(name, new) if what == "system" else shaping.merge([name], new)


def _choose_classes(current: Source, shaping: Shaping) -> None:
    classes = st.multiselect("Classes", shaping.classes, key=_key(current, "classes"), format_func=label_text)
    with beside():
        first = classes[0] if classes else ""
        look = {"key": _key(current, "into"), "placeholder": label_text(first) if first else "", "width": 300}
        name = st.text_input("Merge them into", **look).strip() or first
        _button(current, "Merge", "merge", lambda: shaping.merge(classes, name), len(classes) < 2)
        _button(current, "Drop", "drop", lambda: shaping.drop(classes), not classes)
    st.caption("Dropped: their cases are left out. Another case that was predicted as one of them stays an error.")


def _choose_scale(current: Source, shaping: Shaping) -> None:
    names, look = shaping.score_columns, {"key": _key(current, "scaled"), "format_func": one_line}
    columns = st.multiselect("Scores", names, default=names, **look)
    with st.container(horizontal=True):
        for way, formula in readers.SCALES.items():
            make = lambda way=way: (readers.Scale(tuple(columns), way),)  # noqa: E731
            _button(current, f"{'Percentages' if way == 'percent' else 'Log-odds'}: {formula}", way, make, not columns)


def _choose_wide(current: Source, _: Shaping) -> None:
    names = list(current.frame.columns)
    with beside():
        ask = {"index": None, "placeholder": "choose", "format_func": one_line, "width": 210}
        case = st.selectbox("Column of case ids", names, key=_key(current, "case"), **ask)
        system = st.selectbox("Column of systems", names, key=_key(current, "system of a row"), **ask)
        value = st.selectbox("Column of scores or labels", names, key=_key(current, "value of a row"), **ask)
        lacks = None in (case, system, value)
        _button(current, "One row per case", "wide", lambda: (readers.Wide((case,), system, value),), lacks)
    st.caption("For a table with one row per case and system: each system becomes a column.")


def _button(current: Source, label: str, key: str, make: Callable[[], Steps], disabled: bool = False) -> None:
    """A button that applies some steps."""
    st.button(label, key=f"shape {key}", on_click=lambda: apply_steps(current, make()), disabled=disabled)


def _key(current: Source, name: str) -> str:
    """The key of a control, which forgets its choice when the table has changed."""
    return f"shaping {current.dataset.digest} {name}"


_FIRST_ROWS, _LONGEST_CELL = 200, 500


def show_profile(current: Source) -> None:
    """One line per column that has a role: distinct values, missing cells, range and a small distribution."""
    if current.kind == "counts":  # few enough to be shown as they are
        show_frame(current.frame, "counts", "The counts in the file", {}, missing=None)
        return
    with frugal():
        table = _profile(current.key_of(None), current.dataset)
    if table.empty:
        st.caption("No column has a role yet.")
        return
    columns = dict.fromkeys(("distinct", "missing"), Column(count_text))
    columns["distribution"] = Column(kind="bars", help="24 equal bins, or the most common values")
    alt = "Each column in use with its distinct values, missing cells, range and distribution"
    show_frame(table, "profile", alt, columns, missing="", copied=table.drop(columns="distribution"))
    if current.dataset.is_counted:
        st.caption(readers.counted_note(current.dataset))


def show_first_rows(current: Source) -> None:
    """The first rows of the table, with what was changed since it was read."""
    first = current.frame.head(_FIRST_ROWS)
    # An image in a cell may have hundreds of thousands of letters.
    shorten = lambda cells: readers.named_pictures(cells).str.slice(0, _LONGEST_CELL)  # noqa: E731
    frame = first.assign(**{str(name): shorten(cells) for name, cells in first.items() if cells.dtype == "str"})
    show_frame(frame, "first rows", "The first rows of the open table", {}, 7, 280, missing=None)
    rows = len(current.frame)
    what = "rows of counts" if current.dataset.is_counted else "rows"
    many = rows > _FIRST_ROWS
    shown = f"The first {count_text(_FIRST_ROWS)} of {count_text(rows)} {what}" if many else f"All {what}"
    st.caption(f"{shown}, {'with your changes' if current.dataset.shape.steps else 'as read'}.")
