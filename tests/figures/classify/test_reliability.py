"""The reliability diagram and the curves of recalibration: where dots, bars and lines stand."""

from dataclasses import replace

import numpy as np
import pytest

from evalcore.analyses import Binning, ProbabilitySource, Reliability
from evalcore.classification import ProbabilityTable
from evalcore.figures.classify.probabilities import mapping_figure, reliability_figure
from evalcore.figures.theme import DARK, LIGHT

TABLE = ProbabilityTable.from_event([0, 1, 0, 1, 1], [0.1, 0.1, 0.4, 0.9, 0.8], positive=1)


def reliability(typed: str = "0.5", table: ProbabilityTable = TABLE) -> Reliability:
    return Reliability.of(ProbabilitySource(None, table, np.arange(len(table.actual)), ""), Binning.typed(typed))


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_dots_stand_at_predicted_and_observed_with_their_interval(colours) -> None:
    one = reliability()
    figure = reliability_figure({"as predicted": one}, colours)
    perfect, dots, bars = figure.data
    assert (list(perfect.x), list(perfect.y)) == ([0, 1], [0, 1])
    assert list(dots.x) == pytest.approx([0.2, 0.85])
    assert list(dots.y) == pytest.approx([1 / 3, 1])
    assert dots.y - dots.error_y.arrayminus == pytest.approx(one.interval.low)
    assert dots.y + dots.error_y.array == pytest.approx(one.interval.high)
    assert dots.marker.color == colours.accent
    assert "1 of 3" in dots.customdata[0]
    assert figure.layout.xaxis2.title.text == "predicted probability of 1"
    assert figure.layout.yaxis.title.text == "observed share of 1"
    assert sum(bars.y) == 5
    whole = ProbabilitySource(None, TABLE, np.arange(5), "")
    *_, bars = reliability_figure({"": Reliability.of(whole, Binning(bins=2))}, colours).data
    assert (list(bars.y), list(bars.width)) == ([3, 2], [0.5, 0.5])
    assert list(bars.text) == ["3", "2"]


def test_the_last_of_two_is_strong_and_both_are_in_the_legend() -> None:
    figure = reliability_figure({"as predicted": reliability(), "recalibrated": reliability()}, LIGHT)
    assert [trace.name for trace in figure.data[1:3]] == ["as predicted", "recalibrated"]
    assert [trace.marker.color for trace in figure.data[1:3]] == [LIGHT.grey, LIGHT.accent]
    assert figure.layout.showlegend


def test_a_line_without_bins_is_drawn_over_the_whole_axis() -> None:
    figure = reliability_figure({"": reliability()}, LIGHT, line=lambda x: x**2)
    line = next(trace for trace in figure.data if trace.name == "without bins")
    assert (line.x[0], line.x[-1], line.y[-1]) == (0, 1, 1)


def test_names_from_a_file_are_no_markup() -> None:
    figure = reliability_figure({"": reliability(table=replace(TABLE, classes=("", "<b>x</b>")))}, LIGHT)
    assert "&lt;b&gt;" in figure.layout.xaxis2.title.text
    assert "&lt;i&gt;" in mapping_figure([("<i>", np.sqrt)], (0.0, 1.0), LIGHT, "predicted").data[-1].name


def test_large_counts_and_many_bins_have_no_words_on_their_bars() -> None:
    many = reliability(table=ProbabilityTable.from_event(np.ones(200), np.linspace(0, 1, 200), positive=1))
    assert len(many.histogram.n) == 20
    assert reliability_figure({"": many}, LIGHT).data[-1].text is None


def test_the_line_of_no_change_belongs_to_probabilities_and_not_to_scores() -> None:
    assert len(mapping_figure([("", np.sqrt)], (0.0, 1.0), LIGHT, "predicted").data) == 2
    scores = mapping_figure([("", lambda x: x / 9)], (3.0, 9.0), LIGHT, "score")
    assert len(scores.data) == 1
    assert (scores.data[0].x[0], scores.data[0].x[-1]) == (3, 9)


def test_each_class_has_its_own_line() -> None:
    figure = mapping_figure([(str(place), np.sqrt) for place in range(11)], (0.0, 1.0), LIGHT, "predicted")
    looks = {(trace.line.color, trace.line.dash) for trace in figure.data[1:]}
    assert len(looks) == 11
