"""The columns of the table of queries, the list of one query rank by rank, and the files to save."""

from pathlib import Path

import pandas as pd
import streamlit as st

from evalcore.analyses import CurveSteps, RankedList, Rankings, RankingSummary
from evalcore.wording import count_text, html_table, one_line, plain, with_parameters

from ...controls.ranking_settings import MeasureNames, show_query_face
from ...display.curve_steps import show_curve_steps
from ...export.copy_table import show_copied, show_copy
from ...export.downloads import show_download, show_downloads
from ...session import address
from ...session.entry_links import with_links

STRIP = 60
"""Ranks side by side; all of them are in the table below."""

STRIP_STYLE = f"<style>{Path(__file__).with_suffix('.css').read_text(encoding='utf-8')}</style>"

_COLUMNS = MeasureNames("Columns", "columns", ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k"), most=24)


def shown_query() -> dict[str, str]:
    """Under "query" the one whose list is shown: a download may be asked for long after the page was drawn."""
    return st.session_state.setdefault("query of the list", {})


def show_ranked_list(rankings: Rankings, query: str) -> None:
    """The list of a query as a strip, with its average precision, and all ranks in a table."""
    shown_query()["query"] = query
    ranked = RankedList(rankings, query)
    count = len(ranked.documents)
    with st.container(key="ranked-list"):
        st.header(f"Query {plain(query)}: ranked list", anchor=False)
        show_query_face(rankings, query)
        st.caption(with_links(ranked.verdict))
        if not count:
            return
        # The strip scrolls sideways, so the keyboard must reach it.
        rows = ranked.strip(STRIP)
        strip = with_parameters(html_table([], rows, ""), address.parameters())
        st.html(f'{STRIP_STYLE}<div class="ranked-list" tabindex="0">{strip}</div>')
        show_copied([], rows)
        if texts := ranked.texts(STRIP):
            region = '<div class="face-list" tabindex="0" role="region" aria-label="Documents">'
            st.html(f"{region}{html_table([], texts, 'face')}</div>")
            show_copied([], texts)
        if count > STRIP:
            st.caption(f"The first {STRIP} of {count_text(count)} ranks.")
        if ranked.curve.total:
            st.markdown(ranked.average_precision)
        if ranked.tie_note:
            st.caption(with_links(ranked.tie_note))
        with st.expander("All ranks with their documents", key="all-ranks", on_change="rerun") as folded:
            if folded.open:
                decimals = st.column_config.NumberColumn(format="%.3f")
                frame = pd.DataFrame(ranked.table)
                st.dataframe(
                    frame, hide_index=True, key="ranks", height="content" if count <= 14 else 420,
                    alt="The list of the query with grades, precision and recall at each rank",
                    column_config=dict.fromkeys(("precision", "recall"), decimals),
                )  # fmt: skip
                show_copy(frame)
        show_curve_steps(lambda: CurveSteps.of_list(ranked), "precision and recall rank by rank")


def summary_of(rankings: Rankings) -> RankingSummary:
    """The rankings with the columns of the address."""
    return RankingSummary(rankings, _COLUMNS.of(rankings))


choose_columns = _COLUMNS.choose


def show_ranking_downloads(summary: RankingSummary) -> None:
    """The files of the page, and the text that trec_eval would print."""
    shown, others = shown_query(), {}
    if summary.rankings.queries():
        others["List of the query"] = lambda: RankedList(summary.rankings, shown["query"]).table
    show_downloads("ranking", lambda: summary.table, summary.code, others)
    if not summary.rankings.has_lists:
        return
    with st.expander("TREC files", key="trec-eval"):
        st.caption(
            "Run and judgments as TREC files, and what trec_eval prints: the official measures of each query as "
            f"`{summary.trec_eval_command}`, version 9.0.4, to be compared line by line. Like version 9, that ranks by "
            "scores in 32 bits and truncates grades to whole numbers; the page and the run do neither."
        )
        runid = st.text_input(
            "Run id", key="runid", bind="query-params", placeholder=one_line(summary.rankings.system, 40), width=240,
            max_chars=200, help="The last word of each line of the run, which trec_eval repeats in its output.",
        )  # fmt: skip
        with st.container(horizontal=True):
            show_download("Run", lambda: summary.trec_run(runid), "run.txt", "download trec run")
            show_download("Qrels", lambda: summary.trec_qrels, "qrels.txt", "download trec qrels")
            lines = lambda: summary.trec_eval_lines(runid)  # noqa: E731
            show_download("trec_eval output", lines, "trec_eval.txt", "download trec_eval")
