"""The report of the open data: which pages go into it, with what settings, and the file."""

from collections.abc import Sequence

import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import KINDS
from evalcore.reports import ReportSettings, chapter_titles, chapters_of, report_html
from evalcore.wording import THIN

from ...controls.goals import choose_goal
from ...controls.intervals import choose_intervals
from ...export.downloads import show_download
from ...session.decisions import records
from ...session.loaded_scores import SCORED, scores_of, threshold_of
from ...session.page_exit import need

_REPORTED = tuple(KINDS)


def open_reported() -> Source:
    """The open data; offers samples where nothing is open."""
    return need(_REPORTED, "an open data set")


def choose_chapters(current: Source) -> tuple[str, ...]:
    """Ask which pages the report includes, at first all that can show the data; they stay in the address."""
    known = chapters_of(current)
    titles = chapter_titles(known)
    chosen = st.multiselect(
        "Pages to include", known, default=known, format_func=titles.get, key="included", bind="query-params",
        placeholder="Data and settings only",
    )  # fmt: skip
    return tuple(page for page in known if page in chosen)


def choose_report_settings(current: Source) -> ReportSettings:
    """The intervals, and of scores the threshold of all pages and the goal it is chosen for."""
    with st.container(key="settings", horizontal=True, vertical_alignment="bottom"):
        intervals = choose_intervals(areas=True)
    if current.kind not in SCORED:
        return ReportSettings(intervals=intervals)
    scores = scores_of(current, current.system)
    chosen = choose_goal(scores)
    threshold = threshold_of(scores)
    st.markdown(chosen.verdict(threshold))
    kept = [one for (data, _), one in records().items() if data == current.id]
    return ReportSettings(threshold, chosen, intervals, kept)


def show_report(current: Source, pages: Sequence[str], settings: ReportSettings) -> None:
    """A button that makes the file and saves it, and what it can do."""
    label = "Save the report as HTML"
    show_download(label, lambda: report_html(current, pages, settings), "report.html", "save report")
    live = "In it, the threshold can still be dragged. " if "classify/threshold" in pages else ""
    st.caption(
        f"A single file of at most 2{THIN}MB that needs no server and no network: findings, pictures, tables and "
        f"verdicts of these pages, settings, versions and the digest of the data. {live}It prints, and holds no rows "
        "beyond what its pictures and tables show. In Python: `evalcore.report(data, path)`."
    )
