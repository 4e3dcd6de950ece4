"""Probabilities: can I believe them?"""

import streamlit as st

from evalcore.analyses import calibration_formulas, calibration_texts
from pages.widgets.classify.probabilities.calibration import (
    WORST,
    calibration_of,
    class_frame,
    show_brier,
    show_calibration,
    show_class_losses,
    show_probability_measures,
    show_worst_rows,
    unfold_asked_row,
    worst_frame,
)
from pages.widgets.classify.probabilities.probability_source import (
    choose_binning,
    choose_class,
    choose_loss_settings,
    open_probabilities,
    show_notes,
)
from pages.widgets.classify.probabilities.recalibration import show_class_costs, show_recalibration
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import controls, show_finding, show_folds, statistics, title
from pages.widgets.export.downloads import show_downloads

title("classify/probabilities")
probabilities = open_probabilities()
show_notes(probabilities)
picture = st.container()
with controls():
    probabilities = choose_class(probabilities)
    binning, line = choose_binning()
settings = choose_loss_settings(place=statistics())
calibration = calibration_of(probabilities, settings, binning)
show_finding(calibration.verdict)
with picture:
    show_calibration(calibration, line)
show_probability_measures(calibration)
are_rows = not probabilities.source.dataset.is_counted
parts = {
    **({WORST: show_worst_rows} if are_rows else {}),
    "Brier score in parts": show_brier,
    "Each class": show_class_losses,
    "Costs": show_class_costs,
    "Recalibrate": show_recalibration,
}
if are_rows:
    unfold_asked_row()
show_folds("classify/probabilities", parts, calibration)
show_reading("classify/probabilities", **calibration_texts(calibration))
show_explained_formulas(lambda: calibration_formulas(calibration))
show_downloads(
    "probabilities",
    lambda: calibration.table,
    calibration.code,
    others={
        "Bins": lambda: calibration.reliability.table,
        **({WORST: lambda: worst_frame(calibration)} if are_rows else {}),
        "Each class": lambda: class_frame(calibration),
    },
)
