"""Tables in words: their cells, links to entries, and the table as text, Markdown, LaTeX, HTML or CSV."""

import csv
import html
import io
import math
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt

from evalcore.registry import METRICS, MetricDef, kept_until_registered, measure_named
from evalcore.wording.escaping import escaped, marked, one_line, plain, short_names, spreadsheet_cell
from evalcore.wording.numbers import THIN, UNDEFINED, count_text, number_text, p_cell, threshold_text

__all__ = ["MOST_COPIED", "P_VALUES", "TABLE_FORMATS", "Cell", "Column", "Row", "copy_menu", "copy_menu_of"]
__all__ += ["deflated", "entry_link", "html_table", "linked_mentions", "linked_names", "measure_links"]
__all__ += ["measure_markdown", "packed_numbers", "packed_table", "table_text", "table_texts", "table_words"]
__all__ += ["with_parameters"]

_ENTRY = "measures?measure="

_OTHERWISE = ("p", "judged", "map")
"""Names of measures that stand for something else on the screen: p-values, numbers of judged documents, a drawing."""

_WORDS = {
    *("lift", "cost", "bias", "coverage", "success", "efficiency", "judged", "judged at k", "max", "hit", "confidence"),
    *("concordance", "pref", "preferences", "effectiveness", "gamma", "poisson", "width"),
    *("phi", "prec", "ev", "me", "ba", "gm", "fm", "mk", "nb", "generality"),
}
"""Names of measures that are words of other meanings in a sentence."""

_SYMBOLS = r"F(?:\d(?:\.\d)?|β)|n?D?CG@\d+|(?:P|R|AP|RR|ERR|RBP)@\d+"
_NO_TEXT = r"`[^`]*`|\\.|\$[^$]*\$|“[^”]*”|\[[^\]]*\]\([^)]*\)|:[a-z]+-badge\[[^\]]*\]"


def entry_link(key: str) -> str:
    """The address of the entry of a measure, a term or a message, as a link on any page."""
    return f"{_ENTRY}{key}"


def measure_markdown(measure: MetricDef, name: str = "") -> str:
    """Name of a measure, or an alias of it, in bold, as a link to its entry."""
    return f"[**{name or measure.name}**]({entry_link(measure.key)})"


def measure_links(names: Iterable[str], family: str | None = None) -> list[str]:
    """Link the names of measures (of rankings first, if that is the family) to their entries, in Markdown."""
    named = {name: _measure(name, family) for name in names}
    return [f"[{plain(name)}]({entry_link(measure.key)})" for name, measure in named.items() if measure]


def _measure(name: str, family: str | None) -> MetricDef | None:
    return None if name in _OTHERWISE else measure_named(name, family) or measure_named(name)


def linked_names(text: str, family: str | None = None) -> str:
    """Link the names of measures in bold letters in a Markdown text to their entries."""
    names = r"(?<=\*\*)([^*\[\]]+)(?=\*\*)"
    return re.sub(names, lambda name: "".join(measure_links([name[1]], family)) or name[1], text)


def linked_mentions(text: str, family: str | None = None) -> str:
    """Link the first mention of each measure in Markdown to its entry; not in links, code, formulas and quotes."""
    keys = set()

    def link(match: re.Match[str]) -> str:
        name = match["name"]
        measure = (measure_named(name, family) or measure_named(name)) if name else None
        if measure is None or measure.key in keys:
            return match[0]
        keys.add(measure.key)
        return f"[{name}]({entry_link(measure.key)})"

    return _mentions().sub(link, text)


@kept_until_registered
def _mentions() -> re.Pattern[str]:
    """Compile the pattern of links, code and measure names in a text; words match in either case, symbols do not."""
    names = {name for one in METRICS.values() for name in (one.name, one.symbol, *one.aliases)}
    fit = (name for name in names if len(name) > 1 and "{" not in name and name.casefold() not in _WORDS)
    # Names with one first letter stand together, so that at most places of a text a letter is all that is compared.
    by_letter: dict[str, list[str]] = {}
    for name in sorted(fit, key=lambda name: (-len(name), name)):
        either_case = name[0].isalpha() and name[1:3].islower()
        first = f"[{name[0].lower()}{name[0].upper()}]" if either_case else re.escape(name[0])
        by_letter.setdefault(first, []).append(re.escape(name[1:]))
    words = (f"{first}(?:{'|'.join(rest)})" for first, rest in by_letter.items())
    return re.compile(rf"{_NO_TEXT}|(?<![\w–-])(?P<name>{_SYMBOLS}|{'|'.join(words)})(?![\w–@-]|\()")


def with_parameters(text: str, parameters: Mapping[str, str]) -> str:
    """Add the parameters of the open page to the links to entries in HTML or Markdown."""
    carried = {name: value for name, value in parameters.items() if name != "measure"}
    return text.replace(_ENTRY, f"measures?{urlencode(carried)}&measure=") if carried else text


@dataclass(frozen=True)
class Cell:
    """A cell with more than a text in it."""

    text: str
    strong: bool = False
    heading: bool = False  # of its row
    aside: str = ""  # grey words beside the text
    below: str = ""  # a second line in small letters
    title: str = ""  # what is shown when the pointer rests on it
    kind: str = ""  # class in the style sheet, such as "undefined"
    span: int = 1  # columns that it takes
    measure: str = ""  # key of the entry that its text opens
    rows: str = field(default="", repr=False)  # what it opens, as the address names the rows behind it
    image: str = ""  # data URI of a thumbnail before the text; no address, which would be fetched

    @property
    def html(self) -> str:
        """The cell as an element of a table."""
        looks = {"class": self.kind, "title": self.title, "colspan": str(self.span) if self.span > 1 else ""}
        attributes = "".join(f' {name}="{escaped(value)}"' for name, value in looks.items() if value)
        text = escaped(self.text)
        if self.measure:
            text = f'<a class="entry" href="{entry_link(self.measure)}" target="_blank">{text}</a>'
        if self.rows:
            text = f'<a class="rows" href="?{urlencode({"selected": self.rows})}">{text}</a>'
        text = f"<b>{text}</b>" if self.strong else text
        aside = f' <span class="names">{escaped(self.aside)}</span>' if self.aside else ""
        below = f"<small>{escaped(self.below)}</small>" if self.below else ""
        tag = "th" if self.heading else "td"
        return f"<{tag}{attributes}>{self._thumbnail}{text}{aside}{below}</{tag}>"

    @property
    def words(self) -> str:
        """The cell as a text alone."""
        return " ".join(filter(None, (self.text, self.aside, self.below)))

    @property
    def _thumbnail(self) -> str:
        if not self.image.startswith("data:image/"):
            return ""
        # An image of so few letters has few pixels, which are to be seen one by one.
        kind = "tiny" if len(self.image) < 600 else "thumbnail"
        words = escaped(self.title or self.text)
        return f'<img class="{kind}" src="{escaped(self.image)}" alt="{words}" loading="lazy">'


@dataclass(frozen=True)
class Row:
    """A row with a class in the style sheet, such as "group" for a heading over the rows below."""

    cells: Sequence[Cell | str]
    kind: str = ""

    @classmethod
    def group(cls, title: str, columns: int) -> "Row":
        """A heading that spans the table."""
        return cls([Cell(title, heading=True, span=columns)], "group")


Line = Row | Sequence[Cell | str]


def table_words(heads: Sequence[Cell | str], rows: Iterable[Line]) -> tuple[list[str], list[list[str]]]:
    """Headings and rows as plain texts for `table_text`; a cell that spans columns leaves the others empty."""
    lines = (heads, *(row.cells if isinstance(row, Row) else row for row in rows))
    head, *body = ([text for cell in line for text in _texts(cell)] for line in lines)
    return head, body


def html_table(heads: Sequence[Cell | str], rows: Iterable[Line], kind: str = "averages") -> str:
    """A table of texts and cells under a line of headings, if there are any; `kind` is its class in the style sheet."""
    head = "".join(cell.html if isinstance(cell, Cell) else Cell(cell, heading=bool(cell)).html for cell in heads)
    body = "".join(_line(row if isinstance(row, Row) else Row(row)) for row in rows)
    return f'<table class="{kind}">{f"<thead><tr>{head}</tr></thead>" if heads else ""}<tbody>{body}</tbody></table>'


def _texts(cell: Cell | str) -> list[str]:
    return [cell.words, *[""] * (cell.span - 1)] if isinstance(cell, Cell) else [cell]


def _line(row: Row) -> str:
    cells = "".join((cell if isinstance(cell, Cell) else Cell(cell)).html for cell in row.cells)
    return f'<tr class="{row.kind}">{cells}</tr>' if row.kind else f"<tr>{cells}</tr>"


@dataclass(frozen=True)
class Column:
    """How a column of a table that can be sorted is shown: its numbers by a function, or with so many decimals."""

    write: Callable[[float], str] | int | None = None
    help: str = ""  # what is shown when the pointer rests on the heading
    title: str | None = None  # in place of the column's own name
    first: bool = False  # stays in sight when the table is scrolled sideways
    folded: bool = False  # shown when it is asked for
    short: int = 0  # letters beyond which a name loses its middle; the pointer rests on it to read it whole
    best: str = ""  # "highest" or "lowest": the value that is marked
    kind: str = ""  # "image": data URIs; "bar": a bar beside each number; "bars": lists of heights


_Values = npt.NDArray[Any] | Sequence[Any]


def packed_table(
    columns: Mapping[str, _Values], looks: Mapping[str, Column], foot: Mapping[str, _Values],
    missing: str | None = UNDEFINED, family: str | None = None, links: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Columns as the browser sorts and shows them, numbers as arrays, and the rows at the end, which stay there.

    Headings that name a measure have the key of its entry, and so have the cells of a column "measure" with `links`.
    The table of a file, which has no word for `missing`, shows its values as they are and has no links.
    """
    packed = []
    for name in sorted(columns, key=lambda name: not looks.get(name, _PLAIN).first):
        look, ends = looks.get(name, _PLAIN), foot.get(name, ())
        column = _packed(columns[name], look, missing, first=not packed)
        measure = None if missing is None else _measure(name, family)
        column |= {"heading": marked(one_line(name, 200) if look.title is None else look.title), "help": look.help}
        column |= {"name": marked(name), "measure": measure and measure.key, "folded": look.folded, "kind": look.kind}
        if links and missing is not None and name == "measure":
            found = (_measure(text, family) for text in column["texts"])
            column["keys"] = [measure and measure.key for measure in found]
        write = _writer(look, ends, missing)
        column["foot"] = ["" if end is None else end if isinstance(end, str) else write(end) for end in ends]
        packed.append(column)
    return {"rows": len(next(iter(columns.values()), ())), "columns": packed}


def packed_numbers(values: npt.NDArray[Any], write: Callable[[float], str], missing: str = UNDEFINED) -> dict[str, Any]:
    """Distinct numbers as texts, ascending, and the index of each row's number, by which the browser sorts."""
    distinct, index = np.unique(values, return_inverse=True)  # nan comes last
    undefined = bool(len(distinct)) and bool(np.isnan(distinct[-1]))
    texts = [*map(write, distinct[: len(distinct) - undefined].tolist()), *[missing] * undefined]
    return {"texts": texts, "undefined": undefined, **_indices(index)}


def deflated(content: bytes) -> str:
    """Bytes as text for a browser, as small as they become."""
    return b64encode(zlib.compress(content, 9)).decode()


def _indices(index: npt.ArrayLike) -> dict[str, Any]:
    """Indices in as few bytes as they need."""
    whole = np.asarray(index, dtype=np.uint32)
    width = next(width for width in (1, 2, 4) if not len(whole) or whole.max() < 1 << 8 * width)
    return {"index": b64encode(whole.astype(f"<u{width}").tobytes()).decode(), "width": width}


_PLAIN = Column()

P_VALUES = Column(p_cell)
"""A column of p-values."""


def _packed(values: _Values, look: Column, missing: str | None, first: bool) -> dict[str, Any]:
    """The values of a column as texts in their order; pictures and lists of heights are not sorted."""
    if look.kind in ("image", "bars"):
        return {"texts": [*values], "undefined": False, "right": False, **_indices(range(len(values)))}
    if isinstance(values, np.ndarray):
        column = packed_numbers(values, _writer(look, values, missing), missing or "") | {"right": True}
        if look.kind == "bar" and len(values):
            shares = np.nan_to_num(np.unique(values), posinf=0)
            column["bars"] = np.rint(100 * shares / max(shares.max(), 1e-9)).astype(int).tolist()
        known = int((~np.isnan(np.unique(values))).sum())
        if look.best and known:
            column["best"] = 0 if look.best == "lowest" else known - 1
        return column
    texts = [None if value is None else marked(_word(value, missing)[:500]) for value in values]
    known = sorted({text for text in texts if text is not None}, key=_natural)
    places = {text: place for place, text in enumerate(known)} | {None: len(known)}
    undefined = None in texts
    numeric = not first and missing is not None and _is_numeric(known)
    shown = {"texts": [*known, *[missing or ""] * undefined], "undefined": undefined, "right": numeric}
    if look.short:
        shown |= {"texts": [*short_names(known, look.short).values(), *shown["texts"][len(known) :]], "whole": known}
    return shown | _indices([places[text] for text in texts])


def _word(value: object, missing: str | None) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) and missing is not None else str(value)


def _writer(look: Column, values: _Values, missing: str | None) -> Callable[[float], str]:
    if callable(look.write):
        return look.write
    if look.write is not None:
        return partial(_decimals, decimals=look.write)
    if missing is None:
        return _as_it_is
    finite = values[np.isfinite(values)] if isinstance(values, np.ndarray) else np.empty(0)
    return count_text if (finite == np.rint(finite)).all() else number_text


def _decimals(value: float, decimals: int) -> str:
    """A number under others with as many decimals."""
    if not math.isfinite(value):
        return number_text(value)
    return f"{round(value, decimals) + 0.0:,.{decimals}f}".replace("-", "−").replace(",", THIN)


def _as_it_is(value: float) -> str:
    """A number of a file, whole if it is: it may be a code or a year."""
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        return str(int(value)).replace("-", "−")
    return threshold_text(value) if abs(value) < 1e6 else f"{value:.15g}".replace("-", "−")


_LEADING_NUMBER = re.compile(rf"[+−-]?\d[\d{THIN}]*(\.\d+)?(e[+−-]?\d+)?")


def _natural(text: str) -> tuple:
    """The order of texts: by the number they begin with, then by their letters and the numbers among them.

    >>> sorted(["q10", "q9", "0.5–0.6", "−0.1 to 0", "10"], key=_natural)
    ['−0.1 to 0', '0.5–0.6', '10', 'q9', 'q10']
    """
    found = _LEADING_NUMBER.match(text)
    number = float(found[0].replace(THIN, "").replace("−", "-")) if found else math.inf
    parts = re.split(r"(\d+)", text.casefold())
    return number, [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts], text


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

_kept = lru_cache(maxsize=4096)
"""Most cells of a table stand in it in other formats and places too, and again whenever its page is drawn."""


def table_text(heads: Sequence[str], rows: Iterable[Sequence[str]], format: str) -> str:
    """A table of texts in one of `TABLE_FORMATS`; names in it are shown as they are and do nothing.

    In CSV and HTML numbers lose what only a reader needs, such as thin blanks, so that a spreadsheet takes them as
    numbers, and a cell that would start a formula is quoted. LaTeX needs no package.
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
    csv.writer(file, lineterminator="\n").writerows(map(_cell, line) for line in lines)
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
        written = (f'<{tag} align="{side}">{_html_cell(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True))
        return f"<tr>{''.join(written)}</tr>"

    head = f"<thead>{line(heads, 'th')}</thead>" if any(heads) else ""
    style = 'border="1" cellpadding="4" style="border-collapse:collapse"'
    return f"<table {style}>{head}<tbody>{''.join(line(row, 'td') for row in rows)}</tbody></table>"


@_kept
def _cell(text: str) -> str:
    """Format a cell for a spreadsheet: a number as a number, any other text so that it is no formula."""
    number = _THIN_BLANKS.sub("", text).replace("−", "-")
    return number if _NUMBER.fullmatch(number) else str(spreadsheet_cell(text))


def _is_numeric(cells: Iterable[str]) -> bool:
    """Test whether all cells that are not empty or undefined begin with numbers, so that they are aligned right."""
    counted = [cell for cell in cells if cell not in ("", "undefined", "–")]
    return bool(counted) and all(map(_BEGINS_AS_NUMBER.match, counted))


@_kept
def _html_cell(text: str) -> str:
    return html.escape(_cell(text))


@_kept
def _markdown_cell(text: str) -> str:
    written = _MARKDOWN.sub(lambda match: f"\\{match[0]}", text.replace("&", "&amp;").replace("<", "&lt;"))
    return _LINK.sub(lambda match: f"&#{ord(match[0])};", written)


@_kept
def _latex_cell(text: str) -> str:
    return re.sub("-(?=-)", "-{}", text.translate(_LATEX))  # two hyphens would be a dash


MOST_COPIED = 3_000
"""Cells of a table that travels with its page in every format; of more there are files under "Share"."""


def copy_menu(heads: Sequence[Cell | str], rows: Sequence[Line]) -> str:
    """Build the menu that copies a table of texts and cells; empty if the table has no rows or is large."""
    words = table_words(heads, rows)
    if not words[1] or max(len(words[0]), len(words[1][0])) * len(words[1]) > MOST_COPIED:
        return ""
    return copy_menu_of(table_texts(*words))


def copy_menu_of(texts: Mapping[str, str]) -> str:
    """Build the menu that copies a table in each of `TABLE_FORMATS`."""
    words = {"HTML": "for Word or a spreadsheet", "Markdown": "as Markdown", "LaTeX": "as LaTeX", "CSV": "as CSV"}
    buttons = "".join(
        f'<button type="button" data-copy="{html.escape(texts[format])}" data-format="{format}">{pasted}</button>'
        for format, pasted in words.items()
    )
    return f'<details class="copy-table"><summary>Copy table</summary><div>{buttons}</div></details>'
