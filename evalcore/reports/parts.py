"""Parts of a report as HTML: chapters with a verdict, figures, tables and texts."""

import base64
import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.classification import ConfusionCounts
from evalcore.figures import STYLE_COLOURS, ink
from evalcore.figures.svg import colour_variables, svg_picture
from evalcore.figures.threshold_view import alone_program
from evalcore.readers import ReadProblem
from evalcore.registry import METRICS, PAGES
from evalcore.wording import UNDEFINED, Cell, Row, escaped, html_table, one_line, plain
from evalcore.wording.numbers import count_text, number_text, p_cell, value_text

__all__ = ["Chapter", "embedded", "enclosed", "markdown_html", "page", "report_script", "report_style"]
__all__ += ["two_by_two", "without_links"]

_ENTITY = re.compile(r"&amp;(#\d{1,7}|amp|lt|gt|quot);")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_LOOK = re.compile(r":(small|gray|grey|red|orange|green|blue)\[([^\[\]]*)\]")
_BOLD, _ITALIC = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"(?<![*\w])\*([^*\n]+)\*(?!\w)")
_CODE, _BREAK = re.compile(r"`([^`]+)`"), re.compile(r" {2,}\n|\\\n|&lt;br ?/?&gt;")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_JOINER = "\u2060"
MOST_ROWS = 30  # lines of a table of data that are printed; the rest is counted
_FEW, _LONG, _MANY = 9, 60, 8
"""Lines of a table that stay on one page, if no cell has so many letters; columns that are printed small."""


def markdown_html(text: str) -> str:
    """Convert Markdown to paragraphs of HTML; any unescaped name remains text.

    >>> markdown_html("**Good** for :gray[&#42;you&#42;]: see [recall](measures?measure=recall)")
    '<p><b>Good</b> for <span class="grey">&#42;you&#42;</span>: see recall</p>'
    >>> markdown_html("<script>x</script> at p < 0.05")
    '<p>&lt;script&gt;x&lt;/script&gt; at p &lt; 0.05</p>'
    >>> markdown_html("Two:\\n- one\\n- *two*")
    '<p>Two:</p><ul><li>one</li><li><em>two</em></li></ul>'
    """
    safe = _ENTITY.sub(r"&\1;", escaped(text.replace(_JOINER, ""), quote=False))
    return "".join(_block(block) for block in re.split(r"\n\s*\n", safe.strip()) if block.strip())


def _block(block: str) -> str:
    """A paragraph, a list, or a list under a paragraph; or a table, whose second line says what is a number."""
    if block.lstrip().startswith("|"):
        # A first cell may be empty.
        lines = [line.strip().removeprefix("|") or " " for line in block.strip().splitlines()]
        heads, marks, *rows = ([cell.strip() for cell in line.strip(" |").split("|")] for line in lines)
        table = ""
        for tag, cells in (("th", heads), *(("td", row) for row in rows)):
            kinds = ("number" if mark.endswith(":") else "" for mark in marks)
            row = (f"<{tag} class='{kind}'>{_inline(cell)}</{tag}>" for cell, kind in zip(cells, kinds, strict=False))
            table += f"<tr>{''.join(row)}</tr>"
        return f'<div class="table"><table>{table}</table></div>'
    words, *items = re.split(r"(?:^|\n)\s*[-*] (?=\S)", block.strip())
    listed = f"<ul>{''.join(f'<li>{_inline(item.strip())}</li>' for item in items)}</ul>" if items else ""
    return (f"<p>{_inline(words)}</p>" if words else "") + listed


def _inline(text: str) -> str:
    text = _ESCAPED.sub(lambda match: f"&#{ord(match[1])};", text)
    text = _BOLD.sub(r"<b>\1</b>", _LINK.sub(r"\1", text))
    text = _ITALIC.sub(r"<em>\1</em>", _CODE.sub(r"<code>\1</code>", text))
    while _LOOK.search(text):  # the innermost first
        text = _LOOK.sub(lambda at: f'<span class="{"small" if at[1] == "small" else "grey"}">{at[2]}</span>', text)
    return _BREAK.sub("<br>", text)


@dataclass(frozen=True, eq=False)
class Picture:
    """Figure in light colours, with its text alternative."""

    figure: Any  # of Plotly
    shows: str
    wide: bool = False  # over the whole width

    def html(self, name: str) -> str:
        """The figure as SVG; its ids begin with the name."""
        kind, size = ("wide", 800) if self.wide else ("half", 420)
        svg = svg_picture(self.figure, self.shows, size, name)
        return f'<figure class="{kind}">{svg}<figcaption>{escaped(self.shows)}</figcaption></figure>'


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length, or lines that are written already."""

    title: str
    columns: Mapping[str, Any] = field(default_factory=dict)
    heads: Sequence[Cell | str] = ()
    rows: Sequence[Row | Sequence[Cell | str]] = ()

    @classmethod
    def of(cls, heads: Sequence[Cell | str], rows: Sequence[Row | Sequence[Cell | str]]) -> "Table":
        """Lines under their headings, without a title."""
        return cls("", heads=heads, rows=rows)

    def html(self, name: str) -> str:
        """The table under its title; long ones end with how many lines are left out."""
        heads, rows, total = self.heads, self.rows, len(self.rows)
        if self.columns:
            total = max(map(len, self.columns.values()), default=0)
            every = {name: _cells(name, column[:MOST_ROWS]) for name, column in self.columns.items()}
            # Images would be long texts here.
            shown = {n: cells for n, cells in every.items() if not any(c.text.startswith("data:image/") for c in cells)}
            kinds = ["number" if cells and cells[0].kind == "number" else "" for cells in shown.values()]
            heads = [Cell(one_line(h), heading=True, kind=kind) for h, kind in zip(shown, kinds, strict=True)]
            rows = list(zip(*shown.values(), strict=False))
        rows = [without_links(row) for row in rows]
        left = total - len(rows)
        more = f"<p class=small>The first {len(rows)} of {count_text(total)} lines.</p>" if left > 0 else ""
        heads = [Cell(one_line(head), heading=True) if isinstance(head, str) else head for head in heads]
        heads, title = without_links(heads).cells, f"<h3>{escaped(self.title)}</h3>" if self.title else ""
        longest = max((len(cell.text) for row in rows for cell in row.cells if isinstance(cell, Cell)), default=0)
        looks = {" few": len(rows) <= _FEW and longest < _LONG, " many": len(heads) > _MANY}
        kind = "".join(name for name, is_so in looks.items() if is_so)
        return f'{title}<div class="table{kind}">{html_table(heads, rows, "numbers")}</div>{more}'


@dataclass(frozen=True)
class Words:
    """A paragraph of Markdown under a title."""

    text: str
    title: str = ""

    def html(self, name: str) -> str:
        """The paragraph."""
        return (f"<h3>{escaped(self.title)}</h3>" if self.title else "") + markdown_html(self.text)


@dataclass(frozen=True)
class Markup:
    """HTML written here, in which all texts are escaped."""

    text: str

    def html(self, name: str) -> str:
        """The markup, unchanged."""
        return self.text


Part = Picture | Table | Words | Markup
Makers = dict[str, Callable[[], list[Part]]]  # functions that make the parts of a tab, by its title


def code(title: str, text: str) -> Markup:
    """A text that keeps its lines, folded under its title."""
    return Markup(f"<details><summary>{escaped(title)}</summary><pre>{escaped(text)}</pre></details>")


def paragraphs(*texts: str) -> list[Part]:
    """Paragraphs of the texts that are not empty."""
    return [Words(text) for text in texts if text]


@dataclass(frozen=True, eq=False)
class Chapter:
    """Report of one page: its verdict in Markdown, then figures, tables and texts."""

    title: str
    question: str
    verdict: str = ""
    # What stands at once, and the tabs below, which are made when they are asked for.
    made: Sequence[Part | Makers] = ()
    data: Callable[[], Mapping[str, Any]] | None = None  # makes what its script draws from, where it has one

    @classmethod
    def of_page(cls, page: str, verdict: str, made: Sequence[Part | Makers], data: Any = None) -> "Chapter":
        """The chapter of a page, by section and name, with its title and question."""
        return cls(PAGES[page].title, PAGES[page].question, verdict, made, data)

    @property
    def first(self) -> list[Part]:
        """The parts without those of the tabs."""
        return [part for part in self.made if not isinstance(part, dict)]

    @cached_property
    def tabs(self) -> dict[str, list[Part]]:
        """The parts of each tab, made once; where the data cannot answer, the reason."""
        tabs: dict[str, list[Part]] = {}
        for title, make in (tab for each in self.made if isinstance(each, dict) for tab in each.items()):
            try:
                tabs[title] = [*make()]
            except (ReadProblem, ValueError) as problem:
                tabs[title] = [Words(plain(problem, 400))]
        return tabs

    @cached_property
    def parts(self) -> list[Part]:
        """All parts, those of tabs under their titles."""
        parts: list[Part] = []
        for each in self.made:
            if not isinstance(each, dict):
                parts.append(each)
                continue
            for title in each:
                if made := self.tabs[title]:
                    parts += [Markup(f'<h3 class="part">{escaped(title)}</h3>'), *made]
        return parts

    def words_of(self, tab: str) -> list[Words]:
        """The texts of a tab."""
        return [part for part in self.tabs.get(tab, ()) if isinstance(part, Words)]

    def html(self, name: str, shown: Sequence[Part] = ()) -> str:
        """The chapter as a folded section of HTML with its name as id, without the parts that are shown elsewhere."""
        parts = [part for part in self.parts if not any(part is other for other in shown)]
        verdict = f'<div class="verdict">{markdown_html(self.verdict)}</div>' if self.verdict else ""
        summary = f'<h2>Appendix: {escaped(self.title)}</h2> <span class="grey">{escaped(self.question)}</span>'
        return (
            f'<details class="appendix"><summary>{summary}</summary>'
            f'<section id="{name}">{verdict}{body_html(parts, name)}</section></details>'
        )


def body_html(parts: Sequence[Part], name: str) -> str:
    """Parts one below the other, a narrow figure beside the words that follow it; their ids begin with the name."""
    texts = [part.html(f"{name}{index}") for index, part in enumerate(parts)]
    narrow = [isinstance(part, Picture) and not part.wide for part in parts]
    written, index = "", 0
    while index < len(parts):
        end = index + 1
        alone = narrow[index] and not (index and narrow[index - 1])
        while alone and end < len(parts) and isinstance(parts[end], Words):
            end += 1
        first, *words = texts[index:end]
        written += f'<div class="beside">{first}<div>{"".join(words)}</div></div>' if words else first
        index = end
    return written


def _cells(name: str, column: Any) -> list[Cell]:
    """Cells of a column: counts if all its numbers are whole, else general numbers or p-values."""
    values = column.tolist() if hasattr(column, "tolist") else column
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if len(numbers) < len(values) or not values:
        texts = (("no", "yes")[bool(value)] if isinstance(value, (bool, np.bool_)) else value for value in values)
        return [Cell("" if text is None else one_line(text, 120)) for text in texts]
    whole = all(float(number).is_integer() for number in numbers if math.isfinite(number))
    written = p_cell if name in ("p", "corrected p") else count_text if whole else number_text
    return [Cell(UNDEFINED if math.isnan(n) else written(float(n)), kind="number") for n in numbers]


def _without_breaks(text: str) -> str:
    """Join a short text that begins with a number, so that it stays on one line."""
    if len(text) > 30 or not re.match(r"[\d−+×<≤∞]", text):
        return text
    return text.replace(" ", "\u00a0").replace("–", "–\u2060").replace("\u00a0(", " (")


def without_links(row: Row | Sequence[Cell | str]) -> Row:
    """Row without links and images, and with unbroken ranges, as a report has no other pages."""
    cells = row.cells if isinstance(row, Row) else row
    cells = [cell if isinstance(cell, Cell) else Cell(cell) for cell in cells]
    cells = [replace(cell, text=_without_breaks(cell.text), below=_without_breaks(cell.below)) for cell in cells]
    unlinked = [replace(cell, measure="", image="", rows="") for cell in cells]
    return Row(unlinked, row.kind if isinstance(row, Row) else "")


def page(file: str, title: str, style: str, body: str, script: str, data: object = None) -> str:
    """A page of HTML that fetches nothing and runs this script alone; its pictures are saved under the name of a file.

    The script finds the data as JSON in the element ``view-data``.
    """
    # Nothing from anywhere: only styles and pictures in the document, and the one script by its digest.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    inside = "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; {inside}"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escaped(title)}</title><style>{style}</style></head>"
        f'<body data-picture="svg" data-file="{escaped(file)}">{body}'
        f"{embedded(data)}<script>{script}</script></body></html>"
    )


def embedded(data: object, id: str = "view-data") -> str:
    """Data of the script as JSON in which no tag can end, inside a script element that is never run."""
    if data is None:
        return ""
    # Whatever stands in a name, "<" begins no tag and no comment there.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="{id}">{text}</script>'


@cache
def report_script(live: bool) -> str:
    """The script of a report, without its comments: of its folds and steps, and of a threshold view if it has one."""
    own = Path(__file__).with_name("report.js").read_text(encoding="utf-8")
    text = f"{alone_program() if live else ''}{{\n{own}}}"  # in a block, whose names hide none of the view
    return enclosed(re.sub(r"^ *//.*\n", "", text, flags=re.MULTILINE))


def enclosed(script: str) -> str:
    """A script whose names are its own."""
    return f'"use strict";(() => {{\n{script}\n}})()'


def _colours() -> tuple[str, str]:
    """The variables of colours on a light and on a dark ground."""
    light, dark = (
        "".join(f"--{name}:{colour};" for name, colour in (colour_variables(ink(ground)) | STYLE_COLOURS).items())
        for ground in (False, True)
    )
    return light, dark


def report_style() -> str:
    """The rules of style, with the colours of both grounds."""
    rules = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    light, dark = _colours()
    return f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"


def answer_html(verdict: str, parts: Sequence[Part], name: str) -> str:
    """A finding in Markdown and its parts for a notebook: rules of style that hold for nothing else, and no script."""
    rules = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    light, dark = _colours()
    style = (
        f".evalcore-answer{{{light}color:var(--text);background:var(--paper);font:15px/1.5 system-ui,sans-serif;"
        "color-scheme:light dark;padding:4px 12px;max-width:1080px}"
        f"@media(prefers-color-scheme:dark){{.evalcore-answer{{{dark}}}}}"
        f'[data-jp-theme-light="true"] .evalcore-answer{{{light}}}[data-jp-theme-light="false"] .evalcore-answer,'
        f".vscode-dark .evalcore-answer{{{dark}}}.evalcore-answer{{{rules}}}"
    )
    body = f'<div class="verdict">{markdown_html(verdict)}</div>{body_html(parts, name)}'
    return f'<div class="evalcore-answer"><style>{style}</style>{body}</div>'


def two_by_two(counts: ConfusionCounts, positive: str, negative: str) -> str:
    """Four counts of shape () as a table of HTML, the actual classes in its columns."""
    names = [escaped(one_line(name, 30)) for name in (positive, negative)]

    def cell(key: str) -> str:
        return f"<td class={key}><b>{count_text(float(getattr(counts, key)))}</b><small>{key.upper()}</small></td>"

    def rate(key: str) -> str:
        measure = METRICS[key]
        return f"<td class=rate><small>{measure.short}</small>{value_text(measure, float(measure(counts)))}</td>"

    return (
        '<div class="table"><table class="frame"><thead><tr><th></th>'
        f"{''.join(f'<th>actual {name}</th>' for name in names)}<th></th></tr></thead><tbody>"
        f"<tr><th>says {names[0]}</th>{cell('tp')}{cell('fp')}{rate('precision')}</tr>"
        f"<tr><th>says {names[1]}</th>{cell('fn')}{cell('tn')}{rate('negative_predictive_value')}</tr>"
        f"<tr><th></th>{rate('recall')}{rate('specificity')}{rate('accuracy')}</tr></tbody></table></div>"
    )
