"""The axis, the bars and the dots of the scores: every row is somewhere, whatever the scores and the bins."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.classification import ScoredLabels
from evalcore.classification.binary.axis import BEYOND, EXTENTS, score_axis, score_bars, score_bins, score_dots
from tests.classification.small_inputs import thorough

LARGEST = np.finfo(float).max
TINY = 5e-324

FINITE = st.floats(allow_nan=False, allow_infinity=False)
NEAR = st.integers(0, 12).map(lambda step: 0.1 * step)
SCORES = st.one_of(NEAR, FINITE, st.sampled_from([0.0, 1e300, -1e300, 1e-300, TINY, LARGEST, -LARGEST]))
ROWS = st.lists(st.tuples(st.booleans(), SCORES), max_size=30)


def state(rows, weights: list[float] | None = None, higher: bool = True) -> ScoredLabels:
    labels, scores = [label for label, _ in rows], [score for _, score in rows]
    return ScoredLabels.from_arrays(
        np.array(labels, dtype=bool), np.array(scores, dtype=float), weights=weights, higher_is_positive=higher
    )


@thorough
@given(ROWS, st.integers(2, 60), st.booleans(), st.sampled_from(EXTENTS))
@example([(True, -LARGEST), (False, LARGEST)], 40, True, "all")
@example([(True, 1.0), (False, 1.0 + 2**-52)], 2, True, "all")
@example([(True, TINY), (False, 1e-320)], 40, False, "log")
@example([(True, 1e300), (False, 1e-300)], 2, True, "log")
@example([(True, LARGEST)] * 3, 40, True, "all")
def test_every_row_that_the_axis_shows_is_in_a_bar_and_every_place_is_on_the_axis(rows, bins, higher, extent) -> None:
    scored = state(rows, higher=higher)
    axis = score_axis(scored, extent)
    assert axis.low < axis.high
    assert np.isfinite(axis.ticks()).all()
    places = axis.x([score for _, score in rows] + [math.inf, -math.inf])
    assert ((places >= 0) & (places <= 1)).all()
    bars = score_bars(scored, axis, bins)
    for name in ("left", "right", "low", "high", "positives", "negatives"):
        assert np.isfinite(getattr(bars, name)).all()
    assert bars.positives.sum() + bars.negatives.sum() == len(rows) - axis.left_out
    assert (bars.left <= bars.right).all()
    assert extent != "all" or axis.left_out == 0


@thorough
@given(ROWS, st.booleans())
def test_places_keep_the_order_of_the_scores(rows, higher) -> None:
    axis = score_axis(state(rows, higher=higher))
    places = axis.x(sorted(score for _, score in rows))
    assert (np.diff(places) >= 0).all()


@thorough
@given(st.lists(st.tuples(st.booleans(), NEAR, st.integers(0, 5)), max_size=20), st.integers(2, 30))
def test_bars_hold_weights(rows, bins) -> None:
    scored = state([row[:2] for row in rows], weights=[row[2] for row in rows])
    bars = score_bars(scored, score_axis(scored), bins)
    assert bars.positives.sum() == scored.positives
    assert bars.negatives.sum() == scored.negatives


@pytest.mark.parametrize("higher", [True, False])
def test_a_threshold_at_one_of_few_scores_cuts_no_bar(higher) -> None:
    rows = [(True, 0.9), (False, 0.3), (True, 0.55), (False, 0.5)]
    scored = state(rows, higher=higher)
    axis = score_axis(scored)
    bars = score_bars(scored, axis)
    starts = bars.left if higher else bars.right
    assert bars.low.tolist() == [0.3, 0.5, 0.55, 0.9]
    assert starts.tolist() == axis.x(bars.low).tolist()


def test_edges_meet_the_scores_they_miss_by_rounding() -> None:
    scores = np.arange(101) / 100
    bars = score_bars(state([(True, s) for s in scores]), score_axis(state([(True, s) for s in scores])), 10)
    assert bars.positives.tolist() == [10.0] * 9 + [11.0]  # 0.3 stands in the bin from 0.3


def test_bins_have_their_lower_edge_and_the_last_one_its_upper_edge_too() -> None:
    found = score_bins(state([(True, 0.0), (True, 1.0), (False, 2.0), (False, 5.0)]), np.array([0.0, 1.0, 2.0]))
    assert (found.positives.tolist(), found.negatives.tolist()) == ([1.0, 1.0], [0.0, 1.0])


def test_the_infinity_stands_behind_the_last_score_on_its_side() -> None:
    rows = [(True, 3.0), (False, 1.0)]
    assert score_axis(state(rows)).x([1, 3, math.inf, -math.inf]).tolist() == [0, 1 - BEYOND, 1, 0]
    turned = score_axis(state(rows, higher=False))
    assert turned.x([1, 3, math.inf, -math.inf]).tolist() == [BEYOND, 1, 1, 0]


def test_a_threshold_beyond_the_last_score_stands_where_nothing_is_positive() -> None:
    rows = [(True, 0.4), (True, 0.45)]
    assert score_axis(state(rows)).x([0.45, 0.5]).tolist() == [1 - BEYOND, 1]
    assert score_axis(state(rows, higher=False)).x([0.4, 0.3]).tolist() == [BEYOND, 0]


def test_the_central_axis_says_what_it_leaves_out() -> None:
    rows = [(bool(k % 2), float(k)) for k in range(1000)] + [(True, 1e6), (False, -1e6)]
    axis = score_axis(state(rows), extent="central")
    assert -50 < axis.low < 20
    assert 980 < axis.high < 1050
    assert axis.left_out == sum(not axis.low <= score <= axis.high for _, score in rows)
    heavy = score_axis(state([(True, 0.0), (True, 5.0), (False, 1.0)], weights=[1000, 1, 10]), extent="central")
    assert heavy.high == 1.0


def test_a_logarithmic_axis_shows_what_is_positive_or_all() -> None:
    rows = [(True, 100.0), (True, 1.0), (False, 0.0), (False, -5.0)]
    axis = score_axis(state(rows), extent="log")
    assert (axis.log, axis.low, axis.high, axis.left_out) == (True, 1.0, 100.0, 2)
    assert axis.x([10.0]).round(6).tolist() == [round((1 - BEYOND) / 2, 6)]
    assert not score_axis(state([(True, 0.0), (False, -1.0)]), extent="log").log
    turned = score_axis(state(rows, higher=False), extent="log")
    assert (turned.low, turned.high, turned.left_out) == (1.0, 100.0, 2)


@thorough
@given(ROWS, st.booleans())
def test_dots_never_lie_on_each_other_and_are_all_there(rows, higher) -> None:
    scored = state(rows, higher=higher)
    dots = score_dots(scored, score_axis(scored), 0.05)
    assert len(dots) == len(rows)
    for side in (True, False):
        levels: dict[int, list[float]] = {}
        for is_positive, _, place, level, weight in dots:
            assert weight == 1
            if is_positive == side:
                levels.setdefault(level, []).append(place)
        assert all(b - a >= 0.05 for places in levels.values() for a, b in pairwise(places))


def test_without_rows_there_is_an_empty_axis() -> None:
    scored = state([])
    axis = score_axis(scored)
    assert (axis.low, axis.high) == (0.0, 1.0)
    assert len(score_bars(scored, axis).positives) == 0
    assert score_dots(scored, axis, 0.1) == []
