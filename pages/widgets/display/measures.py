"""The measures of a 2×2 table on the page: all of them with interval, n and meaning, found by any of their names."""

from collections.abc import Callable, Sequence
from typing import Protocol

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.analyses import Confusion, measure_heads
from evalcore.wording import with_parameters

from ..session import address
from .table import show_table

# label, lowest, highest, usual, step, key, help
_PARAMS = {
    "beta": ("Beta of F and E", 0.0, 1000.0, 1.0, 0.5, "beta", "2: recall counts double"),
    "fn_cost": ("Cost of a miss", -1e9, 1e9, 1.0, None, "miss", None),
    "fp_cost": ("Cost of a false alarm", -1e9, 1e9, 1.0, None, "alarm", None),
    "probability": ("Risk to act from", 0.0, 0.99, 0.5, 0.05, "risk", "For the net benefit"),
}


class HasFormulas(Protocol):
    """An analysis with its formulas, in Markdown."""

    @property
    def formulas(self) -> str: ...


def choose_params() -> dict[str, float]:
    """Ask for the numbers that some measures are asked with; they stay in the address."""
    with st.popover("Beta and costs", width="content"):
        return {
            name: st.number_input(*limits, key=key, bind="query-params", help=words)
            for name, (*limits, key, words) in _PARAMS.items()
        }


def show_measures(confusion: Confusion) -> None:
    """All measures in a table with a search over every name they go by."""
    heading, search = st.columns([3, 2], vertical_alignment="bottom")
    heading.header("All measures", anchor=False)
    text = search.text_input(
        "Search", placeholder="Search by any name: PPV, hit rate …", label_visibility="collapsed", key="search",
        bind="query-params",
    )  # fmt: skip
    rows = confusion.rows(text or "")
    if rows:
        show_table(measure_heads(confusion.intervals), rows, "measures")
    else:
        st.caption("No measure has that name.")


def fold_formulas() -> DeltaGenerator:
    """The place of the formulas, folded at first."""
    # Setting some thirty formulas costs the browser more than all else on a page: only when they are asked for.
    return st.expander("Formulas with these numbers", key="formulas", on_change="rerun")


def show_formulas(analysis: HasFormulas, folded: DeltaGenerator | None = None) -> None:
    """Every formula with the numbers of an analysis in it, where their place is unfolded."""
    folded = folded or fold_formulas()
    if folded.open:
        folded.markdown(with_parameters(analysis.formulas, address.parameters()))


def show_explained_formulas(explain: Callable[[], Sequence[tuple[str, str, str]]]) -> None:
    """Title, formula and explanation of each measure, in Markdown; worked out when their place is unfolded."""
    folded = fold_formulas()
    for title, formula, words in explain() if folded.open else ():
        folded.markdown(with_parameters(title, address.parameters()))
        if formula:
            folded.markdown(formula)
        folded.caption(words)
