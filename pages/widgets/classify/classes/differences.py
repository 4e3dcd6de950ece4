"""Two systems on the same rows: what the one confuses more or less often than the other, and whether that is chance."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.analyses import LabelPairs, prediction_title, predictions_of
from evalcore.classification import ConfusionMatrix
from evalcore.inference import CellDifferences, Comparison, IntervalChoice, compare_cells, mcnemar
from evalcore.wording import count_text, points_text, signed

from ...session import address
from ...session.loaded_labels import label_pairs_of
from .class_matrix import ClassTable, markdown, word

MOST = 12
"""Cells that are listed."""

_OTHER = "compared with"


def choose_other(table: ClassTable) -> str | None:
    """Ask which other system to compare with; nothing is asked where there is none."""
    others = [name for name in predictions_of(table.current) if name != table.prediction]
    if not others or table.rows is None:
        return None
    st.session_state[_OTHER] = address.choice("other", others)
    return st.selectbox(
        "Compare with",
        others,
        index=None,
        placeholder="no other system",
        key=_OTHER,
        format_func=prediction_title,
        on_change=lambda: address.put("other", st.session_state[_OTHER]),
        width=210,
    )


def with_classes_of(table: ClassTable, other: str | None) -> ClassTable:
    """The table with the classes, empty in it, that only the other system names."""
    if other is None:
        return table
    named = (table.groups.get(name, name) for name in label_pairs_of(table.current, other).classes)
    extra = tuple(name for name in dict.fromkeys(named) if name not in table.classes)
    if not extra:
        return table
    matrix = ConfusionMatrix((*table.classes, *extra), np.pad(table.matrix.counts, (0, len(extra))))
    return replace(table, matrix=matrix, key=f"{table.key}\n{other}")


def differences_of(table: ClassTable, other: str | None) -> CellDifferences | None:
    """The cells of both systems over the rows that both have, in the classes and the order of the table."""
    if other is None:
        return None
    return _differences("\n".join((table.key, other, repr(table.classes))), _table=table, _other=other)


def show_differences(
    table: ClassTable, other: str | None, found: CellDifferences | None, intervals: IntervalChoice
) -> None:
    """Which system is right more often, and the cells that differ by more than chance."""
    if found is None:
        return
    first, second = prediction_title(table.prediction), prediction_title(other)
    compared = _compared("\n".join((table.key, other, repr(intervals.level))), table, other, intervals.level)
    st.subheader("What differs by more than chance", anchor=False)
    st.markdown(_overall(compared, markdown(first), markdown(second), intervals.level))
    frame = differences_frame(found)
    beyond = int((frame["corrected p"] <= 1 - intervals.level).sum())
    st.caption(
        f"A is {markdown(first)}, B is {markdown(second)}. {count_text(len(frame))} cells differ in some row; "
        f"{count_text(beyond)} of them by more than chance (McNemar's exact test in each cell, corrected by Holm for "
        f"all {count_text(len(frame))})."
    )
    if len(frame):
        shown = frame.head(max(MOST, min(beyond, 100)))
        st.dataframe(
            shown.assign(actual=shown["actual"].map(word), predicted=shown["predicted"].map(word)),
            hide_index=True,
            height="content",
            key="differences",
            alt="The cells in which two systems differ most surely",
            column_config={
                "p": st.column_config.NumberColumn(format="%.2g"),
                "corrected p": st.column_config.NumberColumn(format="%.2g"),
            },
        )


def differences_frame(found: CellDifferences) -> pd.DataFrame:
    """Every cell in which some row differs, the surest difference first."""
    actual, predicted = np.nonzero(~np.isnan(found.p_values))
    frame = pd.DataFrame(
        {
            "actual": [found.a.classes[i] for i in actual],
            "predicted": [found.a.classes[i] for i in predicted],
            "A": found.a.counts[actual, predicted],
            "B": found.b.counts[actual, predicted],
            "only A": found.only_a[actual, predicted],
            "only B": found.only_b[actual, predicted],
            "p": found.p_values[actual, predicted],
            "corrected p": found.corrected[actual, predicted],
        }
    )
    return frame.sort_values(["corrected p", "p"], kind="stable", ignore_index=True)


def _overall(compared: Comparison, first: str, second: str, level: float) -> str:
    low, high = (signed(points_text)(float(bound)) for bound in (compared.interval.low, compared.interval.high))
    difference = signed(points_text)(compared.estimate)
    surely = compared.p_value <= 1 - level
    better = second if compared.estimate > 0 else first
    verdict = f"{better} is right more often, beyond chance" if surely else "neither is right more often beyond chance"
    p = "p < 0.001" if compared.p_value < 0.001 else f"p = {compared.p_value:.3f}"
    return (
        f"**Accuracy of {second} minus {first}: {difference}** ({low} to {high} at {100 * level:g} %), {p} by "
        f"{compared.method}, n = {count_text(compared.n)}: {verdict}."
    )


@st.cache_resource(max_entries=12, show_spinner="Comparing …")
def _differences(key: str, _table: ClassTable, _other: str) -> CellDifferences:
    actual, a, b, weights = _paired(_table, _other)
    return compare_cells(actual, a, b, _table.classes, weights)


@st.cache_data(max_entries=32, show_spinner=False)
def _compared(key: str, _table: ClassTable, _other: str, level: float) -> Comparison:
    actual, a, b, _ = _paired(_table, _other)
    return mcnemar(a == actual, b == actual, level)


def _paired(table: ClassTable, other: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
    """Actual and predicted classes of the rows that both systems have, as places in the table."""
    of_a, of_b = table.rows, label_pairs_of(table.current, other)
    both = (of_a.actual >= 0) & (of_b.actual >= 0)
    weights = None if of_a.weights is None else of_a.weights[both]
    places = {name: place for place, name in enumerate(table.classes)}
    known_a, known_b = (_recoding(rows, table.groups, places) for rows in (of_a, of_b))
    return known_a[of_a.actual[both]], known_a[of_a.predicted[both]], known_b[of_b.predicted[both]], weights


def _recoding(rows: LabelPairs, groups: dict[str, str], places: dict[str, int]) -> np.ndarray:
    return np.array([places[groups.get(name, name)] for name in rows.classes], dtype=np.intp)
