"""Colours of the four outcomes, and the shades derived from them."""

from collections.abc import Sequence

import numpy as np

from evalcore.numeric import Array

__all__ = ["HUES", "OUTCOMES", "STYLE_COLOURS", "logo", "wordmark"]

OUTCOMES = {"tp": "#0072B2", "tn": "#56B4E9", "fp": "#E69F00", "fn": "#D55E00"}
"""Okabe–Ito: what is right, what is wrong, the darker of each an actual positive. The same everywhere."""

_BOWL = "M12.5 17.5a6.25 6.25 0 1 0-12.5 0a6.25 6.25 0 1 0 12.5 0"
_LETTERS = {
    "e": ("M0 17.5h12.5a6.25 6.25 0 1 0-2.2 4.8", 12.5),
    "v": ("M0 11.3l5.6 12.4l5.6-12.4", 11.2),
    "a": (_BOWL + "M12.5 11.3v12.4", 12.5),
    "l": ("M0 5v18.7", 0.0),
    "c": ("M10.3 12.7a6.25 6.25 0 1 0 0 9.6", 10.5),
    "o": (_BOWL, 12.5),
    "r": ("M0 11.3v12.4m0-7a5.4 5.4 0 0 1 6.6-5.2", 6.6),
}
"""Strokes of the letters of the wordmark, and how wide each is."""

HUES = {"right": "blue", "wrong": "orange"}
"""What the texts call the colours of right and wrong outcomes."""

_READABLE = 4.8  # a little more than the 4.5 : 1 that the web's rules ask for, for grounds that are not quite the paper


def mixed(colour: str, other: str, share: float) -> str:
    """Mix a share of one colour into another, both #rrggbb.

    >>> mixed("#000000", "#FFFFFF", 0.2)
    '#333333'
    """
    return _hex_colours([(1 - share) * _channels(colour) + share * _channels(other)])[0]


def ramp(stops: Sequence[str], steps: int) -> list[str]:
    """Colours in even steps from the first stop over the others to the last.

    >>> ramp(["#000000", "#FF0000", "#FFFFFF"], 3)
    ['#000000', '#FF0000', '#FFFFFF']
    """
    fixed = np.array([_channels(stop) for stop in stops])
    at = np.linspace(0, len(stops) - 1, steps)
    return _hex_colours(np.column_stack([np.interp(at, np.arange(len(stops)), channel) for channel in fixed.T]))


def contrast(colour: str, ground: str) -> float:
    """Contrast ratio of two colours, 1 to 21, by relative luminance (WCAG).

    >>> contrast("#000000", "#FFFFFF")
    21.0
    """
    low, high = sorted((_luminance(colour), _luminance(ground)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: str, paper: str) -> str:
    """Darken a colour (on dark paper: lighten it) as little as makes words of it readable.

    >>> readable("#0072B2", "#FFFFFF"), readable("#56B4E9", "#FFFFFF")
    ('#0072B2', '#39779A')
    """
    ink = ink_on(paper)
    shades = (mixed(colour, ink, share) for share in np.linspace(0, 1, 51))
    return next(shade for shade in shades if contrast(shade, paper) >= _READABLE)


def ink_on(ground: str) -> str:
    """Black or white, whichever is read better on a ground."""
    return "#000000" if _luminance(ground) > 0.179 else "#FFFFFF"


def letters_on(ground: str) -> str:
    """The colour of words on an area of a colour: white, or nearly black."""
    return "#FFFFFF" if ink_on(ground) == "#FFFFFF" else "#10202C"


PLATE = "#FFFAF0"
"""Behind words on a hatched area, which would cross them; a little of the area shines through."""


def logo() -> str:
    """The mark of Evalcore as an SVG picture: a confusion matrix of the four colours.

    >>> logo().count("<rect")
    4
    """
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">{_squares()}</svg>'


def wordmark(colour: str) -> str:
    """Logo with the name as an SVG image, its letters drawn as paths in one colour.

    >>> wordmark("#1B2430").count("<path")
    8
    """
    letters, at = [], 44.0
    for letter in "evalcore":
        strokes, wide = _LETTERS[letter]
        letters.append(f'<path d="{strokes}" transform="translate({at:g} 0)"/>')
        at += wide + 5.5
    look = f'fill="none" stroke="{colour}" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round"'
    size = f'viewBox="0 0 {at:g} 32" width="{at:g}" height="32" role="img" aria-label="Evalcore"'
    word = f"<g {look}>{''.join(letters)}</g>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{_squares()}{word}</svg>'


def _squares() -> str:
    cells = zip(("tp", "fp", "fn", "tn"), ((3, 3), (17, 3), (3, 17), (17, 17)), strict=True)
    return "".join(
        f'<rect x="{x}" y="{y}" width="12" height="12" rx="2.5" fill="{OUTCOMES[cell]}"/>' for cell, (x, y) in cells
    )


def _channels(colour: str) -> Array:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)], dtype=np.float64)


def _hex_colours(colours: Sequence[Array] | Array) -> list[str]:
    return [f"#{red:02X}{green:02X}{blue:02X}" for red, green, blue in np.rint(colours).astype(int).tolist()]


def _luminance(colour: str) -> float:
    channels = _channels(colour)
    linear = np.where(channels <= 10.31, channels / 3294.6, ((channels / 255 + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


STYLE_COLOURS = OUTCOMES | {f"on-{outcome}": letters_on(colour) for outcome, colour in OUTCOMES.items()}
STYLE_COLOURS |= {"plate": PLATE, "on-plate": letters_on(PLATE)}
"""The outcomes, and the words on each, as style sheets call them."""
