"""Home: a place for a file, its scores with a threshold to drag, or a sample's, and the questions behind four doors."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.analyses import Source, ThresholdChoice
from evalcore.figures.threshold_view import ThresholdView
from evalcore.inference import IntervalChoice
from evalcore.readers import KINDS, text_of
from evalcore.registry import PAGES
from evalcore.wording import plain
from pages.widgets.classify.threshold import threshold as views
from pages.widgets.classify.threshold.pins import pins_of
from pages.widgets.controls.goals import choose_goal
from pages.widgets.controls.roles import choose_roles, offer_direction
from pages.widgets.controls.threshold import count_at_threshold, show_exactness
from pages.widgets.controls.upload import choose_upload
from pages.widgets.display.page import finding, show_exit
from pages.widgets.display.sidebar import show_drawn_again
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened, other_source, samples
from pages.widgets.session.loaded import SCORED, scores_of, threshold_of
from pages.widgets.session.page_exit import EXITS

_SAMPLE = "breast_cancer"


def show_file() -> None:
    """The question or how the open file was read, and a place to drop a file: scores stay here, else it goes on."""
    current = opened()
    if current is None or current.kind not in SCORED:
        finding().header(PAGES["start/home"].question, anchor=False)
    if current is None:
        st.markdown("For classifiers, search and estimates: exact numbers with intervals, and the rows behind them.")
    else:
        _show_reading(current)
    choose_upload("home", "Drop predictions here: CSV, Excel, Parquet, TREC …", go=True, stay=SCORED)


def _show_reading(current: Source) -> None:
    """One line: how the open data was read, to be changed or closed, and the first pages that suit it."""
    first = current.dataset.first_page
    others, reading = [], KINDS[current.kind].title
    if current.kind in SCORED:
        others = [page for page in KINDS[current.kind].pages if page != first]
        positive = dict(current.roles.get("probability", ())).get(current.system, current.roles.get("positive"))
        named = None if positive is None else f"positive = {text_of(positive)}"
        reading = " · ".join(plain(part, 40) for part in (current.roles.get("actual"), current.system, named) if part)
    with st.container(key="read-here", horizontal=True, vertical_alignment="center"):
        st.caption(f"Read as: {reading}", width="content")
        with st.popover("Change", type="tertiary", key="read-as", on_change="rerun") as unfolded:
            if unfolded.open:
                choose_roles(current)
        st.button("Close", key="close the data", type="tertiary", on_click=address.put, args=("data", None))
        for page in (first, *others[:2]):
            label = f"{'Continue on ' if page == first else ''}{PAGES[page].title}"
            st.page_link(f"pages/{page}.py", label=label, query_params=address.parameters(), width="content")


def show_live_view() -> None:
    """The threshold of the open scores, to be dragged; where nothing is open, that of a sample."""
    current = opened()
    if current is not None and current.kind not in SCORED:
        return
    source = other_source(_SAMPLE) if current is None else current
    try:
        scores = scores_of(source, source.system)
        if current is not None:
            offer_direction(scores)
        with st.container(key="unseen"):  # Home asks for no goal, but the address and the knob of costs may have one
            chosen = choose_goal(scores)
        view = views.send_view(scores, views.first_drawing(scores), IntervalChoice(), chosen.goal.priced)
        _show_view(view, chosen, None if current is None else finding())
    except EXITS as ended:  # what stands below is for any data
        show_exit(ended)


@st.fragment
def _show_view(view: ThresholdView, chosen: ThresholdChoice, found: DeltaGenerator | None) -> None:
    threshold = threshold_of(chosen.scores)
    pins = pins_of(chosen.scores)
    views.show_threshold_view(threshold, view, chosen, pins, resampled=False, opens_rows=found is not None)
    if found is not None:
        counted = count_at_threshold(chosen.scores)
        views.show_operating_point(chosen.scores, threshold, counted, view.intervals, found)
        views.show_rows(chosen.scores, counted, threshold)
    show_exactness(chosen.scores, threshold, "roc_auc", "average_precision")
    show_drawn_again()


# question, what answers it, page, sample
QUESTIONS = (
    ("Is this a good test?", "four counts and what they mean", "classify/confusion", "cancer_test"),
    ("Does it find enough of the carriers?", "the same, for early detection", "classify/confusion", "virus_test"),
    ("Where should I set the threshold?", "drag it, with costs and limits", "classify/threshold", "breast_cancer"),
    ("How good are the scores at every threshold?", "ROC and precision–recall", "classify/curves", "breast_cancer"),
    ("Which class is confused with which?", "the matrix of all classes", "classify/classes", "digits"),
    ("Which labels are right, and how often?", "several labels per row", "classify/classes", "digits_labels"),
    ("Can I believe the probabilities?", "does 90 % mean 9 in 10?", "classify/probabilities", "digits_probabilities"),
    ("Is B really better than A?", "paired tests on the same rows", "classify/compare", "breast_cancer"),
    ("Are the relevant documents at the top?", "ranked lists and their curves", "retrieve/ranking", "image_retrieval"),
    ("What did the search find and miss?", "two sets, two methods", "retrieve/sets", "two_methods"),
    ("Are the best documents at the top?", "grades, discounts and nDCG", "retrieve/graded", "graded_10"),
    ("Which system ranks better?", "corrected tests over queries", "retrieve/compare", "image_retrieval"),
    ("How far off are the estimates?", "errors and residuals", "estimate/regression", "diabetes"),
    ("How much do two masks agree?", "Dice and distances of outlines", "estimate/overlap", "digit_masks"),
    ("How far apart are two distributions?", "divergences, bin by bin", "estimate/distributions", "digit_confidence"),
    ("Do macro and micro averages agree?", "many small queries, one large", "retrieve/sets", "large_and_small"),
    ("What does resampling do for a rare class?", "four ways to train", "classify/threshold", "rare_digit"),
    ("What does accuracy hide?", "99.9 % accurate, and it finds no one", "classify/confusion", "always_negative"),
)

LESSONS = (
    ("What would you have decided?", "guess first, then see the answer", "learn/examples"),
    ("What makes a curve?", "two hills of scores to shape and sweep", "learn/playground"),
    ("Can you do it?", "exercises that spot your mistake, and common traps", "learn/challenges"),
    ("What does this number mean?", "every measure, by any of its names", "learn/measures"),
    ("How do I teach it?", "a lecture in a link, six of them ready", "learn/lecture"),
)

DOORS = {
    "Decide": ("classify/threshold", "classify/confusion", "classify/compare"),
    "Search": ("retrieve/ranking", "retrieve/sets", "retrieve/compare"),
    "Estimate": ("estimate/regression", "estimate/overlap", "estimate/distributions"),
    "Learn": ("learn/examples", "learn/playground", "learn/measures"),
}
"""The pages whose first questions stand behind a door."""


def show_doors() -> None:
    """Three questions behind each door, each a link to its page on what is open if that fits, else on a sample."""
    with st.container(key="doors"):
        columns = st.columns(4, border=True)
    firsts = {page: question for question, _, page, _ in reversed(QUESTIONS)}
    firsts |= {page: question for question, _, page in LESSONS}
    for column, (door, pages) in zip(columns, DOORS.items(), strict=True):
        with column:
            st.subheader(door, anchor=False)
            for page in pages:
                st.page_link(f"pages/{page}.py", label=firsts[page], query_params=_way_to(page)[0])


def show_questions() -> None:
    """Under a fold, one line per question with what answers it."""
    with st.expander("All questions", key="questions"):
        for question, answer, page, *data in (*QUESTIONS, *LESSONS):
            at, what = _way_to(page, *data)
            link, words = st.columns([2, 3], vertical_alignment="center")
            link.page_link(f"pages/{page}.py", label=question, query_params=at)
            words.caption(" · ".join(filter(None, (answer, what))))


def _way_to(page: str, data: str | None = None) -> tuple[dict[str, str], str]:
    """Parameters of a link to a page, and the title of what it opens."""
    current = opened()
    data = data or next((sample for _, _, one, sample in QUESTIONS if one == page), None)
    if data is None:
        return address.parameters(), ""
    if current is not None and page in KINDS[current.kind].pages:
        return address.parameters(), plain(current.title)
    return {"data": data, **samples()[data].settings}, samples()[data].title
