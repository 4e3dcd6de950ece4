"""The three doors of Home, each with a small picture: a file of one's own, a threshold, and what there is to learn."""

import html
from base64 import b64encode
from functools import cache

import streamlit as st

from evalcore.analyses import Scores, Source
from evalcore.classification import roc_auc
from evalcore.figures import ink, small_histograms, small_matrix, small_roc_curve
from evalcore.readers import KINDS, read_sample
from evalcore.wording import count_text, number_text, plain

from ...controls.upload import choose_upload
from ...display.figure import page_ink
from ...session import address
from ...session.current_dataset import opened

_THRESHOLD, _ROC, _CLASSES = "breast_cancer", "roc_20", "digits"
_AT = 0.35
"""The threshold that the second picture shows."""


def show_doors() -> None:
    """A file first, then the threshold of what is open or of a sample, then examples and playground."""
    current = opened()
    with st.container(key="doors"):
        file, threshold, learn = st.columns(3, border=True)
    with file:
        _show_picture(_CLASSES)
        st.header("Look at my file", anchor=False)
        st.caption("A table (CSV, Excel, Parquet …) or TREC files. You see how each column is read before any number.")
        choose_upload("home", label_visibility="collapsed")
    with threshold:
        _show_picture(_THRESHOLD)
        st.header("Choose a threshold", anchor=False)
        st.caption("Drag it through the scores, state costs and limits, and see what to expect in the next cases.")
        link, label = {"data": _THRESHOLD, "t": str(_AT)}, "Try it with this sample"
        if current is not None and "classify/threshold" in KINDS[current.kind].pages:
            link, label = address.parameters(), f"Open {plain(current.title)}"
        st.page_link("pages/classify/threshold.py", label=label, icon=":material/arrow_forward:", query_params=link)
    with learn:
        _show_picture(_ROC)
        st.header("Learn it", anchor=False)
        st.caption("Worked examples from the literature that ask before they show, and score distributions to shape.")
        for page, label in (("examples", "Worked examples"), ("playground", "Playground")):
            parameters = address.parameters()
            st.page_link(
                f"pages/learn/{page}.py", label=label, icon=":material/arrow_forward:", query_params=parameters
            )


def _show_picture(sample: str) -> None:
    picture, words = _picture(sample, page_ink() == ink(dark=True))
    code = b64encode(picture.encode()).decode()
    st.html(f'<img src="data:image/svg+xml;base64,{code}" alt="{html.escape(words)}">')


@cache
def _picture(sample: str, dark: bool) -> tuple[str, str]:
    """A small picture of a sample, and what it shows in words."""
    data, colours = read_sample(sample), ink(dark)
    if sample == _CLASSES:
        matrix = data.matrix()
        right, total = count_text(matrix.counts.trace()), count_text(matrix.counts.sum())
        words = f"Confusion matrix of {len(matrix.classes)} handwritten digits: {right} of {total} on the diagonal"
        return small_matrix(matrix, colours), words
    scores = Scores.of(source := Source.of(data, sample=sample), str(source.system))
    if sample == _ROC:
        words = f"ROC curve of {source.size}: area under the curve {number_text(roc_auc(scores.scored))}"
        return small_roc_curve(scores.scored, colours), words
    counts = scores.counts_at(_AT)
    listed = ", ".join(
        f"{name.upper()} {count_text(float(getattr(counts, name)))}" for name in ("tp", "fp", "fn", "tn")
    )
    words = f"Scores of {source.size} and the threshold {_AT}: {listed}"
    return small_histograms(scores.scored, _AT, colours), words
