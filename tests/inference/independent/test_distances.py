"""Intervals of distances, and what chance gives: known spreads, rows that belong together, ends."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from evalcore import METRICS
from evalcore.estimation import DistributionPair, TwoSamples
from evalcore.inference import DistanceDraws, distance_draws

EDGES = np.array([-3, -1, 0, 1, 3.0])
JS, KL, KS = (METRICS[key] for key in ("jensen_shannon_divergence", "kl_divergence", "ks_distance"))


def drawn(n: int, m: int, shift: float, **units: np.ndarray | None) -> DistanceDraws:
    random = np.random.default_rng(4)
    return distance_draws(TwoSamples(random.normal(size=n), random.normal(shift, size=m), **units), EDGES, 500)


def test_a_shift_is_more_than_chance_and_two_samples_of_one_distribution_are_not() -> None:
    far, near = drawn(200, 300, 1.0).estimate(JS), drawn(200, 300, 0.0).estimate(JS)
    assert far.p_value == 1 / 501
    assert 0 < far.interval.low < far.interval.estimate < far.interval.high
    assert far.interval.estimate > 5 * far.chance_high > 5 * far.chance > 0
    assert near.p_value > 0.05
    assert near.interval.low == 0


def test_intervals_allow_for_distances_of_samples_lying_above_those_of_their_distributions() -> None:
    held, measures = [], [METRICS[key] for key in ("total_variation", "hellinger_distance", "wasserstein_distance")]
    random, edges = np.random.default_rng(6), np.linspace(-2, 2, 13)
    for shift in np.repeat([0.0, 0.8], 15):
        samples = TwoSamples(random.normal(size=60), random.normal(shift, size=90))
        tails = [np.diff([0, *(NormalDist(mean).cdf(edge) for edge in edges[1:-1]), 1]) for mean in (0.0, shift)]
        draws = distance_draws(samples, edges, 200)
        true = DistributionPair(*tails, draws.observed.at)
        intervals = [draws.estimate(measure).interval for measure in measures]
        held.append([i.low <= m(true) <= i.high for m, i in zip(measures, intervals, strict=True)])
    assert (np.mean(held, axis=0) >= 0.9).all()


def test_what_chance_alone_explains_may_be_0_where_the_bins_are_coarser_than_the_values() -> None:
    samples = TwoSamples(*np.random.default_rng(3).normal(size=(2, 300)))
    found = distance_draws(samples, EDGES, 200).estimate(METRICS["wasserstein_distance"], exact=samples.exact)
    assert found.p_value > 0.3
    assert found.interval.low == 0


def test_the_spread_of_resamples_is_that_of_the_multinomial() -> None:
    draws = drawn(200, 300, 0.5)
    share = draws.observed.shares_p
    assert draws.resampled.shares_p.std(axis=0) == pytest.approx(np.sqrt(share * (1 - share) / 200), rel=0.15)
    assert (draws.exchanged.p.sum(axis=1) == 200).all()
    assert (draws.exchanged.p + draws.exchanged.q == draws.observed.p + draws.observed.q).all()


def test_rows_of_their_own_as_units_are_rows_on_their_own() -> None:
    rows, units = drawn(80, 60, 0.6), drawn(80, 60, 0.6, units_p=np.arange(80), units_q=np.arange(80, 140))
    one, other = (draws.resampled.shares_q.std(axis=0) for draws in (rows, units))
    assert one == pytest.approx(other, rel=0.2)
    one, other = (draws.exchanged.shares_q.std(axis=0) for draws in (rows, units))
    assert one == pytest.approx(other, rel=0.2)


def test_ten_copies_of_each_row_are_no_more_certain_as_units() -> None:
    random = np.random.default_rng(1)
    p, q = random.normal(size=40), random.normal(0.8, size=40)
    once = distance_draws(TwoSamples(p, q), EDGES, 500)
    copies = TwoSamples(np.repeat(p, 10), np.repeat(q, 10), None, None, None,
                        np.repeat(np.arange(40), 10), np.repeat(np.arange(40, 80), 10))  # fmt: skip
    together = distance_draws(copies, EDGES, 500)
    assert together.resampled.shares_p.std(axis=0) == pytest.approx(once.resampled.shares_p.std(axis=0), rel=0.2)
    assert together.estimate(JS).chance_high == pytest.approx(once.estimate(JS).chance_high, rel=0.3)


def test_two_columns_of_the_same_rows_vary_together() -> None:
    before = np.random.default_rng(3).normal(size=300)
    after = before + 0.2
    rows = np.arange(300)
    paired, apart = (
        distance_draws(TwoSamples(before, after, units_p=units, units_q=units), np.linspace(-3, 3, 25), 500)
        for units in (rows, None)
    )
    widths = [draws.estimate(METRICS["wasserstein_distance"]).interval for draws in (paired, apart)]
    assert 3 * (widths[0].high - widths[0].low) < widths[1].high - widths[1].low
    assert paired.estimate(KS).p_value < apart.estimate(KS).p_value
    assert (paired.exchanged.p.sum(axis=1) == 300).all()


def test_many_units_are_drawn_in_bags() -> None:
    draws = drawn(5000, 2500, 0.1, units_p=np.arange(5000), units_q=np.arange(5000, 7500))
    share = draws.observed.shares_p
    assert draws.resampled.shares_p.std(axis=0) == pytest.approx(np.sqrt(share * (1 - share) / 5000), rel=0.15)


def test_weights_that_are_no_counts_are_drawn_as_so_many_rows() -> None:
    samples = TwoSamples(
        np.array([-2.0, 0.5]), np.array([-2.0, 0.5]), None, np.array([20.5, 9.5]), np.array([10, 20.0])
    )
    draws = distance_draws(samples, EDGES, 50)
    assert set(draws.resampled.p.sum(axis=1)) == set(draws.exchanged.q.sum(axis=1)) == {30.0}


def test_infinite_and_undefined_distances_have_no_interval() -> None:
    samples = TwoSamples(np.array([-2.0, 0.5, 0.6]), np.array([0.5, 0.7, 0.8]))
    draws = distance_draws(samples, EDGES, 50)
    infinite = draws.estimate(KL)
    assert infinite.interval.estimate == math.inf
    assert math.isnan(infinite.interval.low)
    assert math.isnan(infinite.p_value)
    categories = TwoSamples(np.array([0.0, 1]), np.array([1.0, 1]), ("a", "b"))
    assert math.isnan(distance_draws(categories, [-0.5, 0.5, 1.5], 50).estimate(KS).interval.estimate)
    assert math.isnan(draws.estimate(METRICS["entropy"]).p_value)
