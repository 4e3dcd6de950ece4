"""Graded lists: one against its ideal in two pictures and the table of the textbook, and all systems over the ranks."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from evalcore import analyses
from evalcore.figures import MOST_BARS, cumulated_figure, gains_figure, over_ranks_figure
from evalcore.retrieval import BASE, GAIN
from evalcore.wording import Column, count_text, number_text, one_line
from pages.widgets.controls.fields import beside, bound, segmented
from pages.widgets.controls.ranking_settings import FACE_COLUMNS, choose_missing, show_query_face
from pages.widgets.display.figure import page_ink, show_figure, show_frame
from pages.widgets.display.measures import show_queries
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, sample_setting
from pages.widgets.session.loaded import gains_of, with_links

MEASURES = ("nDCG", "DCG")
_ALL, _ONE = "all queries", "this query"
_gains, _cumulated = cache(lambda *parts: gains_figure(*parts), 64), cache(lambda *parts: cumulated_figure(*parts), 64)
_over_ranks = cache(lambda *parts: over_ranks_figure(*parts), 64)


def show_graded_list(graded: analyses.GradedList) -> None:
    """The list of a query against its ideal."""
    ranks, depth, ink = graded.ranks, graded.depth, page_ink()
    key = graded.rankings.key, graded.query, graded.settings, depth, ink.text
    with st.container(key="graded-list"):
        show_query_face(graded.rankings, graded.query)
        left, right = st.columns(2, gap="medium")
        with left:
            first = f"the first {min(depth, MOST_BARS)} ranks of query {one_line(graded.query, 40)}"
            alt = f"Gain at each of {first}, against the ideal list, with the discount"
            show_figure(_gains(key, ranks, ink, graded.length), "gains", alt, filename="gains")
        with right:
            dcg, idcg = (number_text(float(column[-1])) for column in (ranks.dcg, ranks.idcg))
            alt = f"DCG {dcg} of the list and {idcg} of the ideal list at rank {depth}"
            show_figure(_cumulated(key, ranks, ink), "cumulated", alt, filename="dcg")
    st.caption(with_links(graded.notes(MOST_BARS)))


def show_ranks(graded: analyses.GradedList) -> None:
    """Gains, discounts and their sums at each rank of the list."""
    columns = {name: Column(3, help=about) for name, (_, about) in analyses.GRADED_COLUMNS.items()}
    columns |= {"k": Column(count_text, first=True)} | FACE_COLUMNS
    alt = "Grade, gains, discount, DCG, ideal DCG and nDCG at each rank"
    show_frame(pd.DataFrame(graded.short_table), "graded-table", alt, columns, 15, 460, missing="–")


def show_over_ranks(systems: analyses.GradedSystems, query: str) -> None:
    """nDCG or DCG of every system at each rank."""
    rankings = systems.rankings
    with st.container(key="over-ranks"):
        look = {"label_visibility": "collapsed", "width": "content"}
        with st.container(horizontal=True, vertical_alignment="center"):
            title = "Over the ranks" if len(rankings.systems) < 2 else "All systems over the ranks"
            st.markdown(f"**{title}**", width="content")
            measure = segmented("Measure", MEASURES, "over", **look)
            of = segmented("Of", (_ALL, _ONE), "ranks_of", **look) if len(rankings.queries()) > 1 else _ONE
        with st.spinner("Cutting off at each rank …"):
            over = systems.over_ranks(measure, query if of == _ONE else None)
        if not over.values:
            st.caption("No system has a list here.")
            return
        key, ink = (rankings.key, over.measure, query if of == _ONE else None, systems.settings), page_ink()
        figure = _over_ranks((*key, ink.text), over, ink)
        show_figure(figure, "over-k", over.description, filename=f"{over.measure} over k")
        if over.note:
            st.caption(over.note)


def show_graded_queries(systems: analyses.GradedSystems) -> None:
    """One row per query: its judged documents, DCG, ideal DCG and nDCG, and nDCG of the other systems."""
    columns = {name: Column(3) for name in systems.table if name != "query"}
    columns |= dict.fromkeys(("retrieved", "judged"), Column(count_text))
    if len(systems.rankings.queries()) > 1:
        show_queries(systems.rankings, systems.table, columns, "DCG, ideal DCG and nDCG of each query")


MOST_GRADES = 12  # grades up to which each has a field for its gain
_GAINS = {"linear": "v", "exp": "2ᵛ − 1", "own": "own"}
_DISCOUNTS = {"log": "1/log(i + 1)", "original": "original", "none": "none"}
_OWN = "worth of grade"


def choose_gain_settings(rankings: analyses.Rankings) -> analyses.GainSettings:
    """Ask for gain, discount and base, and how queries without a list count."""
    settings, usual = gains_of(rankings), sample_setting("discount", "log")
    gain, discount = settings.gain, settings.discount
    kind = gain if gain in GAIN.choices else "own"
    about = "no discount" if discount == "none" else f"discount {_DISCOUNTS[discount]}"
    with st.popover(f"Gain {_GAINS[kind]}, {about}", icon=":material/tune:"):
        bound(
            st.segmented_control, "Gain of grade v", "gain", kind,
            [name for name in _GAINS if name == "own" or analyses.usable_gain(name, rankings.grades)],
            key="gain of a grade", format_func=_GAINS.get, required=True,
            write=lambda kind: _put_kind(kind, settings, rankings.grades),
            help="The grade itself, 2 to its power minus 1, or a value of your own for each grade.",
        )  # fmt: skip
        if kind == "own":
            _choose_own_gains(gain, rankings.grades)
        bound(
            st.segmented_control, "Discount of rank i", "discount", discount, tuple(_DISCOUNTS),
            key="discount of a rank", format_func=_DISCOUNTS.get, required=True,
            write=lambda chosen: _put_unless("discount", chosen, usual),
            help="1/log(i + 1); the original 1/max(1, log i), which does not discount the first ranks; or none.",
        )  # fmt: skip
        if discount != "none":
            bound(
                st.number_input, "Base of log", "base", settings.base, key="base of the logarithm", min_value=1.01,
                max_value=float(BASE.highest), step=1.0, format="%g", width=120,
                write=lambda base: _put_unless("base", base, BASE.default),
                help="With 1/log(i + 1), nDCG is the same for every base; the original discounts only later ranks.",
            )  # fmt: skip
        choose_missing(rankings)
    return settings


def _choose_own_gains(gain: str, grades: Sequence[float]) -> None:
    """A field for each grade, or one for the whole table where there are many grades."""
    grades = analyses.writable(grades)
    if not grades or len(grades) > MOST_GRADES:
        bound(
            st.text_input, "Gain of each grade", "gain", gain, key=_OWN, width=220,
            help="Grade, colon, gain, with semicolons between: 1:3;2:7. Grades that are not listed keep their value.",
        )  # fmt: skip
        return
    gains, keys = analyses.gains_by_grade(gain), {grade: f"{_OWN} {grade:.12g}" for grade in grades}

    def put(_: float) -> None:
        address.put("gain", analyses.gain_table({grade: st.session_state[key] for grade, key in keys.items()}))

    with beside("own-gains", width="content"):
        for grade, key in keys.items():
            bound(
                st.number_input, f"Grade {grade:g}", "gain", float(gains.get(grade, grade)), key=key, min_value=0.0,
                max_value=1e6, step=1.0, format="%g", width=100, write=put,
            )  # fmt: skip


def _put_kind(kind: str, settings: analyses.GainSettings, grades: tuple[float, ...]) -> None:
    if kind == "own":
        # Start from what is shown, so that the switch itself changes nothing.
        address.put("gain", analyses.gain_table(settings.own_gains(grades, MOST_GRADES)))
    else:
        _put_unless("gain", kind, "linear")


def _put_unless(name: str, value: object, default: object) -> None:
    address.put(name, None if value == default else value)
