"""Two systems on the same rows: what one confuses more or less often than the other, and whether that is chance."""

import pandas as pd
import streamlit as st

from evalcore.analyses import ClassDifferences, ClassTable, compare_classes, predictions_of, system_titles
from evalcore.wording import short_names

from ...controls.bound import bound
from ...display.table import show_frame
from ...session import address
from ...session.entry_links import with_links
from ...session.loaded_scores import label_pairs_of

MOST = 12
"""Cells that are listed."""


def choose_other(table: ClassTable) -> str | None:
    """Ask which other system to compare with; nothing is asked where there is none."""
    others = [name for name in predictions_of(table.current) if name != table.prediction]
    if not others or table.pairs is None:
        return None
    return bound(
        st.selectbox, "Compare with", "other", address.choice("other", others), others,
        index=None, placeholder="no other system", key="compared with", format_func=system_titles(others).get,
        width=210,
    )  # fmt: skip


def with_classes_of(table: ClassTable, other: str | None) -> ClassTable:
    """The table with the classes, empty in it, that only the other system names."""
    return table if other is None else table.with_classes_of(label_pairs_of(table.current, other))


def differences_of(table: ClassTable, other: str | None, level: float) -> ClassDifferences | None:
    """The comparison with the other system, in the classes and the order of the table; None without another."""
    return None if other is None else _differences(f"{table.key}\n{other}\n{level!r}", table, other, level)


def show_differences(compared: ClassDifferences | None) -> None:
    """Which system is right more often, and the cells that differ by more than chance."""
    if compared is None:
        return
    st.header("What differs by more than chance", anchor=False)
    st.markdown(with_links(compared.verdict))
    st.caption(with_links(compared.note))
    shown = pd.DataFrame(compared.table).head(max(MOST, min(compared.beyond_chance, 100)))
    if len(shown):
        short = short_names(compared.cells.a.classes)
        frame = shown.assign(actual=shown["actual"].map(short), predicted=shown["predicted"].map(short))
        columns = dict.fromkeys(("p", "corrected p"), st.column_config.NumberColumn(format="%.2g"))
        alt = "The cells in which two systems differ most surely"
        show_frame(frame, "differences", alt, columns, most=len(frame), missing=None)


@st.cache_resource(max_entries=12, show_spinner="Comparing …")
def _differences(key: str, _table: ClassTable, _other: str, level: float) -> ClassDifferences:
    return compare_classes(_table, _other, label_pairs_of(_table.current, _other), level)
