"""Forest plots: dots where the numbers are, intervals around them, names that do nothing, numbers that can be read."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from evalcore import METRICS, find
from evalcore.analyses import Difference
from evalcore.figures.classify.forest import ForestLine, forest_figure, groups_figure
from evalcore.figures.theme import DARK, LIGHT
from evalcore.inference import Comparison, Interval


def line(name: str, estimate: float, low: float, high: float, filled: bool = False) -> ForestLine:
    test = Comparison("test", estimate, Interval(estimate, low, high), 1.0, 0.04, 50)
    return ForestLine(Difference("a", "b", find("MCC"), "MCC", 0.2, 0.2 + estimate, test), name, filled)


def test_every_difference_is_drawn_where_it_is() -> None:
    nothing = line("none", math.nan, math.nan, math.nan)
    lines = [line("recall", 0.03, 0.01, 0.06, True), line("F1", -0.02, -0.05, 0.01), nothing]
    figure = forest_figure(lines, ("A better", "B better"), "difference", LIGHT)
    filled, hollow = figure.data
    assert (list(filled.x), list(filled.y)) == ([0.03], [0])
    assert (list(hollow.x), list(hollow.y)) == ([-0.02], [1])
    assert list(filled.error_x.array) == pytest.approx([0.03])
    assert list(filled.error_x.arrayminus) == pytest.approx([0.02])
    assert list(hollow.error_x.arrayminus) == pytest.approx([0.03])
    low, high = figure.layout.xaxis.range
    assert low < -0.05
    assert high > 0.06
    written = [annotation.text for annotation in figure.layout.annotations]
    assert "← A better" in written
    assert "none" in written
    assert "<b>+0.030</b>  +0.010 to +0.060" in written
    assert "undefined" in written
    assert list(filled.text) == [
        "<b>recall</b><br>0.200 → 0.230<br>+0.030 (+0.010 to +0.060)<br>p = 0.040<br>test<br>n = 50"
    ]


def test_a_phone_has_room_for_the_title_and_the_numbers() -> None:
    test = Comparison("test", -0.0018, Interval(-0.0018, -0.0045, 0.0009), 1.0, 0.19, 569)
    one = Difference("a", "b", find("AUC"), "Area under the ROC curve", 0.9932, 0.9914, test)
    figure = forest_figure([ForestLine(one, one.heading, False)], ("", ""), "", LIGHT)
    assert figure.layout.annotations[0].text == "AUC"


def test_without_an_interval_only_the_dot_is_drawn_and_infinite_bounds_end_at_the_edge() -> None:
    lines = [line("a", 0.0, math.nan, math.nan), line("b", 0.1, -math.inf, math.inf)]
    figure = forest_figure(lines, ("", ""), "", DARK)
    low, high = figure.layout.xaxis.range
    assert list(figure.data[1].error_x.array) == pytest.approx([0, high - 0.1])
    assert list(figure.data[1].error_x.arrayminus) == pytest.approx([0, 0.1 - low])


def test_nothing_to_draw_is_still_a_picture() -> None:
    assert forest_figure([], ("", ""), "", LIGHT).layout.height > 0
    assert forest_figure([line("x", math.inf, math.nan, math.nan)], ("", ""), "", LIGHT).layout.xaxis.range[0] < 0


def test_names_from_a_file_do_nothing() -> None:
    figure = forest_figure([line("<a href='x'>n</a>", 0.1, 0, 0.2)], ("<b>A</b>", "B"), "", LIGHT)
    drawn = figure.to_json()
    assert "<a " not in drawn
    assert "<b>A" not in drawn


NAN = float("nan")


def drawn(**changes):
    given = {
        "names": ["a", "<b>x</b>", "c"],
        "interval": Interval(np.array([0.5, 0.8, NAN]), np.array([0.3, NAN, NAN]), np.array([0.6, NAN, NAN])),
        "whole": 0.55,
        "rows": np.array([40.0, 3, 0]),
    } | changes
    groups = SimpleNamespace(
        names=given["names"], shown=3, rate=lambda *_: (given["interval"], given["rows"]),
        of_all=lambda _: (given["whole"],), differs=lambda _: np.array([True, False, False]),
    )  # fmt: skip
    return groups_figure(groups, METRICS["recall"], LIGHT)


def test_each_group_has_its_dot_and_its_reach() -> None:
    grey, sure = drawn().data
    assert (list(sure.x), list(sure.y)) == ([0.5], [0])
    assert sure.error_x.array[0] == pytest.approx(0.1)
    assert sure.error_x.arrayminus[0] == pytest.approx(0.2)
    assert (list(grey.x), list(grey.y)) == ([0.8], [1])
    assert list(grey.error_x.array) == [0]


def test_filled_is_beyond_chance_and_hollow_may_be_chance() -> None:
    figure = drawn(rows=np.array([40.0, 30, 10]))
    sure = figure.data[1]
    assert list(sure.marker.color) == [LIGHT.accent, LIGHT.paper]


def test_an_undefined_rate_is_said_and_the_names_are_text() -> None:
    figure = drawn()
    assert [a.text for a in figure.layout.annotations if a.y == 2] == ["undefined"]
    assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;x&lt;/b&gt;"
    assert "&lt;b&gt;" in figure.data[0].text[0]


def test_nothing_defined_still_draws() -> None:
    none = np.full(3, NAN)
    figure = drawn(interval=Interval(none, none, none), whole=NAN)
    assert len([a for a in figure.layout.annotations if a.text == "undefined"]) == 3
    assert list(figure.layout.xaxis.range) == [-0.02, 1.02]
