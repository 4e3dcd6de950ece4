"""What is drawn over and behind the curves, and which result can be trusted; all of it stays in the address."""

import streamlit as st

from evalcore import METRICS, measures_of
from evalcore.analyses import BANDS, NO_CONTOURS, PRECISION_LINES, CurveOverlays, Scores

from ...controls.bound import segmented
from ...controls.requirements import choose_requirements, choose_share
from ...display.table import link_measures
from ...session.loaded_scores import put_threshold

_FIRST = ("accuracy", "f_beta", "matthews_correlation", "cost", "precision", "negative_predictive_value")
_ASKED = {
    "beta": ("Beta", 0.0, 1000.0, 1.0, 0.5, "contour_beta"),
    "probability": ("Risk to act from", 0.0, 0.99, 0.5, 0.05, "contour_risk"),
    "fn_cost": ("Cost of a miss", -1e9, 1e9, 1.0, None, "contour_miss"),
    "fp_cost": ("Cost of a false alarm", -1e9, 1e9, 1.0, None, "contour_alarm"),
    "tp_cost": ("Cost of a hit", -1e9, 1e9, 0.0, None, "contour_hit"),
    "tn_cost": ("Cost of a correct rejection", -1e9, 1e9, 0.0, None, "contour_dismissal"),
}
"""Label, limits, start, step and key of what a measure of the contours is asked with."""


def choose_overlays() -> CurveOverlays:
    """Ask how the curves are drawn."""
    with st.container(key="look", horizontal=True, vertical_alignment="bottom"):
        line = segmented("Precision is drawn", PRECISION_LINES, "precision")
        band = segmented("Band", BANDS, "band")
        hull = st.toggle(
            "Convex hull", key="hull", bind="query-params",
            help="Its corners are the thresholds that are best at some costs of errors",
        )  # fmt: skip
        coloured = st.toggle("Colour by threshold", key="coloured", bind="query-params")
        with st.popover("Behind the curves", icon=":material/layers:"):
            corners = st.toggle("Names of the corners", key="corners", bind="query-params")
            contours, arguments = _choose_contours()
            requirements = choose_requirements()
            share = choose_share()
    return CurveOverlays(line, band, hull, coloured, corners, contours, arguments, share, requirements)


def show_requirements(scores: Scores, overlays: CurveOverlays) -> None:
    """For each requirement the threshold that meets it and keeps the most, and a button that goes there."""
    for index, requirement in enumerate(overlays.requirements):
        threshold, sentence = requirement.best_threshold(scores, overlays.share)
        with st.container(key=f"trusted {index}", horizontal=True, vertical_alignment="center"):
            st.markdown(sentence, width="content")
            if threshold is not None:
                st.button(
                    "Use this threshold", key=f"cut for trust {index}", on_click=put_threshold, args=(threshold,),
                    type="tertiary",
                )  # fmt: skip


def _choose_contours() -> tuple[str, tuple[tuple[str, float], ...]]:
    drawable = [measure.key for measure in measures_of("counts") if measure.key != "prevalence"]
    options = (NO_CONTOURS, *_FIRST, *(key for key in METRICS if key in drawable and key not in _FIRST))
    chosen = st.selectbox(
        "Contours: lines of equal", options, key="contours", bind="query-params",
        format_func=lambda key: "nothing" if key == NO_CONTOURS else METRICS[key].name,
    )  # fmt: skip
    if chosen not in options or chosen == NO_CONTOURS:
        return NO_CONTOURS, ()
    link_measures([METRICS[chosen].name])
    arguments = {}
    for name, (label, low, high, start, step, key) in _ASKED.items():
        if name in METRICS[chosen].takes:
            arguments[name] = st.number_input(label, low, high, start, step, key=key, bind="query-params")
    try:
        METRICS[chosen].with_params(**arguments)
    except ValueError:  # an address may hold anything
        return chosen, ()
    return chosen, tuple(arguments.items())
