"""The open data as rows with an actual and a predicted class."""

import streamlit as st

from evalcore.analyses import LabelPairs, Source

from .loaded_scores import scores_of, threshold_of


def label_pairs_of(current: Source, prediction: str | None) -> LabelPairs | None:
    """The rows of the open data, None where it holds counts only. May raise ReadProblem."""
    if current.kind == "counts":
        return None
    with st.spinner("Counting …"):
        if current.kind != "scores":
            return LabelPairs.of(current, prediction)
        scores = scores_of(current, current.system)
        return LabelPairs.at(scores, threshold_of(scores))
