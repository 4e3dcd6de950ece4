"""Colours and common frame of figures, light and dark, and the escaping of their texts."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from evalcore.figures import graph_objects as go
from evalcore.numeric import Array
from evalcore.wording.numbers import THIN

__all__ = ["HUES", "OUTCOMES", "STYLE_COLOURS", "Ink", "describe", "enlarge", "escape_markup", "ink", "logo"]
__all__ += ["wordmark"]

OUTCOMES = {"tp": "#0072B2", "tn": "#56B4E9", "fp": "#E69F00", "fn": "#D55E00"}
"""Okabe–Ito: what is right, what is wrong, the darker of each an actual positive. The same everywhere."""

_BOWL = "M12.5 17.5a6.25 6.25 0 1 0-12.5 0a6.25 6.25 0 1 0 12.5 0"

_LETTERS = {
    "e": ("M0 17.5h12.5a6.25 6.25 0 1 0-2.2 4.8", 12.5), "v": ("M0 11.3l5.6 12.4l5.6-12.4", 11.2),
    "a": (_BOWL + "M12.5 11.3v12.4", 12.5), "l": ("M0 5v18.7", 0.0), "c": ("M10.3 12.7a6.25 6.25 0 1 0 0 9.6", 10.5),
    "o": (_BOWL, 12.5), "r": ("M0 11.3v12.4m0-7a5.4 5.4 0 0 1 6.6-5.2", 6.6),
}  # fmt: skip
"""Strokes of the letters of the wordmark, and how wide each is."""

HUES = {"right": "blue", "wrong": "orange"}
"""Names of the colours of right and wrong outcomes in texts."""


def mix(colour: str, other: str, share: float) -> str:
    """Mix a share of one colour into another, both #rrggbb."""
    return _hex_colours([(1 - share) * _channels(colour) + share * _channels(other)])[0]


def ramp(stops: Sequence[str], steps: int) -> list[str]:
    """Colours in even steps from the first stop over the others to the last."""
    fixed = np.array([_channels(stop) for stop in stops])
    at = np.linspace(0, len(stops) - 1, steps)
    return _hex_colours(np.column_stack([np.interp(at, np.arange(len(stops)), channel) for channel in fixed.T]))


def contrast(colour: str, ground: str) -> float:
    """Contrast ratio of two colours, 1 to 21, by relative luminance (WCAG)."""
    low, high = sorted((_luminance(colour), _luminance(ground)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: str, paper: str) -> str:
    """Darken a colour (on dark paper: lighten it) as little as makes words of it readable.

    >>> readable("#0072B2", "#FFFFFF"), readable("#56B4E9", "#FFFFFF")
    ('#0072B2', '#39779A')
    """
    shades = (mix(colour, ink_on(paper), share) for share in np.linspace(0, 1, 51))
    # A little more than the 4.5 : 1 that the web's rules ask for, for grounds that are not quite the paper.
    return next(shade for shade in shades if contrast(shade, paper) >= 4.8)


def ink_on(ground: str) -> str:
    """Black or white, whichever is read better on a ground."""
    return "#000000" if _luminance(ground) > 0.179 else "#FFFFFF"


def letters_on(ground: str) -> str:
    """The colour of words on an area of a colour: white, or nearly black."""
    return ink_on(ground).replace("#000000", "#10202C")


PLATE = "#FFFAF0"
"""Behind words on a hatched area, which would cross them; a little of the area shines through."""


def logo() -> str:
    """The mark of Evalcore as an SVG picture: a confusion matrix of the four colours."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">{_squares()}</svg>'


def wordmark(colour: str) -> str:
    """Logo with the name as an SVG image, its letters drawn as paths in one colour."""
    letters, at = [], 44.0
    for letter in "evalcore":
        strokes, wide = _LETTERS[letter]
        letters.append(f'<path d="{strokes}" transform="translate({at:g} 0)"/>')
        at += wide + 5.5
    look = f'fill="none" stroke="{colour}" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round"'
    size = f'viewBox="0 0 {at:g} 32" width="{at:g}" height="32" role="img" aria-label="Evalcore"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{_squares()}<g {look}>{"".join(letters)}</g></svg>'


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

HATCHES = {"tp": "", "tn": "", "fp": "/", "fn": "/"}
"""Errors are hatched, so that no outcome is told apart by its colour alone."""

_MUTED = ("#332288", "#117733", "#882255", "#44AA99", "#CC6677", "#999933", "#AA4499", "#88CCEE", "#DDCC77")
_MUTED_ON_DARK = ("#8C8CE8", "#4FB86A", "#D872A4", "#5CCABA", "#E58A98", "#C2C25A", "#D27BC4", "#88CCEE", "#DDCC77")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


@dataclass(frozen=True)
class Ink:
    """Colours of figures on a light or a dark ground, as #rrggbb."""

    text: str
    grey: str  # of what stands behind
    grid: str
    accent: str
    paper: str
    systems: tuple[str, ...]  # in their order: Paul Tol's muted set, lightened on dark ground

    @cached_property
    def words(self) -> dict[str, str]:
        """Colours of the outcomes for words, with enough contrast to be read."""
        return {outcome: readable(colour, self.paper) for outcome, colour in OUTCOMES.items()}

    def system(self, index: int) -> str:
        """Colour of the system at an index; colours repeat after the last, with another dash."""
        return self.systems[index % len(self.systems)]


LIGHT = Ink(text="#1B2430", grey="#586474", grid="#E6EAEE", accent="#1F5FAB", paper="#FFFFFF", systems=_MUTED)
DARK = Ink(text="#E8EDF2", grey="#9AA5B1", grid="#262D36", accent="#7CC0FF", paper="#0F1318", systems=_MUTED_ON_DARK)


def ink(dark: bool) -> Ink:
    """The ink for a ground."""
    return DARK if dark else LIGHT


_FONT = "'Segoe UI', 'Helvetica Neue', Roboto, Arial, 'Liberation Sans', 'Source Sans', sans-serif"
"""The fonts of the application, with the one that it brings along before whatever the machine has."""

_TEMPLATE = {
    "layout": {"autotypenumbers": "strict"},  # a name of digits is a name
    "data": {
        "bar": [{"type": "bar", "marker": {"pattern": {"solidity": 0.2}}}],
        "scatter": [{"type": "scatter", "fillpattern": {"fillmode": "overlay"}}],
    },
}
"""What our figures need of Plotly's own template; to check that one takes ten times as long as all else in a figure."""


def apply_frame(figure: go.Figure, colours: Ink, height: int, x: str = "", y: str = "", **layout: Any) -> go.Figure:
    """Apply the common frame in place: axis titles, thin grid, no legend box; `layout` overrides it."""
    axis = {"gridcolor": colours.grid, "linecolor": colours.grid, "zeroline": False, "showline": True, "ticks": ""}
    axis |= {"tickfont": {"color": colours.grey, "size": 11}, "automargin": True}
    title, words = {"font": {"color": colours.grey, "size": 12}, "standoff": 8}, {"color": colours.text, "size": 12}
    frame = {
        "template": _TEMPLATE, "height": height, "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": colours.paper,  # so that a picture that is saved can be read on any ground
        "plot_bgcolor": "rgba(0,0,0,0)", "font": words | {"family": _FONT}, "separators": f".{THIN}",
        "hoverlabel": {"font": words, "bgcolor": colours.paper, "bordercolor": colours.grid, "align": "left"},
        "legend": {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "font": words},
        "hovermode": "closest", "dragmode": "zoom",
    }  # fmt: skip
    for name in sorted({"xaxis", "yaxis"}.union(each for each in figure.parts[-1] if each[1:].startswith("axis"))):
        frame[name] = axis | {"title": title | {"text": x if name.startswith("x") else y}}
    return figure.update_layout(**frame).update_layout(**layout)


def _ticks(kind: str, shift: int, sign: str = "") -> dict[str, Any]:
    least = [0.95 * 10.0**-power for power in range(9)]
    steps = enumerate(zip(least, [None, *least], strict=False))
    stops = [{"dtickrange": ends, "value": f"{sign}.{max(power - shift, 0)}{kind}"} for power, ends in steps]
    return {"tickformatstops": stops}


# As many decimals as the distance of two ticks needs, however narrow the range is or becomes by zooming. Numbers
# without a format have them from Plotly.
PERCENT_TICKS, SIGNED_TICKS = _ticks("%", 2), _ticks("f", 0, "+")


def enlarge(parts: Iterable[dict[str, Any]], factor: float) -> None:
    """Make every type in the traces and the layout of a figure larger, in place, and the figure higher.

    >>> layout = {"height": 300, "xaxis": {"tickfont": {"size": 11}}}
    >>> enlarge([layout], 2)
    >>> layout
    {'height': 450, 'xaxis': {'tickfont': {'size': 22}}}
    """
    for part in parts:
        for name, value in part.items():
            if name.endswith("font") and isinstance(value, dict) and isinstance(value.get("size"), (int, float)):
                value["size"] = round(value["size"] * factor)
            elif isinstance(value, dict):
                enlarge([value], factor)
            elif isinstance(value, (list, tuple)) and value and isinstance(value[0], dict):
                enlarge(value, factor)
        if isinstance(part.get("height"), (int, float)):
            part["height"] = round(part["height"] * (1 + factor) / 2)


_FOREIGN = re.compile(r'<(?!/?(?:b|i|extra)>|br>|span style="color:#[0-9A-Fa-f]{6}">|/span>)')
_HOLDS_TEXT = (str, dict, list, tuple, np.ndarray)


def escape_markup(parts: Iterable[dict[str, Any]]) -> None:
    """Replace, in every text of the traces and the layout of a figure, the ``<`` of any markup that is not ours.

    Names are escaped by `plotly_text` where they are written. What was forgotten there cannot become a link here.

    >>> trace = {"name": "<a href='http://e.com'>A</a>", "hovertemplate": "<b>%{x}</b><extra></extra>"}
    >>> escape_markup([trace])
    >>> trace
    {'name': "&lt;a href='http://e.com'>A&lt;/a>", 'hovertemplate': '<b>%{x}</b><extra></extra>'}
    """
    for part in parts:
        for name, value in part.items():
            part[name] = _escaped(value)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return _FOREIGN.sub("&lt;", value) if "<" in value else value
    if isinstance(value, dict):
        escape_markup([value])
    elif isinstance(value, np.ndarray) and value.dtype.kind in "OUS":
        return [_escaped(item) for item in value.tolist()]
    elif isinstance(value, (list, tuple)) and any(issubclass(kind, _HOLDS_TEXT) for kind in set(map(type, value))):
        return [_escaped(item) for item in value]
    return value


_PLACES, _TRACES, _NAME = 5, 4, 40
_MARKUP = re.compile(r"</?(?:b|i|span|br)\b[^>]*>|\*\*")
_VALUE = re.compile(r"\d[.\u202f]\d")


def describe(words: str, parts: Iterable[Mapping[str, Any]]) -> str:
    """Description of a figure as plain text, followed by values of its traces if it holds no number.

    >>> describe("ROC curve", [{"type": "scatter", "name": "<b>A</b>", "x": [0, 0.5, 1], "y": [0, 0.875, 1]}])
    'ROC curve. A: 0 at 0, 0.875 at 0.5, 1 at 1'
    >>> describe("Precision 0.25 of **A &amp; B**", [])
    'Precision 0.25 of A & B'
    """
    parts = list(parts)
    axes = [part.get(axis, {}) for part in parts if "type" not in part for axis in ("xaxis", "yaxis")]
    if not _VALUE.search(words) and not any(axis.get("visible") is False for axis in axes):
        traces = [part for part in parts if "type" in part and part.get("hoverinfo") != "skip"]
        values = [text for trace in traces if (text := _values(trace))]
        words = ". ".join([words.rstrip("."), "; ".join(values[-_TRACES:])]) if values else words
    return html.unescape(_MARKUP.sub("", words))


def _values(trace: Mapping[str, Any]) -> str:
    """Name of a trace and a few of its values; empty if it has none."""
    name = str(trace.get("name") or "")
    heading = f"{name[:_NAME]}: " if name else ""
    if trace.get("z") is not None:
        z = _numbers(chain.from_iterable(trace["z"]))
        return f"{heading}{_text(np.nanmin(z))} to {_text(np.nanmax(z))}" if np.isfinite(z).any() else ""
    x, y = (trace.get(axis) for axis in ("yx" if trace.get("orientation") == "h" else "xy"))
    if x is None or y is None:
        return ""
    values, places = _numbers(y), _numbers(x)
    known = np.flatnonzero(np.isfinite(values))
    if not known.size or len(x) != len(values):
        return ""
    along = places[known] if len(places) else places
    before, after = along[:-1], along[1:]
    if np.isfinite(along).all() and (after < before).any() and (after > before).any():
        ends = [_text(one) for side in (values[known], along) for one in (side.min(), side.max())]
        return "{}{} points, {} to {} at {} to {}".format(heading, known.size, *ends)
    some = known[np.unique(np.linspace(0, known.size - 1, _PLACES).astype(int))]
    return heading + ", ".join(f"{_text(values[at])} at {_text(x[at])}" for at in some)


def _numbers(values: Iterable[Any]) -> Array:
    """Numbers with nan for missing ones; empty if there is anything else among them."""
    try:
        return np.array(list(values), dtype=np.float64)
    except (TypeError, ValueError):
        return np.zeros(0)


def _text(value: Any) -> str:
    is_number = isinstance(value, (int, float, np.number))
    return f"{float(value):.3g}".replace("-", "−") if is_number else str(value)[:_NAME]
