"""Prices and the prevalence as several panels ask for them: typed in one, the same in all, kept in the address."""

import math
from collections.abc import Callable

import streamlit as st

from evalcore.analyses import Scores
from evalcore.classification import prevalence
from evalcore.wording import share_text, threshold_text

from ...session import address

RAREST, DEAREST = 1e-6, 1e9
_MISS, _ALARM, _SHARE = "miss_cost", "alarm_cost", "prevalence"


def own_prevalence(scores: Scores) -> float:
    """Share of positives in the sample."""
    return float(prevalence(scores.table.counts[0]))


def price_of_miss() -> float:
    """What a miss costs, above 0."""
    return address.number(_MISS, _of_goal("miss"), 1 / DEAREST, DEAREST)


def price_of_alarm() -> float:
    """What a false alarm costs, above 0."""
    return address.number(_ALARM, _of_goal("alarm"), 1 / DEAREST, DEAREST)


def choose_prices(panel: str) -> tuple[float, float]:
    """Ask what a miss and what a false alarm cost."""
    miss, alarm = price_of_miss(), price_of_alarm()
    _ask("A miss costs", f"{panel} miss", miss, 1 / DEAREST, DEAREST, lambda value: address.put(_MISS, value), 120)
    _ask("A false alarm", f"{panel} alarm", alarm, 1 / DEAREST, DEAREST, lambda value: address.put(_ALARM, value), 120)
    _say_those_of_goal(panel, miss, alarm)
    return miss, alarm


def choose_ratio(panel: str) -> float:
    """Ask how many false alarms cost as much as a miss; the price of a false alarm stays."""
    alarm = price_of_alarm()
    ratio = min(max(price_of_miss() / alarm, 1 / DEAREST), DEAREST)
    _ask(
        "False alarms a miss is worth", f"{panel} ratio", ratio, 1 / DEAREST, DEAREST,
        lambda value: address.put(_MISS, min(max(value * alarm, 1 / DEAREST), DEAREST)), 190,
    )  # fmt: skip
    _say_those_of_goal(panel, ratio, 1.0)
    return ratio


def choose_share(panel: str, scores: Scores) -> float:
    """Ask for a prevalence in percent; that of the sample, or of the nearest with both classes, to start from.

    It is the prevalence that other pages move with a slider.
    """
    own = own_prevalence(scores)
    start = 0.5 if math.isnan(own) else min(max(own, RAREST), 1 - RAREST)
    share = address.number(_SHARE, start, RAREST, 1 - RAREST)
    _ask(
        f"Prevalence in % (here {share_text(own)})", f"{panel} prevalence", 100 * share, 100 * RAREST,
        100 * (1 - RAREST), lambda value: address.put(_SHARE, None if value == 100 * start else value / 100), 190,
    )  # fmt: skip
    return share


def price_text(value: float) -> str:
    """A price or a cost ratio in three digits: 0.333, 1, 29.4."""
    return threshold_text(float(f"{value:.3g}"))


def in_alarms(value: float) -> str:
    """A price in false alarms, in words: "1 false alarm", "3.2 false alarms"."""
    text = price_text(value)
    return f"{text} false alarm{'' if text == '1' else 's'}"


def _ask(
    label: str, key: str, value: float, lowest: float, highest: float, write: Callable[[float], None], width: int
) -> None:
    # Set anew in every run, so that each field shows what was typed into another one.
    st.session_state[key] = min(max(value, lowest), highest)

    def typed() -> None:
        if st.session_state[key] is not None:
            write(st.session_state[key])

    st.number_input(label, lowest, highest, key=key, format="%.6g", step=None, on_change=typed, width=width)


def _say_those_of_goal(panel: str, miss: float, alarm: float) -> None:
    """Where the goal of lowest cost counts with other prices than are typed here, say so and offer to take those."""
    goal_miss, goal_alarm = st.session_state.get("miss"), st.session_state.get("alarm", 1.0)
    # A goal may ask for prices that these parts have no use for: nothing, or a gain.
    if (goal_miss, goal_alarm) != (_of_goal("miss"), _of_goal("alarm")):
        return
    if math.isclose(miss * goal_alarm, goal_miss * alarm, rel_tol=1e-9):
        return
    st.button(
        f"The goal says {price_text(goal_miss)} : {price_text(goal_alarm)}; take that",
        key=f"{panel} goal prices",
        type="tertiary",
        help="What a miss and a false alarm cost in the goal “Lowest cost”. What is typed here holds for the parts "
        "under the surface only, and leaves the goal and its threshold as they are.",
        on_click=_take_those_of_goal,
    )


def _take_those_of_goal() -> None:
    address.put(_MISS, None)
    address.put(_ALARM, None)


def _of_goal(key: str) -> float:
    """The price typed for the goal of lowest cost, while that is asked for; else 1."""
    typed = st.session_state.get(key)
    return float(typed) if isinstance(typed, float) and 1 / DEAREST <= typed <= DEAREST else 1.0
