"""A lesson as one HTML file that needs no server: its steps for every drawing of their numbers, and what plays them."""

import base64
import json
import zlib
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from evalcore import learning
from evalcore.classification import ConfusionCounts
from evalcore.figures import OUTCOMES, Ink, ink, logo, threshold_view
from evalcore.figures.threshold_view import alone_program, text_of_files
from evalcore.learning import Lecture, LectureProblem, Part, Step
from evalcore.learning.stories import STORIES
from evalcore.lessons.states import state_html, what_if
from evalcore.readers import ReadProblem
from evalcore.registry import METRICS, PAGES
from evalcore.reports import embedded, enclosed, markdown_html, page_policy, report_style
from evalcore.wording import Cell, Row, escaped, html_table, one_line, outcome_word

__all__ = ["MARK", "colours_of", "compared_table", "lesson", "lesson_html", "measures_script", "open_lesson"]
__all__ += ["playground_data", "playground_lesson", "playground_program", "story_lesson"]

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
    words, script = escaped(lecture.title), _script(has_playground)
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
        inks = [{"colours": colours_of(ink(dark))} for dark in (False, True)]
        data |= {"inks": inks, "playground": playground_data() | own}
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{page_policy(script)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{words} · Evalcore lesson</title><style>{style}</style></head>"
        f'<body data-picture="svg" data-file="{words}"><header>{logo()}<b>{words}</b></header>'
        "<main><noscript><p>This lesson asks questions, so it needs JavaScript. Nothing is sent anywhere.</p>"
        f"</noscript></main>{embedded(json.loads(lecture.json()), 'lecture')}"
        f'<script type="text/plain" id="steps">{_packed(data)}</script><script>{script}</script></body></html>'
    )


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
    if isinstance(answer, learning.Number):
        return {"kind": "number", **vars(answer)}
    if isinstance(answer, learning.Choice):
        return {"kind": "choice", "options": [_inline(option) for option in answer.options], "solution": answer.index}
    if isinstance(answer, learning.Mark):
        return {"kind": "mark", **vars(answer), "solution": answer.solution}
    known = {name: value for name, value in vars(answer).items() if not callable(value)}
    highest = answer.highest if np.isfinite(answer.highest) else 1e300
    return {"kind": "values", **known, "highest": highest}


def colours_of(colours: Ink) -> dict[str, str]:
    """The colours of a theme that the playground draws with, by their names in its style sheet."""
    named = {name: getattr(colours, name) for name in ("text", "grey", "grid", "accent", "paper")}
    return named | OUTCOMES | {f"{cell}-word": colour for cell, colour in colours.words.items()}


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
        "presets": [{"name": one.name, "lists": one.playground.lists, "look": one.look} for one in learning.PRESETS],
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
