"""What to know before trusting the numbers of a data set, and which rows are left out."""

import re

import streamlit as st

from evalcore.analyses import Source, offer_word, widening_text
from evalcore.glossary import meaning_link
from evalcore.readers import ReadProblem
from evalcore.wording import count_text, plain, with_parameters

from ...controls.roles import assign
from ...controls.shape import apply_steps
from ...session import address

_BADGES = {
    "error": ":red-badge[:material/error: error]",
    "warning": ":orange-badge[:material/warning: warning]",
    "info": ":blue-badge[:material/info: info]",
}
# A finding is read on other pages too.
_HERE = re.compile(r",? on the Data page")


def show_findings(current: Source) -> None:
    """The findings, the worst first, each with its level, and how many rows are left out."""
    for index, finding in enumerate(current.dataset.findings):
        sentence = f"{_BADGES[finding.level]} {plain(_HERE.sub('', finding.sentence), limit=600)}"
        sentence += with_parameters(meaning_link(finding.code), address.parameters())
        if not (word := offer_word(finding)):
            st.markdown(sentence)
            continue
        clicks = [(offer_word(finding, steps), apply_steps, (steps,)) for steps in finding.answers]
        clicks = [(word, assign, (finding.role, finding.column))] if finding.role else clicks
        if finding.role == "cluster":
            sentence += _widening(current.key, str(finding.column), current)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(sentence, width="content")
            for place, (word, act, what) in enumerate(clicks):
                key = f"action {index} {place}" if place else f"action {index}"
                st.button(word, key=key, on_click=act, args=(current, *what))
    left_out = _left_out(current.key, current)
    if left_out:
        st.markdown(
            f"{_BADGES['info']} {count_text(left_out)} of {count_text(len(current.frame))} rows "
            "lack a value and are left out."
        )
    elif not current.dataset.findings:
        st.markdown(":green-badge[:material/check: no findings] Every row is used.")


@st.cache_data(max_entries=64, show_spinner=False)
def _widening(key: str, column: str, _current: Source) -> str:
    return widening_text(_current, column)


@st.cache_data(max_entries=64, show_spinner=False)
def _left_out(key: str, _current: Source) -> int:
    try:
        return _current.dataset.left_out(_current.system if _current.systems else None)
    except ReadProblem:
        return 0  # a finding of level error says why
