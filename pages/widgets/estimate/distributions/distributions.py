"""How far apart two distributions are: the bins with what each adds, all measures, and what they rest on."""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from evalcore import analyses
from evalcore.estimation import BIN_RULES, MOST_BINS
from evalcore.figures import bins_figure, by_bins_figure, by_smoothing_figure, transport_figure
from evalcore.readers import kinds_on
from evalcore.registry import measures_of
from evalcore.wording import Column, label_text, number_text, share_text
from pages.widgets.controls.fields import bound, choose, choose_base, choose_key
from pages.widgets.controls.intervals import choose_level
from pages.widgets.display.figure import ELEMENT, component, page_ink, show_figure, show_frame, show_table
from pages.widgets.display.measures import fold_of_measures
from pages.widgets.display.page import controls, show_closed, show_folds, show_samples, statistics
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, opened
from pages.widgets.session.loaded import with_links
from pages.widgets.session.page_exit import usable

OFFERED = ("digit_confidence", "breast_cancer", "diabetes")
"""Samples with two distributions: scores of two sources, scores of two classes, and the truth beside its estimates."""


class Chosen(NamedTuple):
    """Two distributions, a key of everything that makes them, and how they are made of a data set."""

    two: analyses.TwoDistributions
    key: tuple
    recipe: tuple  # a constructor of `TwoDistributions` by name, and what it takes after the data set


def choose_distributions() -> Chosen:
    """Ask where P and Q come from; stops the page with a sentence where there are none."""
    current = opened()
    ways = analyses.ways_to_compare(current)
    if current is not None and len(ways) > 1:
        with st.popover("P, Q and bins", icon=":material/tune:"):
            way = choose_key("Compare", "pair", ways)
            if way != "typed":
                make, *parts = analyses.chosen_columns(current, way, choose_name, partial(_choose_bins, current))
                return _made(make, current, *parts)
    return _typed()


def _typed() -> Chosen:
    text = address.text("typed", analyses.EXAMPLE_BINS) or ""
    bound(
        st.text_area, "One line per bin: name; P; Q", "typed", text, height=180, width=420,
        write=lambda typed: address.put("typed", typed if typed and typed != analyses.EXAMPLE_BINS else None),
        help="Counts, shares or percentages, also pasted from a spreadsheet. A first line without numbers names P and "
        "Q. Where all names are numbers, the bins lie at these numbers.",
    )  # fmt: skip
    return _made("of_text", text)


def _made(make: str, *parts: Any) -> Chosen:
    """What a constructor of `TwoDistributions` makes, kept: of a data set and settings, or of a text."""
    source, settings = (parts[0].key, parts[1:]) if isinstance(parts[0], analyses.Source) else ("", parts)
    key = make, source, repr(settings)
    with usable(), st.spinner("Counting …"):
        return Chosen(_MADE[make](key, *parts), key, (make, *settings))


def _choose_bins(current: analyses.Source, column: str) -> analyses.BinChoice:
    if current.frame[column].dtype.kind not in "iuf":
        return analyses.BinChoice()
    rule = choose_key("Bins", "bin_rule", BIN_RULES)
    if rule == "hand":
        edges = address.text("bin_edges", "0 0.25 0.5 0.75 1") or ""
        bound(
            st.text_input, "Edges", "bin_edges", edges,
            help="Increasing, separated by blanks; values beyond them go into the first and the last bin.",
        )  # fmt: skip
        return analyses.BinChoice(rule, edges=edges)
    if rule not in ("width", "quantiles"):
        return analyses.BinChoice(rule)
    bins = int(address.number("bin_number", analyses.BinChoice.bins, 1, MOST_BINS))
    bound(st.number_input, "How many", "bin_number", bins, min_value=1, max_value=MOST_BINS)
    return analyses.BinChoice(rule, bins)


def choose_name(label: str, name: str, options: Sequence[str], *wanted: object) -> str:
    """One of some names from a file, in the address where it is not the first of those wanted that there is."""
    start = analyses.usual_choice(label, name, options, *wanted)
    write = lambda chosen: address.put(name, None if chosen == start else chosen)  # noqa: E731
    words = lambda option: label_text(option, 40) if option else "row number"  # noqa: E731
    return choose(label, name, list(options), start, write=write, format_func=words)


_MADE = {
    name: cache(getattr(analyses.TwoDistributions, name), most)
    for name, most in {"of_text": 64, "of_columns": 16, "of_groups": 16, "of_counts": 64}.items()
}

KEY = "smoothing"
_COMPONENT = component("smoothing", __file__, ELEMENT, "smoothing.js")
_STEPS = [f"{constant:g}" for constant in analyses.SMOOTHING]


def smoothing() -> float:
    """The constant of the address; 0 where there is none."""
    return float(address.choice(KEY, _STEPS, _STEPS[0]) or 0)


def choose_smoothing(parts: analyses.DistanceParts) -> None:
    """Ask for the constant; its values are those of the two distributions with each constant that can be chosen."""
    values = {symbol: list(map(number_text, values.tolist())) for symbol, values in parts.by_smoothing[1].items()}
    _COMPONENT(KEY, {"steps": _STEPS, "at": analyses.SMOOTHING.index(smoothing()), "values": values}, step=_put)


def _put(step: object) -> None:
    if isinstance(step, (int, float)) and 0 <= step < len(_STEPS):
        address.put(KEY, _STEPS[int(step)] if step else None)


_comparison = cache(lambda *parts: analyses.DistributionComparison(*parts), 64)
_draws = cache(lambda: {}, 16)  # of the same distributions for all settings


def choose_comparison() -> analyses.DistributionComparison:
    """The comparison of what is asked for; where nothing is open, samples are offered too."""
    current = opened()
    if current is None:
        show_closed()
        with st.container(key="offers", horizontal=True, vertical_alignment="center"):
            st.caption("Type two histograms, or open a sample or a table.", width="content")
            show_samples(kinds_on("estimate/distributions"), lambda sample: sample.id in OFFERED)
    elif current.dataset.is_counted and "groups" not in analyses.ways_to_compare(current):
        st.caption("The open table was counted in cells, too coarse for its distributions. Type histograms:")
    with controls():
        chosen = choose_distributions()
        settings = choose_distances(chosen.two)
    with st.spinner("Resampling …"):
        comparison = _comparison((chosen.key, settings), chosen.two, settings, _draws(chosen.key))
        _ = comparison.estimates
    return comparison


def choose_distances(
    two: analyses.TwoDistributions, level: float | None = None, base: float | None = None
) -> analyses.DistanceSettings:
    """Ask for the measure, and under *Statistics* for level and base; a report knows its level, and smooths here."""
    usual, names = analyses.DistanceSettings(), {one.key: one.name for one in measures_of("distributions")}
    measure = choose_key("Measure", "distance", {usual.measure: names[usual.measure]} | names, width=330)
    with nullcontext() if level else statistics():
        base = choose_base("Logarithm") if base is None else base
        settings = analyses.DistanceSettings(measure, base, smoothing(), level or choose_level())
    if level:
        with st.container(width=300):
            choose_smoothing(analyses.DistanceParts(analyses.DistributionComparison(two, settings)))
    return settings


def show_bins(comparison: analyses.DistributionComparison) -> None:
    """The bins of both, and what each adds to the measure; beside them the main measures."""
    two, constant = comparison.two, comparison.settings.smoothing
    picture, numbers = st.columns(2, gap="large")
    with picture:
        alt = f"Shares of both distributions in {len(two.bins)} bins, and what each bin adds"
        show_figure(bins_figure(comparison, page_ink()), key="bins", alt=alt)
        smooth = f"{constant:g} is added to each bin." if constant else ""
        st.caption(" ".join(filter(None, [comparison.terms_note, two.facts, smooth])))
    with numbers:
        show_table(comparison.heads[:4], comparison.main, "averages distances")


def show_distances(comparison: analyses.DistributionComparison) -> None:
    """Every measure with its interval and what chance gives, folded."""
    with fold_of_measures(len(comparison.measures)) as fold:
        if fold.open:
            show_table(comparison.heads, comparison.rows, "averages distances")
            st.caption(_OF_SAMPLES if comparison.estimates else comparison.two.facts)


_OF_SAMPLES = (
    "Samples lie farther apart than their distributions, so the lower bound of the bootstrap interval is the smallest "
    "distance compatible with these samples; the upper bound is not corrected. By chance and p: all rows are "
    "assigned to P and Q at random, 1 000 times; rows that belong together stay together."
)


def show_parts(comparison: analyses.DistributionComparison) -> None:
    """The mass carried, the number of bins, the smoothing, and the table of bins."""
    parts = {"Transport plan": _show_plan, "Smoothing": _show_smoothing, "Bins": _show_bin_table}
    if comparison.two.samples is not None and comparison.two.is_number:
        parts["How many bins"] = _show_by_bins
    show_folds("estimate/distributions", parts, analyses.DistanceParts(comparison))


def _show_plan(parts: analyses.DistanceParts) -> None:
    alt = f"The cheapest way to move the mass of P to Q. {parts.plan_note}"
    show_figure(transport_figure(parts, page_ink()), key="transport", alt=alt)
    st.caption(with_links(parts.plan_note))


def _show_by_bins(parts: analyses.DistanceParts) -> None:
    show_figure(by_bins_figure(parts, page_ink()), key="by-bins", alt="The measure by the number of bins")
    st.caption(with_links(parts.by_bins_note))


def _show_smoothing(parts: analyses.DistanceParts) -> None:
    choose_smoothing(parts)
    alt = "Divergences by the constant added to each bin"
    show_figure(by_smoothing_figure(parts, page_ink()), key="by-smoothing", alt=alt)
    st.caption(parts.comparison.infinite or "No bin is empty in one distribution alone, so no divergence is ∞.")


def _show_bin_table(parts: analyses.DistanceParts) -> None:
    table = pd.DataFrame(dict(parts.comparison.bin_table))
    columns = dict.fromkeys(("share of P", "share of Q"), Column(share_text))
    columns[parts.comparison.terms_title] = Column(4)
    show_frame(table, "bin-table", "Counts and shares of the bins, and what each adds", columns)
