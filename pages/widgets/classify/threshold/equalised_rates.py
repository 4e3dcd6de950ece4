"""What equal rates would cost: a threshold for each group that makes a rate equal, and what that would change."""

import math

import streamlit as st

from evalcore import METRICS
from evalcore.analyses import EQUALISED, EqualisedRates, Subgroups, thresholds_of_groups
from evalcore.classification import Choice

from ...display.table import show_table
from ...export.downloads import show_download


def show_equalised_rates(groups: Subgroups) -> None:
    """Ask which rate is to be equal, and show the threshold of each group and what it would cost."""
    st.markdown("**What would equal rates cost?**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.segmented_control(
            "Make equal in every group", EQUALISED, format_func=EQUALISED.get, key="equal", bind="query-params"
        )
        typed = None
        if chosen in EQUALISED:
            typed = st.number_input(
                "At, in %", 0.0, 100.0, None, 1.0, key="equal_at", bind="query-params", width=160,
                placeholder="as all rows now",
            )  # fmt: skip
    st.caption(
        "A threshold for each group can make one rate equal, but in general not recall and false positive rate "
        "together: each group has its own ROC curve, and the curves need not meet. Whether it is fair to treat equal "
        "scores differently is not a question of statistics."
    )
    if chosen not in EQUALISED:
        return
    measure = METRICS[chosen]
    value = float(measure(groups.whole)) if typed is None else typed / 100
    if math.isnan(value):
        st.markdown(f"The {EQUALISED[chosen]} of all rows is undefined here; type the value it should have.")
        return
    analysis = EqualisedRates(groups, measure, value, _choices(groups.scores.key, chosen, value, groups))
    st.markdown(analysis.verdict)
    show_table(*analysis.changes, "groups")
    if analysis.short_verdict:
        st.markdown(analysis.short_verdict)
    if len(groups) > groups.shown:
        st.caption(f"{groups.left_out} count in the totals and are in the CSV.")
    label = "Thresholds of the groups as CSV"
    show_download(label, lambda: analysis.table, "thresholds of groups.csv", "download equality")


@st.cache_resource(max_entries=32, show_spinner="A threshold for each group …")
def _choices(key: str, measure: str, value: float, _groups: Subgroups) -> list[Choice | None]:
    return thresholds_of_groups(_groups.states.values(), METRICS[measure], value)
