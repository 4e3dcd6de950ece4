"""Pictures of fewer judgments: a line a measure and a system, and the bar between the bounds."""

import numpy as np
import pytest

from evalcore.analyses import Bounds
from evalcore.figures.retrieve.comparison import bounds_figure, means_figure, step_text, tau_figure
from evalcore.figures.theme import LIGHT
from evalcore.retrieval import OrderStability

FOUND = OrderStability(
    (0.0, 0.5),
    {"AP": np.array([0.3, 0.6]), "RR": np.array([0.5, 0.5])},
    {"AP": np.array([[[0.3, 0.6]] * 2, [[0.2, 0.4], [0.5, 0.1]]]), "RR": np.full((2, 2, 2), 0.5)},
)


def test_tau_is_a_line_a_measure_and_undefined_where_all_are_equal() -> None:
    figure = tau_figure(FOUND, "random", LIGHT)
    assert list(figure.data[0].y) == [1, 0]
    assert np.isnan(figure.data[1].y).all()
    assert "the same order in 1 of 2 draws" in figure.data[0].text[1]


def test_means_have_a_band_from_the_lowest_to_the_highest_draw() -> None:
    figure = means_figure(FOUND, "AP", [("<b>x</b>", 0), ("y", 2)], "random", LIGHT)
    band, line = figure.data[:2]
    assert list(band.y) == [0.3, 0.5, 0.2, 0.3]
    assert list(line.y) == [0.3, 0.35]
    assert figure.data[3].line.color == LIGHT.system(2)
    assert line.name == "&lt;b&gt;x&lt;/b&gt;"


@pytest.mark.parametrize("way", ["pool", "few"])
def test_numbers_of_documents_stand_at_even_distances(way: str) -> None:
    found = OrderStability((100, 1), FOUND.full, FOUND.means)
    figure = tau_figure(found, way, LIGHT)
    assert list(figure.data[0].x) == [0, 1]
    assert list(figure.layout.xaxis.ticktext) == ["100", "1"]


def test_bounds_are_a_bar_with_both_values_on_it() -> None:
    figure = bounds_figure([Bounds("one", 0, 0.2, 0.2, 0.8, 0.5)], "AP", LIGHT)
    assert list(figure.data[0].x) == [0.2, 0.8]
    assert list(figure.data[1].x) == [0.2, 0.5]
    assert bounds_figure([Bounds("one", 0, *[np.nan] * 4)], "AP", LIGHT).data


def test_steps_in_words() -> None:
    assert [step_text("queries", 0.95), step_text("few", 1000)] == ["95\u202f%", "1\u202f000"]
