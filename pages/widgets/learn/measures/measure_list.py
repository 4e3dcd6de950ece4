"""All measures in a table; a ticked row opens its entry."""

import pandas as pd
import streamlit as st

from evalcore.analyses import MeasureValues, glossary_table
from evalcore.registry import METRICS

from ...display.table import show_frame
from .entry import open_entry


def show_list(values: MeasureValues | None) -> None:
    """Every measure with its value on the open data, folded at first."""
    with st.expander(f"All {len(METRICS)} measures", key="all_measures", on_change="rerun") as folded:
        if folded.open:
            frame = pd.DataFrame(glossary_table(values)).drop(columns="source")
            keys, first = list(METRICS), st.column_config.TextColumn("measure", pinned=True)
            show_frame(
                frame, "measure list", "Every measure with its meaning.", {"measure": first},
                pick=lambda row: open_entry(keys[row]),
            )  # fmt: skip
