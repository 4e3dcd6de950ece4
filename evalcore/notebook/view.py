"""A view in a notebook: alive wherever its HTML is shown; with anywidget, Python and the hand move the same line.

Views are documents that need nothing else: the data that a program draws from, and the frame that shows them.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from evalcore import analyses, figures
from evalcore.classification import youden_goal
from evalcore.figures import threshold_view
from evalcore.figures.svg import picture_places, svg_picture
from evalcore.figures.threshold_view import CAMERA, ELEMENT, PICTURE, script_of, text_of_files
from evalcore.readers import KINDS, ReadProblem, kinds_giving
from evalcore.reports import ReportSettings
from evalcore.reports.chapters import COLUMNS, class_table
from evalcore.reports.front import FIRST, cells_of, plain_text
from evalcore.reports.parts import Table, markdown_html, page, report_style
from evalcore.wording import count_text, deflated, escaped, number_text, one_line, outcome_word, rows_text, signed

__all__ = ["Document", "ScoresView", "View", "show"]

_LIGHT, _DARK = (figures.ink(dark) for dark in (False, True))

_FOLDER = Path(__file__).parent

_WIDTH = 620  # of the picture of estimates, in its own pixels


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


_GROUND = (
    ".evalcore-still{display:none}"
    ":is([data-jp-theme-light=true],.vscode-light,[data-theme=light]) .evalcore-view{color-scheme:light}"
    ":is([data-jp-theme-light=false],.vscode-dark,[data-theme=dark],[theme=dark],.dark,.quarto-dark) "
    ".evalcore-view{color-scheme:dark}"
)
"""How JupyterLab, VS Code, Sphinx, Colab, marimo and Quarto mark their ground; a frame has that of its element."""


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


def _program(*files: str) -> str:
    """Script that draws with the component of some files and follows the ground."""
    return _framed(script_of(text_of_files(ELEMENT, PICTURE, *files)), "showDrawn")


def _framed(component: str, call: str) -> str:
    """The script of a frame: its data, its component and the function that shows them, without lines of comment."""
    text = f"{component}\n{text_of_files(str(_FOLDER / 'frame.js'))}\n{call}()"
    text = re.sub(r"^ *//.*\n", "", text, flags=re.MULTILINE)
    return f'"use strict";(async () => {{\n{text}\n}})()'


def _classes(source: analyses.Source, settings: ReportSettings) -> Document:
    """The matrix of classes, or of missed labels and those predicted in their place."""
    look = figures.Look(actual_in_rows=source.actual_in_rows)
    if source.has_labels:
        table = analyses.LabelGrid(analyses.LabelTable.of(source), True)
        drawing, verdict = (table.matrix.counts, table.shares, table.axes, True), table.table.verdict
        pictures = [figures.label_picture(*drawing, colours) for colours in (_LIGHT, _DARK)]
    else:
        table = class_table(source, settings)
        verdict = table.verdict(settings.intervals)
        pictures = [figures.matrix_picture(table.matrix, look, colours) for colours in (_LIGHT, _DARK)]
    k = len(table.classes)
    drawn = pictures[0] | figures.cell_names(table.classes, source.unit)
    drawn["scale"] = [end | {"words": end["palette"]} for end in drawn["scale"]]
    drawn["layers"] = drawn["layers"][: 1 if k > 400 else None]  # of so many classes cells tell their count alone
    drawn["alt"] = figures.matrix_description(k, look)
    inks = [{"palettes": picture["palettes"]} for picture in pictures]
    largest = 64 if k > 6 else 84 if k > 3 else 110
    longest = max(map(len, drawn["sides"][0]), default=0) * 7.2 + 6
    heads = 120 if longest < largest else min(round(longest) + 110, 210)
    height = f"calc({heads + 24}px + min({largest * k}px,100cqi - 76px))" if k <= 20 else "800px"
    style, program = text_of_files(figures.CELLS_STYLE, CAMERA), _program(*figures.CELLS_SCRIPTS)
    return Document(source, verdict, figures.CELLS_ELEMENT, program, {"drawn": drawn, "inks": inks}, height, style)


def _rankings(source: analyses.Source, settings: ReportSettings) -> Document:
    """The curves of the queries beside the table of their measures."""
    rankings = settings.rankings_of(source)
    queries, hits = rankings.queries(), rankings.hits()
    summary = analyses.RankingSummary(rankings, COLUMNS if len(queries) <= 4000 else COLUMNS[:-2])
    # So many corners make a fifth of a megabyte.
    curves = figures.faint_curves(hits, rankings.level, most_corners=50_000)
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
    program, height = _program(*figures.RANKING_SCRIPTS), _by_width(wide, (606, narrow))
    return Document(source, summary.verdict, body, program, data, height, style, few if held < with_curve else "")


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
            f"{one_line(estimates.line(row), 40)}: {_point(y, p)}, error {signed(number_text)(p - y)}"
            for row, (y, p) in pairs
        ]
    picture = svg_picture(figure, "Truth against estimate", _WIDTH, "cloud")
    rows = [line[:3] for line in map(cells_of, regression.rows()) if line[0].measure in FIRST["estimate/regression"]]
    table = Table("", heads=regression.heads[:3], rows=rows).html("")
    body = f'<div class="two"><div class="cloud">{picture}<div class="tip"></div></div>{table}</div>'
    drawn = {"x": np.round(x, 1).tolist(), "y": np.round(y, 1).tolist(), "words": words}
    program = _program(str(_FOLDER / "cloud.js"))
    steps = (800, "480px"), (700, "calc(330px + min(65cqi,490px))"), (500, "calc(440px + 65cqi)")
    height = _by_width("max(340px,calc(20px + min(36cqi,500px)))", *steps)
    data = {"drawn": drawn, "inks": [{}, {}]}
    return Document(source, regression.verdict, body, program, data, height, text_of_files(CAMERA))


def _point(truth: float, estimate: float) -> str:
    return f"truth {number_text(truth)}, estimate {number_text(estimate)}"


def show(source: analyses.Source, *, shake: bool = False, **settings: Any) -> "View":
    """The view of a data set in a notebook: it needs no server, no network and, once it is shown, no Python.

    Scores have the threshold view, labels and counts the matrix of their classes, rankings the curves of the queries
    beside their table, estimates truth against estimate.

    Parameters
    ----------
    source : evalcore.analyses.Source
        As `Source.of` makes it of a data set.
    shake : bool
        Whether a view of scores holds 30 samples like its rows, to see how far its numbers may be off: 2 to 90 kB.
    **settings
        Those of `evalcore.reports.ReportSettings`, such as ``threshold=0.4``, ``pins=[0.3, 0.5]`` or ``query="q1"``.

    Raises
    ------
    ReadProblem
        If there is no view of such data.
    TypeError
        If data without scores are to shake.

    Examples
    --------
    >>> from evalcore.readers import read_sample
    >>> view = show(analyses.Source.of(read_sample("roc_20")), threshold=0.54)
    >>> view.threshold, len(view.rows("missed"))
    (0.54, 5)
    """
    if source.kind in kinds_giving("scored") and source.scored_by != "class":
        return ScoresView(source, ReportSettings(**settings), shake)
    if shake:
        raise TypeError("shake=True needs scores.")
    return View(source, ReportSettings(**settings))


class View:
    """A data set in a notebook: text in a terminal, else HTML that stays alive in saved and exported files."""

    def __init__(self, source: analyses.Source, settings: ReportSettings) -> None:
        self.source = source
        self._settings = settings
        self._text = self.document.text  # and what the data have no view for is told now

    @cached_property
    def document(self) -> Document:
        """The view as a document of HTML. Raises ReadProblem for data that have none."""
        kind = KINDS[self.source.kind]
        for part, make in (("classify/", _classes), ("retrieve/", _rankings), ("estimate/regression", _estimates)):
            if any(page.startswith(part) for page in kind.pages):
                return make(self.source, self._settings)
        known = "scores, labels, counts, rankings and estimates"
        raise ReadProblem(f"There is no view of {kind.title}, only of {known}. Write a report instead.")

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self.document.frame()

    def save(self, path: str | Path) -> Path:
        """Write the view as one file of HTML that opens from disk, and return its path."""
        (file := Path(path)).write_text(self.document.html(), encoding="utf-8")
        return file

    @property
    def threshold(self) -> float:
        """The threshold at which the line stands. Raises AttributeError for data without scores."""
        raise AttributeError(f"A view of {KINDS[self.source.kind].title} has no threshold; scores have one.")

    def rows(self, outcome: str | tuple[float, float]) -> Any:
        """The rows of an outcome at the threshold. Raises AttributeError for data without scores."""
        return self.threshold


class ScoresView(View):
    """The threshold view. With anywidget, `threshold` is where its line stands; without, where each display starts."""

    def __init__(self, source: analyses.Source, settings: ReportSettings, shake: bool = False) -> None:
        self._id = uuid4().hex
        self._scores = analyses.Scores.of(source)
        self._threshold = float(settings.threshold_of(self._scores))
        self._pins = analyses.pinned(self._scores, settings.pins)
        self._chosen = settings.chosen or analyses.best_threshold(self._scores, youden_goal())
        drawing, prices, plan = threshold_view.Drawing(), self._chosen.goal.priced, analyses.ResamplingPlan()
        self._view = threshold_view.make_threshold_view(self._scores, drawing, settings.intervals, prices)
        self._shaking = threshold_view.shaking_of(self._view, self._chosen, plan) if shake else None
        super().__init__(source, settings)

    @property
    def document(self) -> Document:
        """The threshold view with its line at the current threshold, of the same program as the page and the report."""
        scores, threshold, view, pins = self._scores, self._threshold, self._view, self._pins
        # How high layout.js makes it, with both small curves as squares; with pins measures have lines each on a phone.
        wide = "calc(490px + 0.5*(clamp(290px,36cqi - 6px,410px) - 22px))"
        narrow = f"calc({1084 if pins else 1048}px + min(50cqi - 21px,230px))"
        data = threshold_view.view_alone(scores, threshold, view, self._chosen, pins, self._shaking)
        headline = f"**{analyses.OperatingPoint(scores, threshold).headline}**"
        program, note = _framed(threshold_view.alone_program(), "showLine"), threshold_view.hands_note(view, scores)
        height = _by_width(wide, (646, narrow))
        return Document(scores.current, headline, "", program, data, height, note=" ".join(note), moves=True)

    def __repr__(self) -> str:
        return self.document.text

    def _repr_html_(self) -> str:
        _ = self._model  # hears the frame as soon as it is there
        return self.document.frame(self._id)

    @property
    def threshold(self) -> float:
        """The threshold at which the line stands; set, it moves the line."""
        return self._threshold

    @threshold.setter
    def threshold(self, value: float) -> None:
        if math.isnan(value := float(value)):
            raise ValueError("threshold=nan is no place for the line. Give a number.")
        self._threshold = value
        if (model := self.__dict__.get("_model")) is not None:
            with model.hold_sync():
                model.stop, model.now = -1, self._row

    @property
    def _row(self) -> dict:
        pin = self._pins[0].counts if self._pins else None
        return threshold_view.current_row(self._scores, self._threshold, self._view, neighbours=False, pin=pin)

    def rows(self, outcome: str | tuple[float, float]) -> Any:
        """The rows of an outcome at the current threshold, or between two scores, as a part of the table.

        The outcome is "found", "missed", "false alarms" or "correct rejections"; TP, FN, FP or TN. Two scores, such as
        ``(0.4, 0.6)``, are both included. Raises ValueError for another outcome, and ReadProblem for a table that was
        counted and not loaded.
        """
        if isinstance(outcome, str) and outcome.lower() not in _OUTCOMES:
            raise ValueError(f"outcome={outcome!r} is not one of {', '.join(map(repr, _OUTCOMES))}.")
        if self.source.dataset.unloaded is not None:
            raise ReadProblem("This table was counted and not loaded, so the view does not have its rows.")
        if not isinstance(outcome, str):
            return self.source.frame.iloc[analyses.rows_between_scores(self._scores, *outcome).rows]
        named = analyses.NamedCounts.at(self._scores, self._threshold)
        return self.source.frame.iloc[named.rows_by_outcome()[_OUTCOMES[outcome.lower()]]]

    @cached_property
    def _model(self) -> Any:
        """The end of the view in the notebook, which follows the hand; None without anywidget."""
        model = _new_model(self._id, self._row)
        if model is not None:
            model.observe(self._hear, "stop")
        return model

    def _hear(self, change: Any) -> None:
        """The line has been left at one of the thresholds of the view."""
        if 0 <= change["new"] < len(self._view.thresholds):
            self._threshold = float(self._view.thresholds[change["new"]])

    @property
    def widget(self) -> Any:
        """The view as a widget of anywidget, for marimo, Colab and others that keep widgets and HTML apart.

        Raises ModuleNotFoundError without anywidget.
        """
        if self._model is None:
            raise ModuleNotFoundError('The widget needs anywidget: pip install "evalcore[notebook]".', name="anywidget")
        self._model.frame = self.document.frame(self._id)
        return self._model


_OUTCOMES = {outcome_word(cell, 2): cell for cell in ("tp", "fn", "fp", "tn")} | {"correct rejections": "tn"}
_OUTCOMES |= {cell: cell for cell in analyses.CELLS}


def _new_model(view: str, row: dict) -> Any:
    """The end in the notebook of the view of this name, with the numbers at its threshold; None without anywidget."""
    return _model_class()(view=view, now=row) if find_spec("anywidget") else None


@cache
def _model_class() -> type:
    anywidget, traitlets = map(import_module, ("anywidget", "traitlets"))

    class Threshold(anywidget.AnyWidget):
        """The threshold of a view between its frames and Python."""

        _esm = (_FOLDER / "widget.js").read_text(encoding="utf-8")
        view = traitlets.Unicode().tag(sync=True)  # its name, which its frames know too
        stop = traitlets.Int(-1).tag(sync=True)  # where the hand has left the line; −1 where Python has put it
        now = traitlets.Dict().tag(sync=True)  # the numbers at the threshold that Python has set
        frame = traitlets.Unicode().tag(sync=True)  # its HTML, where the widget itself shows it

    return Threshold
