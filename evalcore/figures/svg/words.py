"""Texts of a figure in SVG: the little markup that figures use, everything else escaped; and how wide they are."""

import html
import re

from evalcore.figures.svg.paint import paint
from evalcore.wording import escaped

__all__ = ["lines_of", "text_element", "width_of"]

_TOKEN = re.compile(r'(<br\s*/?>|</?b>|</?i>|<span style="color:(#[0-9A-Fa-f]{6})">|</span>)')
# Shares of the type's size, as in the usual faces without serifs.
_NARROW, _WIDE = set("ijlIft.,:;|!'()[]{} ·\u202f"), set("mwMW%@—")
_WIDTHS = {"narrow": 0.31, "wide": 0.88, "capital": 0.68, "usual": 0.56}


def width_of(text: str, size: float = 12) -> float:
    """About how many pixels a plain text is wide.

    >>> width_of("0.5", 10) < width_of("0.55", 10)
    True
    """
    return size * sum(_share(letter) for letter in text)


def _share(letter: str) -> float:
    if letter in _NARROW:
        return _WIDTHS["narrow"]
    if letter in _WIDE or ord(letter) > 0x2E80:
        return _WIDTHS["wide"]
    return _WIDTHS["capital" if letter.isupper() else "usual"]


def lines_of(text: str) -> list[tuple[str, str]]:
    """The lines of a text, each as markup of SVG and as plain words.

    >>> lines_of("<b>A</b> &lt;3<br><a href='x'>y</a>")[0]
    ('<tspan font-weight="650">A</tspan> &lt;3', 'A <3')
    >>> lines_of("<b>A</b> &lt;3<br><a href='x'>y</a>")[1]
    ('&lt;a href=&#x27;x&#x27;&gt;y&lt;/a&gt;', "<a href='x'>y</a>")
    """
    lines, markup, plain, bold, colour = [], "", "", False, ""
    at = 0
    for match in [*_TOKEN.finditer(text), None]:
        words = html.unescape(text[at : match.start() if match else len(text)])
        if words:
            looks = (' font-weight="650"' if bold else "") + (paint("fill", colour) if colour else "")
            written = escaped(words)
            markup += f"<tspan{looks}>{written}</tspan>" if looks else written
            plain += words
        if match is None:
            break
        at, token = match.end(), match[0]
        if token.startswith("<br"):
            lines.append((markup, plain))
            markup, plain = "", ""
        elif token in ("<b>", "</b>"):
            bold = token == "<b>"
        elif token.startswith("<span") or token == "</span>":
            colour = match[2] or ""
    return [*lines, (markup, plain)]


def text_element(
    x: float, y: float, text: str, *, size: float = 12, colour: str = "", anchor: str = "start", middle: float = 0.35,
    turn: float = 0, align: str = "",
) -> str:  # fmt: skip
    """A text at a place; `middle` is how far the base of its first line lies below y, in sizes of its type."""
    lines = lines_of(text)
    x0, looks = x, f' text-anchor="{anchor}"'
    if align == "left" and len(lines) > 1 and anchor != "start":
        widest = max(width_of(plain, size) for _, plain in lines)
        x0, looks = x - widest * {"middle": 0.5, "end": 1.0}[anchor], ""
    spans = "".join(
        f'<tspan x="{x0:.1f}" dy="{0 if index == 0 else 1.3 * size:.1f}">{markup}</tspan>' if len(lines) > 1 else markup
        for index, (markup, _) in enumerate(lines)
    )
    rotation = f' transform="rotate({turn:g} {x:.1f} {y:.1f})"' if turn else ""
    place = f'x="{x0:.1f}" y="{y + middle * size:.1f}" font-size="{size:g}"'
    return f"<text {place}{looks if anchor != 'start' else ''}{paint('fill', colour)}{rotation}>{spans}</text>"
