"""Micro and macro average of the classes: one curve for all of them."""

import streamlit as st

from evalcore import measures_of
from evalcore.analyses import Source
from evalcore.classification import macro_precision_recall_curve, macro_roc_curve, pooled
from evalcore.figures import ClassMeans

from ...session.loaded_scores import scores_of

MOST_CELLS = 20_000_000
"""Rows times classes up to which the averages are worked out."""


def has_means(current: Source) -> bool:
    """Whether there are several classes, and not more rows of them than can be pooled in a moment."""
    classes = len(current.dataset.systems)
    return current.kind == "probabilities" and classes > 1 and current.rows * classes <= MOST_CELLS


def means_of(current: Source) -> ClassMeans:
    """The averaged curves; kept."""
    return _means(current.key_of(None), current)


def mean_rows(current: Source, classes: list[dict]) -> list[dict]:
    """The lines of the two averages for the table of classes."""
    if not has_means(current):
        return []
    rows = [dict(_micro_row(current.key_of(None), current))]
    known = [line for line in classes if line["AUC"] == line["AUC"]]
    if known:
        labels = [measure.label for measure in measures_of("scores")]
        means = {label: sum(line[label] for line in known) / len(known) for label in labels}
        rows.append({"system": "macro average", **means, "rows": known[0]["rows"], "positives": known[0]["rows"]})
    return rows


@st.cache_resource(max_entries=4, show_spinner="Averaging the classes …")
def _means(key: str, _current: Source) -> ClassMeans:
    states = [scores_of(_current, system).scored for system in _current.dataset.systems]
    tables = [state.table() for state in states]
    return ClassMeans(pooled(states).table(), macro_roc_curve(tables), macro_precision_recall_curve(tables))


@st.cache_data(max_entries=32, show_spinner=False)
def _micro_row(key: str, _current: Source) -> dict:
    state = pooled([scores_of(_current, system).scored for system in _current.dataset.systems])
    values = {measure.label: float(measure(state)) for measure in measures_of("scores")}
    return {
        "system": "micro average",
        **values,
        "rows": state.positives + state.negatives,
        "positives": state.positives,
    }
