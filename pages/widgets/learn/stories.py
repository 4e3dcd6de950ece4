"""The stories: an index by topic with what was answered in this tab, and one story step by step."""

import streamlit as st

from evalcore.learning.stories import STORIES, Story
from evalcore.lessons import lesson_html, story_lesson
from pages.widgets.export.downloads import show_download
from pages.widgets.learn.steps import attempt_at, show_step
from pages.widgets.session import address

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
    make = lambda: lesson_html(story_lesson(story.id))  # noqa: E731
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
