"""The narrowest band between two thresholds that keeps what somebody wishes of the decided rows."""

import numpy as np
import streamlit as st

from evalcore.analyses import Scores
from evalcore.classification import NoBand, Referral, band_of_error, band_of_values, refer
from evalcore.wording import UNDEFINED, count_text, share_text

from ...session import address
from ...session.loaded_scores import put_threshold

_SLACK = 1e-12
_WISHES = {"error": "few wrong decisions", "values": "trust on both sides"}


def choose_band(scores: Scores, threshold: float) -> None:
    """Ask what has to hold for the decided rows; answer with the narrowest band and a button that takes it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wish = st.selectbox(
            "Or ask for the narrowest band with", ["none", *_WISHES], key="narrowest", bind="query-params", width=230,
            format_func=lambda key: _WISHES.get(key, "–"),
        )  # fmt: skip
        if wish == "error":
            asked = (_percent("Wrong at most, %", "band error", 1.0),)
        elif wish == "values":
            asked = (_percent("NPV at least, %", "band npv", 99.0), _percent("PPV at least, %", "band ppv", 90.0))
    if wish not in _WISHES:
        return
    try:
        band = _narrowest(scores, threshold, wish, asked)
    except NoBand as problem:
        st.markdown(f"**No band keeps this.** {' '.join(_missing(*near) for near in problem.nearest)}")
        return
    left, right = float(band.low), float(band.high)
    here = sorted((threshold, address.number("t2", threshold)))
    taken = np.array_equal(scores.table.rows([left, right]), scores.table.rows(here))
    words, button = st.columns([5, 1], vertical_alignment="center")
    decided = f"{share_text(float(band.coverage))} are decided, of these {share_text(float(band.error))} wrong"
    said = (
        f"One threshold keeps this without a person: **{scores.text(left)}**"
        if left == right
        else f"From **{scores.text(left)}** to **{scores.text(right)}** {count_text(float(band.referred))} rows are "
        "referred, the fewest that keep this"
    )
    words.markdown(f"{said}; {decided}.")
    button.button("Take it", key="take band", on_click=_take, args=(left, right), disabled=taken, width="stretch")


def _take(left: float, right: float) -> None:
    put_threshold(left)
    address.put("t2", None if left == right else right)


def _percent(label: str, key: str, start: float) -> float:
    value = st.number_input(
        label, 0.0, 100.0, start, 0.5, format="%.6g", key=key, bind="query-params", width=150
    )  # fmt: skip
    return (value if value == value else start) / 100


def _narrowest(scores: Scores, threshold: float, wish: str, asked: tuple[float, ...]) -> Referral:
    """The band for a wish; the threshold in use where it needs none, so that nobody is sent elsewhere in vain."""
    alone = refer(scores.table, threshold, threshold)
    if wish == "error" and float(alone.error) <= asked[0] + _SLACK:
        return alone
    return _band(f"{scores.current.key}\n{scores.system}", wish, asked, _scores=scores)


@st.cache_data(max_entries=128, show_spinner="Trying every pair of thresholds …")
def _band(key: str, wish: str, asked: tuple[float, ...], _scores: Scores) -> Referral:
    if wish == "error":
        return band_of_error(_scores.table, asked[0])
    return band_of_values(_scores.table, *asked)


def _missing(name: str, nearest: float) -> str:
    if name == "order":
        return "Each side can be had alone, but the score that one needs lies beyond that of the other."
    if nearest != nearest:
        return f"The {name} is {UNDEFINED} at every threshold."
    if name == "error":
        return f"Even the surest rows are wrong in {share_text(nearest)}: the lowest share any band reaches."
    return f"The {name} reaches {share_text(nearest)} at most."
