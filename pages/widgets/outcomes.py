"""The four outcomes at a threshold in small: the 2×2, and the rates with their intervals as bars."""

import html

import streamlit as st

from evalcore import METRICS
from evalcore.figures.numbers import UNDEFINED, count_text, share_text

from .counted import Counted
from .escape import one_line
from .intervals import IntervalChoice

_RATES = ("recall", "precision", "specificity", "negative_predictive_value", "accuracy")


def show_outcomes(counted: Counted) -> None:
    """The 2×2 with its words."""
    positive, negative = (html.escape(one_line(name, 24)) for name in (counted.positive, counted.negative))
    cells = {key: count_text(float(getattr(counted.counts, key))) for key in ("tp", "fp", "fn", "tn")}
    boxes = {key: f'<td class="{key}"><div><b>{text}</b>{key.upper()}</div></td>' for key, text in cells.items()}
    st.html(
        '<table class="outcomes"><tr><td></td>'
        f"<th>actual {positive}</th><th>actual {negative}</th></tr>"
        f'<tr><th class="side">says {positive}</th>{boxes["tp"]}{boxes["fp"]}</tr>'
        f'<tr><th class="side">says {negative}</th>{boxes["fn"]}{boxes["tn"]}</tr></table>'
    )


def show_rates(counted: Counted, intervals: IntervalChoice) -> None:
    """The rates people ask for first, each with its interval on a line from 0 to 1."""
    lines = "".join(_line(key, counted, intervals) for key in _RATES)
    st.html(f'<table class="rates">{lines}</table>')
    st.caption(f"{100 * intervals.level:g} % intervals ({intervals.method_name}), n in grey. {counted.origin}")


def _line(key: str, counted: Counted, intervals: IntervalChoice) -> str:
    measure = METRICS[key]
    value, found = float(measure(counted.counts)), intervals.of(measure, counted.counts)
    name = measure.symbol if key == "negative_predictive_value" else measure.name.lower()
    if found is None:
        reason = html.escape(measure.undefined_when)
        return f'<tr><td>{name}</td><td colspan="3" class="grey">{UNDEFINED}: {reason}</td></tr>'
    low, high = float(found[0].low), float(found[0].high)
    bar = (
        f'<i style="left:{100 * low:.2f}%;width:{100 * (high - low):.2f}%"></i><u style="left:{100 * value:.2f}%"></u>'
    )
    words = f"{share_text(low)} to {share_text(high)}"
    return (
        f'<tr><td>{name}</td><td class="track"><div role="img" aria-label="{words}" title="{words}">{bar}</div></td>'
        f'<td><b>{share_text(value)}</b></td><td class="grey">{count_text(found[1])}</td></tr>'
    )
