"""The three doors of Home, each with a small picture: a file of one's own, a threshold, and what there is to learn."""

import html
from base64 import b64encode

import streamlit as st

from evalcore.figures import SMALL_THRESHOLD, ink, sample_picture
from evalcore.readers import KINDS
from evalcore.wording import plain
from pages.widgets.controls.upload import choose_upload
from pages.widgets.display.figure import page_ink
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened, samples

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


# question, what answers it, page, sample
QUESTIONS = (
    ("Is this a good test?", "four counts and what they mean", "classify/confusion", "cancer_test"),
    ("Does it find enough of the carriers?", "the same, for early detection", "classify/confusion", "virus_test"),
    ("Where should I set the threshold?", "drag it, with costs and limits", "classify/threshold", "breast_cancer"),
    ("How good are the scores at every threshold?", "ROC and precision–recall", "classify/curves", "breast_cancer"),
    ("Which class is confused with which?", "the matrix of all classes", "classify/classes", "digits"),
    ("Which labels are right, and how often?", "several labels per row", "classify/multilabel", "digits_labels"),
    (
        "Can I believe the probabilities?",
        "is 90 % right nine times in ten?",
        "classify/probabilities",
        "digits_probabilities",
    ),
    ("Is B really better than A?", "paired tests on the same rows", "classify/compare", "breast_cancer"),
    ("Are the relevant documents at the top?", "ranked lists and their curves", "retrieve/ranking", "image_retrieval"),
    ("What did the search find, and what did it miss?", "two sets, two methods", "retrieve/sets", "two_methods"),
    ("Are the best documents at the top?", "grades, discounts and nDCG", "retrieve/graded", "graded_10"),
    ("Which system ranks better?", "corrected tests over queries", "retrieve/compare", "image_retrieval"),
    ("How far off are the estimates?", "errors and residuals", "estimate/regression", "diabetes"),
    ("How much do two masks agree?", "Dice and distances of outlines", "estimate/overlap", "digit_masks"),
    ("How far apart are two distributions?", "divergences, bin by bin", "estimate/distributions", "digit_confidence"),
    ("Do macro and micro averages agree?", "many small queries, one large", "retrieve/sets", "large_and_small"),
    ("What does resampling do for a rare class?", "four ways to train", "classify/threshold", "rare_digit"),
    ("What does accuracy hide?", "a high value that finds nothing", "classify/confusion", "always_negative"),
)

LESSONS = (
    ("What would you have decided?", "worked examples that ask before they show", "learn/examples"),
    ("What makes a curve?", "two hills of scores to shape and to sweep", "learn/playground"),
    ("Can you do it?", "tasks that know what went wrong, and traps", "learn/challenges"),
    ("What does this number mean?", "every measure, by any of its names", "learn/measures"),
    ("How do I teach it?", "a lecture in a link, with six ready to give", "learn/lecture"),
)


def show_questions() -> None:
    """One line per question, with a link that opens its page on what is open if that fits, else on a sample."""
    current = opened()
    fitting = () if current is None else KINDS[current.kind].pages
    with st.container(key="questions", gap=None):
        for question, answer, page, data in QUESTIONS:
            link, words = st.columns([2, 3], vertical_alignment="center")
            at, what = {"data": data, **samples()[data].settings}, f"sample: {samples()[data].title}"
            if current is not None and page in fitting:
                at, what = address.parameters(), plain(current.title)
            link.page_link(f"pages/{page}.py", label=f"**{question}**", query_params=at)
            words.caption(f"{answer} · {what}")


def show_lessons() -> None:
    """One line per page that teaches; what is open stays open."""
    with st.container(key="lessons", gap=None):
        for question, answer, page in LESSONS:
            link, words = st.columns([2, 3], vertical_alignment="center")
            link.page_link(f"pages/{page}.py", label=f"**{question}**", query_params=address.parameters())
            words.caption(answer)


def show_ways_on() -> None:
    """What is open now, with a link to each page that can use it."""
    current = opened()
    if current is None:
        return
    with st.container(key="ways-on", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"Open now: **{plain(current.title)}**", width="content")
        for page in ("start/data", *KINDS[current.kind].pages):
            st.page_link(f"pages/{page}.py", query_params=address.parameters(), width="content")
