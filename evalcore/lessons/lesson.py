"""A lesson as one HTML file that needs no server: its steps for every drawing of their numbers, and what plays them.

A step shows the state of a page as its picture, and what can be changed in it without a server.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from evalcore import analyses, figures, learning
from evalcore.classification import ConfusionCounts, cost_goal, fall_out, recall
from evalcore.figures import OUTCOMES, Ink, ink, threshold_view
from evalcore.figures.svg import svg_picture
from evalcore.figures.threshold_view import alone_program, text_of_files
from evalcore.learning import Lecture, LectureProblem, Part, Playground, Step
from evalcore.learning.stories import STORIES
from evalcore.readers import KINDS, ReadProblem, kinds_giving, read_sample, read_table, samples
from evalcore.registry import METRICS, PAGES
from evalcore.reports import embedded, enclosed, live_view, markdown_html, page, report_style, without_links
from evalcore.wording import Cell, Row, count_text, escaped, html_table, one_line, outcome_word

__all__ = ["MARK", "compared_table", "counts_of", "curve_steps_of", "has_picture", "lesson"]
__all__ += ["lesson_html", "measures_script", "open_lesson", "picture_of", "playground_data", "playground_lesson"]
__all__ += ["playground_program", "settings_of", "state_html", "story_lesson", "what_if"]

MEASURES = (
    *("recall", "specificity", "precision", "negative_predictive_value", "accuracy", "prevalence", "f_beta"),
    *("balanced_accuracy", "cohen_kappa", "fall_out"),
)
"""The measures of four counts that the browser computes."""

_FOLDER = Path(__file__).parent
MARK = str(_FOLDER / "mark.js")
"""A plane on which a mark is put."""


def playground_lesson(playground: learning.Playground | None = None) -> Lecture:
    """The playground as a lecture, with its first settings or others."""
    settings = {"play": "!".join("~".join(part) for part in playground.lists)} if playground else {}
    return Lecture("Playground", (Part("Playground", "What makes a curve?", "learn/playground", settings),))


def story_lesson(id: str) -> Lecture:
    """A story as a lecture."""
    return Lecture(STORIES[id].title, (Part(story=id),))


def lesson(name: str | Path, output: str | Path | None = None) -> Path:
    """Write a lesson, a story, the playground or the lecture of a file as one HTML file, and return its path.

    Parameters
    ----------
    name
        One of `LESSONS` or `STORIES`, "playground", or a lecture's file: Markdown, or the JSON that *Compose* writes.
        Files of data that its steps name lie beside it.
    output
        The file to write; by default the name with the ending .html.

    Raises
    ------
    LectureProblem
        With a sentence, where there is no such lesson or its file cannot be read.
    """
    lecture, folder = open_lesson(name)
    path = Path(output) if output else Path(Path(name).name).with_suffix(".html")
    written = lesson_html(lecture, folder).encode(errors="xmlcharrefreplace")
    if len(written) > 2_000_000:
        size = f"This lesson would take {len(written) / 1e6:.1f} MB, and a file has at most 2."
        raise LectureProblem(f"{size} Show fewer large data sets.")
    path.write_bytes(written)
    return path


def open_lesson(name: str | Path) -> tuple[Lecture, Path | None]:
    """The lecture of a name or a file, and the folder of its data. Raises LectureProblem."""
    path, id = Path(name), str(name)
    if id in learning.LESSONS:
        return learning.LESSONS[id], None
    if id in STORIES or id == "playground":
        return (story_lesson(id) if id in STORIES else playground_lesson()), None
    if not path.is_file():
        known = ", ".join([*learning.LESSONS, *STORIES, "playground"])
        raise LectureProblem(f"There is no lesson and no file {one_line(name)}. The lessons are {known}.")
    lecture = learning.lecture_of_file(path.read_text(encoding="utf-8-sig", errors="replace"))
    if not lecture.parts:
        raise LectureProblem("This lesson has no step. Begin one with a line of ## and its title.")
    return lecture, path.parent


def lesson_html(lecture: Lecture, folder: Path | None = None) -> str:
    """A lecture as one HTML file; the data of its own steps are samples, or lie in a folder. Raises LectureProblem."""
    has_playground = any(part.page == "learn/playground" for part in lecture.parts)
    style = report_style() + text_of_files(str(_FOLDER / "lesson.css"))
    data = {
        "title": lecture.title,
        "digest": lecture.digest,
        "variants": learning.VARIANTS,
        "parts": [_part(part, index, folder) for index, part in enumerate(lecture.parts)],
        "measures": {key: [METRICS[key].short, METRICS[key].percent] for key in MEASURES},
        "shown": MEASURES[:7],  # beside a table that a reader changes
        "limits": f"{learning.RECEIPT_LIMITS} {_OPEN}",
    }
    if has_playground:
        own = {"style": playground_program()[1] + text_of_files(threshold_view.CAMERA)}
        inks = [threshold_view.view_ink(ink(dark), 0, False) for dark in (False, True)]
        data |= {"inks": inks, "playground": playground_data() | own}
    body = (
        f"<header>{figures.logo()}<b>{escaped(lecture.title)}</b></header>"
        "<main><noscript><p>This lesson asks questions, so it needs JavaScript. Nothing is sent anywhere.</p>"
        f"</noscript></main>{embedded(json.loads(lecture.json()), 'lecture')}"
        f'<script type="text/plain" id="steps">{_packed(data)}</script>'
    )
    return page(lecture.title, f"{lecture.title} · Evalcore lesson", style, body, _script(has_playground))


_OPEN = (
    "This file holds its answers, which its source shows. Lecturers verify receipts in Evalcore: on the page Lecture, "
    "open this file and choose Verify receipts."
)


def _packed(data: object) -> str:
    """JSON, deflated: variants of one text are nearly alike."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=float, allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 9, wbits=-15)).decode()


def _part(part: Part, index: int, folder: Path | None) -> dict[str, Any]:
    """The steps of a part: the questions drawn under each seed from 0, and the pictures, which are the same for all."""
    names = [f"s{index}-{place}" for place in range(len(part.steps()))]
    if part.challenge:
        return {**_challenge_asked(part.challenge), "shown": [{"name": name} for name in names]}
    shown = [_shown(step, name, folder) for step, name in zip(part.steps(), names, strict=True)]
    return {**_drawn(part), "shown": shown}


@lru_cache(maxsize=8)
def _challenge_asked(id: str) -> dict[str, Any]:
    return _drawn(Part(challenge=id))


def _drawn(part: Part) -> dict[str, Any]:
    """The different steps of a part, and for each seed from 0 which it is."""
    asked, places, which = list[Any](), dict[str, int](), list[int]()
    for seed in range(learning.VARIANTS + 1 if part.challenge or part.drawn or part.options else 1):
        steps = [_asked(step, bool(part.challenge)) for step in part.steps(seed)]
        place = places.setdefault(json.dumps(steps, default=float), len(places))
        which.append(place)
        if place == len(asked):
            asked.append(steps)
    return {"which": which, "asked": asked}


def _asked(step: Step, is_challenge: bool) -> dict[str, Any]:
    """The drawn texts of a step, its question with the answer, and the table of a challenge."""
    asked: dict[str, Any] = {"title": _inline(step.title), "text": markdown_html(step.text)}
    if is_challenge and "cells" in step.settings:
        asked["whatIf"] = what_if(step, "")
    return asked | {"question": _question(step.question)} if step.question else asked


def _shown(step: Step, name: str, folder: Path | None) -> dict[str, Any]:
    """The picture of a step, what can be changed in it, and what it teaches; the same under every seed."""
    lesson = markdown_html(f"**What it teaches.** {step.lesson}") if step.lesson else ""
    try:
        seen: dict[str, Any] = {"whatIf": what_if(step, name, folder)}
        # The view of a threshold is folded below the curve that a question was about.
        if not seen["whatIf"] or (seen["whatIf"]["kind"] == "view" and not step.page_first):
            seen["picture"] = state_html(step, name, folder)
    except (ReadProblem, ValueError, KeyError) as problem:
        if folder:
            is_told = isinstance(problem, (ReadProblem, LectureProblem))
            words = problem if is_told else f"its page has no settings such as {urlencode(step.settings)}."
            raise LectureProblem(f"Step “{step.title}”: {words}") from problem
        seen = {}
    if step.page_first and step.page in PAGES and not any(seen.values()):
        words = f"This step is about the page {PAGES[step.page].title} of Evalcore, which this file does not hold."
        seen = {"picture": f'<p class="grey">{words}</p>'}
    table = html_table(*compared_table(step.comparisons), "numbers") if step.comparisons else ""
    after = f'<div class="table compared">{table}</div>{lesson}'
    shown = {"first": step.page_first, "name": name, **seen, "after": after if table else lesson}
    return {key: value for key, value in shown.items() if value}


def compared_table(comparisons: Sequence[learning.Comparison]) -> tuple[list[str], list[Row]]:
    """Printed figures beside those computed here: headings and rows."""
    rows: list[Row] = []
    for one in comparisons:
        rows.append(Row([one.name, one.printed, Cell(one.ours, strong=True)]))
        if one.erratum:
            rows.append(Row([Cell(f"Erratum: {one.erratum}", span=3)], "erratum"))
    return ["", "printed", "computed here"], rows


def _inline(text: str) -> str:
    return markdown_html(text).removeprefix("<p>").removesuffix("</p>")


def _question(question: learning.Question) -> dict[str, Any]:
    has_rule = isinstance(question.answer, learning.Values) and question.answer.rule
    wrong = [
        [{"code": one.code} if has_rule else vars(one.betrayed_by), _inline(one.hint)]
        for one in question.misconceptions
        if has_rule or one.example == one.example  # an undefined number is no answer
    ]
    texts = {"text": markdown_html(question.text), "solution": _inline(question.solution)}
    return texts | {"answer": _answer(question.answer), "wrong": wrong}


def _answer(answer: Any) -> dict[str, Any]:
    known = {name: value for name, value in vars(answer).items() if not callable(value)}
    written = {"kind": type(answer).__name__.lower(), **known}
    if isinstance(answer, learning.Choice):
        written["options"] = [_inline(option) for option in answer.options]
    if isinstance(answer, learning.Values):
        written["highest"] = min(answer.highest, 1e300)
    return written


class _Term(NDArrayOperatorsMixin):
    """A term over four counts that a measure builds where it would compute a number."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __array_ufunc__(self, ufunc: np.ufunc, _: str, *terms: Any) -> "_Term":
        texts = [one.text if isinstance(one, _Term) else repr(float(one)) for one in terms]
        signs = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
        return _Term(f"({signs[ufunc.__name__].join(texts)})")


@cache
def measures_script() -> str:
    """JavaScript of the measures of four counts, as their definitions in Python build them from named terms."""
    counts: Any = object.__new__(ConfusionCounts)
    for cell in ("tp", "fp", "fn", "tn", "_clusters", "_moments"):
        object.__setattr__(counts, cell, None if cell.startswith("_") else _Term(cell))
    lines = (f"{key}: ([tp, fp, fn, tn]) => {METRICS[key](counts).text}," for key in MEASURES)
    return "const MEASURES = {\n" + "\n".join(lines) + "\n}\n"


@cache
def playground_program() -> tuple[str, str]:
    """JavaScript module of the playground, which exports the function of its component, and its style sheet."""
    folder = _FOLDER / "playground"
    style = text_of_files(threshold_view.THRESHOLD_STYLE, str(folder / "playground.css"))
    own = (str(folder / f"{part}.js") for part in ("model", "surface", "controls", "main"))
    program = text_of_files(threshold_view.ELEMENT, threshold_view.PICTURE, *threshold_view.THRESHOLD, *own)
    return f"{program}\nconst STYLE = {json.dumps(style)}\n", style


def playground_data() -> dict[str, Any]:
    """Limits, presets, words and measures of the playground, for its script."""
    return {
        "limits": learning.LIMITS,
        "presets": [{"name": name, "lists": one.lists, "look": look} for name, (one, look) in learning.PRESETS.items()],
        "words": {cell: [outcome_word(cell, count) for count in (1, 2)] for cell in OUTCOMES},
        "measures": ("roc_auc", "average_precision", "recall", "fall_out", "precision", "f_beta"),  # in their order
    }


@cache
def _script(has_playground: bool) -> str:
    mark = text_of_files(MARK).replace("export default", "return")
    files = "".join(text_of_files(str(_FOLDER / f"{name}.js")) for name in ("judge", "what_ifs", "player"))
    files = f"const drawMark = (() => {{\n{mark}}})()\n{files}"
    if has_playground:
        program = playground_program()[0].replace("export default", "return")
        files = f"const drawPlayground = (() => {{\n{program}}})()\n{files}"
    return enclosed(f"{alone_program()}\n{enclosed(measures_script() + files)}")


Settings = Mapping[str, str]
Marks = Mapping[str, Sequence[float]]

_LIGHT = ink(dark=False)
_DISCOUNTS = {"log": "1/log(i + 1)", "original": "original", "none": "none"}


def settings_of(step: Step) -> dict[str, str]:
    """The settings of a step's sample and its own."""
    sample = samples().get(step.settings.get("data", ""))
    return {**(sample.settings if sample else {}), **step.settings}


def _source(settings: Settings, folder: Path | None = None) -> analyses.Source:
    """The data of a state: a sample, or a file in a folder. Raises LectureProblem where it is neither."""
    name = settings.get("data", "")
    if name in samples():
        return analyses.Source.of(read_sample(name), settings.get("system"), name)
    path = folder / name if folder and name and Path(name).name == name else None
    if path is None or not path.is_file():
        raise LectureProblem(f"There is no sample and no file beside the lesson with the name {one_line(name)}.")
    try:
        return analyses.Source.of(read_table(path), settings.get("system"))
    except ReadProblem as problem:
        raise LectureProblem(f"{one_line(name)}: {problem}") from problem


def has_picture(step: Step, settings: Settings) -> bool:
    """Whether a step's page is drawn beside its question: it tells the answer, or is a curve that is gone through."""
    sample = samples().get(settings.get("data", ""))
    if step.page_first or step.shows_example:
        return step.page == "classify/curves" and "gone" in settings and sample is not None and sample.kind == "scores"
    return step.page in _STATES and (sample is not None or "cells" in settings)


def _rankings(settings: Settings, folder: Path | None) -> analyses.Rankings:
    source = _source(settings, folder)
    return analyses.Rankings(source, source.system or source.dataset.systems[0])


def counts_of(settings: Settings, folder: Path | None = None) -> analyses.NamedCounts:
    """The 2×2 table of a state: as it was counted, or as people of the population that the state asks about."""
    if "cells" in settings:
        return analyses.NamedCounts(ConfusionCounts(*map(float, settings["cells"].split(","))))
    named = analyses.NamedCounts.of_class(_source(settings, folder), lambda _, start: settings.get("class", start))
    if "prevalence" not in settings:
        return named
    population = analyses.population_of(named, float(settings["prevalence"]))
    return named if population is None else replace(named, counts=population.people, pairs=None)


@dataclass(frozen=True)
class StatePicture:
    """Picture of the state of a page: from top to bottom the system, its list, a figure with its words, a table."""

    system: str = ""
    ranked: Sequence[Row] = ()
    figure: Any = None
    words: str = ""
    is_square: bool = False
    table: tuple[Sequence[Cell | str], Sequence[Any]] | None = None


def picture_of(
    step: Step, settings: Settings, colours: Ink, marks: Marks | None = None, folder: Path | None = None
) -> StatePicture:
    """The picture of a step's state, with named marks on its plane; empty for a page whose state is no picture."""
    if step.page == "classify/classes":
        return StatePicture(table=_matrix_table(_source(settings, folder)))
    if step.page in ("classify/threshold", "classify/curves") and "gone" not in settings:
        return _roc_picture(_source(settings, folder), settings, marks or {}, step, colours)
    if step.page == "retrieve/sets":
        rankings = _rankings(settings, folder)
        system = rankings.system
        other = next((name for name in rankings.systems if name != system), None)
        sets = analyses.RetrievedSets(rankings, other, beta=float(settings.get("set_beta", 1)))
        one = analyses.QuerySets(sets, rankings.queries()[0])
        words = f"Retrieved and relevant documents: {one.outcomes(system)}"
        figure = figures.sets_figure(one.counts[system], colours)
        return StatePicture(system, figure=figure, words=words, table=one.table)
    if step.page == "retrieve/ranking":
        rankings = _rankings(settings, folder)
        ranked = analyses.RankedList(rankings, rankings.queries()[0])
        figure = figures.begun_figure(figures.ranked_figure(ranked.curve, colours), step.shown)
        figure = figures.marked_figure(figure, marks or {}, colours)
        return StatePicture("", ranked.strip(60), figure, "Precision over recall by rank", is_square=True)
    if step.page == "retrieve/graded":
        return StatePicture(figure=_graded(settings, step, colours, folder)[1], words="Gains by rank")
    return StatePicture()


def _matrix_table(source: analyses.Source) -> tuple[list[str], list[list[Cell | str]]]:
    """The counts of several classes as a table: its headings and its rows."""
    matrix = source.dataset.matrix()
    rows, columns = ("actual", "called") if source.actual_in_rows else ("called", "actual")
    counts = matrix.counts if source.actual_in_rows else matrix.counts.T
    lines = zip(matrix.classes, counts.tolist(), strict=True)
    heads = ["", *(f"{columns} {one_line(name, 30)}" for name in matrix.classes)]
    return heads, [[Cell(f"{rows} {one_line(name, 30)}", heading=True), *map(count_text, line)] for name, line in lines]


def _roc_picture(source: analyses.Source, settings: Settings, marks: Marks, step: Step, colours: Ink) -> StatePicture:
    """The ROC curve of a state, or its points, with named marks."""
    if source.kind == "counts":
        figure = figures.roc_points_figure(analyses.RocPoints.of(source), (), colours)
    else:
        scores = analyses.Scores.of(source)
        alone = figures.System(one_line(scores.system, 28), 0, scores.table, chosen=True)
        figure = figures.roc_figure([alone], colours)
        if "t" in settings:
            counts = scores.counts_at(float(settings["t"]))
            marks = {f"threshold {settings['t']}": (float(fall_out(counts)), float(recall(counts))), **marks}
    names = ", ".join(f"{name} at {x:.0%} and {y:.0%}" for name, (x, y) in marks.items())
    figure = figures.marked_figure(figures.begun_figure(figure, step.shown), marks, colours)
    return StatePicture(figure=figure, words=f"ROC curve or points. {names}".strip(), is_square=True)


def curve_steps_of(settings: Settings) -> analyses.CurveSteps:
    """The ROC curve of a state, row by row."""
    return analyses.CurveSteps.of_scores(analyses.Scores.of(_source(settings)))


def _graded(settings: Settings, step: Step, colours: Ink, folder: Path | None) -> tuple[analyses.GradedList, Any]:
    """The graded list of a state, and its gains by rank."""
    rankings = _rankings(settings, folder)
    gains = analyses.GainSettings(discount=settings.get("discount", "log"))
    graded = analyses.GradedList(rankings, rankings.queries()[0], gains)
    return graded, figures.begun_figure(figures.gains_figure(graded.ranks, colours, graded.length), step.shown)


_STATES = (
    *("classify/confusion", "classify/classes", "classify/threshold", "classify/curves"),
    *("retrieve/sets", "retrieve/ranking", "retrieve/graded"),
)
"""Pages whose state has a picture."""


def _has_state(step: Step, settings: Settings, folder: Path | None) -> bool:
    """Whether a file can show the state of a step's page. Raises LectureProblem where a file in the folder has none."""
    is_known = "cells" in settings or settings.get("data") in samples()
    if step.page not in _STATES or not (is_known or ("data" in settings and folder)):
        return False
    if not is_known:
        _check_kind(step.page, _source(settings, folder))
    return step.page_first or not step.shows_example


def _check_kind(page: str, source: analyses.Source) -> None:
    """Raise LectureProblem for a table of a kind that a page cannot show."""
    kinds = PAGES[page].kinds
    if source.kind in kinds or (source.kind == "counts" and page in ("classify/threshold", "classify/curves")):
        return
    first = next(kind for name, kind in KINDS.items() if name in kinds)
    raise LectureProblem(
        f"{one_line(source.id)} has no {first.title}, which the page "
        f"{PAGES[page].title} needs; it holds {KINDS[source.kind].title}. Name its columns or choose another file."
    )


def _figure(figure: Any, words: str, name: str) -> str:
    return f"<figure>{svg_picture(figure, words, 420, name)}</figure>"


def state_html(step: Step, name: str, folder: Path | None = None) -> str:
    """The picture of a step's state as HTML; ids in it begin with the name."""
    settings = settings_of(step)
    if not _has_state(step, settings, folder):
        return ""
    seen = picture_of(step, settings, _LIGHT, folder=folder)
    text = f"<p><b>{escaped(seen.system)}</b></p>" if seen.system else ""
    if seen.ranked:
        text += f'<div class="ranked-list" tabindex="0">{html_table([], map(without_links, seen.ranked), "")}</div>'
    if seen.figure is not None:
        text += _figure(seen.figure, seen.words, name)
    if seen.table is not None:
        heads, rows = seen.table
        table = html_table(without_links(heads).cells, map(without_links, rows), "numbers")
        text += f'<div class="table" tabindex="0">{table}</div>'
    return text


def what_if(step: Step, name: str, folder: Path | None = None) -> dict[str, Any] | None:
    """Data for the browser on which a reader varies the state of a step's page; None where nothing can be varied."""
    settings = settings_of(step)
    if step.page == "learn/playground":
        lists = [part.split("~") for part in settings["play"].split("!")] if "play" in settings else Playground().lists
        return {"kind": "playground", "lists": Playground.of(lists).lists}
    if not _has_state(step, settings, folder):
        return None
    if step.page == "classify/classes" and "class" not in settings:
        if not step.page_first:  # the averages would answer the next question
            return None
        matrix = _source(settings, folder).dataset.matrix()
        names = [one_line(name, 30) for name in matrix.classes]
        return {"kind": "classes", "names": names, "counts": matrix.counts.tolist()}
    if step.page in ("classify/confusion", "classify/classes"):
        named = counts_of(settings, folder)
        cells = [float(cell) for cell in (named.counts.tp, named.counts.fp, named.counts.fn, named.counts.tn)]
        names = [one_line(one, 30) for one in (named.positive, named.negative)]
        asks = step.page_first and step.question is not None
        return {"kind": "counts", "cells": cells, "names": names, "measure": step.measure, "asks": asks}
    if step.page in ("classify/threshold", "classify/curves"):
        return _scores_what_if(step, settings, name, folder)
    if step.page == "retrieve/graded" and (step.page_first or not step.shown):
        return _discounts(step, settings, name, folder)
    return None


def _scores_what_if(step: Step, settings: Settings, name: str, folder: Path | None) -> dict[str, Any] | None:
    source = _source(settings, folder)
    if source.kind not in kinds_giving("scored"):
        return None
    scores = analyses.Scores.of(source)
    if "gone" in settings:
        steps = analyses.CurveSteps.of_scores(scores)
        frames = []
        for gone, text in enumerate(("Nothing is taken yet. What will the curve do?", *steps.sentences)):
            figure = figures.steps_figure(steps, gone, _LIGHT)
            picture = _figure(figure, f"The curve after {gone} rows", f"{name}g{gone}")
            frames.append([markdown_html(text), picture])
        start = min(int(settings["gone"]), len(frames) - 1)
        return {"kind": "frames", "label": "Rows", "start": start, "frames": frames}
    if not step.page_first and step.shown:  # the view would tell what the picture still hides
        return None
    view, overlay = live_view(scores, float(settings["t"]) if "t" in settings else scores.starting_threshold)
    if settings.get("goal") == "Lowest cost":
        view["over"], _ = overlay(cost_goal())
    return {"kind": "view", "data": view}


def _discounts(step: Step, settings: Settings, name: str, folder: Path | None) -> dict[str, Any]:
    frames, start = [], list(_DISCOUNTS).index(settings.get("discount", "log"))
    for discount, words in _DISCOUNTS.items():
        graded, figure = _graded({**settings, "discount": discount}, replace(step, shown={}), _LIGHT, folder)
        picture = _figure(figure, f"Gains by rank, discount {words}", name + discount)
        frames.append([markdown_html(graded.verdict), picture])
    names = [*_DISCOUNTS.values()]
    return {"kind": "frames", "label": "Discount of rank i", "start": start, "frames": frames, "names": names}
