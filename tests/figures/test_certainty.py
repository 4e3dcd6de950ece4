"""The picture of choices in resamples: where bars, band and line stand."""

import math
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from evalcore.figures.score_axis import BINS, certainty_figure
from evalcore.figures.theme import DARK, LIGHT


def drawn(thresholds, shares, spread=(0.2, 0.4), plateau=((0.1, 0.3),), best=0.3, colours=LIGHT):
    certainty = SimpleNamespace(
        thresholds=np.array(thresholds), shares=np.array(shares), ends=spread,
        bootstrap=SimpleNamespace(plateau=np.array(plateau)),
        chosen=SimpleNamespace(choice=SimpleNamespace(threshold=best)),
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return certainty_figure(certainty, colours)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_each_threshold_has_its_bar_and_the_middle_its_line(colours) -> None:
    figure = drawn([0.1, 0.2, 0.3, 0.4], [0.25, 0, 0.5, 0.25], colours=colours)
    bars, middle = figure.data
    assert (list(bars.x), list(bars.y)) == ([0.1, 0.3, 0.4], [0.25, 0.5, 0.25])
    assert list(middle.x) == [0.2, 0.4]
    assert middle.line.color == colours.accent
    band, line = figure.layout.shapes
    assert (band.x0, band.x1) == (0.1, 0.3)
    assert line.x0 == 0.3
    low, high = figure.layout.xaxis.range
    assert low < 0.1 < 0.4 < high


def test_very_many_thresholds_share_bars_that_keep_every_resample() -> None:
    thresholds = 1e308 * np.linspace(-1, 1, 1000)
    bars = drawn(thresholds, np.full(1000, 0.001), (-1e307, 1e307), [[-math.inf, 0]], 0.0).data[0]
    assert len(bars.x) == BINS
    assert sum(bars.y) == pytest.approx(1)
    assert np.isfinite(bars.x).all()


def test_choices_that_call_nothing_positive_are_said_and_not_drawn() -> None:
    figure = drawn([0.3, math.inf], [0.75, 0.25], (0.3, math.inf), [[0.1, math.inf]])
    assert list(figure.data[0].x) == [0.3]
    assert any(note.text.endswith("choose to call nothing positive") for note in figure.layout.annotations)
    only = drawn([math.inf], [1.0], (math.inf, math.inf), [[0.1, math.inf]], math.inf)
    assert np.isfinite(only.layout.xaxis.range).all()


def test_one_threshold_alone_has_an_axis_around_it() -> None:
    low, high = drawn([0.0], [1.0], (0.0, 0.0), [[-math.inf, 0.0]], 0.0).layout.xaxis.range
    assert low < 0 < high


def test_scores_too_wide_for_an_axis_are_drawn_smaller_and_marked_as_they_are() -> None:
    ends = [-1.7e308, 0.0, 1.7e308]
    figure = drawn(ends, [0.25, 0.5, 0.25], (-1.7e308, 1.7e308), [[-math.inf, math.inf]], 1.7e308)
    low, high = figure.layout.xaxis.range
    band, line = figure.layout.shapes
    for places in (figure.data[0].x, figure.data[0].width, figure.data[1].x, (band.x0, band.x1), (line.x0,)):
        assert np.isfinite(np.subtract(places, low) * 1000).all()
        assert (np.abs(places) <= high - low).all()
    assert np.isfinite((high - low) * 1000)
    marks = dict(zip(figure.layout.xaxis.ticktext, figure.layout.xaxis.tickvals, strict=True))
    assert marks["0"] == 0
    assert marks["1e+308"] == figure.data[0].x[2] / 1.7
    # Ordinary scores stay as they are, and Plotly marks them.
    assert drawn([0.1, 0.4], [0.5, 0.5]).layout.xaxis.tickvals is None
