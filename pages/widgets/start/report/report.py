"""The report of the open data: which pages go into it, with what settings, the document, and its file."""

from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import analyses
from evalcore.inference import IntervalChoice
from evalcore.readers import KINDS
from evalcore.registry import PAGES
from evalcore.reports import ReportSettings, chapters_of, report_html
from evalcore.wording import THIN
from pages.widgets.classify.classes.class_matrix import choose_prediction
from pages.widgets.classify.compare.comparison import choose_systems
from pages.widgets.classify.curves.curves import choose_overlays
from pages.widgets.classify.probabilities.probabilities import choose_binning, choose_loss_settings, ways_to_read
from pages.widgets.classify.threshold.costs import choose_use
from pages.widgets.classify.threshold.pins import pins_of
from pages.widgets.classify.threshold.records import records
from pages.widgets.controls.fields import beside
from pages.widgets.controls.goals import choose_goal
from pages.widgets.estimate.distributions.distributions import choose_distances, choose_distributions
from pages.widgets.estimate.regression import regression
from pages.widgets.export.downloads import show_download
from pages.widgets.retrieve.compare import choose_systems as choose_ranked_systems
from pages.widgets.retrieve.graded import choose_gain_settings
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import RANKED, SCORED, label_thresholds, rankings_of, scores_of, threshold_of
from pages.widgets.session.page_exit import need


def open_reported() -> analyses.Source:
    """The open data; offers samples where nothing is open."""
    return need(tuple(KINDS), "an open data set")


def choose_chapters(current: analyses.Source) -> tuple[str, ...]:
    """Ask which pages the report includes, at first all that can show the data; the choice stays in the address."""
    known = chapters_of(current)
    before, out = st.session_state.get("chapters", (known, set()))
    if before != known:
        out = out - {*before} | {*before} - {*st.session_state.get("included", before)}
        st.session_state["included"] = [page for page in known if page not in out]
    st.session_state["chapters"] = known, out
    chosen = st.pills(
        "Chapters", known, selection_mode="multi", default=known, format_func=lambda page: PAGES[page].title,
        key="included", bind="query-params", wrap=True,
    )  # fmt: skip
    return tuple(page for page in known if page in chosen)


def choose_report_settings(current: analyses.Source, pages: Sequence[str], intervals: IntervalChoice) -> ReportSettings:
    """Of scores the threshold and the goal it is chosen for, and what the pages ask for their pictures and parts."""
    settings = ReportSettings(intervals=intervals, focus=address.text("class"), merged=address.names("groups"))
    scores = rankings = None
    if current.kind in RANKED and current.system is not None:
        picked, rankings = next(iter(address.names("picked")), ()), rankings_of(current)
        settings = replace(settings, rankings=rankings, query=picked[-1] if picked else None)
    if current.kind in SCORED:
        scores = scores_of(current, current.system)
        chosen = choose_goal(scores)
        kept = [one for (data, _), one in records().items() if data == current.id]
        second = address.number("t2")
        settings = replace(settings, threshold=threshold_of(scores), chosen=chosen, kept=kept, second_threshold=second)
        settings = replace(settings, pins=tuple(one.pin for one in pins_of(scores)))
    if current.scored_by == "label":
        settings = replace(settings, labels=label_thresholds(current))
    return replace(settings, **_choose_of_pages(current, scores, rankings, intervals.level, pages))


def _choose_of_pages(
    current: analyses.Source, scores: analyses.Scores | None, rankings: analyses.Rankings | None, level: float,
    pages: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """What the chosen pages ask for their pictures and parts, in the same places of the address."""
    asks: dict[str, Callable[[], dict[str, Any]]] = {}
    chosen: dict[str, Any] = {}
    if scores is not None:
        asks["classify/threshold"] = lambda: choose_use("report", scores)
        asks["classify/curves"] = lambda: {"overlays": choose_overlays()}
    if current.scored_by == "class":
        asks["classify/classes"] = lambda: {"prediction": choose_prediction(current)}
    if len(analyses.comparable_systems(current)) > 1:
        asks["classify/compare"] = lambda: {"compared": choose_systems(current, level)}
    asks["classify/probabilities"] = lambda: _choose_of_probabilities(current, level)
    if rankings is not None:
        asks["retrieve/graded"] = lambda: {"gains": choose_gain_settings(rankings)}
        if len(rankings.systems) > 1:
            asks["retrieve/compare"] = lambda: {"compared_rankings": choose_ranked_systems(rankings)}
    if analyses.usual_distributions(current) is not None:
        asks["estimate/distributions"] = lambda: _choose_of_distributions(level, chosen.get("losses"))
    asks["estimate/regression"] = lambda: _choose_of_estimates(current, level)
    for page in (page for page in asks if page in pages):
        st.markdown(f"**{PAGES[page].title}**")
        with beside():
            chosen |= asks[page]()
    return chosen


def _choose_of_probabilities(current: analyses.Source, level: float) -> dict[str, Any]:
    binning, unbinned = choose_binning()
    scaling, normalise = ways_to_read(current)
    columns = dict(current.roles.get("probability", ()))
    return {
        "binning": binning, "unbinned": unbinned, "losses": choose_loss_settings(level), "scaling": scaling,
        "normalise": normalise, "of_class": columns.get(address.choice("system", list(columns)) or ""),
    }  # fmt: skip


def _choose_of_estimates(current: analyses.Source, level: float) -> dict[str, Any]:
    estimates = regression.open_estimates()
    chosen: dict[str, Any] = {"errors": regression.choose_error_settings(estimates, level)}
    chosen["tolerance"] = regression.choose_tolerance(estimates)
    coverage, asked = analyses.IntervalCoverage, address.text("end_low") or address.text("end_high")
    if coverage.found(estimates) or (asked and len(coverage.candidates(estimates)) > 1):
        chosen["ends"] = astuple(regression.choose_ends(estimates))
    if len(current.systems) > 1:
        chosen["other_estimates"] = regression.choose_other(current.systems, str(current.system))
    return chosen


def _choose_of_distributions(level: float, losses: analyses.LossSettings | None) -> dict[str, Any]:
    """The base of logarithms is one for losses and distances."""
    chosen = choose_distributions()
    distances = choose_distances(chosen.two, level, losses and losses.base)
    return {"distributions": chosen.recipe, "distances": distances}


_FRAME = st.components.v2.component(
    "report",
    # In a sandbox of its own: a report runs its script, and reaches neither this page nor its server.
    html='<span><iframe title="Report" sandbox="allow-scripts allow-downloads"></iframe></span>\n',
    css="iframe { display: block; width: 100%; height: max(28rem, calc(100vh - 12rem)); box-sizing: border-box; "
    "border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius); }",
    js="""export default function ({ data, parentElement }) {
  const frame = parentElement.querySelector("iframe")
  if (frame.srcdoc === data) return
  // A frame that is given another document is an entry of the history, and Back would stop there; a new frame is none.
  const fresh = frame.cloneNode()
  fresh.srcdoc = data
  fresh.name = location.hash.slice(1) // the step that is read at first
  frame.replaceWith(fresh)
}
""",
)

_report = cache(report_html, 8, "Writing the report …")


def show_report(current: analyses.Source, pages: Sequence[str], settings: ReportSettings, side: DeltaGenerator) -> None:
    """The report as it will be, and at its side the button that saves it."""
    chosen = settings.chosen and settings.chosen.verdict(settings.threshold or 0.0)
    # What its Python leaves out is told apart by its words.
    key = current.id, settings.code(current, pages), chosen, tuple(one.summary for one in settings.kept)
    report = _report(key, current, pages, settings)
    _FRAME(key="report", data=report)
    about = f"One HTML file, under 2{THIN}MB, that works offline and prints well. The threshold stays draggable."
    with side:
        look = {"type": "primary", "width": "stretch", "help": about}
        show_download("Download", report, "report.html", "save report", **look)
