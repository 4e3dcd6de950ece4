"""What the whole run is worth: the means in a line, what counted as 0 and why, and what ties leave open."""

from __future__ import annotations

import numpy as np
import streamlit as st

from evalcore.analyses import Rankings
from evalcore.retrieval import mean_of, tie_ranges
from evalcore.wording import count_text, number_text, share_text

from .columns import columns_of

_HEADLINE = {"MAP": "AP", "MRR": "RR", "P@k": "P@k", "nDCG@k": "nDCG@k", "R-precision": "Rprec", "judged@k": "judged@k"}


def show_headline(rankings: Rankings) -> None:
    """The means of the usual measures beside each other."""
    found = rankings.per_query(_HEADLINE.values())
    with st.container(key="headline", horizontal=True, gap="small"):
        for title, name in _HEADLINE.items():
            value = found.mean(name)
            text = share_text(value) if name.startswith("judged") else number_text(value)
            st.metric(title.replace("@k", f"@{rankings.k}"), text, width="content", help=found.measures[name].summary)


def show_counted(rankings: Rankings) -> None:
    """GMAP, the queries that counted 0 and why, those that are missing on one side, and the ties."""
    key = f"{rankings.key}\n{rankings.level}\n{rankings.k}\n{columns_of(rankings)!r}"
    said = (f"{rankings.coverage}.", _zeros(rankings), _ties(key, rankings))
    st.caption(" ".join(filter(None, said)))


def _zeros(rankings: Rankings) -> str:
    found, hits = rankings.per_query(["AP", "GMAP"]), rankings.hits()
    relevant = hits.relevant(rankings.level)
    zero = found.values["AP"] == 0
    without = relevant.total == 0
    reasons = {
        "without a list": zero & hits.missing,
        "without a relevant document": zero & ~hits.missing & without,
        "that find none": zero & ~hits.missing & ~without,
    }
    counted = {words: int(np.count_nonzero(rows)) for words, rows in reasons.items()}
    told = ", ".join(f"{count_text(count)} {words}" for words, count in counted.items() if count)
    gmap = f"GMAP **{number_text(found.mean('GMAP'))}**, the geometric mean of AP"
    if not told:
        return f"{gmap}. No query has AP 0."
    return f"{gmap}, takes AP as 0.00001 where it is 0. Queries with AP 0: {told}."


@st.cache_data(max_entries=64, show_spinner=False)
def _ties(key: str, _rankings: Rankings) -> str:
    run = _rankings.run()
    alike = run.rounded().tied
    close = (
        f"trec_eval 9 keeps scores in 32 bits, where {count_text(alike)} documents share theirs; here they are told "
        "apart, as in its newer versions."
        if alike > run.tied
        else ""
    )
    if not run.tied:
        return close
    names = list(dict.fromkeys(["AP", *columns_of(_rankings)]))[:5]
    spans, others = [], "these means"
    for name in names:
        measure = _rankings.measure(name)
        if measure.key == "inferred_average_precision" and (_rankings.hits().grade < 0).any():
            others = "the other means"  # where documents were pooled only, nobody knows its extreme orders
            continue
        (found,) = tie_ranges(_rankings.hits(), [measure]).values()
        low, high = (number_text(mean_of(measure, end)) for end in (found.low, found.high))
        if high != low:
            spans.append(f"{_rankings.heading(name)} {low} … {high}")
    said = (
        f"Ties: {count_text(run.tied)} of {count_text(len(run))} documents share their score with another of their "
        "list; they stand in the order of their ids, the last first, as trec_eval has it."
    )
    if not spans:
        return f"{said} No other order would change the first three decimals of {others}. {close}".rstrip()
    return f"{said} In other orders the means lie in: {' · '.join(spans)}. {close}".rstrip()


def show_ranking_formulas(rankings: Rankings) -> None:
    """The measures in the table: what they are, how they are read, their formula and their mean here."""
    with st.expander("Formulas with these numbers", key="formulas", on_change="rerun") as folded:
        if not folded.open:
            return
        names = columns_of(rankings)
        found = rankings.per_query(names)
        for name in names:
            measure = found.measures[name]
            st.markdown(f"**{measure.name}** ({rankings.heading(name)}) — {measure.summary}")
            value = number_text(found.mean(name))
            mean = r"\bar{x}_{geometric}" if measure.mean == "geometric" else r"\bar{x}"
            st.markdown(rf"$\displaystyle {measure.formula}$ $\qquad {mean} = {value.replace(chr(0x202F), ' ')}$")
            st.caption(measure.reading)
