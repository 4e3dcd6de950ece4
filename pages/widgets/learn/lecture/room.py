"""A room on a shared server: the lecturer shows steps, everybody guesses, and the guesses are seen at the reveal."""

import html
from contextlib import suppress

import segno
import streamlit as st

from evalcore.figures import guesses_alt, guesses_figure
from evalcore.learning import Lecture, LectureProblem, Question, RoomState
from evalcore.wording import plain

from ...display.figure import page_ink, show_figure
from ...session import address
from ...session.admission import is_shared
from ...session.tab_memory import remembered
from ...session.visitor import owner
from ..ask import ask_for_guess
from .opened import ROOMS, close_lecture, put_problem

_KEYS = "room keys"
_SECONDS = 2
"""How often the pages of a room ask what it shows."""

_NOT_SHARED = (
    "A room needs a shared server, which students can reach; this one answers its own machine only. "
    "See docs/serving.md."
)
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
            st.caption(_NOT_SHARED)
        st.caption(_KEPT)


def show_address() -> None:
    """The address of the room as a QR code, for the phones of those who look at the projector."""
    picture = segno.make(_address(), error="m").svg_data_uri(border=2, light="#fff", omitsize=True)
    words = html.escape(f"QR code of the room's address, {_address()}")
    with st.container(key="room-address"):
        st.html(f'<img src="{picture}" alt="{words}"><p>Room <b>{_code()}</b></p>')


def join_room() -> None:
    """Ask a student for the code of a room."""
    if not is_shared():
        st.caption(_NOT_SHARED)
        return
    with st.form("join", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        code = st.text_input("Room code", key="room code", max_chars=12, width=160, autocomplete="off")
        joins = st.form_submit_button("Join")
    if joins and not code.strip():
        st.warning("Type the code of the room first.")
    elif joins:
        address.put_page_text("room", code.strip().upper())
        st.rerun()


def shown_step() -> int:
    """The step that the room shows."""
    return _state().step


def is_revealed() -> bool:
    return _state().revealed


def show_to_all(index: int) -> None:
    """Have the room show the step that its lecturer sees."""
    if _state().step != index:
        ROOMS.show(_code(), _host_key(), index)


def reveal(index: int) -> None:
    """Show everybody the guesses and the answer."""
    with suppress(LectureProblem):  # it has closed meanwhile, which the page says next
        ROOMS.show(_code(), _host_key(), index, revealed=True)


def guess(question: Question, index: int) -> bool:
    """Take a student's guess, and show what became of it once it is revealed; whether it is."""
    state = _state()
    if not state.revealed and state.own_guess is None:
        if ask_for_guess(
            question, f"room {_code()} {index}", lambda typed: ROOMS.guess(_code(), index, typed, owner())
        ):
            st.rerun()
    else:
        st.markdown(question.text)
        guessed = state.own_guess is not None
        own = f"Your guess: **{question.answer.text(state.own_guess)}**." if guessed else "You did not guess."
        st.markdown(own if state.revealed else f"{own} Wait for the answer.")
    if state.revealed:
        _show_spread(question, state)
        st.success(f"**{question.answer.text(question.answer.solution)}.** {question.solution}")
    return state.revealed


def wait_for_change() -> None:
    """Go on when the room does."""
    state = _state()
    _wait_for_change(_code(), state.step, state.revealed)


def show_guesses(question: Question, index: int) -> None:
    """To the lecturer: how many have guessed, and how, once it is revealed."""
    state = _state()
    if state.revealed:
        _show_spread(question, state)
    else:
        _show_count(_code(), index)


@st.fragment(run_every=_SECONDS)
def _show_count(code: str, index: int) -> None:
    try:
        count = ROOMS.count(code)
    except LectureProblem as problem:
        st.caption(plain(problem, 300))
        return
    st.markdown(f"Room **{code}** · **{count}** {'guess' if count == 1 else 'guesses'}")


@st.fragment(run_every=_SECONDS)
def _wait_for_change(code: str, step: int, revealed: bool) -> None:
    try:
        state = ROOMS.state(code, owner())
    except LectureProblem:
        st.rerun()
    if (state.step, state.revealed) != (step, revealed):
        st.rerun()


def _show_spread(question: Question, state: RoomState) -> None:
    if not state.guesses:
        st.caption("Nobody has guessed.")
        return
    st.caption(f"Room {_code()} · {guesses_alt(question, state.guesses)}.")
    figure = guesses_figure(question, state.guesses, page_ink())
    show_figure(figure, key=f"guesses {state.step}", alt=guesses_alt(question, state.guesses))


def _open(lecture: Lecture) -> None:
    try:
        code, key = ROOMS.open(lecture, owner())
    except LectureProblem as problem:
        put_problem(problem)
        return
    address.put_page_text("room", code)
    remembered(_KEYS)[code] = key


def _close() -> None:
    with suppress(LectureProblem):  # it has closed by itself
        ROOMS.close(_code(), _host_key())
    remembered(_KEYS).pop(_code(), None)
    address.put_page_text("room", None)


def leave_room() -> None:
    """A way out for a student."""
    st.button("Leave the room", on_click=close_lecture)


def _host_key() -> str:
    """The key of the room, if its lecturer looks at it; the tab remembers it, since a projector shows the address."""
    return str(remembered(_KEYS).get(_code(), ""))


def _address() -> str:
    """Where students join the room."""
    return f"{(st.context.url or '').split('?')[0]}?room={_code()}"


def _code() -> str:
    return address.page_text("room").strip().upper()


def _state() -> RoomState:
    return ROOMS.state(_code(), owner())
