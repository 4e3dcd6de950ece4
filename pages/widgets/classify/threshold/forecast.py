"""Next month: what so many new cases will bring at this threshold, where the positive class may be rarer."""

import html

import streamlit as st

from evalcore import METRICS
from evalcore.analyses import NamedCounts, Scores
from evalcore.classification import ConfusionCounts, at_prevalence, cost
from evalcore.inference import Forecast, Interval, forecast
from evalcore.wording import UNDEFINED, count_text, number_text, plain, share_text

from .cost_sensitivity import EVERYBODY, NOBODY, cheapest_of, show_step, threshold_names
from .costs import choose_costs, choose_prevalence

HOURS = {"day": 8, "week": 40, "month": 160}
"""What one person works in a period."""

_MOST = 1e12
_ROWS = (
    ("alarms", "alarms", "hits and false alarms"),
    ("tp", "hits", "TP"),
    ("fp", "false alarms", "FP"),
    ("fn", "misses", "FN"),
    ("tn", "dismissals", "TN"),
)


def show_next_month(scores: Scores, threshold: float, counted: NamedCounts) -> None:
    """Expected counts, their ranges, the work and the cost of a coming period, and the threshold best for it.

    Parameters
    ----------
    scores : Scores
    threshold : float
    counted : NamedCounts
        The counts at it, with the words for the two classes.
    """
    st.markdown("**What will this threshold bring where it is put to use?**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        volume = st.number_input(
            "New cases", 0.0, _MOST, 10_000.0, 100.0, format="%.0f", key="volume", bind="query-params", width=150
        )
        period = st.selectbox("a", list(HOURS), key="per", bind="query-params", width=110)
        share = choose_prevalence("month", scores)
        minutes = st.number_input(
            "Minutes an alarm", 0.0, 1e6, 5.0, 1.0, format="%.6g", key="minutes", bind="query-params", width=140
        )
        miss, alarm = choose_costs("month")
    period, volume, minutes = period if period in HOURS else "day", _sane(volume), _sane(minutes)
    cells = tuple(float(getattr(counted.counts, cell)) for cell in ("tp", "fp", "fn", "tn"))
    coming = _forecast(cells, volume, share)
    table, words = st.columns([5, 3], gap="large")
    with table:
        _show_counts(coming, counted)
    with words:
        _show_work(coming, minutes, period)
        _show_cost(coming, miss, alarm, period)
        _show_best(scores, threshold, counted, miss / alarm, share)


@st.cache_data(max_entries=256, show_spinner=False)
def _forecast(cells: tuple[float, ...], volume: float, share: float) -> Forecast:
    return forecast(ConfusionCounts(*cells), volume, share)


def _sane(number: float) -> float:
    """A number of the address that is none counts as nothing."""
    return number if number == number else 0.0


def _show_counts(coming: Forecast, counted: NamedCounts) -> None:
    lines = "".join(
        f'<tr><td>{word} <span class="names">{html.escape(note)}</span></td>'
        f"<td><b>{_text(float(coming.by_chance[key].estimate))}</b></td>"
        f"<td>{_range(coming.by_chance[key])}</td><td>{_range(coming.with_rates[key])}</td></tr>"
        for key, word, note in _ROWS
    )
    st.html(
        '<table class="averages"><tr><th></th><th>expected</th><th>95 % by chance</th><th>and unsure rates</th></tr>'
        f"{lines}</table>"
    )
    reasons = [
        f"There are no {plain(name, 30)} rows, so {rate} is unknown and what follows from it undefined."
        for rows, name, rate in (
            (counted.counts.actual_positives, counted.positive, "recall"),
            (counted.counts.actual_negatives, counted.negative, "the false positive rate"),
        )
        if not rows
    ]
    st.caption(
        " ".join(reasons)
        or "*By chance*: where one period may fall if recall and false positive rate are exactly those of the sample. "
        "*And unsure rates*: the same with both only as well known as the sample allows. In neither is that the "
        "prevalence may be another, or the cases of another kind."
    )


def _show_work(coming: Forecast, minutes: float, period: str) -> None:
    alarms = float(coming.expected.predicted_positives)
    hours = alarms * minutes / 60
    ppv, npv = (METRICS[key] for key in ("precision", "negative_predictive_value"))
    with st.container(horizontal=True):
        st.metric(f"alarms a {period}", _text(alarms), width="content")
        st.metric("hours", number_text(hours), width="content")
        st.metric("people", number_text(hours / HOURS[period]), width="content")
    with st.container(horizontal=True):
        for name, measure in (("PPV", ppv), ("NPV", npv)):
            st.metric(name, share_text(float(measure(coming.expected))), width="content")
    missing = [m for m in (ppv, npv) if float(m(coming.expected)) != float(m(coming.expected))]
    why = "".join(f" {m.symbol} is {UNDEFINED}: {m.undefined_when}." for m in missing)
    st.caption(f"A person works {HOURS[period]} hours a {period}.{why}")


def _show_cost(coming: Forecast, miss: float, alarm: float, period: str) -> None:
    total = float(cost(coming.expected, fn_cost=miss, fp_cost=alarm) * coming.expected.total)
    cases = count_text(round(float(coming.expected.total))) if total == total else ""
    st.markdown(
        f"Misses and false alarms cost **{number_text(total)}** a {period}" + (f" of {cases} cases." if cases else ".")
    )


def _show_best(scores: Scores, threshold: float, counted: NamedCounts, ratio: float, share: float) -> None:
    """Which threshold costs the least there, and how much less than the one in use."""
    try:
        cheapest = cheapest_of(scores)
    except ValueError:
        return
    place = int(cheapest.place(ratio, share))
    name = threshold_names(scores, cheapest)[place]
    now, best = (
        float(cost(at_prevalence(counts, share), fn_cost=ratio)) for counts in (counted.counts, cheapest.counts[place])
    )
    said = f"calling {name} positive" if name in (NOBODY, EVERYBODY) else name
    if now - best <= 1e-12 * max(now, 1e-300):
        st.markdown("No other threshold costs less there.")
        return
    st.markdown(f"The cheapest threshold there is **{said}**: it costs {share_text(1 - best / now)} less.")
    show_step(scores, threshold, place, cheapest, key="cheapest there")


def _text(count: float) -> str:
    """An expected count: to a tenth while it is small, whole when it is large."""
    return UNDEFINED if count != count else number_text(count) if count < 1000 else count_text(round(count))


def _range(interval: Interval) -> str:
    low, high = float(interval.low), float(interval.high)
    return UNDEFINED if low != low else f"{count_text(low)} to {count_text(high)}"
