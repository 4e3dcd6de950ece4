"""Overlap: how much do two masks agree?"""

import streamlit as st

from evalcore.analyses import overlap_texts
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import show_finding, title
from pages.widgets.estimate.overlap.overlap import (
    choose_masks,
    choose_overlap,
    show_image,
    show_images,
    show_means,
    show_thresholds,
)
from pages.widgets.export.downloads import show_downloads

title("estimate/overlap")
current = choose_masks()
overlap = choose_overlap(current)
show_finding(overlap.verdict)
left, right = st.columns(2, gap="large")
with left:
    show_image(overlap)
with right:
    show_means(overlap)
show_thresholds(overlap)
show_images(overlap)
show_reading("estimate/overlap", **overlap_texts(overlap))
show_explained_formulas(lambda: overlap.formulas)
show_downloads("overlap", lambda: overlap.table, overlap.code)
