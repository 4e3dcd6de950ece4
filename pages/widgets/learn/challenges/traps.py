"""One trap of the list: what do you expect, and where to see it."""

import streamlit as st

from evalcore.learning import TRAPS

from ...controls.bound import bound
from ...session import address
from ..ask import ask


def show_traps() -> None:
    """Ask what a small data set will show; once that is answered, say what to look at and link its page."""
    ids = list(TRAPS)
    with st.container(key="choose-trap", horizontal=True, vertical_alignment="bottom"):
        chosen = bound(
            st.selectbox, "Trap", "trap", address.choice("trap", ids, ids[0]), ids,
            format_func=lambda id: TRAPS[id].title, width=420,
        )  # fmt: skip
        following = ids[(ids.index(chosen) + 1) % len(ids)]
        st.button(
            "Next", key="next trap", icon=":material/arrow_forward:", on_click=address.put, args=("trap", following)
        )
    trap = TRAPS[chosen]
    with st.container(key="trap", width=760):
        last = ask(trap.question, f"trap {chosen}")
        if last and last.finished:
            st.markdown(f"**What to look at.** {trap.lesson}")
            at = {**trap.settings, "challenges_part": "Traps", "trap": chosen}
            st.page_link(f"pages/{trap.page}.py", label="Open it on its page", query_params=at, width="content")
