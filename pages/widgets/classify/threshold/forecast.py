"""Next month: what so many new cases will bring at this threshold, where the positive class may be rarer."""

import math

import streamlit as st

from evalcore.analyses import CELLS, WORKING_HOURS, CostSensitivity, NamedCounts, PeriodForecast, Scores
from evalcore.inference import forecast

from ...display.table import show_table
from ...session.cache import cache
from .cost_sensitivity import cheapest_of, show_best_step
from .costs import choose_costs, choose_prevalence

_MOST = 1e12
_forecast = cache(forecast, 256)


def show_forecast(scores: Scores, threshold: float, counted: NamedCounts) -> None:
    """Expected counts, their ranges, the work and the cost of a coming period, and the threshold best for it."""
    st.markdown("**What should you expect of this threshold in use?**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        volume = _number("New cases", _MOST, 10_000.0, 100.0, "volume", format="%.0f", width=150)
        period = st.selectbox("per", list(WORKING_HOURS), key="per", bind="query-params", width=110)
        share = choose_prevalence("month", scores)
        minutes = _number("Minutes per alarm", 1e6, 5.0, 1.0, "minutes", format="%.6g", width=140)
        miss, alarm = choose_costs("month")
    period = period if period in WORKING_HOURS else "day"
    key = (*(float(getattr(counted.counts, cell)) for cell in CELLS), volume, share)
    expected = _forecast(key, counted.counts, volume, share)
    coming = PeriodForecast(counted, expected, period, minutes, miss, alarm)
    table, words = st.columns([5, 3], gap="large")
    with table:
        show_table(*coming.table)
        st.caption(coming.note)
    with words:
        for numbers in (coming.work, coming.worth):
            with st.container(horizontal=True):
                for name, text in numbers.items():
                    st.metric(name, text, width="content")
        st.caption(coming.work_note)
        st.markdown(coming.verdict)
        if counted.counts.actual_positives and counted.counts.actual_negatives:
            costs = CostSensitivity(scores, threshold, cheapest_of(scores), miss / alarm, share)
            st.markdown(costs.saving_verdict)
            show_best_step(costs, key="cheapest there")


def _number(label: str, most: float, start: float, step: float, key: str, **looks: object) -> float:
    value = st.number_input(label, 0.0, most, start, step, key=key, bind="query-params", **looks)
    return 0.0 if math.isnan(value) else value  # the address may say so
