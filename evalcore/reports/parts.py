"""Parts of a report as HTML: chapters with a verdict, figures, tables and texts."""

import base64
import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from evalcore import analyses
from evalcore.classification import ConfusionCounts
from evalcore.figures import STYLE_COLOURS, ink
from evalcore.figures.svg import colour_variables, svg_picture
from evalcore.figures.threshold_view import alone_program
from evalcore.inference import IntervalChoice
from evalcore.readers import KINDS, ReadProblem, kinds_giving
from evalcore.registry import METRICS, PAGES
from evalcore.wording import UNDEFINED, Cell, Row, cost_text, escaped, html_table, one_line, plain
from evalcore.wording.numbers import count_text, level_text, number_text, share_text, threshold_text, value_text

__all__ = ["Chapter", "ReportSettings", "embedded", "enclosed", "markdown_html", "page_policy", "report_scripts"]
__all__ += ["report_style", "two_by_two", "without_links"]

_ENTITY = re.compile(r"&amp;(#\d{1,7}|amp|lt|gt|quot);")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_LOOK = re.compile(r":(small|gray|grey|red|orange|green|blue)\[([^\[\]]*)\]")

_BOLD, _ITALIC, _CODE = (
    re.compile(r"\*\*(.+?)\*\*"),
    re.compile(r"(?<![*\w])\*([^*\n]+)\*(?!\w)"),
    re.compile(r"`([^`]+)`"),
)

_BREAK = re.compile(r" {2,}\n|\\\n|&lt;br ?/?&gt;")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_JOINER = "\u2060"


def markdown_html(text: str) -> str:
    """Convert Markdown to paragraphs of HTML; any unescaped name remains text.

    >>> markdown_html("**Good** for :gray[&#42;you&#42;]: see [recall](measures?measure=recall)")
    '<p><b>Good</b> for <span class="grey">&#42;you&#42;</span>: see recall</p>'
    >>> markdown_html("<script>x</script> at p < 0.05")
    '<p>&lt;script&gt;x&lt;/script&gt; at p &lt; 0.05</p>'
    >>> markdown_html("Two:\\n- one\\n- *two*")
    '<p>Two:</p><ul><li>one</li><li><em>two</em></li></ul>'
    """
    safe = _ENTITY.sub(r"&\1;", escaped(text.replace(_JOINER, ""), quote=False))
    return "".join(_block(block) for block in re.split(r"\n\s*\n", safe.strip()) if block.strip())


def _block(block: str) -> str:
    """A paragraph, a list, or a list under a paragraph; or a table, whose second line says what is a number."""
    if block.lstrip().startswith("|"):
        heads, kinds, *rows = ([cell.strip() for cell in line.strip(" |").split("|")] for line in _lines(block))
        kinds = ["number" if kind.endswith(":") else "" for kind in kinds]
        return f'<div class="table">{"".join(_table_of(heads, kinds, rows))}</div>'
    words, *items = re.split(r"(?:^|\n)\s*[-*] (?=\S)", block.strip())
    listed = f"<ul>{''.join(f'<li>{_inline(item.strip())}</li>' for item in items)}</ul>" if items else ""
    return (f"<p>{_inline(words)}</p>" if words else "") + listed


def _lines(block: str) -> list[str]:
    """The lines of a table, each with its first cell, which may be empty."""
    return [line.strip().removeprefix("|") or " " for line in block.strip().splitlines()]


def _table_of(heads: Sequence[str], kinds: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "<table>"
    for tag, cells in (("th", heads), *(("td", row) for row in rows)):
        row = (f"<{tag} class='{kind}'>{_inline(cell)}</{tag}>" for cell, kind in zip(cells, kinds, strict=False))
        yield f"<tr>{''.join(row)}</tr>"
    yield "</table>"


def _inline(text: str) -> str:
    text = _ESCAPED.sub(lambda match: f"&#{ord(match[1])};", text)
    text = _LINK.sub(r"\1", text)
    text = _BOLD.sub(r"<b>\1</b>", text)
    text = _ITALIC.sub(r"<em>\1</em>", _CODE.sub(r"<code>\1</code>", text))
    while (inner := _LOOK.sub(_look, text)) != text:
        text = inner
    return _BREAK.sub("<br>", text)


def _look(match: re.Match[str]) -> str:
    return f'<span class="{"small" if match[1] == "small" else "grey"}">{match[2]}</span>'


MOST_ROWS = 30  # lines of a table of data that are printed; the rest is counted
_YES = {True: "yes", False: "no"}

_FEW, _LONG, _MANY = 9, 60, 8
"""Lines of a table that stay on one page, if no cell has so many letters; columns that are printed small."""


@dataclass(frozen=True, eq=False)
class Picture:
    """Figure in light colours, with its text alternative."""

    figure: Any  # of Plotly
    shows: str
    wide: bool = False  # over the whole width

    def html(self, name: str) -> str:
        """The figure as SVG; its ids begin with the name."""
        size = 800 if self.wide else 420
        words = escaped(self.shows)
        svg = svg_picture(self.figure, self.shows, size, name)
        return f'<figure class="{"wide" if self.wide else "half"}">{svg}<figcaption>{words}</figcaption></figure>'


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length, or lines that are written already."""

    title: str
    columns: Mapping[str, Any] = field(default_factory=dict)
    heads: Sequence[Cell | str] = ()
    rows: Sequence[Row | Sequence[Cell | str]] = ()

    @classmethod
    def of(cls, heads: Sequence[Cell | str], rows: Sequence[Row | Sequence[Cell | str]]) -> "Table":
        """Lines under their headings, without a title."""
        return cls("", heads=heads, rows=rows)

    def html(self, name: str) -> str:
        """The table under its title; long ones end with how many lines are left out."""
        heads, rows, total = self.heads, self.rows, len(self.rows)
        if self.columns:
            every = {name: _values(column) for name, column in self.columns.items()}
            shown = {name: values for name, values in every.items() if not _are_images(values)}
            values = [*shown.values()]
            total = max(map(len, values), default=0)
            cells = [_cells(column[:MOST_ROWS]) for column in values]
            kinds = ["number" if column and column[0].kind == "number" else "" for column in cells]
            heads = [Cell(one_line(h), heading=True, kind=kind) for h, kind in zip(shown, kinds, strict=True)]
            rows = list(zip(*cells, strict=False))
        rows = [without_links(row) for row in rows]
        left = total - len(rows)
        more = f"<p class=small>The first {len(rows)} of {count_text(total)} lines.</p>" if left > 0 else ""
        heads = [Cell(one_line(head), heading=True) if isinstance(head, str) else head for head in heads]
        heads = without_links(heads).cells
        title = f"<h3>{escaped(self.title)}</h3>" if self.title else ""
        longest = max((len(cell.text) for row in rows for cell in row.cells if isinstance(cell, Cell)), default=0)
        looks = {" few": len(rows) <= _FEW and longest < _LONG, " many": len(heads) > _MANY}
        kind = "".join(name for name, is_so in looks.items() if is_so)
        return f'{title}<div class="table{kind}">{html_table(heads, rows, "numbers")}</div>{more}'


@dataclass(frozen=True)
class Words:
    """A paragraph of Markdown under a title."""

    text: str
    title: str = ""

    def html(self, name: str) -> str:
        """The paragraph."""
        return (f"<h3>{escaped(self.title)}</h3>" if self.title else "") + markdown_html(self.text)


@dataclass(frozen=True)
class Code:
    """A text that keeps its lines, folded under its title."""

    title: str
    text: str

    def html(self, name: str) -> str:
        """The text, to unfold."""
        return f"<details><summary>{escaped(self.title)}</summary><pre>{escaped(self.text)}</pre></details>"


@dataclass(frozen=True)
class Markup:
    """HTML written here, in which all texts are escaped."""

    text: str

    def html(self, name: str) -> str:
        """The markup, unchanged."""
        return self.text


@dataclass(frozen=True)
class Heading:
    """The title of a part of a page, over the parts that follow."""

    title: str

    def html(self, name: str) -> str:
        """The title."""
        return f'<h3 class="part">{escaped(self.title)}</h3>'


Part = Picture | Table | Words | Code | Markup | Heading
Makers = dict[str, Callable[[], list[Part]]]  # functions that make the parts of a tab, by its title


def paragraphs(*texts: str) -> list[Part]:
    """Paragraphs of the texts that are not empty."""
    return [Words(text) for text in texts if text]


def sections(makers: Makers) -> list[Part]:
    """Parts under the titles of the tabs of a page; parts that the data cannot answer give the reason."""
    parts: list[Part] = []
    for title, make in makers.items():
        try:
            made = [*make()]
        except (ReadProblem, ValueError) as problem:
            made = [Words(plain(problem, 400))]
        if made:
            parts += [Heading(title), *made]
    return parts


@dataclass(frozen=True, eq=False)
class Chapter:
    """Report of one page: its verdict in Markdown, then figures, tables and texts."""

    title: str
    question: str
    verdict: str = ""
    # What stands at once, and the tabs below, which are made when they are asked for.
    made: Sequence[Part | Makers] = ()
    data: Callable[[], Mapping[str, Any]] | None = None  # makes what its script draws from, where it has one

    @classmethod
    def of_page(
        cls, page: str, verdict: str, made: Sequence[Part | Makers], data: Callable[[], Mapping[str, Any]] | None = None
    ) -> "Chapter":
        """The chapter of a page, by section and name, with its title and question."""
        return cls(PAGES[page].title, PAGES[page].question, verdict, made, data)

    @property
    def first(self) -> list[Part]:
        """The parts without those of the tabs."""
        return [part for part in self.made if not isinstance(part, dict)]

    @cached_property
    def parts(self) -> list[Part]:
        """All parts, made once."""
        return [part for each in self.made for part in (sections(each) if isinstance(each, dict) else [each])]

    def html(self, name: str, shown: Sequence[Part] = ()) -> str:
        """The chapter as a folded section of HTML with its name as id, without the parts that are shown elsewhere."""
        parts = [part for part in self.parts if not any(part is other for other in shown)]
        verdict = f'<div class="verdict">{markdown_html(self.verdict)}</div>' if self.verdict else ""
        summary = f'<h2>Appendix: {escaped(self.title)}</h2> <span class="grey">{escaped(self.question)}</span>'
        return (
            f'<details class="appendix"><summary>{summary}</summary>'
            f'<section id="{name}">{verdict}{body_html(parts, name)}</section></details>'
        )


def body_html(parts: Sequence[Part], name: str) -> str:
    """Parts one below the other; their ids begin with the name."""
    return _side_by_side([(part, part.html(f"{name}{index}")) for index, part in enumerate(parts)])


def _side_by_side(parts: Sequence[tuple[Part, str]]) -> str:
    """HTML of parts, with a narrow figure beside the words that follow it."""
    written: list[str] = []
    narrow = [isinstance(part, Picture) and not part.wide for part, _ in parts]
    words = [isinstance(part, Words) for part, _ in parts]
    index = 0
    while index < len(parts):
        end = index + 1
        alone = narrow[index] and not (index and narrow[index - 1])
        while alone and end < len(parts) and words[end]:
            end += 1
        made = [text for _, text in parts[index:end]]
        beside = end - index > 1
        written.append(f'<div class="beside">{made[0]}<div>{"".join(made[1:])}</div></div>' if beside else made[0])
        index = end
    return "".join(written)


def varying_columns(table: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of a comparison table without those in its notes, and without names that repeat in each line.

    >>> varying_columns({"A": ["x", "x"], "B": ["y", "z"], "p": [0.5, 0.5], "test": ["t", "t"]})
    {'B': ['y', 'z'], 'p': [0.5, 0.5]}
    """
    columns = {name: list(column) for name, column in table.items() if name not in ("test", "level", "correction")}
    same = {name for name, column in columns.items() if len(column) > 1 and isinstance(column[0], str)}
    return {name: column for name, column in columns.items() if name not in same or len(set(column)) > 1}


def _values(column: Any) -> list:
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _are_images(values: Sequence[Any]) -> bool:
    """Whether a column holds images, which would be long texts here."""
    return any(str(value).startswith("data:image/") for value in values[:MOST_ROWS])


def _cells(values: Sequence[Any]) -> list[Cell]:
    """Cells of a column: counts if all its numbers are whole, else general numbers."""
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if len(numbers) < len(values) or not values:
        texts = (_YES[bool(value)] if isinstance(value, (bool, np.bool_)) else value for value in values)
        return [Cell("" if text is None else one_line(text, 120)) for text in texts]
    whole = all(float(number).is_integer() for number in numbers if math.isfinite(number))
    written = count_text if whole else number_text
    return [Cell(UNDEFINED if math.isnan(n) else written(float(n)), kind="number") for n in numbers]


def _without_breaks(text: str) -> str:
    """Join a short text that begins with a number, so that it stays on one line."""
    if len(text) > 30 or not re.match(r"[\d−+×<≤∞]", text):
        return text
    return text.replace(" ", "\u00a0").replace("–", "–\u2060").replace("\u00a0(", " (")


def without_links(row: Row | Sequence[Cell | str]) -> Row:
    """Row without links and images, and with unbroken ranges, as a report has no other pages."""
    cells = row.cells if isinstance(row, Row) else row
    cells = [cell if isinstance(cell, Cell) else Cell(cell) for cell in cells]
    plain = {"measure": "", "image": "", "rows": ""}
    unlinked = [
        replace(cell, **plain, text=_without_breaks(cell.text), below=_without_breaks(cell.below)) for cell in cells
    ]
    return Row(unlinked, row.kind if isinstance(row, Row) else "")


def page(file: str, title: str, style: str, body: str, script: str, data: object = None) -> str:
    """A page of HTML that fetches nothing and runs this script alone; its pictures are saved under the name of a file.

    The script finds the data as JSON in the element ``view-data``.
    """
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{page_policy(script)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escaped(title)}</title><style>{style}</style></head>"
        f'<body data-picture="svg" data-file="{escaped(file)}">{body}'
        f"{embedded(data)}<script>{script}</script></body></html>"
    )


def page_policy(script: str) -> str:
    """Nothing from anywhere: only styles and pictures in the document, and the one script by its digest."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    inside = "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return f"default-src 'none'; script-src 'sha256-{digest}'; {inside}"


def embedded(data: object, id: str = "view-data") -> str:
    """Data of the script as JSON in which no tag can end, inside a script element that is never run."""
    if data is None:
        return ""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # Whatever stands in a name, "<" begins no tag and no comment there.
    text = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{id}">{text}</script>'


@cache
def report_script(live: bool) -> str:
    """The script of a report, without its comments: of its folds and steps, and of a threshold view if it has one."""
    own = Path(__file__).with_name("report.js").read_text(encoding="utf-8")
    text = f"{alone_program() if live else ''}{{\n{own}}}"  # in a block, whose names hide none of the view
    return enclosed(_COMMENT.sub("", text))


_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)


def enclosed(script: str) -> str:
    """A script whose names are its own."""
    return f'"use strict";(() => {{\n{script}\n}})()'


def report_scripts() -> tuple[str, str]:
    """Every script that a report can have, for the policy of a page that shows it."""
    return report_script(False), report_script(True)


def _colours() -> tuple[str, str]:
    """The variables of colours on a light and on a dark ground."""
    light, dark = (
        "".join(f"--{name}:{colour};" for name, colour in (colour_variables(ink(ground)) | STYLE_COLOURS).items())
        for ground in (False, True)
    )
    return light, dark


def report_style() -> str:
    """The rules of style, with the colours of both grounds."""
    rules = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    light, dark = _colours()
    return f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"


_DARK = '[data-jp-theme-light="false"] .evalcore-answer,.vscode-dark .evalcore-answer'


def answer_html(verdict: str, parts: Sequence[Part], name: str) -> str:
    """A finding in Markdown and its parts for a notebook: rules of style that hold for nothing else, and no script."""
    rules = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    light, dark = _colours()
    style = (
        f".evalcore-answer{{{light}color:var(--text);background:var(--paper);font:15px/1.5 system-ui,sans-serif;"
        "color-scheme:light dark;padding:4px 12px;max-width:1080px}"
        f"@media(prefers-color-scheme:dark){{.evalcore-answer{{{dark}}}}}"
        f'[data-jp-theme-light="true"] .evalcore-answer{{{light}}}{_DARK}{{{dark}}}.evalcore-answer{{{rules}}}'
    )
    body = f'<div class="verdict">{markdown_html(verdict)}</div>{body_html(parts, name)}'
    return f'<div class="evalcore-answer"><style>{style}</style>{body}</div>'


def two_by_two(counts: ConfusionCounts, positive: str, negative: str) -> str:
    """Four counts of shape () as a table of HTML, the actual classes in its columns."""
    names = [escaped(one_line(name, 30)) for name in (positive, negative)]

    def cell(key: str) -> str:
        return f"<td class={key}><b>{count_text(float(getattr(counts, key)))}</b><small>{key.upper()}</small></td>"

    def rate(key: str) -> str:
        measure = METRICS[key]
        return f"<td class=rate><small>{measure.short}</small>{value_text(measure, float(measure(counts)))}</td>"

    return (
        '<div class="table"><table class="frame"><thead><tr><th></th>'
        f"{''.join(f'<th>actual {name}</th>' for name in names)}<th></th></tr></thead><tbody>"
        f"<tr><th>says {names[0]}</th>{cell('tp')}{cell('fp')}{rate('precision')}</tr>"
        f"<tr><th>says {names[1]}</th>{cell('fn')}{cell('tn')}{rate('negative_predictive_value')}</tr>"
        f"<tr><th></th>{rate('recall')}{rate('specificity')}{rate('accuracy')}</tr></tbody></table></div>"
    )


@dataclass(frozen=True)
class ReportSettings:
    """Settings of the numbers in a report; the defaults are those of the pages."""

    threshold: float | None = None
    chosen: analyses.ThresholdChoice | None = None  # what the threshold is for, as `best_threshold` gives it
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)
    kept: Sequence[analyses.KeptDecision] = ()  # decisions that were kept with the data
    pins: tuple[analyses.Pin | float, ...] = ()  # thresholds beside the chosen one, which are compared with the first
    second_threshold: float | None = None  # scores between the two go to a person
    miss_cost: float = 1.0  # of costs only the ratio matters, except in the cost of a period
    alarm_cost: float = 1.0
    prevalence: float | None = None  # above 0 and below 1; that of the sample without a choice
    new_cases: float = 10_000.0  # in each coming period, a key of `WORKING_HOURS`
    period: str = "day"
    alarm_minutes: float = 5.0
    overlays: analyses.CurveOverlays = analyses.CurveOverlays()  # noqa: RUF009 (frozen)
    binning: analyses.Binning = analyses.Binning()  # noqa: RUF009 (frozen)
    unbinned: bool = False  # whether reliability is drawn as a curve without bins too
    losses: analyses.LossSettings = analyses.LossSettings()  # noqa: RUF009 (frozen)
    scaling: str | None = None  # how scores become probabilities, a key of `SCALINGS`
    normalise: bool = False  # whether each row of probabilities is divided by its sum
    of_class: str | None = None  # of several classes, the one whose probabilities are looked at
    focus: str | None = None  # the class that is set against the rest
    rankings: analyses.Rankings | None = None  # with k, relevance level and the other settings of rankings
    query: str | None = None  # whose list is shown
    gains: analyses.GainSettings = analyses.GainSettings()  # noqa: RUF009 (frozen)
    compared_rankings: dict[str, Any] = field(default_factory=dict)  # arguments of `compare_rankings`
    compared: dict[str, Any] = field(default_factory=dict)  # arguments of `compare_systems`
    prediction: str | None = None  # of class probabilities, one of `predictions_of`
    labels: analyses.LabelThresholds = analyses.LabelThresholds()  # noqa: RUF009 (frozen)
    errors: analyses.ErrorSettings = analyses.ErrorSettings()  # noqa: RUF009 (frozen)
    distributions: tuple[Any, ...] = ()  # a constructor of `TwoDistributions`, and what it takes after the source
    distances: analyses.DistanceSettings = analyses.DistanceSettings()  # noqa: RUF009 (frozen)
    merged: tuple[tuple[str, ...], ...] = ()  # classes that count as one, as `ClassTable.of` takes them
    other_estimates: tuple[str, ...] = ()  # the second system, the measure and the correction of `EstimateComparison`
    tolerance: tuple[float, bool] | None = None  # how far off is right, and whether that is a share of the truth
    ends: tuple[str, str, float] | None = None  # the columns of both ends of prediction intervals, and what they claim

    def scores_of(self, source: analyses.Source) -> analyses.Scores:
        """The scores of the chosen system, or of the first."""
        return analyses.Scores.of(source, source.system or source.dataset.systems[0])

    def threshold_of(self, scores: analyses.Scores) -> float:
        """The chosen threshold, or the one to start from."""
        return scores.starting_threshold if self.threshold is None else self.threshold

    def share_of(self, scores: analyses.Scores) -> float:
        """The chosen prevalence, or the nearest to that of the sample with both classes."""
        own = scores.prevalence if self.prevalence is None else self.prevalence
        return min(max(own, 1e-6), 1 - 1e-6) if own == own else 0.5

    def rankings_of(self, source: analyses.Source) -> analyses.Rankings:
        """Rankings of the chosen system. Raises ReadProblem if no page could show them."""
        if source.system is None:
            raise ReadProblem("No row names a system, so there are no lists. Choose another system column.")
        rankings = self.rankings or analyses.Rankings(source, source.system)
        if (mismatch := rankings.mismatch) is not None:
            raise ReadProblem(mismatch)
        if not rankings.queries():
            raise ReadProblem("No query has both a list and judgments.")
        return rankings

    def query_of(self, rankings: analyses.Rankings) -> str:
        """The chosen query if it is evaluated, else the first."""
        queries = rankings.queries()
        return self.query if self.query in queries else queries[0]

    def rows(self, source: analyses.Source) -> list[list[str]]:
        """Choices that differ from the defaults of the pages, and the intervals of such data, in words."""
        intervals, ranked = self.intervals, self.rankings
        of_shares = any(page.startswith("classify/") for page in KINDS[source.kind].pages)
        method = f", {intervals.method_name}" if of_shares else ""
        area = f"; AUC by {intervals.area_name}" if source.kind in kinds_giving("scored") else ""
        choices = {
            "Intervals": level_text(intervals.level) + method + area,
            "Threshold": "" if self.threshold is None else threshold_text(self.threshold),
            "Goal": "" if self.chosen is None else analyses.goal_text(self.chosen.goal).removeprefix("the "),
            "Second threshold": "" if self.second_threshold is None else threshold_text(self.second_threshold),
            "Costs": f"a miss {cost_text(self.miss_cost)}, a false alarm {cost_text(self.alarm_cost)}",
            "Prevalence": "" if self.prevalence is None else share_text(self.prevalence),
            "Bins of probabilities": self.binning.words,
            "k": "" if ranked is None else str(ranked.k),
            "Relevant from grade": "" if ranked is None else f"{ranked.level:g}",
        }
        usual = {"Costs": ReportSettings.miss_cost == self.miss_cost == self.alarm_cost}
        usual["Bins of probabilities"] = self.binning == analyses.Binning()
        return [[name, text] for name, text in choices.items() if text and not usual.get(name)]

    def code(self, source: analyses.Source, pages: Sequence[str]) -> str:
        """Python that writes the report of a data set with the given pages and these settings.

        A decision that was kept, and a goal that no Python makes, are left out.

        >>> from evalcore.readers import read_sample
        >>> source = analyses.Source.of(read_sample("roc_20"))
        >>> print(ReportSettings(threshold=0.4).code(source, ["classify/curves"]).splitlines()[-1])
        write_report(source, "report.html", ['classify/curves'], ReportSettings(threshold=0.4))
        """
        own, usual = [f"source = Source.of(data, {source.system!r})"], ReportSettings()
        options = [
            f"{one.name}={analyses.literal(getattr(self, one.name))}"
            for one in fields(self)
            if one.name not in ("chosen", "kept", "rankings") and getattr(self, one.name) != getattr(usual, one.name)
        ]
        if self.chosen is not None and (goal := analyses.goal_code(self.chosen.goal)) and not self.chosen.on_new_rows:
            own.append(f"scores = Scores.of(source, {self.chosen.scores.system!r})")
            options.append(f"chosen=best_threshold(scores, {goal})")
        if (ranked := self.rankings) is not None:
            numbers = ranked.k, ranked.level, ranked.only_common, ranked.trec_eval
            options.append(f"rankings=Rankings(source, source.system, *{numbers!r})")
        arguments = f'source, "report.html", {[*pages]!r}, ReportSettings({", ".join(options)})'
        imports = "from evalcore.reports import ReportSettings, write_report"
        return analyses.script(source.code, imports, *own, f"write_report({arguments})")
