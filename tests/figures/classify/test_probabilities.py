"""Pictures of probabilities: where dots, bars, lines and rows on a curve stand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from evalcore.analyses import Binning, ProbabilitySource, Reliability
from evalcore.classification import EventProbabilities, ProbabilityTable, brier_parts, worst_rows
from evalcore.figures.classify.probabilities import brier_figure, loss_figure, mapping_figure, reliability_figure
from evalcore.figures.theme import DARK, LIGHT
from tests.words import sentence_with

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


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_each_bar_begins_where_the_one_above_it_ends(colours) -> None:
    event = EventProbabilities(np.array([0.2, 0.3, 0.7, 0.9, 0.6]), np.array([0, 1, 1, 1, 0], dtype=bool))
    parts = brier_parts(event, [0, 0.5, 1])
    bars = brier_figure(parts, colours).data[0]
    ends = np.array(bars.base) + np.array(bars.x)
    assert list(bars.base[1:4]) == pytest.approx(list(ends[:3]))
    assert ends[3] == pytest.approx(parts.score)
    assert (bars.base[4], bars.x[4]) == (0, parts.score)
    assert bars.x[0] == parts.uncertainty
    assert bars.x[1] == -parts.resolution


def loss(probabilities: list[float], picked: int | None = 0, base: float = math.e, clip: float = 1e-15):
    table = ProbabilityTable.from_event([1] * len(probabilities), probabilities, positive=1)
    worst = worst_rows(table, 20, base, clip)
    names = [f"line {row}" for row in worst.rows]
    return loss_figure(worst, table.of_actual[worst.rows], names, picked, LIGHT, base, clip), worst


def test_rows_lie_on_the_curve_and_the_one_that_is_looked_at_is_told() -> None:
    figure, worst = loss([0.5, 0.01, 0.9], picked=1)
    curve, points = figure.data[:2]
    assert np.interp(points.x, curve.x, curve.y) == pytest.approx(worst.losses, abs=0.01)
    assert "line 0: −ln 0.5 = 0.693" in [note.text for note in figure.layout.annotations]


def test_bits_are_said_and_drawn() -> None:
    figure, _ = loss([0.5, 0.25], base=2)
    assert list(figure.data[1].y) == [2, 1]
    assert sentence_with(figure.layout.yaxis.title.text, "(bits)")
    assert "log₂" in figure.layout.annotations[0].text


def test_a_clipped_row_is_told_at_what_it_was_taken_as() -> None:
    figure, worst = loss([0.0, 0.5])
    assert "−ln 1e−15 = 34.5" in figure.layout.annotations[0].text
    assert figure.layout.yaxis.range[1] > worst.losses[0]


def test_an_infinite_loss_has_no_place_on_the_curve() -> None:
    figure, worst = loss([0.0, 0.5], clip=0.0)
    assert worst.losses[0] == math.inf
    assert list(figure.data[1].y) == [worst.losses[1]]
    assert np.isfinite(figure.layout.yaxis.range).all()
    assert not figure.layout.annotations
