"""Taking the ranking away: the table of queries, trec_eval's own lines, and Python that finds the numbers again."""

from __future__ import annotations

from math import ceil

import pandas as pd
import streamlit as st

from evalcore.analyses import Rankings, Source
from evalcore.readers import files_of, samples
from evalcore.retrieval import trec_eval_text
from evalcore.wording import one_line

from ..retrieve.ranking.columns import columns_of
from ..retrieve.ranking.ranked_list import list_frame, shown_query
from ..retrieve.ranking.rankings import picked_queries
from .downloads import show_downloads


def query_frame(rankings: Rankings) -> pd.DataFrame:
    """A row a query: relevant and found documents, and every measure of the table, unrounded."""
    names = columns_of(rankings)
    found, relevant = rankings.per_query(names), rankings.hits().relevant(rankings.level)
    columns = {rankings.heading(name): found.values[name] for name in names}
    return pd.DataFrame({"query": list(found.queries), "relevant": relevant.total, "found": relevant.found} | columns)


def show_ranking_downloads(rankings: Rankings) -> None:
    """The files of the page, and the text that trec_eval would print."""
    shown = shown_query()
    show_downloads(
        "ranking",
        lambda: query_frame(rankings),
        ranking_code(rankings),
        others={"List of the query": lambda: list_frame(rankings, shown["query"])}
        if picked_queries(rankings)
        else None,
        note="“Picture” over the curves saves them as SVG.",
    )
    with st.expander("As trec_eval writes it", key="trec-eval"):
        complete = not rankings.only_common and bool(rankings.missing())
        command = "trec_eval -q -c" if complete else "trec_eval -q"
        st.caption(
            f"The official measures of `{command} -l {ceil(rankings.level)}`, version 9.0.4, line by line: its output "
            "and this file can be compared with diff. Like version 9, the file ranks by scores in 32 bits and cuts "
            "fractions off the grades; the page does neither."
        )
        runid = st.text_input(
            "Run id", key="runid", bind="query-params", placeholder=one_line(rankings.system, 40), max_chars=200,
            width=240, help="The last word of the lines of the run, which trec_eval repeats in one of its own.",
        )  # fmt: skip
        st.download_button(
            "trec_eval’s lines",
            lambda: trec_eval_text(
                rankings.judgments, rankings.run(), rankings.level, runid or rankings.system, complete
            ),
            "trec_eval.txt",
            "text/plain",
            key="download trec_eval",
            on_click="ignore",
        )


def ranking_code(rankings: Rankings) -> str:
    """A script that evaluates the chosen system again and asserts the means of the table."""
    names = {name: rankings.measure(name).label for name in columns_of(rankings)}
    found = rankings.per_query(names)
    means = "".join(f"    {label!r}: {_number(found.mean(name))},\n" for name, label in names.items())
    common = ", only_common=True" if rankings.only_common else ""
    return f"""\
import math

from evalcore.retrieval import evaluate
{states_code(rankings)}

expected = {{
{means}}}
found = evaluate(judgments, run, expected{common})
assert len(found) == {len(found)}
for name, mean in expected.items():
    assert math.isclose(found.mean(name), mean, rel_tol=1e-12) or math.isnan(mean), name
print(found.frame())
"""


def states_code(rankings: Rankings) -> str:
    """The lines that make ``judgments`` and the ``run`` of the chosen system from the open data."""
    return f"""\
{lists_code(rankings.current)}
judgments, run = data.judgments(), data.run({rankings.system!r})"""


def lists_code(current: Source) -> str:
    """The lines that read the open lists and judgments into ``data``, from one table or from several files."""
    files = None if current.id in samples() else files_of(current.dataset)
    if files is None:
        return current.code
    listed = ", ".join(map(repr, files))
    lines = (
        "from pathlib import Path\n",
        "from evalcore.readers import read_files\n",
        f"data = read_files({{name: Path(name).read_bytes() for name in ({listed})}})",
    )
    return "\n".join(line for line in lines)


def _number(value: float) -> str:
    return repr(value) if value == value else 'float("nan")'
