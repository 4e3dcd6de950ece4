"""Compare rankings: which system ranks better?"""

import streamlit as st

from evalcore.analyses import difference_texts
from evalcore.reports import pairs_figure
from pages.widgets.display.measures import show_formulas, show_reading
from pages.widgets.display.page import show_finding, title
from pages.widgets.retrieve import compare as widgets
from pages.widgets.session.loaded import open_rankings

title("retrieve/compare")
with st.container(key="view"):
    comparison = widgets.choose_comparison(open_rankings())
    widgets.show_systems(comparison)
show_finding(comparison.finding, *comparison.notes, picture=lambda: pairs_figure(comparison))
widgets.show_parts(comparison)
show_reading("retrieve/compare", **difference_texts(comparison.difference))
show_formulas(comparison)
widgets.show_comparison_downloads(comparison)
