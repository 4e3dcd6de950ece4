"""Which two distributions are compared: columns of the open table, groups of its rows, or typed bins."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from evalcore.analyses import EXAMPLE_BINS, BinChoice, Source, TwoDistributions, ways_to_compare
from evalcore.estimation import BIN_RULES, MOST_BINS
from evalcore.readers import ReadProblem, comparable_columns, group_names, grouping_columns, kinds_on, text_of
from evalcore.wording import label_text, one_line

from ...controls.bound import bound, choose_key
from ...display.empty_state import show_samples
from ...session import address
from ...session.cache import cache
from ...session.current_dataset import opened
from ...session.page_exit import UnusableData

OFFERED = ("breast_cancer", "diabetes")
"""Samples with two distributions to compare: scores of both classes, and the truth beside its estimates."""

_COUNTED_RULES = ("width", "quantiles")


@dataclass(frozen=True, eq=False)
class Chosen:
    """Two distributions, and a key of everything that makes them."""

    two: TwoDistributions
    key: tuple


def choose_distributions() -> Chosen:
    """Ask where P and Q come from; stops the page with a sentence where there are none."""
    current = opened()
    ways = ways_to_compare(current)
    if current is None:
        with st.container(key="offers", horizontal=True, vertical_alignment="center"):
            st.caption("Type two histograms below, open a sample, or open a table on the Data page.", width="content")
            show_samples(kinds_on("estimate/distributions"), lambda sample: sample.id in OFFERED)
    with st.container(key="pair-controls", horizontal=True, vertical_alignment="bottom"):
        way = choose_key("Compare", "pair", ways, width=230) if len(ways) > 1 else "typed"
        if way == "typed" or current is None:
            return _typed()
        return _of_table(current, way)


def _typed() -> Chosen:
    text = address.text("typed", EXAMPLE_BINS) or ""
    bound(
        st.text_area, "One line per bin: name; P; Q", "typed", text, height=180, width=420,
        write=lambda typed: address.put("typed", typed if typed and typed != EXAMPLE_BINS else None),
        help="Counts, shares or percentages, also pasted from a spreadsheet. A first line without numbers names P and "
        "Q. Where all names are numbers, the bins lie at these numbers.",
    )  # fmt: skip
    try:
        return Chosen(_of_text(text, text), (text,))
    except ValueError as problem:
        address.refuse("typed")
        raise UnusableData(str(problem)) from problem


def _of_table(current: Source, way: str) -> Chosen:
    columns = comparable_columns(current.dataset)
    key: tuple
    if way == "groups":
        splits = grouping_columns(current.dataset)
        by = _choose("Groups", "split", splits, _first(splits, current.roles.get("actual"), current.roles.get("group")))
        values = [name for name in columns if name != by]
        value = _choose("Values", "value", values, _first(values, current.system, current.roles.get("truth")))
        names = group_names(current.dataset, by)
        first = _choose("P", "p_group", names, _first(names, text_of(current.positive)))
        others = [name for name in names if name != first]
        second = _choose("Q", "q_group", others, others[0])
        key = (by, value, first, second)
    else:
        numbers = [name for name in columns if current.frame[name].dtype.kind in "iuf"]
        options = numbers if way == "counts" else list(columns)
        usual = _first(options, current.roles.get("truth"), *numbers) if len(numbers) > 1 else options[0]
        first = _choose("P", "p_column", options, usual)
        alike = [name for name in options if name != first and (name in numbers) == (first in numbers)]
        if not alike:
            words = f"No other column holds the same sort of values as {one_line(first, 40)}"
            raise UnusableData(f"{words}. Choose another column for P.")
        second = _choose("Q", "q_column", alike, _first(alike, current.system))
        key = (first, second)
        if way == "counts":
            labels = ["", *(name for name in map(str, current.frame.columns) if name not in key)]
            label = _choose("Names of the bins", "bin_label", labels, labels[min(len(labels) - 1, 1)]) or None
            key = (current.key, *key, label)
            return Chosen(_of_counts(key, current, first, second, label), key)
    categories = current.frame[key[1] if way == "groups" else key[0]].dtype.kind not in "iuf"
    choice = BinChoice() if categories else _choose_bins()
    key = (current.key, way, *key, repr(choice))
    try:
        if way == "groups":
            return Chosen(_of_groups(key, current, value, by, (first, second), choice), key)
        return Chosen(_of_columns(key, current, first, second, choice), key)
    except (ReadProblem, ValueError) as problem:
        raise UnusableData(str(problem)) from problem


def _choose_bins() -> BinChoice:
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


def _choose(label: str, name: str, options: Sequence[str], default: str) -> str:
    """One of some names from a file, in the address where it is not the usual one."""
    value = address.choice(name, list(options), default) or default
    return bound(
        st.selectbox, label, name, value, list(options), width=190,
        format_func=lambda option: label_text(option, 40) if option else "row number",
        write=lambda chosen: address.put(name, None if chosen == default else chosen),
    )  # fmt: skip


def _first(options: Sequence[str], *wanted: object) -> str:
    return next((name for name in wanted if isinstance(name, str) and name in options), options[0])


_of_text = cache(TwoDistributions.of_text, 64)
_of_columns = cache(TwoDistributions.of_columns, 16)
_of_groups = cache(TwoDistributions.of_groups, 16)
_of_counts = cache(TwoDistributions.of_counts, 64)
