"""The curves of all queries beside the table of their measures: order and selected rows stand in the address."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from evalcore import figures
from evalcore.analyses import CurveSteps, RankedList, Rankings, RankingSummary, SideBySideRankings, query_columns
from evalcore.retrieval import trec_qrels_text, trec_run_text
from evalcore.wording import count_text, one_line
from pages.widgets.controls.fields import segmented
from pages.widgets.controls.ranking_settings import MeasureNames, selected_queries
from pages.widgets.display.figure import ELEMENT, PICTURE, component, hearing, page_ink, source
from pages.widgets.display.measures import show_curve_steps
from pages.widgets.display.page import show_folds
from pages.widgets.display.sidebar import show_drawn_again
from pages.widgets.export.downloads import show_copy, show_download, show_downloads, take_away
from pages.widgets.retrieve.lists import opened_query, show_list, show_list_editor
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links

_COLUMNS = MeasureNames("Columns", "columns", ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k"), most=24)


def shown_query() -> dict[str, str]:
    """Under "query" the one whose list is shown: a download may be asked for long after the page was drawn."""
    return st.session_state.setdefault("query of the list", {})


def summary_of(rankings: Rankings) -> RankingSummary:
    """The rankings with the columns of the address."""
    return RankingSummary(rankings, _COLUMNS.of(rankings))


def _has_gallery() -> bool:
    return address.choice("gallery", ("on",)) == "on"


def _beside(rankings: Rankings) -> str:
    """The second system of an open gallery."""
    others = [system for system in rankings.systems if system != rankings.system]
    return (address.choice("beside", others) if _has_gallery() else None) or ""


choose_columns = _COLUMNS.choose


def show_ranking_downloads(summary: RankingSummary) -> None:
    """The files of the page; TREC files, and the text that trec_eval would print."""
    shown, others = shown_query(), {}
    if summary.rankings.queries():
        others["List of the query"] = lambda: RankedList(summary.rankings, shown["query"]).table
    show_downloads("ranking", lambda: summary.table, summary.code, others)
    address.page_text("runid")  # stays in the address while its field is folded away
    if summary.rankings.has_lists:
        take_away(lambda: _show_trec_files(summary))


def _show_trec_files(summary: RankingSummary) -> None:
    st.markdown("**TREC files**")
    runid = st.text_input(
        "Run id", key="runid", bind="query-params", placeholder=one_line(summary.rankings.system, 40), width=240,
        max_chars=200, help="The last word of each line of the run, which trec_eval repeats in its output.",
    )  # fmt: skip
    rankings, runid = summary.rankings, runid or summary.rankings.system
    with st.container(horizontal=True):
        show_download("Run", lambda: trec_run_text(rankings.run(), runid), "run.txt", "download trec run")
        show_download("Qrels", lambda: trec_qrels_text(rankings.judgments), "qrels.txt", "download trec qrels")
        lines = lambda: summary.trec_eval_lines(runid)  # noqa: E731
        show_download("trec_eval output", lines, "trec_eval.txt", "download trec_eval")
    st.caption(
        f"The output is that of `{summary.trec_eval_command}`, version 9.0.4, to compare line by line. trec_eval "
        "rounds scores to 32 bits and truncates grades to whole numbers; the page and the run do neither."
    )


PICTURES, LINES = ("precision–recall", "ROC"), ("both", "interpolated", "sawtooth")
MEANS = {"recall levels": ("levels",), "cut-offs": ("cuts",), "both": ("levels", "cuts"), "none": ()}
MOST_SELECTED = 6  # curves that are highlighted at once; more cannot be told apart
_mean_lines = cache(figures.mean_lines, 64)
_rocs = cache(lambda hits, level: [figures.faint_rocs(hits, level), figures.roc_quantile_lines(hits, level)], 16)
_SCRIPTS, _ELEMENT = (ELEMENT, PICTURE, *figures.RANKING_SCRIPTS), source(__file__, figures.RANKING_ELEMENT)
_RANKINGS = component("rankings", __file__, *_SCRIPTS, css=figures.RANKING_STYLE, html=_ELEMENT)

# A component is sent whole whenever a bit of it changes, so what a click changes has one of its own, and the strips of
# an open gallery another. Clicks are sent through the first: then its fragment runs again, and not the page.
_SEND = """export default function ({ data, setTriggerValue }) {
  window.evalcoreRankings = { ...window.evalcoreRankings, ...data }
  if (data.selected) window.evalcoreRankingsSend = (name, value) => setTriggerValue(name, { value })
  window.dispatchEvent(new Event("evalcore-rankings"))
}
"""
_SELECTION = hearing(st.components.v2.component("ranking_selection", html="<span></span>\n", js=_SEND))


def choose_ranking_look() -> dict[str, object]:
    """Ask what the picture shows, how the curves of selected queries are drawn, and which mean curves."""
    with st.popover("Picture", icon=":material/show_chart:", key="ranking-look"):
        picture = segmented("Curves", PICTURES, "picture")
        line = segmented("Selected queries", LINES, "line", help="The interpolated steps, the sawtooth, or both.")
        means = segmented(
            "Mean over the queries at", tuple(MEANS), "mean",
            help="Recall levels: mean interpolated precision. Cut-offs (rank 5, 10, 15, …): mean precision against "
            "mean recall.",
        )  # fmt: skip
        distance = st.toggle(
            "Mark the best rank", key="distance", bind="query-params",
            help="The rank of a query nearest to precision 1 and recall 1; its distance gives the system efficiency.",
        )  # fmt: skip
    return {"picture": picture, "line": line, "means": MEANS[means], "distance": bool(distance)}


def show_rankings(summary: RankingSummary) -> None:
    """Draw curves and table; `show_selection` highlights what is selected in them."""
    _RANKINGS("rankings", _fixed_part(_stamp(summary), summary))
    show_copy(summary.table)


# Alone, without side bar, settings and the heavy part of the table: a click takes a third of the time of the page.
@st.fragment
def show_selection(summary: RankingSummary, look: Mapping) -> None:
    """Highlight the selected queries; a click on a row or a curve opens the list of its query."""
    rankings, roc, ink = summary.rankings, look["picture"] == "ROC", page_ink()
    if beside := _beside(rankings):
        summary = replace(summary, beside=beside)
    queries, key = rankings.queries(), f"{rankings.key}\n{rankings.level}"
    sort = _sort(summary)
    opened, selected = opened_query(queries, by_itself=True), selected_queries(queries, MOST_SELECTED)
    if queries and not selected:
        selected = (queries[summary.first_query(*sort)],)
    means = _mean_lines(key, rankings) if queries and not roc else {}
    curves, bands = _rocs(key, rankings.hits(), rankings.level) if roc else ([], [])
    data = {
        **look, "stamp": _stamp(summary), "rocs": curves, "rocBands": bands,
        "means": [means[which] for which in look["means"] if means],
        "selected": [figures.selected_line(rankings, queries.index(query), roc) for query in selected],
        "open": -1 if opened is None else queries.index(opened), "sort": sort, "filter": address.text("find", "")[:200],
        "gallery": _has_gallery(), "beside": summary.beside, **figures.ranking_ink(ink),
        "axes": ["false positive rate", "recall"] if roc else ["recall", "precision"],
        "alt": f"{look['picture']} curves of {count_text(len(queries))} queries, {len(selected)} of them selected",
    }  # fmt: skip
    with st.container(key="unseen"):
        _SELECTION(
            "ranking-selection", data, selected=lambda sent: _put_selected(queries, _value(sent)),
            sort=lambda sent: _put_sort(summary, _value(sent)), filter=lambda sent: _put_filter(_value(sent)),
            gallery=lambda sent: address.put("gallery", "on" if _value(sent) is True else None),
            beside=lambda sent: address.put("beside", system if (system := _value(sent)) in rankings.systems else None),
        )  # fmt: skip
        if _has_gallery():
            _SELECTION("ranking-strips", {"strips": _strips(_stamp(summary), summary)})
        if summary.beside:
            _SELECTION("ranking-beside", {"other": _strips(_stamp(summary), summary, summary.beside)})
    for query in selected[-1:]:
        shown_query()["query"] = query
        _show_parts(summary, RankedList(rankings, query))
    if opened is not None:
        _show_opened(summary, opened, [queries[place] for place in summary.order(*sort)])
    show_drawn_again()


def _show_opened(summary: RankingSummary, query: str, order: list[str]) -> None:
    """The list of a query in the drawer, beside that of the second system; the others in the order of the table."""
    rankings, wanted = summary.rankings, address.text("find", "").strip().lower()
    if wanted:
        texts = query_columns(rankings, order).get("text", order)
        order = [name for name, text in zip(order, texts, strict=True) if wanted in f"{name}\n{text}".lower()]
    is_pair = summary.beside and query in rankings.queries(summary.beside)
    show_list(SideBySideRankings(rankings, summary.beside, query) if is_pair else RankedList(rankings, query), order)


def _show_parts(summary: RankingSummary, ranked: RankedList) -> None:
    parts = {
        "Edit this list": lambda: show_list_editor(ranked.rankings, ranked.query),
        "GMAP and ties": lambda: st.markdown(with_links(summary.details)),
    }
    show_folds("retrieve/ranking", parts)
    if ranked.documents:
        show_curve_steps(lambda: CurveSteps.of_list(ranked), "precision and recall rank by rank")


def _stamp(summary: RankingSummary) -> str:
    rankings = summary.rankings
    return f"{rankings.key}\n{rankings.level!r}\n{rankings.k!r}\n{summary.names!r}"


# What a table of thousands of queries weighs is made once for all sessions, and only read.
@st.cache_resource(max_entries=16, show_spinner=False)
def _fixed_part(stamp: str, _summary: RankingSummary) -> dict:
    hits, level = _summary.rankings.hits(), _summary.rankings.level
    curves = {"faint": figures.faint_curves(hits, level), "bands": figures.quantile_lines(hits, level)}
    return {"stamp": stamp, **figures.ranking_table(_summary), **curves}


@st.cache_resource(max_entries=16, show_spinner=False)
def _strips(stamp: str, _summary: RankingSummary, beside: str = "") -> dict:
    return {"stamp": stamp, **(figures.beside_strips if beside else figures.ranking_strips)(_summary)}


def _headings(summary: RankingSummary) -> list[str]:
    return ["query", *(column.name for column in summary.columns + (summary.gallery_columns if _has_gallery() else ()))]


def _sort(summary: RankingSummary) -> tuple[int, bool]:
    """Place of the column the table is sorted by, −1 for the order of the judgments, and whether it falls."""
    written = address.text("sort", summary.names[0] if summary.names else "query")
    column, headings = written.removeprefix("-"), _headings(summary)
    if column not in headings:  # without a second system, the measure of the difference
        column = column.removesuffix(" difference")
    if column not in headings:
        address.refuse("sort")
        return -1, False
    return headings.index(column) - 1, written.startswith("-")


def _value(sent: object) -> object:
    return sent.get("value") if isinstance(sent, dict) else None


def _put_selected(queries: tuple[str, ...], sent: object) -> None:
    """Take over the places of the selected queries, and whether the list of the last one is open."""
    match sent:
        case [list(places), is_open]:
            known = [queries[at] for at in places if isinstance(at, int) and 0 <= at < len(queries)][-MOST_SELECTED:]
            if known:
                address.put_names("picked", [known])
            address.put("drawer", None if is_open is True else "closed")


def _put_sort(summary: RankingSummary, sort: object) -> None:
    match sort:
        case [int(column), descending] if -1 <= column < len(headings := _headings(summary)) - 1:
            address.put("sort", ("-" if descending else "") + headings[column + 1])


def _put_filter(text: object) -> None:
    if isinstance(text, str):
        address.put("find", text[:200] or None)
