"""The parts that comparing systems and comparing rankings share: the verdict, the forest of pairs, and their table."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import pandas as pd
import streamlit as st

from evalcore.analyses import (
    Difference,
    Margin,
    MarginResult,
    Source,
    comparable_systems,
    difference_sides,
    system_title,
    system_titles,
)
from evalcore.figures import ForestLine, forest_figure, pair_lines
from evalcore.wording import plain

from ..controls.upload import choose_upload
from ..session import address
from ..session.current_dataset import entry
from ..session.entry_links import with_links
from ..session.page_exit import end_page
from .empty_state import show_samples
from .figure import page_ink, show_figure
from .table import show_frame

_TOLD = 12
"""Differences that the description of the picture lists."""

_RULES = Path(__file__).with_name("paired_comparison.css").read_text(encoding="utf-8")


def show_comparison_style(rules: Path | None = None, positions: Sequence[int] = ()) -> None:
    """The rules for the tables of a comparison and those of its page, and the colours of systems by their places."""
    ink = page_ink()
    colours = "".join(f".system-{position} {{ --system: {ink.system(position)}; }}\n" for position in positions)
    own = "" if rules is None else rules.read_text(encoding="utf-8")
    st.html(f"<style>{colours}{_RULES}{own}</style>")


def show_verdict(verdict: str, *notes: str, margin: MarginResult | None = None) -> None:
    """The verdict in its box, after the answer to a question about a margin, and under it on what it rests."""
    with st.container(key="verdict"):
        if margin is not None:
            st.markdown(with_links(margin.verdict))
        st.markdown(with_links(verdict))
    st.caption(with_links(" ".join(filter(None, notes))))


def show_forest(lines: Sequence[ForestLine], sides: tuple[str, str], unit: str, key: str, about: str) -> None:
    """Differences with their intervals around the line of 0."""
    figure = forest_figure(lines, sides, unit, page_ink())
    listed = ", ".join(f"{line.title} {line.text}" for line in lines[:_TOLD])
    show_figure(figure, key, f"{about} with their intervals: {listed}", filename="differences")


def show_pairs(differences: Sequence[Difference], level: float, b: str, all_pairs: bool, margin: Margin) -> None:
    """The difference of each pair of systems by one measure, filled where it is more than chance."""
    lines = pair_lines(differences, level, None if all_pairs else b, margin)
    measure, noun = differences[0].measure, differences[0].noun
    sides = difference_sides([measure], "first" if all_pairs else "", "" if all_pairs else " than A")
    to = "" if all_pairs else " to A"
    what = "ratio of" if differences[0].is_ratio else "difference in"
    show_forest(lines, sides, f"{what} {noun}{to}", "forest of pairs", f"Differences in {noun} of each pair")


def show_differences_table(table: Mapping[str, Sequence]) -> None:
    """Every comparison in a table that can be sorted."""
    frame = pd.DataFrame(table).drop(columns=["test", "level", "correction"])
    for names in (["A", "B"], ["group"]):
        if set(names) <= set(table):
            short = system_titles((name for column in names for name in table[column]), 30)
            frame[names] = frame[names].map(short.get)
    number, small = (st.column_config.NumberColumn(format=digits) for digits in ("%.4f", "%.2g"))
    columns = {
        "measure": st.column_config.TextColumn("measure", pinned=True),
        **dict.fromkeys(("value of A", "value of B", "difference", "low", "high", "statistic", "d_z"), number),
        **dict.fromkeys(("p", "corrected p"), small),
        "n": st.column_config.NumberColumn("n", format="localized", help="Rows or queries that are compared"),
        "wins": st.column_config.NumberColumn("wins", help="Queries on which B is better"),
    }
    alt = "Every comparison: both values, the difference with its interval, and its p-values"
    show_frame(frame, "comparisons", alt, columns, most=14, height=520)


def end_with_one_system(current: Source, needs: str, advice: str, kinds: Sequence[str]) -> NoReturn:
    """Say that one system cannot be compared, offer what can, and end the page."""
    one = comparable_systems(current) if current.scored_by == "class" else current.systems
    with st.container(border=True):
        known = f"one: {plain(system_title(one[0]), 40)}" if one else "one"
        st.markdown(f"**Comparing needs {needs}.** {plain(current.title)}, which is open, has {known}. {advice}")
        with st.container(horizontal=True):
            show_samples(kinds, lambda sample: len(entry(sample.id).systems) > 1)
        choose_upload("offer", "Or open files of your own")
        st.page_link("pages/start/data.py", label="Choose other columns", query_params=address.parameters())
    end_page()
