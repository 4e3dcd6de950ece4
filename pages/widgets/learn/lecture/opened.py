"""The open lecture: which one, at which step and for whom, in the address; the room of a class, and the receipts.

In a room on a shared server the lecturer shows steps, everybody guesses, and guesses are seen at the reveal. What is
open is remembered while its reader is elsewhere.
"""

import html
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import segno
import streamlit as st

from evalcore import learning
from evalcore.figures import guesses_alt, guesses_figure
from evalcore.learning import LESSONS, Lecture, LectureProblem, Rooms
from evalcore.wording import file_stem, one_line, plain, read_json
from pages.widgets.controls.fields import beside
from pages.widgets.display.figure import page_ink, show_figure, show_table
from pages.widgets.display.page import presenting
from pages.widgets.export.downloads import show_download
from pages.widgets.learn.steps import ask_for_guess
from pages.widgets.session import address
from pages.widgets.session.internals import through_history
from pages.widgets.session.server import is_shared
from pages.widgets.session.visitor import owner, remembered

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


_ROOM_KEYS = "room keys"
_SECONDS = 2  # how often the pages of a room ask what it shows

_SERVING = Path(__file__).parents[4] / "docs" / "serving.md"
"""Guide to reaching a server from outside; a lecturer without a shared one is shown its first part."""

_KEPT = (
    "A room holds the lecture, the step that is shown and the guesses in the server's memory, for at most 4 hours: no "
    "names, no addresses, nothing on disk. Each browser guesses once per step. You can keep three rooms open; a fourth "
    "closes the oldest without guests."
)


def is_guest() -> bool:
    """Whether a student looks at a room."""
    return bool(_code()) and not is_host()


def is_host() -> bool:
    """Whether the lecturer of a room looks at it."""
    return bool(_code()) and ROOMS.is_host(_code(), _host_key())


def choose_room(lecture: Lecture) -> None:
    """Open or close a room for the lecture."""
    with st.expander("A room for the class", expanded=is_host(), key="room"):
        if is_host():
            st.markdown(f"Students open **{plain(_address(), 300)}**, or type the code **{_code()}**.")
            st.button("Close the room", on_click=_close)
        elif is_shared():
            st.button("Open a room", on_click=_open, args=(lecture,))
        else:
            st.markdown("A room needs a server that your students can reach. This one runs on your computer only.")
            st.markdown(_SERVING.read_text(encoding="utf-8").partition("\n## ")[0].partition("\n")[2])
            return
        st.caption(_KEPT)


def show_address() -> None:
    """The address of the room as a QR code, for the phones of those who look at the projector."""
    picture = segno.make(_address(), error="m").svg_data_uri(border=2, light="#fff", omitsize=True)
    words = html.escape(f"QR code of the room's address, {_address()}")
    with st.container(key="room-address"):
        st.html(f'<img src="{picture}" alt="{words}"><p>Room <b>{_code()}</b></p>')


def join_room() -> None:
    """Ask a student for the code of a room, where there can be one."""
    if not is_shared():
        return
    with st.form("join", border=False), beside(gap="small"):
        code = st.text_input("Room code", key="room code", max_chars=12, width=160, autocomplete="off")
        joins = st.form_submit_button("Join")
    if joins and not code.strip():
        st.warning("Type the code of the room first.")
    elif joins:
        address.put_page_text("room", code.strip().upper())
        st.rerun()


def state() -> learning.RoomState:
    """The room's step with its guesses, and the guess of this visitor."""
    return ROOMS.state(_code(), owner())


def show_to_all(index: int) -> None:
    """Have the room show the step that its lecturer sees."""
    if state().step != index:
        ROOMS.show(_code(), _host_key(), index)


def reveal(index: int) -> None:
    """Show everybody the guesses and the answer."""
    with suppress(LectureProblem):  # it has closed meanwhile, which the page says next
        ROOMS.show(_code(), _host_key(), index, revealed=True)


def guess(question: learning.Question, index: int) -> bool:
    """Take a student's guess, and show what became of it once it is revealed; whether it is."""
    shown = state()
    if not shown.revealed and shown.own_guess is None:
        send = lambda typed: ROOMS.guess(_code(), index, typed, owner())  # noqa: E731
        if ask_for_guess(question, f"room {_code()} {index}", send):
            st.rerun()
    else:
        st.markdown(question.text)
        guessed = shown.own_guess is not None
        own = f"Your guess: **{question.answer.text(shown.own_guess)}**." if guessed else "You did not guess."
        st.markdown(own if shown.revealed else f"{own} Wait for the answer.")
    if shown.revealed:
        _show_spread(question, shown)
        st.success(f"**{question.answer.text(question.answer.solution)}.** {question.solution}")
    return shown.revealed


def show_guesses(question: learning.Question) -> None:
    """To the lecturer: how many have guessed, and how, once it is revealed."""
    shown = state()
    if shown.revealed:
        _show_spread(question, shown)
    else:
        _show_count(_code())


@st.fragment(run_every=_SECONDS)
def _show_count(code: str) -> None:
    try:
        count = ROOMS.count(code)
        st.markdown(f"Room **{code}** · **{count}** {'guess' if count == 1 else 'guesses'}")
    except LectureProblem as problem:
        st.caption(plain(problem, 300))


@st.fragment(run_every=_SECONDS)
def wait_for_change(step: int, revealed: bool) -> None:
    """Go on when the room does."""
    try:
        now = state()
    except LectureProblem:
        st.rerun()
    if (now.step, now.revealed) != (step, revealed):
        st.rerun()


def _show_spread(question: learning.Question, shown: learning.RoomState) -> None:
    if not shown.guesses:
        st.caption("Nobody has guessed.")
        return
    figure, words = guesses_figure(question, shown.guesses, page_ink()), guesses_alt(question, shown.guesses)
    st.caption(f"Room {_code()} · {words}.")
    show_figure(figure, f"guesses {shown.step}", words)


def _open(lecture: Lecture) -> None:
    try:
        code, key = ROOMS.open(lecture, owner())
        address.put_page_text("room", code)
        remembered(_ROOM_KEYS)[code] = key
    except LectureProblem as problem:
        put_problem(problem)


def _close() -> None:
    with suppress(LectureProblem):  # it has closed by itself
        ROOMS.close(_code(), _host_key())
    remembered(_ROOM_KEYS).pop(_code(), None)
    address.put_page_text("room", None)


def _host_key() -> str:
    """The key of the room, if its lecturer looks at it; the tab remembers it, since a projector shows the address."""
    return str(remembered(_ROOM_KEYS).get(_code(), ""))


def _address() -> str:
    """Where students join the room."""
    return f"{(st.context.url or '').split('?')[0]}?room={_code()}"


def _code() -> str:
    return address.page_text("room").strip().upper()


def show_receipt(lecture: Lecture) -> None:
    """The student's result, and the receipt once the name is known."""
    if not seed():
        st.markdown("For a receipt, type your name at the top and go through the lecture with your own numbers.")
        return
    answers, known = first_answers(), st.session_state.get("lecture name", "")
    name = st.text_input("Your name", value=known, key="receipt name", max_chars=80, width=260)
    if not name.strip():
        return
    if learning.seed_of(name, lecture.digest) != seed():
        st.warning("You started under another name. Type that name: these numbers belong to it.")
        return
    try:
        count = len(learning.questions_of(lecture, seed()))
        receipt = learning.receipt_of(lecture, name, [answers.get(index) for index in range(count)])
    except LectureProblem as problem:
        st.error(plain(problem, 600))
        return
    st.markdown(f"**{receipt.score} right at the first answer.** Check code {receipt.check}.")
    show_download("Receipt as a file", receipt.text(), f"receipt {file_stem(name)}.json", "download receipt")
    st.code(receipt.text(), language="json", wrap_lines=True)
    st.caption(learning.RECEIPT_LIMITS)


def show_verification(lecture: Lecture) -> None:
    """Take receipts by paste or as files, and show what became of each."""
    st.markdown(f"Receipts of **{plain(lecture.title)}** are computed again here, from name and answers.")
    with st.form("verify", border=False):
        pasted = st.text_area("Paste one or more receipts", key="receipts pasted", height=160)
        files = st.file_uploader(
            "Or open their files", type=["json", "txt"], accept_multiple_files=True, key="receipts", max_upload_size=1
        )
        pressed = st.form_submit_button("Verify", type="primary")
    texts = {"pasted": pasted} if pasted.strip() else {}
    texts |= {file.name: file.getvalue().decode("utf-8", "replace") for file in files}
    if pressed and not texts:
        st.warning("Paste a receipt, or open its file.")
    if pressed and texts:
        results = [one for source, text in texts.items() for one in _verified(lecture, source, text)]
        st.markdown(f"**{sum(not one.problem for one in results)} of {len(results)} verified.**")
        words = [f"✗ {one_line(one.problem, 600)}" if one.problem else "✓ verified" for one in results]
        rows = [(one_line(one.name), one.score, word) for one, word in zip(results, words, strict=True)]
        show_table(("Name", "Score", "Result"), rows, "averages results")
        columns = {name: [getattr(one, name) for one in results] for name in ("name", "score", "problem")}
        show_download("Results as CSV", columns, "receipts.csv", "download results")
    st.caption(learning.RECEIPT_LIMITS)


def _verified(lecture: Lecture, source: str, text: str) -> list[learning.Verified]:
    try:
        return [learning.verified(lecture, receipt) for receipt in learning.read_receipts(text)]
    except LectureProblem as problem:
        return [learning.Verified(source, "", str(problem))]
