"""Two systems of a file of counts beside each other, as independent samples."""

from pathlib import Path

import streamlit as st

from evalcore.analyses import CountComparison, Source, SystemRates, difference_heads, difference_rows

from ...controls.two_systems import choose_correction, choose_two
from ...display.paired_comparison import show_comparison_style, show_verdict
from ...display.reading import show_reading
from ...display.table import show_table
from ...export.downloads import show_downloads
from ...session import address
from ...session.page_exit import end_page

_RULES = Path(__file__).with_name("compare.css")


def show_counts(current: Source) -> None:
    """The page of a file of counts, which ends there."""
    show_comparison_style(_RULES)
    systems = SystemRates(current).systems
    a = address.choice("system", systems) or systems[0]
    with st.container(key="settings", horizontal=True, vertical_alignment="bottom"):
        b = choose_two(systems, a, "system", 210)
        with st.popover("Tests", width="content"):
            level, correction, _ = choose_correction("level", several=False)
    comparison = CountComparison(current, a, b, level, correction)
    show_verdict(comparison.verdict, comparison.note)
    corrected = correction != "none"
    show_table(
        difference_heads(level, corrected), difference_rows(comparison.differences, level, corrected), "differences"
    )
    show_reading("classify/compare")
    show_downloads("differences", lambda: comparison.table, comparison.code)
    end_page()
