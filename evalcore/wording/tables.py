"""Tables as HTML in which every text is escaped, so that names from a file are only shown."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode

from evalcore.registry import METRICS, MetricDef, measure_named
from evalcore.wording.escaping import escaped, plain

__all__ = ["Cell", "Row", "entry_link", "html_table", "linked_mentions", "linked_names", "measure_links"]
__all__ += ["measure_markdown", "table_words", "with_parameters"]


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
    """The address of the entry of a measure, a term or a message, as a link on any page.

    >>> entry_link("recall")
    'measures?measure=recall'
    """
    return f"{_ENTRY}{key}"


def measure_markdown(measure: MetricDef, name: str = "") -> str:
    """Name of a measure, or an alias of it, in bold, as a link to its entry.

    >>> from evalcore import find
    >>> measure_markdown(find("PPV"))
    '[**Precision**](measures?measure=precision)'
    """
    return f"[**{name or measure.name}**]({entry_link(measure.key)})"


def measure_links(names: Iterable[str], family: str | None = None) -> list[str]:
    """Link the names of measures (of rankings first, if that is the family) to their entries, in Markdown.

    >>> measure_links(["system", "recall", "F1", "p"])
    ['[recall](measures?measure=recall)', '[F1](measures?measure=f_beta)']
    >>> measure_links({"AP": "AP"}, "retrieval")
    ['[AP](measures?measure=average_precision_at)']
    """
    named = {name: measure_named(name, family) or measure_named(name) for name in names if name not in _OTHERWISE}
    return [f"[{plain(name)}]({entry_link(measure.key)})" for name, measure in named.items() if measure]


def linked_names(text: str, family: str | None = None) -> str:
    """Link the names of measures in bold letters in a Markdown text to their entries.

    >>> linked_names("**Precision**: **2** of 3")
    '**[Precision](measures?measure=precision)**: **2** of 3'
    """
    return re.sub(
        r"(?<=\*\*)([^*\[\]]+)(?=\*\*)", lambda name: "".join(measure_links([name[1]], family)) or name[1], text
    )


def linked_mentions(text: str, family: str | None = None) -> str:
    """Link the first mention of each measure in a Markdown text to its entry, outside links, code, formulas and quotes.

    >>> linked_mentions("AUC 0.9: the accuracy is high, the AUC too, and $F_1$")
    '[AUC](measures?measure=roc_auc) 0.9: the [accuracy](measures?measure=accuracy) is high, the AUC too, and $F_1$'
    """
    keys = set()

    def link(match: re.Match[str]) -> str:
        name = match["name"]
        measure = (measure_named(name, family) or measure_named(name)) if name else None
        if measure is None or measure.key in keys:
            return match[0]
        keys.add(measure.key)
        return f"[{name}]({entry_link(measure.key)})"

    return _mentions().sub(link, text)


@cache
def _mentions() -> re.Pattern[str]:
    """Compile the pattern of links, code and measure names in a text; words match in either case, symbols do not."""
    names = {name for one in METRICS.values() for name in (one.name, one.symbol, *one.aliases)}
    fit = (name for name in names if len(name) > 1 and "{" not in name and name.casefold() not in _WORDS)
    longest_first = sorted(fit, key=lambda name: (-len(name), name))
    words = (
        f"[{name[0].lower()}{name[0].upper()}]{re.escape(name[1:])}"
        if name[0].isalpha() and name[1:3].islower()
        else re.escape(name)
        for name in longest_first
    )
    return re.compile(rf"{_NO_TEXT}|(?<![\w–-])(?P<name>{_SYMBOLS}|{'|'.join(words)})(?![\w–@-]|\()")


def with_parameters(text: str, parameters: Mapping[str, str]) -> str:
    """Add the parameters of the open page to the links to entries in HTML or Markdown.

    >>> with_parameters("[**Recall**](measures?measure=recall)", {"data": "a b", "measure": "AP"})
    '[**Recall**](measures?data=a+b&measure=recall)'
    """
    carried = {name: value for name, value in parameters.items() if name != "measure"}
    return text.replace(_ENTRY, f"measures?{urlencode(carried)}&measure=") if carried else text


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
    """Return headings and rows as plain texts for `table_text`; a cell that spans columns leaves the others empty.

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
