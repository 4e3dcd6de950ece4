"""Where two systems disagree: the 2×2 table of McNemar, and the rows themselves."""

import html

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.inference import EXACT_BELOW, Comparison, bowker, mcnemar_of_counts
from evalcore.wording import count_text, number_text, p_text, plain

from ...export.downloads import show_rows_download
from .comparison import Contest, of_class, word

SHOWN = 500
"""Rows in the table on the page; the file has all."""

FILTERS = {
    "b": "B right, A wrong",
    "a": "A right, B wrong",
    "differ": "A and B differ",
    "neither": "both wrong",
    "both": "both right",
}
_AMONG = ("all", "positive", "negative")


def choose_among(contest: Contest) -> str:
    """Among which rows disagreements are counted: all, or those of one actual class."""
    if contest.target is None:
        return "all"
    words = {"all": "all rows", "positive": plain(contest.positive, 20), "negative": plain(contest.negative, 20)}
    chosen = st.segmented_control(
        "Among",
        _AMONG,
        default="all",
        format_func=words.get,
        key="among",
        bind="query-params",
        required=True,
        label_visibility="collapsed",
    )
    return chosen if chosen in _AMONG else "all"


def disagreement_test(contest: Contest, among: str) -> tuple[tuple[float, float, float, float], Comparison]:
    """Rows that both, only A, only B and neither has right, and the test of McNemar."""
    actual = {"all": None, "positive": True, "negative": False}[among]
    whole = contest.target is None
    counts = contest.paired_classes.right().right() if whole else contest.paired.right(actual)
    return counts, mcnemar_of_counts(*counts, contest.level)


def show_disagreements(contest: Contest) -> str:
    """The 2×2 table of who is right, with its test; returns among which rows."""
    st.markdown("**Who is right?** :small[:gray[rows where only one is decide]]")
    among = choose_among(contest)
    (both, only_a, only_b, neither), test = disagreement_test(contest, among)
    a, b = (html.escape(word(system, 24)) for system in (contest.a, contest.b))
    st.html(
        '<table class="disagreements">'
        f"<tr><th></th><th>B right<small>{b}</small></th><th>B wrong</th></tr>"
        f"<tr><th>A right<small>{a}</small></th>{_cell(both)}{_cell(only_a, 'only A')}</tr>"
        f"<tr><th>A wrong</th>{_cell(only_b, 'only B')}{_cell(neither)}</tr></table>"
    )
    st.caption(_test_words(test, only_a, only_b))
    if contest.target is None:
        st.caption(_traded(contest))
    return among


def show_rows_between(contest: Contest, among: str) -> None:
    """The rows of one kind of disagreement, with all their columns, and a file of them."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Rows where", list(FILTERS), format_func=FILTERS.get, key="between", bind="query-params", width=200
        )
        chosen = chosen if chosen in FILTERS else "b"
        numbers = rows_between(contest, among, chosen)
        words = {"positive": contest.positive, "negative": contest.negative}
        among_them = f" among the {of_class(words[among])}" if among in words else ""
        st.markdown(
            f"**{count_text(len(numbers))}** of {count_text(len(contest.rows.rows))} rows: {FILTERS[chosen]}"
            f"{among_them}.",
            width="stretch",
        )
        if len(numbers):
            show_rows_download(lambda: _frame(contest, numbers))
    if not len(numbers):
        st.caption("There is no such row.")
        return
    st.dataframe(
        _frame(contest, numbers[:SHOWN]),
        hide_index=True,
        key="rows between",
        height="content" if len(numbers) <= 10 else 380,
        alt=f"The rows where {FILTERS[chosen]}",
        column_config={"row": st.column_config.NumberColumn("row", pinned=True, format="localized", width=70)},
    )
    if len(numbers) > SHOWN:
        st.caption(f"The first {count_text(SHOWN)} of {count_text(len(numbers))}; the file has all.")


def rows_between(contest: Contest, among: str, chosen: str) -> np.ndarray:
    """Numbers of the rows of one kind of disagreement, counted from 0."""
    rows, actual = contest.rows, contest.rows.actual
    answers = rows.said
    if contest.target is not None:
        place = rows.classes.index(contest.target)
        actual, answers = actual == place, [said == place for said in answers]
    right_a, right_b = (said == actual for said in answers[:2])
    wanted = {
        "a": lambda: right_a & ~right_b,
        "b": lambda: right_b & ~right_a,
        "differ": lambda: answers[0] != answers[1],
        "neither": lambda: ~right_a & ~right_b,
        "both": lambda: right_a & right_b,
    }[chosen]()
    if contest.target is not None and among != "all":
        wanted = wanted & (actual if among == "positive" else ~actual)
    return rows.rows[wanted]


def _frame(contest: Contest, numbers: np.ndarray) -> pd.DataFrame:
    """Rows of the open table with their numbers, counted from 1."""
    rows = contest.current.frame.iloc[numbers]
    column = "row" if "row" not in rows.columns else "row of the file"
    return pd.concat([pd.Series(numbers + 1, index=rows.index, name=column), rows], axis=1)


def _cell(count: float, only: str = "") -> str:
    mark = f"<small>{html.escape(only)}</small>" if only else ""
    return f'<td class="{"only" if only else ""}"><b>{count_text(count)}</b>{mark}</td>'


def _test_words(test: Comparison, only_a: float, only_b: float) -> str:
    if test.p_value != test.p_value:
        return "There is no such row, so nothing to test."
    if not only_a + only_b:
        return "They are right on the same rows: p = 1."
    exact = f", fewer than {EXACT_BELOW} such rows" if only_a + only_b < EXACT_BELOW else ""
    statistic = "" if exact else f"χ² = {number_text(test.statistic)}, "
    return (
        f"{count_text(only_a)} against {count_text(only_b)} of {count_text(test.n)} rows. {test.method}{exact}: "
        f"{statistic}**{p_text(test.p_value)}**."
    )


def _traded(contest: Contest) -> str:
    found = bowker(contest.paired_classes.answers())
    if not found.degrees:
        return "The two name the same class for every row."
    return (
        f"McNemar–Bowker: do they trade classes evenly? χ² = {number_text(found.statistic)} with {found.degrees} "
        f"degrees of freedom, **{p_text(found.p_value)}**. A small p says that they name some classes unequally often, "
        "not which of them is right."
    )
