"""Taking the threshold and the decision away: as text for a report, as JSON, as Python that asserts it, as tables."""

from pathlib import PurePath

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import METRICS
from evalcore.analyses import NamedCounts, Scores, analyse_confusion
from evalcore.inference import IntervalChoice
from evalcore.wording import count_text

from ...export.decision_record import NO_PURPOSE, Purpose, json_of, record_of
from ...export.downloads import PICTURES, csv_of
from ...export.scripts import purpose_code
from .report import text_of_record

MOST = 1_000_000
"""Thresholds of a table to take away; of more, so many spread evenly."""

_RATES = ("recall", "fall_out", "precision", "negative_predictive_value", "accuracy")


def show_takeaway(
    scores: Scores, threshold: float, counted: NamedCounts, intervals: IntervalChoice, purpose: Purpose = NO_PURPOSE
) -> None:
    """Everything to take away of a threshold, each to be copied or saved.

    Parameters
    ----------
    scores : Scores
    threshold : float
    counted : NamedCounts
        The counts at that threshold.
    intervals : IntervalChoice
        Method and level of the page.
    purpose : Purpose
        What the threshold is for, and what the goal's own answer is.
    """
    record = record_of(scores, threshold, counted, intervals, purpose)
    text = text_of_record(record, scores, threshold, purpose)
    written = json_of(record)
    code = purpose_code(scores, threshold, record, intervals, purpose)
    name = file_stem(scores)
    report, data, python, tables = st.tabs(["Text", "JSON", "Python", "Tables"])
    with report:
        st.code(text, language=None, wrap_lines=True)
        _save("Text as a file", text + "\n", f"{name} threshold.txt", "text/plain", "download text")
    with data:
        st.code(written, language="json", height=min(24 * len(written.splitlines()), 420))
        _save("JSON as a file", written + "\n", f"{name} threshold.json", "application/json", "download json")
    with python:
        st.caption("Needs the library evalcore; an uploaded file must be in the same folder. Every number is asserted.")
        st.code(code, height=420)
        _save("Python as a file", code, f"{name} threshold.py", "text/x-python", "download code")
    with tables, st.container(horizontal=True):
        numbers = lambda: csv_of(analyse_confusion(counted, intervals).table)  # noqa: E731
        _save("Numbers as CSV", numbers, f"{name} numbers.csv", "text/csv", "download table")
        distinct = len(scores.table)
        which = "Every threshold" if distinct <= MOST else f"{count_text(MOST)} of {count_text(distinct)} thresholds"
        each = lambda: csv_of(threshold_frame(scores, threshold))  # noqa: E731
        _save(f"{which} as CSV", each, f"{name} thresholds.csv", "text/csv", "download thresholds")
    st.caption(PICTURES)


def threshold_frame(scores: Scores, threshold: float, most: int = MOST) -> pd.DataFrame:
    """The counts and rates at every distinct score of the file; of more than `most`, at so many spread evenly.

    The first and the last and the row of the threshold are always among them.
    """
    table = scores.table
    rows = np.arange(len(table))
    if len(rows) > most:
        spread = np.linspace(0, len(table) - 1, most - 1).astype(np.intp)
        rows = np.union1d(spread, table.index(threshold))
    counts = table.counts[rows]
    cells = {cell: getattr(counts, cell) for cell in ("tp", "fp", "fn", "tn")}
    rates = {METRICS[key].name: METRICS[key](counts) for key in _RATES}
    return pd.DataFrame({"threshold": table.thresholds[rows], **cells, **rates})


def file_stem(scores: Scores) -> str:
    """What files made of this data set are called: its name, with only what every file system takes."""
    stem = PurePath(scores.current.dataset.name).stem
    safe = "".join(c if c.isalnum() or c in "-_" else " " for c in stem)
    return " ".join(safe.split())[:60].strip() or "data"


def _save(label: str, content: object, file: str, mime: str, key: str) -> None:
    st.download_button(label, content, file, mime, key=key, on_click="ignore")
