"""Tables on the page."""

from collections.abc import Iterable, Sequence

import streamlit as st

from evalcore.wording import Cell, Row, html_table


def show_table(heads: Sequence[Cell | str], rows: Iterable[Row | Sequence[Cell | str]], kind: str = "averages") -> None:
    """Show a table; see `evalcore.wording.html_table`."""
    st.html(html_table(heads, rows, kind))
