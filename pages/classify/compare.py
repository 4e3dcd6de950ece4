"""Compare systems: is B really better than A?"""

import streamlit as st

from evalcore.analyses import difference_texts
from pages.widgets.classify.compare import comparison as widgets
from pages.widgets.controls.threshold import show_exactness
from pages.widgets.display.measures import show_formulas, show_reading
from pages.widgets.display.page import show_finding, title
from pages.widgets.export.downloads import show_downloads

title("classify/compare")
comparison = widgets.choose_comparison()
picture, beside = st.columns([3, 2], gap="large")
with picture:
    widgets.show_main_differences(comparison)
with beside:
    widgets.show_disagreement(comparison)
show_finding(comparison.finding, comparison.rows_note, comparison.coverage_note(comparison.measure))
show_exactness(comparison)
groups = widgets.show_parts(comparison)
show_reading("classify/compare", **difference_texts(comparison.difference))
show_formulas(comparison)
others = {"All systems": lambda: comparison.systems_table} if len(comparison.systems) > 2 else {}
others |= {"Groups": lambda: groups.table} if groups else {}
show_downloads("differences", lambda: comparison.table, (groups or comparison).code, others=others)
