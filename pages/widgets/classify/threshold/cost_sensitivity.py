"""If costs are not known: the prices for which the threshold is right, and a map of which threshold wins where."""

import math

import numpy as np
import streamlit as st

from evalcore.analyses import Scores
from evalcore.classification import (
    CheapestThresholds,
    RatioRange,
    at_prevalence,
    cheapest_thresholds,
    cost,
    ratios_of,
)
from evalcore.figures import ratio_map_figure
from evalcore.wording import THIN, alarms_text, cost_text, ratio_text, share_text

from ...display.figure import page_ink, show_figure
from ...session.loaded_scores import put_threshold
from .costs import choose_prevalence, choose_ratio

NOBODY, EVERYBODY = "nobody", "everybody"


def show_unknown_costs(scores: Scores, threshold: float) -> None:
    """For which prices the threshold is right, which one is right for others, and the map of all of them.

    Parameters
    ----------
    scores : Scores
    threshold : float
    """
    st.markdown("**How much worse than a false alarm must a miss be for this threshold to be right?**")
    try:
        cheapest = cheapest_of(scores)
    except ValueError as problem:
        st.caption(f"Undefined: {problem}")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ratio = choose_ratio("unknown")
        share = choose_prevalence("unknown", scores)
    own, texts = scores.prevalence, threshold_names(scores, cheapest)
    picture, words = st.columns([5, 3], gap="large")
    with words:
        _show_range(scores, threshold, cheapest, texts, None)
        if share != own and not _is_beaten_at_any_price(scores, threshold, cheapest):
            _show_range(scores, threshold, cheapest, texts, share)
        _show_winner(scores, threshold, cheapest, texts, ratio, share)
    with picture:
        show_figure(
            ratio_map_figure(cheapest, texts, own, ratio, share, page_ink()),
            key="ratio map",
            alt=f"Map of the cheapest threshold over cost ratio and prevalence; at {ratio_text(ratio)} and "
            f"{share_text(share)} it is {texts[int(cheapest.place(ratio, share))]}.",
            filename="cost map",
        )
        st.caption(
            "Each band is one threshold, the cheapest there; the stronger its colour, the more it calls positive. The "
            "ring is the ratio and the prevalence typed above. A threshold whose band is wide needs no exact prices."
        )


def cheapest_of(scores: Scores) -> CheapestThresholds:
    """The thresholds that are the cheapest for some prices; ValueError when a class is absent."""
    return _cheapest(f"{scores.current.key}\n{scores.system}", _scores=scores)


def threshold_names(scores: Scores, cheapest: CheapestThresholds) -> list[str]:
    """What each of those thresholds is called: the rule with its number, or whom it calls positive."""
    names = [f"{scores.rule} {scores.text(float(t))}" for t in cheapest.thresholds]
    names[0], names[-1] = NOBODY, EVERYBODY
    return names


def show_step(scores: Scores, threshold: float, place: int, cheapest: CheapestThresholds, key: str) -> None:
    """A button that goes to one of those thresholds; none where the threshold stands there already."""
    target = float(cheapest.thresholds[place])
    if scores.table.index(threshold) != cheapest.rows[place]:
        st.button(f"Go to {scores.text(target)}", key=key, on_click=put_threshold, args=(target,))


@st.cache_resource(max_entries=24, show_spinner=False)
def _cheapest(key: str, _scores: Scores) -> CheapestThresholds:
    return cheapest_thresholds(_scores.table)


def _show_range(
    scores: Scores, threshold: float, cheapest: CheapestThresholds, texts: list[str], share: float | None
) -> None:
    """The answer at one prevalence, that of the sample for None."""
    found = ratios_of(scores.table, threshold, cheapest, share)
    where = "Here" if share is None else f"At a prevalence of {share_text(share)}"
    here = f"**{scores.rule} {scores.text(threshold)}**"
    if math.isnan(found.low):
        st.markdown(f"{where}, {here} is right **for no prices**. {_beaten(found, texts)}")
    elif found.low == found.high:
        st.markdown(f"{where}, {here} is right {_only(found, texts)}.")
    else:
        st.markdown(f"{where}, {here} is right for **{_miss_between(found.low, found.high)}**.")
    if share is None and (math.isnan(found.low) or found.low == found.high):
        with st.container(horizontal=True):
            for place in (found.stricter, found.laxer):
                if place >= 0 and _is_better(found, place):
                    show_step(scores, threshold, place, cheapest, key=f"hull {place}")


def _is_beaten_at_any_price(scores: Scores, threshold: float, cheapest: CheapestThresholds) -> bool:
    """Whether another threshold is better in both kinds of errors, so that no prevalence changes the answer."""
    found = ratios_of(scores.table, threshold, cheapest)
    return math.isnan(found.low) and (found.stricter_below == math.inf or found.laxer_above == 0)


def _is_better(found: RatioRange, place: int) -> bool:
    """Whether a neighbour on the hull is worth going to: cheaper for some ratios, and the other not for all."""
    if place == found.stricter:
        return found.stricter_below > 0 and found.laxer_above != 0
    return found.laxer_above < math.inf and found.stricter_below != math.inf


def _beaten(found: RatioRange, texts: list[str]) -> str:
    stricter, laxer = texts[found.stricter], texts[found.laxer]
    if found.stricter_below == math.inf:
        return f"{_named(stricter)} misses no more and has fewer false alarms: it is cheaper at any price."
    if found.laxer_above <= 0:
        return f"{_named(laxer)} has no more false alarms and misses fewer: it is cheaper at any price."
    return (
        f"{_named(stricter)} is cheaper when a miss costs less than {alarms_text(found.stricter_below)}, "
        f"{_named(laxer)} when it costs more than {cost_text(found.laxer_above)}; so one of the two always is."
    )


def _only(found: RatioRange, texts: list[str]) -> str:
    if found.low == 0:
        return f"only if a miss costs nothing; else {_named(texts[found.laxer])} is cheaper"
    if found.low == math.inf:
        return f"only if a false alarm costs nothing; else {_named(texts[found.stricter])} is cheaper"
    ends = " and ".join(_named(texts[place]) for place in (found.stricter, found.laxer))
    return f"only when a miss costs exactly {alarms_text(found.low)}, and even then it ties with {ends}"


def _miss_between(low: float, high: float) -> str:
    if low == 0 and high == math.inf:
        return "whatever a miss costs"
    if low == 0:
        return f"any miss that costs less than {alarms_text(high)}"
    if high == math.inf:
        return f"any miss that costs more than {alarms_text(low)}"
    return f"any miss that costs between {cost_text(low)} and {alarms_text(high)}"


def _show_winner(
    scores: Scores, threshold: float, cheapest: CheapestThresholds, texts: list[str], ratio: float, share: float
) -> None:
    """Which threshold is the cheapest at the typed ratio and prevalence, what it costs and what is saved by it."""
    place = int(cheapest.place(ratio, share))
    best, now = (
        1000 * float(cost(at_prevalence(counts, share), fn_cost=ratio))
        for counts in (cheapest.counts[place], scores.counts_at(threshold))
    )
    ties = [texts[place + 1]] if place + 1 < len(texts) and _tied(cheapest.ratios(share)[place + 1], ratio) else []
    also = "".join(f"; {_named(name)} costs the same" for name in ties)
    stands = scores.table.index(threshold) == cheapest.rows[place]
    more = "" if stands or now - best <= 1e-9 * now else f" The threshold in use costs {cost_text(now)}."
    st.markdown(
        f"At **{ratio_text(ratio)}** and {share_text(share)}, **{_named(texts[place])}** is the cheapest: "
        f"1{THIN}000 cases cost as much as {alarms_text(best)}{also}.{more}"
    )
    show_step(scores, threshold, place, cheapest, key="cheapest")


def _tied(end: float, ratio: float) -> bool:
    return bool(np.isclose(end, ratio, rtol=1e-9, atol=0))


def _named(text: str) -> str:
    return f"calling {text} positive" if text in (NOBODY, EVERYBODY) else text
