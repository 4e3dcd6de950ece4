"""Probabilities: can I believe them?"""

import streamlit as st

from evalcore.analyses import calibration_formulas, calibration_texts
from evalcore.reports import row_text
from pages.widgets.classify.probabilities import calibration as shown
from pages.widgets.classify.probabilities import probability_source as source
from pages.widgets.classify.probabilities.recalibration import show_class_costs, show_recalibration
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import controls, show_finding, show_folds, statistics, title
from pages.widgets.export.downloads import show_downloads

title("classify/probabilities")
probabilities = source.open_probabilities()
source.show_notes(probabilities)
picture = st.container()
with controls():
    probabilities = source.choose_class(probabilities)
    binning, line = source.choose_binning()
settings = source.choose_loss_settings(place=statistics())
calibration = shown.calibration_of(probabilities, settings, binning)
show_finding(calibration.verdict, numbers=lambda: [row_text(calibration.main_rows[0])], level=settings.level)
with picture:
    shown.show_calibration(calibration, line)
shown.show_probability_measures(calibration)
are_rows = not probabilities.source.dataset.is_counted
parts = {
    **({shown.WORST: shown.show_worst_rows} if are_rows else {}),
    "Brier score in parts": shown.show_brier,
    "Each class": shown.show_class_losses,
    "Costs": show_class_costs,
    "Recalibrate": show_recalibration,
}
if are_rows:
    shown.unfold_asked_row()
show_folds("classify/probabilities", parts, calibration)
show_reading("classify/probabilities", **calibration_texts(calibration))
show_explained_formulas(lambda: calibration_formulas(calibration))
show_downloads(
    "probabilities",
    lambda: calibration.table,
    calibration.code,
    others={
        "Bins": lambda: calibration.reliability.table,
        **({shown.WORST: lambda: shown.worst_frame(calibration)} if are_rows else {}),
        "Each class": lambda: shown.class_frame(calibration),
    },
)
