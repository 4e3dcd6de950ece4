"""Costs and the prevalence as several panels ask for them: typed in one, the same in all, kept in the address."""

import math
from collections.abc import Callable

import streamlit as st

from evalcore.analyses import Scores
from evalcore.wording import cost_text, share_text

from ...controls.bound import bound
from ...session import address

RAREST, DEAREST = 1e-6, 1e9
_MISS, _ALARM, _SHARE = "miss_cost", "alarm_cost", "prevalence"


def choose_costs(panel: str) -> tuple[float, float]:
    """Ask what a miss and what a false alarm cost, both above 0."""
    miss, alarm = _cost(_MISS, "miss"), _cost(_ALARM, "alarm")
    _ask("Cost of a miss", f"{panel} miss", miss, lambda cost: address.put(_MISS, cost), 120)
    _ask("Cost of a false alarm", f"{panel} alarm", alarm, lambda cost: address.put(_ALARM, cost), 146)
    _offer_costs_of_goal(panel, miss, alarm)
    return miss, alarm


def choose_ratio(panel: str) -> float:
    """Ask how many false alarms cost as much as a miss; the cost of a false alarm stays."""
    alarm = _cost(_ALARM, "alarm")
    ratio = _within(_cost(_MISS, "miss") / alarm)
    write = lambda typed: address.put(_MISS, _within(typed * alarm))  # noqa: E731
    _ask("Cost of a miss, in false alarms", f"{panel} ratio", ratio, write, 210)
    _offer_costs_of_goal(panel, ratio, 1.0)
    return ratio


def choose_prevalence(panel: str, scores: Scores) -> float:
    """Ask for a prevalence in percent, at first that of the sample or the nearest at which both classes occur.

    It is the prevalence that other pages move with a slider.
    """
    start = 0.5 if math.isnan(scores.prevalence) else min(max(scores.prevalence, RAREST), 1 - RAREST)
    share = address.number(_SHARE, start, RAREST, 1 - RAREST)
    write = lambda typed: address.put(_SHARE, None if typed == 100 * start else typed / 100)  # noqa: E731
    label = f"Prevalence, % (sample: {share_text(scores.prevalence)})"
    _ask(label, f"{panel} prevalence", 100 * share, write, 200, (100 * RAREST, 100 * (1 - RAREST)))
    return share


def _ask(
    label: str,
    key: str,
    value: float,
    write: Callable[[float], None],
    width: int,
    ends: tuple[float, float] = (1 / DEAREST, DEAREST),
) -> None:
    bound(
        st.number_input, label, "", min(max(value, ends[0]), ends[1]), *ends, key=key, format="%.6g", step=None,
        width=width, write=lambda typed: None if typed is None else write(typed),
    )  # fmt: skip


def _within(cost: float) -> float:
    return min(max(cost, 1 / DEAREST), DEAREST)


def _cost(key: str, goal_key: str) -> float:
    return address.number(key, _of_goal(goal_key), 1 / DEAREST, DEAREST)


def _of_goal(key: str) -> float:
    """The cost typed for the goal of lowest cost, while that is asked for; else 1."""
    typed = st.session_state.get(key)
    return float(typed) if isinstance(typed, float) and 1 / DEAREST <= typed <= DEAREST else 1.0


def _offer_costs_of_goal(panel: str, miss: float, alarm: float) -> None:
    """Where the goal of lowest cost counts with other costs than are typed here, offer to use those."""
    goal_miss, goal_alarm = st.session_state.get("miss"), st.session_state.get("alarm", 1.0)
    # A goal may ask for costs that these parts have no use for: nothing, or a gain.
    if (goal_miss, goal_alarm) != (_of_goal("miss"), _of_goal("alarm")):
        return
    if not math.isclose(miss * goal_alarm, goal_miss * alarm, rel_tol=1e-9):
        st.button(
            f"Use the goal's costs, {cost_text(goal_miss)} : {cost_text(goal_alarm)}",
            key=f"{panel} goal prices",
            type="tertiary",
            help="The costs of a miss and of a false alarm set for the goal “Lowest cost”. The costs typed here apply "
            "to the parts below the figure only; they do not change the goal or its threshold.",
            on_click=lambda: (address.put(_MISS, None), address.put(_ALARM, None)),
        )
