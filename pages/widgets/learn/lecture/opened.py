"""Which lecture is open, at which step and for whom: in the address, and remembered while its reader is elsewhere."""

import json
from contextlib import suppress
from typing import Any

import streamlit as st

from evalcore.learning import LESSONS, Lecture, LectureProblem, Rooms
from evalcore.wording import plain, read_json
from pages.widgets.display.page import presenting
from pages.widgets.session import address
from pages.widgets.session.internals import through_history
from pages.widgets.session.visitor import owner

KEYS = ("lecture", "lecture_part", "lecture_step", "student", "seed", "answers", "room")
"""The lecture, the side and the step (from 1) that are shown, a student's mark, seed and first answers, a room."""

ROOMS = Rooms()  # the rooms of this server, in its memory alone
_MEMORY, _FILE, _IN_FILE, _PROBLEM = "lecture memory", "lecture file", "file", "lecture problem"
_PAGE, LECTURE = "lecture page of step", "pages/learn/lecture.py"


def put_problem(problem: LectureProblem) -> None:
    """Have `open_lecture` say it in the next run; good in callbacks."""
    st.session_state[_PROBLEM] = str(problem)


def open_lecture() -> Lecture | None:
    """The lecture of the address or its room; None, with a sentence, where there is none that can be played."""
    if (said := st.session_state.pop(_PROBLEM, None)) is not None:
        st.warning(plain(said, 600))
    if not through_history() and not any(key in st.query_params for key in ("lecture", "room")):
        for key, value in st.session_state.get(_MEMORY, {}).items():
            address.put_page_text(key, value)
    try:
        lecture = _in_room() or _read(address.page_text("lecture"))
        if lecture is not None:
            lecture.steps()
    except LectureProblem as problem:
        st.error(plain(problem, 600))
        lecture = None
    st.session_state.pop(_PAGE, None)
    st.session_state[_MEMORY] = {key: value for key in KEYS if (value := address.page_text(key)) and lecture}
    return lecture


def _in_room() -> Lecture | None:
    if code := address.page_text("room"):
        try:
            return ROOMS.state(code, owner()).lecture
        except LectureProblem as problem:
            st.warning(plain(problem, 600))
            address.put_page_text("room", None)
    return None


def _read(text: str) -> Lecture | None:
    if text == _IN_FILE:
        if _FILE not in st.session_state:
            raise LectureProblem("This lecture is too long for a link. Open its file.")
        return st.session_state[_FILE]
    return LESSONS.get(text) or (Lecture.from_link(text) if text else None)


def put_lecture(lecture: Lecture) -> None:
    """Open a lecture in place of any other; one that is too long for a link is remembered by the session alone."""
    part = address.page_text("lecture_part")
    close_lecture()
    st.session_state[_FILE] = lecture
    try:
        address.put_page_text("lecture", lecture.link())
    except LectureProblem:
        address.put_page_text("lecture", _IN_FILE)
    address.put_page_text("lecture_part", part or None)


def close_lecture() -> None:
    """Take the lecture with all that belongs to it out of the address and out of memory."""
    st.session_state.pop(_MEMORY, None)
    for key in KEYS:
        address.put_page_text(key, None)


def note_page(page: str, index: int) -> None:
    """Note the page that the step on the screen opens, for the way back from there."""
    st.session_state[_PAGE] = (page, index)


def show_return(page: str) -> None:
    """On the page that a step of the open lecture has opened: the way back to it, and on to the next step."""
    memory = st.session_state.get(_MEMORY)
    opened, index = st.session_state.get(_PAGE, ("", 0))
    if not memory or page != opened:
        return
    own = memory | {"present": "1"} if presenting() else memory
    with st.container(key="lecture-return", horizontal=True, gap="small"):
        for key, label, step in (("previous-step", "Back to the lecture", 1), ("next-step", "Next step", 2)):
            with st.container(key=key, width="content"):
                icon = f":material/arrow_{'back' if step == 1 else 'forward'}:"
                st.page_link(LECTURE, label=label, icon=icon, query_params=own | {"lecture_step": str(index + step)})


def is_student() -> bool:
    """Whether a student's link has opened the lecture: it plays, without what only its lecturer needs."""
    return bool(address.page_text("student", ("1",)))


def step_index(count: int) -> int:
    """The step that is shown, from 0; `count` is the end of the lecture."""
    written = address.page_text("lecture_step")
    return min(max(int(written) - 1, 0), count) if written.isdecimal() and len(written) < 5 else 0


def seed() -> int:
    """The seed of the student's numbers; 0, those of the lecturer, without one and in a room."""
    written = address.page_text("seed")
    return int(written) if written.isdecimal() and len(written) < 12 and not address.page_text("room") else 0


def first_answers() -> dict[int, Any]:
    """The first answer to each question, by its index."""
    with suppress(ValueError, TypeError, AttributeError, RecursionError):
        return {int(index): value for index, value in read_json(address.page_text("answers") or "{}").items()}
    return {}


def put_first_answer(index: int, value: Any) -> None:
    """Note an answer, unless the question has one."""
    answers = {index: value} | first_answers()
    address.put_page_text("answers", json.dumps(answers, separators=(",", ":")))
