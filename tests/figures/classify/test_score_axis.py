"""Pictures over the axis of scores: bars, bands and zones stand where the numbers are, names do nothing."""

import math
import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from evalcore.analyses import ReferralBand
from evalcore.classification import nested_bands, refer
from evalcore.figures.classify.scores import BINS, certainty_figure, risk_coverage_figure, zones_figure
from evalcore.figures.theme import DARK, LIGHT, OUTCOMES
from tests.analyses.small_scores import small_scores


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
    assert any(note.text.endswith("call nothing positive") for note in figure.layout.annotations)
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


LABELS, SCORES = [1, 1, 0, 1, 0, 0, 1, 0], np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1])
SCORED = small_scores(LABELS, SCORES)


def zones(low=0.4, high=0.8, names=("ill", "well"), colours=LIGHT, higher=True):
    scores = SCORED if higher else small_scores(LABELS, -SCORES, higher_is_positive=False)
    scores = replace(scores, positive=names[0], negative=names[1])
    return zones_figure(ReferralBand(scores, *((low, high) if higher else (-high, -low))), colours)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
@pytest.mark.parametrize("higher", [True, False])
def test_the_areas_are_the_counts(colours, higher) -> None:
    bars = [trace for trace in zones(colours=colours, higher=higher).data if trace.type == "bar"]
    found = {(bar.name, bool(np.sum(bar.y) >= 0)): float(np.abs(bar.y).sum()) for bar in bars}
    assert found == {
        ("FN", True): 1, ("referred", True): 1, ("TP", True): 2, ("TN", False): 1, ("referred", False): 3,
        ("FP", True): 0,
    }  # fmt: skip
    assert {bar.marker.color for bar in bars} == {*OUTCOMES.values(), colours.grey}


def test_where_lower_is_positive_the_picture_is_mirrored() -> None:
    here, there = zones(), zones(higher=False)
    for one, other in zip(here.data, there.data, strict=True):
        assert sorted(np.negative(one.x)) == pytest.approx(sorted(other.x))
    assert here.layout.xaxis.range[0] == pytest.approx(-there.layout.xaxis.range[1])


def test_the_flags_say_the_thresholds_also_beyond_the_scores() -> None:
    texts = [a.text for a in zones(low=-np.inf, high=np.inf).layout.annotations]
    assert texts[:2] == ["<b>−∞</b>", "<b>∞</b>"]


def test_names_are_read_as_text() -> None:
    texts = [a.text for a in zones(names=("<b>x</b>", "<script>alert(1)</script>")).layout.annotations]
    assert "actual &lt;b&gt;x&lt;/b&gt;" in texts
    assert not any("<script" in text for text in texts)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_curve_is_the_error_of_each_band(colours) -> None:
    analysis = ReferralBand(SCORED, 0.8, 0.4)
    bands = nested_bands(SCORED.table, 0.55)
    figure = risk_coverage_figure(analysis, bands, colours)
    line, alone, now = figure.data
    kept = ~np.isnan(bands.error)
    assert list(line.x) == bands.coverage[kept].tolist()
    assert list(line.y) == bands.error[kept].tolist()
    assert (alone.x[0], alone.y[0]) == (1, 0.25)
    assert (now.x[0], now.y[0]) == (0.5, 0.25)


def test_without_any_decided_row_the_axes_stand() -> None:
    scores = small_scores([1, 0], [5, np.nan])
    undecided = refer(scores.table, -np.inf, np.inf)
    analysis = SimpleNamespace(band=undecided, alone=undecided)
    figure = risk_coverage_figure(analysis, nested_bands(scores.table, 5), LIGHT)
    assert figure.layout.yaxis.range[1] > 0


@pytest.mark.parametrize("higher", [True, False])
def test_zones_of_scores_too_wide_for_an_axis_are_drawn_smaller_and_marked_as_they_are(higher) -> None:
    scores = [1.7e308, 1e308, -1e308, -1.7e308]
    huge = small_scores([1, 1, 0, 0], scores, higher_is_positive=higher)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = zones_figure(ReferralBand(huge, -1e308, 1e308), LIGHT)
    low, high = figure.layout.xaxis.range
    assert np.isfinite((high - low) * 1000)
    bars = [trace for trace in figure.data if trace.type == "bar" and len(trace.x)]
    for places in (
        *(bar.x for bar in bars),
        *(bar.width for bar in bars),
        *((s.x0, s.x1) for s in figure.layout.shapes),
    ):
        assert (np.abs(places) <= high - low).all()
    assert "1e+308" in figure.layout.xaxis.ticktext


def test_scores_that_are_huge_and_near_each_other_stand_at_their_places() -> None:
    scores = 1.7e308 * (1 - 1e-12 * np.arange(4))
    huge = small_scores([1, 1, 0, 0], scores)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the sum of two of them is infinite
        figure = zones_figure(ReferralBand(huge, scores[2], scores[1]), LIGHT)
    places = np.concatenate([trace.x for trace in figure.data if trace.type == "bar"])
    low, high = figure.layout.xaxis.range
    assert (places >= low).all()
    assert (places <= high).all()
