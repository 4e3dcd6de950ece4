"""Costs and the prevalence: asked once for all panels, which threshold is best for them, and what next month brings."""

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from evalcore import analyses
from evalcore.analyses import coming_changes, cost_change, expected_changes, number_change
from evalcore.classification import ConfusionCounts, cheapest_thresholds, threshold_grid
from evalcore.figures import decision_figure, ratio_map_figure, risk_coverage_figure, zones_figure
from evalcore.inference import Forecast, forecast
from evalcore.wording import UNDEFINED, count_text, ratio_text, share_text, threshold_text
from pages.widgets.classify.threshold.pins import show_changes, show_compared
from pages.widgets.controls.fields import beside, exact, number, select
from pages.widgets.controls.goals import asks_for_costs
from pages.widgets.controls.threshold import show_step
from pages.widgets.display.figure import page_ink, show_figure, show_table
from pages.widgets.display.page import show_numbers
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import put_threshold, with_links

RAREST, DEAREST = 1e-6, 1e9
_ENDS = 1 / DEAREST, DEAREST
_MISS, _ALARM, _SHARE = "miss_cost", "alarm_cost", "prevalence"
_MOST_CASES = 1e12
_cheapest, _forecast = cache(cheapest_thresholds, 24), cache(forecast, 256)
_by_amounts = cache(lambda scores, goal, share: analyses.AmountsInUse(scores, goal, share), 24)


def show_best(chosen: analyses.ThresholdChoice, threshold: float) -> None:
    """The best threshold for the goal, with a button that goes there."""
    with st.container(key="answer", border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(with_links(chosen.verdict(threshold, address.number("prevalence", None, 0, 1))), width="stretch")
        there = chosen.status(threshold) == "best"
        show_step(chosen.scores, chosen.choice.threshold, key="go", type="secondary" if there else "primary")
    show_changes(chosen.scores, lambda pin: pin.goal_changes(chosen.scores, chosen.goal, threshold))
    if note := analyses.bounds_note(chosen.scores, goal=chosen.goal):
        st.caption(note)


def choose_costs(panel: str) -> tuple[float, float]:
    """What a miss and a false alarm cost, both above 0; asked for unless the goal of lowest cost does."""
    miss, alarm = (address.number(key, 1.0, *_ENDS) for key in (_MISS, _ALARM))
    if not _asked_above():
        exact("Cost of a miss", _MISS, miss, partial(address.put, _MISS), f"{panel} miss", _ENDS, width=120)
        exact("Cost of a false alarm", _ALARM, alarm, partial(address.put, _ALARM), f"{panel} alarm", _ENDS, width=146)
    return miss, alarm


def choose_ratio(panel: str) -> float:
    """How many false alarms cost as much as a miss, as in `choose_costs`; the cost of a false alarm stays."""
    alarm = address.number(_ALARM, 1.0, *_ENDS)
    within = lambda cost: min(max(cost, 1 / DEAREST), DEAREST)  # noqa: E731
    ratio = within(address.number(_MISS, 1.0, *_ENDS) / alarm)
    write = lambda typed: address.put(_MISS, within(typed * alarm))  # noqa: E731
    if not _asked_above():
        exact("Cost of a miss, in false alarms", _MISS, ratio, write, f"{panel} ratio", _ENDS, width=210)
    return ratio


def _asked_above() -> bool:
    """Whether the goal asks for the costs; what these parts have no use for, nothing or a gain, counts as 1 here."""
    if not asks_for_costs():
        return False
    if min(address.number(key, 1.0) for key in (_MISS, _ALARM)) <= 0:
        st.caption("A cost of 0 or less counts as 1 here.")
    return True


def choose_prevalence(panel: str, scores: analyses.Scores) -> float:
    """Ask for a prevalence in percent, at first that of the sample or the nearest at which both classes occur."""
    start = 0.5 if math.isnan(scores.prevalence) else min(max(scores.prevalence, RAREST), 1 - RAREST)
    share = address.number(_SHARE, start, RAREST, 1 - RAREST)
    write = lambda typed: address.put(_SHARE, None if typed == 100 * start else typed / 100)  # noqa: E731
    label = f"Prevalence, % (sample: {share_text(scores.prevalence)})"
    ends = 100 * RAREST, 100 * (1 - RAREST)
    exact(label, _SHARE, 100 * share, write, f"{panel} prevalence", ends, width=200)
    return share


def show_cost_sensitivity(chosen: analyses.ThresholdChoice, threshold: float) -> None:
    """For which costs the threshold is the best choice, which one is best for others, and the map of all of them."""
    scores = chosen.scores
    st.markdown("**For which costs is this threshold the best choice?**")
    if why := analyses.needs_one_cost(chosen.goal):
        st.caption(why)
        return
    try:
        cheapest = _cheapest(scores.key, scores.table)
    except ValueError as problem:
        st.caption(f"Undefined: {problem}")
        return
    with beside():
        ratio, share = choose_ratio("unknown"), choose_prevalence("unknown", scores)
    analysis = analyses.CostSensitivity(scores, threshold, cheapest, ratio, share, chosen.goal)
    picture, words = st.columns([5, 3], gap="large")
    with words:
        st.markdown(with_links(analysis.verdict))
        with st.container(horizontal=True):
            for index in analysis.better:
                show_step(scores, float(cheapest.thresholds[index]), key=f"hull {index}")
        if analysis.verdict_elsewhere:
            st.markdown(with_links(analysis.verdict_elsewhere))
        st.markdown(with_links(analysis.best_verdict))
        show_changes(scores, lambda pin: cost_change(*map(analysis.cost_of, (scores.counts_at(threshold), pin.counts))))
        _show_best_step(analysis, key="cheapest")
    with picture:
        alt = f"Map of the cheapest threshold over cost ratio and prevalence; at {ratio_text(ratio)} and "
        alt += f"{share_text(share)} it is {analysis.names[analysis.best]}."
        show_figure(ratio_map_figure(analysis, page_ink()), key="ratio map", alt=alt, filename="cost map")
        st.caption(
            "Each band is one threshold, the cheapest there; the stronger its colour, the more rows it calls positive. "
            "The ring marks the ratio and the prevalence set above. A threshold with a wide band needs no exact costs."
        )


def show_decision_curve(chosen: analyses.ThresholdChoice, threshold: float) -> None:
    """Net benefit against the risk threshold, with what it says at the typed cost ratio."""
    st.markdown("**Is acting on the scores better than treating all or treating none?**")
    if why := analyses.needs_one_cost(chosen.goal):
        st.caption(why)
        return
    scores = chosen.scores
    with beside():
        ratio, share = choose_ratio("decision"), choose_prevalence("decision", scores)
    analysis = analyses.net_benefit_of(scores, threshold, ratio, share)
    picture, words = st.columns([5, 3], gap="large")
    with picture:
        alt = f"Net benefit against the risk threshold; {analysis.summary}"
        show_figure(decision_figure(analysis, page_ink()), key="decision curve", alt=alt, filename="decision curve")
    with words:
        st.markdown(with_links(analysis.verdict))
        at_pin = lambda pin: analyses.net_benefit_of(pin.scores, pin.pin.threshold, ratio, share)  # noqa: E731
        show_changes(scores, lambda pin: {"net benefit": number_change(analysis.fixed, at_pin(pin).fixed)})
        st.caption(with_links(analysis.note))


def _show_best_step(analysis: analyses.CostSensitivity, key: str) -> None:
    if not analysis.stands_at(analysis.best):
        show_step(analysis.scores, float(analysis.cheapest.thresholds[analysis.best]), key)


def choose_use(panel: str, scores: analyses.Scores, asks_costs: bool = True) -> dict[str, Any]:
    """Ask for what a coming period is like, by the names of `evalcore.reports.ReportSettings`."""
    with beside():
        volume = number("New cases", "volume", 0.0, _MOST_CASES, 10_000.0, 100.0, "%.0f", width=150)
        period = select("per", [*analyses.WORKING_HOURS], "per", width=110)
        share = choose_prevalence(panel, scores)
        minutes = number("Minutes per alarm", "minutes", 0.0, 1e6, 5.0, 1.0, "%.6g", width=140)
        miss, alarm = choose_costs(panel) if asks_costs else (1.0, 1.0)
    use = {"new_cases": volume, "period": period, "prevalence": share, "alarm_minutes": minutes}
    return use | {"miss_cost": miss, "alarm_cost": alarm}


def show_forecast(chosen: analyses.ThresholdChoice, threshold: float, counted: analyses.NamedCounts) -> None:
    """Expected counts, the work and the cost of a coming period, what is promised of it, and what is best for it."""
    st.markdown("**What should you expect of this threshold in use?**")
    scores, goal = chosen.scores, chosen.goal
    use = choose_use("month", scores, asks_costs=goal.priced is None)
    volume, share, miss, alarm = (use[name] for name in ("new_cases", "prevalence", "miss_cost", "alarm_cost"))
    by_amounts = None if goal.priced is None else _by_amounts((scores.key, goal.key, share), scores, goal, share)
    per_case = by_amounts and by_amounts.cost(threshold)
    expected = _expected(counted.counts, volume, share)
    coming = analyses.PeriodForecast(counted, expected, use["period"], use["alarm_minutes"], miss, alarm, per_case)

    def at_pin(pin: analyses.Pinned) -> analyses.PeriodForecast:
        each = by_amounts and (by_amounts.cost(pin.pin.threshold) if pin.is_here else math.nan)
        return replace(coming, coming=_expected(pin.counts, volume, share), per_case=each)

    table, words = st.columns([5, 3], gap="large")
    with table:
        show_compared(scores, coming.table, lambda pin: expected_changes(coming, at_pin(pin)))
        st.caption(with_links(coming.note))
    with words:
        for numbers in (coming.work, coming.worth):
            with st.container(horizontal=True):
                show_numbers(numbers)
        st.caption(with_links(coming.work_note))
        st.markdown(with_links(coming.verdict))
        show_changes(scores, lambda pin: coming_changes(coming, at_pin(pin)))
        if chosen.promise is not None and chosen.on_new_rows:
            st.markdown(chosen.promise.coming_text(threshold, share))
        if by_amounts is not None:
            st.markdown(with_links(by_amounts.saving_verdict(threshold)))
            if (better := by_amounts.better_than(threshold)) is not None:
                show_step(scores, better, "cheapest there")
        elif counted.counts.actual_positives and counted.counts.actual_negatives:
            cheapest = _cheapest(scores.key, scores.table)
            costs = analyses.CostSensitivity(scores, threshold, cheapest, miss / alarm, share, chosen.goal)
            st.markdown(with_links(costs.saving_verdict))
            _show_best_step(costs, key="cheapest there")


def _expected(counts: ConfusionCounts, volume: float, share: float) -> Forecast:
    key = (*(float(getattr(counts, cell)) for cell in analyses.CELLS), volume, share)
    return _forecast(key, counts, volume, share)


_TARGETS = {"none": "–", "error": "low error rate", "values": "high PPV and NPV"}
_grid = cache(threshold_grid, 24)


def show_referral_band(chosen: analyses.ThresholdChoice, threshold: float) -> None:
    """A second threshold, on either side of the first, the three zones, and the narrowest band that meets a target."""
    scores, why = chosen.scores, analyses.needs_one_cost(chosen.goal)
    st.markdown("**What if a person reviewed the uncertain cases?**")
    second = _choose_second(scores, threshold)
    _choose_narrowest(scores, threshold, second)
    if len(scores.table) < 2:
        st.caption("There are no rows with a score.")
        return
    pictures, tables = st.container(), st.container()
    costs: tuple[float, ...] = ()
    if not why:
        with beside():
            costs = (*choose_costs("band"), _limit("Cost of a referral", DEAREST, 0.1, "referral", step=None))
    analysis = analyses.ReferralBand(scores, threshold, second, *costs)
    with pictures:
        _show_pictures(analysis)
    with tables:
        zones, measures = st.columns([4, 3], gap="large")
        with zones:
            show_table(*analysis.zones)
        with measures:
            measures, alone = analysis.measures, analysis.alone.decided
            show_compared(scores, measures, lambda pin: pin.row_changes(measures[1], alone), 2)
    if why:
        st.caption(f"What a band costs: {why[0].lower()}{why[1:]}")
        return
    st.markdown(with_links(analysis.verdict))
    at_pin = lambda pin: replace(analysis, scores=pin.scores, threshold=pin.pin.threshold)  # noqa: E731
    show_changes(scores, lambda pin: cost_change(analysis.cost_alone, at_pin(pin).cost_alone))
    st.caption(
        "Referred cases count as decided correctly; add the cost of the reviewer's errors to the cost of a referral."
    )


def _show_pictures(analysis: analyses.ReferralBand) -> None:
    scores, band = analysis.scores, analysis.band
    low, high = float(band.low), float(band.high)
    left, right = st.columns([5, 3], gap="large")
    with left:
        referred = f"{count_text(float(band.referred))} rows between the thresholds {scores.text(low)} and"
        alt = f"Scores of both classes; {referred} {scores.text(high)} are referred."
        show_figure(zones_figure(analysis, page_ink()), key="zones", alt=alt, filename="two thresholds")
    with right:
        centre, bands = analysis.curve(_grid(scores.key, scores.table))
        error = float(band.error)
        wrong = f"{UNDEFINED}, nothing is decided," if math.isnan(error) else share_text(error)
        alt = f"Error rate against the share decided; now {wrong} of {share_text(float(band.coverage))}."
        figure = risk_coverage_figure(analysis, bands, page_ink())
        show_figure(figure, key="risk coverage", alt=alt, filename="risk coverage")
        st.caption(
            f"From right to left, the band widens around {threshold_text(centre)}. The lower the line falls, the "
            "better the scores tell certain from uncertain cases."
        )


def _choose_second(scores: analyses.Scores, threshold: float) -> float:
    """Ask for the second threshold; without one it is the first, and no case is referred."""
    second = address.number("t2", threshold)
    write = lambda typed: address.put("t2", None if typed in (None, threshold) else float(typed))  # noqa: E731
    with beside():
        label = f"Second threshold beside {scores.text(threshold)}"
        exact(label, "t2", second, write, "second threshold", clears=True, width=240)
        st.button("No band", key="no band", on_click=address.put, args=("t2", None), disabled=second == threshold)
    return second


def _choose_narrowest(scores: analyses.Scores, threshold: float, second: float) -> None:
    """Ask what has to hold for the decided rows; answer with the narrowest band and a button that takes it."""
    with beside():
        if (target := select("Narrowest band with", _TARGETS, "narrowest", width=230)) == "none":
            return
        if target == "error":
            aims = {"error": _limit("Errors at most, %", 100.0, 1.0, "band error") / 100}
        else:
            aims = {"npv": _limit("NPV at least, %", 100.0, 99.0, "band npv") / 100}
            aims["precision"] = _limit("Precision at least, %", 100.0, 90.0, "band ppv") / 100
    # Only the target of errors looks at the threshold; all others share an answer.
    start = threshold if target == "error" else math.nan
    band, verdict = _narrowest((scores.key, start, aims), scores, start, aims)
    if band is None:
        st.markdown(with_links(verdict))
        return
    low, high = float(band.low), float(band.high)
    rows = scores.table.rows
    there = np.array_equal(rows([low, high]), rows(sorted((threshold, second))))
    words, button = st.columns([5, 1], vertical_alignment="center")
    words.markdown(with_links(verdict))
    button.button("Use this", key="take band", on_click=_put_band, args=(low, high), disabled=there, width="stretch")


def _put_band(low: float, high: float) -> None:
    put_threshold(low)
    address.put("t2", None if low == high else high)


def _limit(label: str, most: float, start: float, key: str, step: float | None = 0.5) -> float:
    return number(label, key, 0.0, most, start, step, "%.6g", width=160)


_band = lambda scores, threshold, aims: analyses.narrowest_band(scores, threshold, **aims)  # noqa: E731
_narrowest = cache(_band, 128, "Trying every pair of thresholds …")
