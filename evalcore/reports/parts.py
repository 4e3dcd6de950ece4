"""What a report is made of: chapters with a verdict, pictures, tables and texts, as HTML."""

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evalcore.analyses import KeptDecision, ThresholdChoice
from evalcore.figures.svg import svg_picture
from evalcore.inference import IntervalChoice
from evalcore.reports.markdown import markdown_html
from evalcore.wording import UNDEFINED, Cell, Row, count_text, html_table, number_text, one_line

__all__ = ["Chapter", "ReportSettings"]

MOST_ROWS = 30
"""Lines of a table of data that are printed; the rest is counted."""


@dataclass(frozen=True)
class ReportSettings:
    """What was chosen for the numbers of a report; without a threshold it is the one to start from."""

    threshold: float | None = None
    chosen: ThresholdChoice | None = None  # what the threshold is for, as `best_threshold` gives it
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)
    kept: Sequence[KeptDecision] = ()  # decisions that were kept with the data


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure in the colours of light paper, with what it shows in a sentence."""

    figure: Any  # of Plotly
    shows: str
    wide: bool = False  # over the whole width

    def html(self, name: str) -> str:
        """The picture as SVG; the name begins the ids in it."""
        size = 900 if self.wide else 480
        words = html.escape(self.shows)
        svg = svg_picture(self.figure, self.shows, size, name)
        return f'<figure class="{"wide" if self.wide else "half"}">{svg}<figcaption>{words}</figcaption></figure>'


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length, or lines that are written already."""

    title: str
    columns: Mapping[str, Any] = field(default_factory=dict)
    heads: Sequence[Cell | str] = ()
    rows: Sequence[Row | Sequence[Cell | str]] = ()

    def html(self, name: str) -> str:
        """The table under its title; long ones end with how many lines are left out."""
        heads, rows, total = self.heads, self.rows, len(self.rows)
        if self.columns:
            values = [_values(column) for column in self.columns.values()]
            total = max(map(len, values), default=0)
            cells = [_cells(column[:MOST_ROWS]) for column in values]
            kinds = ["number" if column and column[0].kind == "number" else "" for column in cells]
            heads = [Cell(one_line(h), heading=True, kind=kind) for h, kind in zip(self.columns, kinds, strict=True)]
            rows = list(zip(*cells, strict=False))
        rows = [_without_links(row) for row in rows]
        left = total - len(rows)
        more = f"<p class=small>The first {len(rows)} of {count_text(total)} lines.</p>" if left > 0 else ""
        heads = [one_line(head) if isinstance(head, str) else head for head in _without_links(heads).cells]
        title = f"<h3>{html.escape(self.title)}</h3>" if self.title else ""
        return f'{title}<div class="table">{html_table(heads, rows, "numbers")}</div>{more}'


@dataclass(frozen=True)
class Words:
    """A paragraph of Markdown under a title."""

    text: str
    title: str = ""

    def html(self, name: str) -> str:
        """The paragraph."""
        return (f"<h3>{html.escape(self.title)}</h3>" if self.title else "") + markdown_html(self.text)


@dataclass(frozen=True)
class Code:
    """A text that keeps its lines, folded under its title."""

    title: str
    text: str

    def html(self, name: str) -> str:
        """The text, to unfold."""
        return f"<details><summary>{html.escape(self.title)}</summary><pre>{html.escape(self.text)}</pre></details>"


@dataclass(frozen=True)
class Markup:
    """HTML of our own, in which every text is escaped already."""

    text: str

    def html(self, name: str) -> str:
        """As it is."""
        return self.text


Part = Picture | Table | Words | Code | Markup


@dataclass(frozen=True, eq=False)
class Chapter:
    """What a report says of one page: its answer in Markdown, then pictures, tables and texts."""

    title: str
    question: str
    verdict: str = ""
    parts: Sequence[Part] = ()
    data: Mapping[str, Any] | None = None  # what its script draws from, where it has one

    def html(self, name: str) -> str:
        """The chapter as a section of a document, in which its name is an id."""
        body = "".join(part.html(f"{name}{index}") for index, part in enumerate(self.parts))
        verdict = f'<div class="verdict">{markdown_html(self.verdict)}</div>' if self.verdict else ""
        question = f'<p class="question">{html.escape(self.question)}</p>'
        return f'<section id="{name}"><h2>{html.escape(self.title)}</h2>{question}{verdict}{body}</section>'


def _values(column: Any) -> list:
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _cells(values: Sequence[Any]) -> list[Cell]:
    """The cells of a column: counts where all its numbers are whole, else in the digits of any number."""
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if len(numbers) < len(values) or not values:
        return [Cell("" if value is None else one_line(value, 120)) for value in values]
    whole = all(float(number).is_integer() for number in numbers if math.isfinite(number))
    written = count_text if whole else number_text
    return [Cell(UNDEFINED if math.isnan(n) else written(float(n)), kind="number") for n in numbers]


def _without_links(row: Row | Sequence[Cell | str]) -> Row:
    """A line whose measures open no entry, since there is no page to open, and no image."""
    cells = row.cells if isinstance(row, Row) else row
    plain = [replace(cell, measure="", image="") if isinstance(cell, Cell) else cell for cell in cells]
    return Row(plain, row.kind if isinstance(row, Row) else "")
