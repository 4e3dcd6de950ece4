"""Two thresholds: what lies between them goes to a person, and only the rest is decided."""

import math

import numpy as np
import streamlit as st

from evalcore.analyses import NarrowestBand, ReferralBand, Scores, narrowest_band
from evalcore.classification import threshold_grid
from evalcore.figures import risk_coverage_figure, zones_figure
from evalcore.wording import UNDEFINED, count_text, share_text, threshold_text

from ...controls.bound import bound
from ...display.figure import page_ink, show_figure
from ...display.table import show_table
from ...session import address
from ...session.cache import cache
from ...session.entry_links import with_links
from ...session.loaded_scores import put_threshold
from .cost_sensitivity import DEAREST, choose_costs

_TARGETS = {"error": "few wrong decisions", "values": "trust on both sides"}
_grid = cache(threshold_grid, 24)


def show_referral_band(scores: Scores, threshold: float) -> None:
    """A second threshold, on either side of the first, the three zones, and the narrowest band that meets a target."""
    st.markdown("**What if a person reviewed the uncertain cases?**")
    second = _choose_second(scores, threshold)
    _choose_narrowest(scores, threshold, second)
    if len(scores.table) < 2:
        st.caption("There are no rows with a score.")
        return
    pictures, tables = st.container(), st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        costs = (*choose_costs("band"), _number("Cost of a referral", DEAREST, 0.1, "referral", step=None))
    analysis = ReferralBand(scores, threshold, second, *costs)
    with pictures:
        _show_pictures(analysis)
    with tables:
        zones, measures = st.columns([4, 3], gap="large")
        with zones:
            show_table(*analysis.zones)
        with measures:
            show_table(*analysis.measures)
    st.markdown(with_links(analysis.verdict))
    st.caption(
        "Referred cases count as decided correctly; add the cost of the reviewer's errors to the cost of a referral."
    )


def _show_pictures(analysis: ReferralBand) -> None:
    scores, band = analysis.scores, analysis.band
    low, high = float(band.low), float(band.high)
    left, right = st.columns([5, 3], gap="large")
    with left:
        show_figure(
            zones_figure(analysis, page_ink()),
            key="zones",
            alt=f"Scores of both classes; {count_text(float(band.referred))} rows between the thresholds "
            f"{scores.text(low)} and {scores.text(high)} are referred.",
            filename="two thresholds",
        )
    with right:
        centre, bands = analysis.curve(_grid(scores.key, scores.table))
        error = float(band.error)
        wrong = f"{UNDEFINED}, nothing is decided," if math.isnan(error) else share_text(error)
        show_figure(
            risk_coverage_figure(analysis, bands, page_ink()),
            key="risk coverage",
            alt=f"Error rate against the share decided; now {wrong} of {share_text(float(band.coverage))}.",
            filename="risk coverage",
        )
        st.caption(
            f"Bands that widen around {threshold_text(centre)}. The lower the line falls towards the left, the better "
            "the scores tell certain from uncertain cases."
        )


def _choose_second(scores: Scores, threshold: float) -> float:
    """Ask for the second threshold; without one it is the first, and no case is referred."""
    second = address.number("t2", threshold)

    def write(typed: float | None) -> None:
        address.put("t2", None if typed is None or typed == threshold else float(typed))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        bound(
            st.number_input, f"Second threshold beside {scores.text(threshold)}", "t2",
            second if math.isfinite(second) else None, None, None, None, write=write, key="second threshold",
            format="%.6g", step=None, width=240,
        )  # fmt: skip
        st.button("No band", key="no band", on_click=address.put, args=("t2", None), disabled=second == threshold)
    return second


def _choose_narrowest(scores: Scores, threshold: float, second: float) -> None:
    """Ask what has to hold for the decided rows; answer with the narrowest band and a button that takes it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = st.selectbox(
            "Narrowest band with", ["none", *_TARGETS], key="narrowest", bind="query-params", width=230,
            format_func=lambda key: _TARGETS.get(key, "–"),
        )  # fmt: skip
        if target not in _TARGETS:
            return
        if target == "error":
            aims = {"error": _number("Errors at most, %", 100.0, 1.0, "band error") / 100}
        else:
            aims = {"npv": _number("NPV at least, %", 100.0, 99.0, "band npv") / 100}
            aims["precision"] = _number("Precision at least, %", 100.0, 90.0, "band ppv") / 100
    # Only the target of errors looks at the threshold; all others share an answer.
    narrowest = _narrowest(scores.key, threshold if target == "error" else math.nan, aims, scores)
    if narrowest.band is None:
        st.markdown(with_links(narrowest.verdict))
        return
    low, high = float(narrowest.band.low), float(narrowest.band.high)
    rows = scores.table.rows
    there = np.array_equal(rows([low, high]), rows(sorted((threshold, second))))
    words, button = st.columns([5, 1], vertical_alignment="center")
    words.markdown(with_links(narrowest.verdict))
    button.button("Use this", key="take band", on_click=_put_band, args=(low, high), disabled=there, width="stretch")


def _put_band(low: float, high: float) -> None:
    put_threshold(low)
    address.put("t2", None if low == high else high)


def _number(label: str, most: float, start: float, key: str, step: float | None = 0.5) -> float:
    value = st.number_input(
        label, 0.0, most, start, step, format="%.6g", key=key, bind="query-params", width=160
    )  # fmt: skip
    return start if math.isnan(value) else value  # the address may say so


@st.cache_data(max_entries=128, show_spinner="Trying every pair of thresholds …")
def _narrowest(key: str, threshold: float, aims: dict[str, float], _scores: Scores) -> NarrowestBand:
    return narrowest_band(_scores, threshold, **aims)
