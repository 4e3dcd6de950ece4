"""Counts without scores on the page of curves: each system is a single point of the ROC plane."""

import pandas as pd
import streamlit as st

from evalcore import METRICS
from evalcore.analyses import ROC_POINT_MEASURES, RocPoints
from evalcore.figures import roc_points_figure
from evalcore.readers import ReadProblem, samples
from evalcore.wording import one_line, plain

from ...display.figure import page_ink, show_figure
from ...display.reading import show_reading
from ...display.table import show_frame
from ...export.downloads import show_downloads
from ...session.current_dataset import open_data, opened
from ...session.loaded_scores import SCORED
from ...session.page_exit import end_page, end_with, need
from .overlays import choose_requirements

_SAMPLE = "four_methods"


def show_points_of_counts() -> None:
    """Where counts are open, the page of them, which ends there; where nothing that fits is, an offer."""
    current = opened()
    if current is None or current.kind != "counts":
        need(SCORED, "the actual class of each row and a score", also=_offer_points)
        return
    try:
        analysis = RocPoints.of(current)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    st.markdown(
        "These are counts, so each system is **one point**: one decision, without a curve of all the thresholds. The "
        "closer to the upper left corner, the better."
    )
    picture, words = st.columns([3, 2], gap="large")
    points, frame = analysis.points, pd.DataFrame(analysis.table)
    with words:
        st.markdown("**Which result can be trusted?**")
        requirements = choose_requirements(sensitivity=0.9, specificity=0.9)
        st.markdown(analysis.verdict(requirements))
    with picture:
        names = ", ".join(one_line(point.name, 30) for point in points[:12])
        figure = roc_points_figure(analysis, requirements, page_ink())
        show_figure(figure, "roc", f"ROC plane with {len(points)} points: {names}", square=True)
    columns = {METRICS[key].name: st.column_config.NumberColumn(format="%.3f") for key in ROC_POINT_MEASURES}
    columns["system"] = st.column_config.TextColumn("system", pinned=True)
    show_frame(frame, "points", "Counts and rates of each system", columns, 0, "auto")
    show_reading("classify/curves")
    show_downloads("roc points", frame, analysis.code)
    end_page()


def _offer_points() -> None:
    title = plain(samples()[_SAMPLE].title)
    st.button(title, key=f"offer {_SAMPLE}", on_click=open_data, args=(_SAMPLE,), wrap=True)
