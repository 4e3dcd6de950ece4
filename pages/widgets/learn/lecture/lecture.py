"""Where a lecture begins: opened, joined or new; and its three sides."""

from dataclasses import replace
from pathlib import Path
from zlib import crc32

import streamlit as st

from evalcore.learning import LESSONS, Choice, Lecture, Mark, Question, Step, seed_of
from evalcore.wording import plain
from pages.widgets.controls.fields import beside, bound
from pages.widgets.display.page import choose_presenter, presenting
from pages.widgets.learn.lecture import opened
from pages.widgets.learn.lecture.compose import open_file
from pages.widgets.learn.steps import choose_mark, link_page, show_reveal, show_step
from pages.widgets.session import address

NOTES = Path(__file__).parents[4] / "sample_data" / "lessons"
PARTS = ("Play", "Compose", "As one file", "Verify receipts")


def choose_lecture() -> None:
    """Open a lecture, join a room or begin a new one."""
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Teach", anchor=False)
        with st.container(key="entry-links lessons", gap="xsmall"):
            for id, lesson in LESSONS.items():
                label = f"**{lesson.title}** :gray[20\u00a0min]"
                st.button(label, key=f"lesson {id}", type="tertiary", on_click=_open_lesson, args=(id,))
        st.button("Compose a lecture", on_click=_begin, help="Your own texts, questions and pages in one link")
    with right:
        st.subheader("Take part", anchor=False)
        opened.join_room()
        open_file()


def choose_part(lecture: Lecture) -> str:
    """The title of the open lecture, and which of its sides is shown; students and a projector see it play."""
    if opened.is_guest() or opened.is_student():
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f"**{plain(lecture.title, 120)}**", width="content")
            st.button("Leave the room" if opened.is_guest() else "Close this lecture", on_click=opened.close_lecture)
        return PARTS[0]
    if presenting():
        return PARTS[0]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        written = address.page_text("lecture_part")
        part = bound(
            st.segmented_control, "Lecture", "lecture_part", written if written in PARTS else PARTS[0], PARTS,
            write=lambda part: address.put_page_text("lecture_part", part), required=True, label_visibility="collapsed",
        )  # fmt: skip
        st.markdown(f"**{plain(lecture.title, 120)}**", width="content")
        choose_presenter()
        st.button("Close this lecture", on_click=opened.close_lecture)
    if (id := address.page_text("lecture")) in LESSONS:
        with st.expander("Notes for the lecturer", key="lesson-notes"):
            st.markdown((NOTES / f"{id}.md").read_text(encoding="utf-8").partition("\n")[2])
    return part


def _open_lesson(id: str) -> None:
    opened.close_lecture()
    address.put_page_text("lecture", id)


def _begin() -> None:
    opened.put_lecture(Lecture("My lecture"))
    address.put_page_text("lecture_part", "Compose")


_REVEALED = "lecture revealed"


def play(lecture: Lecture) -> None:
    """The step that is shown, with the way to the next one."""
    steps = lecture.steps(opened.seed())
    shown = opened.state() if opened.is_guest() else None
    index = shown.step if shown else opened.step_index(len(steps))
    if not presenting() and not shown:
        _choose_numbers(lecture)
        if not opened.is_student():
            opened.choose_room(lecture)
    if opened.is_host():
        opened.show_to_all(index)
        if presenting():
            opened.show_address()
    with st.container(key="lecture-step"):
        if index < len(steps):
            _show_step(steps, index)
        else:
            st.header(f"End of {plain(lecture.title)}", anchor=False)
            if not presenting() and not shown and not opened.is_host():
                opened.show_receipt(lecture)
    if shown:
        opened.wait_for_change(shown.step, shown.revealed)
    else:
        _choose_step(steps, index)


def _show_step(steps: list[Step], index: int) -> None:
    step, key = steps[index], f"lecture {crc32(address.page_text('lecture').encode())} {opened.seed()} {index}"
    st.caption(f"Step {index + 1} of {len(steps)}")
    opened.note_page(step.page, index)
    if not (presenting() or opened.is_guest() or opened.is_host()):
        attempt = show_step(step, key)
        number = sum(one.question is not None for one in steps[:index])
        if attempt is not None and number not in opened.first_answers():
            opened.put_first_answer(number, attempt.guess if attempt.solution_shown else attempt.value)
        return
    st.header(step.title, anchor=False)
    asked, beside = st.container(), None
    if presenting() and step.question and _is_revealed(index):
        asked, beside = st.columns([5, 6], gap="medium")
    with asked:
        if step.text:
            st.markdown(step.text)
        if step.page_first:
            link_page(step)
        if step.question is None or _question_done(step.question, key, index):
            show_reveal(step, key, {}, beside)


def _question_done(question: Question, key: str, index: int) -> bool:
    """Show a question to a room; whether its answer is on the screen."""
    if opened.is_guest():
        return opened.guess(question, index)
    _show_question(question, key, solved=_is_revealed(index))
    if opened.is_host():
        opened.show_guesses(question)
    if done := _is_revealed(index):
        st.success(f"**{question.answer.text(question.answer.solution)}.** {question.solution}")
    return done


def _show_question(question: Question, key: str, solved: bool) -> None:
    """The question with what there is to choose from, or the plane that a mark is put on."""
    answer = question.answer
    st.markdown(question.text)
    if isinstance(answer, Choice):
        st.markdown("\n".join(f"{number}. {option}" for number, option in enumerate(answer.options, 1)))
    if isinstance(answer, Mark):
        plane = replace(answer, points=(*answer.points, ("here", *answer.solution))) if solved else answer
        choose_mark(plane, key)


def _choose_step(steps: list[Step], index: int) -> None:
    """Back and Next; from a projector and in a room, Next shows the answer first."""
    asks = index < len(steps) and steps[index].question is not None and (presenting() or opened.is_host())
    hidden, put = asks and not _is_revealed(index), address.put_page_text
    with st.container(horizontal=True, gap="small", key="lecture-way"):
        with st.container(key="previous-step", width="content"):
            st.button("Back", key="lecture back", on_click=put, args=("lecture_step", index), disabled=index == 0)
        with st.container(key="next-step", width="content"):
            if hidden:
                st.button("Show the answer", key="lecture reveal", on_click=_reveal, args=(index,), type="primary")
            else:
                at = ("lecture_step", index + 2)
                st.button("Next", key="lecture next", on_click=put, args=at, disabled=index == len(steps))


def _reveal(index: int) -> None:
    opened.reveal(index) if opened.is_host() else st.session_state.setdefault(_REVEALED, set()).add(_step_name(index))


def _is_revealed(index: int) -> bool:
    return opened.state().revealed if opened.is_host() else _step_name(index) in st.session_state.get(_REVEALED, ())


def _step_name(index: int) -> str:
    return f"{address.page_text('lecture')} {index}"


def _choose_numbers(lecture: Lecture) -> None:
    """Ask for the name that the student's numbers and receipt belong to."""
    if opened.seed() or opened.is_host():
        return
    with st.form("lecture-name", border=False):
        with beside(gap="small"):
            name = st.text_input("Your name", key="lecture name field", max_chars=80, width=260, autocomplete="off")
            started = st.form_submit_button("Start with my own numbers")
        st.caption("Your name gives you numbers of your own and stands on your receipt. The server does not store it.")
    if started and not name.strip():
        st.warning("Type your name first.")
    elif started:
        st.session_state["lecture name"] = name
        address.put_page_text("seed", seed_of(name, lecture.digest))
        address.put_page_text("answers", None)
        st.rerun()
