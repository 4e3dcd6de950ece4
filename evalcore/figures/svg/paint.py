"""Colours of a figure in SVG: theme colours become variables that follow light and dark."""

import html
import itertools
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from evalcore.figures.base.theme import Ink, ink
from evalcore.wording import escaped

__all__ = ["Hatches", "colour_variables", "lines_of", "paint", "text_element", "width_of"]


_RGB = re.compile(r"rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.]+)\s*)?\)")

_HEX = re.compile(r"#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?")


def colour_variables(colours: Ink) -> dict[str, str]:
    """Colours of an ink by the names of their CSS variables.

    >>> from evalcore.figures import ink
    >>> colour_variables(ink(dark=False))["accent"]
    '#1F5FAB'
    """
    named = {name: getattr(colours, name) for name in ("text", "grey", "grid", "accent", "paper")}
    named |= {f"system-{index}": colour for index, colour in enumerate(colours.systems)}
    return named | {f"{outcome}-word": colour for outcome, colour in colours.words.items()}


@cache
def _names() -> dict[str, str]:
    return {colour.lower(): name for name, colour in reversed(colour_variables(ink(dark=False)).items())}


def paint(kind: str, colour: str | None, opacity: float = 1.0, themed: bool = True) -> str:
    """Attributes of a fill or a stroke after a blank; if not themed, fixed on any ground.

    >>> paint("fill", "#1F5FAB80"), paint("stroke", "rgb(1, 2, 3)")
    (' fill="var(--accent)" fill-opacity="0.502"', ' stroke="#010203"')
    """
    if not colour or colour == "none":
        return f' {kind}="none"'
    if match := _RGB.fullmatch(colour):
        colour, share = "#{:02x}{:02x}{:02x}".format(*(round(float(one)) for one in match.groups()[:3])), match[4]
        opacity *= float(share) if share else 1.0
    if not _HEX.fullmatch(colour):
        colour = {"white": "#ffffff", "black": "#000000"}.get(colour, "#888888")
    if len(colour) == 9:
        opacity *= int(colour[7:], 16) / 255
        colour = colour[:7]
    name = _names().get(colour.lower()) if themed else None
    looks = f' {kind}="{f"var(--{name})" if name else colour}"'
    return looks if opacity >= 1 else f'{looks} {kind}-opacity="{opacity:.3g}"'


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
    """Text element; `middle` is the offset of its first base line below y, in font sizes."""
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


class Hatches:
    """The hatches of one picture, each defined once."""

    def __init__(self, prefix: str) -> None:
        self.prefix, self.known = prefix, {}

    def fill(self, colour: str, pattern: Mapping[str, Any], shape: str, opacity: float = 1.0) -> str:
        """Attributes of a fill with a colour, hatched if there is a shape."""
        if not shape:
            return paint("fill", colour, opacity)
        over = pattern.get("fillmode", "overlay") == "overlay"
        front = pattern.get("fgcolor") or ("#ffffff" if over else colour)
        ground = pattern.get("bgcolor") or (colour if over else "")
        size, solid = float(pattern.get("size") or 8), float(pattern.get("solidity") or 0.25)
        key = (shape, front, ground, size, solid, opacity)
        name = self.known.setdefault(key, f"{self.prefix}h{len(self.known)}")
        return f' fill="url(#{name})"'

    @property
    def definitions(self) -> str:
        """Definitions of all hatches, for the head of the SVG."""
        return "".join(itertools.starmap(self._pattern, ((name, *key) for key, name in self.known.items())))

    @staticmethod
    def _pattern(name: str, shape: str, front: str, ground: str, size: float, solid: float, opacity: float) -> str:
        turn = {"\\": -45, "-": 90, "|": 0}.get(shape, 45)
        wide = max(size * solid, 1)
        stroke = paint("stroke", front, opacity)
        line = f'<path d="M{size / 2:.3g} 0V{size:g}" stroke-width="{wide:.3g}"{stroke}/>'
        line += f'<path d="M0 {size / 2:.3g}H{size:g}" stroke-width="{wide:.3g}"{stroke}/>' if shape in "x+" else ""
        back = f'<rect width="{size:g}" height="{size:g}"{paint("fill", ground, opacity)}/>' if ground else ""
        where = f'width="{size:g}" height="{size:g}" patternUnits="userSpaceOnUse" patternTransform="rotate({turn})"'
        return f'<pattern id="{name}" {where}>{back}{line}</pattern>'
