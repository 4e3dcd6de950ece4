"""How sure a threshold is: where resamples would have put it, how many are as good, what it is worth on other rows."""

import html

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.analyses import Scores, ThresholdChoice
from evalcore.classification import Goal
from evalcore.figures import certainty_figure
from evalcore.inference import ChoiceBootstrap
from evalcore.wording import THIN, count_text, number_text, plain, share_text, threshold_text, value_text

from ...display.figure import page_ink, show_figure
from ...export.downloads import csv_of
from ...session import address
from .resamples import (
    FEWEST,
    LARGEST_SEED,
    MOST,
    Spread,
    bands_at,
    bands_of,
    certainty_of,
    resampled_of,
    schemes_of,
    span,
    spread_in,
    spread_of,
)

__all__ = ("bands_of", "show_certainty", "spread_of")

_MEASURES = ("recall", "precision", "specificity", "negative_predictive_value", "accuracy", "f_beta")
_LEVEL = 0.95
_FEW_GROUPS = 10


def show_certainty(threshold: float, chosen: ThresholdChoice) -> None:
    """The choice in resamples: its picture, what it says in words, and the measures of the present threshold."""
    scores = chosen.scores
    _choose_resamples(scores)
    found = certainty_of(chosen)
    spread = spread_in(scores, found)
    if spread is None:
        st.markdown(f"{found.reason}{_drawn_from(scores, found)}")
        _show_measures(scores, threshold)
        return
    picture, values = st.columns([5, 3], gap="large")
    with picture:
        st.markdown(f"**{spread.words.capitalize()}**{_most_frequent(spread)}")
        best = chosen.choice.threshold
        show_figure(
            certainty_figure(
                spread.thresholds, spread.shares, (spread.low, spread.high), spread.plateau, best, page_ink()
            ),
            key="certainty",
            alt=f"How often each threshold is chosen: {spread.words}. {_plateau(spread)}",
            filename="certainty",
        )
        st.markdown(_plateau(spread))
        st.caption(_drawn_from(scores, found).strip())
        st.download_button(
            "Choices as CSV", lambda: csv_of(_choices(spread, found)), "choices.csv", "text/csv",
            key="download choices", on_click="ignore",
        )  # fmt: skip
    with values:
        _show_value(found)
        _show_measures(scores, threshold)


def _choose_resamples(scores: Scores) -> None:
    how = resampled_of(scores)
    group = scores.current.roles.group
    words = {"rows": "rows", "classes": "rows of each class", "groups": f"groups by {plain(group or '', 30)}"}
    with st.container(key="resampling", horizontal=True, vertical_alignment="bottom"):
        _own("resample", how.scheme)
        st.segmented_control(
            "Draw",
            schemes_of(scores),
            format_func=words.get,
            key="own resample",
            required=True,
            on_change=_keep,
            args=("resample",),
            help="Rows of any class: the number of positives varies, as it would. Rows of each class: it stays. Whole "
            "groups: for rows that belong together, such as all of one patient.",
        )
        # Not of whole numbers: Streamlit cannot turn an infinity in the address into one.
        for key, label, value, ends in (
            ("resamples", "Resamples", how.resamples, (FEWEST, MOST)),
            ("seed", "Seed", how.seed, (0, LARGEST_SEED)),
        ):
            _own(key, float(value))
            st.number_input(
                label, float(ends[0]), float(ends[1]), step=500.0 if key == "resamples" else 1.0, format="%.0f",
                key=f"own {key}", on_change=_keep, args=(key,), width=130,
            )  # fmt: skip


def _own(key: str, value: object) -> None:
    """A widget that shows what the address holds: the surface above reads it before the widget is there."""
    st.session_state[f"own {key}"] = value


def _keep(key: str) -> None:
    value = st.session_state[f"own {key}"]
    address.put(key, round(value) if isinstance(value, float) else value)


def _most_frequent(spread: Spread) -> str:
    place = int(spread.shares.argmax())
    often = f"{threshold_text(float(f'{spread.thresholds[place]:.4g}'))} ({share_text(float(spread.shares[place]))})"
    return f", most often {often}." if (spread.shares > 0).sum() > 1 else "."


def _plateau(spread: Spread) -> str:
    # From the lowest to the highest threshold of each range, both of them in it.
    change = np.flatnonzero(np.diff(np.concatenate([[False], spread.good, [False]]).astype(np.int8)))
    ends = zip(spread.thresholds[change[::2]].tolist(), spread.thresholds[change[1::2] - 1].tolist(), strict=True)
    ranges = [span(low, high) for low, high in ends]
    listed = ", ".join(ranges[:4]) + (f" and {count_text(len(ranges) - 4)} more ranges" if len(ranges) > 4 else "")
    return f"As good, within one standard error: {listed}."


def _drawn_from(scores: Scores, found: ChoiceBootstrap) -> str:
    """What was drawn, how often, and what became of it."""
    resampling = found.resampling
    made = count_text(resampling.resamples)
    if resampling.clusters is not None:
        drawn = f"{count_text(resampling.rows)} groups by {plain(scores.current.roles.group or '', 30)}"
    else:
        drawn = f"{count_text(resampling.rows)} rows" + (", as many of each class" if resampling.stratified else "")
    parts = [f" {made} resamples of {drawn}, seed {resampling.seed}."]
    if resampling.clusters is not None and resampling.rows < _FEW_GROUPS:
        parts.append("So few groups show little of how others would differ.")
    if resampled_of(scores).resamples > resampling.resamples:
        parts.append("There are so many groups that fewer resamples were drawn.")
    if scores.scored.positive_weights is not None and resampling.clusters is None:
        parts.append("Sums of weights are taken as rows, rounded.")
    if found.unmet:
        parts.append(f"In {count_text(found.unmet)} of them no threshold meets the limits.")
    if found.undefined:
        parts.append(f"In {count_text(found.undefined)} of them the goal is undefined.")
    if found.goal.limits and not found.reason:
        parts.append(
            f"The limits also hold in this sample at {share_text(found.limits_kept)} of the choices made in resamples."
        )
    return " ".join(parts)


def _show_value(found: ChoiceBootstrap) -> None:
    """The value in the sample beside what is to be expected on other rows."""
    if found.reason:
        st.markdown(found.reason)
        return
    optimism = _value(found.goal, abs(found.optimism))
    side = "" if optimism == _value(found.goal, 0.0) else " too low" if found.optimism < 0 else " too high"
    lines = (
        ("in this sample", _value(found.goal, found.value)),
        ("on other rows, about", _value(found.goal, found.out_of_sample)),
        ("optimism", f"{optimism}{side}"),
    )
    name = html.escape(found.goal.name)
    rows = "".join(f"<tr><td>{label}</td><td>{value}</td></tr>" for label, value in lines)
    st.html(f'<table class="averages"><tr><th>{name}</th><th></th></tr>{rows}</table>')
    st.caption("A threshold looks better on the rows that chose it; the optimism is how much, on average.")


def _value(goal: Goal, value: float) -> str:
    if isinstance(goal.measure, MetricDef):
        return value_text(goal.measure, value)
    return number_text(value)


def _show_measures(scores: Scores, threshold: float) -> None:
    counts = scores.counts_at(threshold)
    bands = bands_at(scores, threshold, _MEASURES, _LEVEL)
    rows = []
    for key in _MEASURES:
        measure = METRICS[key]
        low, high = (value_text(measure, end) for end in bands[key])
        name = measure.label if measure.params or key == "negative_predictive_value" else measure.name.lower()
        band = f"{low} – {high}" if bands[key][0] == bands[key][0] else "undefined in most resamples"
        value = value_text(measure, float(measure(counts)))
        rows.append(f"<tr><td>{name}</td><td>{value}</td><td>{band}</td></tr>")
    head = f"<tr><th>at {scores.text(threshold)}</th><th></th><th>{100 * _LEVEL:g}{THIN}% of resamples</th></tr>"
    st.html(f'<table class="averages">{head}{"".join(rows)}</table>')


def _choices(spread: Spread, found: ChoiceBootstrap) -> pd.DataFrame:
    """Every threshold with how often it is chosen and whether it is as good as the best."""
    chose = int((found.rows >= 0).sum())
    return pd.DataFrame(
        {
            "threshold": spread.thresholds,
            "resamples": (spread.shares * chose).round().astype(int),
            "share": spread.shares,
            "as good as the best": spread.good,
            "seed": found.resampling.seed,
        }
    )
