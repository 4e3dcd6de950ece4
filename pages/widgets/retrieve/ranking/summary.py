"""A ranking over all queries: the columns of the table, and the files to save."""

import streamlit as st

from evalcore.analyses import RankedList, Rankings, RankingSummary
from evalcore.wording import one_line

from ...controls.measure_names import MeasureNames
from ...export.downloads import show_download, show_downloads
from .ranked_list import shown_query

_COLUMNS = MeasureNames("Columns", "columns", ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k"), most=24)


def summary_of(rankings: Rankings) -> RankingSummary:
    """The rankings with the columns of the address."""
    return RankingSummary(rankings, _COLUMNS.of(rankings))


choose_columns = _COLUMNS.choose


def show_ranking_downloads(summary: RankingSummary) -> None:
    """The files of the page, and the text that trec_eval would print."""
    shown, others = shown_query(), {}
    if summary.rankings.queries():
        others["List of the query"] = lambda: RankedList(summary.rankings, shown["query"]).table
    note = "“Picture” above the curves saves them as SVG."
    show_downloads("ranking", lambda: summary.table, summary.code, others, note)
    with st.expander("Output of trec_eval", key="trec-eval"):
        st.caption(
            f"The official measures as `{summary.trec_eval_command}`, version 9.0.4, prints them, to be compared line "
            "by line. Like version 9, the file ranks by scores in 32 bits and truncates grades to whole numbers; the "
            "page does neither."
        )
        runid = st.text_input(
            "Run id", key="runid", bind="query-params", placeholder=one_line(summary.rankings.system, 40), width=240,
            max_chars=200, help="The last word of each line of the run, which trec_eval repeats in its output.",
        )  # fmt: skip
        show_download("trec_eval output", lambda: summary.trec_eval_lines(runid), "trec_eval.txt", "download trec_eval")
