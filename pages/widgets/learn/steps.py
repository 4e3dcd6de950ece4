"""A step of a story or a lecture: what it tells, the question it asks, and what is shown once that is answered."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.inference import IntervalChoice
from evalcore.learning import Attempt, Choice, Mark, Number, Question, Ruling, Step, Values, field_names
from evalcore.lessons import MARK, compared_table, counts_of, curve_steps_of, has_picture, picture_of, settings_of
from evalcore.registry import PAGES
from evalcore.wording import html_table, plain
from pages.widgets.classify.confusion.confusion import show_counts
from pages.widgets.display.figure import ELEMENT, component, page_ink, show_figure, show_table
from pages.widgets.display.measures import go_through
from pages.widgets.display.page import show_numbers
from pages.widgets.retrieve.lists import choose_order
from pages.widgets.session import address
from pages.widgets.session.visitor import remembered, restore_field

_COMPONENT = component("answer_mark", __file__, ELEMENT, MARK)


def choose_mark(answer: Mark, key: str) -> None:
    """Draw the plane of an answer with the mark that its fields hold; where it moves, they follow."""
    current, fields = None, [_field_key(key, axis) for axis in answer.axes]
    with suppress(ValueError):
        current = answer.read([st.session_state.get(field, "") for field in fields])

    def put(moved: Any) -> None:
        with suppress(TypeError, ValueError):
            for field, value in zip(fields, answer.read(moved), strict=True):
                st.session_state[field] = f"{value:.2f}"

    ink = page_ink()
    colours = {name: getattr(ink, name) for name in ("text", "grey", "grid", "accent", "paper")}
    data = {"axes": answer.axes, "mark": current, "colours": colours, "points": [*map(list, answer.points)]}
    _COMPONENT(f"mark-{key}", data, mark=put)


_ATTEMPTS = "attempts"


def ask(question: Question, key: str) -> Attempt | None:
    """Draw a question with the fields of its answer; the last attempt, or None before the first one."""
    last = attempt_at(key)
    last = last and last.judged_by(question)
    typed, pressed = _asked(question, key, ["Check", "Show the solution"])
    if pressed == "Check":
        try:
            last = Attempt(question.answer.read(typed), question.rule(typed))
        except ValueError as error:
            st.warning(str(error))
    elif pressed:
        guess = last.value if last and not last.solution_shown else None
        with suppress(ValueError):
            guess = question.answer.read(typed)
        last = Attempt(question.answer.solution, Ruling(False), solution_shown=True, guess=guess)
    if last:
        remembered(_ATTEMPTS)[key] = last.record
        _show_ruling(question, last)
    return last


def ask_for_guess(question: Question, key: str, send: Callable[[Any], None]) -> bool:
    """Draw a question whose answer stays open, and send the guess as it was typed; whether it was taken.

    `send` raises ValueError, with a sentence, for what cannot be counted.
    """
    typed, pressed = _asked(question, key, ["Send my guess"])
    try:
        if pressed:
            send(typed)
    except ValueError as error:
        st.warning(str(error))
        return False
    return bool(pressed)


def attempt_at(key: str) -> Attempt | None:
    """The last attempt at the question of a key in this tab."""
    return Attempt.of_record(remembered(_ATTEMPTS).get(key))


def _field_key(key: str, name: str) -> str:
    return f"answer {key} {name}"


def _asked(question: Question, key: str, labels: Sequence[str]) -> tuple[Any, str]:
    """Draw a question with its fields and buttons: what the fields hold, and which button was pressed, if any."""
    st.markdown(question.text)
    for name in field_names(question.answer):
        restore_field(_field_key(key, name))
    if isinstance(question.answer, Mark):
        choose_mark(question.answer, key)
    # What is built has numbers that follow each of its fields, which the fields of a form would not tell of.
    live = getattr(question.answer, "numbers", None) is not None
    with st.container() if live else st.form(f"ask-{key}", border=False, enter_to_submit=True):
        typed = _fields(question, key)
        if live:
            with st.container(horizontal=True, gap="small", key=f"built {key}"):
                _show_numbers(question, typed)
        with st.container(horizontal=True, gap="small"):
            looks = [(label, "secondary" if at else "primary") for at, label in enumerate(labels)]
            pressed = [label for label, look in looks if _button(label, key, live, type=look)]
    return typed, "".join(pressed)


def _fields(question: Question, key: str) -> Any:
    """The fields for one kind of answer; what they hold."""
    answer = question.answer
    if isinstance(answer, Choice):
        options = range(len(answer.options))
        restore_field(f"choice {key}", options)
        chosen = st.radio("Your answer", options, format_func=answer.text, index=None, key=f"choice {key}")
        return "" if chosen is None else chosen
    if isinstance(answer, Values) and answer.ranked:
        st.caption("Drag a document by its handle, or use the arrow keys on it.")
        return [*map(str, answer.of_list(choose_order(answer.ranked, key)))]
    names = field_names(answer)
    with st.container(horizontal=True, gap="small"):
        fields = [st.text_input(name, key=_field_key(key, name), width=160, autocomplete="off") for name in names]
    return fields if len(names) > 1 or isinstance(answer, Values) else fields[0]


def _button(label: str, key: str, live: bool, **look: Any) -> bool:
    """A button of a form, or one on its own."""
    return st.button(label, key=f"{label} {key}", **look) if live else st.form_submit_button(label, **look)


def _show_numbers(question: Question, typed: Any) -> None:
    """What comes of the numbers that were typed so far."""
    try:
        numbers = question.answer.numbers(question.answer.read(typed))
    except ValueError as error:
        st.caption(str(error) if all(typed) else "Fill in all fields to see the numbers of what you build.")
    else:
        show_numbers(numbers)


def _show_ruling(question: Question, attempt: Attempt) -> None:
    answer, written = question.answer, question.answer.text(attempt.value)
    if attempt.ruling.correct:
        # What was built need not be what the working explains.
        other = "Another way: " if isinstance(answer, Values) and attempt.value != answer.solution else ""
        exact = answer.text(answer.solution) if isinstance(answer, Number) else written
        near = f"**Near enough: the answer is {exact}.** You answered {written}."
        right = f"**Right: {written}.**" if exact == written else near
        st.success(f"{right} {other}{question.solution}")
    elif attempt.solution_shown:
        guess = "" if attempt.guess is None else f" You answered {answer.text(attempt.guess)}."
        st.info(f"**{written}.** {question.solution}{guess}")
    else:
        hint = attempt.ruling.hint or "Not yet. Read the question once more, or show the solution."
        st.warning(f"**{written}:** {hint}")


def show_step(step: Step, key: str) -> Attempt | None:
    """Draw a step: its question first, and the rest once it is answered; the last attempt at the question."""
    st.header(step.title, anchor=False)
    if step.text:
        st.markdown(step.text)
    if step.page_first:
        link_page(step)
    attempt = ask(step.question, key) if step.question else None
    if step.question is None or (attempt and attempt.finished):
        show_reveal(step, key, _marks(step, attempt))
    return attempt


def link_page(step: Step) -> None:
    """The link to the page of a step, with its settings, if there is such a page."""
    if step.page in PAGES:
        to = address.parameters() | settings_of(step)
        label = f"Open {'an example' if step.shows_example else 'this'} on its page"
        st.page_link(f"pages/{step.page}.py", label=label, icon=":material/open_in_new:", query_params=to)


def _marks(step: Step, attempt: Attempt | None) -> dict[str, Sequence[float]]:
    """What was marked on a plane, if that was the question."""
    if attempt is None or step.question is None or not isinstance(step.question.answer, Mark):
        return {}
    given = attempt.guess if attempt.solution_shown else attempt.value
    return {} if given is None else {"your mark": given}


def show_reveal(step: Step, key: str, marks: Mapping[str, Sequence[float]], side: DeltaGenerator | None = None) -> None:
    """The state of the real page with a link to it, what it teaches, and the printed figures beside ours.

    Where there is a place beside the question, as from a projector, picture and figures stand in it.
    """
    settings = settings_of(step)
    with side or st.container(), st.container(key="revealed"):
        has_state = has_picture(step, settings)
        two = has_state and side is None and not step.page_first
        sides = st.columns([3, 2], gap="large") if two else (st.container(), st.container())
        if has_state:
            with sides[0]:
                _show_state(step, settings, key, marks)
        if step.comparisons:
            show_table(*compared_table(step.comparisons), kind="averages printed")
    with sides[1] if side is None else st.container():
        if step.lesson:
            st.markdown(f"**What it teaches.** {step.lesson}")
        if not step.page_first:
            link_page(step)


def _show_state(step: Step, settings: Mapping[str, str], key: str, marks: Mapping[str, Sequence[float]]) -> None:
    """The picture of the page's state: its own figures, of the sample and settings of its link."""
    if "gone" in settings and step.page in ("classify/threshold", "classify/curves"):
        at, start = f"gone {key}", int(settings["gone"]) if settings["gone"].isdecimal() else 0
        read, put = partial(st.session_state.get, at, start), partial(st.session_state.__setitem__, at)
        go_through(curve_steps_of(settings), "the ROC curve row by row", lambda last: min(read(), last), put)
        return
    picture = picture_of(step, settings, page_ink(), marks)
    if picture.system:
        st.markdown(f"**{plain(picture.system)}**")
    if picture.ranked:
        st.html(f'<div class="ranked-list" tabindex="0">{html_table([], picture.ranked, "")}</div>')
    if picture.figure is not None:
        show_figure(picture.figure, f"state-{key}", picture.words, square=picture.is_square)
    if picture.table is not None:
        show_table(*picture.table)
    is_class = step.page == "classify/classes" and "class" in settings
    if is_class:
        st.caption(f"{settings['class']} against the rest:")
    if is_class or step.page == "classify/confusion":
        show_counts(counts_of(settings), IntervalChoice(), False, key=f"state-{key}", fixed=True, chosen=step.measure)
