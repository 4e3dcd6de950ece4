"""Which two systems are compared, how their scores are cut, and by which measure."""

import math
from typing import Any

import streamlit as st

from evalcore.analyses import (
    CUTS,
    Source,
    SystemComparison,
    SystemRates,
    comparable_measures,
    comparable_systems,
    compare_systems,
    have_one_scale,
    starting_measure,
)
from evalcore.inference import MCNEMAR_TESTS, PAIRED_INTERVALS
from evalcore.readers import ReadProblem, kinds_on
from pages.widgets.classify.compare.parts import choose_class, choose_data, choose_measure, show_other_rows
from pages.widgets.controls.intervals import bound, choose_correction, choose_key, choose_margin, choose_two
from pages.widgets.display.measures import end_with_one_system
from pages.widgets.session import address
from pages.widgets.session.loaded_scores import put_threshold, scores_of, threshold_of
from pages.widgets.session.page_exit import end_with, need

KINDS = kinds_on("classify/compare")


def choose_comparison() -> SystemComparison:
    """The two systems of the open data and how they are compared; ends the page where there are not two."""
    current = need(KINDS, "two systems, or another data set to compare with")
    data = choose_data(current)
    if data or SystemRates.offered(current):
        show_other_rows(current, data)
    if len(comparable_systems(current)) < 2:
        second = "row of counts" if current.kind == "counts" else "column of scores or of predictions"
        end_with_one_system(
            current,
            "two systems on the same rows, or another data set",
            f"Choose where B comes from, or add a second {second}.",
            KINDS[:2],
        )
    try:
        with st.container(key="settings", horizontal=True, vertical_alignment="bottom"), st.spinner("Comparing …"):
            return compare_systems(current, **choose_systems(current))
    except (ReadProblem, ValueError) as problem:
        end_with(problem)


def choose_systems(current: Source, level: float | None = None) -> dict[str, Any]:
    """Ask what `compare_systems` is asked with, and for the level unless it is known. May raise ReadProblem."""
    systems = comparable_systems(current)
    name = "said" if current.scored_by == "class" else "system"
    a = address.choice(name, systems, systems[0])
    b = choose_two(systems, a, name, 210)
    cut, threshold = _choose_cut(current, a, b) if current.scored_by == "system" else ("", None)
    chosen = compare_systems(current, a, b, cut=cut, threshold=threshold)
    classes = chosen.rows.classes
    target = chosen.target if current.scored_by == "system" or len(classes) < 3 else choose_class(classes)
    measure = choose_measure(comparable_measures(current, target), starting_measure(current, target))
    with st.popover("Question and tests", width="content"):
        margin = choose_margin()
        level, correction, all_pairs = choose_correction("level", len(systems) > 2, level)
        methods = {}
        if chosen.rows.clusters is None:  # clusters have one test and one interval
            methods["test"] = choose_key("McNemar’s test", "mcnemar", MCNEMAR_TESTS)
            methods["interval"] = choose_key("Interval of a difference of shares", "share_interval", PAIRED_INTERVALS)
    return {
        "a": a, "b": b, "target": target, "cut": cut, "threshold": threshold, "measure": measure.key, "level": level,
        "correction": correction, "all_pairs": all_pairs, "margin": margin, **methods,
    }  # fmt: skip


def _choose_cut(current: Source, a: str, b: str) -> tuple[str, float]:
    scores = [scores_of(current, system) for system in (a, b)]
    cut = address.choice("cut", list(CUTS), "page" if have_one_scale(current, (a, b)) else "flagged")
    bound(st.selectbox, "Thresholds", "cut", cut, list(CUTS), format_func=CUTS.get, width=250)
    threshold = threshold_of(scores[0])
    if cut != "youden":
        bound(
            st.number_input, "Threshold" if cut == "page" else "Threshold of A", "t",
            threshold if math.isfinite(threshold) else None, None, None, None, key="threshold field", format="%.6g",
            width=130, write=lambda value: value is not None and put_threshold(value),
        )  # fmt: skip
    return cut, threshold
