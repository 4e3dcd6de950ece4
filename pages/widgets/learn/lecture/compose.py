"""Composing a lecture: its steps in their order, its link and its file."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

import streamlit as st

from evalcore import learning
from evalcore.learning.challenges import CHALLENGES
from evalcore.learning.stories import STORIES
from evalcore.lessons import lesson_html
from evalcore.wording import file_stem, plain, snippet
from pages.widgets.export.downloads import show_download
from pages.widgets.learn.lecture.opened import put_lecture

_EDITED = "lecture edited"


def compose(lecture: learning.Lecture) -> None:
    """The parts of the lecture, a form for one of them, and what plays it."""
    title = st.text_input("Title", value=lecture.title, key=f"title of {lecture.title}", max_chars=120)
    if title != lecture.title:
        put_lecture(learning.Lecture(title, lecture.parts))
        st.rerun()
    _show_parts(lecture)
    edited = st.session_state.get(_EDITED)
    if edited is not None and edited < len(lecture.parts):
        _choose_own_part(lecture, lecture.parts[edited], edited)
    else:
        own, example, challenge = st.tabs(["Your own step", "Example", "Challenge"])
        with own:
            _choose_own_part(lecture, learning.Part(), None)
        with example:
            _choose_example(lecture)
        with challenge:
            _choose_challenge(lecture)
    if lecture.parts:
        _show_ways_out(lecture)


def _show_parts(lecture: learning.Lecture) -> None:
    for index, part in enumerate(lecture.parts):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"part-{index}"):
            st.markdown(f"{index + 1}. {plain(_name(part))} :gray[{_kind(part)}]", width="stretch")
            for by, words, last in ((-1, "up", 0), (1, "down", len(lecture.parts) - 1)):
                st.button(
                    "", icon=f":material/arrow_{words}ward:", key=f"move {words} {index}", help=f"Move {words}",
                    disabled=index == last, on_click=_put, args=(lecture.with_part_moved, index, by),
                )  # fmt: skip
            own, edit = not (part.story or part.challenge), st.session_state.__setitem__
            st.button("Edit", key=f"edit part {index}", on_click=edit, args=(_EDITED, index), disabled=not own)
            st.button("Remove", key=f"remove part {index}", on_click=_put, args=(lecture.without_part, index))


def _choose_own_part(lecture: learning.Lecture, part: learning.Part, index: int | None) -> None:
    """A form for a step of the lecturer's own."""
    key = f"{index} {len(lecture.parts)} {crc32(repr(part).encode())}"
    with st.form(f"form {key}"):
        if index is not None:
            st.markdown(f"**Step {index + 1}**")
        title = st.text_input("Title of the step", part.title, max_chars=120, key=f"title {key}")
        text = st.text_area("Text", part.text, key=f"text {key}", height=100, max_chars=3_000)
        about = "Open a page as students are to see it, and copy the address line: data set and settings are in it."
        link = st.text_input("Link of a page with its settings", learning.link_of(part), key=f"link {key}", help=about)
        question = st.text_input("Question", part.question, key=f"question {key}", max_chars=1_000)
        left, right = st.columns(2)
        options = left.text_area(
            "Answers: a star before the right one, a hint after a bar", _options(part), key=f"options {key}",
            height=110, help=_OPTIONS_HELP,
            placeholder="* TP / (TP + FP)\nTP / (TP + FN) | That is recall: look at the alarms.",
        )  # fmt: skip
        number = right.text_input("Or a number", part.number, key=f"number {key}", help=_NUMBER_HELP)
        is_share = right.checkbox("It is a share; percent is accepted too", part.is_share, key=f"share {key}")
        drawn = left.text_area(
            "Drawn numbers", learning.drawn_text(part.drawn), key=f"drawn {key}", height=80, placeholder="tp 20 60",
            help=_DRAWN_HELP,
        )  # fmt: skip
        solution = right.text_area("Why this is right", part.solution, key=f"solution {key}", height=80)
        mistakes = st.text_area(
            "Wrong numbers, each with its hint", _wrong_numbers(part), key=f"mistakes {key}", height=80,
            placeholder="20 / 30 | That is recall: look at the alarms.", help=_MISTAKES_HELP,
        )  # fmt: skip
        pressed = st.form_submit_button("Add the step" if index is None else "Change the step", type="primary")
    if pressed:
        try:
            page, settings = learning.page_of(link)
            choices, correct, hints = learning.options_of(options)
            made = learning.Part(
                title=title, text=text, page=page, settings=settings, question=question, options=choices, right=correct,
                number=number, is_share=is_share, drawn=learning.drawn_of(drawn), solution=solution,
                mistakes=hints | learning.mistakes_of(mistakes),
            )  # fmt: skip
            if made == learning.Part():
                raise learning.LectureProblem("Fill in a text, a question or a link.")
            put_lecture(lecture.with_part(made, index))
            st.session_state[_EDITED] = None
            st.rerun()
        except learning.LectureProblem as problem:
            st.error(plain(problem, 600))


def _choose_example(lecture: learning.Lecture) -> None:
    story = STORIES[st.selectbox("Example", list(STORIES), format_func=lambda id: STORIES[id].title, key="add story")]
    titles = ["All steps", *(f"{number} {step.title}" for number, step in enumerate(story.steps, 1))]
    step = st.selectbox("Step", range(len(titles)), format_func=titles.__getitem__, key=f"add step of {story.id}")
    st.caption(story.question)
    st.button("Add the example", on_click=_put, args=(lecture.with_part, learning.Part(story=story.id, step=step)))


def _choose_challenge(lecture: learning.Lecture) -> None:
    id = st.selectbox("Challenge", list(CHALLENGES), format_func=lambda id: CHALLENGES[id].title, key="add challenge")
    st.caption("Each student gets numbers of their own.")
    st.button("Add the challenge", on_click=_put, args=(lecture.with_part, learning.Part(challenge=id)))


def _put(change: Callable[..., learning.Lecture], *about: Any) -> None:
    put_lecture(change(*about))


def _show_ways_out(lecture: learning.Lecture) -> None:
    """The link and the file that play the lecture."""
    with st.container(border=True):
        try:
            where = (st.context.url or "").split("?")[0]
            st.markdown("**Link for students**")
            st.code(f"{where}?{urlencode({'lecture': lecture.link(), 'student': 1})}", language=None, wrap_lines=True)
        except learning.LectureProblem as problem:
            st.warning(plain(problem, 600))
        with st.container(horizontal=True):
            stem = file_stem(lecture.title)
            show_download("Lecture as Markdown", learning.markdown_of(lecture), f"{stem}.md", "download markdown")
            show_download("Lecture as JSON", lecture.json(), f"{stem}.json", "download lecture")
        st.caption("A link to a page with an upload of yours works on this server only; samples work everywhere.")


def show_file(lecture: learning.Lecture) -> None:
    """The lecture as one file that plays it without a server."""
    st.markdown(_FILE)
    make = lambda: lesson_html(lecture)  # noqa: E731
    show_download("Lesson as one file", make, f"{file_stem(lecture.title)}.html", "download lesson", type="primary")
    st.caption(_FILE_LIMITS)


def open_file() -> None:
    """A place for the file of a lecture."""
    file = st.file_uploader("Open a lecture file", ["md", "html", "json"], key="lecture upload", max_upload_size=2)
    if file is not None and st.session_state.get("lecture file id") != file.file_id:
        st.session_state["lecture file id"] = file.file_id
        try:
            put_lecture(learning.lecture_of_file(file.getvalue().decode("utf-8-sig", "replace")))
            st.rerun()
        except learning.LectureProblem as problem:
            st.error(plain(problem, 600))


def _name(part: learning.Part) -> str:
    if part.story:
        story = STORIES[part.story]
        return f"{story.title}: {story.steps[part.step - 1].title}" if part.step else story.title
    if part.challenge:
        return CHALLENGES[part.challenge].title
    return part.title or snippet(part.question or part.text, 60) or part.page


def _kind(part: learning.Part) -> str:
    if part.story or part.challenge:
        return "example" if part.story else "challenge"
    return " · ".join(filter(None, ["question" if part.question else "text" if part.text else "", part.page]))


def _options(part: learning.Part) -> str:
    hints = {option: f" | {hint}" for option, hint in part.mistakes.items()}
    lines = (option + hints.get(option, "") for option in part.options)
    return "\n".join(f"* {line}" if index == part.right else line for index, line in enumerate(lines))


def _wrong_numbers(part: learning.Part) -> str:
    return "\n".join(f"{wrong} | {hint}" for wrong, hint in part.mistakes.items() if wrong not in part.options)


_FILE = (
    "One HTML file plays this lecture from disk or on a course page, on a phone and without a server. Students type "
    "their name, get numbers of their own and end with a receipt. Only the histogram of a room is missing."
)
_FILE_LIMITS = (
    "The file holds the answers, which its source shows. To verify receipts, open the file here and choose *Verify "
    "receipts*. A page with an upload of yours is left out: save the lecture as Markdown (*Compose*), put the data "
    "beside it, write `page: /threshold?data=scores.csv` and run `evalcore lesson my.md -o my.html`."
)
_NUMBER_HELP = "A value such as 0.1, or arithmetic such as tp / (tp + fp) with the names of drawn numbers."
_DRAWN_HELP = (
    "One per line: name, lowest, highest. Each student gets whole numbers of their own. "
    "Write {tp} in text and question where the number stands."
)
_OPTIONS_HELP = "One per line. A student who chooses a wrong answer gets its hint, and may try again."
_MISTAKES_HELP = "One per line: a wrong number or its arithmetic, a bar, and the hint for a student who types it."
