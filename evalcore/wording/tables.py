"""Tables as HTML: every text in them is escaped, so that names from a file are shown and do nothing else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalcore.wording.entry_links import entry_link
from evalcore.wording.escaping import escaped

__all__ = ["Cell", "Row", "html_table", "table_words"]

_TINY = 600
"""Letters of a data URI below which an image has few pixels, which are to be seen one by one."""


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
    image: str = ""  # data URI of a thumbnail before the text; no address, which would be fetched

    @property
    def html(self) -> str:
        """The cell as an element of a table."""
        looks = {"class": self.kind, "title": self.title, "colspan": str(self.span) if self.span > 1 else ""}
        attributes = "".join(f' {name}="{escaped(value)}"' for name, value in looks.items() if value)
        text = escaped(self.text)
        if self.measure:
            text = f'<a class="entry" href="{entry_link(self.measure)}" target="_blank">{text}</a>'
        parts = [
            self._thumbnail,
            f"<b>{text}</b>" if self.strong else text,
            f' <span class="names">{escaped(self.aside)}</span>' if self.aside else "",
            f"<small>{escaped(self.below)}</small>" if self.below else "",
        ]
        tag = "th" if self.heading else "td"
        return f"<{tag}{attributes}>{''.join(parts)}</{tag}>"

    @property
    def words(self) -> str:
        """The cell as a text alone."""
        return " ".join(filter(None, (self.text, self.aside, self.below)))

    @property
    def _thumbnail(self) -> str:
        if not self.image.startswith("data:image/"):
            return ""
        kind = "tiny" if len(self.image) < _TINY else "thumbnail"
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


def table_words(
    heads: Sequence[Cell | str], rows: Iterable[Row | Sequence[Cell | str]]
) -> tuple[list[str], list[list[str]]]:
    """The same headings and rows as texts alone, for `table_text`; what a cell spans beyond its column is empty.

    >>> table_words(["measure", "value"], [Row.group("Rates", 2), ["recall", Cell("80 %", below="n = 5")]])
    (['measure', 'value'], [['Rates', ''], ['recall', '80 % n = 5']])
    """
    head, *lines = ([text for cell in cells for text in _texts(cell)] for cells in (heads, *map(_cells, rows)))
    return head, lines


def html_table(heads: Sequence[Cell | str], rows: Iterable[Row | Sequence[Cell | str]], kind: str = "averages") -> str:
    """A table of texts and cells under a line of headings, if there are any; its kind is its class in the style sheet.

    >>> html_table(["", "value"], [["<b>recall</b>", Cell("80 %", strong=True)]])
    '<table class="averages"><thead><tr><td></td><th>value</th></tr></thead><tbody><tr><td>&lt;b&gt;recall&lt;/b&gt;</td><td><b>80 %</b></td></tr></tbody></table>'
    """  # noqa: E501
    head = "".join(cell.html if isinstance(cell, Cell) else Cell(cell, heading=bool(cell)).html for cell in heads)
    body = "".join(_line(row if isinstance(row, Row) else Row(row)) for row in rows)
    return f'<table class="{kind}">{f"<thead><tr>{head}</tr></thead>" if heads else ""}<tbody>{body}</tbody></table>'


def _cells(row: Row | Sequence[Cell | str]) -> Sequence[Cell | str]:
    return row.cells if isinstance(row, Row) else row


def _texts(cell: Cell | str) -> list[str]:
    return [cell.words, *[""] * (cell.span - 1)] if isinstance(cell, Cell) else [cell]


def _line(row: Row) -> str:
    cells = "".join((cell if isinstance(cell, Cell) else Cell(cell)).html for cell in row.cells)
    return f'<tr class="{row.kind}">{cells}</tr>' if row.kind else f"<tr>{cells}</tr>"
