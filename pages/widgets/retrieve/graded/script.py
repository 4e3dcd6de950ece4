"""Formulas of graded lists with the numbers of the page, and the files to take away."""

from __future__ import annotations

import streamlit as st

from evalcore import Array
from evalcore.analyses import Rankings
from evalcore.wording import count_text, plain

from ...export.downloads import show_downloads
from ...export.ranking_script import states_code
from ..sets.retrieved_sets import tex
from .graded_list import MOST_RANKS, Weighing, graded_frame, table_of
from .systems import queries_frame

_TERMS = 6
"""Terms of a sum that are written out."""

_GAINS = {"linear": "g(v) = v", "exp": "g(v) = 2^v - 1"}


def show_graded_formulas(rankings: Rankings, query: str, weighed: Weighing) -> None:
    """Every column of the table: its formula, and its value at the last rank."""
    with st.expander("Formulas with these numbers", key="formulas", on_change="rerun") as folded:
        if not folded.open:
            return
        depth = min(rankings.k, MOST_RANKS)
        table = table_of(rankings, query, weighed, depth)
        k = _count(depth)
        st.caption(
            f"Query {plain(query, 60)}, system {plain(rankings.system, 40)}, at rank {count_text(depth)}. "
            "v is the grade at rank i."
        )
        gain = _GAINS.get(weighed.gain) or r",\quad ".join(
            f"g({grade}) = {worth}" for grade, worth in (pair.split(":") for pair in weighed.gain.split(";"))
        )
        lines = {
            "What a grade is worth": gain,
            "What a rank takes off": _discount(weighed),
            "Cumulated gain": rf"CG_{{{k}}} = \sum_{{i \le {k}}} g(v_i) = {_sum(table.gain)} = {tex(table.cg[-1])}",
            "Normalised by the highest grade": rf"\frac{{CG_{{{k}}}}}{{{k} \cdot g(v_{{max}})}}"
            rf" = {tex(table.normalised_cg[-1])}",
            "Discounted cumulated gain": rf"DCG_{{{k}}} = \sum_{{i \le {k}}} g(v_i) \cdot d(i)"
            rf" = {_products(table.gain, table.discount)} = {tex(table.dcg[-1], 4)}",
            "Of the ideal list": rf"IDCG_{{{k}}} = {_products(table.ideal_gain, table.discount)}"
            rf" = {tex(table.idcg[-1], 4)}",
            "Normalised": rf"nDCG_{{{k}}} = \frac{{DCG_{{{k}}}}}{{IDCG_{{{k}}}}}"
            rf" = \frac{{{tex(table.dcg[-1], 4)}}}{{{tex(table.idcg[-1], 4)}}} = {tex(table.ndcg[-1])}",
        }
        for name, formula in lines.items():
            st.markdown(rf"{name}  " + "\n" + rf"$\displaystyle {formula}$")


def show_graded_downloads(rankings: Rankings, query: str, weighed: Weighing) -> None:
    """The textbook table, the table of queries, and Python that finds both again."""
    show_downloads(
        "graded",
        lambda: graded_frame(rankings, query, weighed),
        graded_code(rankings, query, weighed),
        others={"All queries": lambda: queries_frame(rankings, weighed)},
    )


def graded_code(rankings: Rankings, query: str, weighed: Weighing) -> str:
    """A script that finds the mean nDCG and DCG and the last row of the table again, and asserts them."""
    depth = min(rankings.k, MOST_RANKS)
    names = [weighed.named(symbol, str(rankings.k)) for symbol in ("nDCG", "DCG")]
    found = rankings.per_query(names)
    table = table_of(rankings, query, weighed, depth)
    row = {name: float(values[-1]) for name, values in table.columns().items() if name not in ("rank", "grade")}
    common = ", only_common=True" if rankings.only_common else ""
    means = "".join(f"    {name!r}: {found.mean(name)!r},\n" for name in names)
    return f"""\
import math

from evalcore.retrieval import Hits, evaluate, graded_table
{states_code(rankings)}

expected = {{
{means}}}
found = evaluate(judgments, run, expected{common})
for name, mean in expected.items():
    assert math.isclose(found.mean(name), mean, rel_tol=1e-12), name

# The table of one query, down to the same rank.
place = judgments.queries.index({query!r})
table = graded_table(
    Hits.of(judgments, run), place, {depth}, gain={weighed.gain!r}, discount={weighed.discount!r}, base={weighed.base!r}
)
last = {row!r}
for column, value in last.items():
    assert math.isclose(table.columns()[column][-1], value, rel_tol=1e-12), column
print(found.frame())
for name, column in table.columns().items():
    print(name, column.round(2).tolist())
"""


def _discount(weighed: Weighing) -> str:
    base = f"{weighed.base:g}"
    return {
        "log": rf"d(i) = \frac{{1}}{{\log_{{{base}}}(i + 1)}}",
        "original": rf"d(i) = \frac{{1}}{{\max(1,\ \log_{{{base}}} i)}}",
        "none": "d(i) = 1",
    }[weighed.discount]


def _sum(values: Array) -> str:
    return " + ".join(map(_term, values[:_TERMS].tolist())) + (r" + \dots" if len(values) > _TERMS else "")


def _products(gains: Array, discounts: Array) -> str:
    pairs = zip(gains[:_TERMS].tolist(), discounts[:_TERMS].tolist(), strict=True)
    terms = [rf"{_term(gain)} \cdot {_term(discount)}" for gain, discount in pairs]
    return " + ".join(terms) + (r" + \dots" if len(gains) > _TERMS else "")


def _term(value: float) -> str:
    """A term of a sum: whole numbers without decimals."""
    return _count(int(value)) if value == int(value) else tex(value)


def _count(value: int) -> str:
    return count_text(value).replace("\u202f", r"\,")
