"""The report of the open data: which pages go into it, with what settings, and the file."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from evalcore.analyses import Scores, Source
from evalcore.readers import KINDS
from evalcore.reports import ReportSettings, chapter_titles, chapters_of, report_html
from evalcore.wording import THIN

from ...classify.curves.overlays import choose_overlays
from ...classify.probabilities.settings import choose_binning
from ...classify.threshold.cost_sensitivity import choose_use
from ...controls.goals import choose_goal
from ...controls.intervals import choose_intervals
from ...export.downloads import show_download
from ...session import address
from ...session.decisions import records
from ...session.loaded_rankings import RANKED, rankings_of
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


def choose_report_settings(current: Source, pages: Sequence[str]) -> ReportSettings:
    """The intervals, of scores the threshold and the goal it is chosen for, and what the pages ask under their tabs."""
    with st.container(key="settings", horizontal=True, vertical_alignment="bottom"):
        intervals = choose_intervals(areas=True)
    settings = ReportSettings(intervals=intervals, focus=address.text("class"))
    if current.kind in RANKED and current.system is not None:
        picked = next(iter(address.names("picked")), ())
        return replace(settings, rankings=rankings_of(current), query=picked[-1] if picked else None)
    scores = None
    if current.kind in SCORED:
        scores = scores_of(current, current.system)
        chosen = choose_goal(scores)
        threshold = threshold_of(scores)
        st.markdown(chosen.verdict(threshold))
        kept = [one for (data, _), one in records().items() if data == current.id]
        second = address.number("t2")
        settings = replace(settings, threshold=threshold, chosen=chosen, kept=kept, second_threshold=second)
    return replace(settings, **_choose_of_pages(scores, pages))


def _choose_of_pages(scores: Scores | None, pages: Sequence[str]) -> dict[str, Any]:
    """What the chosen pages ask for their pictures and parts, in the same places of the address."""
    asks: dict[str, Callable[[], dict[str, Any]]] = {}
    if scores is not None:
        asks["classify/threshold"] = lambda: choose_use("report", scores)
        asks["classify/curves"] = lambda: {"overlays": choose_overlays()}
    asks["classify/probabilities"] = lambda: dict(zip(("binning", "unbinned"), choose_binning(), strict=True))
    titles, chosen = chapter_titles(asks), {}
    if asked := [page for page in asks if page in pages]:
        with st.expander("Settings of the pages", key="settings-of-pages"):
            for page in asked:
                st.markdown(f"**{titles[page]}**")
                with st.container(horizontal=True, vertical_alignment="bottom"):
                    chosen |= asks[page]()
    return chosen


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
