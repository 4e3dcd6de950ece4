"""One challenge of the list: chosen by its topic, asked with the numbers of the link, remembered once it is solved."""

from collections.abc import Mapping

import streamlit as st

from evalcore.learning import TRAPS
from evalcore.learning.challenges import CHALLENGES, TOPICS, Challenge
from pages.widgets.controls.fields import beside, bound, choose_key
from pages.widgets.learn.steps import ask
from pages.widgets.session import address
from pages.widgets.session.visitor import remembered

_PROGRESS, _MARKS = "challenges progress", {"solved": "✓ ", "shown": "○ "}
"""What became of each challenge in this tab: solved, or its solution shown."""


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
