"""A small control at a table that copies it for word processors and spreadsheets, or as Markdown, LaTeX or CSV."""

import html
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from evalcore.readers import columns_texts
from evalcore.wording import Cell, Row, table_texts, table_words

MOST_CELLS = 3_000
"""Cells of a table that travels with its page in every format; of more there are files under "Take away"."""

_PASTED = {"HTML": "for Word or a spreadsheet", "Markdown": "as Markdown", "LaTeX": "as LaTeX", "CSV": "as CSV"}


def show_copied(heads: Sequence[Cell | str], rows: Sequence[Row | Sequence[Cell | str]]) -> None:
    """The control alone, below a table that is drawn in another way."""
    st.html(copy_menu(heads, rows))


def copy_menu(heads: Sequence[Cell | str], rows: Sequence[Row | Sequence[Cell | str]]) -> str:
    """The control as HTML for a table of texts and cells; empty where the table is large."""
    words = table_words(heads, rows)
    if not words[1] or max(len(words[0]), len(words[1][0])) * len(words[1]) > MOST_CELLS:
        return ""
    return _menu(table_texts(*words))


def show_copy(columns: Mapping | pd.DataFrame) -> None:
    """The control below a table of columns; nothing where it is large."""
    frame = pd.DataFrame(columns)
    if 0 < frame.size <= MOST_CELLS:
        st.html(_menu(columns_texts(frame)))


def _menu(texts: dict[str, str]) -> str:
    buttons = "".join(
        f'<button type="button" data-copy="{html.escape(texts[format])}" data-format="{format}">{words}</button>'
        for format, words in _PASTED.items()
    )
    return f'<details class="copy-table"><summary>Copy table</summary><div>{buttons}</div></details>'
