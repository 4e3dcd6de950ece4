"""Pictures of losses: bars that begin where the last one ended, and rows on the curve."""

import math

import numpy as np
import pytest

from evalcore.classification import EventProbabilities, ProbabilityTable, brier_parts, worst_rows
from evalcore.figures.classify.probabilities import brier_figure, loss_figure
from evalcore.figures.theme import DARK, LIGHT
from tests.words import sentence_with


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
