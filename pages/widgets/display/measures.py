"""The measures of a 2×2 table on the page: all of them with interval, n and meaning, found by any of their names."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import analyses, wording
from evalcore.figures import HUES, ForestLine, forest_figure, pair_lines, steps_figure
from evalcore.registry import STEPS
from evalcore.wording import P_VALUES, THIN, Cell, Column, Row, count_text, linked_names, plain, short_names
from pages.widgets.controls.ranking_settings import FACE_COLUMNS, select_query, selected_query
from pages.widgets.controls.upload import choose_upload
from pages.widgets.display.figure import page_ink, show_figure, show_frame, show_table
from pages.widgets.display.page import show_samples
from pages.widgets.display.sidebar import show_drawn_again
from pages.widgets.session import address
from pages.widgets.session.current_dataset import entry
from pages.widgets.session.loaded import open_family
from pages.widgets.session.page_exit import end_page


def show_measures(confusion: analyses.Confusion) -> None:
    """All measures in a folded table with a search over every name they go by."""
    with fold_of_measures(len(confusion.measures)) as fold:
        if not fold.open:
            return
        show_found(analyses.measure_heads(confusion.intervals), confusion.rows(search_measures()), "measures")


def fold_of_measures(count: int) -> DeltaGenerator:
    """The place of the table of all measures: folded at first, unless the address searches in it."""
    st.session_state.setdefault("all measures", any(map(st.query_params.get, ("search", "search_differences"))))
    return st.expander(f"All {count} measures", key="all measures", on_change="rerun")


def search_measures(key: str = "search", words: str = "Search by any name: PPV, hit rate …", **look: Any) -> str:
    """Ask for any name of a measure; it stays in the address."""
    field = {"placeholder": words, "label_visibility": "collapsed", "key": key, "bind": "query-params"}
    return st.text_input("Search", **field, **look) or ""


def show_found(heads: Sequence[Cell | str], rows: Sequence[Row | Sequence[Cell | str]], kind: str) -> None:
    """Show the measures that were searched for in a table."""
    if rows:
        show_table(heads, rows, kind)
    else:
        st.caption("No measure has that name.")


def fold_formulas() -> DeltaGenerator:
    """The place of the formulas, folded at first."""
    # Setting some thirty formulas costs the browser more than all else on a page: only when they are asked for.
    return st.expander("Formulas with these numbers", key="formulas", on_change="rerun")


def show_formulas(analysis: Any, folded: DeltaGenerator | None = None) -> None:
    """Every formula with the numbers of an analysis in it, in Markdown, where their place is unfolded."""
    folded = folded or fold_formulas()
    if folded.open:
        folded.markdown(wording.with_parameters(analysis.formulas, address.parameters()))


def show_explained_formulas(explain: Callable[[], Sequence[tuple[str, str, str]]]) -> None:
    """Title, formula and explanation of each measure, in Markdown; worked out when their place is unfolded."""
    folded = fold_formulas()
    for title, formula, words in explain() if folded.open else ():
        folded.markdown(wording.with_parameters(title, address.parameters()))
        if formula:
            folded.markdown(formula)
        folded.caption(words)


_, *_parts = re.split(r"^# (.+)\n", Path(__file__).with_name("reading.md").read_text("utf-8"), flags=re.MULTILINE)

READINGS = dict(zip(_parts[::2], _parts[1::2], strict=True))
"""Texts by the page they explain, and the name of a further text of it."""


def show_reading(page: str, name: str = "", **numbers: str) -> None:
    """The text of a page in `reading.md`, such as "classify/confusion"; `name` is that of a further text of it.

    `numbers` fill its {placeholders}, as they stand on the screen. What follows a "## heading" unfolds under it: the
    answer under its question.
    """
    text = READINGS[f"{page} {name}".strip()].format(**HUES, **numbers)
    text = wording.with_parameters(
        linked_names(re.sub(r"(?<=\d) %", f"{THIN}%", text), open_family()), address.parameters()
    )
    body, *parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    with st.expander("How to read this", key="reading"):
        st.markdown(body)
        for heading, unfolded in zip(parts[::2], parts[1::2], strict=True):
            with st.expander(heading):
                st.markdown(unfolded)


def show_forest(lines: Sequence[ForestLine], sides: tuple[str, str], unit: str, key: str, about: str) -> None:
    """Differences with their intervals around the line of 0."""
    figure = forest_figure(lines, sides, unit, page_ink())
    listed = ", ".join(f"{line.title} {line.text}" for line in lines[:12])
    show_figure(figure, key, f"{about} with their intervals: {listed}", filename="differences")


def show_pairs(
    differences: Sequence[analyses.Difference], level: float, b: str, all_pairs: bool, margin: analyses.Margin
) -> None:
    """The difference of each pair of systems by one measure, filled where it is more than chance."""
    lines = pair_lines(differences, level, None if all_pairs else b, margin)
    noun, texts = differences[0].noun, ("first", "") if all_pairs else ("", " than A")
    sides = analyses.difference_sides([differences[0].measure], *texts)
    unit = f"{'ratio of' if differences[0].is_ratio else 'difference in'} {noun}{'' if all_pairs else ' to A'}"
    show_forest(lines, sides, unit, "forest of pairs", f"Differences in {noun} of each pair")


def show_differences_table(table: Mapping[str, Sequence]) -> None:
    """Every comparison in a table that can be sorted."""
    frame = pd.DataFrame(table).drop(columns=["test", "level", "correction"])
    for names in (["A", "B"], ["group"]):
        if set(names) <= set(table):
            short = analyses.system_titles((name for column in names for name in table[column]), 30)
            frame[names] = frame[names].map(short.get)
    four = dict.fromkeys(("value of A", "value of B", "difference", "low", "high", "statistic", "d_z"), Column(4))
    columns = {"measure": Column(first=True), **four, **dict.fromkeys(("p", "corrected p"), P_VALUES)}
    columns["n"] = Column(count_text, help="Rows or queries that are compared")
    columns["wins"] = Column(count_text, help="Queries on which B is better")
    alt = "Every comparison: both values, the difference with its interval, and its p-values"
    show_frame(frame, "comparisons", alt, columns, most=14, height=520)


def show_queries(
    rankings: analyses.Rankings, table: Mapping, columns: Mapping[str, Column], alt: str, title: str = "All queries"
) -> None:
    """A table with one row per query, in the order of `rankings.queries()`; the chosen row is the query of the page."""
    st.markdown(f"**{title}**")
    names = list(short_names(table["query"], 30).values())
    values = {name: column for name, column in table.items() if name != "query"}
    frame = pd.DataFrame({"query": names, **analyses.query_columns(rankings, list(table["query"])), **values})
    queries = rankings.queries()
    show_frame(
        frame, "table of queries", alt, FACE_COLUMNS | columns, height=420, copied=pd.DataFrame(table),
        pick=lambda row: select_query(rankings, queries[row]), chosen=queries.index(selected_query(rankings)),
    )  # fmt: skip


def end_with_one_system(current: analyses.Source, needs: str, advice: str, kinds: Sequence[str]) -> NoReturn:
    """Say that one system cannot be compared, offer what can, and end the page."""
    one = analyses.comparable_systems(current) if current.scored_by == "class" else current.systems
    with st.container(border=True):
        known = f"one: {plain(analyses.system_title(one[0]), 40)}" if one else "one"
        st.markdown(f"**Comparing needs {needs}.** {plain(current.title)}, which is open, has {known}. {advice}")
        with st.container(horizontal=True):
            show_samples(kinds, lambda sample: len(entry(sample.id).systems) > 1)
        choose_upload("offer", "Or open files of your own")
        st.page_link("pages/start/data.py", label="Choose other columns", query_params=address.parameters())
    end_page()


_STEP = "gone"


def show_curve_steps(build: Callable[[], analyses.CurveSteps], alt: str) -> None:
    """Offer to go through a curve step by step; the steps are made where somebody does."""
    # Read while it is folded too, so that the link keeps the step; a link with a step unfolds it.
    st.session_state.setdefault("step-by-step", address.number(_STEP, None, 0, analyses.MOST_STEPS) is not None)
    with st.expander(f"{STEPS}: {alt}", key="step-by-step", on_change="rerun") as folded:
        if folded.open:
            go_through(build(), alt, lambda last: int(address.number(_STEP, 1, 0, last)), partial(address.put, _STEP))


@st.fragment
def go_through(steps: analyses.CurveSteps, alt: str, read: Callable[[int], int], put: Callable[[int], object]) -> None:
    """The table and the curve as far as they are gone: `read` says how far, of the last step, and `put` keeps it."""
    last = len(steps)
    if last > (most := analyses.MOST_STEPS):
        st.caption(f"Curves of up to {most} steps can be stepped through; this one has {count_text(last)}.")
        return
    gone = read(last)
    with st.container(horizontal=True, vertical_alignment="center", key="curve-steps"):
        for label, to, words in (("Back", gone - 1, "A step back"), ("Next", gone + 1, "A step further")):
            look = {"type": "primary" if label == "Next" else "secondary", "disabled": not 0 <= to <= last}
            st.button(label, key=f"step {label}", on_click=put, args=(to,), help=words, **look)
        st.button("All", key="step all", on_click=put, args=(last,), type="tertiary")
        st.button("Start over", key="step none", on_click=put, args=(0,), type="tertiary")
    st.markdown(steps.sentences[gone - 1] if gone else "Nothing is taken yet. Press *Next*: what will the curve do?")
    table, picture = st.columns([3, 2], gap="medium")
    with picture:
        words = f"{alt} after {gone} of {last} steps"
        show_figure(steps_figure(steps, gone, page_ink()), "step curve", words, square=True)
    with table:
        rows = pd.DataFrame({name: column[:gone] for name, column in steps.table.items()}).iloc[::-1]
        rates = dict.fromkeys(("TPR", "FPR", "precision", "recall"), Column(3))
        show_frame(rows, "step table", f"The rows of the first {gone} steps, the last first", rates, 12, 440)
    show_drawn_again()
