"""Axes of a figure in SVG: range, pixel positions, ticks and title."""

import html
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from evalcore.figures.theme import Ink, ink
from evalcore.numeric import Array
from evalcore.wording import THIN, escaped

__all__ = ["colour_variables", "width_of"]

_FORMAT = re.compile(r"(?P<sign>\+)?(?P<comma>,)?(?:\.(?P<decimals>\d+))?(?P<trim>~)?(?P<kind>[%fgd])?")


def numbers(values: Any) -> Array:
    """Values of a trace as numbers, nan for anything else."""
    array = np.asarray(() if values is None else values)
    if array.dtype.kind in "iufb":
        return array.astype(np.float64)
    return np.array([_number(value) for value in array.tolist()], dtype=np.float64)


def _number(value: Any) -> float:
    try:
        return math.nan if value is None else float(value)
    except (TypeError, ValueError):
        return math.nan


class Axis:
    """Axis of a figure such as "x" or "y2"; `of` holds its settings under Plotly's names."""

    def __init__(self, name: str, of: Mapping[str, Any]) -> None:
        self.name, self.of, self.across = name, of, name.startswith("x")
        self.log = of.get("type") == "log"  # its range is then in powers of ten
        self.visible = of.get("visible") is not False
        self.labelled = self.visible and of.get("showticklabels") is not False
        self.title: str = (of.get("title") or {}).get("text") or "" if self.visible else ""
        self.categories: list[str] = []
        self.low, self.high = math.inf, -math.inf
        self.padded = self.from_zero = False  # around markers; bars stand on it
        self.start, self.end = 0.0, 1.0  # pixels of the low end and of the high end

    @property
    def ends(self) -> tuple[float, float]:
        """Pixels of the low end and of the high end."""
        return self.start, self.end

    def take(self, values: Any) -> None:
        """Extend the axis to values; texts become categories unless the axis is numeric."""
        array = np.asarray(() if values is None else values)
        if array.dtype.kind in "OUS" and self.of.get("type") in (None, "-", "category"):
            texts = [value for value in array.tolist() if isinstance(value, str)]
            self.categories += [text for text in dict.fromkeys(texts) if text not in self.categories]

    def along(self, values: Any) -> Array:
        """Values in axis units: indices of categories, powers of ten on a logarithmic axis."""
        if self.categories:
            places = {name: index for index, name in enumerate(self.categories)}
            return np.array([places.get(v, _number(v)) for v in np.asarray(values).tolist()], dtype=np.float64)
        along = numbers(values)
        return np.log10(np.where(along > 0, along, np.nan)) if self.log else along

    def widen(self, values: Array, padded: bool = False) -> None:
        """Extend the range to numbers on the axis, with padding for markers."""
        shown = values[np.isfinite(values)]
        if len(shown):
            self.low, self.high = min(self.low, float(shown.min())), max(self.high, float(shown.max()))
            self.padded |= padded

    def settle(self) -> None:
        """Set the range: as given, or from the values."""
        limits = self.of.get("range")
        if limits and all(end is not None for end in limits):
            self.low, self.high = map(float, limits)
            return
        if self.categories:
            self.low, self.high = -0.5, len(self.categories) - 0.5
        elif not math.isfinite(self.low):
            self.low, self.high = 0.0, 1.0
        elif self.low == self.high:
            self.low, self.high = self.low - 1, self.high + 1
        else:
            # As much is left free around markers as Plotly leaves.
            air = 0.05 * (self.high - self.low) if self.padded or not self.across else 0.0
            zero = self.from_zero or self.of.get("rangemode") == "tozero"
            low = 0.0 if zero and self.low >= 0 else self.low - air
            self.high, self.low = (0.0 if zero and self.high <= 0 else self.high + air), low
        if self.of.get("autorange") == "reversed":
            self.low, self.high = self.high, self.low

    def pixels(self, values: Any) -> Array:
        """Pixel positions of values in data units."""
        return self.place(self.along(values))

    def place(self, numbers: Array | float) -> Array:
        """Pixel positions of numbers on the axis."""
        share = (np.asarray(numbers, dtype=np.float64) - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """Positions and texts of the ticks within the range."""
        low, high = sorted((self.low, self.high))
        room = 1e-9 * (high - low)
        return [(at, text) for at, text in self._tick_texts(low, high) if low - room <= at <= high + room]

    def _tick_texts(self, low: float, high: float) -> Iterable[tuple[float, str]]:
        length, texts = abs(self.end - self.start), self.of.get("ticktext")
        if self.of.get("tickvals") is not None:
            values = self.along(self.of["tickvals"]).tolist()
            step = min(np.diff(sorted(values)).tolist(), default=1.0)
            words = map(str, texts) if texts is not None else [self._tick_text(value, step) for value in values]
            return zip(values, words, strict=False)
        if self.categories:
            step = max(1, math.ceil(len(self.categories) / max(length / (46 if self.across else 16), 1)))
            return [(float(index), name) for index, name in enumerate(self.categories)][::step]
        if self.log:
            return self._powers(low, high)
        most = self.of.get("nticks") or max(2.0, min(9.0, length / (70 if self.across else 46)))
        step = float(self.of.get("dtick") or _round_step((high - low) / most))
        places = [step * index for index in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
        return [(0.0 if abs(at) < step * 1e-9 else at, self._tick_text(at, step)) for at in places[:200]]

    def _powers(self, low: float, high: float) -> list[tuple[float, str]]:
        factors: Sequence[int] = (1,) if high - low > 2 else (1, 2, 5)
        powers = range(math.floor(low), math.ceil(high) + 1)
        every = max(1, math.ceil((high - low) / 8))
        at = [(factor, power) for power in powers if power % every == 0 for factor in factors]
        values = [factor * 10.0**power for factor, power in at]
        texts = [f"{value:,.0f}".replace(",", THIN) if value >= 1 else f"{value:.3g}" for value in values]
        return [(math.log10(factor) + power, text) for (factor, power), text in zip(at, texts, strict=True)]

    def _tick_text(self, value: float, step: float) -> str:
        stops = [(stop["value"], *stop["dtickrange"]) for stop in self.of.get("tickformatstops") or ()]
        fitting = (pattern for pattern, least, most in stops if (least or 0) <= step < (most or math.inf))
        pattern = self.of.get("tickformat") or next(fitting, "")
        return number_as(0.0 if abs(value) < abs(step) * 1e-9 else value, pattern, step)


def same_scale(axis: Axis, other: Axis) -> None:
    """Shorten the axis that has more pixels for one unit, around its middle."""
    pixels = [abs(one.end - one.start) / (abs(one.high - one.low) or 1) for one in (axis, other)]
    long, least = (axis, pixels[1]) if pixels[0] > pixels[1] else (other, pixels[0])
    middle, half = (long.start + long.end) / 2, least * abs(long.high - long.low) / 2
    way = 1 if long.end > long.start else -1
    long.start, long.end = middle - way * half, middle + way * half


def number_as(value: float, pattern: str, step: float = 1.0) -> str:
    """A number in a format of Plotly's ticks, or with as many decimals as a step between ticks needs.

    >>> number_as(0.25, ".0%"), number_as(-1234.5, ",d"), number_as(0.3, "+.2f"), number_as(0.5, "", 0.05)
    ('25\u202f%', '−1\u202f234', '+0.30', '0.50')
    """
    match = _FORMAT.fullmatch(pattern)
    sign, decimals, trim, kind = match.group("sign", "decimals", "trim", "kind") if match else (None,) * 4
    if kind == "%":
        text = f"{100 * value:.{int(decimals or 0)}f}{THIN}%"
    elif kind == "d":
        text = f"{value:,.0f}"
    elif kind == "f":
        text = f"{value:,.{int(decimals or 6)}f}"
        text = text.rstrip("0").rstrip(".") if trim and "." in text else text
    elif kind == "g":
        text = f"{value:,.{int(decimals or 12)}g}"
        text = f"{value:,.0f}" if "e" in text and abs(value) < 1e15 else text
    else:
        places = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
        text = f"{value:,.{min(places, 9)}f}"
    return ("+" if sign and value > 0 else "") + text.replace(",", THIN).replace("-", "−")


def _round_step(rough: float) -> float:
    """Smallest step of 2, 5 or 10 times a power of ten that is at least a given length."""
    if not rough > 0:
        return 1.0
    base = 10.0 ** math.floor(math.log10(rough))
    return base * next((nice for nice in (1, 2, 5) if rough <= nice * base * (1 + 1e-9)), 10)


_RGB = re.compile(r"rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.]+)\s*)?\)")
_HEX = re.compile(r"#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?")


def colour_variables(colours: Ink) -> dict[str, str]:
    """Colours of an ink by the names of their CSS variables."""
    named = {name: getattr(colours, name) for name in ("text", "grey", "grid", "accent", "paper")}
    named |= {f"system-{index}": colour for index, colour in enumerate(colours.systems)}
    return named | {f"{outcome}-word": colour for outcome, colour in colours.words.items()}


_NAMES = {colour.lower(): name for name, colour in reversed(colour_variables(ink(dark=False)).items())}


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
    name = _NAMES.get(colour.lower()) if themed else None
    looks = f' {kind}="{f"var(--{name})" if name else colour}"'
    return looks if opacity >= 1 else f'{looks} {kind}-opacity="{opacity:.3g}"'


DASHES = {"dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3", "longdash": "11 4", "longdashdot": "11 3 2 3"}


def stroke(line: Mapping[str, Any], otherwise: str | None = "#444444") -> str:
    """Attributes of a stroke: the colour of a line or another one, its width and its dashes."""
    dash = f' stroke-dasharray="{DASHES[line["dash"]]}"' if line.get("dash") in DASHES else ""
    return f'{paint("stroke", line.get("color") or otherwise)} stroke-width="{line.get("width") or 2:g}"{dash}'


_TOKEN = re.compile(r'(<br\s*/?>|</?b>|</?i>|<span style="color:(#[0-9A-Fa-f]{6})">|</span>)')

_NARROW, _WIDE = set("ijlIft.,:;|!'()[]{} ·\u202f"), set("mwMW%@—")


def width_of(text: str, size: float = 12) -> float:
    """About how many pixels a plain text is wide."""
    return size * sum(map(_share, text))


def _share(letter: str) -> float:
    """Width of a letter as a share of the type's size, as in the usual faces without serifs."""
    if letter in _NARROW:
        return 0.31
    if letter in _WIDE or ord(letter) > 0x2E80:
        return 0.88
    return 0.68 if letter.isupper() else 0.56


def lines_of(text: str) -> list[tuple[str, str]]:
    """The lines of a text, each as markup of SVG and as plain words.

    >>> lines_of("<b>A</b> &lt;3<br><a href='x'>y</a>")[0]
    ('<tspan font-weight="650">A</tspan> &lt;3', 'A <3')
    >>> lines_of("<b>A</b> &lt;3<br><a href='x'>y</a>")[1]
    ('&lt;a href=&#x27;x&#x27;&gt;y&lt;/a&gt;', "<a href='x'>y</a>")
    """
    lines, bold, colour = [["", ""]], False, ""
    # Words and tokens take turns; a span's colour, which is captured too, follows its token.
    parts = [*_TOKEN.split(text), "", ""]
    for words, token, shade in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if words := html.unescape(words):
            looks = (' font-weight="650"' if bold else "") + (paint("fill", colour) if colour else "")
            lines[-1][0] += f"<tspan{looks}>{escaped(words)}</tspan>" if looks else escaped(words)
            lines[-1][1] += words
        if token.startswith("<br"):
            lines.append(["", ""])
        elif token in ("<b>", "</b>"):
            bold = token == "<b>"
        elif token.startswith("<span") or token == "</span>":
            colour = shade or ""
    return [(markup, plain) for markup, plain in lines]


def text_element(
    x: float, y: float, text: str, *, size: float = 12, colour: str = "", anchor: str = "start", middle: float = 0.35,
    turn: float = 0,
) -> str:  # fmt: skip
    """Text element; `middle` is the offset of its first base line below y, in font sizes."""
    lines = lines_of(text)
    spans = "".join(
        f'<tspan x="{x:.1f}" dy="{0 if index == 0 else 1.3 * size:.1f}">{markup}</tspan>' if len(lines) > 1 else markup
        for index, (markup, _) in enumerate(lines)
    )
    rotation = f' transform="rotate({turn:g} {x:.1f} {y:.1f})"' if turn else ""
    place = f'x="{x:.1f}" y="{y + middle * size:.1f}" font-size="{size:g}"'
    looks = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f"<text {place}{looks}{paint('fill', colour)}{rotation}>{spans}</text>"


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
        return "".join(self._pattern(name, *key) for key, name in self.known.items())

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
