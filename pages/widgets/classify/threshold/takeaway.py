"""Taking the threshold and the decision away: as text for a report, as JSON, as Python that asserts it, as tables."""

from pathlib import PurePath

import streamlit as st

from evalcore.analyses import DecisionRecord, NamedCounts, Scores, ThresholdChoice, analyse_confusion, threshold_columns
from evalcore.inference import IntervalChoice
from evalcore.wording import count_text

from ...controls.direction import area_of
from ...export.downloads import PICTURES, show_download

MOST = 1_000_000
"""Thresholds of a table to take away; of more, so many spread evenly."""


def show_takeaway(
    scores: Scores,
    threshold: float,
    counted: NamedCounts,
    intervals: IntervalChoice,
    chosen: ThresholdChoice | None = None,
) -> None:
    """Everything to take away of a threshold and of the goal it was chosen for, each to be copied or saved."""
    decision = DecisionRecord(scores, threshold, intervals, chosen, area_of(scores, intervals.level))
    name, json = _file_stem(scores.current.dataset.name), decision.json
    report, data, python, tables = st.tabs(["Text", "JSON", "Python", "Tables"])
    with report:
        st.code(decision.text, language=None, wrap_lines=True)
        show_download("Text as a file", decision.text + "\n", f"{name} threshold.txt", "download text")
    with data:
        st.code(json, language="json", height=min(24 * len(json.splitlines()), 420))
        show_download("JSON as a file", json + "\n", f"{name} threshold.json", "download json")
    with python:
        st.caption("Run it where evalcore is installed, with the file beside it; every assertion holds.")
        st.code(decision.code, height=420)
        show_download("Python as a file", decision.code, f"{name} threshold.py", "download code")
    with tables, st.container(horizontal=True):
        numbers = analyse_confusion(counted, intervals)
        show_download("Numbers as CSV", lambda: numbers.table, f"{name} numbers.csv", "download table")
        distinct = len(scores.table)
        which = "Every threshold" if distinct <= MOST else f"{count_text(MOST)} of {count_text(distinct)} thresholds"
        columns = lambda: threshold_columns(scores, threshold, MOST)  # noqa: E731
        show_download(f"{which} as CSV", columns, f"{name} thresholds.csv", "download thresholds")
    st.caption(PICTURES)


def _file_stem(name: str) -> str:
    """What files made of a data set are called: its name, with only what every file system takes."""
    safe = "".join(c if c.isalnum() or c in "-_" else " " for c in PurePath(name).stem)
    return " ".join(safe.split())[:60].strip() or "data"
