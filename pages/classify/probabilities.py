"""Probabilities: can I believe them?"""

import streamlit as st

from evalcore.analyses import calibration_formulas, calibration_texts
from evalcore.reports import row_text
from pages.widgets.classify.probabilities import probabilities as widgets
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import controls, show_finding, show_folds, statistics, title
from pages.widgets.export.downloads import show_downloads

title("classify/probabilities")
probabilities = widgets.open_probabilities()
widgets.show_notes(probabilities)
picture = st.container()
with controls():
    probabilities = widgets.choose_class(probabilities)
    binning, line = widgets.choose_binning()
settings = widgets.choose_loss_settings(place=statistics())
calibration = widgets.calibration_of(probabilities, settings, binning)
show_finding(calibration.verdict, numbers=lambda: [row_text(calibration.main_rows[0])], level=settings.level)
with picture:
    widgets.show_calibration(calibration, line)
widgets.show_probability_measures(calibration)
are_rows = not probabilities.source.dataset.is_counted
parts = {"Brier score in parts": widgets.show_brier, "Each class": widgets.show_class_losses}
parts |= {"Costs": widgets.show_class_costs, "Recalibrate": widgets.show_recalibration}
others = {"Bins": lambda: calibration.reliability.table}
if are_rows:
    parts[widgets.WORST] = widgets.show_worst_rows
    others[widgets.WORST] = lambda: widgets.worst_frame(calibration)
    widgets.unfold_asked_row()
others["Each class"] = lambda: widgets.class_frame(calibration)
show_folds("classify/probabilities", parts, calibration)
show_reading("classify/probabilities", **calibration_texts(calibration))
show_explained_formulas(lambda: calibration_formulas(calibration))
show_downloads("probabilities", lambda: calibration.table, calibration.code, others=others)
