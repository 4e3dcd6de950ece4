"""The picture of a page's state beside a question: the page's own figures, of the sample and settings of its link."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from evalcore import analyses, figures
from evalcore.classification import ConfusionCounts, fall_out, recall
from evalcore.inference import IntervalChoice
from evalcore.learning import Step
from evalcore.readers import read_sample, samples
from evalcore.wording import Cell, count_text, html_table, plain
from pages.widgets.classify.confusion.confusion import show_counts
from pages.widgets.display.figure import page_ink, show_figure, show_table
from pages.widgets.display.measures import go_through

Settings = Mapping[str, str]
Marks = Mapping[str, Sequence[float]]


def show_state(step: Step, settings: Settings, key: str, marks: Marks) -> None:
    """Draw the state of a step's page: with named marks on a plane, a ratio lit up in a 2×2 table."""
    _PICTURES[step.page](settings, key, marks, step)


def has_picture(step: Step, settings: Settings) -> bool:
    """Whether the state of a step's page is drawn here: it tells the answer, or is a curve that is gone through."""
    sample = samples().get(settings.get("data", ""))
    if step.page_first or step.shows_example:
        return step.page == "classify/curves" and "gone" in settings and sample is not None and sample.kind == "scores"
    return step.page in _PICTURES and (sample is not None or "cells" in settings)


def _source(settings: Settings) -> analyses.Source:
    return analyses.Source.of(read_sample(settings["data"]), settings.get("system"), settings["data"])


def _rankings(settings: Settings) -> analyses.Rankings:
    source = _source(settings)
    return analyses.Rankings(source, source.system or source.dataset.systems[0])


def counts_of(settings: Settings) -> analyses.NamedCounts:
    """The 2×2 table of a state: as it was counted, or as people of the population that the state asks about."""
    if "cells" in settings:
        return analyses.NamedCounts(ConfusionCounts(*map(float, settings["cells"].split(","))))
    named = analyses.NamedCounts.of_class(_source(settings), lambda classes, start: settings.get("class", start))
    if "prevalence" not in settings:
        return named
    population = analyses.population_of(named, float(settings["prevalence"]))
    return named if population is None else replace(named, counts=population.people, pairs=None)


def _show_counts(settings: Settings, key: str, _: Marks, step: Step) -> None:
    show_counts(counts_of(settings), IntervalChoice(), False, key=f"state-{key}", fixed=True, chosen=step.measure)


def _show_classes(settings: Settings, key: str, marks: Marks, step: Step) -> None:
    source = _source(settings)
    matrix = source.dataset.matrix()
    rows, columns = ("actual", "called") if source.actual_in_rows else ("called", "actual")
    counts = matrix.counts if source.actual_in_rows else matrix.counts.T
    lines = [
        [Cell(f"{rows} {name}", heading=True), *map(count_text, line)]
        for name, line in zip(matrix.classes, counts.tolist(), strict=True)
    ]
    show_table(["", *(f"{columns} {name}" for name in matrix.classes)], lines)
    if "class" in settings:
        st.caption(f"{settings['class']} against the rest:")
        _show_counts(settings, key, marks, step)


def _show_roc(settings: Settings, key: str, marks: Marks, step: Step) -> None:
    source = _source(settings)
    if source.kind == "counts":
        figure = figures.roc_points_figure(analyses.RocPoints.of(source), (), page_ink())
    else:
        scores = analyses.Scores.of(source, source.system or "")
        if "gone" in settings:
            at, start = f"gone {key}", int(settings["gone"]) if settings["gone"].isdecimal() else 0
            read, put = partial(st.session_state.get, at, start), partial(st.session_state.__setitem__, at)
            steps = analyses.CurveSteps.of_scores(scores)
            go_through(steps, "the ROC curve row by row", lambda last: min(read(), last), put)
            return
        figure = figures.roc_figure([figures.System(scores.system, 0, scores.table, chosen=True)], page_ink())
        if "t" in settings:
            counts = scores.counts_at(float(settings["t"]))
            marks = {f"threshold {settings['t']}": (float(fall_out(counts)), float(recall(counts))), **marks}
    names = ", ".join(f"{name} at {x:.0%} and {y:.0%}" for name, (x, y) in marks.items())
    figure = figures.marked_figure(figures.begun_figure(figure, step.shown), marks, page_ink())
    show_figure(figure, f"state-{key}", f"ROC curve or points. {names}", square=True)


def _show_sets(settings: Settings, key: str, _: Marks, __: Step) -> None:
    rankings = _rankings(settings)
    system = rankings.system
    other = next((name for name in rankings.systems if name != system), None)
    sets = analyses.RetrievedSets(rankings, other, beta=float(settings.get("set_beta", 1)))
    one = analyses.QuerySets(sets, rankings.queries()[0])
    st.markdown(f"**{plain(system)}**")
    figure = figures.sets_figure(one.counts[system], page_ink())
    show_figure(figure, f"state-{key}", f"Retrieved and relevant documents: {one.outcomes(system)}")
    show_table(*one.table)


def _show_ranking(settings: Settings, key: str, marks: Marks, step: Step) -> None:
    rankings = _rankings(settings)
    ranked = analyses.RankedList(rankings, rankings.queries()[0])
    st.html(f'<div class="ranked-list" tabindex="0">{html_table([], ranked.strip(60), "")}</div>')
    figure = figures.begun_figure(figures.ranked_figure(ranked.curve, page_ink()), step.shown)
    show_figure(
        figures.marked_figure(figure, marks, page_ink()), f"state-{key}", "Precision over recall by rank", square=True
    )


def _show_grades(settings: Settings, key: str, _: Marks, step: Step) -> None:
    rankings = _rankings(settings)
    graded = analyses.GradedList(
        rankings, rankings.queries()[0], analyses.GainSettings(discount=settings.get("discount", "log"))
    )
    figure = figures.begun_figure(figures.gains_figure(graded.ranks, page_ink(), graded.length), step.shown)
    show_figure(figure, f"state-{key}", "Gains by rank")


_PICTURES: dict[str, Callable[[Settings, str, Marks, Step], None]] = {
    "classify/confusion": _show_counts,
    "classify/classes": _show_classes,
    "classify/threshold": _show_roc,
    "classify/curves": _show_roc,
    "retrieve/sets": _show_sets,
    "retrieve/ranking": _show_ranking,
    "retrieve/graded": _show_grades,
}
