"""Escaping: names from a file are shown as they are by Streamlit and spreadsheets, and never interpreted."""

import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from typing import Any

from evalcore.registry import MetricDef
from evalcore.wording.numbers import THIN

__all__ = ["TURNS", "as_noun", "escaped", "file_stem", "is_word", "label_markdown", "label_text", "marked"]
__all__ += ["measure_word", "names_for_link", "one_line", "plain", "plotly_text", "read_json", "short_names"]
__all__ += ["shortened", "snippet", "spreadsheet_cell", "visible_blanks", "well_formed"]

# Streamlit reads Markdown, directives (:red[…]), formulas ($x$) and HTML in nearly every label. A character reference
# stays plain text there, where a backslash does not.
_ACTIVE = re.compile(r"[!-/:-@\[-`{-~]")

# Bare addresses, :icons: and arrows (-> >= --) are looked for after the references have been decoded; an invisible
# joiner in the middle hides them. Names without such a place stay free of it, so that they can be copied.
_LOOKED_FOR_LATE = re.compile(r"(?<=www)(?=\.)|(?=@)|(?<=@)|(?<=:)(?=[/a-z])|(?<=[-<>~=])(?=[-<>~=])", re.IGNORECASE)
_JOINER = "\u2060"
_FORMULA = re.compile(r"(?:^|(?<=[;\t\r\n]))(?= *[-=+@＝＋－＠])")

# With these a name can show its letters in another order than it has: "cod.exe" as "exe.doc".
_MARKS = {turn: f"‹U+{turn:04X}›" for turn in (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))}

TURNS = f"[{''.join(map(chr, _MARKS))}]"
"""Controls of the writing direction, as a pattern."""


def plain(text: object, limit: int = 80) -> str:
    """Escape a label for Markdown in Streamlit: its own characters, on one line, at most `limit` long."""
    hidden = _LOOKED_FOR_LATE.sub(_JOINER, one_line(text, limit))
    return _ACTIVE.sub(lambda match: f"&#{ord(match[0])};", hidden)


def well_formed(text: str) -> str:
    """Replace each half of a character (a lone surrogate), which no encoding can write, by "?"."""
    return text.encode("utf-8", "replace").decode()


def names_for_link(names: Iterable[str]) -> str:
    """Join any names to one text for a link, from which they can be told apart again.

    >>> names_for_link(["cell", "a~b", "!"])
    'cell~a*-b~*.'
    """
    # The browser encodes the rest, once: it is to be read in the line.
    apart = lambda name: well_formed(name).replace("*", "**").replace("~", "*-").replace("!", "*.")  # noqa: E731
    return "~".join(map(apart, names))


def marked(text: Any) -> Any:
    """Show controls of the writing direction in a text as marks, such as ‹U+202E›; leave any other value as it is."""
    return text.translate(_MARKS) if isinstance(text, str) else text


def escaped(text: str, quote: bool = True) -> str:
    """Escape a text for HTML, on pages and in reports, with controls of the writing direction as marks."""
    return html.escape(marked(text), quote=quote)


def read_json(text: str | bytes, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """Parse JSON from outside, with all its texts `well_formed`. Raises ValueError or RecursionError."""
    return json.loads(well_formed(json.dumps(json.loads(text, parse_constant=parse_constant), ensure_ascii=False)))


def one_line(text: object, limit: int = 80) -> str:
    """Remove line breaks and invisible controls from a name and shorten it, for places that read no Markdown.

    Those are the options of a selectbox and multiselect, the cells of a dataframe, ``st.text`` and page titles.
    Controls of the writing direction become marks.
    """
    visible = marked(str(text))
    if not visible.replace(THIN, "").isprintable():
        # The narrow space between thousands stands inside a number, which must not break there.
        visible = "".join(" " if c.isspace() and c != THIN else c for c in visible if c.isspace() or _is_visible(c))
    if "  " in visible:
        visible = re.sub(" +", " ", visible)
    return shortened(visible.strip(), limit)


def snippet(text: object, limit: int = 160) -> str:
    """The beginning of a text on one line, cut between words; like `one_line` for places that read no Markdown."""
    words = one_line(text, 10_000)
    if len(words) <= limit:
        return words
    cut = words[: limit - 1]
    return f"{cut[:end] if (end := cut.rfind(' ')) > limit // 2 else cut} …"


def visible_blanks(name: str) -> str:
    """Make the blanks at the ends of a name visible, "␣cat", and write "(empty)" for an empty one."""
    words = name.strip()
    before = len(name) - len(name.lstrip())
    return "␣" * before + words + "␣" * (len(name) - before - len(words)) or "(empty)"


def label_text(label: str, limit: int = 40) -> str:
    """Name of a class for places that read no Markdown, with visible blanks."""
    return one_line(visible_blanks(label), limit)


def label_markdown(label: str, limit: int = 40) -> str:
    """Name of a class for places that read Markdown, with visible blanks."""
    return plain(visible_blanks(label), limit)


_ANSWERS = frozenset("true false yes no ja nein nee oui non si sí sim não wahr falsch vrai faux vero falso".split())


def is_word(label: str) -> bool:
    """Test whether a label can follow a number: "30 ill", but not "30 1" and not "30 yes"."""
    return sum(map(str.isalpha, label)) > 1 and label.casefold() not in _ANSWERS


def as_noun(label: str, limit: int = 80) -> str:
    """A label inside a sentence, ready for Markdown: an everyday word as it is, anything else in quotation marks."""
    everyday = is_word(label) and label.isalpha() and label.islower()
    return plain(label, limit) if everyday else f"“{plain(label, limit)}”"


def plotly_text(text: object, limit: int = 60) -> str:
    """Escape a name for the text of a figure: its own characters, on one line, at most `limit` long."""
    words = " ".join(marked(str(text)).split())
    written = escaped("".join(filter(str.isprintable, shortened(words, limit))), quote=False)
    return written.replace("%{", "&#37;{")  # or a template of Plotly's would fill it


def spreadsheet_cell(value: object) -> object:
    """Prevent a spreadsheet from reading a cell as a formula, with a quotation mark in front.

    Where a comma is the decimal sign, spreadsheets split the lines of a CSV at semicolons, even within a cell.
    """
    if not isinstance(value, str):
        return value
    return ("'" if value.lstrip(" ").startswith(("\t", "\r", "\n")) else "") + _FORMULA.sub("'", value)


def shortened(text: str, limit: int) -> str:
    """A text of at most `limit` characters, with … where its middle was: names often differ in their last letters."""
    if len(text) <= limit:
        return text
    most = (limit - 1) * 2 // 5
    start, end = text[: limit - 1 - most], text[len(text) - most :]
    # Half a word is left out where enough stays.
    if not text[len(start)].isspace() and (at := start.rfind(" ")) > len(start) // 2:
        start = start[:at]
    if not text[-most - 1].isspace() and 0 <= (at := end.find(" ")) < most * 2 // 3:
        end = end[at:]
    return f"{start.rstrip()}…{end.lstrip()}"


def _is_visible(character: str) -> bool:
    # The joiner of emoji families and the variation selector are format characters that show.
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs") or character in "\u200d"


_PERSONS = ("Cohen", "Fowlkes", "Gini", "Jaccard", "Kolmogorov", "Matthews", "Youden")


def short_names(names: Iterable[str], limit: int = 24) -> dict[str, str]:
    """Map each name to a short form for an axis, a legend, a list or a table: on one line, no two alike.

    Names of more than `limit` letters lose their middle. Where that makes some alike, those lose what they begin with
    in common instead. Not escaped: they still come from a file.
    """
    full = {name: one_line(visible_blanks(name), 400) for name in dict.fromkeys(names)}
    short = _distinct(full, limit)
    if len(set(short.values())) == len(short):
        return short
    return {name: f"{number} {shortened(full[name], limit)}" for number, name in enumerate(full, 1)}


def _distinct(full: Mapping[str, str], limit: int) -> dict[str, str]:
    """Cut names at `limit`; of equal results, start each where the names begin to differ."""
    short = {name: shortened(words, limit) for name, words in full.items()}
    groups: dict[str, list[str]] = {}
    for name, words in short.items():
        groups.setdefault(words, []).append(name)
    for alike in (group for group in groups.values() if len(group) > 1):
        words = [full[name] for name in alike]
        # What the first and the last in the order of letters begin with, all between them begin with.
        first, last = min(words), max(words)
        same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
        begin = max(first.rfind(mark, 0, same) for mark in " /-_:.") + 1
        begin = begin if same - begin <= limit // 3 else same
        # What they begin with stays as far as there is room for whole words of it.
        longest = max(map(len, words))
        begin = next((at for at in range(begin) if longest - at < limit and first[at - 1 : at] == " "), begin)
        if begin and len(set(words)) > 1:
            rest = _distinct({name: full[name][begin:] for name in alike}, limit - 1)
            short |= {name: f"…{words.removeprefix('…')}" for name, words in rest.items()}
    return short


def file_stem(title: str) -> str:
    """The stem of file names about a data set: its name without an ending, with only what every system takes."""
    safe = "".join(c if c.isalnum() or c in "-_" else " " for c in PurePath(title).stem)
    return " ".join(safe.split())[:60].strip() or "data"


def measure_word(measure: MetricDef) -> str:
    """Return the name of a measure for the middle of a sentence: "recall", "Youden's J", "F2", "AUC"."""
    if measure.params or measure.symbol == "AUC":  # which nobody says in full
        return measure.label
    first, *others = measure.name.split(" ")
    is_name = first.startswith(_PERSONS) or first[1:2] == "-"  # G-mean
    return measure.name if is_name else " ".join((first.lower(), *others))
