"""Tables on the page."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.readers import marked_frame, numbered_rows
from evalcore.wording import UNDEFINED, Cell, Row, copy_menu, count_text, html_table, measure_links, with_parameters

from ..export.copy_table import show_copy
from ..session import address
from ..session.entry_links import open_family

_MOST_ROWS = 500


def show_table(heads: Sequence[Cell | str], rows: Iterable[Row | Sequence[Cell | str]], kind: str = "averages") -> None:
    """Show a table, with a control that copies it; see `evalcore.wording.html_table`."""
    rows = [*rows]
    st.html(with_parameters(html_table(heads, rows, kind), address.parameters()) + copy_menu(heads, rows))


def show_frame(
    frame: pd.DataFrame, key: str, alt: str, columns: Mapping, most: int = 12, height: int | str = 440,
    pick: Callable[[int], None] | None = None, missing: str | None = UNDEFINED,
) -> None:  # fmt: skip
    """Show a frame, or its Styler, to be sorted, whole up to `most` rows; the place of a ticked row goes to `pick`.

    The measures that it names lead to their entries, unless it is a table of a file: one without a word for `missing`.
    """
    rows, shown = len(frame.index), frame if missing is not None else marked_frame(frame)

    def ticked() -> None:
        indices = st.session_state[key].selection.rows
        if indices and indices[0] < rows:
            pick(indices[0])

    st.dataframe(
        shown, hide_index=True, height="content" if rows <= most else height, key=key, alt=alt, placeholder=missing,
        column_config=columns, **({"on_select": ticked, "selection_mode": "single-row"} if pick else {}),
    )  # fmt: skip
    show_copy(getattr(frame, "data", frame))
    if missing is not None:
        cells = frame["measure"] if "measure" in frame.columns and not pick else ()  # a tick opens the entry by itself
        link_measures([*frame.columns, *cells])


def link_measures(names: Iterable[str]) -> None:
    """The measures among the names in a table above as links to their entries: what sorts a column cannot be a link."""
    if links := measure_links(names, open_family()):
        st.caption(
            with_parameters(
                f"What {'it means' if len(links) == 1 else 'they mean'}: {' · '.join(links)}", address.parameters()
            )
        )


def show_numbered_rows(frame: pd.DataFrame, numbers: np.ndarray, key: str, alt: str, most: int, height: int) -> None:
    """Show some rows of the open table by their numbers, the first few hundred of them."""
    row = st.column_config.NumberColumn("row", pinned=True, format="localized", width=70)
    show_frame(numbered_rows(frame, numbers[:_MOST_ROWS]), key, alt, {"row": row}, most, height, missing=None)
    if len(numbers) > _MOST_ROWS:
        st.caption(f"The first {count_text(_MOST_ROWS)} of {count_text(len(numbers))}; the file has all.")
