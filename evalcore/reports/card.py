"""Card: a finding as one picture of 1200 × 630 pixels, to paste into a chat or a slide."""

import html
import math
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from datetime import datetime
from typing import Any

from evalcore.analyses import NamedCounts, Overlap, OverlapSettings, Rankings, Source, analyse_confusion
from evalcore.classification import ConfusionCounts, ConfusionMatrix
from evalcore.figures import OUTCOMES, confusion_map_figure, escape_markup, ink, logo, outcome_picture
from evalcore.figures.svg import colour_variables, svg_picture, width_of
from evalcore.figures.threshold_view import densities_figure
from evalcore.inference import IntervalChoice
from evalcore.registry import METRICS
from evalcore.reports.front import cells_of, means_of, numbers_table
from evalcore.reports.of_labels import counts_of
from evalcore.reports.parts import Chapter, Picture, ReportSettings, markdown_html
from evalcore.wording import Cell, escaped, level_text, number_text, plain, range_text, shortened, value_text

__all__ = ["card_of", "card_svg", "main_figure", "mask_picture", "matrix_figure", "mean_text", "number_line"]
__all__ += ["plain_text", "rate_text", "row_text"]

_WIDTH, _HEIGHT, _EDGE = 1200, 630, 56
_BESIDE = 500  # width of the words beside a picture
_FOOT = 548  # where the last lines begin, below a rule
_TIMES = 1.35  # how much larger than on a page the picture is drawn
_FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', Roboto, Arial, sans-serif"
_LIGHT, _DARK = (colour_variables(ink(dark)) for dark in (False, True))
_SAME = {colour.lower() for colour in (*OUTCOMES.values(), *_LIGHT.values())}  # on either ground
_LIGHTENED = {_DARK[name].lower(): _LIGHT[name] for name in _LIGHT if _DARK[name].lower() not in _SAME}
_WORDS = {_DARK[name].lower(): colour for name, colour in _LIGHT.items() if name.endswith("-word")}
_BOLD = re.compile(r"(?:\*\*(.+?)\*\*\s*)?(.*)", re.DOTALL)


def plain_text(markdown: str) -> str:
    """Markdown as plain text."""
    lines = re.sub(r"<(?:br|/p)>", "\n", markdown_html(markdown))
    return html.unescape(re.sub(r"<[^>]+>", "", lines)).strip()


def card_svg(
    verdict: str, about: str, rows: str, figure: Any = None, numbers: Sequence[str] = (), level: float = 0.95
) -> str:
    """A verdict as a picture in SVG, with what it is about and how many rows that is.

    The bold sentence of the verdict stands large, the numbers with intervals of a level below it, or the rest of the
    verdict in their place; all but the numbers are Markdown. `figure` is one of ours or the address of an image.
    Colours are those of light ground, whatever ground the figure was made for.
    """
    found = _BOLD.fullmatch(verdict.strip())
    bold, rest = map(_one_line, found.groups(default="") if found else ("", verdict))
    first, room = bold or rest, _WIDTH - 2 * _EDGE if figure is None else _BESIDE
    lines, size = _headline(first.removesuffix("."), room)
    body = [_text(line, _EDGE + size * (0.8 + 1.2 * at), size, weight=650) for at, line in enumerate(lines)]
    y = _EDGE + 1.2 * size * len(lines) + 44
    for line in (cut for number in numbers for cut in _lines(number, 28, room)):
        body.append(_text(line, y, 28))
        y += 40
    below = rest if bold else ""
    if numbers:
        below = f"{level_text(level)} interval{'s' * (len(numbers) > 1)}" if any("(" in one for one in numbers) else ""
    free = int((_FOOT - 24 - y) / 34) + 1
    body += [_text(line, y + 34 * at, 24, "grey") for at, line in enumerate(_at_most(_lines(below, 24, room), free))]
    if figure is not None:
        body.append(_picture(figure, first, _EDGE + _BESIDE + 36, _EDGE))
    body.append(f'<path d="M{_EDGE} {_FOOT}H{_WIDTH - _EDGE}" stroke="var(--grid)" stroke-width="2"/>')
    body.append(logo().replace("<svg ", f'<svg x="{_EDGE}" y="{_FOOT + 18}" ', 1))
    of, date = _one_line(rows), f"{datetime.now().astimezone():%Y-%m-%d}"
    left = _at_most(_lines(_one_line(about), 18, _WIDTH - 2 * _EDGE - 80 - max(width_of(of, 18), 100)), 2)
    for x, anchor, foot in ((_EDGE + 46, "start", left), (_WIDTH - _EDGE, "end", [of, date] if of else [date])):
        body += [_text(line, _FOOT + 32 + 26 * at, 18, "grey", x=x, anchor=anchor) for at, line in enumerate(foot)]
    box = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="{_FONT}" role="img">'
    ground = f'<title>{escaped(first)}</title><rect width="100%" height="100%" fill="var(--paper)"/>'
    return _in_light(f"{head}{ground}{''.join(body)}</svg>")


def _one_line(markdown: str) -> str:
    return re.sub(r"[ \n]+", " ", plain_text(markdown))


def _in_light(svg: str) -> str:
    """Colours in place of variables, which not every program knows, and those of dark ground as on light ground."""
    named = re.sub(r"var\(--([\w-]+)\)", lambda match: _LIGHT[match[1]], svg)
    words = re.sub(
        r'(<text [^>]*fill=")(#\w{6})', lambda match: match[1] + _WORDS.get(match[2].lower(), match[2]), named
    )
    return re.sub(r"#[0-9A-Fa-f]{6}\b", lambda match: _LIGHTENED.get(match[0].lower(), match[0]), words)


def _headline(words: str, room: float) -> tuple[list[str], int]:
    """The lines of a sentence, and the largest type in which they are few."""
    sizes = (46, 40, 34) if room == _BESIDE else (64, 52, 42)
    size = next((size for size in sizes if size * len(_lines(words, size, room)) <= 190), sizes[-1])
    return _at_most(_lines(words, size, room), 7), size


def _lines(words: str, size: float, room: float) -> list[str]:
    """Words in lines of a width in pixels; a name that is too long for one loses its middle.

    >>> _lines("one two three", 10, 70)
    ['one two', 'three']
    """
    room *= 0.84 if size > 30 else 0.92  # letters of the font that there is, and bold ones, may be wider
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        lines[-1:] = [longer] if not lines[-1] or width_of(longer, size) <= room else [lines[-1], word]
        if (wide := width_of(lines[-1], size)) > room:
            lines[-1] = shortened(lines[-1], int(len(lines[-1]) * room / wide))
    return lines


def _at_most(lines: list[str], most: int) -> list[str]:
    """The first lines; dots at their end say that there are more."""
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1]} …"]


def _text(
    words: str, y: float, size: float, colour: str = "text", x: float = _EDGE, anchor: str = "start", weight: int = 400
) -> str:
    look = f'font-size="{size:g}" font-weight="{weight}" text-anchor="{anchor}" fill="var(--{colour})"'
    return f'<text x="{x:g}" y="{y:.1f}" {look}>{escaped(words)}</text>'


def _picture(figure: Any, shows: str, x: float, y: float) -> str:
    """The figure in its place, drawn smaller and enlarged, so that its words can be read."""
    width, height = _WIDTH - x - _EDGE, _FOOT - y - 24
    place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    if isinstance(figure, str):
        return f'<image {place} href="{escaped(figure)}" style="image-rendering:pixelated"/>'
    drawn = deepcopy(figure)
    escape_markup(drawn.parts)
    drawn.parts[-1]["height"] = round(height / _TIMES)
    svg = svg_picture(drawn, shows, round(width / _TIMES), "card")
    return re.sub(r'width="\d+" height="\d+"', place, svg, count=1)


def number_line(name: str, written: Callable[[float], str], value: float, low: float, high: float) -> str:
    """A number with its interval, where it has one: "AUC 0.993 (0.988–0.997)"."""
    bounds = "" if math.isnan(low) else f" ({range_text(written(low), written(high))})"
    return f"{name} {written(value)}{bounds}"


def rate_text(key: str, counts: ConfusionCounts, intervals: IntervalChoice) -> str:
    """A rate with its interval: "Recall 87.7 % (82.6–91.5 %)"."""
    measure, result = METRICS[key], intervals.of(METRICS[key], counts)
    ends = (math.nan, math.nan) if result is None else (float(result[0].low), float(result[0].high))
    return number_line(measure.name, lambda value: value_text(measure, value), float(measure(counts)), *ends)


def mean_text(rankings: Rankings, name: str, level: float) -> str:
    """The mean of a measure over the queries with its interval: "AP 0.506 (0.482–0.530)"."""
    return "".join(number_line(*line) for line in means_of(rankings, (name,), level))


def row_text(row: Sequence[Cell | str]) -> str:
    """The same of the first three cells of a line of a table: name, value and interval."""
    name, value, bounds = (cell.text if isinstance(cell, Cell) else cell for cell in row[:3])
    return f"{name} {value} ({bounds})" if bounds else f"{name} {value}"


def matrix_figure(named: NamedCounts) -> Any:
    """The four counts as a matrix in light colours."""
    cells = [[getattr(named.counts, cell) for cell in row] for row in (("tp", "fn"), ("fp", "tn"))]
    return confusion_map_figure(ConfusionMatrix((named.positive, named.negative), cells), ink(dark=False))


def mask_picture(overlap: Overlap) -> str:
    """The outcomes of the image whose masks agree least, as the address of an image."""
    return outcome_picture(overlap.outcomes(overlap.order[0]), ink(dark=False).grid)


def main_figure(page: str, source: Source, settings: ReportSettings, chapter: Chapter) -> Any:
    """The picture of a page in light colours; None where its chapter has none."""
    if page == "classify/threshold":
        scores = settings.scores_of(source)
        return densities_figure(scores, settings.threshold_of(scores), ink(dark=False))
    if page == "classify/confusion":
        return matrix_figure(counts_of(source, settings))
    if page == "estimate/overlap":
        label = int(source.dataset.state("mask_images").labels[0])
        return mask_picture(Overlap(source, OverlapSettings(label, level=settings.intervals.level)))
    return next((part.figure for part in chapter.first if isinstance(part, Picture)), None)


def card_of(page: str, source: Source, settings: ReportSettings, chapter: Chapter) -> str:
    """The card of a page with its chapter of a report."""
    intervals, rule, numbers = settings.intervals, "", []
    if page in ("classify/threshold", "classify/curves"):
        scores, counts = settings.scores_of(source), counts_of(source, settings).counts
        rule = f"{scores.rule} {scores.text(settings.threshold_of(scores))}"
        numbers = [rate_text(key, counts, intervals) for key in ("recall", "precision")]
    if page == "classify/curves":
        area = intervals.of_area(settings.scores_of(source).scored)
        numbers = [number_line("AUC", number_text, *map(float, area.ends)), *numbers]
    if page == "classify/confusion":
        numbers = analyse_confusion(counts_of(source, settings), intervals).predictive_texts
    if name := {"retrieve/ranking": "AP", "retrieve/graded": "nDCG@k"}.get(page):
        numbers = [mean_text(settings.rankings_of(source), name, intervals.level)]
    if page == "classify/probabilities" and (table := numbers_table(page, source, settings, {page: chapter})):
        numbers = [row_text(cells_of(table.rows[0]))]
    figure = main_figure(page, source, settings, chapter)
    return card_svg(chapter.verdict, plain(source.context(rule), 400), source.size, figure, numbers, intervals.level)
