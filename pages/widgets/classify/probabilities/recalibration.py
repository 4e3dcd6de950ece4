"""Recalibration on the page: reliability and losses before and after, and the new probabilities to take away."""

import streamlit as st

from evalcore import analyses
from evalcore.analyses import SCALINGS
from evalcore.figures import mapping_figure, reliability_figure
from evalcore.inference import Recalibration, recalibrated_table
from evalcore.wording import count_text, level_text, number_text, one_line, plain, visible_blanks
from pages.widgets.controls.fields import beside, bound, number, segmented
from pages.widgets.display.figure import page_ink, show_figure, show_table
from pages.widgets.export.downloads import Table, show_download
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links

_METHODS = {"Platt": "platt", "isotonic": "isotonic"}
_MOST_FOLDS = 20
_MOST_CURVES = 12

_ABOUT = (
    "*Curve as Python* calibrates new rows and needs only NumPy. *Curve as CSV* holds its points: all corners of an "
    f"isotonic curve, {count_text(1001)} of a Platt curve."
)

_fitted = cache(recalibrated_table, 8, "Recalibrating …")
_effect = cache(analyses.RecalibrationEffect.of, 16, "Resampling …")


def show_recalibration(calibration: analyses.Calibration) -> None:
    """Reliability and losses before and after, the curve between them, and the new probabilities to take away."""
    probabilities, settings = calibration.probabilities, calibration.losses.settings
    if probabilities.scaled:
        _show_scaled(probabilities, probabilities.scaled)
        return
    method, folds = _choose_recalibration()
    fit = method, folds, settings.seed
    try:
        fitted = _fitted((probabilities.key, *fit), probabilities.table, *fit)
    except ValueError as problem:
        st.info(plain(problem, limit=400), icon=":material/info:")
        return
    key = probabilities.key, *fit, settings, calibration.reliability.binning
    effect = _effect(key, calibration, fitted)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Reliability before and after**")
        before, after = effect.before.reliability, effect.after.reliability
        show_figure(
            reliability_figure({"as predicted": before, "recalibrated": after}, page_ink()),
            key="recalibrated reliability",
            alt="Reliability before and after recalibration: calibration error "
            f"{number_text(before.error)} before and {number_text(after.error)} after",
            filename="recalibrated",
        )
    with right:
        st.markdown("**What each probability becomes**")
        _show_curves(effect)
    show_table(["", "before", "after", "change", f"{level_text(settings.level)} interval"], effect.rows)
    st.markdown(with_links(effect.verdict))
    st.caption(with_links(effect.notes(folds)))
    label, file = "Recalibrated probabilities as CSV", "recalibrated.csv"
    _show_files(label, lambda: effect.table, file, analyses.CalibrationMapping.of(effect))


def _choose_recalibration() -> tuple[str, int]:
    with beside("recalibrating"):
        about = (
            "Platt scaling fits a logistic curve: it keeps the order of the rows and works with few. Isotonic "
            "regression fits any non-decreasing curve: it creates ties and needs many rows."
        )
        method = segmented("Curve", list(_METHODS), "recalibrate", help=about)
        folds = number("Folds", "folds", 2.0, float(_MOST_FOLDS), 5.0, 1.0, "%.0f", width=120)
    return _METHODS[method], round(folds)


def _show_scaled(probabilities: analyses.ProbabilitySource, scaled: Recalibration) -> None:
    """The curve that turned scores into probabilities."""
    left, right = st.columns(2, gap="large")
    ends = float(scaled.before.probability.min()), float(scaled.before.probability.max())
    low, high = (f"{number_text(float(scaled.curve([end])[0]))} at {number_text(end)}" for end in ends)
    with left:
        show_figure(
            mapping_figure([("", scaled.curve)], ends, page_ink(), f"score, {probabilities.source.system}"),
            key="mapping",
            alt=f"What each score becomes, from {low} to {high}",
        )
    with right:
        st.markdown(
            f"These probabilities already come from {SCALINGS[scaled.method]}. The curve in the picture is fitted on "
            "all rows: use that one for new rows. The results on this page are cross-validated."
        )
        other = "platt" if scaled.method == "isotonic" else "isotonic"
        st.button(
            f"Use {analyses.SCALINGS[other]} instead", on_click=address.put, args=("made", other), key="other curve"
        )
        file = "probabilities of scores.csv"
        mapping = analyses.CalibrationMapping.of_scores(probabilities, scaled)
        _show_files("Probabilities as CSV", lambda: probabilities.columns, file, mapping)


def _show_files(label: str, table: Table, file: str, mapping: analyses.CalibrationMapping) -> None:
    """The new probabilities, and the curve that makes them, to take away."""
    with st.container(horizontal=True):
        show_download(label, table, file, "download recalibrated")
        show_download("Curve as CSV", lambda: mapping.table, "recalibration curve.csv", "download curve")
        show_download("Curve as Python", lambda: mapping.code, "recalibration.py", "download curve code")
    st.caption(_ABOUT)


def _show_curves(effect: analyses.RecalibrationEffect) -> None:
    curves = effect.curves
    show_figure(
        mapping_figure(curves[:_MOST_CURVES], (0.0, 1.0), page_ink(), "predicted probability"),
        key="mapping",
        alt=f"What each probability becomes: {effect.description}",
    )
    if len(curves) > _MOST_CURVES:
        st.caption(f"The first {_MOST_CURVES} of {count_text(len(curves))} classes are drawn.")
    elif effect.log_odds:
        st.caption(effect.log_odds)


KEY = "class_costs"


def show_class_costs(calibration: analyses.Calibration) -> None:
    """Ask what an error costs, and show what the cheapest decisions by expected cost save."""
    probabilities = calibration.probabilities.whole
    classes = len(probabilities.table.classes)
    if classes > analyses.MOST_COST_CLASSES:
        st.markdown(f"Costs can be set for up to {analyses.MOST_COST_CLASSES} classes; here are {classes}.")
        return
    written = address.text(KEY)
    changed = analyses.read_costs(written, classes)
    if changed is None:
        address.refuse(KEY)
    analysis = analyses.ClassCosts(probabilities, changed or {})
    _ask(analysis)
    st.markdown(with_links(analysis.verdict))
    costs, ways = st.columns([3, 2], gap="large")
    with costs:
        st.markdown("**Costs** :small[:gray[0 for a correct decision and 1 for an error, unless set]]")
        show_table(*analysis.cost_rows)
    with ways:
        st.markdown("**Ways to decide**")
        show_table(*analysis.rows)
    st.caption("The cheapest decision has the lowest expected cost per row; this needs calibrated probabilities.")
    with st.container(horizontal=True):
        show_download("Decisions as CSV", lambda: analysis.table, "decisions.csv", "download decisions")
        show_download("Python", lambda: analysis.code, "costs.py", "download costs code")


def _ask(analysis: analyses.ClassCosts) -> None:
    names = [one_line(visible_blanks(name), 30) for name in analysis.names]
    places = range(len(names))
    with beside():
        actual, decision = (
            st.selectbox(label, places, index=start, format_func=names.__getitem__, key=key, width=200)
            for label, start, key in (("Actual class", 0, "cost actual"), ("Decided as", 1, "cost decision"))
        )

        def put(cost: float) -> None:
            address.put(KEY, analyses.written_costs({**analysis.changed, (actual, decision): cost}))

        bound(
            st.number_input, "Costs", KEY, float(analysis.costs[actual, decision]), -1e9, 1e9, None, 1.0,
            format="%g", write=put, width=150,
        )  # fmt: skip
        if analysis.changed:
            st.button("All errors cost 1", on_click=address.put, args=(KEY, None), type="tertiary")
