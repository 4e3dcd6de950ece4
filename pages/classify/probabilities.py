"""Probabilities: can I believe them?"""

import streamlit as st

from pages.widgets.classify.probabilities.class_losses import class_losses_frame, show_class_losses
from pages.widgets.classify.probabilities.formulas import show_loss_formulas
from pages.widgets.classify.probabilities.losses import (
    bins_frame,
    choose_manner,
    losses_of,
    measures_frame,
    show_brier,
    show_measures,
)
from pages.widgets.classify.probabilities.probability_source import choose_class, open_stated, show_origin
from pages.widgets.classify.probabilities.recalibration import show_recalibration
from pages.widgets.classify.probabilities.reliability import choose_binning, diagram_of, show_reliability, verdict
from pages.widgets.classify.probabilities.script import probabilities_code
from pages.widgets.classify.probabilities.worst_rows import show_worst_rows, worst_frame
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.export.downloads import show_downloads

title("Probabilities", question="Can I believe the probabilities?")
stated = open_stated()
show_origin(stated)
with st.container(key="settings", horizontal=True, vertical_alignment="bottom"):
    stated = choose_class(stated)
    binning, line = choose_binning()
    manner = choose_manner()
diagram = diagram_of(stated, binning, manner.level, manner.seed)
with st.container(key="verdict"):
    st.markdown(verdict(stated, diagram, binning, losses_of(stated, manner).value("brier_skill")))
picture, numbers = st.columns([6, 5], gap="large")
with picture:
    show_reliability(stated, binning, line, manner.level, manner.seed)
with numbers:
    show_measures(stated, manner, diagram, binning)
worst, brier, classes, recalibrate = st.tabs(
    ["Worst rows", "Brier score in parts", "Each class", "Recalibrate"],
    key="probabilities_part",
    on_change="rerun",
    bind="query-params",
)
if worst.open:
    with worst:
        show_worst_rows(stated, manner)
if brier.open:
    with brier:
        show_brier(stated, binning)
if classes.open:
    with classes:
        show_class_losses(stated, manner, binning)
if recalibrate.open:
    with recalibrate:
        show_recalibration(stated, manner, binning)
show_reading("classify/probabilities")
show_loss_formulas(stated, manner, diagram, binning)
show_downloads(
    "probabilities",
    lambda: measures_frame(stated, manner, diagram, binning),
    probabilities_code(stated, manner, diagram, binning),
    others={
        "Bins": lambda: bins_frame(diagram),
        "Worst rows": lambda: worst_frame(stated, manner, columns=True),
        "Each class": lambda: class_losses_frame(stated, manner, binning),
    },
)
