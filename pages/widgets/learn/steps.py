"""Steps of stories and lectures: what they tell, the question they ask, and what is shown once that is answered.

Stories have an index by topic; challenges and traps are one question each. What was answered is remembered in the tab.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import repeat
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import lessons
from evalcore.inference import IntervalChoice
from evalcore.learning import TRAPS, Attempt, Choice, Mark, Number, Question, Ruling, Step, Values, field_names
from evalcore.learning.challenges import CHALLENGES, TOPICS, Challenge
from evalcore.learning.stories import STORIES, Story
from evalcore.registry import PAGES
from evalcore.wording import html_table, plain
from pages.widgets.classify.confusion.confusion import show_counts
from pages.widgets.controls.fields import beside, bound, choose_key
from pages.widgets.display.figure import ELEMENT, component, page_ink, show_figure, show_table
from pages.widgets.display.measures import go_through
from pages.widgets.display.page import show_numbers
from pages.widgets.export.downloads import show_download
from pages.widgets.retrieve.lists import choose_order
from pages.widgets.session import address
from pages.widgets.session.visitor import remembered, restore_field

_COMPONENT = component("answer_mark", __file__, ELEMENT, lessons.MARK)


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
    typed, pressed = _asked(question, key, ["Check", "Show the solution"], last and last.given)
    if pressed == "Check":
        try:
            last = Attempt(question.answer.read(typed), question.rule(typed))
        except ValueError as error:
            st.warning(str(error))
            return last
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


def _asked(question: Question, key: str, labels: Sequence[str], given: Any = None) -> tuple[Any, str]:
    """Draw a question with its fields and buttons: what the fields hold, and which button was pressed, if any."""
    st.markdown(question.text)
    values = given if isinstance(given, tuple | list) else repeat(given)
    for name, value in zip(field_names(question.answer), values, strict=False):
        restore_field(_field_key(key, name), answered=None if value is None else f"{value:.10g}")
    if isinstance(question.answer, Mark):
        choose_mark(question.answer, key)
    # What is built has numbers that follow each of its fields, which the fields of a form would not tell of.
    live = getattr(question.answer, "numbers", None) is not None
    with st.container() if live else st.form(f"ask-{key}", border=False, enter_to_submit=True):
        typed = _fields(question, key, given)
        if live:
            with st.container(horizontal=True, gap="small", key=f"built {key}"):
                _show_numbers(question, typed)
        with st.container(horizontal=True, gap="small"):
            looks = [(label, "secondary" if at else "primary") for at, label in enumerate(labels)]
            pressed = [label for label, look in looks if _button(label, key, live, type=look)]
    return typed, "".join(pressed)


def _fields(question: Question, key: str, given: Any) -> Any:
    """The fields for one kind of answer; what they hold."""
    answer = question.answer
    if isinstance(answer, Choice):
        options = range(len(answer.options))
        restore_field(f"choice {key}", options, given)
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
        to = address.parameters() | lessons.settings_of(step)
        label = f"Open {'an example' if step.shows_example else 'this'} on its page"
        st.page_link(f"pages/{step.page}.py", label=label, icon=":material/open_in_new:", query_params=to)


def _marks(step: Step, attempt: Attempt | None) -> dict[str, Sequence[float]]:
    """What was marked on a plane, if that was the question."""
    if attempt is None or step.question is None or not isinstance(step.question.answer, Mark):
        return {}
    return {} if attempt.given is None else {"your mark": attempt.given}


def show_reveal(step: Step, key: str, marks: Mapping[str, Sequence[float]], side: DeltaGenerator | None = None) -> None:
    """The state of the real page with a link to it, what it teaches, and the printed figures beside ours.

    Where there is a place beside the question, as from a projector, picture and figures stand in it.
    """
    settings = lessons.settings_of(step)
    with side or st.container(), st.container(key="revealed"):
        has_state = lessons.has_picture(step, settings)
        two = has_state and side is None and not step.page_first
        sides = st.columns([2, 1], gap="large") if two else (st.container(), st.container())
        if has_state:
            with sides[0]:
                _show_state(step, settings, key, marks)
        if step.comparisons:
            show_table(*lessons.compared_table(step.comparisons), kind="averages printed")
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
        go_through(lessons.curve_steps_of(settings), "the ROC curve row by row", lambda last: min(read(), last), put)
        return
    picture = lessons.picture_of(step, settings, page_ink(), marks)
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
        counted = lessons.counts_of(settings)
        show_counts(counted, IntervalChoice(), False, key=f"state-{key}", fixed=True, chosen=step.measure)


_PAGE = "pages/learn/examples.py"


def choose_story() -> Story | None:
    """The story of the address, if it names one."""
    return STORIES.get(address.choice("story", list(STORIES)) or "")


def show_index() -> None:
    """All stories by topic in two columns, each a link, with how many of its questions were answered in this tab."""
    with st.container(key="stories"):
        columns = st.columns(2, gap="large")
    for at, topic in enumerate(dict.fromkeys(story.topic for story in STORIES.values())):
        with columns[at % 2]:
            st.subheader(topic, anchor=False)
            for story in STORIES.values():
                if story.topic == topic:
                    label = f"**{story.title}** {story.question} :gray[{_state(story)}]"
                    st.page_link(_PAGE, label=label, query_params=_parameters(story, 1))


def show_story(story: Story) -> None:
    """The steps of a story as links, and the step of the address with the way to the next."""
    number = int(address.number("step", 1, 1, len(story.steps)) or 1)
    # A link to the page that is open already changes what is shown, but not what the browser has in its line.
    address.put_all(story=story.id, step=number)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("All examples", icon=":material/arrow_back:", type="tertiary",
                  on_click=address.put_all, kwargs={"story": None, "step": None})  # fmt: skip
        st.markdown(f"**{story.title}**", width="content")
        for at, step in enumerate(story.steps, 1):
            sign = ":material/check: " if _answered(story, at) else ""
            label = f"{sign}{at}" if at != number else f"{sign}**{at} {step.title}**"
            with st.container(key="previous-step" if at == number - 1 else None, width="content"):
                st.page_link(_PAGE, label=label, query_params=_parameters(story, at), width="content")
    show_step(story.steps[number - 1], f"{story.id}-{number}")
    if number < len(story.steps):
        label, to = f"Next: {story.steps[number].title}", _parameters(story, number + 1)
        with st.container(key="next-step"):
            st.page_link(_PAGE, label=label, icon=":material/arrow_forward:", query_params=to)
    st.caption(f"Source: {story.source}")
    make = lambda: lessons.lesson_html(lessons.story_lesson(story.id))  # noqa: E731
    about = "An HTML file that plays this example without a server"
    show_download("Example as one file", make, f"{story.id}.html", "download story", help=about)


def _parameters(story: Story, number: int) -> dict[str, str]:
    return address.parameters() | {"story": story.id, "step": str(number)}


def _answered(story: Story, number: int) -> bool:
    attempt = attempt_at(f"{story.id}-{number}")
    return attempt is not None and attempt.finished


def _state(story: Story) -> str:
    done = sum(_answered(story, at) for at in range(1, len(story.steps) + 1))
    if done:
        return f"{done} of {len(story.steps)} answered"
    return f"{2 * len(story.steps)}\u00a0min, {story.level}"  # two for each step


_PROGRESS, _MARKS = "challenges progress", {"solved": "✓ ", "shown": "○ "}  # outcome of each challenge in this tab


def show_challenges() -> None:
    """Ask for a challenge, of one topic or of all; it stays in the address."""
    progress = remembered(_PROGRESS)
    with beside("choose-challenge"):
        topic = choose_key("Topic", "topic", {"": "All topics", **TOPICS}, width=220)
        offered = {id: one.title for id, one in CHALLENGES.items() if topic in ("", one.topic)}
        titles = {id: _MARKS.get(progress.get(id, ""), "") + title for id, title in offered.items()}
        chosen = _choose_with_next("Challenge", titles)
    solved = sum(state == "solved" for state in progress.values())
    st.progress(solved / len(CHALLENGES), f"{solved} of {len(CHALLENGES)} solved")
    _show_challenge(CHALLENGES[chosen], progress)


def _choose_with_next(label: str, titles: Mapping[str, str]) -> str:
    """Ask for one of several by its title, beside a button for the next; its id stays in the address."""
    name, ids = label.lower(), list(titles)
    chosen = bound(st.selectbox, label, name, address.choice(name, ids, ids[0]), ids, format_func=titles.get, width=420)
    following = ids[(ids.index(chosen) + 1) % len(ids)]
    with st.container(key="next-step", width="content"):
        st.button("Next", icon=":material/arrow_forward:", on_click=address.put, args=(name, following))
    return chosen


def _show_challenge(challenge: Challenge, progress: dict[str, str]) -> None:
    """Ask a challenge with the numbers of the address, and link the page on which its answer can be looked up."""
    variant = int(address.number("variant", 0, 0, 10**9) or 0)
    question = challenge.question(variant)
    with st.container(key="challenge", width=760):
        st.header(challenge.title, anchor=False)
        last = ask(question, f"{challenge.id} {variant}")
        if last and last.finished:
            state = "shown" if last.solution_shown else "solved"
            if progress.get(challenge.id) not in ("solved", state):
                progress[challenge.id] = state
                st.rerun()  # the list above shows it
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Other numbers", icon=":material/casino:", on_click=address.put, args=("variant", variant + 1))
            if variant:
                st.button("The textbook's numbers", on_click=address.put, args=("variant", None))
            if last and question.page:
                at = {**question.settings_of(last.value), "challenge": challenge.id, "variant": str(variant)}
                label = f"See {'an example' if question.shows_example else 'it'} on its page"
                st.page_link(f"pages/{question.page}.py", label=label, query_params=at, width="content")


def show_traps() -> None:
    """Ask what a small data set will show; once that is answered, say what to look at and link its page."""
    with beside("choose-trap"):
        chosen = _choose_with_next("Trap", {id: trap.title for id, trap in TRAPS.items()})
    trap = TRAPS[chosen]
    with st.container(key="trap", width=760):
        last = ask(trap.question, f"trap {chosen}")
        if last and last.finished:
            st.markdown(f"**What to look at.** {trap.lesson}")
            at = {**trap.settings, "challenges_part": "Traps", "trap": chosen}
            st.page_link(f"pages/{trap.page}.py", label="Open it on its page", query_params=at, width="content")
