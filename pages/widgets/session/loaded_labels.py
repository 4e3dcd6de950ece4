"""The open data as rows with an actual and a predicted class, made once for all sessions."""

from collections.abc import Callable

import streamlit as st

from evalcore.analyses import LabelPairs, Source

from .loaded_scores import scores_of, threshold_of


def label_pairs_of(current: Source, prediction: str | None) -> LabelPairs | None:
    """The rows of the open data, None where it holds counts only. May raise ReadProblem."""
    if current.kind == "counts":
        return None
    if current.kind == "scores":
        scores = scores_of(current, current.system)
        threshold = threshold_of(scores)
        return _pairs(f"{current.key}\n{threshold!r}", lambda: LabelPairs.at(scores, threshold))
    return _pairs(f"{current.key_of(prediction)}\n{current.kind}", lambda: LabelPairs.of(current, prediction))


# Two places and a weight per row: few are kept, for all sessions together.
@st.cache_resource(max_entries=12, show_spinner="Counting …")
def _pairs(key: str, _make: Callable[[], LabelPairs]) -> LabelPairs:
    return _make()
