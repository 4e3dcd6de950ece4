"""Reliability bins, what their gaps say together, and the parts of the Brier score, which add up."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve

from evalcore import find
from evalcore.classification import (
    EventProbabilities,
    ProbabilityTable,
    bin_edges,
    brier_parts,
    brier_score,
    brier_skill,
    calibration_error,
    reliability_bins,
)
from evalcore.classification.several.probabilities import WAYS, overconfidence
from tests.classification.small_inputs import thorough

rows = st.lists(st.tuples(st.integers(0, 10).map(lambda i: i / 10), st.booleans(), st.integers(0, 3)), max_size=30)


def event_of(found: list, weighted: bool = True) -> EventProbabilities:
    probability, happened, weights = (np.array([row[i] for row in found]) for i in range(3))
    return EventProbabilities(
        probability.astype(float), happened.astype(bool), weights.astype(float) if weighted else None
    )


@pytest.mark.parametrize(("strategy", "way"), [("uniform", "equal width"), ("quantile", "equal count")])
def test_as_scikit_learn(strategy: str, way: str) -> None:
    random = np.random.default_rng(1)
    event = EventProbabilities(random.random(997), random.random(997) < 0.3)
    true, said = calibration_curve(event.happened, event.probability, n_bins=10, strategy=strategy)
    bins = reliability_bins(event, bin_edges(event, 10, way))
    if way == "equal width":
        np.testing.assert_allclose(bins.observed, true, rtol=1e-12)
        np.testing.assert_allclose(bins.mean_probability, said, rtol=1e-12)
    else:
        assert len(bins.n) == len(true)
        assert bins.n.min() >= 99
        np.testing.assert_allclose(bins.mean_probability, said, atol=0.002)


@pytest.mark.parametrize("way", WAYS)
@thorough
@given(found=rows, bins=st.integers(1, 12))
def test_every_row_that_counts_is_in_one_bin(way: str, found, bins: int) -> None:
    event = event_of(found)
    binned = reliability_bins(event, bin_edges(event, bins, way))
    assert binned.n.sum() == pytest.approx(event.total)
    assert (binned.n > 0).all()
    assert ((binned.mean_probability >= binned.low - 1e-12) & (binned.mean_probability <= binned.high + 1e-12)).all()
    assert (binned.n * binned.mean_probability).sum() == pytest.approx((event.weight() * event.probability).sum())
    assert binned.happened.sum() == (event.weight() * event.happened).sum()


def test_rows_that_said_0_are_not_mixed_with_others_in_bins_of_equal_count() -> None:
    said = np.repeat([0.0, 0.5, 1.0], [50, 25, 25])
    event = EventProbabilities(said, said == 1)
    binned = reliability_bins(event, bin_edges(event, 4, "equal count"))
    assert binned.n.tolist() == [50, 25, 25]
    assert binned.mean_probability.tolist() == [0, 0.5, 1]
    assert (binned.low[0], binned.high[0]) == (0, 0)
    few = EventProbabilities(said[45:], said[45:] == 1)
    assert reliability_bins(few, bin_edges(few, 2, "equal count")).n.tolist() == [30, 25], (
        "half of the rows say more than 0"
    )


@thorough
@given(found=rows)
def test_distinct_values_are_bins_of_their_own(found) -> None:
    event = event_of([row for row in found if row[2]])
    binned = reliability_bins(event, bin_edges(event, way="distinct values"))
    distinct = np.unique(event.probability)
    np.testing.assert_allclose(binned.mean_probability, distinct, atol=1e-15)


@thorough
@given(found=rows, bins=st.integers(1, 12), way=st.sampled_from([*WAYS, None]))
def test_the_parts_of_the_brier_score_add_up(found, bins: int, way) -> None:
    event = event_of(found)
    parts = brier_parts(event, None if way is None else bin_edges(event, bins, way))
    if not event.total:
        assert math.isnan(parts.score)
        return
    added = parts.reliability - parts.resolution + parts.uncertainty + parts.within_variance - parts.within_covariance
    assert added == pytest.approx(parts.score, abs=2e-15)
    weight = event.weight()
    assert parts.score == pytest.approx(
        (weight * (event.probability - event.happened) ** 2).sum() / weight.sum(), abs=1e-15
    )
    if way in (None, "distinct values"):
        assert parts.within_variance == pytest.approx(0, abs=1e-30)
        assert parts.within_covariance == pytest.approx(0, abs=1e-16)
    assert min(parts.reliability, parts.resolution, parts.uncertainty, parts.within_variance) >= 0


def test_the_parts_by_hand() -> None:
    """Two bins of 0.1 … 0.3 and 0.9: means 0.2 and 0.9, of two rows none and of two rows one came true."""
    event = EventProbabilities(np.array([0.1, 0.3, 0.9, 0.9]), np.array([False, False, True, False]))
    parts = brier_parts(event, [0, 0.5, 1])
    fifth = Fraction(1, 4)
    assert parts.score == pytest.approx(float((Fraction(1 + 9 + 1 + 81, 100)) / 4), abs=1e-15)
    assert parts.reliability == pytest.approx((0.2**2 * 2 + 0.4**2 * 2) / 4, abs=1e-15)
    assert parts.resolution == pytest.approx(float(fifth**2), abs=1e-15)
    assert parts.uncertainty == pytest.approx(float(fifth * 3 / 4), abs=1e-15)
    assert parts.within_variance == pytest.approx(2 * 0.01 / 4, abs=1e-15)
    assert parts.within_covariance == 0


def test_the_parts_of_all_classes_are_those_of_the_brier_score() -> None:
    random = np.random.default_rng(2)
    table = ProbabilityTable.from_arrays(random.integers(0, 4, 200), random.dirichlet(np.ones(4), 200), (0, 1, 2, 3))
    parts = [brier_parts(table.event(c), np.linspace(0, 1, 11)) for c in range(4)]
    assert sum(p.score for p in parts) == pytest.approx(brier_score(table), rel=1e-13)


def test_a_base_rate_for_every_row_is_calibrated_and_has_no_resolution() -> None:
    event = EventProbabilities(np.full(8, 0.25), np.array([True, False, False, False] * 2))
    parts = brier_parts(event)
    assert (parts.reliability, parts.resolution, parts.uncertainty) == (0, 0, 0.1875)
    assert calibration_error(reliability_bins(event)) == 0


def test_one_class_has_no_uncertainty_whatever_its_weights_round_to() -> None:
    table = ProbabilityTable.from_event([1] * 9, [0.25, *[0.75] * 8], positive=1, weights=[0.1] * 9)
    assert brier_parts(table.event(1)).uncertainty == 0
    assert math.isnan(brier_skill(table))


def test_bins_that_make_no_sense_are_refused() -> None:
    event = EventProbabilities(np.array([0.5]), np.array([True]))
    for edges in ([0, 0.5], [0.1, 1], [0, 0.7, 0.5, 1], [0, math.nan, 1], [[0, 1]], [0]):
        with pytest.raises(ValueError, match="must ascend from 0 to 1"):
            reliability_bins(event, edges)
        with pytest.raises(ValueError, match="must ascend from 0 to 1"):
            brier_parts(event, edges)
    with pytest.raises(ValueError, match="lay out bins"):
        bin_edges(event, 5, "by hand")
    with pytest.raises(ValueError, match="at least one bin"):
        bin_edges(event, 0)


def test_the_number_of_bins_is_a_whole_one() -> None:
    table = ProbabilityTable.from_event([1, 0], [0.75, 0.5], positive=1)
    assert find("ECE(bins=1)")(table) == 0.125
    with pytest.raises(ValueError, match="whole number"):
        find("ECE(bins=2.5)")


@pytest.mark.parametrize("bins", range(1, 61))
def test_a_probability_that_is_an_edge_lies_in_the_bin_below(bins: int) -> None:
    edges = np.arange(1, bins + 1) / bins
    found = reliability_bins(event := EventProbabilities(edges, np.ones(bins, dtype=bool)), bin_edges(event, bins))
    assert found.n.tolist() == [1] * bins
    table = ProbabilityTable.from_event(np.ones(bins, dtype=bool), edges)
    assert find(f"MCE(bins={bins})")(table) == pytest.approx(1 - 1 / bins)


def bins_of(said: list[float], came_true: list[float], rows: int = 10):
    happened = np.concatenate([np.arange(rows) < round(rows * share) for share in came_true])
    return reliability_bins(EventProbabilities(np.repeat(said, rows), happened))


@pytest.mark.parametrize(
    ("said", "came_true", "expected"),
    [([0.1, 0.9], [0.3, 0.7], 1), ([0.3, 0.7], [0.1, 0.9], 0), ([0.2, 0.8], [0.1, 0.7], 0.5)],
)
def test_saying_too_much_is_told_from_saying_too_little(said, came_true, expected) -> None:
    assert overconfidence(bins_of(said, came_true)) == pytest.approx(expected)


def test_only_the_bins_that_count_are_looked_at() -> None:
    bins = bins_of([0.1, 0.9], [0.3, 1.0])
    assert overconfidence(bins, np.array([True, False])) == 1
    assert overconfidence(bins, np.array([False, True])) == 0
    assert math.isnan(overconfidence(bins, np.array([False, False])))


def test_the_named_class_is_only_ever_said_too_high_or_too_low() -> None:
    assert overconfidence(bins_of([0.5, 0.9], [0.7, 1.0]), centre=0.0) == 0
    assert overconfidence(bins_of([0.5, 0.9], [0.3, 0.8]), centre=0.0) == 1


def test_the_largest_gap_is_that_of_one_bin() -> None:
    assert bins_of([0.1, 0.9], [0.3, 0.4]).largest_gap == pytest.approx(0.5)
    assert math.isnan(reliability_bins(EventProbabilities(np.zeros(0), np.zeros(0, dtype=bool))).largest_gap)


def test_parts_of_the_classes_add_up_to_the_score_of_the_table() -> None:
    rows = np.random.default_rng(2).dirichlet(np.ones(3), 50)
    table = ProbabilityTable.from_arrays([0, 1, 2, 1, 0] * 10, rows, (0, 1, 2))
    first, second, third = (brier_parts(table.event(place), [0, 0.3, 1]) for place in range(3))
    whole = first + second + third
    assert whole.score == pytest.approx(brier_score(table))
    assert whole.score == pytest.approx(
        whole.reliability - whole.resolution + whole.uncertainty + whole.within_variance - whole.within_covariance
    )
