"""Two thresholds: what lies between them goes to a person, and only the rest is decided."""

import html
import math

import numpy as np
import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.analyses import Scores
from evalcore.classification import (
    ConfusionCounts,
    Referral,
    ThresholdTable,
    cost,
    nested_bands,
    refer,
    threshold_grid,
    zone_bins,
)
from evalcore.figures import risk_coverage_figure, zones_figure
from evalcore.wording import (
    THIN,
    UNDEFINED,
    count_text,
    number_text,
    one_line,
    plain,
    share_text,
    threshold_text,
    value_text,
)

from ...display.figure import page_ink, show_figure
from ...session import address
from .costs import DEAREST, choose_costs
from .narrowest_band import choose_band

_SECOND = "second threshold"
_MEASURES = ("error_rate", "recall", "precision", "specificity", "negative_predictive_value")


def show_referral_band(scores: Scores, threshold: float) -> None:
    """A second threshold, the three zones, and the narrowest band that keeps a promise.

    Parameters
    ----------
    scores : Scores
    threshold : float
        The second one stands in the address as ``t2`` and may lie on either side of it.
    """
    st.markdown("**What if doubtful cases went to a person, and only the clear ones were decided by score?**")
    second = _choose_second(scores, threshold)
    choose_band(scores, threshold)
    if not len(scores.table.thresholds[1:]):
        st.caption("There are no rows with a score.")
        return
    left, right = sorted((threshold, second))
    band, alone = refer(scores.table, left, right), refer(scores.table, threshold, threshold)
    zones, curve = st.columns([5, 3], gap="large")
    with zones:
        show_figure(
            zones_figure(
                zone_bins(scores.scored, left, right), (left, right), (scores.positive, scores.negative), page_ink()
            ),
            key="zones",
            alt=f"Scores of both classes; {count_text(float(band.referred))} rows between the thresholds "
            f"{scores.text(left)} and {scores.text(right)} are referred.",
            filename="two thresholds",
        )
    with curve:
        _show_curve(scores, threshold, second, band, alone)
    table, words = st.columns(2, gap="large")
    with table:
        _show_zones(scores, band, (left, right))
    with words:
        _show_measures(band, alone)
    _show_cost(scores, band, alone, threshold)


def _choose_second(scores: Scores, threshold: float) -> float:
    """Ask for the second threshold; without one it is the first, and nobody is referred."""
    second = address.number("t2", threshold)
    st.session_state[_SECOND] = second if math.isfinite(second) else None

    def typed() -> None:
        value = st.session_state[_SECOND]
        address.put("t2", None if value is None or value == threshold else float(value))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            f"Second threshold beside {scores.text(threshold)}",
            key=_SECOND,
            value=None,
            format="%.6g",
            step=None,
            on_change=typed,
            width=240,
        )
        st.button("No band", key="no band", on_click=address.put, args=("t2", None), disabled=second == threshold)
    return second


def _show_curve(scores: Scores, threshold: float, second: float, band: Referral, alone: Referral) -> None:
    middle = threshold / 2 + second / 2
    centre = middle if math.isfinite(middle) else threshold
    bands = nested_bands(_grid_with(scores, centre), centre)
    show_figure(
        risk_coverage_figure(bands, band, alone, page_ink()),
        key="risk coverage",
        alt=f"Share of wrong decisions against the share decided; now {_share_or_reason(float(band.error))} of "
        f"{share_text(float(band.coverage))}.",
        filename="risk coverage",
    )
    st.caption(
        f"Bands that widen around {threshold_text(centre)}: the lower the line towards the left, the "
        "better the score knows what it doesn't know."
    )


def _grid_with(scores: Scores, centre: float) -> ThresholdTable:
    """Thresholds that stand for all, and the one that the bands lie around."""
    grid = _grid(f"{scores.current.key}\n{scores.system}", _scores=scores)
    row = float(scores.table.thresholds[scores.table.index(centre)])
    thresholds = np.unique(np.append(grid.thresholds, row))[::-1]
    return grid if len(thresholds) == len(grid) else ThresholdTable(thresholds, scores.scored.counts_at(thresholds))


@st.cache_resource(max_entries=24, show_spinner=False)
def _grid(key: str, _scores: Scores) -> ThresholdTable:
    return threshold_grid(_scores.table)


def _show_zones(scores: Scores, band: Referral, edges: tuple[float, float]) -> None:
    """The counts in the three zones."""
    decided = band.decided
    left, right = (scores.text(edge) for edge in edges)
    positive, negative = (html.escape(one_line(name, 24)) for name in (scores.positive, scores.negative))
    up, down = (f"≥ {right}", f"&lt; {left}") if scores.higher else (f"≤ {left}", f"&gt; {right}")
    total = float(decided.total + band.referred)
    rows = (
        (f"says {positive}", up, decided.tp, decided.fp),
        ("to a person", "between", band.positives, band.negatives),
        (f"says {negative}", down, decided.fn, decided.tn),
    )
    lines = "".join(
        f'<tr><td>{name} <span class="names">{where}</span></td><td>{count_text(float(actual))}</td>'
        f"<td>{count_text(float(other))}</td><td><b>{count_text(float(actual + other))}</b></td>"
        f"<td>{_of_a_thousand(float(actual + other), total)}</td></tr>"
        for name, where, actual, other in rows
    )
    st.html(
        f'<table class="averages"><tr><th></th><th>actual {positive}</th><th>actual {negative}</th><th>rows</th>'
        f"<th>of 1{THIN}000</th></tr>{lines}</table>"
    )


def _of_a_thousand(rows: float, total: float) -> str:
    if not total:
        return UNDEFINED
    return number_text(1000 * rows / total) if rows else "0"


def _show_measures(band: Referral, alone: Referral) -> None:
    """What is decided, measured, beside one threshold that decides everything."""
    lines = "".join(
        f"<tr><td>{METRICS[key].name.lower()}</td><td><b>{_value(METRICS[key], band.decided)}</b></td>"
        f"<td>{_value(METRICS[key], alone.decided)}</td></tr>"
        for key in _MEASURES
    )
    st.html(
        '<table class="averages"><tr><th></th><th>of what is decided</th><th>one threshold</th></tr>'
        f"<tr><td>decided</td><td><b>{share_text(float(band.coverage))}</b></td>"
        f"<td>{share_text(float(alone.coverage))}</td></tr>{lines}</table>"
    )


def _value(measure: MetricDef, counts: ConfusionCounts) -> str:
    value = float(measure(counts))
    if value == value:
        return value_text(measure, value)
    return f'<span class="undefined" title="{html.escape(measure.undefined_when)}">{UNDEFINED}</span>'


def _show_cost(scores: Scores, band: Referral, alone: Referral, threshold: float) -> None:
    """What a band costs with a price for a referral, and up to which price it pays."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        miss, alarm = choose_costs("band")
        price = st.number_input(
            "A referral", 0.0, DEAREST, 0.1, format="%.6g", key="referral", bind="query-params", step=None, width=120
        )
    price = price if price == price else 0.0
    total = float(alone.decided.total)
    wrong, wrong_alone = (
        float(cost(found.decided, fn_cost=miss, fp_cost=alarm) * found.decided.total) if found.decided.total else 0.0
        for found in (band, alone)
    )
    referred = float(band.referred)
    with_band, without = (
        1000 * paid / total if total else math.nan for paid in (wrong + price * referred, wrong_alone)
    )
    if not referred:
        st.markdown(f"1{THIN}000 cases cost **{number_text(without)}**; nobody is referred.")
        return
    words = (
        f"1{THIN}000 cases cost **{number_text(with_band)}** with the band and **{number_text(without)}** at "
        f"{scores.text(threshold)} alone."
    )
    words += (
        f" The band pays while a referral costs less than **{number_text((wrong_alone - wrong) / referred)}**."
        if wrong_alone > wrong
        else " Nothing wrong is taken out by this band, so it pays at no price."
    )
    st.markdown(words)
    st.caption(
        f"A person is taken to decide rightly whether a case is {plain(scores.positive, 30)}; where that costs errors "
        "of its own, put them into the price of a referral."
    )


def _share_or_reason(share: float) -> str:
    return share_text(share) if share == share else f"{UNDEFINED}, nothing is decided,"
