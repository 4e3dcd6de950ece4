"""The counts of several systems beside each other; a click on a row opens that system."""

import pandas as pd
import streamlit as st

from evalcore.analyses import SystemRates
from evalcore.inference import IntervalChoice

from ...display.table import show_frame
from ...session import address
from ...session.current_dataset import opened
from ...session.entry_links import with_links


def show_systems(intervals: IntervalChoice) -> SystemRates | None:
    """The rates of all systems of a file of counts with their intervals; nothing for other data."""
    current = opened()
    if current is None or not SystemRates.offered(current):
        return None
    rates = SystemRates(current, intervals)
    st.markdown("**All systems** :small[:gray[select a row to open that system]]")
    columns = {
        "system": st.column_config.TextColumn("system", pinned=True),
        "open": st.column_config.TextColumn("", width=30),
    }
    alt = "The rates of all systems with their intervals; the one that is open is marked"
    show_frame(pd.DataFrame(rates.cells), "system rates", alt, columns, pick=lambda row: _open(rates, row))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(with_links(rates.note), width="stretch")
        st.page_link("pages/classify/compare.py", query_params=address.parameters(), width="content")
    return rates


def _open(rates: SystemRates, row: int) -> None:
    address.put("system", rates.system_of(row))
    address.put("cells", None)
