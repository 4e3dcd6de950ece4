"""Tables as text to paste: Markdown, LaTeX, CSV, and the HTML that word processors and spreadsheets take as a table."""

import csv
import html
import io
import re
from collections.abc import Iterable, Mapping, Sequence

from evalcore.wording.escaping import one_line, spreadsheet_cell
from evalcore.wording.numbers import THIN
from evalcore.wording.tables import Cell, Row, table_words

__all__ = ["MOST_COPIED", "TABLE_FORMATS", "copy_menu", "copy_menu_of", "table_text", "table_texts"]


TABLE_FORMATS = {"CSV": "csv", "Markdown": "md", "LaTeX": "tex", "HTML": "html"}
"""Formats of a table, and the ending of a file in each."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?", re.IGNORECASE)

_BEGINS_AS_NUMBER = re.compile(r"[+−-]?\.?\d|[−-]?∞")

_THIN_BLANKS = re.compile(rf"(?<=\d){THIN}(?=\d|%|$)")

_LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}",
    **{c: f"\\{c}" for c in "{}#$%&_"},
    "[": "{[}", "*": "{*}",  # behind the end of a row they would be read as its option
    THIN: r"\,", "−": "$-$", "±": r"$\pm$", "×": r"$\times$", "≥": r"$\ge$", "≤": r"$\le$", "∞": r"$\infty$",
    "≈": r"$\approx$", "→": r"$\to$", "α": r"$\alpha$", "β": r"$\beta$", "κ": r"$\kappa$", "τ": r"$\tau$",
    "Δ": r"$\Delta$", "ρ": r"$\rho$", "φ": r"$\varphi$", "σ": r"$\sigma$", "₁": "$_1$", "₂": "$_2$", "²": "$^2$",
})  # fmt: skip

_MARKDOWN = re.compile(r"[\\`*_{}\[\]()#|~$!^]")

_LINK = re.compile(r"(?<=[A-Za-z]):(?=//)|(?<=www)\.|@", re.IGNORECASE)


def table_text(heads: Sequence[str], rows: Iterable[Sequence[str]], format: str) -> str:
    """A table of texts in one of `TABLE_FORMATS`; names in it are shown as they are and do nothing.

    In CSV and HTML numbers lose what only a reader needs, such as thin blanks, so that a spreadsheet takes them as
    numbers, and a cell that would start a formula is quoted. LaTeX needs no package.

    >>> print(table_text(["class", "recall"], [["a|b_1", "66.7\\u202f%"]], "Markdown"))
    | class | recall |
    | --- | ---: |
    | a\\|b\\_1 | 66.7\\u202f% |
    >>> print(table_text(["class", "recall"], [["a&b", "66.7\\u202f%"]], "LaTeX"))
    \\begin{tabular}{lr}
    \\hline
    class & recall \\\\
    \\hline
    a\\&b & 66.7\\,\\% \\\\
    \\hline
    \\end{tabular}
    >>> table_text(["class", "recall"], [["=1+2", "66.7\\u202f%"]], "CSV")
    "class,recall\\n'=1+2,66.7%\\n"
    """
    return table_texts(heads, rows, [format])[format]


def table_texts(
    heads: Sequence[str], rows: Iterable[Sequence[str]], formats: Iterable[str] = tuple(TABLE_FORMATS)
) -> dict[str, str]:
    """Write a table of texts in several formats."""
    table = [[one_line(cell, 2_000) for cell in row] for row in rows]
    head = [one_line(cell, 2_000) for cell in heads]
    width = max([len(head), *map(len, table)])
    head, *table = ([*row, *[""] * (width - len(row))] for row in (head, *table))
    numeric = [_is_numeric(row[column] for row in table) for column in range(width)]
    write = {"CSV": _csv, "Markdown": _markdown, "LaTeX": _latex, "HTML": _html}
    return {format: write[format](head, table, numeric) for format in formats}


def _csv(heads: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    file = io.StringIO()
    lines = [heads, *rows] if any(heads) else rows
    csv.writer(file, lineterminator="\n").writerows([*map(_cell, line)] for line in lines)
    return file.getvalue()


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    rule = ["---:" if right else "---" for right in numeric]
    lines = [[*map(_markdown_cell, heads)], rule, *([*map(_markdown_cell, row)] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _latex(heads: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    lines = [f"{' & '.join(map(_latex_cell, row))} \\\\" for row in rows]
    head = [f"{' & '.join(map(_latex_cell, heads))} \\\\", r"\hline"] if any(heads) else []
    places = "".join("r" if right else "l" for right in numeric)
    return "\n".join([f"\\begin{{tabular}}{{{places}}}", r"\hline", *head, *lines, r"\hline", r"\end{tabular}"])


def _html(heads: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        sides = ("right" if right else "left" for right in numeric)
        written = (
            f'<{tag} align="{side}">{html.escape(_cell(cell))}</{tag}>' for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{''.join(written)}</tr>"

    head = f"<thead>{line(heads, 'th')}</thead>" if any(heads) else ""
    style = 'border="1" cellpadding="4" style="border-collapse:collapse"'
    return f"<table {style}>{head}<tbody>{''.join(line(row, 'td') for row in rows)}</tbody></table>"


def _cell(text: str) -> str:
    """Format a cell for a spreadsheet: a number as a number, any other text so that it is no formula."""
    number = _THIN_BLANKS.sub("", text).replace("−", "-")
    return number if _NUMBER.fullmatch(number) else str(spreadsheet_cell(text))


def _is_numeric(cells: Iterable[str]) -> bool:
    """Whether all cells that are not empty or undefined begin with numbers, so that they are aligned right."""
    counted = [cell for cell in cells if cell not in ("", "undefined", "–")]
    return bool(counted) and all(map(_BEGINS_AS_NUMBER.match, counted))


def _markdown_cell(text: str) -> str:
    written = _MARKDOWN.sub(lambda match: f"\\{match[0]}", text.replace("&", "&amp;").replace("<", "&lt;"))
    return _LINK.sub(lambda match: f"&#{ord(match[0])};", written)


def _latex_cell(text: str) -> str:
    return re.sub("-(?=-)", "-{}", text.translate(_LATEX))  # two hyphens would be a dash


MOST_COPIED = 3_000
"""Cells of a table that travels with its page in every format; of more there are files under "Take away"."""

_PASTED = {"HTML": "for Word or a spreadsheet", "Markdown": "as Markdown", "LaTeX": "as LaTeX", "CSV": "as CSV"}


def copy_menu(heads: Sequence[Cell | str], rows: Sequence[Row | Sequence[Cell | str]]) -> str:
    """Build the menu that copies a table of texts and cells; empty if the table has no rows or is large.

    >>> copy_menu(["measure"], []), copy_menu(["a", "b"], [["1", "2"]] * 2_000)
    ('', '')
    """
    words = table_words(heads, rows)
    if not words[1] or max(len(words[0]), len(words[1][0])) * len(words[1]) > MOST_COPIED:
        return ""
    return copy_menu_of(table_texts(*words))


def copy_menu_of(texts: Mapping[str, str]) -> str:
    """Build the menu that copies a table in each of `TABLE_FORMATS`."""
    buttons = "".join(
        f'<button type="button" data-copy="{html.escape(texts[format])}" data-format="{format}">{words}</button>'
        for format, words in _PASTED.items()
    )
    return f'<details class="copy-table"><summary>Copy table</summary><div>{buttons}</div></details>'
