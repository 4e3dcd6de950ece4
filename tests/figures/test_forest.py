"""The forest plot: dots at the differences, intervals around them, names that do nothing, numbers that can be read."""

import math

import pytest

from evalcore import find
from evalcore.figures.forest import ForestLine, bounds_text, difference_text, forest_figure
from evalcore.figures.theme import DARK, LIGHT
from evalcore.wording import p_text


def line(name: str, estimate: float, low: float, high: float, beyond: bool = False) -> ForestLine:
    return ForestLine(name, estimate, low, high, f"{estimate}", "more", beyond)


def test_every_difference_is_drawn_where_it_is() -> None:
    nothing = line("none", math.nan, math.nan, math.nan)
    lines = [line("recall", 0.03, 0.01, 0.06, True), line("F1", -0.02, -0.05, 0.01), nothing]
    figure = forest_figure(lines, ("A better", "B better"), "difference", LIGHT)
    beyond, chance = figure.data
    assert (list(beyond.x), list(beyond.y)) == ([0.03], [0])
    assert (list(chance.x), list(chance.y)) == ([-0.02], [1])
    assert list(beyond.error_x.array) == pytest.approx([0.03])
    assert list(beyond.error_x.arrayminus) == pytest.approx([0.02])
    assert list(chance.error_x.arrayminus) == pytest.approx([0.03])
    low, high = figure.layout.xaxis.range
    assert low < -0.05
    assert high > 0.06
    written = [annotation.text for annotation in figure.layout.annotations]
    assert "← A better" in written
    assert "none" in written


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


@pytest.mark.parametrize(
    ("measure", "value", "width", "written"),
    [
        ("recall", 0.03, 0.05, "+3.0 pt"),
        ("recall", 0.0, 0.05, "0.0 pt"),
        ("recall", -0.0001, 0.05, "0.0 pt"),
        ("recall", -0.000123, 0.0002, "−0.012 pt"),
        ("MCC", 0.0004, 0.0005, "+0.00040"),
        ("LR+", -151.2, 10, "−151"),
        ("LR+", math.inf, math.nan, "+∞"),
        ("MCC", math.nan, math.nan, "undefined"),
    ],
)
def test_a_difference_is_written_with_as_many_decimals_as_its_interval_is_worth(measure, value, width, written) -> None:
    assert difference_text(find(measure), value, width).replace("\u202f", " ") == written


def test_bounds_and_p_values_in_words() -> None:
    assert bounds_text(find("recall"), -0.01, 0.06) == "−1.0 to +6.0"
    assert bounds_text(find("recall"), math.nan, 0.06) == "no interval"
    assert [p_text(p) for p in (0.0009, 0.0421, 1.0, 0.9999)] == ["p < 0.001", "p = 0.042", "p = 1", "p = 1"]
