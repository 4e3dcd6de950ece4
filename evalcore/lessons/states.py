"""The state of a page that a step shows: its picture, and what can be changed in it without a server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalcore import analyses
from evalcore.classification import ConfusionCounts, cost_goal, fall_out, recall
from evalcore.figures import (
    Ink,
    System,
    begun_figure,
    gains_figure,
    ink,
    marked_figure,
    ranked_figure,
    roc_figure,
    roc_points_figure,
    sets_figure,
    steps_figure,
)
from evalcore.figures.svg import svg_picture
from evalcore.learning import LectureProblem, Playground, Step
from evalcore.readers import KINDS, ReadProblem, kinds_giving, read_sample, read_table, samples
from evalcore.registry import PAGES
from evalcore.reports import live_view, markdown_html, without_links
from evalcore.wording import Cell, Row, count_text, escaped, html_table, one_line

__all__ = ["counts_of", "curve_steps_of", "has_picture", "picture_of", "settings_of", "state_html", "what_if"]

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
    """What shows the state of a page, in this order: the system, its list, a figure with its words, a table."""

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
        return StatePicture(system, figure=sets_figure(one.counts[system], colours), words=words, table=one.table)
    if step.page == "retrieve/ranking":
        rankings = _rankings(settings, folder)
        ranked = analyses.RankedList(rankings, rankings.queries()[0])
        figure = marked_figure(begun_figure(ranked_figure(ranked.curve, colours), step.shown), marks or {}, colours)
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
        figure = roc_points_figure(analyses.RocPoints.of(source), (), colours)
    else:
        scores = _scores(source)
        figure = roc_figure([System(one_line(scores.system, 28), 0, scores.table, chosen=True)], colours)
        if "t" in settings:
            counts = scores.counts_at(float(settings["t"]))
            marks = {f"threshold {settings['t']}": (float(fall_out(counts)), float(recall(counts))), **marks}
    names = ", ".join(f"{name} at {x:.0%} and {y:.0%}" for name, (x, y) in marks.items())
    figure = marked_figure(begun_figure(figure, step.shown), marks, colours)
    return StatePicture(figure=figure, words=f"ROC curve or points. {names}".strip(), is_square=True)


def _scores(source: analyses.Source) -> analyses.Scores:
    return analyses.Scores.of(source, source.system or source.dataset.systems[0])


def curve_steps_of(settings: Settings) -> analyses.CurveSteps:
    """The ROC curve of a state, row by row."""
    return analyses.CurveSteps.of_scores(_scores(_source(settings)))


def _graded(settings: Settings, step: Step, colours: Ink, folder: Path | None) -> tuple[analyses.GradedList, Any]:
    """The graded list of a state, and its gains by rank."""
    rankings = _rankings(settings, folder)
    gains = analyses.GainSettings(discount=settings.get("discount", "log"))
    graded = analyses.GradedList(rankings, rankings.queries()[0], gains)
    return graded, begun_figure(gains_figure(graded.ranks, colours, graded.length), step.shown)


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
        strip = html_table([], map(without_links, seen.ranked), "")
        text += f'<div class="ranked-list" tabindex="0">{strip}</div>'
    if seen.figure is not None:
        text += _figure(seen.figure, seen.words, name)
    if seen.table is not None:
        heads, rows = seen.table
        table = html_table(without_links(heads).cells, map(without_links, rows), "numbers")
        text += f'<div class="table" tabindex="0">{table}</div>'
    return text


def what_if(step: Step, name: str, folder: Path | None = None) -> dict[str, Any] | None:
    """What a reader can change in the state of a step's page, as data for the browser; None where there is nothing."""
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
    scores = _scores(source)
    if "gone" in settings:
        steps = analyses.CurveSteps.of_scores(scores)
        frames = []
        for gone, text in enumerate(("Nothing is taken yet. What will the curve do?", *steps.sentences)):
            picture = _figure(steps_figure(steps, gone, _LIGHT), f"The curve after {gone} rows", f"{name}g{gone}")
            frames.append([markdown_html(text), picture])
        start = min(int(settings["gone"]), len(frames) - 1)
        return {"kind": "frames", "label": "Rows", "start": start, "frames": frames}
    if not step.page_first and step.shown:  # the view would tell what the picture still hides
        return None
    threshold = float(settings["t"]) if "t" in settings else scores.starting_threshold
    view, overlay = live_view(scores, threshold)
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
