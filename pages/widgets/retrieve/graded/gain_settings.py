"""The gain of a grade, the discount of a rank and the base of its logarithm, in the address."""

from collections.abc import Sequence

import streamlit as st

from evalcore.analyses import GainSettings, Rankings, gain_table, gains_by_grade, usable_gain, writable
from evalcore.retrieval import BASE, DISCOUNT, GAIN

from ...controls.bound import bound
from ...session import address
from ...session.current_dataset import sample_setting

MOST_GRADES = 12
"""Grades up to which each has a field for its gain."""

_GAINS = {"linear": "v", "exp": "2ᵛ − 1", "own": "own"}
_DISCOUNTS = {"log": "1/log(i + 1)", "original": "original", "none": "none"}
_OWN = "worth of grade"


def choose_gain_settings(rankings: Rankings) -> GainSettings:
    """Ask for gain, discount and base."""
    gain = address.text("gain", "linear")
    if not usable_gain(gain, rankings.grades):
        address.refuse("gain")
        gain = "linear"
    usual = sample_setting("discount", "log")
    discount = address.choice("discount", DISCOUNT.choices, usual)
    settings = GainSettings(gain, discount, address.number("base", BASE.default, 1.01, BASE.highest))
    kind = gain if gain in GAIN.choices else "own"
    bound(
        st.segmented_control, "Gain of grade v", "gain", kind,
        [name for name in _GAINS if name == "own" or usable_gain(name, rankings.grades)],
        key="gain of a grade", format_func=_GAINS.get, required=True,
        write=lambda kind: _put_kind(kind, settings, rankings.grades),
        help="The grade itself, 2 to its power minus 1, or a value of your own for each grade.",
    )  # fmt: skip
    if kind == "own":
        _choose_own_gains(gain, rankings.grades)
    bound(
        st.segmented_control, "Discount of rank i", "discount", discount, tuple(_DISCOUNTS), key="discount of a rank",
        format_func=_DISCOUNTS.get, required=True, write=lambda chosen: _put_unless("discount", chosen, usual),
        help="1/log(i + 1); the original 1/max(1, log i), which does not discount the first ranks; or none.",
    )  # fmt: skip
    if discount != "none":
        bound(
            st.number_input, "Base of log", "base", settings.base, key="base of the logarithm", min_value=1.01,
            max_value=float(BASE.highest), step=1.0, format="%g", width=120,
            write=lambda base: _put_unless("base", base, BASE.default),
            help="With 1/log(i + 1), nDCG is the same for every base; the original does not discount ranks up to it.",
        )  # fmt: skip
    return settings


def _choose_own_gains(gain: str, grades: Sequence[float]) -> None:
    """A field for each grade, or one for the whole table where there are many grades."""
    grades = writable(grades)
    if not grades or len(grades) > MOST_GRADES:
        bound(
            st.text_input, "Gain of each grade", "gain", gain, key=_OWN, width=220,
            help="Grade, colon, gain, with semicolons between: 1:3;2:7. Grades that are not listed keep their value.",
        )  # fmt: skip
        return
    gains, keys = gains_by_grade(gain), {grade: f"{_OWN} {grade:.12g}" for grade in grades}

    def put(_: float) -> None:
        address.put("gain", gain_table({grade: st.session_state[key] for grade, key in keys.items()}))

    with st.container(key="own-gains", horizontal=True, vertical_alignment="bottom", width="content"):
        for grade, key in keys.items():
            bound(
                st.number_input, f"Grade {grade:g}", "gain", float(gains.get(grade, grade)), key=key, min_value=0.0,
                max_value=1e6, step=1.0, format="%g", width=100, write=put,
            )  # fmt: skip


def _put_kind(kind: str, settings: GainSettings, grades: tuple[float, ...]) -> None:
    if kind == "own":
        # Start from what is shown, so that the switch itself changes nothing.
        address.put("gain", gain_table(settings.own_gains(grades, MOST_GRADES)))
    else:
        _put_unless("gain", kind, "linear")


def _put_unless(name: str, value: object, default: object) -> None:
    address.put(name, None if value == default else value)
