"""The reliability diagram and the curves of recalibration: where dots, bars and lines stand."""

import numpy as np
import pytest

from evalcore.classification import EventProbabilities, reliability_bins
from evalcore.figures.reliability import mapping_figure, reliability_figure
from evalcore.figures.theme import DARK, LIGHT
from evalcore.inference import wilson

EVENT = EventProbabilities(np.array([0.1, 0.1, 0.4, 0.9, 0.8]), np.array([False, True, False, True, True]))


def calibrated(name: str = "as predicted") -> tuple:
    bins = reliability_bins(EVENT, [0, 0.5, 1])
    return name, bins, wilson(bins.happened, bins.n)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_dots_stand_at_predicted_and_observed_with_their_interval(colours) -> None:
    one = calibrated()
    figure = reliability_figure([one], one[1], colours, ("predicted", "observed"))
    perfect, dots, bars = figure.data
    assert (list(perfect.x), list(perfect.y)) == ([0, 1], [0, 1])
    assert list(dots.x) == pytest.approx([0.2, 0.85])
    assert list(dots.y) == pytest.approx([1 / 3, 1])
    assert dots.y - dots.error_y.arrayminus == pytest.approx(one[2].low)
    assert dots.y + dots.error_y.array == pytest.approx(one[2].high)
    assert dots.marker.color == colours.accent
    assert "1 of 3" in dots.customdata[0]
    assert (list(bars.y), list(bars.width)) == ([3, 2], [0.5, 0.5])
    assert list(bars.text) == ["3", "2"]
    assert figure.layout.xaxis2.title.text == "predicted"
    assert figure.layout.yaxis.title.text == "observed"


def test_the_last_of_two_is_strong_and_both_are_in_the_legend() -> None:
    before, after = calibrated(), calibrated("recalibrated")
    figure = reliability_figure([before, after], after[1], LIGHT, ("predicted", "observed"))
    assert [trace.name for trace in figure.data[1:3]] == ["as predicted", "recalibrated"]
    assert [trace.marker.color for trace in figure.data[1:3]] == [LIGHT.grey, LIGHT.accent]
    assert figure.layout.showlegend


def test_a_line_without_bins_is_drawn_over_the_whole_axis() -> None:
    one = calibrated()
    figure = reliability_figure([one], one[1], LIGHT, ("predicted", "observed"), line=lambda x: x**2)
    line = next(trace for trace in figure.data if trace.name == "without bins")
    assert (line.x[0], line.x[-1], line.y[-1]) == (0, 1, 1)


def test_names_from_a_file_are_no_markup() -> None:
    one = calibrated()
    figure = reliability_figure([one], one[1], LIGHT, ("of <b>x</b>", "is <b>x</b>"))
    assert "&lt;b&gt;" in figure.layout.xaxis2.title.text
    assert "&lt;i&gt;" in mapping_figure([("<i>", np.sqrt)], (0.0, 1.0), LIGHT, "predicted").data[-1].name


def test_large_counts_and_many_bins_have_no_words_on_their_bars() -> None:
    one = calibrated()
    many = reliability_bins(EventProbabilities(np.linspace(0, 1, 200), np.ones(200, dtype=bool)), np.linspace(0, 1, 21))
    assert reliability_figure([one], many, LIGHT, ("predicted", "observed")).data[-1].text is None


def test_the_line_of_no_change_belongs_to_probabilities_and_not_to_scores() -> None:
    assert len(mapping_figure([("", np.sqrt)], (0.0, 1.0), LIGHT, "predicted").data) == 2
    scores = mapping_figure([("", lambda x: x / 9)], (3.0, 9.0), LIGHT, "score")
    assert len(scores.data) == 1
    assert (scores.data[0].x[0], scores.data[0].x[-1]) == (3, 9)


def test_each_class_has_its_own_line() -> None:
    figure = mapping_figure([(str(place), np.sqrt) for place in range(11)], (0.0, 1.0), LIGHT, "predicted")
    looks = {(trace.line.color, trace.line.dash) for trace in figure.data[1:]}
    assert len(looks) == 11
