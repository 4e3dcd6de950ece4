"""Groups: the same threshold in each group of rows, its rates with intervals, and what equal rates would cost."""

import math

import streamlit as st

from evalcore import METRICS, MetricDef, analyses
from evalcore.classification import ScoredLabels
from evalcore.figures import groups_figure
from evalcore.inference import IntervalChoice
from evalcore.readers import ReadProblem
from evalcore.wording import one_line, plain, value_text
from pages.widgets.classify.threshold.pins import show_compared
from pages.widgets.controls.fields import beside, number, select
from pages.widgets.controls.roles import area_of
from pages.widgets.display.drawer import opened_group, show_drawer
from pages.widgets.display.figure import page_ink, show_figure, show_table
from pages.widgets.export.downloads import show_download
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links

# A second copy of the scores, sorted by group: few are kept, for all sessions together.
_states = cache(analyses.group_states, 4, "Sorting the groups …")
_areas = cache(analyses.areas_of_groups, 32, "Areas of the groups …")
_choices = cache(analyses.thresholds_of_groups, 32, "A threshold for each group …")


def show_subgroups(
    scores: analyses.Scores, threshold: float, intervals: IntervalChoice,
    promise: analyses.ThresholdPromise | None = None,
) -> None:  # fmt: skip
    """The rates of each group at the one threshold, what a promise leaves open, and what equal rates would cost."""
    groups = _groups(scores, threshold, intervals)
    if groups is None:
        return
    verdict = st.container()
    with beside():
        options = {key: METRICS[key].name for key in ("recall", *analyses.GROUP_RATES)}
        measure = METRICS[select("Rate", options, "group_rate", width=220)]
        show_download("Groups as CSV", lambda: groups.table, "groups.csv", "download groups")
    if found := groups.verdict(measure):
        verdict.markdown(with_links(found))
    _show_rate(measure, groups)
    changes = lambda pin: pin.group_changes(groups, _states_at(pin))  # noqa: E731
    show_compared(scores, analyses.group_rates(groups), changes, 3, "groups")
    st.caption(with_links(groups.note))
    place = opened_group(scores.current.roles.get("group"), groups.names[: groups.shown])
    show_drawer(None if place is None else groups.selection(place), threshold)
    if promise is not None:
        st.markdown(promise.groups_text(threshold, groups.names, groups.counts))
    _show_equalised_rates(groups)


def _groups(scores: analyses.Scores, threshold: float, intervals: IntervalChoice) -> analyses.Subgroups | None:
    """The groups, or None where there are none to compare, which is sentence."""
    label, group = "Choose another column as the group", scores.current.roles.group
    sentence = "No row has a label, a score and a group."
    try:
        if states := {} if group is None else _states(scores.key, scores):
            areas = _areas((scores.key, intervals.level, intervals.area), states, intervals)
            return analyses.Subgroups(scores, threshold, intervals, states, areas, area_of(scores, intervals))
    except ReadProblem as problem:
        sentence = plain(problem, limit=400)
    if group is None:
        sentence = "This needs a column that names the group of each row, such as sex, age band or site."
        label = "Choose a column as the group"
    st.markdown(sentence)
    st.page_link("pages/start/data.py", query_params=address.parameters(), label=label)
    return None


def _states_at(pin: analyses.Pinned) -> dict[str, ScoredLabels]:
    try:
        return _states(pin.scores.key, pin.scores)
    except ReadProblem:
        return {}


def _show_rate(measure: MetricDef, groups: analyses.Subgroups) -> None:
    """One rate of every group as a picture, and beside it how it differs from the rest."""
    picture, table = st.columns([5, 4], gap="large", vertical_alignment="top")
    with table:
        changes = lambda pin: pin.rest_changes(groups, _states_at(pin), measure)  # noqa: E731
        show_compared(groups.scores, analyses.group_differences(groups, measure), changes, 1, "groups")
        st.caption(with_links(groups.difference_note(measure)))
    with picture:
        st.caption("● differs from the rest beyond chance · ○ could be due to chance · grey: too few rows")
        values = zip(groups.names, groups.rate(measure, 8)[0].estimate.tolist(), strict=False)
        listed = ", ".join(f"{one_line(name, 20)} {value_text(measure, value)}" for name, value in values)
        alt = f"{measure.name} of each group with its interval: {listed}."
        show_figure(groups_figure(groups, measure, page_ink()), key="groups", alt=alt, filename="groups")
    if few := groups.few_verdict(measure):
        st.markdown(few)


def _show_equalised_rates(groups: analyses.Subgroups) -> None:
    """Ask which rate is to be equal, and show the threshold of each group and what it would cost."""
    st.markdown("**What would equal rates cost?**")
    rates = analyses.EQUALISED
    with beside():
        look = {"format_func": rates.get, "key": "equal", "bind": "query-params"}
        chosen, typed = st.segmented_control("Make equal in every group", rates, **look), None
        if chosen in rates:
            typed = number("At, in %", "equal_at", 0.0, 100.0, None, 1.0, width=160, placeholder="the rate of all rows")
    st.caption(
        "A threshold for each group can make one rate equal, but in general not recall and false positive rate "
        "together: each group has its own ROC curve, and the curves need not meet. Whether it is fair to treat equal "
        "scores differently is not a question of statistics."
    )
    if chosen not in rates:
        return
    measure = METRICS[chosen]
    value = float(measure(groups.whole)) if typed is None else typed / 100
    if math.isnan(value):
        st.markdown(f"The {rates[chosen]} of all rows is undefined here; type the value it should have.")
        return
    thresholds = _choices((groups.scores.key, chosen, value), groups.states.values(), measure, value)
    analysis = analyses.EqualisedRates(groups, measure, value, thresholds)
    st.markdown(with_links(analysis.verdict))
    show_table(*analysis.changes, "groups")
    if analysis.short_verdict:
        st.markdown(with_links(analysis.short_verdict))
    if len(groups) > groups.shown:
        st.caption(f"{groups.left_out} count in the totals and are in the CSV.")
    label = "Thresholds of the groups as CSV"
    show_download(label, lambda: analysis.table, "thresholds of groups.csv", "download equality")
