"""Systems × measures: means, differences to A with their intervals, and marks for what is more than chance."""

from __future__ import annotations

import html
from pathlib import Path

import streamlit as st

from evalcore.figures import Ink
from evalcore.inference import METHODS
from evalcore.wording import THIN, UNDEFINED, count_text, number_text, p_text, signed

from ...display.figure import page_ink
from .comparison import Rivals, name, word
from .tests import Tested, mean_of, record_of, test_words

_RULES = Path(__file__).with_name("compare.css").read_text(encoding="utf-8")
_MARKS = {1: '<u class="up" title="better than A">▲</u>', -1: '<u title="worse than A">▼</u>', 0: "<u></u>"}


def show_rivals_style() -> None:
    """The rules for the tables of this page."""
    ink = page_ink()
    st.html(f"<style>:root {{ --ground: {ink.paper}; --accent: {ink.accent}; }}\n{_RULES}</style>")


def show_rivals_table(done: Tested) -> None:
    """A line a system, A first; a column a measure."""
    rivals, ink = done.rivals, page_ink()
    systems = [rivals.a, *(system for system in rivals.systems if system != rivals.a)]
    head = "".join(
        f'<th class="{"by" if measure == rivals.measure else ""}" title="{html.escape(_explained(rivals, measure))}">'
        f"{html.escape(rivals.rankings.heading(measure))}</th>"
        for measure in rivals.names
    )
    best = {measure: _best(rivals, measure) for measure in rivals.names}
    body = "".join(f"<tr>{_line(done, system, best, ink)}</tr>" for system in systems)
    st.html(f'<table class="rivals"><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>')
    st.caption(_legend(done))


def _best(rivals: Rivals, measure: str) -> float:
    means = [mean_of(rivals, system, measure).estimate for system in rivals.systems]
    lower = rivals.rankings.measure(measure).better == "lower"
    return min(means) if lower else max(means)


def _line(done: Tested, system: str, best: dict[str, float], ink: Ink) -> str:
    rivals = done.rivals
    letter = {rivals.a: "<b>A</b> ", rivals.b: "<b>B</b> "}.get(system, "")
    square = f'<i style="background:{ink.system(rivals.place(system))}"></i>'
    cells = [f"<th>{square}{letter}{html.escape(word(system, 60))}</th>"]
    for measure in rivals.names:
        found = mean_of(rivals, system, measure)
        text = number_text(found.estimate)
        shown = f"<b>{text}</b>" if found.estimate == best[measure] else text
        if system == rivals.a:
            low, high = float(found.interval.low), float(found.interval.high)
            below = "no interval" if low != low else f"{number_text(low)} to {number_text(high)}"
            cells.append(f"<td>{shown}{_MARKS[0]}<small>{below}{_MARKS[0]}</small></td>")
        else:
            cells.append(_cell(done, system, measure, shown))
    return "".join(cells)


def _cell(done: Tested, system: str, measure: str, shown: str) -> str:
    rivals = done.rivals
    found, p = done.of(rivals.a, system, measure)
    if found.estimate != found.estimate:
        return f"<td>{shown}{_MARKS[0]}<small>{UNDEFINED}{_MARKS[0]}</small></td>"
    wins, ties, losses = record_of(rivals, found, measure)
    low, high = float(found.interval.low), float(found.interval.high)
    # The difference alone fits a cell; its interval stands under it.
    bounds = "no interval" if low != low else f"{_short(low)} to {_short(high)}"
    title = (
        f"{found.method}: {p_text(found.p_value)}, corrected {p_text(p)}; d_z {number_text(found.effect_size)}; "
        f"{count_text(wins)} won, {count_text(ties)} tied, {count_text(losses)} lost of {count_text(found.n)} queries"
    )
    return (
        f'<td title="{html.escape(title)}">{shown}{_MARKS[done.better(rivals.a, system, measure)]}'
        f"<small>{_short(found.estimate)}{_MARKS[0]}</small><small>{bounds}{_MARKS[0]}</small></td>"
    )


def _short(difference: float) -> str:
    """A difference in at most four decimals, so that the columns stay narrow; the tests below have more."""
    return signed(number_text)(round(difference, 4))


def _explained(rivals: Rivals, measure: str) -> str:
    definition = rivals.rankings.measure(measure)
    return f"{definition.name}. {definition.summary}"


def _legend(done: Tested) -> str:
    rivals = done.rivals
    level, alpha = f"{100 * rivals.confidence:g}{THIN}%", number_text(1 - rivals.confidence, 2)
    count = len(done.found)
    corrected = (
        f"uncorrected for {count_text(count)} comparisons"
        if rivals.correction == "none"
        else f"after {METHODS[rivals.correction]} for {count_text(count)} comparisons"
    )
    if count == 1:
        corrected = "one comparison"
    n = len(rivals.queries)
    parts = [
        f"Means over {count_text(n)} {'query' if n == 1 else 'queries'}, the best of each column bold; under A its "
        f"{level} interval, under the others the difference to A with its interval.",
        f"▲ better than {name(rivals.a)}, ▼ worse, no mark: may be chance ({test_words(rivals)}, p ≤ {alpha} "
        f"{corrected}).",
    ]
    if len(rivals.systems) < len(rivals.rankings.systems):
        parts.append(
            f"{len(rivals.systems)} of {count_text(len(rivals.rankings.systems))} systems are compared at once: A, B "
            "and the first of the others. Choose other ones as A and B."
        )
    return " ".join(parts)
