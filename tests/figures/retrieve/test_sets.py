"""The picture of two sets is to scale: areas are counts, and no region shows a count that it has not."""

import math

import numpy as np
import pytest

from evalcore.classification import ConfusionCounts
from evalcore.figures import graph_objects as go
from evalcore.figures.retrieve.sets import MOST_PULLS, circles, drawn_to_scale, pull_figure, sets_figure
from evalcore.figures.theme import DARK, LIGHT, OUTCOMES

METHOD_A, METHOD_B = ConfusionCounts(7, 7, 13, 973), ConfusionCounts(4, 2, 16, 978)


def area(x, y) -> float:
    """Of a polygon."""
    x, y = np.asarray(x), np.asarray(y)
    return abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2


def region(figure: go.Figure, outcome: str) -> go.Scatter:
    return next(trace for trace in figure.data if trace.meta and trace.meta["outcome"] == outcome)


def words(figure: go.Figure) -> list[str]:
    return [annotation.text for annotation in figure.layout.annotations]


@pytest.mark.parametrize(
    "cells",
    [(7, 7, 13), (4, 2, 16), (1, 99, 99), (50, 1, 1), (5, 0, 10), (5, 10, 0), (8, 0, 0), (1, 0, 10_000), (3, 500, 2)],
)
def test_all_areas_are_counts(cells: tuple[int, int, int]) -> None:
    counts = ConfusionCounts(*cells, 100_000)
    figure = sets_figure(counts, LIGHT)
    found, missed, both = region(figure, "fp"), region(figure, "fn"), region(figure, "tp")
    assert area(found.x, found.y) == pytest.approx(cells[0] + cells[1], rel=1e-3)
    assert area(missed.x, missed.y) == pytest.approx(cells[0] + cells[2], rel=1e-3)
    assert area(both.x, both.y) == pytest.approx(cells[0], rel=2e-3)


def test_sets_that_share_nothing_stand_apart() -> None:
    drawn = circles(ConfusionCounts(0, 4, 9, 0))
    assert drawn.apart > drawn.retrieved + drawn.relevant
    figure = sets_figure(ConfusionCounts(0, 4, 9, 0), LIGHT)
    assert not [trace for trace in figure.data if trace.meta and trace.meta["outcome"] == "tp"]
    assert {"<b>4</b>", "<b>9</b>"} <= set(words(figure))


def test_a_set_inside_the_other_leaves_a_crescent() -> None:
    inside = circles(ConfusionCounts(5, 0, 10, 0))
    assert inside.apart == pytest.approx(inside.relevant - inside.retrieved)
    assert "<b>10</b>" in words(sets_figure(ConfusionCounts(5, 0, 10, 50), LIGHT))


@pytest.mark.parametrize("cells", [(0, 0, 0), (0, 0, 5), (0, 5, 0)])
@pytest.mark.parametrize("rest", [0, 40, math.nan])
def test_empty_sets_draw_what_there_is(cells: tuple[int, int, int], rest: float) -> None:
    figure = sets_figure(ConfusionCounts(*cells, rest), LIGHT)
    assert len([trace for trace in figure.data if trace.meta]) == sum(bool(cell) for cell in cells)
    assert any("dismissed" in text for text in words(figure)) == (not math.isnan(rest))


def test_pictures_beside_each_other_share_their_scale() -> None:
    first, second = sets_figure(METHOD_A, LIGHT, [METHOD_B]), sets_figure(METHOD_B, LIGHT, [METHOD_A])
    spans = [np.ptp(figure.layout.xaxis.range) for figure in (first, second)]
    assert spans[0] == pytest.approx(spans[1])
    missed = [region(figure, "fn") for figure in (first, second)]
    assert np.ptp(missed[0].x) == pytest.approx(np.ptp(missed[1].x))


@pytest.mark.parametrize(("total", "scaled"), [(28, False), (100, True), (400, True), (100_000, False)])
def test_the_collection_is_to_scale_where_it_can_be(total: int, scaled: bool) -> None:
    counts = ConfusionCounts(7, 7, 13, total - 27)
    assert drawn_to_scale([counts]) is scaled
    figure = sets_figure(counts, LIGHT)
    frame = figure.layout.shapes[0]
    assert frame.line.dash == ("solid" if scaled else "dot")
    if scaled:
        assert (frame.x1 - frame.x0) * (frame.y1 - frame.y0) == pytest.approx(total)
    for trace in figure.data:
        assert frame.x0 < min(trace.x) <= max(trace.x) < frame.x1
        assert frame.y0 < min(trace.y) <= max(trace.y) < frame.y1


def test_outcomes_have_their_colours_and_errors_are_hatched() -> None:
    figure = sets_figure(METHOD_A, DARK)
    for outcome in ("tp", "fp", "fn"):
        assert region(figure, outcome).fillcolor == OUTCOMES[outcome]
    assert region(figure, "tp").fillpattern.shape is None
    assert region(figure, "fp").fillpattern.shape == region(figure, "fn").fillpattern.shape == "/"


def test_the_strongest_pulls_come_first_with_their_names_as_text() -> None:
    names = [f"<b>{place}</b>" for place in range(40)]
    pulls = np.linspace(-0.01, 0.02, 40)
    figure = pull_figure(names, pulls, LIGHT)
    assert list(figure.data[0].x) == sorted(pulls, key=lambda pull: -abs(pull))[:MOST_PULLS]
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt;39&lt;/b&gt;"
    assert figure.data[0].text[0] == "+0.0200"


def test_queries_with_one_name_when_cut_short_stay_two_bars() -> None:
    figure = pull_figure(["x" * 90 + "1", "x" * 90 + "2"], np.array([0.1, -0.1]), LIGHT)
    assert len(set(figure.data[0].y)) == 2


def test_small_pulls_keep_room_for_their_long_numbers() -> None:
    large, small = (pull_figure(["a"], np.array([pull]), LIGHT).layout.xaxis.range[1] / pull for pull in (0.25, 2.5e-5))
    assert small > large + 0.25


def test_queries_that_begin_alike_are_told_apart_by_their_ends() -> None:
    names = [f"What are the side effects of drug number {n}?" for n in (7, 41)]
    figure = pull_figure(names, np.array([0.1, -0.2]), LIGHT)
    assert list(figure.layout.yaxis.ticktext) == ["What are the…41?", "What are the…number 7?"]
    assert list(figure.data[0].customdata) == [names[1], names[0]]
