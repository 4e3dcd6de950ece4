"""Every measure of two systems in a table: its two values, and their difference with its interval and its p-value."""

import html
import math
from pathlib import Path

import pandas as pd
import streamlit as st

from evalcore import METRICS
from evalcore.classification import filled_formula
from evalcore.figures import bounds_text, difference_text
from evalcore.inference import METHODS, adjusted, disagreements
from evalcore.wording import (
    THIN,
    UNDEFINED,
    count_text,
    label_text,
    latex,
    latex_count,
    number_text,
    p_text,
    value_text,
)

from ...display.figure import page_ink
from .comparison import Contest, comparable, name, word
from .tests import Difference, areas_of_systems, coverage_note, differences_of

_RULES = Path(__file__).with_name("compare.css").read_text(encoding="utf-8")


def show_contest_style() -> None:
    """The rules for the tables of this page."""
    st.html(f"<style>:root {{ --ground: {page_ink().paper}; }}\n{_RULES}</style>")


def all_differences(contest: Contest) -> list[Difference]:
    """The two systems by every measure of counts, or of the square table."""
    if contest.target is None:
        return differences_of(contest, comparable("matrix"))
    return differences_of(contest, comparable("counts"))


def show_all_measures(contest: Contest) -> None:
    """All measures with a search over every name they go by."""
    found = all_differences(contest)
    wanted = st.text_input(
        "Search", placeholder="Search by any name: PPV, hit rate …", label_visibility="collapsed", key="search"
    )
    shown = [one for one in found if _goes_by(one, wanted or "")]
    corrected = _corrected(contest, found)
    if shown:
        st.html(_table(contest, shown, corrected))
    else:
        st.caption("No measure goes by that name.")
    tested = sum(one.found.p_value == one.found.p_value for one in found)
    st.caption(
        "Shares of the same rows: interval of Tango, p of McNemar; the others: paired bootstrap of the rows. Corrected "
        f"p: {METHODS[contest.correction]}, for all {count_text(tested)} measures of the table. Whoever asked one "
        "question beforehand reads its p alone."
    )
    if contest.target is None:
        _show_classes(contest)


def show_areas(contest: Contest) -> None:
    """The two by what needs no threshold: the areas under the ROC and the precision–recall curve."""
    found = differences_of(contest, comparable("scores"))
    st.html(_table(contest, found, {}))
    by_delong = " and ".join(one.measure.label for one in found if one.measure.paired_test == "delong")
    tests = f"{by_delong} by DeLong, on the same rows; the others by 1 000 paired resamples of the rows."
    note = coverage_note(contest, METRICS["roc_auc"])
    st.caption(f"{tests} {note} The cut above changes none of these numbers.")
    if len(contest.drawn) > 2:
        areas = areas_of_systems(contest, contest.drawn)
        overall = areas.overall()
        st.markdown(
            f"**Could all {len(contest.drawn)} areas be equal?** χ² = {number_text(overall.statistic)} with "
            f"{overall.degrees} degrees of freedom, **{p_text(overall.p_value)}** (DeLong, on the rows that all have). "
            "Choose *Area under the ROC curve* above to see the pairs under *All systems*."
        )


def differences_frame(contest: Contest) -> pd.DataFrame:
    """The same numbers to take away, unrounded; of scores the areas too."""
    found = all_differences(contest)
    corrected = _corrected(contest, found)
    if contest.current.kind == "scores":
        found = [*found, *differences_of(contest, comparable("scores"))]
    lines = [
        {
            "measure": one.measure.name,
            "symbol": one.measure.label,
            f"A: {word(contest.a, 60)}": one.a,
            f"B: {word(contest.b, 60)}": one.b,
            "B minus A": one.found.estimate,
            "low": float(one.found.interval.low),
            "high": float(one.found.interval.high),
            "p": one.found.p_value,
            "corrected p": corrected.get(one.measure.key, math.nan),
            "level": contest.level,
            "correction": METHODS[contest.correction],
            "method": one.found.method,
            "n": one.found.n,
        }
        for one in found
    ]
    return pd.DataFrame(lines)


def show_contest_formulas(contest: Contest) -> None:
    """The formulas of the tests and of the chosen measure, with the numbers of both systems in them."""
    # Setting formulas costs the browser more than all else: only when they are asked for.
    with st.expander("Formulas with these numbers", key="formulas", on_change="rerun") as folded:
        if not folded.open:
            return
        right = contest.paired_classes.right() if contest.target is None else contest.paired
        both, only_a, only_b, neither = right.right()
        n = both + only_a + only_b + neither
        a, b = latex_count(only_a), latex_count(only_b)
        st.markdown(
            rf"**Difference in accuracy**: $\displaystyle \frac{{\text{{only B}} - \text{{only A}}}}{{n}} ="
            rf" \frac{{{b} - {a}}}{{{latex_count(n)}}}$"
        )
        st.markdown(
            r"**McNemar**, from 25 rows where only one is right: $\displaystyle \chi^2 ="
            rf" \frac{{(|\text{{only A}} - \text{{only B}}| - 1)^2}}{{\text{{only A}} + \text{{only B}}}} ="
            rf" \frac{{(|{a} - {b}| - 1)^2}}{{{a} + {b}}}$; below, the exact chance that a fair coin thrown"
            rf" ${a} + {b}$ times falls so unevenly."
        )
        st.markdown(
            r"**DeLong**: $\displaystyle z = \frac{AUC_B - AUC_A}{\sqrt{s_A^2 + s_B^2 - 2\,s_{AB}}}$, with variances"
            r" and covariance from how large a share of the other class each row outranks."
        )
        if contest.measure.family == "counts":
            paired = contest.paired
            for system, counts in ((contest.a, paired.a), (contest.b, paired.b)):
                measure = contest.measure
                filled = filled_formula(measure, counts, latex_count, lambda m, x: latex(value_text(m, x)))
                value = float(measure(counts))
                st.markdown(
                    rf"**{measure.name}** of {name(system)}: $\displaystyle {measure.formula} = {filled} ="
                    rf" {latex(value_text(measure, value))}$"
                )
        elif contest.measure.family == "matrix":
            st.markdown(rf"**{contest.measure.name}**: $\displaystyle {contest.measure.formula}$")


def _show_classes(contest: Contest) -> None:
    """McNemar in every actual class: whose rows does B name better?"""
    rows = contest.rows
    found = disagreements(
        rows.actual, rows.said[0], rows.said[1], rows.classes, rows.weights, contest.level, contest.correction
    )
    st.markdown(f"**Class by class** :small[:gray[recall of each class, McNemar, {METHODS[contest.correction]}]]")
    frame = pd.DataFrame(
        {
            "class": [label_text(label, 60) for label in found.classes],
            "rows": found.both + found.only_a + found.only_b + found.neither,
            "only A right": found.only_a,
            "only B right": found.only_b,
            "difference": [difference_text(METRICS["recall"], test.estimate) for test in found.tests],
            "p": [test.p_value for test in found.tests],
            "corrected p": found.corrected,
        }
    )
    st.dataframe(
        frame,
        hide_index=True,
        key="classes compared",
        height="content" if len(frame) <= 12 else 440,
        placeholder=UNDEFINED,
        alt="For each class the rows that only one system names rightly, and the test",
        column_config={
            key: st.column_config.NumberColumn(format="%.2g" if "p" in key.split() else "localized")
            for key in ("rows", "only A right", "only B right", "p", "corrected p")
        },
    )


def _corrected(contest: Contest, found: list[Difference]) -> dict[str, float]:
    corrected = adjusted([one.found.p_value for one in found], contest.correction)
    return dict(zip((one.measure.key for one in found), corrected.tolist(), strict=True))


def _goes_by(one: Difference, wanted: str) -> bool:
    measure = one.measure
    names = (measure.key.replace("_", " "), measure.name, measure.label, *measure.aliases)
    return any(wanted.strip().casefold() in known.casefold() for known in names)


def _table(contest: Contest, found: list[Difference], corrected: dict[str, float]) -> str:
    """The table as HTML; the names of the systems stay out of it, all other words are the registry's."""
    level = f"{100 * contest.level:g}{THIN}% interval"
    last = f"<th>{'corrected p' if corrected else 'n'}</th>"
    lines, group = [], None
    for one in found:
        measure = one.measure
        if measure.group != group:
            group = measure.group
            lines.append(f'<tr class="group"><th colspan="7">{group}</th></tr>')
        lines.append(_line(contest, one, corrected))
    head = f"<tr><th>measure</th><th>A</th><th>B</th><th>B − A</th><th>{level}</th><th>p</th>{last}</tr>"
    return f'<table class="contest"><thead>{head}</thead><tbody>{"".join(lines)}</tbody></table>'


def _line(contest: Contest, one: Difference, corrected: dict[str, float]) -> str:
    measure, found = one.measure, one.found
    title = f'{html.escape(measure.name)} <span class="names">{html.escape(measure.label)}</span>'
    values = "".join(f"<td>{value_text(measure, value)}</td>" for value in (one.a, one.b))
    if found.estimate != found.estimate:
        reason = html.escape(one.why_undefined)
        return f'<tr><td>{title}</td>{values}<td class="undefined" colspan="4">{UNDEFINED}: {reason}</td></tr>'
    p = corrected.get(measure.key, found.p_value)
    side = one.better(1 - contest.level, p)
    mark, sign = {1: (' class="b"', " · B"), -1: (' class="a"', " · A"), 0: ("", "")}[side]
    method = f' title="{html.escape(found.method)}"'
    if corrected:
        last = f"<td{method}>{_p(found.p_value)}</td><td{mark}>{_p(p)}{sign}</td>"
    else:
        last = f"<td{method}{mark}>{_p(p)}{sign}</td><td>{count_text(found.n)}</td>"
    low, high = float(found.interval.low), float(found.interval.high)
    written, bounds = difference_text(measure, found.estimate, high - low), bounds_text(measure, low, high)
    return f"<tr><td>{title}</td>{values}<td><b>{written}</b></td><td>{bounds}</td>{last}</tr>"


def _p(value: float) -> str:
    return html.escape(p_text(value).removeprefix("p ").removeprefix("= "))
