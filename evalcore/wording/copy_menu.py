"""The control at a table that copies it, as HTML: its buttons hold the table in every format."""

import html
from collections.abc import Mapping, Sequence

from evalcore.wording.table_formats import table_texts
from evalcore.wording.tables import Cell, Row, table_words

__all__ = ["MOST_COPIED", "copy_menu", "copy_menu_of"]

MOST_COPIED = 3_000
"""Cells of a table that travels with its page in every format; of more there are files under "Take away"."""

_PASTED = {"HTML": "for Word or a spreadsheet", "Markdown": "as Markdown", "LaTeX": "as LaTeX", "CSV": "as CSV"}


def copy_menu(heads: Sequence[Cell | str], rows: Sequence[Row | Sequence[Cell | str]]) -> str:
    """The control of a table of texts and cells; empty where the table has no rows or is large.

    >>> copy_menu(["measure"], []), copy_menu(["a", "b"], [["1", "2"]] * 2_000)
    ('', '')
    """
    words = table_words(heads, rows)
    if not words[1] or max(len(words[0]), len(words[1][0])) * len(words[1]) > MOST_COPIED:
        return ""
    return copy_menu_of(table_texts(*words))


def copy_menu_of(texts: Mapping[str, str]) -> str:
    """The same of a table in each of `TABLE_FORMATS`."""
    buttons = "".join(
        f'<button type="button" data-copy="{html.escape(texts[format])}" data-format="{format}">{words}</button>'
        for format, words in _PASTED.items()
    )
    return f'<details class="copy-table"><summary>Copy table</summary><div>{buttons}</div></details>'
