"""Which system ranks better? The answer in words, with the size of the difference, its test, and how far it goes."""

from __future__ import annotations

import streamlit as st

from evalcore.inference import METHODS
from evalcore.wording import THIN, count_text, number_text, p_text, signed

from .comparison import Rivals, name
from .judgment_reduction import hidden_note
from .tests import Tested, record_of

FEW, MANY = 25, 1000
"""Queries below which a test finds only large differences, and above which it finds those that nobody would notice."""


def show_rivals_verdict(done: Tested) -> None:
    """The verdict in its box, and under it which queries it rests on."""
    headline, reasons = rivals_verdict(done)
    with st.container(key="verdict"):
        st.markdown(f"**{headline}**  \n{reasons}")
    notes = [_taking_part(done.rivals), hidden_note(done.rivals), _warning(done)]
    st.caption(" ".join(filter(None, notes)))


def rivals_verdict(done: Tested) -> tuple[str, str]:
    """A headline and its reasons, in Markdown."""
    rivals, (found, p) = done.rivals, done.main
    a, b, heading = name(rivals.a), name(rivals.b), name(rivals.heading)
    wins, ties, losses = record_of(rivals, found, rivals.measure)
    n = count_text(found.n)
    if found.estimate != found.estimate:
        return f"{heading} is undefined for one of the two.", "Choose another measure."
    if ties == found.n:
        return (
            f"{a} and {b} are equal by {heading} for {'the query' if found.n == 1 else f'every one of {n} queries'}.",
            "The difference is 0, p = 1.",
        )
    side = done.better(rivals.a, rivals.b, rivals.measure)
    if side:
        headline = f"{b if side > 0 else a} ranks better than {a if side > 0 else b} by {heading}."
    elif found.n < 2:
        headline = f"One query says nothing about others: {b} has {number_text(_mean(done, rivals.b))} and {a} "
        headline += f"{number_text(_mean(done, rivals.a))} by {heading}."
    else:
        headline = f"Not shown: the difference in {heading} may be chance."
    return (
        headline,
        f"{_difference(done, found, p)} {b} wins {count_text(wins)}, ties {count_text(ties)} and loses "
        + (f"{count_text(losses)} of {n} {'query' if found.n == 1 else 'queries'}."),
    )


def _mean(done: Tested, system: str) -> float:
    values = done.rivals.rankings.per_query(done.rivals.names, system)
    return values.mean(done.rivals.measure)


def _difference(done: Tested, found, p: float) -> str:
    rivals = done.rivals
    low, high = float(found.interval.low), float(found.interval.high)
    write = signed(number_text)
    bounds = (
        f"{100 * rivals.confidence:g}{THIN}% interval {write(low)} to {write(high)}" if low == low else "no interval"
    )
    said = f"{name(rivals.b)} minus {name(rivals.a)}: **{write(found.estimate)}** ({bounds}), **{p_text(p)}**"
    count = len(done.found)
    if count > 1 and p == p:
        by = "uncorrected" if rivals.correction == "none" else f"after {METHODS[rivals.correction]}"
        said += f" {by} for {count_text(count)} comparisons"
        if rivals.correction != "none":
            said += f" ({p_text(found.p_value)} by itself)"
    size = found.effect_size
    effect = "" if size != size else f"; effect size $d_z$ = {number_text(size, 2)}"
    return f"{said}{effect}."


def _taking_part(rivals: Rivals) -> str:
    own, common = len(rivals.rankings.queries()), len(rivals.queries)
    told = rivals.rankings.coverage
    # How many they are stands under the table; what was left out has to be said here.
    said = f"{told}." if "·" in told or common < own else ""
    if common < own:
        said += f" All systems together have lists for {count_text(common)} of them; only those are compared."
    return said


def _warning(done: Tested) -> str:
    n = done.main[0].n
    if n < FEW:
        return (
            f"**{count_text(n)} {'query is' if n == 1 else 'queries are'} few**: below {FEW} only large differences "
            "are found, and *may be chance* says little."
        )
    if n > MANY:
        return (
            f"**{count_text(n)} queries are many**: above {count_text(MANY)} nearly every difference is more than "
            "chance. Look at its size, not at p."
        )
    return ""
