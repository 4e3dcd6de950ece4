"""Colours of a figure in SVG: those of the theme become variables, so that a picture follows light and dark."""

import re
from functools import cache

from evalcore.figures.theme import Ink, ink

__all__ = ["colour_variables", "paint"]

_RGB = re.compile(r"rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.]+)\s*)?\)")
_HEX = re.compile(r"#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?")


def colour_variables(colours: Ink) -> dict[str, str]:
    """The colours of an ink by the names that pictures call them by.

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
    """Attributes that paint a fill or a stroke, with a blank before them; where not themed, the same on any ground.

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
