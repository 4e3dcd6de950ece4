"""The front of a report, two printed pages: the finding, its view, and the steps of the decision beside it."""

import math
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module, metadata

import numpy as np

from evalcore.analyses import Rankings, RankingSummary, Source
from evalcore.figures import logo
from evalcore.inference import query_interval
from evalcore.readers import ReadProblem, kinds_giving
from evalcore.reports.of_labels import confusion_chapter
from evalcore.reports.parts import (
    Chapter,
    Heading,
    Markup,
    Part,
    Picture,
    ReportSettings,
    Table,
    Words,
    body_html,
    markdown_html,
    page,
    report_script,
    report_style,
)
from evalcore.wording import Cell, Row, count_text, escaped, level_text, number_text, one_line, range_text, rows_text

_MOST = 8  # numbers of the front
_RATES = ("recall", "precision", "specificity", "negative_predictive_value", "accuracy", "f_beta")

FIRST: dict[str, Sequence[str]] = {
    "classify/confusion": (*_RATES, "matthews_correlation"),
    "classify/classes": ("overall_accuracy", "macro_recall", "macro_precision", "macro_f1", "multiclass_kappa"),
    "estimate/regression": (
        *("mean_absolute_error", "root_mean_squared_error", "mean_error", "median_absolute_error", "r_squared"),
        *("concordance_correlation", "pearson_correlation", "mean_absolute_percentage_error"),
    ),
    "estimate/distributions": (
        *("jensen_shannon_divergence", "total_variation", "hellinger_distance", "ks_distance", "wasserstein_distance"),
        *("kl_divergence", "reverse_kl_divergence", "population_stability_index"),
    ),
}
"""Of the tables with more lines, the measures of the front."""

_AT_A_THRESHOLD = ("classify/threshold", "classify/curves", "classify/confusion")
_RANKED = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec")
_BOLD = re.compile(r"\*\*(.+?)\*\*[.,;: ]*(.*)", re.DOTALL)
_SENTENCE = re.compile(r"(.+?)\.(?:\s+(.*)|$)", re.DOTALL)


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


def document(title: str, date: str, front: Front, chapters: Sequence[Chapter]) -> str:
    """Join a front and its appendices into one HTML page with a plain-text title."""
    words, named = escaped(title), {f"c{index}": chapter for index, chapter in enumerate(chapters)}
    links = {"front": "Finding"} | {name: chapter.title for name, chapter in named.items()}
    contents = "".join(f'<li><a href="#{name}">{escaped(link)}</a></li>' for name, link in links.items())
    body = front.html + "".join(chapter.html(name, front.parts) for name, chapter in named.items())
    data = next((chapter.data() for chapter in chapters if chapter.data is not None), None)
    head = f"<header>{logo()}<p><b>{words}</b> {escaped(date)}</p></header>"
    body = f"{head}<nav><ul>{contents}</ul>{_ALL}</nav><main>{body}</main>"
    return page(title, f"{title} · Evalcore report", report_style(), body, report_script(data is not None), data)


_ALL = '<label class="live"><input type="checkbox" id="all">Open all</label><p>Open appendices are printed.</p>'


def front_of(
    source: Source, settings: ReportSettings, chapters: Mapping[str, Chapter], leading: str, date: str
) -> Front:
    """The front of a report with these chapters by page; without chapters, that of the data alone."""
    data, made = _of_data(source), Step("made", "How it was made", [_made(source, settings, date)])
    if leading not in chapters:
        return Front(source.facts, steps=[*([data] if data.parts[1:] else []), made])
    chapter, steps = chapters[leading], [data]
    finding, text = _split(chapter.verdict)
    with suppress(ReadProblem, ValueError):  # why there are none stands where their chapter would
        if table := numbers_table(leading, source, settings, chapters):
            steps.append(Step("numbers", "Numbers that matter", [table]))
    if chapter.data is not None:  # the view has a line, which goes to what the steps speak of
        texts = _texts_of(chapter)
        steps.append(Step("goal", "Goal", [Words(text)], "best"))
        steps.append(Step("certain", "How sure", texts.get("How sure", [])[:2], "best", "sure"))
        steps.append(Step("costs", "Costs", texts.get("Costs", [])[:1], "cheapest", "cost"))
        text = ""
    worse = _worse([chapter, *(one for page, one in chapters.items() if page != "classify/compare")])
    steps += [Step("groups", "For whom is it worse?", worse), made]
    return Front(finding, text, view_of(chapter.parts), [step for step in steps if step.parts])


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
        if isinstance(part, Heading) or len(own) == 2:
            break
        if isinstance(part, (Markup, Picture)):
            own.append(part)
            if isinstance(part, Markup) or part.wide:
                break
    return own


def numbers_table(page: str, source: Source, settings: ReportSettings, chapters: Mapping[str, Chapter]) -> Table | None:
    """At most eight numbers with their intervals, from the tables of the chapters."""
    if page.startswith("retrieve/"):
        return _means(source, settings)
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
            rows = [*rows[: _MOST - 1], *_area(source, settings)]
        return _table(heads[value], heads[bounds], rows[:_MOST])
    return None


def _table(value: str, interval: str, rows: Sequence[Sequence[Cell]]) -> Table:
    heads = [Cell(head, heading=True, kind="number") for head in (value, interval)]
    return Table.of(["measure", *heads], rows)


def cells_of(row: Row | Sequence[Cell | str]) -> list[Cell]:
    """Cells without their other names."""
    cells = row.cells if isinstance(row, Row) else row
    return [replace(cell, aside="") if isinstance(cell, Cell) else Cell(cell) for cell in cells]


def _area(source: Source, settings: ReportSettings) -> list[tuple[Cell, Cell, Cell]]:
    area = settings.intervals.of_area(settings.scores_of(source).scored)
    return [_line("AUC", number_text, *map(float, area.ends))] if math.isfinite(float(area.estimate)) else []


def _line(name: str, written: Callable[[float], str], value: float, low: float, high: float) -> tuple[Cell, Cell, Cell]:
    bounds = "" if math.isnan(low) else range_text(written(low), written(high))
    return Cell(name), Cell(written(value), strong=True, kind="number"), Cell(bounds, kind="number")


def _means(source: Source, settings: ReportSettings) -> Table:
    """Means over the queries, with Student's t intervals."""
    level = settings.intervals.level
    rows = [_line(*line) for line in means_of(settings.rankings_of(source), _RANKED, level)]
    return _table("mean", f"{level_text(level)} interval", rows)


def means_of(
    rankings: Rankings, names: Sequence[str], level: float
) -> Iterator[tuple[str, Callable[[float], str], float, float, float]]:
    """Name, wording, mean over the queries and its interval of each measure."""
    clusters = rankings.clusters(rankings.queries())
    for column in RankingSummary(rankings, names).columns:
        if column.is_count:
            continue
        values, ends = np.asarray(column.values, dtype=float), (math.nan, math.nan)
        if np.isfinite(values).all():
            interval = query_interval(rankings.measure(column.name), values, clusters, level)
            ends = float(interval.low), float(interval.high)
        yield column.heading, number_text, column.total, *ends


def _texts_of(chapter: Chapter) -> dict[str, list[Words]]:
    """The texts of a chapter by the title of the part that they stand in."""
    title, texts = "", dict[str, list[Words]]()
    for part in chapter.parts:
        if isinstance(part, Heading):
            title = part.title
        elif isinstance(part, Words):
            texts.setdefault(title, []).append(part)
    return texts


def _worse(chapters: Sequence[Chapter]) -> list[Part]:
    """The verdict on groups and that on slices, from the first chapter that has one, with the slices it found."""
    found: dict[str, list[Words]] = {}
    for texts in map(_texts_of, chapters):
        found = {title: texts[title] for title in ("Groups", "Slices") if title in texts} | found
    firsts = [one.text for texts in found.values() for one in texts if one is texts[0] or one.text.startswith("- ")]
    return [Words("\n".join(text.splitlines()[:_WARNED])) for text in firsts]


_WARNED = 3  # slices and warnings of the front


def versions() -> dict[str, str]:
    """Versions of what makes the numbers."""
    own = {"evalcore": import_module("evalcore").__version__, "Python": platform.python_version()}
    return own | {name: metadata.version(name) for name in ("numpy", "scipy", "pandas", "pyarrow", "plotly")}


def _of_data(source: Source) -> Step:
    """How many rows of what there are, what was done to them, and the warnings about them."""
    data, findings = source.dataset, [one for one in source.dataset.findings if one.level != "info"]
    left = (data.left_out(source.system) if source.system else 0) + source.not_counted
    steps = data.shape.to_text() if data.shape.steps else ""
    warnings = [[one.level.capitalize(), one_line(one.sentence, 240)] for one in findings[:_WARNED]]
    if len(findings) > _WARNED:
        warnings.append(["", f"{count_text(len(findings) - _WARNED)} more in the appendix on the data."])
    rows = [
        *([["Left out", rows_text(left)]] if left else []),
        *([["Steps", one_line(steps, 200)]] if steps else []),
        *warnings,
    ]
    return Step("data", "Data", [Words(f"{source.facts}."), *([Table("", heads=[], rows=rows)] if rows else [])])


def _made(source: Source, settings: ReportSettings, date: str) -> Table:
    """Settings, the digest of the data, and versions."""
    made = ", ".join(f"{name} {version}" for name, version in versions().items())
    rows = [*settings.rows(source), ["Digest", source.dataset.digest], ["Made", f"{date} with {made}"]]
    return Table("", heads=[], rows=rows)
