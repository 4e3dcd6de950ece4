"""The measures of a 2×2 table on the page: all of them with interval, n and meaning, found by any of their names."""

import html
from collections.abc import Iterable

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import MetricDef, measures_of
from evalcore.classification import ConfusionCounts, filled_formula
from evalcore.inference import IntervalChoice
from evalcore.wording import THIN, count_text, latex, latex_count, value_text


def choose_params() -> dict[str, float]:
    """Ask for the numbers that some measures are asked with; they stay in the address."""
    with st.popover("Beta and costs", width="content"):
        return {
            "beta": st.number_input(
                "Beta of F and E",
                0.0,
                1000.0,
                1.0,
                0.5,
                key="beta",
                bind="query-params",
                help="2: recall counts double",
            ),
            "fn_cost": st.number_input("Cost of a miss", -1e9, 1e9, 1.0, key="miss", bind="query-params"),
            "fp_cost": st.number_input("Cost of a false alarm", -1e9, 1e9, 1.0, key="alarm", bind="query-params"),
            "probability": st.number_input(
                "Risk to act from", 0.0, 0.99, 0.5, 0.05, key="risk", bind="query-params", help="For the net benefit"
            ),
        }


def show_measures(counts: ConfusionCounts, intervals: IntervalChoice, params: dict[str, float]) -> None:
    """All measures in a table with a search over every name they go by."""
    heading, search = st.columns([3, 2], vertical_alignment="bottom")
    heading.subheader("All measures", anchor=False)
    wanted = search.text_input(
        "Search", placeholder="Search by any name: PPV, hit rate …", label_visibility="collapsed", key="search"
    )
    found = [m for m in measures_of("counts", **params) if _goes_by(m, wanted)]
    if not found:
        st.caption("No measure goes by that name.")
        return
    st.html(_table(found, counts, intervals))


def show_formulas(counts: ConfusionCounts, params: dict[str, float]) -> None:
    """Every formula with the numbers of this table in it."""
    fill_formulas(fold_formulas(), counts, params)


def fold_formulas() -> DeltaGenerator:
    """The place of the formulas, folded at first."""
    # Setting some thirty formulas costs the browser more than all else on a page: only when they are asked for.
    return st.expander("Formulas with these numbers", key="formulas", on_change="rerun")


def fill_formulas(folded: DeltaGenerator, counts: ConfusionCounts, params: dict[str, float]) -> None:
    """Write them into their place where it is unfolded."""
    if folded.open:
        folded.markdown("\n\n".join(_formula(m, counts) for m in measures_of("counts", **params)))


def measures_frame(counts: ConfusionCounts, intervals: IntervalChoice, params: dict[str, float]) -> pd.DataFrame:
    """The same numbers as a table to take away, unrounded."""
    rows = []
    for measure in measures_of("counts", **params):
        interval = intervals.of(measure, counts)
        low, high, n = (float(interval[0].low), float(interval[0].high), interval[1]) if interval else (None,) * 3
        rows.append((measure.name, measure.label, float(measure(counts)), low, high, n))
    return pd.DataFrame(rows, columns=["measure", "symbol", "value", "low", "high", "n"])


def _goes_by(measure: MetricDef, wanted: str) -> bool:
    names = (measure.key.replace("_", " "), measure.name, measure.label, *measure.aliases)
    return any(wanted.strip().casefold() in name.casefold() for name in names)


def _table(found: Iterable[MetricDef], counts: ConfusionCounts, intervals: IntervalChoice) -> str:
    """The table as HTML; every word in it is the registry's, none comes from a file."""
    lines, group = [], None
    for measure in found:
        if measure.group != group:
            group = measure.group
            lines.append(f'<tr class="group"><th colspan="5">{group}</th></tr>')
        lines.append(_line(measure, counts, intervals))
    level = f"{100 * intervals.level:g}{THIN}% interval"
    head = f"<tr><th>measure</th><th>value</th><th>{level}</th><th>n</th><th>in a sentence</th></tr>"
    return f'<table class="measures"><thead>{head}</thead><tbody>{"".join(lines)}</tbody></table>'


def _line(measure: MetricDef, counts: ConfusionCounts, intervals: IntervalChoice) -> str:
    value = float(measure(counts))
    found = intervals.of(measure, counts)
    bounds = size = ""
    if found:
        bounds = f"{value_text(measure, float(found[0].low))} – {value_text(measure, float(found[0].high))}"
        size = count_text(found[1])
    known = f"<b>{value_text(measure, value)}</b>"
    if value != value:
        known = '<span class="undefined">undefined</span>'
        bounds = f'<span class="undefined">{html.escape(measure.undefined_when)}</span>'
    others = " · ".join((measure.label, *(a for a in measure.aliases[:2] if "{" not in a)))
    name = f'{html.escape(measure.name)} <span class="names">{html.escape(others)}</span>'
    sentence = html.escape(measure.summary)
    return f"<tr><td>{name}</td><td>{known}</td><td>{bounds}</td><td>{size}</td><td>{sentence}</td></tr>"


def _formula(measure: MetricDef, counts: ConfusionCounts) -> str:
    value = float(measure(counts))
    filled = filled_formula(measure, counts, latex_count, lambda m, x: latex(value_text(m, x)))
    result = (
        latex(value_text(measure, value)) if value == value else r"\text{undefined: " + measure.undefined_when + "}"
    )
    return rf"**{measure.name}** ({measure.label})  $\displaystyle {measure.formula} \;=\; {filled} \;=\; {result}$"
