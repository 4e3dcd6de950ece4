"""Where a lecture begins: opened, joined or new; and its three sides."""

from pathlib import Path

import streamlit as st

from evalcore.learning import LESSONS, Lecture
from evalcore.wording import plain

from ...controls.bound import bound
from ...display.presenter import choose_presenter, presenting
from ...session import address
from . import room
from .compose import open_file
from .opened import close_lecture, put_lecture

NOTES = Path(__file__).parents[4] / "sample_data" / "lessons"
PARTS = ("Play", "Compose", "Verify receipts")


def choose_lecture() -> None:
    """Open a lecture, join a room or begin a new one."""
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Take part", anchor=False)
        room.join_room()
        open_file()
    with right:
        st.header("Teach", anchor=False)
        st.markdown("Put your own texts, questions and links of pages in order, and give students one link.")
        st.button("Compose a lecture", type="primary", on_click=_begin)
        st.markdown("**Lessons of 20 minutes**, ready to be given or changed:")
        with st.container(key="lessons", gap=None):
            for id, lesson in LESSONS.items():
                st.button(lesson.title, key=f"lesson {id}", type="tertiary", on_click=_open_lesson, args=(id,))


def choose_part(lecture: Lecture) -> str:
    """The title of the open lecture, and which of its sides is shown; a guest of a room and a projector see it play."""
    if room.is_guest():
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f"**{plain(lecture.title, 120)}**", width="content")
            st.button("Leave the room", on_click=close_lecture)
        return PARTS[0]
    if presenting():
        return PARTS[0]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        part = _choose_side()
        st.markdown(f"**{plain(lecture.title, 120)}**", width="content")
        choose_presenter()
        st.button("Close this lecture", on_click=close_lecture)
    if (id := address.page_text("lecture")) in LESSONS:
        with st.expander("Notes for the lecturer", key="lesson-notes"):
            st.markdown((NOTES / f"{id}.md").read_text(encoding="utf-8").partition("\n")[2])
    return part


def _choose_side() -> str:
    written = address.page_text("lecture_part")
    return bound(
        st.segmented_control, "Lecture", "lecture_part", written if written in PARTS else PARTS[0], PARTS,
        write=lambda part: address.put_page_text("lecture_part", part), required=True, label_visibility="collapsed",
    )  # fmt: skip


def _open_lesson(id: str) -> None:
    close_lecture()
    address.put_page_text("lecture", id)


def _begin() -> None:
    put_lecture(Lecture("My lecture"))
    address.put_page_text("lecture_part", "Compose")
