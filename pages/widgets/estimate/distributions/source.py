"""Which two distributions are compared: columns of the open table, groups of its rows, or typed bins."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from evalcore.analyses import EXAMPLE_BINS, BinChoice, Source, TwoDistributions, column_options, ways_to_compare
from evalcore.estimation import BIN_RULES, MOST_BINS
from evalcore.readers import ReadProblem, comparable_columns, group_names, grouping_columns, kinds_on, text_of
from evalcore.wording import label_text, one_line

from ...controls.bound import bound, choose_key
from ...display.empty_state import show_closed, show_samples
from ...session import address
from ...session.cache import cache
from ...session.current_dataset import opened
from ...session.page_exit import UnusableData

OFFERED = ("digit_confidence", "breast_cancer", "diabetes")
"""Samples with two distributions: scores of two sources, scores of two classes, and the truth beside its estimates."""

_COUNTED_RULES = ("width", "quantiles")


class Chosen(NamedTuple):
    """Two distributions, a key of everything that makes them, and how they are made of a data set."""

    two: TwoDistributions
    key: tuple
    recipe: tuple  # a constructor of `TwoDistributions` by name, and what it takes after the data set


def choose_distributions() -> Chosen:
    """Ask where P and Q come from; stops the page with a sentence where there are none."""
    current = opened()
    ways = ways_to_compare(current)
    if current is None:
        show_closed()
        with st.container(key="offers", horizontal=True, vertical_alignment="center"):
            st.caption("Type two histograms below, open a sample, or open a table on the Data page.", width="content")
            show_samples(kinds_on("estimate/distributions"), lambda sample: sample.id in OFFERED)
    elif current.dataset.is_counted and "groups" not in ways:
        st.caption("The open table was counted in cells, which do not tell its distributions closely. Type histograms:")
    controls = st.container(key="pair-controls", horizontal=True, vertical_alignment="bottom")
    with controls:
        way = choose_key("Compare", "pair", ways, width=230) if len(ways) > 1 else "typed"
        if way == "typed" or current is None:
            return _typed()
        if way == "groups":
            return _groups_of(current)
        return _columns_of(current, way)


def _typed() -> Chosen:
    text = address.text("typed", EXAMPLE_BINS) or ""
    bound(
        st.text_area, "One line per bin: name; P; Q", "typed", text, height=180, width=420,
        write=lambda typed: address.put("typed", typed if typed and typed != EXAMPLE_BINS else None),
        help="Counts, shares or percentages, also pasted from a spreadsheet. A first line without numbers names P and "
        "Q. Where all names are numbers, the bins lie at these numbers.",
    )  # fmt: skip
    return _usable((text,), "of_text", text)


def _groups_of(current: Source) -> Chosen:
    columns, splits = comparable_columns(current.dataset), grouping_columns(current.dataset)
    by = _choose("Groups", "split", splits, current.roles.get("actual"), current.roles.get("group"))
    values = [name for name in columns if name != by]
    value = _choose("Values", "value", values, current.system, current.roles.get("truth"))
    names = group_names(current.dataset, by)
    first = _choose("P", "p_group", names, text_of(current.positive))
    second = _choose("Q", "q_group", [name for name in names if name != first])
    choice = _choose_bins(current, value)
    key = (current.key, by, value, first, second, repr(choice))
    with st.spinner("Counting …"):
        return _usable(key, "of_groups", current, value, by, (first, second), choice)


def _columns_of(current: Source, way: str) -> Chosen:
    options = column_options(current, way)
    first = _choose("P", "p_column", options, current.roles.get("truth"), current.roles.get("actual"))
    alike = [name for name in column_options(current, way, first) if name != first]
    if not alike:
        words = f"No other column holds the same sort of values as {one_line(first, 40)}"
        raise UnusableData(f"{words}. Choose another column for P.")
    second = _choose("Q", "q_column", alike, current.system)
    if way == "counts":
        labels = ["", *(name for name in map(str, current.frame.columns) if name not in (first, second))]
        label = _choose("Names of the bins", "bin_label", labels, labels[min(len(labels) - 1, 1)]) or None
        key = (current.key, first, second, label)
        return _usable(key, "of_counts", current, first, second, label)
    choice = _choose_bins(current, first)
    key = (current.key, first, second, repr(choice))
    with st.spinner("Counting …"):
        return _usable(key, "of_columns", current, first, second, choice)


def _usable(key: tuple, make: str, *parts: object) -> Chosen:
    try:
        recipe = make, *(part for part in parts if not isinstance(part, Source))
        return Chosen(_MADE[make](key, *parts), key, recipe)
    except (ReadProblem, ValueError) as problem:
        raise UnusableData(str(problem)) from problem


def _choose_bins(current: Source, column: str) -> BinChoice:
    if current.frame[column].dtype.kind not in "iuf":
        return BinChoice()
    rule = choose_key("Bins", "bin_rule", BIN_RULES, width=170)
    usual = BinChoice()
    if rule == "hand":
        edges = address.text("bin_edges", "0 0.25 0.5 0.75 1") or ""
        bound(
            st.text_input, "Edges", "bin_edges", edges, width=220,
            help="Ascending, with blanks between them; what lies beyond them is in the first and the last bin.",
        )  # fmt: skip
        return BinChoice(rule, edges=edges)
    if rule not in _COUNTED_RULES:
        return BinChoice(rule)
    bins = int(address.number("bin_number", usual.bins, 1, MOST_BINS) or usual.bins)
    bound(st.number_input, "How many", "bin_number", bins, min_value=1, max_value=MOST_BINS, width=120)
    return BinChoice(rule, bins)


def _choose(label: str, name: str, options: Sequence[str], *wanted: object) -> str:
    """One of some names from a file, in the address where it is not the first of those wanted that there is."""
    default = next((option for option in wanted if isinstance(option, str) and option in options), options[0])
    value = address.choice(name, list(options), default) or default
    return bound(
        st.selectbox, label, name, value, list(options), width=190,
        format_func=lambda option: label_text(option, 40) if option else "row number",
        write=lambda chosen: address.put(name, None if chosen == default else chosen),
    )  # fmt: skip


_MADE = {
    name: cache(getattr(TwoDistributions, name), most)
    for name, most in {"of_text": 64, "of_columns": 16, "of_groups": 16, "of_counts": 64}.items()
}
