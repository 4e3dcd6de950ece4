"""Views as documents that need nothing else: the data that a program draws from, and the frame that shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evalcore import analyses, figures
from evalcore.figures import threshold_view
from evalcore.figures.svg import picture_places, svg_picture
from evalcore.figures.threshold_view import CAMERA, ELEMENT, PICTURE, script_of, text_of_files
from evalcore.readers import KINDS, ReadProblem
from evalcore.reports import ReportSettings
from evalcore.reports.front import FIRST, cells_of
from evalcore.reports.of_labels import class_table
from evalcore.reports.parts import Table, enclosed, markdown_html, page, report_style
from evalcore.wording import count_text, escaped, number_text, one_line, rows_text, signed

__all__ = ["Document"]

_LIGHT, _DARK = (figures.ink(dark) for dark in (False, True))

_FOLDER = Path(__file__).parent

_WIDTH = 620
"""Of the picture of estimates, in its own pixels."""

_CORNERS = 50_000
"""Corners of the curves of queries that a view holds: a fifth of a megabyte."""


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

    def html(self, view: str = "") -> str:
        """The document, which tells the notebook of its line under the name of the view; of none without a name."""
        title = one_line(self.source.title, 120)
        facts = markdown_html(self.source.facts).replace("<p>", '<p class="facts">')
        note = f'<p class="note">{escaped(self.note)}</p>' if self.note else ""
        body = f'{facts}{markdown_html(self.verdict)}<div id="view">{self.body}</div>{note}'
        style = report_style() + self.style + text_of_files(str(_FOLDER / "frame.css"))
        return page(title, f"{title} · Evalcore", style, body, self.program, {"id": view, **self.data})

    def frame(self, view: str = "") -> str:
        """The document in a frame of its own, which runs its script and reaches nothing around it.

        It is as high as the view, narrow or wide, and light or dark like the notebook.
        """
        inside = self.html(view).replace("&", "&amp;").replace("'", "&#39;")
        name = escaped(f"Evalcore: {one_line(self.source.title, 120)}")
        look = f"display:block;width:100%;height:{self.height};border:0"
        return (
            f'<div class="evalcore-view" style="container-type:inline-size"><style>{_GROUND}</style>'
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

_GROUND = "".join(
    f":is({','.join(marks)}) .evalcore-view{{color-scheme:{ground}}}" for ground, marks in _GROUNDS.items()
)


def _height(wide: str, narrow: str, width: int) -> str:
    """Height from a width on, and below it, where it is higher."""
    return f"max({wide},min({narrow},({width}px - 100cqi)*9999))"


def _program(*files: str, show: str) -> str:
    """Script that draws with a component of these files, and follows the ground."""
    component = script_of(text_of_files(ELEMENT, PICTURE, *files))
    return enclosed(f"{component}\n{_frame_program(show)}")


def _frame_program(show: str) -> str:
    return f"{text_of_files(str(_FOLDER / 'frame.js'))}\n{show}()"


def document_of(source: analyses.Source, settings: ReportSettings) -> Document:
    """The view of classes, rankings or estimates. Raises ReadProblem for data that have none."""
    for part, make in (("classify/", _classes), ("retrieve/", _rankings), ("estimate/regression", _estimates)):
        if any(page.startswith(part) for page in KINDS[source.kind].pages):
            return make(source, settings)
    known = "scores, labels, counts, rankings and estimates"
    raise ReadProblem(
        f"There is no view of {KINDS[source.kind].title}, only of {known}. Write a report of them instead."
    )


_SQUARES = "calc(0.5*(clamp(290px,36cqi,410px) - 22px))", "min(50cqi - 13px,230px)"
"""How high the small curves are in a wide and in a narrow threshold view; see layout.js."""


def scores_document(
    scores: analyses.Scores, view: threshold_view.ThresholdView, chosen: analyses.ThresholdChoice, threshold: float
) -> Document:
    """The threshold view at a threshold, of the same program as the page and the report."""
    wide, narrow = (f"calc({high}px + {square})" for high, square in zip((590, 1120), _SQUARES, strict=True))
    data = threshold_view.view_alone(scores, threshold, view, chosen)
    still = f'<div class="still">{markdown_html(analyses.OperatingPoint(scores, threshold).headline)}</div>'
    program = enclosed(f"{threshold_view.alone_program()}\n{_frame_program('showLine')}")
    note = " ".join(threshold_view.hands_note(view, scores))
    return Document(scores.current, "", still, program, data, _height(wide, narrow, 700), note=note)


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
    drawn["alt"] = figures.matrix_description(k, look)
    inks = [{"palettes": picture["palettes"]} for picture in pictures]
    largest = 64 if k > 6 else 84 if k > 3 else 110
    height = f"calc(210px + min({largest * k}px,100cqi - 60px))" if k <= 20 else "680px"
    style, program = text_of_files(figures.CELLS_STYLE, CAMERA), _program(*figures.CELLS_SCRIPTS, show="showDrawn")
    return Document(
        source, verdict, figures.CELLS_ELEMENT, program, {"drawn": drawn, "inks": inks}, height, style
    )  # fmt: skip


def _rankings(source: analyses.Source, settings: ReportSettings) -> Document:
    """The curves of the queries beside the table of their measures."""
    rankings = settings.rankings_of(source)
    summary, hits = analyses.RankingSummary(rankings, _COLUMNS), rankings.hits()
    curves = figures.faint_curves(hits, rankings.level, most_corners=_CORNERS)
    queries, held = rankings.queries(), len(curves["places"])
    with_curve = int(np.count_nonzero(hits.relevant(rankings.level).retrieved))
    bands = figures.quantile_lines(hits, rankings.level)
    drawn = {"stamp": "", **figures.ranking_table(summary), "faint": curves, "bands": bands}
    worst = next((place for place, column in enumerate(summary.columns) if not column.is_count), -1)
    first = settings.query_of(rankings) if settings.query else queries[summary.first_query(worst, False)]
    selection = {
        "stamp": "", "picture": "precision–recall", "line": "interpolated", "distance": False, "rocs": [],
        "means": [figures.mean_lines(rankings)["levels"]], "selected": [{"place": queries.index(first)}],
        "sort": [worst, False],        "filter": "", "axes": ["recall", "precision"],
        "alt": f"Precision–recall curves of {count_text(len(queries))} queries",
    }  # fmt: skip
    data = {"drawn": drawn, "selection": selection, "inks": [figures.ranking_ink(one) for one in (_LIGHT, _DARK)]}
    rows = min(112 + 28 * len(queries), 500)
    height = _height(
        f"calc(110px + max({rows}px,min(35cqi,470px) + 90px))", f"calc({rows + 210}px + min(100cqi,470px))", 760
    )
    few = f"The view holds the curves of {count_text(held)} of {count_text(with_curve)} queries."
    style, body = text_of_files(figures.RANKING_STYLE, CAMERA), text_of_files(figures.RANKING_ELEMENT)
    program = _program(figures.RANKING_SCRIPT, show="showDrawn")
    return Document(source, summary.verdict, body, program, data, height, style, note=few if held < with_curve else "")


_COLUMNS = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k")


def _estimates(source: analyses.Source, settings: ReportSettings) -> Document:
    """Truth against estimate beside the measures, a point per row or the density of many."""
    estimates = analyses.EstimateRows.of(source)
    regression = analyses.Regression(estimates, analyses.ErrorSettings(level=settings.intervals.level))
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
    program = _program(str(_FOLDER / "cloud.js"), show="showDrawn")
    height = _height("calc(76px + max(400px,min(36cqi,490px)))", "calc(460px + min(65cqi,490px))", 700)
    return Document(
        source, regression.verdict, body, program, {"drawn": drawn, "inks": [{}, {}]}, height, text_of_files(CAMERA)
    )


def _point(truth: float, estimate: float) -> str:
    return f"truth {number_text(truth)}, estimate {number_text(estimate)}"
