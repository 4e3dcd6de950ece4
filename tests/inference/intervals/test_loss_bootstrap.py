"""Intervals of losses: against slow resampling, where rows are drawn together, and where nothing can be drawn."""

import math

import numpy as np
import pytest

from evalcore.classification import (
    ProbabilityTable,
    brier_score,
    brier_skill,
    log_loss,
    log_loss_over_classes,
    reliability_bins,
)
from evalcore.inference import bootstrap_losses, calibration_error_by_chance, compare_losses
from evalcore.inference.intervals.losses import CELLS

MEASURES = (log_loss, log_loss_over_classes, brier_score, brier_skill)


def drawn_table(n: int, k: int, seed: int) -> ProbabilityTable:
    random = np.random.default_rng(seed)
    rows = random.dirichlet(np.full(k, 0.5), n)
    actual = (rows.cumsum(axis=1) > random.random(n)[:, None]).argmax(axis=1)
    return ProbabilityTable.from_arrays(actual, np.clip(rows, 1e-9, 1), tuple(range(k)), normalised=True)


def resampled(table: ProbabilityTable, resamples: int) -> list[np.ndarray]:
    """Each measure in each resample, row by row."""
    random = np.random.default_rng(0)
    n, found = len(table.actual), []
    for _ in range(resamples):
        rows = random.integers(0, n, n)
        one = ProbabilityTable(table.classes, table.probabilities[rows], table.actual[rows])
        found.append([measure(one) for measure in MEASURES])
    return list(np.array(found).T)


@pytest.mark.parametrize(("n", "k"), [(300, 2), (300, 4), (3 * CELLS, 3)])
def test_intervals_are_those_of_rows_drawn_one_by_one(n: int, k: int) -> None:
    table = drawn_table(n, k, seed=n + k)
    found = bootstrap_losses(table)
    for measure, slow in zip(MEASURES, resampled(table, 300), strict=True):
        interval = found[measure.__name__]
        assert interval.estimate == pytest.approx(measure(table), rel=1e-12)
        width = np.quantile(slow, 0.975) - np.quantile(slow, 0.025)
        assert interval.high - interval.low == pytest.approx(width, rel=0.25)
        assert interval.low == pytest.approx(np.quantile(slow, 0.025), abs=0.2 * width)


def test_the_seed_draws_the_same_again() -> None:
    table = drawn_table(100, 2, seed=1)
    assert bootstrap_losses(table, seed=4)["brier_score"].low == bootstrap_losses(table, seed=4)["brier_score"].low
    assert bootstrap_losses(table, seed=4)["brier_score"].low != bootstrap_losses(table, seed=5)["brier_score"].low


def test_an_infinite_loss_has_no_bounds_and_the_others_keep_theirs() -> None:
    table = ProbabilityTable.from_event([1, 0, 1, 0] * 10, [0, 0.2, 0.7, 0.4] * 10, positive=1)
    found = bootstrap_losses(table, clip=0)
    assert (found["log_loss"].estimate, math.isnan(found["log_loss"].low)) == (math.inf, True)
    assert found["brier_score"].low < found["brier_score"].estimate < found["brier_score"].high


def test_one_class_alone_has_no_skill() -> None:
    found = bootstrap_losses(ProbabilityTable.from_event([1, 1, 1], [0.9, 0.8, 0.3], positive=1))
    assert math.isnan(found["brier_skill"].estimate)
    assert math.isnan(found["brier_skill"].low)


def test_a_resample_of_one_class_counts_for_no_skill() -> None:
    table = ProbabilityTable.from_event([0, *[1] * 9], np.linspace(0.1, 0.9, 10), positive=1)
    assert bootstrap_losses(table)["brier_skill"].low > -10  # not minus the inverse of a rounding error


def test_without_rows_nothing_is_stated() -> None:
    empty = ProbabilityTable((0, 1), np.zeros((0, 2)), np.zeros(0, dtype=np.intp))
    assert math.isnan(bootstrap_losses(empty)["brier_score"].estimate)
    assert math.isnan(compare_losses(empty, empty)["brier_score"].estimate)


def test_a_change_is_that_of_the_measures_and_small_where_rows_go_together() -> None:
    table = drawn_table(400, 3, seed=2)
    mixed = 0.9 * table.probabilities + 0.1 * table.base_rates
    after = ProbabilityTable(table.classes, mixed, table.actual)
    found = compare_losses(table, after, base=2)
    assert found["log_loss"].estimate == pytest.approx(log_loss(after, 2) - log_loss(table, 2))
    assert found["brier_score"].estimate == pytest.approx(brier_score(after) - brier_score(table))
    whole = bootstrap_losses(table)["brier_score"]
    assert found["brier_score"].high - found["brier_score"].low < 0.3 * (whole.high - whole.low)


def test_weights_count_as_rows() -> None:
    table = drawn_table(200, 2, seed=3)
    twice = ProbabilityTable(table.classes, table.probabilities, table.actual, np.full(200, 2.0))
    one, two = bootstrap_losses(table)["brier_score"], bootstrap_losses(twice)["brier_score"]
    assert two.estimate == pytest.approx(one.estimate)
    assert two.high - two.low == pytest.approx((one.high - one.low) / math.sqrt(2), rel=0.15)


def test_a_row_of_weight_0_costs_nothing_though_its_loss_were_infinite() -> None:
    table = drawn_table(50, 2, seed=3)
    never = ProbabilityTable(
        table.classes,
        np.vstack([[[0.0, 1.0]], table.probabilities]),
        np.append(0, table.actual),
        np.append(0.0, np.ones(50)),
    )
    found = bootstrap_losses(never, clip=0)["log_loss"]
    assert math.isfinite(found.estimate)
    assert found.low < found.estimate < found.high
    assert compare_losses(never, never, clip=0)["log_loss"].estimate == 0


def test_calibrated_probabilities_are_seldom_farther_off_than_chance() -> None:
    random, beyond = np.random.default_rng(5), 0
    for _ in range(200):
        said = random.random(300)
        bins = reliability_bins(ProbabilityTable.from_event(random.random(300) < said, said).event(1))
        error = float((bins.n * np.abs(bins.gap)).sum() / bins.n.sum())
        beyond += error > calibration_error_by_chance(bins, trials=300).expected_high
    # One in twenty is expected; the bins draw the mean of what they hold, which varies a little more.
    assert 1 <= beyond <= 20


def test_bins_without_rows_have_no_chance() -> None:
    event = ProbabilityTable((0, 1), np.zeros((0, 2)), np.zeros(0, dtype=np.intp)).event(1)
    assert math.isnan(calibration_error_by_chance(reliability_bins(event)).expected)


def test_weights_beyond_the_whole_numbers_of_the_machine_are_certain() -> None:
    table = ProbabilityTable.from_event([1, 0, 1], [0.5, 0.75, 0.8], positive=1, weights=[1e25] * 3)
    found = bootstrap_losses(table, resamples=50)
    assert (found["log_loss"].low, found["log_loss"].high) == pytest.approx((log_loss(table),) * 2, rel=1e-6)
    bins = reliability_bins(table.event(1))
    assert calibration_error_by_chance(bins, trials=20).maximum_high < 1e-6
    turned = ProbabilityTable(table.classes, table.probabilities[:, ::-1], table.actual, table.weights)
    changed = compare_losses(table, turned, resamples=50)
    assert changed["brier_score"].high - changed["brier_score"].low < 1e-6


def test_weights_of_less_than_half_a_row_have_losses_and_no_interval() -> None:
    table = ProbabilityTable.from_event([1, 0, 1], [0.5, 0.75, 0.8], positive=1, weights=[0.1, 0.1, 0.2])
    found = bootstrap_losses(table)
    assert found["log_loss"].estimate == log_loss(table)
    assert found["brier_skill"].estimate == pytest.approx(brier_skill(table))
    assert math.isnan(found["log_loss"].low)
    assert math.isnan(found["brier_skill"].high)


def test_errors_by_chance_of_clusters_are_those_of_a_loop_and_larger_than_of_rows() -> None:
    random = np.random.default_rng(8)
    clusters = np.repeat(np.arange(80), 5)
    probability = np.repeat(random.random(80).round(2), 5)
    happened = np.repeat(random.random(80), 5) < probability  # all rows of a cluster have the same outcome
    event = ProbabilityTable.from_event(happened, probability, clusters=clusters).event(1)
    bins = reliability_bins(event)
    chance, rows = (calibration_error_by_chance(bins, trials=200, event=of) for of in (event, None))
    signs = np.random.default_rng(20).choice([-1.0, 1.0], size=(200, 80))
    errors = []
    for draw in signs:
        gaps = []
        for low, high in zip(bins.low, bins.high, strict=True):
            inside = (probability > low) & (probability <= high) | (probability == low) & (low == bins.low[0])
            beyond = [float(draw[clusters[row]] * (happened[row] - probability[row])) for row in np.flatnonzero(inside)]
            gaps.append((abs(sum(beyond)) / len(beyond), len(beyond)))
        errors.append((sum(gap * n for gap, n in gaps) / 400, max(gap for gap, _ in gaps)))
    assert chance.expected == pytest.approx(np.mean([error for error, _ in errors]))
    assert chance.maximum == pytest.approx(np.mean([largest for _, largest in errors]))
    # The outcomes of 80 clusters scatter √5 times as much as those of 400 rows.
    assert chance.expected == pytest.approx(5**0.5 * rows.expected, rel=0.25)


def test_rows_of_weight_0_beyond_the_last_bin_change_no_error_by_chance() -> None:
    random = np.random.default_rng(0)
    weights, clusters = np.tile([0.0, 1, 1], 20), np.repeat(np.arange(20), 3)
    probability = np.where(weights > 0, 0.6 * random.random(60), 0.99)
    happened = random.random(60) < probability
    errors = []
    for rows in (slice(None), weights > 0):
        columns = {"weights": weights[rows], "clusters": clusters[rows]}
        event = ProbabilityTable.from_event(happened[rows], probability[rows], **columns).event(1)
        errors.append(calibration_error_by_chance(reliability_bins(event), event=event))
    assert errors[0] == errors[1]
