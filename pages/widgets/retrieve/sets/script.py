"""Formulas of found sets with the numbers of the page, and the files to take away."""

from __future__ import annotations

import streamlit as st

from evalcore import METRICS
from evalcore.wording import count_text, plain

from ...export.downloads import show_downloads
from ...export.ranking_script import lists_code
from .means import MEASURES, gap_of, queries_frame
from .retrieved_sets import FoundSets, tex


def show_set_formulas(sets: FoundSets, query: str) -> None:
    """Each measure for the query of the page, and its two averages."""
    with st.expander("Formulas with these numbers", key="formulas", on_change="rerun") as folded:
        if not folded.open:
            return
        counts = sets.counts(query, sets.rankings.system)
        if counts is None:
            st.caption("The run has no list for the query.")
            return
        values = sets.values(query, sets.rankings.system)
        st.caption(f"Query {plain(query, 40)}, system {plain(sets.rankings.system, 40)}.")
        h, n, total, size = (_tex_count(float(cell)) for cell in _sums(counts))
        p, r, beta = tex(values["set_precision"]), tex(values["set_recall"]), f"{sets.beta:.4g}"
        filled = {
            "set_precision": rf"\frac{{{h}}}{{{n}}}",
            "set_recall": rf"\frac{{{h}}}{{{total}}}",
            "set_f": rf"\frac{{(1 + {beta}^2) \cdot {p} \cdot {r}}}{{{beta}^2 \cdot {p} + {r}}}",
            "set_fall_out": rf"\frac{{{n} - {h}}}{{{size} - {total}}}",
            "generality": rf"\frac{{{total}}}{{{size}}}",
        }
        for key in MEASURES:
            measure, gap = METRICS[key], gap_of(sets, key, sets.rankings.system)
            st.markdown(f"**{measure.name}** — {measure.summary}")
            st.markdown(rf"$\displaystyle {measure.formula} = {filled[key]} = {tex(values[key])}$")
            st.caption(
                rf"{measure.reading} Over all queries ({count_text(len(sets.rankings.queries()))}): "
                rf"macro ${tex(gap.macro)}$, micro ${tex(gap.micro)}$."
            )
        st.caption(
            "h documents are relevant and retrieved, n retrieved, R relevant, N in the collection. "
            "Micro puts the sums over all queries in their places."
        )


def show_set_downloads(sets: FoundSets, query: str) -> None:
    """The table of queries, and Python that finds the averages and the values of the query again."""
    show_downloads("sets", lambda: queries_frame(sets), sets_code(sets, query))


def sets_code(sets: FoundSets, query: str) -> str:
    """A script that finds the averages of each system and the values of the query, and asserts them."""
    rankings = sets.rankings
    expected = []
    for system in sets.systems:
        means = {key: (gap.macro, gap.micro) for key in MEASURES for gap in [gap_of(sets, key, system)]}
        known = query in rankings.queries(system)
        values = sets.values(query, system) if known else {}
        expected.append(f"    {system!r}: ({_written(means)}, {_written(values)}),\n")
    common = (
        "    kept = ~hits.missing\n"
        "    queries = [name for name, has in zip(queries, kept, strict=True) if has]\n"
        "    hits = hits.only(kept)\n"
        if rankings.only_common
        else ""
    )
    return f"""\
import math

from evalcore import METRICS
from evalcore.retrieval import Hits, set_averages
{lists_code(rankings.current)}
level, beta, size, query = {rankings.level!r}, {sets.beta!r}, {sets.size!r}, {query!r}
judgments = data.judgments()


def same(value, expected):
    return math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(value) and math.isnan(expected))


nan = math.nan
expected = {{
{"".join(expected)}}}
for system, (averages, values) in expected.items():
    hits = Hits.of(judgments, data.run(system))
    queries = list(judgments.queries)
{common}    found = set_averages(hits, rel=level, beta=beta, size=size)
    for measure, (macro, micro) in averages.items():
        assert same(found[measure].macro, macro) and same(found[measure].micro, micro), measure
        print(system, METRICS[measure].name, "macro", macro, "micro", micro)
    for measure, value in values.items():
        told = {{"set_f": {{"beta": beta}}, "set_fall_out": {{"size": size}}, "generality": {{"size": size}}}}
        each = METRICS[measure].function(hits, rel=level, **told.get(measure, {{}}))
        assert same(float(each[queries.index(query)]), value), measure
"""


def _sums(counts) -> tuple:
    return counts.tp, counts.predicted_positives, counts.actual_positives, counts.total


def _tex_count(value: float) -> str:
    return count_text(value).replace("\u202f", r"\,")


def _written(values: dict) -> str:
    return repr(values)  # nan stands for itself: the script names it
