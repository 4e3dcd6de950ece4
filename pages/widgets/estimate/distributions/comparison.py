"""How far apart two distributions are: the bins with what each adds, all measures, and what they rest on."""

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from evalcore.analyses import DistanceParts, DistanceSettings, DistributionComparison, TwoDistributions, distance_names
from evalcore.figures import bins_figure, by_bins_figure, by_smoothing_figure, transport_figure

from ...controls.bound import choose_key, segmented
from ...controls.intervals import choose_level
from ...display.figure import page_ink, show_figure
from ...display.table import show_frame, show_table
from ...session.cache import cache
from ...session.entry_links import with_links
from .smoothing import choose_smoothing, smoothing
from .source import Chosen

_comparison = cache(lambda *parts: DistributionComparison(*parts), 64)
_draws = cache(lambda: {}, 16)  # of the same distributions for all settings


def choose_comparison(chosen: Chosen) -> DistributionComparison:
    """The comparison by the measure, unit, smoothing and level that are asked for."""
    with st.container(key="settings", horizontal=True, vertical_alignment="bottom"):
        settings = choose_distances(chosen.two)
    with st.spinner("Resampling …"):
        comparison = _comparison((chosen.key, settings), chosen.two, settings, _draws(chosen.key))
        _ = comparison.estimates
    return comparison


def choose_distances(two: TwoDistributions, level: float | None = None, base: float | None = None) -> DistanceSettings:
    """Ask for the measure and the smoothing, and for the level and the base of logarithms unless they are known."""
    usual, names = DistanceSettings(), distance_names()
    measure = choose_key("Measure", "distance", {usual.measure: names[usual.measure]} | names, width=330)
    if base is None:
        unit = segmented("Logarithm", ["nats", "bits"], "unit", help="nats: natural logarithm; bits: base 2")
        base = 2.0 if unit == "bits" else math.e
    settings = DistanceSettings(measure, base, smoothing())
    with st.container(width=300):
        choose_smoothing(DistanceParts(DistributionComparison(two, settings)))
    return replace(settings, level=level or choose_level(width=110))


def show_bins(comparison: DistributionComparison) -> None:
    """The bins of both, and what each adds to the measure."""
    two, colours = comparison.two, page_ink()
    figure = bins_figure(
        comparison.pair, two.names, two.bins, two.edges if two.is_number else None, comparison.terms,
        comparison.terms_title, colours,
    )  # fmt: skip
    show_figure(figure, key="bins", alt=f"Shares of both distributions in {len(two.bins)} bins, and what each bin adds")
    st.caption(" ".join(filter(None, [comparison.terms_note, two.facts])))


def show_distances(comparison: DistributionComparison) -> None:
    """Every measure with its interval and what chance gives."""
    show_table(comparison.heads, comparison.rows, "averages distances")
    if comparison.estimates:
        st.caption(
            "Bootstrap intervals, corrected for the upward bias of distances between samples. By chance: two samples "
            "of one distribution would stay below this. p: how often they would reach the value."
        )


def show_parts(comparison: DistributionComparison) -> None:
    """The mass carried, the number of bins, the smoothing, and the table of bins."""
    parts = {"Carry the mass": _show_plan, "How many bins": _show_by_bins, "Smoothing": _show_smoothing}
    parts["Bins"] = _show_bin_table
    if not (comparison.two.samples is not None and comparison.two.is_number):
        del parts["How many bins"]
    tabs = st.tabs(list(parts), key="distribution_part", on_change="rerun", bind="query-params")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show(DistanceParts(comparison))


def _show_plan(parts: DistanceParts) -> None:
    two = parts.comparison.two
    edges = two.edges if two.is_number else None
    figure = transport_figure(parts.comparison.pair, parts.plan, two.names, two.bins, edges, page_ink())
    show_figure(figure, key="transport", alt=f"How the mass of P is carried to Q at the least cost. {parts.plan_note}")
    st.caption(with_links(parts.plan_note))


def _show_by_bins(parts: DistanceParts) -> None:
    comparison, measure = parts.comparison, parts.comparison.measure
    exact = None if comparison.state_of(measure.key) is comparison.pair else comparison.value(measure)
    now = len(comparison.two.bins), float(measure(comparison.pair))
    figure = by_bins_figure(parts.by_bins, now, exact, f"{measure.symbol}{comparison.unit}", page_ink())
    show_figure(figure, key="by-bins", alt="The measure by the number of bins")
    st.caption(with_links(parts.by_bins_note))


def _show_smoothing(parts: DistanceParts) -> None:
    comparison = parts.comparison
    constants, curves = parts.by_smoothing
    title = comparison.unit.strip() or "value"
    figure = by_smoothing_figure(constants, curves, comparison.settings.smoothing, title, page_ink())
    show_figure(figure, key="by-smoothing", alt="Divergences by the constant added to each bin")
    st.caption(comparison.infinite or "No bin of one distribution is empty in the other, so no divergence is ∞.")


def _show_bin_table(parts: DistanceParts) -> None:
    table = pd.DataFrame(dict(parts.comparison.bin_table))
    number = st.column_config.NumberColumn
    columns = {name: number(format="percent") for name in ("share of P", "share of Q")}
    columns[parts.comparison.terms_title] = number(format="%.4f")
    show_frame(table, "bin-table", "Counts and shares of the bins, and what each adds", columns)
