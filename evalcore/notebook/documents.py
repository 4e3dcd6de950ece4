"""Views as documents that need nothing else: the data that a program draws from, and the frame that shows them."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evalcore import analyses, figures
from evalcore.figures import threshold_view
from evalcore.figures.svg import picture_places, svg_picture
from evalcore.figures.threshold_view import CAMERA, ELEMENT, PICTURE, script_of, text_of_files
from evalcore.readers import KINDS, ReadProblem
from evalcore.reports import ReportSettings
from evalcore.reports.chapters import COLUMNS, class_table
from evalcore.reports.front import FIRST, cells_of, plain_text
from evalcore.reports.parts import Table, markdown_html, page, report_style
from evalcore.wording import count_text, deflated, escaped, number_text, one_line, rows_text, signed

__all__ = ["Document"]

_LIGHT, _DARK = (figures.ink(dark) for dark in (False, True))

_FOLDER = Path(__file__).parent

_WIDTH = 620
"""Of the picture of estimates, in its own pixels."""

_CORNERS = 50_000
"""Corners of the curves of queries that a view holds: a fifth of a megabyte."""

_MANY = 400
"""Classes above which cells tell their count alone; of ten times as many queries some measures are left out."""


@dataclass(frozen=True, eq=False)
class Document:
    """A view: the words over it, its place in HTML, and the program that draws in it from data."""

    source: analyses.Source
    verdict: str  # in Markdown
    body: str
    program: str
    data: Mapping[str, Any]
    height: str  # of its frame, as CSS by the width of the container
    style: str = ""
    note: str = ""  # plain text below it
    moves: bool = False  # whether the verdict is of one threshold, and gives way to a line that moves

    @property
    def text(self) -> str:
        """The words over the view as plain text."""
        return plain_text(f"{self.source.facts}\n\n{self.verdict}")

    def html(self, view: str = "") -> str:
        """The document, which tells the notebook of its line under the name of the view; of none without a name."""
        title = one_line(self.source.title, 120)
        facts = markdown_html(self.source.facts).replace("<p>", '<p class="facts">')
        verdict = f"<div{' class=still' if self.moves else ''}>{markdown_html(self.verdict)}</div>"
        note = f'<p class="note">{escaped(self.note)}</p>' if self.note else ""
        body = f'{facts}{verdict}<div id="view">{self.body}</div>{note}'
        style = report_style() + self.style + text_of_files(str(_FOLDER / "frame.css"))
        packed = deflated(json.dumps(self.data, allow_nan=False).encode())
        return page(title, f"{title} · Evalcore", style, body, self.program, {"id": view, "packed": packed})

    def frame(self, view: str = "") -> str:
        """The document in a frame of its own, which runs its script and reaches nothing around it.

        It is as high as the view, narrow or wide, and light or dark like the notebook.
        """
        inside = self.html(view).replace("&", "&amp;").replace("'", "&#39;")
        name = escaped(f"Evalcore: {one_line(self.source.title, 120)}")
        facts, _, verdict = self.text.partition("\n")
        words = _words_height((facts, 12.5), ("" if self.moves else verdict, 14.0), (self.note, 12.5))
        look = f"display:block;width:100%;height:calc({words} + {self.height});border:0"
        # Where a page takes out frames and rules of style, as GitHub does, the words remain.
        still = f'<p class="evalcore-still">{escaped(self.text)}</p>'
        return (
            f'<div class="evalcore-view" style="container-type:inline-size"><style>{_GROUND}</style>{still}'
            f'<iframe title="{name}" sandbox="allow-scripts allow-downloads" style="{look}" '
            f"srcdoc='{inside}'></iframe></div>"
        )


_GROUNDS = {
    "light": ("[data-jp-theme-light=true]", ".vscode-light", "[data-theme=light]"),
    "dark": (
        "[data-jp-theme-light=false]",
        ".vscode-dark",
        "[data-theme=dark]",
        "[theme=dark]",
        ".dark",
        ".quarto-dark",
    ),
}
"""How JupyterLab, VS Code, Sphinx, Colab, marimo and Quarto mark their ground; a frame has that of its element."""

_GROUND = ".evalcore-still{display:none}" + "".join(
    f":is({','.join(marks)}) .evalcore-view{{color-scheme:{ground}}}" for ground, marks in _GROUNDS.items()
)


def _by_width(wide: str, *steps: tuple[int, str]) -> str:
    """Height of a wide view, and below each of some widths another one, which is higher."""
    narrower = "".join(f",min({height},({width}px - 100cqi)*9999)" for width, height in steps)
    return f"max({wide}{narrower})"


def _words_height(*paragraphs: tuple[str, float]) -> str:
    """Height of texts of a size of type, by the lines that they fill on a screen, half of one and a phone."""

    def height(width: int) -> str:
        lines = [(math.ceil(len(text) * 0.54 * size / width), size) for text, size in paragraphs if text]
        return f"{sum(round(1.5 * size * count) + 6 for count, size in lines)}px"

    return _by_width(height(980), (1000, height(580)), (600, height(340)))


def _program(*files: str, show: str = "showDrawn") -> str:
    """Script that draws with the component of some files and follows the ground."""
    component = script_of(text_of_files(ELEMENT, PICTURE, *files))
    return _framed(component, show)


def _framed(component: str, show: str) -> str:
    """The script of a frame: its data, its component and the function that shows them, without lines of comment."""
    text = f"{component}\n{text_of_files(str(_FOLDER / 'frame.js'))}\n{show}()"
    return f'"use strict";(async () => {{\n{_COMMENT.sub("", text)}\n}})()'


_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)


def document_of(source: analyses.Source, settings: ReportSettings) -> Document:
    """The view of classes, rankings or estimates. Raises ReadProblem for data that have none."""
    for part, make in (("classify/", _classes), ("retrieve/", _rankings), ("estimate/regression", _estimates)):
        if any(page.startswith(part) for page in KINDS[source.kind].pages):
            return make(source, settings)
    known = "scores, labels, counts, rankings and estimates"
    raise ReadProblem(f"There is no view of {KINDS[source.kind].title}, only of {known}. Write a report instead.")


def scores_document(
    scores: analyses.Scores,
    view: threshold_view.ThresholdView,
    chosen: analyses.ThresholdChoice,
    threshold: float,
    pins: Sequence[analyses.Pinned] = (),
    shaking: threshold_view.Shaking | None = None,
) -> Document:
    """The threshold view at a threshold, of the same program as the page and the report."""
    # How high layout.js makes it, with the two small curves as squares; with pins measures have a line each on a phone.
    wide = "calc(490px + 0.5*(clamp(290px,36cqi - 6px,410px) - 22px))"
    narrow = f"calc({1084 if pins else 1048}px + min(50cqi - 21px,230px))"
    data = threshold_view.view_alone(scores, threshold, view, chosen, pins, shaking)
    headline = f"**{analyses.OperatingPoint(scores, threshold).headline}**"
    program = _framed(threshold_view.alone_program(), "showLine")
    note = " ".join(threshold_view.hands_note(view, scores))
    return Document(scores.current, headline, "", program, data, _by_width(wide, (646, narrow)), note=note, moves=True)


def _classes(source: analyses.Source, settings: ReportSettings) -> Document:
    """The matrix of classes, or of missed labels and those predicted in their place."""
    look = figures.Look(actual_in_rows=source.actual_in_rows)
    if source.has_labels:
        grid = analyses.LabelGrid(analyses.LabelTable.of(source), True)
        table, verdict = grid, grid.table.verdict
        pictures = [
            figures.label_picture(grid.matrix.counts, grid.shares, grid.axes, True, colours)
            for colours in (_LIGHT, _DARK)
        ]
    else:
        table = class_table(source, settings)
        verdict = table.verdict(settings.intervals)
        pictures = [figures.matrix_picture(table.matrix, look, colours) for colours in (_LIGHT, _DARK)]
    k = len(table.classes)
    drawn = pictures[0] | figures.cell_names(table.classes, source.unit)
    drawn["scale"] = [end | {"words": end["palette"]} for end in drawn["scale"]]
    if k > _MANY:
        drawn["layers"] = drawn["layers"][:1]
    drawn["alt"] = figures.matrix_description(k, look)
    inks = [{"palettes": picture["palettes"]} for picture in pictures]
    largest = 64 if k > 6 else 84 if k > 3 else 110
    longest = max(map(len, drawn["sides"][0]), default=0) * 7.2 + 6
    heads = 120 if longest < largest else min(round(longest) + 110, 210)
    height = f"calc({heads + 24}px + min({largest * k}px,100cqi - 76px))" if k <= 20 else "800px"
    style, program = text_of_files(figures.CELLS_STYLE, CAMERA), _program(*figures.CELLS_SCRIPTS)
    return Document(
        source, verdict, figures.CELLS_ELEMENT, program, {"drawn": drawn, "inks": inks}, height, style
    )  # fmt: skip


def _rankings(source: analyses.Source, settings: ReportSettings) -> Document:
    """The curves of the queries beside the table of their measures."""
    rankings = settings.rankings_of(source)
    queries, hits = rankings.queries(), rankings.hits()
    summary = analyses.RankingSummary(rankings, COLUMNS if len(queries) <= 10 * _MANY else COLUMNS[:-2])
    curves = figures.faint_curves(hits, rankings.level, most_corners=_CORNERS)
    held = len(curves["places"])
    with_curve = int(np.count_nonzero(hits.relevant(rankings.level).retrieved))
    bands = figures.quantile_lines(hits, rankings.level)
    drawn = {"stamp": "", **figures.ranking_table(summary), "faint": curves, "bands": bands}
    worst = next((place for place, column in enumerate(summary.columns) if not column.is_count), -1)
    first = settings.query_of(rankings) if settings.query else queries[summary.first_query(worst, False)]
    selection = {
        "stamp": "", "picture": "precision–recall", "line": "interpolated", "distance": False, "rocs": [],
        "rocBands": [], "means": [figures.mean_lines(rankings)["levels"]], "gallery": False, "beside": "",
        "strips": {"stamp": "", **figures.ranking_strips(summary), "others": []},
        "selected": [{"place": queries.index(first)}], "sort": [worst, False], "filter": "",
        "axes": ["recall", "precision"], "alt": f"Precision–recall curves of {count_text(len(queries))} queries",
    }  # fmt: skip
    data = {"drawn": drawn, "selection": selection, "inks": [figures.ranking_ink(one) for one in (_LIGHT, _DARK)]}
    rows = min(130 + 28 * len(queries), 504)
    wide = f"calc(8px + max({rows}px,min(35cqi - 11px,470px) + 120px))"
    narrow = f"calc({rows + 128}px + min(100cqi - 16px,470px))"
    few = f"The view holds the curves of {count_text(held)} of {count_text(with_curve)} queries."
    style, body = text_of_files(figures.RANKING_STYLE, CAMERA), text_of_files(figures.RANKING_ELEMENT)
    program = _program(figures.RANKING_SCRIPT, figures.RANKING_GALLERY)
    return Document(
        source,
        summary.verdict,
        body,
        program,
        data,
        _by_width(wide, (766, narrow)),
        style,
        note=few if held < with_curve else "",
    )


def _estimates(source: analyses.Source, settings: ReportSettings) -> Document:
    """Truth against estimate beside the measures, a point per row or the density of many."""
    estimates = analyses.EstimateRows.of(source)
    regression = analyses.Regression(estimates, replace(settings.errors, level=settings.intervals.level))
    cloud, state = analyses.cloud_of(estimates, "truth"), estimates.state
    assert cloud is not None  # only columns may have none
    figure = figures.cloud_figure(cloud, estimates, _LIGHT)
    x, y = picture_places(figure, _WIDTH)[0]
    if cloud.is_density:
        rows, columns = np.nonzero(cloud.density)
        x, y = x[columns], y[rows]
        across, up = ((edges[1:] + edges[:-1]) / 2 for edges in cloud.edges)
        cells = zip(up[rows].tolist(), across[columns].tolist(), cloud.density[rows, columns].tolist(), strict=True)
        words = [f"about {_point(truth, estimate)}: {rows_text(count)}" for truth, estimate, count in cells]
    else:
        pairs = enumerate(zip(state.truth.tolist(), state.estimate.tolist(), strict=True))
        words = [
            f"{one_line(estimates.line(row), 40)}: {_point(*both)}, error {signed(number_text)(both[1] - both[0])}"
            for row, both in pairs
        ]
    picture = svg_picture(figure, "Truth against estimate", _WIDTH, "cloud")
    lines = map(cells_of, regression.rows())
    rows = [line[:3] for line in lines if line[0].measure in FIRST["estimate/regression"]]
    table = Table("", heads=regression.heads[:3], rows=rows).html("")
    body = f'<div class="two"><div class="cloud">{picture}<div class="tip"></div></div>{table}</div>'
    drawn = {"x": np.round(x, 1).tolist(), "y": np.round(y, 1).tolist(), "words": words}
    program = _program(str(_FOLDER / "cloud.js"))
    height = _by_width(
        "max(340px,calc(20px + min(36cqi,500px)))",
        (800, "480px"),
        (700, "calc(330px + min(65cqi,490px))"),
        (500, "calc(440px + 65cqi)"),
    )
    return Document(
        source, regression.verdict, body, program, {"drawn": drawn, "inks": [{}, {}]}, height, text_of_files(CAMERA)
    )


def _point(truth: float, estimate: float) -> str:
    return f"truth {number_text(truth)}, estimate {number_text(estimate)}"
