"""Front of a report, two printed pages, and the card: the finding as one picture to paste into a chat or a slide."""

import html
import math
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime
from importlib import import_module, metadata
from typing import Any

import numpy as np

from evalcore import analyses
from evalcore.analyses import NamedCounts, Overlap, Rankings, Source
from evalcore.classification import ConfusionCounts, ConfusionMatrix
from evalcore.figures import OUTCOMES, confusion_map_figure, escape_markup, ink, logo, outcome_picture
from evalcore.figures.svg import colour_variables, svg_picture, width_of
from evalcore.figures.threshold_view import densities_figure
from evalcore.inference import IntervalChoice, query_interval
from evalcore.readers import ReadProblem, kinds_giving
from evalcore.registry import METRICS
from evalcore.reports.chapters import COLUMNS, confusion_chapter, counts_of
from evalcore.reports.parts import Chapter, Markup, Part, Picture, Table, Words, body_html, markdown_html
from evalcore.reports.settings import ReportSettings
from evalcore.wording import Cell, Row, escaped, one_line, plain, shortened
from evalcore.wording.numbers import count_text, level_text, number_text, range_text, rows_text, value_text

__all__ = ["card_of", "card_svg", "main_figure", "mask_picture", "matrix_figure", "mean_text", "number_line"]
__all__ += ["plain_text", "rate_text", "row_text"]

_MOST = 8  # numbers of the front
FIRST: dict[str, Sequence[str]] = {
    "classify/confusion": (
        "recall", "precision", "specificity", "negative_predictive_value", "accuracy", "f_beta", "matthews_correlation"
    ),
    "classify/classes": ("overall_accuracy", "macro_recall", "macro_precision", "macro_f1", "multiclass_kappa"),
    "estimate/regression": (
        "mean_absolute_error", "root_mean_squared_error", "mean_error", "median_absolute_error", "r_squared",
        "concordance_correlation", "pearson_correlation", "mean_absolute_percentage_error",
    ),
    "estimate/distributions": (
        "jensen_shannon_divergence", "total_variation", "hellinger_distance", "ks_distance", "wasserstein_distance",
        "kl_divergence", "reverse_kl_divergence", "population_stability_index",
    ),
}  # fmt: skip
"""Of the tables with more lines, the measures of the front."""

_AT_A_THRESHOLD = ("classify/threshold", "classify/curves", "classify/confusion")
_BOLD = re.compile(r"\*\*(.+?)\*\*[.,;: ]*(.*)", re.DOTALL)
_SENTENCE = re.compile(r"(.+?)\.(?:\s+(.*)|$)", re.DOTALL)
_WARNED = 3  # slices and warnings of the front
_WIDTH, _HEIGHT, _EDGE = 1200, 630, 56  # of the card, in pixels
_BESIDE = 500  # width of the words beside a picture
_FOOT = 548  # where the last lines begin, below a rule
_TIMES = 1.35  # how much larger than on a page the picture is drawn
_FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', Roboto, Arial, sans-serif"
_LIGHT, _DARK = (colour_variables(ink(dark)) for dark in (False, True))
_SAME = {colour.lower() for colour in (*OUTCOMES.values(), *_LIGHT.values())}  # on either ground
_LIGHTENED = {_DARK[name].lower(): _LIGHT[name] for name in _LIGHT if _DARK[name].lower() not in _SAME}
_WORDS = {_DARK[name].lower(): colour for name, colour in _LIGHT.items() if name.endswith("-word")}


@dataclass(frozen=True, eq=False)
class Step:
    """A step of the decision: its anchor, its title and its parts.

    Beside it the threshold view shows what its data hold by these keys, or without one what the view shows at first.
    """

    name: str
    title: str
    parts: Sequence[Part]
    row: str = ""
    over: str = ""

    @property
    def html(self) -> str:
        """The step as a section of HTML, in which the focus can stand."""
        shown = "".join(f" data-{name}={key}" for name, key in (("row", self.row), ("over", self.over)) if key)
        named = f'id="{self.name}" tabindex="-1" aria-labelledby="of-{self.name}"'
        title = f'<h3 class="part" id="of-{self.name}">{self.title}</h3>'
        return f'<section class="step" {named}{shown}>{title}{body_html(self.parts, f"f{self.name}")}</section>'


@dataclass(frozen=True, eq=False)
class Front:
    """What stands before the appendices: the finding as heading, its view, and beside it the steps that lead to it."""

    finding: str  # in Markdown, as the text
    text: str = ""
    view: Sequence[Part] = ()
    steps: Sequence[Step] = ()

    @property
    def html(self) -> str:
        """The front as an article of HTML."""
        heading = markdown_html(self.finding).removeprefix("<p>").removesuffix("</p>")
        view = f'<div class="view">{body_html(self.view, "fv")}</div>' if self.view else ""
        steps = f'<div class="steps">{"".join(step.html for step in self.steps)}</div>'
        kind = ("scene moves" if any(step.row for step in self.steps) else "scene") if view else "alone"
        scene = f'<div class="{kind}">{view}{steps}</div>'
        return f'<article id="front"><h1>{heading}</h1>{markdown_html(self.text)}{scene}</article>'

    @property
    def parts(self) -> list[Part]:
        """Everything that need not stand in an appendix."""
        return [*self.view, *(part for step in self.steps for part in step.parts)]


def front_of(source: Source, settings: ReportSettings, chapters: Mapping[str, Chapter], main: str, date: str) -> Front:
    """The front of a report with these chapters by page; without chapters, that of the data alone."""
    by = ", ".join(f"{name} {version}" for name, version in versions().items())
    rows = [*settings.rows(source), ["Digest", source.dataset.digest], ["Made", f"{date} with {by}"]]
    data, made = _of_data(source), Step("made", "How it was made", [Table.of([], rows)])
    if main not in chapters:
        return Front(source.facts, steps=[*([data] if data.parts[1:] else []), made])
    chapter, steps = chapters[main], [data]
    finding, text = _split(chapter.verdict)
    with suppress(ReadProblem, ValueError):  # why there are none stands where their chapter would
        if table := numbers_table(main, source, settings, chapters):
            steps.append(Step("numbers", "Numbers that matter", [table]))
    if chapter.data is not None:  # the view has a line, which goes to what the steps speak of
        steps.append(Step("goal", "Goal", [Words(text)], "best"))
        steps.append(Step("certain", "How sure", chapter.words_of("How sure")[:2], "best", "sure"))
        steps.append(Step("costs", "Costs", chapter.words_of("Costs")[:1], "cheapest", "cost"))
        text = ""
    worse = _worse([chapter, *(one for page, one in chapters.items() if page != "classify/compare")])
    steps += [Step("groups", "For whom is it worse?", worse), made]
    return Front(finding, text, view_of(chapter.first), [step for step in steps if step.parts])


def _split(verdict: str) -> tuple[str, str]:
    """The bold sentence at the start of a verdict, or its first sentence, and the rest.

    >>> _split("**Off by 44.1.** At worst 154.")
    ('Off by 44.1', 'At worst 154.')
    >>> _split("300 queries. MAP **0.5**.")
    ('300 queries', 'MAP **0.5**.')
    """
    found = _BOLD.fullmatch(verdict) or _SENTENCE.fullmatch(verdict)
    first, rest = (found[1], found[2] or "") if found else (verdict, "")
    rest = rest.strip()
    return first.removesuffix(".").replace("**", ""), rest[:1].upper() + rest[1:]


def view_of(parts: Sequence[Part]) -> list[Part]:
    """The first picture of a chapter, with a second narrow one beside it."""
    own: list[Part] = []
    for part in parts:
        if len(own) < 2 and isinstance(part, (Markup, Picture)):
            own.append(part)
            if isinstance(part, Markup) or part.wide:
                break
    return own


def numbers_table(page: str, source: Source, settings: ReportSettings, chapters: Mapping[str, Chapter]) -> Table | None:
    """At most eight numbers with their intervals, from the tables of the chapters."""
    if page.startswith("retrieve/"):
        level = settings.intervals.level
        means = [_line(*line) for line in means_of(settings.rankings_of(source), COLUMNS[:-1], level)]
        return _table("mean", f"{level_text(level)} interval", means)
    if is_cut := page in _AT_A_THRESHOLD:
        page = "classify/confusion"
    chapter = chapters.get(page) or confusion_chapter(source, settings)
    for table in (part for part in chapter.parts if isinstance(part, Table)):
        heads = [head.text if isinstance(head, Cell) else head for head in table.heads]
        value = next((place for place, head in enumerate(heads) if head in ("value", "mean")), None)
        bounds = next((place for place, head in enumerate(heads) if head.endswith("interval")), None)
        if value is None or bounds is None:
            continue
        lines = [cells_of(row) for row in table.rows]
        lines = [cells for cells in lines if len(cells) > bounds and cells[bounds].text]
        if first := FIRST.get(page):
            place = {key: index for index, key in enumerate(first)}
            chosen = (one for one in lines if one[0].measure in place)
            lines = sorted(chosen, key=lambda one: place[one[0].measure]) or lines
        rows = [(cells[0], *(replace(cells[place], kind="number") for place in (value, bounds))) for cells in lines]
        if is_cut and source.kind in kinds_giving("scored"):
            area = settings.intervals.of_area(analyses.Scores.of(source).scored)
            known = math.isfinite(float(area.estimate))
            rows = rows[: _MOST - 1] + [_line("AUC", number_text, *map(float, area.ends))] * known
        return _table(heads[value], heads[bounds], rows[:_MOST])
    return None


def _table(value: str, interval: str, rows: Sequence[Sequence[Cell]]) -> Table:
    heads = [Cell(head, heading=True, kind="number") for head in (value, interval)]
    return Table.of(["measure", *heads], rows)


def cells_of(row: Row | Sequence[Cell | str]) -> list[Cell]:
    """Cells without their other names."""
    cells = row.cells if isinstance(row, Row) else row
    return [replace(cell, aside="") if isinstance(cell, Cell) else Cell(cell) for cell in cells]


def _line(name: str, written: Callable[[float], str], value: float, low: float, high: float) -> tuple[Cell, Cell, Cell]:
    bounds = "" if math.isnan(low) else range_text(written(low), written(high))
    return Cell(name), Cell(written(value), strong=True, kind="number"), Cell(bounds, kind="number")


def means_of(
    rankings: Rankings, names: Sequence[str], level: float
) -> Iterator[tuple[str, Callable[[float], str], float, float, float]]:
    """Name, wording, mean over the queries and its interval of each measure."""
    clusters = rankings.clusters(rankings.queries())
    for column in analyses.RankingSummary(rankings, names).columns:
        if column.is_count:
            continue
        values, ends = np.asarray(column.values, dtype=float), (math.nan, math.nan)
        if np.isfinite(values).all():
            interval = query_interval(rankings.measure(column.name), values, clusters, level)
            ends = float(interval.low), float(interval.high)
        yield column.heading, number_text, column.total, *ends


def _worse(chapters: Sequence[Chapter]) -> list[Part]:
    """The verdict on groups and that on slices, from the first chapter that has one, with the slices it found."""
    found: dict[str, list[Words]] = {}
    for chapter in chapters:
        found = {title: words for title in ("Groups", "Slices") if (words := chapter.words_of(title))} | found
    firsts = [one.text for texts in found.values() for one in texts if one is texts[0] or one.text.startswith("- ")]
    return [Words("\n".join(text.splitlines()[:_WARNED])) for text in firsts]


def versions() -> dict[str, str]:
    """Versions of what makes the numbers."""
    own = {"evalcore": import_module("evalcore").__version__, "Python": platform.python_version()}
    return own | {name: metadata.version(name) for name in ("numpy", "scipy", "pandas", "pyarrow", "plotly")}


def _of_data(source: Source) -> Step:
    """How many rows of what there are, what was done to them, and the warnings about them."""
    data, findings = source.dataset, source.warnings
    rows = []
    if left := (data.left_out(source.system) if source.system else 0) + source.not_counted:
        rows.append(["Left out", rows_text(left)])
    if data.steps_text:
        rows.append(["Steps", one_line(data.steps_text, 200)])
    rows += [[one.level.capitalize(), one_line(one.sentence, 240)] for one in findings[:_WARNED]]
    if len(findings) > _WARNED:
        rows.append(["", f"{count_text(len(findings) - _WARNED)} more in the appendix on the data."])
    return Step("data", "Data", [Words(f"{source.facts}."), *([Table("", heads=[], rows=rows)] if rows else [])])


def plain_text(markdown: str) -> str:
    """Markdown as plain text."""
    return html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"<(?:br|/p)>", "\n", markdown_html(markdown)))).strip()


def card_svg(
    verdict: str, about: str, rows: str, figure: Any = None, numbers: Sequence[str] = (), level: float = 0.95
) -> str:
    """A verdict as a picture in SVG, with what it is about and how many rows that is.

    The bold sentence of the verdict stands large, the numbers with intervals of a level below it, or the rest of the
    verdict in their place; all but the numbers are Markdown. `figure` is one of ours or the address of an image.
    Colours are those of light ground, whatever ground the figure was made for.
    """
    found = re.fullmatch(r"(?:\*\*(.+?)\*\*\s*)?(.*)", verdict.strip(), re.DOTALL)
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
    svg = re.sub(r"var\(--([\w-]+)\)", lambda match: _LIGHT[match[1]], svg)
    word = r'(<text [^>]*fill=")(#\w{6})'
    svg = re.sub(word, lambda match: match[1] + _WORDS.get(match[2].lower(), match[2]), svg)
    return re.sub(r"#[0-9A-Fa-f]{6}\b", lambda match: _LIGHTENED.get(match[0].lower(), match[0]), svg)


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
    return row_text(_line(name, written, value, low, high))


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
    return f"{name} {value}{f' ({bounds})' if bounds else ''}"


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
        scores = analyses.Scores.of(source)
        return densities_figure(scores, settings.threshold_of(scores), ink(dark=False))
    if page == "classify/confusion":
        return matrix_figure(counts_of(source, settings))
    if page == "estimate/overlap":
        label = int(source.dataset.state("mask_images").labels[0])
        return mask_picture(Overlap(source, analyses.OverlapSettings(label, level=settings.intervals.level)))
    return next((part.figure for part in chapter.first if isinstance(part, Picture)), None)


def card_of(page: str, source: Source, settings: ReportSettings, chapter: Chapter) -> str:
    """The card of a page with its chapter of a report."""
    intervals, rule, numbers = settings.intervals, "", []
    if page in ("classify/threshold", "classify/curves"):
        scores, counts = analyses.Scores.of(source), counts_of(source, settings).counts
        rule = f"{scores.rule} {scores.text(settings.threshold_of(scores))}"
        numbers = [rate_text(key, counts, intervals) for key in ("recall", "precision")]
    if page == "classify/curves":
        area = intervals.of_area(analyses.Scores.of(source).scored)
        numbers = [number_line("AUC", number_text, *map(float, area.ends)), *numbers]
    if page == "classify/confusion":
        numbers = analyses.analyse_confusion(counts_of(source, settings), intervals).predictive_texts
    if name := {"retrieve/ranking": "AP", "retrieve/graded": "nDCG@k"}.get(page):
        numbers = [mean_text(settings.rankings_of(source), name, intervals.level)]
    if page == "classify/probabilities" and (table := numbers_table(page, source, settings, {page: chapter})):
        numbers = [row_text(cells_of(table.rows[0]))]
    figure = main_figure(page, source, settings, chapter)
    return card_svg(chapter.verdict, plain(source.context(rule), 400), source.size, figure, numbers, intervals.level)
