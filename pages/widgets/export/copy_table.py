"""A small control at a table that copies it for word processors and spreadsheets, or as Markdown, LaTeX or CSV."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from evalcore.readers import columns_texts
from evalcore.wording import MOST_COPIED, Cell, Row, copy_menu, copy_menu_of, count_text


def show_copied(heads: Sequence[Cell | str], rows: Sequence[Row | Sequence[Cell | str]]) -> None:
    """The control alone, below a table that is drawn in another way."""
    st.html(copy_menu(heads, rows))


def show_copy(columns: Mapping | pd.DataFrame) -> None:
    """The control below a table of columns; where it is large, that a file has it."""
    frame = pd.DataFrame(columns)
    if frame.size > MOST_COPIED:
        st.caption(f"Too large to copy (more than {count_text(MOST_COPIED)} cells): save its file instead.")
    elif frame.size:
        st.html(copy_menu_of(columns_texts(frame)))
