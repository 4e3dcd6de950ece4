"""Tables on the page."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.readers import numbered_rows
from evalcore.wording import UNDEFINED, Cell, Row, count_text, html_table, with_parameters

from ..export.copy_table import copy_menu, show_copy
from ..session import address

_MOST_ROWS = 500


def show_table(heads: Sequence[Cell | str], rows: Iterable[Row | Sequence[Cell | str]], kind: str = "averages") -> None:
    """Show a table, with a control that copies it; see `evalcore.wording.html_table`."""
    rows = [*rows]
    st.html(with_parameters(html_table(heads, rows, kind), address.parameters()) + copy_menu(heads, rows))


def show_frame(
    frame: pd.DataFrame, key: str, alt: str, columns: Mapping, most: int = 12, height: int | str = 440,
    pick: Callable[[int], None] | None = None, missing: str | None = UNDEFINED,
) -> None:  # fmt: skip
    """Show a frame, or its Styler, to be sorted, whole up to `most` rows; the place of a ticked row goes to `pick`."""
    rows = len(frame.index)

    def ticked() -> None:
        indices = st.session_state[key].selection.rows
        if indices and indices[0] < rows:
            pick(indices[0])

    st.dataframe(
        frame, hide_index=True, height="content" if rows <= most else height, key=key, alt=alt, placeholder=missing,
        column_config=columns, **({"on_select": ticked, "selection_mode": "single-row"} if pick else {}),
    )  # fmt: skip
    show_copy(getattr(frame, "data", frame))


def show_numbered_rows(frame: pd.DataFrame, numbers: np.ndarray, key: str, alt: str, most: int, height: int) -> None:
    """Show some rows of the open table by their numbers, the first few hundred of them."""
    row = st.column_config.NumberColumn("row", pinned=True, format="localized", width=70)
    show_frame(numbered_rows(frame, numbers[:_MOST_ROWS]), key, alt, {"row": row}, most, height, missing=None)
    if len(numbers) > _MOST_ROWS:
        st.caption(f"The first {count_text(_MOST_ROWS)} of {count_text(len(numbers))}; the file has all.")
