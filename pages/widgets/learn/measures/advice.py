"""Which measure when: four questions to a short list with reasons."""

import streamlit as st

from evalcore.glossary import ADVICE

from ...controls.bound import choose_key
from .entry import open_entry


def show_advice() -> None:
    """Ask what somebody has and wants; the measures that fit, each opened by a click."""
    st.header("Which measure when?", anchor=False)
    questions, answer = st.columns([1, 1], gap="large")
    with questions:
        have = choose_key("What do you have?", "have", {key: one.title for key, one in ADVICE.items()})
        answers = {}
        for question in ADVICE[have].questions:
            options = {str(index): text for index, text in enumerate(question["options"])}
            chosen = choose_key(question["text"], f"{have}_{question['key']}", options)
            answers[question["key"]] = options[chosen]
    with answer:
        for one in ADVICE[have].recommend(answers):
            with st.container(key=f"entry-links {one.measure.key}", gap=None):
                st.button(
                    one.measure.name, key=f"advice {one.measure.key}", type="tertiary", on_click=open_entry,
                    args=(one.measure.key,),
                )  # fmt: skip
                st.caption(one.because)
