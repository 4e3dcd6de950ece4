"""The three doors of Home, each with a small picture: a file of one's own, a threshold, and what there is to learn."""

import html
from base64 import b64encode

import streamlit as st

from evalcore.figures import SMALL_THRESHOLD, ink, sample_picture
from evalcore.readers import KINDS
from evalcore.wording import plain

from ...controls.upload import choose_upload
from ...display.figure import page_ink
from ...session import address
from ...session.current_dataset import opened

_THRESHOLD, _ROC, _CLASSES = "breast_cancer", "roc_20", "digits"


def show_doors() -> None:
    """A file first, then the threshold of what is open or of a sample, then examples and playground."""
    current = opened()
    with st.container(key="doors"):
        file, threshold, learn = st.columns(3, border=True)
    with file:
        _show_picture(_CLASSES, "matrix")
        st.header("Look at my file", anchor=False)
        st.caption("A table (CSV, Excel, Parquet …) or TREC files. You see how each column is read before any number.")
        choose_upload("home", label_visibility="collapsed")
    with threshold:
        _show_picture(_THRESHOLD, "threshold")
        st.header("Choose a threshold", anchor=False)
        st.caption("Drag it through the scores, state costs and limits, and see what to expect in the next cases.")
        link, label = {"data": _THRESHOLD, "t": str(SMALL_THRESHOLD)}, "Try it with this sample"
        if current is not None and "classify/threshold" in KINDS[current.kind].pages:
            link, label = address.parameters(), f"Open {plain(current.title)}"
        st.page_link("pages/classify/threshold.py", label=label, icon=":material/arrow_forward:", query_params=link)
    with learn:
        _show_picture(_ROC, "roc")
        st.header("Learn it", anchor=False)
        st.caption("Worked examples from the literature that ask before they show, and score distributions to shape.")
        for page, label in (("examples", "Worked examples"), ("playground", "Playground")):
            parameters = address.parameters()
            st.page_link(
                f"pages/learn/{page}.py", label=label, icon=":material/arrow_forward:", query_params=parameters
            )


def _show_picture(sample: str, shows: str) -> None:
    picture, words = sample_picture(sample, shows, page_ink() == ink(dark=True))
    code = b64encode(picture.encode()).decode()
    st.html(f'<img src="data:image/svg+xml;base64,{code}" alt="{html.escape(words)}">')
